"""`make mutate` makes the mistakes that it says it makes. Whether the tests notice them, it says itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.mutation import mutations as made
from tests.mutation.mutations import RULES, Mutation, mutations
from tests.mutation.reach import Reach
from tests.mutation.report import NO_WORD, page
from tests.mutation.trials import Outcome

TEXT = '''
@dataclass(frozen=True)
def share(prize: int | None, boxes: list[int]) -> int:
    """Not a rule: 100."""
    if not boxes or prize < 10:
        raise ValueError(f"{prize + 1} is too little")
    for box, _ in zip(boxes, boxes, strict=True):
        prize += box
    return max(prize, 3)
'''


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Mutation]:
    monkeypatch.setattr(made, "ROOT", tmp_path)
    file = tmp_path / "jackpot" / "share.py"
    file.parent.mkdir()
    file.write_text(TEXT)
    return mutations("share.py")


def test_small_mistakes_are_made_where_a_rule_is_and_nowhere_else(found: list[Mutation]) -> None:
    assert [(one.line, one.where, one.change) for one in found] == [
        (5, "share", "not boxes or prize < 10 → not boxes and prize < 10"),
        (5, "share", "not boxes → boxes"),
        (5, "share", "prize < 10 → prize <= 10"),
        (5, "share", "10 → 11 in if not boxes or prize < 10:"),
        (5, "share", "10 → 9 in if not boxes or prize < 10:"),
        (6, "share", "raise ValueError(f'{prize + 1} is too little') → left out"),
        (8, "share", "prize += box → prize -= box"),
        (8, "share", "prize += box → left out"),
        (9, "share", "return max(prize, 3) → return None"),
        (9, "share", "max(prize, 3) → min(prize, 3)"),
        (9, "share", "3 → 4 in return max(prize, 3)"),
        (9, "share", "3 → 2 in return max(prize, 3)"),
    ]


@pytest.mark.parametrize(
    ("change", "paid"), [("3 → 4 in return max(prize, 3)", 12), ("prize += box → prize -= box", 10 - 2)]
)
def test_a_mutant_has_its_mistake_and_no_other(found: list[Mutation], change: str, paid: int) -> None:
    [mutant] = [one for one in found if one.change == change]
    names: dict[str, Any] = {"dataclass": lambda **_: lambda function: function}
    exec(mutant.code(), names)  # noqa: S102  our own text
    assert names["share"](10, [2]) == paid


def test_every_module_of_the_rules_can_be_mutated() -> None:
    assert [file for file in RULES if not mutations(file)] == []


def test_tests_are_run_from_the_quickest_to_the_slowest(found: list[Mutation]) -> None:
    reached = Reach(
        {"slow": 2.0, "quick": 0.1, "other": 1.0}, {"share.py": {5: {"slow", "quick"}, 8: {"other"}}}
    )
    first, later = found[0], found[-1]
    assert reached.tests(first) == ["quick", "slow"]
    assert reached.tests(later) == []
    reached.lines["share.py"][9] = set()  # run by the import
    assert reached.tests(later) == ["quick", "other", "slow"]
    reached.lines["share.py"] = {9: set()}  # and nothing else is
    assert reached.tests(later) == ["quick", "other", "slow"]


def test_the_word_on_a_survivor_is_kept(found: list[Mutation]) -> None:
    outcomes = [Outcome(found[0], None, 7), Outcome(found[1], "a test", 7)]
    first = page(outcomes, seed=1, possible=12, before="")
    assert "2 of 12 mutants, seed 1: 1 killed, **50.0 %**" in first
    assert NO_WORD in first
    spoken = first.replace(NO_WORD, "It does not matter.")
    assert page(outcomes, seed=1, possible=12, before=spoken) == spoken
