"""Records that never change: made as dataclasses are, without a guard, and their text is kept."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import field, replace

import pytest

from jackpot.core.codec import encoder, from_bytes, to_bytes
from jackpot.core.money import Account
from jackpot.core.records import SPARSE, Kept, frozen, maker
from jackpot.link.facts import Posted
from jackpot.link.rounds import Box, HandRecord, HandResult, MainGame


@frozen()
class Placed:
    box: int
    amount: int = 5
    names: list[str] = field(default_factory=list)


@frozen(kw_only=True)
class Written(Kept):
    box: int
    note: str | None = None


@frozen(kw_only=True)
class Round:
    boxes: tuple[Written, ...]
    by_box: dict[int, Written]
    last: Written | None


def test_a_record_is_made_as_a_dataclass_is() -> None:
    assert Placed(1) == Placed(1, 5, []) != Placed(1, 6)
    assert Placed(1).names is not Placed(1).names
    assert replace(Placed(1), amount=7) == Placed(1, 7)
    assert repr(Written(box=1)).endswith("Written(box=1, note=None)")
    assert {Written(box=1): "one"}[Written(box=1)] == "one"
    assert not hasattr(Placed(1), "__dict__")
    with pytest.raises(TypeError):
        Written(1)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Written()  # type: ignore[call-arg]


def test_a_maker_makes_what_the_class_does() -> None:
    assert maker(Placed)(1, 2) == Placed(1, 2)
    assert maker(HandResult)(box=1, award=5) == HandResult(box=1, award=5)
    assert maker(HandResult)(box=1).text_kept is None
    assert maker(Box)(number=1, ante=2, bonus=0, bet=5, payments=0) == Box(
        number=1, ante=2, bonus=0, bet=5, payments=0
    )
    made = maker(Posted)
    assert made() == Posted()
    assert made().moves is not made().moves, "each has its own"
    with pytest.raises(TypeError):
        made(unknown=1)  # type: ignore[call-arg]


def test_a_kept_text_is_that_of_its_own_record() -> None:
    one = Written(box=2, note='a "b"\n')
    whole = Round(boxes=(one, one), by_box={10: one, 2: Written(box=2)}, last=None)
    text = to_bytes(whole)
    assert text == to_bytes(whole) == to_bytes(replace(whole))
    assert from_bytes(Round, text) == whole
    assert text.decode() == json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"))
    changed = replace(one, note=None)
    assert (
        encoder(tuple[Written, ...])((one, changed))
        == '[{"box":2,"note":"a \\"b\\"\\n"},{"box":2,"note":null}]'
    )


def test_a_kept_text_says_nothing_of_two_records_being_the_same() -> None:
    one, other = Written(box=2), Written(box=2)
    encoder(tuple[Written, ...])((one,))
    assert one == other
    assert hash(one) == hash(other)
    assert repr(one) == repr(other)


@pytest.mark.parametrize("encoded", [False, True])
def test_a_copy_is_written_as_its_record(encoded: bool) -> None:
    one = HandRecord(box=3, cards=("As", "Kd"), main=MainGame(bet=500, decision="bet"))
    several = encoder(tuple[HandRecord, ...])
    if encoded:
        several((one,))
    for again in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):  # noqa: S301  our own
        assert again == one
        assert several((again,)) == several((one,))


def test_parts_are_written_in_the_order_of_their_names() -> None:
    assert to_bytes(HandResult(box=1)) == (
        b'{"award":null,"box":1,"claim":null,"hand":null,"level":null,"win":null}'
    )
    moves = {Account.WAGERS: -5, Account.HOUSE: 3, Account.METER: 2}
    assert to_bytes(Posted(moves=moves, contributed=2)) == (
        b'{"contributed":2,"kind":"Posted","moves":{"house":3,"meter":2,"wagers":-5}}'
    )


@frozen(kw_only=True)
class Rare:
    a: int | None = field(default=None, metadata=SPARSE)
    b: int = 1
    c: tuple[int, ...] = field(default=(), metadata=SPARSE)
    d: str = "d"
    e: Placed | None = field(default=None, metadata=SPARSE)


@pytest.mark.parametrize(
    ("record", "text"),
    [
        (Rare(), '{"b":1,"d":"d"}'),
        (Rare(a=2), '{"a":2,"b":1,"d":"d"}'),
        (Rare(c=(3, 4)), '{"b":1,"c":[3,4],"d":"d"}'),
        (Rare(a=5, e=Placed(1)), '{"a":5,"b":1,"d":"d","e":{"amount":5,"box":1,"names":[]}}'),
    ],
)
def test_a_rare_field_is_written_only_where_it_says_something(record: Rare, text: str) -> None:
    assert to_bytes(record).decode() == text
    assert from_bytes(Rare, to_bytes(record)) == record
