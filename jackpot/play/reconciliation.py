"""What the House counts of each table, and whether the meters that its controller tells are the same."""

from __future__ import annotations

from collections.abc import Iterable

from jackpot.core.refusals import MetersAhead, MetersWrong, RoundUnknown
from jackpot.games.blackjack.lines import RETURNED
from jackpot.games.blackjack.lines import Line as PitLine
from jackpot.link.execution import Desk
from jackpot.link.facts import MetersBegun, MetersDiffered
from jackpot.link.meters import KEPT, Baseline, Meters, MetersAfter, MetersTold
from jackpot.link.pit_rounds import PitRound
from jackpot.link.rounds import Round, RoundOfPlay, RoundState
from jackpot.link.state import TableOfPlay

LARGEST_METER = 2**53 - 1
"""The largest whole number that every program reads as it was written."""
_NOTHING = Meters()


# The House's own


def count(table: TableOfPlay, current: RoundOfPlay) -> None:
    """Its round is over. Once it was counted nothing changes that any more."""
    if table.counted and table.counted[-1].round >= current.number:
        return
    after = MetersAfter(round=current.number, meters=table.meters.plus(metered(current)))
    table.counted = (*table.counted[1 - KEPT :], after)


def metered(current: RoundOfPlay) -> Meters:
    """What a round that is over adds to the meters of its table; if it was voided, only that it was one."""
    if current.state is RoundState.VOIDED:
        return Meters(rounds=1)
    if isinstance(current, PitRound):
        return of_lines(current.settlement)
    return _of_boxes(current) if isinstance(current, Round) else Meters(rounds=1)


def _of_boxes(current: Round) -> Meters:
    """Of the jackpot's wager alone: not every table tells its main game."""
    boxes = current.boxes.values()
    return Meters(
        rounds=1,
        bets=sum([box.bet for box in boxes]),
        returned=sum([box.bet for box in boxes if box.returned]),
        awards=sum([box.minor for box in boxes]),
    )


def of_lines(lines: Iterable[PitLine]) -> Meters:
    """Of every wager whose outcome was told."""
    several = tuple(lines)
    return Meters(
        rounds=1,
        bets=sum([one.stake for one in several]),
        returned=sum([one.payout for one in several if one.outcome is RETURNED]),
        awards=sum([one.payout for one in several if one.outcome is not RETURNED]),
    )


def last_over(table: TableOfPlay) -> int:
    """The last round that is over, 0 before there was one."""
    return table.counted[-1].round if table.counted else 0


def house_after(table: TableOfPlay, round: int) -> Meters | None:
    """The House's own after that round; None if it was none, or if it is too long ago."""
    for one in reversed(table.counted):
        if one.round == round:
            return one.meters
    return None


def before(table: TableOfPlay, round: int) -> MetersAfter | None:
    """The House's own before that round; None if it is too long ago."""
    earlier = [one for one in table.counted if one.round < round]
    if earlier:
        return earlier[-1]
    whole = not table.counted or table.counted[0].meters.rounds == 1
    return MetersAfter(round=0, meters=_NOTHING) if whole or round == 1 else None


def expected(table: TableOfPlay, baseline: Baseline, house: Meters) -> Meters:
    """What its controller's meters should show, as far as they are known to be wrong already."""
    known = house.plus(baseline.offset)
    return known if table.difference is None else known.plus(table.difference.offset)


# What a controller tells


def check(table: TableOfPlay, said: MetersTold) -> None:
    """What no controller can have counted."""
    meters, first = said.meters, said.first
    for name in ("rounds", "bets", "returned", "awards"):
        if not 0 <= getattr(meters, name) <= LARGEST_METER:
            raise MetersWrong(f"meters are 0 to {LARGEST_METER}", field=f"meters.{name}")
    if said.round < 1:
        raise MetersWrong("rounds are numbered from 1", field="meters.round")
    if first is not None and not 1 <= first <= said.round:
        raise MetersWrong("the first round counted is not after the last", field="meters.first")
    if first is not None and meters.rounds > said.round - first + 1:
        raise MetersWrong("more rounds than there are numbers", field="meters.rounds")
    if said.round > last_over(table):
        raise MetersAhead(f"round {said.round} is not over", field="meters.round", last=last_over(table))
    if house_after(table, said.round) is None and said.round > table.counted[0].round:
        raise RoundUnknown(f"table {table.setup.id} had no round {said.round}")


