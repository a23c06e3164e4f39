"""Who may be who. Apart from what is kept of them: whoever reads a floor file needs no database."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    TABLE = "table"
    GATEWAY = "gateway"
    """Speaks for several tables of one site."""
    SIGN = "sign"
    OPERATOR = "operator"
    SUPERVISOR = "supervisor"
    AUDITOR = "auditor"


PEOPLE = frozenset({Role.OPERATOR, Role.SUPERVISOR, Role.AUDITOR})
