"""What can go wrong for a table controller.

ClientError
├── Refused               the service said no, and nothing changed
│   ├── BadInput          the message itself is wrong
│   ├── NotAuthenticated  the token is not known
│   ├── NotAllowed        it is not this table's to say
│   ├── Unknown           it names something that does not exist
│   └── Conflict          not now, or not any more
├── Unreachable           no answer came in time
├── SpoolUnusable         the spool is another controller's, or cannot be written
└── AuthoritiesUnusable   the file of certificate authorities cannot be read as one
"""

from __future__ import annotations

from typing import Any


class ClientError(Exception):
    pass


class Unreachable(ClientError):
    pass


class SpoolUnusable(ClientError):
    pass


class AuthoritiesUnusable(ClientError):
    pass


class Refused(ClientError):
    """`code` is stable and for machines, `rule` the paragraph of the game rules, `field` what is wrong."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        self.status = status
        self.code = str(problem.get("code", "unknown"))
        self.detail = str(problem.get("detail", ""))
        self.rule: str | None = problem.get("rule")
        self.field: str | None = problem.get("field")
        self.expected: int | None = problem.get("expected")
        self.problem = problem
        super().__init__(f"{self.code}: {self.detail}")


class BadInput(Refused):
    pass


class NotAuthenticated(Refused):
    pass


class NotAllowed(Refused):
    pass


class Unknown(Refused):
    pass


class Conflict(Refused):
    pass


_KINDS: dict[int, type[Refused]] = {
    401: NotAuthenticated,
    403: NotAllowed,
    404: Unknown,
    409: Conflict,
}


def refusal(status: int, problem: dict[str, Any]) -> Refused:
    return _KINDS.get(status, BadInput)(status, problem)