def agrees(table: TableOfPlay, said: MetersTold) -> bool:
    """They are what they should be."""
    baseline, house = table.baseline, house_after(table, said.round)
    if baseline is None or house is None or _begins_anew(said, baseline):
        return False
    if table.difference is None:
        return said.meters.is_sum(house, baseline.offset)
    return said.meters == expected(table, baseline, house)


def _begins_anew(said: MetersTold, baseline: Baseline) -> bool:
    return said.first is not None and said.first != baseline.first


def says_nothing_new(table: TableOfPlay, said: MetersTold) -> bool:
    """Nothing would be written of it. Raises its refusal."""
    if agrees(table, said):
        return True
    check(table, said)
    return table.difference is not None or house_after(table, said.round) is None


def note(table: TableOfPlay, said: MetersTold) -> None:
    """Remember how far both agree: rounds in which they begin to differ later come after that."""
    last = table.contact.agreed or 0
    if said.round > last and agrees(table, said):
        table.contact.agreed = said.round


def hear(desk: Desk, table: TableOfPlay, said: MetersTold) -> None:
    """Compare them, and write down where they begin, or begin to differ."""
    if not says_nothing_new(table, said):
        if table.baseline is None or _begins_anew(said, table.baseline):
            _begin(desk, table, said)
        if table.difference is None and not agrees(table, said):
            _differ(desk, table, said)
    note(table, said)


def _begin(desk: Desk, table: TableOfPlay, said: MetersTold) -> None:
    """From zero before the first round that was counted; if that is not said, or too long ago, from now."""
    base, told = None if said.first is None else before(table, said.first), _NOTHING
    house = house_after(table, said.round)
    if base is None and house is not None:
        base, told = MetersAfter(round=said.round, meters=house), said.meters
    if base is None:
        raise RuntimeError("meters after a round that nobody remembers")
    if table.baseline is not None:
        _check_untold(desk, table, table.baseline, base)
    name = table.setup.id
    desk.write(MetersBegun(table=name, after=base.round, told=told, house=base.meters, first=said.first))
    table.contact.agreed = base.round


def _check_untold(desk: Desk, table: TableOfPlay, baseline: Baseline, base: MetersAfter) -> None:
    """Of rounds between the last agreement and the new beginning nobody has told the meters."""
    after = agreed(table, baseline)
    if base.round > after:
        _write(desk, table, after, base.round, expected(table, baseline, base.meters), None)


def _differ(desk: Desk, table: TableOfPlay, said: MetersTold) -> None:
    baseline, house = table.baseline, house_after(table, said.round)
    if baseline is None or house is None:
        raise RuntimeError("nothing to compare with")
    after = min(agreed(table, baseline), said.round - 1)
    _write(desk, table, after, said.round, expected(table, baseline, house), said.meters)


def agreed(table: TableOfPlay, baseline: Baseline) -> int:
    """The round after which both last agreed, as far as that is remembered."""
    return max(baseline.after, table.contact.agreed or 0)


def _write(
    desk: Desk, table: TableOfPlay, after: int, round: int, house: Meters, told: Meters | None
) -> None:
    desk.write(
        MetersDiffered(
            difference=desk.next_id("d"),
            table=table.setup.id,
            after=after,
            round=round,
            house=house,
            told=told,
            rounds=between(table, after, round),
        )
    )


def between(table: TableOfPlay, after: int, round: int) -> tuple[int, ...]:
    """The rounds that are remembered after the one and up to the other."""
    return tuple(one.round for one in table.counted if after < one.round <= round)
