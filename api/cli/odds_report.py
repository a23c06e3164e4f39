"""What `jackpot odds` tells about a link: figures for machines, and the same figures for people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from api.floor.file import LinkEntry
from jackpot.cards.evaluator import Hand
from jackpot.core.currencies import minor_units
from jackpot.core.money import spoken
from jackpot.link.awards import Policy
from jackpot.maths.caps import cap_costs, finely
from jackpot.maths.odds import Pace, Wager, house_warning
from jackpot.maths.warnings import warnings

if TYPE_CHECKING:
    from jackpot.maths.forecast import Forecast

HANDS = tuple(reversed(Hand))
MEETING = {
    Policy.ORDERED: "one after the other",
    Policy.SPLIT: "together, shared",
    Policy.FULL_EACH: "together, each in full",
}
"""How wins that meet are paid, in a cell of a table."""
Figures = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Subject:
    """The link asked about, and on what assumptions."""

    link: LinkEntry
    wager: Wager
    pace: Pace
    days: int
    boxes: tuple[int, ...]
    """Of each table."""

    @property
    def bets(self) -> int:
        return max(1, round(self.pace.bets_per_day * self.days))

    @property
    def whole(self) -> int:
        """How many minor units are one of the currency."""
        return minor_units(self.link.currency)


def figures(subject: Subject, simulated: Forecast | None) -> Figures:
    """Amounts in minor units, parts of a bet as numbers from 0 to 1."""
    wager, link = subject.wager, subject.link
    return {
        "link": link.id,
        "currency": link.currency,
        "progressive_bet": link.progressive_bet,
        "seed": link.seed,
        "deals": wager.chances.deals,
        "hands": [_hand(wager, hand) for hand in HANDS],
        "minors_return": float(wager.minors_return),
        "by_meter": [_at(wager, name, meter) for name, meter in _meters(wager)],
        "break_even_meter": round(wager.break_even),
        "mean_meter": round(wager.mean_meter),
        "meter_deviation": wager.meter_deviation,
        "majors": _majors(subject),
        "seed_cost_per_bet": float(wager.seed_cost),
        "house_share": float(wager.house_share),
        "award_policy": _award_policy(subject),
        "warning": house_warning(wager),
        "warnings": warnings(wager.parameters, subject.boxes, link.currency),
        "closed_forms_leave_out": left_out(link),
        "reserve_cover": float(wager.reserve_cover),
        "next_seed_uncovered": wager.uncovered_chance(),
        "pace": _pace(subject),
        "simulation": None if simulated is None else _simulation(simulated),
    }


def left_out(link: LinkEntry) -> list[str]:
    """The settings of this link that the closed forms do not know; the simulation does."""
    settings = {"ceiling": link.ceiling is not None, "top_up_to_seed": link.top_up_to_seed}
    return [name for name, used in settings.items() if used]


def _award_policy(subject: Subject) -> Figures:
    """How wins that meet are paid; and what the cap of a round costs a bet, where every box bets."""
    link = subject.link
    costs = {} if link.cap is None else cap_costs(subject.wager, subject.boxes)
    return {
        "policy": link.policy.value,
        "window_ms": link.window_ms,
        "cap": link.cap,
        "cap_costs": [{"boxes": boxes, "cents_a_bet": float(cost)} for boxes, cost in costs.items()],
    }


def _hand(wager: Wager, hand: Hand) -> Figures:
    percent, times = wager.percent_of_pool.get(hand), wager.times_the_bet.get(hand)
    return {
        "hand": hand.value,
        "ways": wager.chances.ways[hand],
        "one_in": float(wager.chances.one_in(hand)),
        "percent_of_pool": percent,
        "times_the_bet": times,
        "return_at_mean_meter": float(_returned(wager, hand)),
    }


def _returned(wager: Wager, hand: Hand) -> Fraction:
    of_pool = Fraction(wager.percent_of_pool.get(hand, 0), 100) * wager.mean_meter
    times = of_pool / wager.parameters.progressive_bet + wager.times_the_bet.get(hand, 0)
    return times * wager.chances.of(hand)


def _meters(wager: Wager) -> Iterator[tuple[str, Fraction]]:
    named = {
        "seed": Fraction(wager.parameters.seed),
        "mean": wager.mean_meter,
        "mean + deviation": wager.mean_meter + wager.meter_deviation,
        "break-even": wager.break_even,
    }
    yield from sorted(named.items(), key=lambda item: item[1])


def _at(wager: Wager, name: str, meter: Fraction) -> Figures:
    return {
        "at": name,
        "meter": round(meter),
        "return": float(wager.return_at(meter)),
        "edge": float(wager.edge_at(meter)),
    }


def _majors(subject: Subject) -> list[Figures]:
    kinds: dict[str, tuple[Hand, ...]] = {hand.value: (hand,) for hand in subject.wager.percent_of_pool}
    return [
        {
            "hand": name,
            "bets_between": float(bets := subject.wager.bets_between(*hands)),
            "rounds_between": float(subject.pace.rounds_for(bets)),
            "days_between": float(subject.pace.days_for(bets)),
        }
        for name, hands in ({"any_major": ()} | kinds).items()
    ]


def _pace(subject: Subject) -> Figures:
    return {
        "tables": subject.pace.tables,
        "bets_per_round": float(subject.pace.bets_per_round),
        "rounds_per_hour": float(subject.pace.rounds_per_hour),
        "hours_per_day": float(subject.pace.hours_per_day),
        "bets_per_day": float(subject.pace.bets_per_day),
        "days": subject.days,
    }


def _simulation(simulated: Forecast) -> Figures:
    from jackpot.maths.forecast import quantiles

    return {
        "runs": len(simulated.meter),
        "bets": simulated.bets,
        "mean_resets": float(simulated.resets.mean()),
        "chance_of_an_uncovered_seed": simulated.uncovered_chance,
        "mean_topped_up": round(float(simulated.topped_up.mean())),
        "liability_at_the_end": {str(key): value for key, value in quantiles(simulated.owed).items()},
        "largest_liability": {str(key): value for key, value in quantiles(simulated.peak).items()},
        "seeds_paid_by_house": {str(key): value for key, value in quantiles(simulated.paid_by_house).items()},
    }


# For people


def page(told: Figures) -> RenderableType:
    parts: list[RenderableType] = [_hands_table(told), _meter_table(told), _majors_table(told)]
    parts += [_house_table(told), _policy_table(told)]
    parts += [_simulation_table(told)] if told["simulation"] else []
    parts += [Text(f"Warning: {one}", style="bold red") for one in told["warnings"]]
    return Group(*parts)


def _grid(title: str, *columns: str) -> Table:
    grid = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        grid.add_column(column, justify="right" if number else "left", no_wrap=True)
    return grid


def _hands_table(told: Figures) -> Table:
    title = f"Link {told['link']}: a bet of {_money(told, told['progressive_bet'])}, five cards"
    grid = _grid(title, "hand", "ways", "1 in", "pays", "returns")
    for hand in told["hands"]:
        grid.add_row(
            _words(hand["hand"]),
            f"{hand['ways']:,}",
            f"{hand['one_in']:,.{0 if hand['one_in'] >= 1000 else 2}f}",
            _pays(hand),
            _percent(hand["return_at_mean_meter"]) if _pays(hand) else "",
        )
    returned = next(row["return"] for row in told["by_meter"] if row["at"] == "mean")
    before = "" if told["award_policy"]["cap"] is None else ", before the cap of a round"
    return _noted(
        grid, f"All returns at the long-run mean of the meter: {_percent(returned)} of the bet{before}."
    )


def _pays(hand: Figures) -> str:
    if hand["percent_of_pool"] is not None:
        return f"{hand['percent_of_pool']} % of pool"
    return f"{hand['times_the_bet']} for 1" if hand["times_the_bet"] else ""


def _meter_table(told: Figures) -> Table:
    grid = _grid("Return and edge by the meter", "at", "meter", "return", "house edge")
    for row in told["by_meter"]:
        grid.add_row(row["at"], _money(told, row["meter"]), _percent(row["return"]), _percent(row["edge"]))
    return grid


def _majors_table(told: Figures) -> Table:
    pace = told["pace"]
    title = (
        f"Time between majors: {pace['tables']} tables, {pace['bets_per_round']:g} bets a round,"
        f" {pace['rounds_per_hour']:g} rounds an hour, {pace['hours_per_day']:g} hours a day"
    )
    grid = _grid(title, "major", "bets", "rounds", "days")
    for row in told["majors"]:
        between = (row["bets_between"], row["rounds_between"], row["days_between"])
        grid.add_row(_words(row["hand"]), *(f"{value:,.1f}" for value in between))
    return grid


def _house_table(told: Figures) -> Table:
    grid = _grid("The house in the long run", "", "")
    grid.show_header = False
    grid.add_row("minors return", _percent(told["minors_return"]))
    grid.add_row("long-run mean of the meter", _money(told, told["mean_meter"]))
    grid.add_row("its standard deviation", _money(told, told["meter_deviation"]))
    grid.add_row("cost of the seed, a bet", finely(told["seed_cost_per_bet"], told["currency"]))
    grid.add_row("house and reserve keep of a bet", _percent(told["house_share"]))
    grid.add_row("reserve income for 1 of seed cost", f"{told['reserve_cover']:.2f}")
    grid.add_row("an empty reserve misses the next seed", _percent(told["next_seed_uncovered"]))
    without = " and ".join(_words(name) for name in told["closed_forms_leave_out"])
    return _noted(grid, f"Closed forms, without {without}: see the simulation." if without else "")


def _policy_table(told: Figures) -> Table:
    """The closed forms take each win by itself: two that meet are too rare to count."""
    policy = told["award_policy"]
    grid = _grid("Wins that meet, and the cap of a round", "", "")
    grid.show_header = False
    window = policy["window_ms"]
    grid.add_row("wins that meet are paid", MEETING[Policy(policy["policy"])])
    grid.add_row("they meet if their deal times", "overlap" if window is None else f"lie within {window} ms")
    grid.add_row("cap of a round", "none" if policy["cap"] is None else _money(told, policy["cap"]))
    for one in policy["cap_costs"]:
        boxes, cost = one["boxes"], one["cents_a_bet"]
        grid.add_row(f"it costs a bet at a full table of {boxes}", finely(cost, told["currency"]))
    return grid


def _simulation_table(told: Figures) -> Table:
    found = told["simulation"]
    title = (
        f"{told['pace']['days']} days from a fresh seed, {found['runs']:,} simulated runs:"
        f" {told['currency']} not exceeded with a chance of"
    )
    chances = [f"{float(key) * 100:g} %" for key in found["largest_liability"]]
    grid = _grid(title, "", *chances)
    whole = minor_units(told["currency"])
    for name in ("liability_at_the_end", "largest_liability", "seeds_paid_by_house"):
        grid.add_row(_words(name), *(f"{-(-value // whole):,}" for value in found[name].values()))
    uncovered = _percent(found["chance_of_an_uncovered_seed"])
    return _noted(
        grid, f"{found['mean_resets']:.1f} resets a run; some seed not covered in {uncovered} of runs."
    )


def _noted(grid: Table, note: str) -> Table:
    grid.caption, grid.caption_justify = note or None, "left"
    return grid


def _money(told: Figures, amount: int) -> str:
    return spoken(amount, told["currency"])


def _percent(part: float) -> str:
    return f"{part * 100:.2f} %"


def _words(name: str) -> str:
    return name.replace("_", " ")
