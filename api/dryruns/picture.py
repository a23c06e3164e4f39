"""A picture of a dry run: the meter over time, then and so, with payments and the point of break-even."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from html import escape
from typing import Any, NamedTuple

from jackpot.core.money import figures

Json = dict[str, Any]
WIDE, HIGH = 1040, 520
LEFT, RIGHT, TOP, BOTTOM = 112, 24, 118, 76
INK, QUIET, GRID, PAPER = "#1d2733", "#6b7785", "#e3e7ec", "#ffffff"
THEN, SO, EVEN = "#1f5f8b", "#b5452c", "#c8902b"
_FONT = "font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif\""
_STEPS = (1, 2, 2.5, 5, 10)
_HOURS = (1, 2, 4, 6, 12, 24, 48, 96, 168, 336, 720)


class Frame(NamedTuple):
    """Where times and values lie in the picture."""

    start: float
    end: float
    low: float
    high: float

    def x(self, at: float) -> float:
        return LEFT + (at - self.start) / max(1e-6, self.end - self.start) * (WIDE - LEFT - RIGHT)

    def y(self, value: float) -> float:
        return TOP + (self.high - value) / max(1.0, self.high - self.low) * (HIGH - TOP - BOTTOM)


def drawn(told: Json) -> str:
    """The same findings draw the same file."""
    frame = _frame(told)
    points = [(_seconds(one["at"]), one["then"], one["so"]) for one in told["curve"]]
    parts = [
        f'<rect width="{WIDE}" height="{HIGH}" fill="{PAPER}"/>',
        *_head(told),
        *_values(told, frame),
        *_times(frame),
        *_even(told, frame),
        _line(frame, [(at, then) for at, then, _ in points], THEN, 1.8),
        _line(frame, [(at, so) for at, _, so in points], SO, 1.8),
        *_payments(told, frame),
        *_foot(told),
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" role="img" {_FONT}>'
    title = f"<title>{escape(told['name'])}: the meter as it was, and as it would have been</title>"
    return "\n".join([head, title, *parts, "</svg>", ""])


def _frame(told: Json) -> Frame:
    values = [one[side] for one in told["curve"] for side in ("then", "so")]
    low, high = min(values), max(values)
    near = [told[side]["break_even"] for side in ("then", "so")]
    high = max([high, *[even for even in near if even <= high * 1.15]])
    room = max(100.0, (high - low) * 0.08)
    return Frame(_seconds(told["from"]), _seconds(told["to"]), max(0.0, low - room), high + room)


def _seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()


def _text(x: float, y: float, text: str, fill: str = QUIET, **more: object) -> str:
    said = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{fill}"{said}>{escape(text)}</text>'


def _head(told: Json) -> Iterable[str]:
    title = f"{told['name']}: the meter as it was, and as it would have been"
    yield _text(24, 38, title, INK, font_size=20, font_weight=700)
    yield _text(24, 62, f"{_day(told['from'])} to {_day(told['to'])} UTC, {told['currency']}", font_size=13)
    said = changes_said(told["changed"], told["currency"])
    for x, colour, text in ((24, THEN, "then: as recorded"), (190, SO, f"so: {said}")):
        yield f'<path d="M{x} 86h22" stroke="{colour}" stroke-width="3"/>'
        yield _text(x + 30, 90, text, INK, font_size=13)


def changes_said(changed: Json, currency: str) -> str:
    """What is other than it was, in one line."""
    words: dict[str, Callable[[Any], str]] = {
        "seed": lambda amount: f"seed {figures(amount, currency)}",
        "meter_ppm": lambda ppm: f"{ppm / 10_000:g} % to the meter",
        "reserve_ppm": lambda ppm: f"{ppm / 10_000:g} % to the reserve",
        "ceiling": lambda amount: "no ceiling" if amount is None else f"ceiling {figures(amount, currency)}",
        "policy": lambda name: f"policy {name}",
        "window_ms": lambda ms: "no window" if ms is None else f"window {ms:,} ms",
        "cap": lambda amount: "no cap" if amount is None else f"cap {figures(amount, currency)}",
        "level": lambda levels: f"{len(levels)} levels of its own",
    }
    return ", ".join(words[name](value) for name, value in changed.items()) or "the same"


def _day(at: str) -> str:
    return datetime.fromisoformat(at).astimezone(UTC).strftime("%Y-%m-%d %H:%M")


def _values(told: Json, frame: Frame) -> Iterable[str]:
    for value in ticks(frame.low, frame.high, 6):
        y = frame.y(value)
        yield f'<path d="M{LEFT} {y:.1f}H{WIDE - RIGHT}" stroke="{GRID}"/>'
        yield _text(
            LEFT - 12, y + 4, figures(round(value), told["currency"]), text_anchor="end", font_size=12
        )


def ticks(low: float, high: float, count: int) -> list[float]:
    """Round figures between two values, at most about so many."""
    rough = (high - low) / count or 1.0
    power = 10.0 ** (len(str(int(rough))) - 1)
    step = next(one * power for one in _STEPS if one * power >= rough)
    first = -(-low // step)
    return [step * (first + number) for number in range(int(high // step - first) + 1)]


def _times(frame: Frame) -> Iterable[str]:
    hours = (frame.end - frame.start) / 3600
    step = next((one for one in _HOURS if hours / one <= 9), hours / 9) * 3600.0
    if hours < 2:
        step = max(1.0, (frame.end - frame.start) / 6)
    shape = "%d %b" if step >= 24 * 3600 else "%H:%M" if hours >= 2 else "%H:%M:%S"
    at = -(-frame.start // step) * step
    while at <= frame.end:
        x, told = frame.x(at), datetime.fromtimestamp(at, UTC).strftime(shape)
        yield f'<path d="M{x:.1f} {HIGH - BOTTOM}v5" stroke="{QUIET}"/>'
        yield _text(x, HIGH - BOTTOM + 22, told, text_anchor="middle", font_size=12)
        at += step


def _even(told: Json, frame: Frame) -> Iterable[str]:
    evens = {told[side]["break_even"]: side for side in ("so", "then")}
    for even, side in evens.items():
        if frame.low <= even <= frame.high:
            y = frame.y(even)
            yield f'<path d="M{LEFT} {y:.1f}H{WIDE - RIGHT}" stroke="{EVEN}" stroke-dasharray="6 4"/>'
            which = "" if len(evens) == 1 else f", {side}"
            yield _text(
                LEFT + 6, y - 6, f"break-even {figures(even, told['currency'])}{which}", EVEN, font_size=12
            )


def _line(frame: Frame, points: list[tuple[float, int]], colour: str, width: float) -> str:
    """In steps: between two points the meter is what it was at the first."""
    first, *more = [(frame.x(at), frame.y(value)) for at, value in points]
    path = "".join(f"H{x:.1f}V{y:.1f}" for x, y in more)
    there = f"M{first[0]:.1f} {first[1]:.1f}{path}"
    return f'<path d="{there}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"/>'


def _payments(told: Json, frame: Frame) -> Iterable[str]:
    for one in told["payments"]:
        for side, colour in (("then", THEN), ("so", SO)):
            paid = one[side]
            if paid is not None and paid["reading"] is not None:
                x, y = frame.x(_seconds(paid["at"])), frame.y(paid["reading"])
                what = escape(f"{one['win']}: {figures(paid['amount'], told['currency'])} {side}")
                radius, width = (5, 2.2) if paid["percent"] == 100 else (3, 1.4)
                there = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{PAPER}"'
                yield f'{there} stroke="{colour}" stroke-width="{width}"><title>{what}</title></circle>'


def _foot(told: Json) -> Iterable[str]:
    then, so, currency = told["then"], told["so"], told["currency"]
    wins = f"{figures(then['majors'], currency)} then, {figures(so['majors'], currency)} so"
    resets = f"{then['resets']} then, {so['resets']} so"
    more = so["ended"]["house"] - then["ended"]["house"]
    house = f"{figures(abs(more), currency)} {'more' if more > 0 else 'less'}" if more else "the same"
    said = f"Majors and late claims paid: {wins}. Resets: {resets}. The house ends with {house}."
    yield _text(24, HIGH - 20, said, INK, font_size=13)
    key = "Circles: wins at the value they were paid from; large ones took all of it."
    yield _text(WIDE - RIGHT, 62, key, text_anchor="end", font_size=12)
