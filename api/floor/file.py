"""The floor file: which links and pits there are, on what terms, and which tables play there."""

from __future__ import annotations

import logging
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from api.floor.bounds import (
    Difference,
    Loosening,
    Values,
    check_loosened,
    differences,
    profile_named,
    values_of,
    with_defaults,
)
from jackpot.book.beside.calendar import DEFAULT, DaySetting, check_setting
from jackpot.book.beside.roles import PEOPLE, Role
from jackpot.cards.chances import MadeOf
from jackpot.cards.evaluator import Hand
from jackpot.core.instants import MILLISECOND, SECOND
from jackpot.core.refusals import ParameterWrong
from jackpot.core.texts import spelled_differently, unseen
from jackpot.games import GAMES, Game
from jackpot.games.blackjack import PitGame, SideLimits
from jackpot.games.progressive import RULE_BOOK_LEVELS
from jackpot.house.profiles import RULE_BOOK, ChangesWhen, ToPlayers
from jackpot.link.awards import Awards, Policy, levels_of
from jackpot.link.parameters import Basis, Parameters, check_currency, check_parameters
from jackpot.link.state import PitSetup, TableSetup
from jackpot.maths.odds import check_equal_odds
from jackpot.play.setup import check_most_won, check_setup

_log = logging.getLogger(__name__)


def _seen(text: str) -> str:
    if character := unseen(text):
        raise ValueError(f"it has a character that cannot be seen: {character}")
    return text


Seen = Annotated[str, AfterValidator(_seen)]
Language = Literal["en", "zh-CN", "ms"]


class _Entry(BaseModel):
    # A misspelled setting must not pass for its default.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Approvals(_Entry):
    straight_flush: int = 1
    royal_flush: int = 2


class LevelEntry(_Entry):
    """What a hand wins: a share of the displayed value in percent, or odds for 1."""

    hand: Hand = Field(strict=False)
    share: int | None = None
    odds: int | None = None


class LinkEntry(_Entry):
    id: str = Field(min_length=1)
    name: Seen
    currency: str
    seed: int
    progressive_bet: int
    meter_ppm: int
    reserve_ppm: int
    approvals: Approvals = Approvals()
    ceiling: int | None = None
    top_up_to_seed: bool = False
    order_basis: Basis = Field(default=Basis.STAMPED, strict=False)
    silent_after_s: int = 10
    policy: Policy = Field(default=Policy.ORDERED, strict=False)
    window_ms: int | None = None
    cap: int | None = None
    level: tuple[LevelEntry, ...] = Field(default=(), strict=False)
    """The whole pay table; the rule book's if nothing is said."""
    unclaimed_after_days: int | None = None
    """How long a paid win waits for its winner."""
    public_readings: bool = True
    theme: Literal["ruby", "midnight"] = "ruby"
    """How its signs look unless their address says otherwise."""
    language: Language | None = None
    """Of its signs and of its tables' displays; the house's if nothing is said."""

    @property
    def parameters(self) -> Parameters:
        return Parameters(
            seed=self.seed,
            progressive_bet=self.progressive_bet,
            meter_ppm=self.meter_ppm,
            reserve_ppm=self.reserve_ppm,
            ceiling=self.ceiling,
            top_up_to_seed=self.top_up_to_seed,
            straight_flush_approvals=self.approvals.straight_flush,
            royal_flush_approvals=self.approvals.royal_flush,
            order_basis=self.order_basis,
            silent_after=self.silent_after_s * SECOND,
            awards=self.awards,
            said_unclaimed_after_days=self.unclaimed_after_days,
        )

    @property
    def awards(self) -> Awards:
        window = None if self.window_ms is None else self.window_ms * MILLISECOND
        levels = levels_of((one.hand, one.share, one.odds) for one in self.level) if self.level else {}
        return Awards(
            levels=levels or dict(RULE_BOOK_LEVELS), policy=self.policy, window=window, cap=self.cap
        )


class PitEntry(_Entry):
    """Tables without a jackpot."""

    id: str = Field(min_length=1)
    name: Seen
    currency: str
    language: Language | None = None


class SideEntry(_Entry):
    """Of a side bet, per box; of Boom Busted for the table."""

    minimum: int | None = None
    maximum: int | None = None


class TableEntry(_Entry):
    id: str = Field(min_length=1)
    link: str | None = None
    pit: str | None = None
    game: Annotated[Game, Field(strict=False)] | Annotated[PitGame, Field(strict=False)]
    boxes: int = Field(ge=1)
    minimum: int | None = None
    maximum: int | None = None
    most_won: int | None = None
    """By a box, with the BET or the Bonus (4.1.1)."""
    name: Seen = ""
    """By which people are shown it; its id if there is none."""
    progressive_hand: MadeOf = Field(default=MadeOf.FIVE_CARDS, strict=False)
    decks: int | None = None
    side: dict[str, SideEntry] = Field(default={})

    @model_validator(mode="after")
    def _fits_its_game(self) -> Self:
        if (self.link is None) == (self.pit is None):
            raise ValueError("a table names its link or its pit")
        if isinstance(self.game, PitGame):
            if self.pit is None:
                raise ValueError(f"{self.game.value} has no jackpot: it is played in a pit")
            if self.decks is None:
                raise ValueError("a table in a pit says how many decks its shoe has")
            if self.most_won is not None:
                raise ValueError(f"{self.game.value} has no wager whose winnings have a most")
        elif self.link is None:
            raise ValueError(f"{self.game.value} is played on a link")
        elif self.decks is not None or self.side:
            raise ValueError(f"{self.game.value} has neither decks nor side bets to set")
        return self

    @property
    def place(self) -> str:
        """The link or pit."""
        return self.link or self.pit or ""

    @property
    def setup(self) -> TableSetup | PitSetup:
        limits: Any = {"boxes": self.boxes, "minimum": self.minimum, "maximum": self.maximum}
        limits["name"] = self.name
        if isinstance(self.game, PitGame):
            side = {
                name: SideLimits(minimum=one.minimum, maximum=one.maximum) for name, one in self.side.items()
            }
            return PitSetup(id=self.id, game=self.game, decks=self.decks or 0, side=side, **limits)
        return TableSetup(id=self.id, game=self.game, most_won=self.most_won, **limits)


class CredentialEntry(_Entry):
    name: str = Field(pattern=r"^[A-Za-z0-9_.@-]{1,80}$")
    role: Role = Field(strict=False)
    table: str | None = None
    site: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")] | None = None
    tables: tuple[str, ...] = Field(default=(), strict=False)
    token_sha256: str | None = Field(default=None, pattern="^[0-9A-Fa-f]{64}$")
    token: str | None = Field(default=None, min_length=1)
    person: Seen | None = Field(default=None, min_length=1, max_length=80)
    password_hash: str | None = Field(default=None, pattern=r"^\$argon2id\$")
    password: str | None = Field(default=None, min_length=1)

    @field_validator("token_sha256")
    @classmethod
    def _as_it_is_kept(cls, given: str | None) -> str | None:
        return None if given is None else given.lower()

    @property
    def plain(self) -> bool:
        return self.token is not None or self.password is not None

    @model_validator(mode="after")
    def _fits_its_role(self) -> Self:
        if (self.role is Role.TABLE) != (self.table is not None):
            raise ValueError("role table names its table, and no other role does")
        if (self.role is Role.GATEWAY) != (self.site is not None and bool(self.tables)):
            raise ValueError("role gateway names its site and its tables, and no other role does")
        if self.role is not Role.GATEWAY and (self.site is not None or self.tables):
            raise ValueError("only role gateway names a site or several tables")
        if self.token is not None and self.token_sha256 is not None:
            raise ValueError("token and token_sha256 are two ways to say the same")
        if self.password is not None and self.password_hash is not None:
            raise ValueError("password and password_hash are two ways to say the same")
        if self.role not in PEOPLE and (self.password or self.password_hash):
            raise ValueError("only people have passwords")
        if not (self.plain or self.token_sha256 or self.password_hash):
            raise ValueError("a token_sha256 or a password_hash is needed")
        return self


WallClock = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]


class ShiftEntry(_Entry):
    name: Annotated[Seen, Field(min_length=1, max_length=40)]
    start: WallClock


_USUAL = DEFAULT.told()


class GamingDayEntry(_Entry):
    """When a gaming day begins, and its shifts, by the wall clock of the house."""

    start: WallClock = _USUAL["start"]
    zone: str = Field(default=_USUAL["zone"], max_length=60)
    shift: Annotated[tuple[ShiftEntry, ...], Field(max_length=24, strict=False)] = ()

    @property
    def setting(self) -> DaySetting:
        """Without shifts of its own the day has the usual three, if it begins with them, or one."""
        told = self.model_dump(mode="json")
        usual = _USUAL["shift"] if self.start == _USUAL["start"] else [{"name": "Day", "start": self.start}]
        return DaySetting.of(told | {"shift": told["shift"] or usual})

    @model_validator(mode="after")
    def _can_be_kept(self) -> Self:
        for wrong in check_setting(self.setting):
            raise ValueError(wrong)
        return self


class LoosenedEntry(_Entry):
    """Why the floor asks less than its profile."""

    setting: str
    link: str | None = None
    reason: Annotated[Seen, Field(max_length=500)]

    @field_validator("reason")
    @classmethod
    def _says_something(cls, given: str) -> str:
        if not given.strip():
            raise ValueError("a reason is required")
        return given


class Floor(_Entry):
    language: Language = "en"
    """The house's: of signs that name none, and of people whose browser asks for none that we have."""
    profile: str = RULE_BOOK.name
    changes_when: ChangesWhen = Field(default=ChangesWhen(RULE_BOOK.changes_when.value), strict=False)
    sign_seconds: int = Field(default=RULE_BOOK.sign_seconds.value, ge=1, le=3600)
    tax_line: Annotated[Seen, Field(min_length=1, max_length=200)] | None = None
    """What slips say of tax; without it they have a line to be filled in."""
    retention_years: int = Field(default=RULE_BOOK.retention_years.value, ge=1, le=100)
    ceiling_to_players: ToPlayers = Field(default=ToPlayers(RULE_BOOK.ceiling_to_players.value), strict=False)
    loosened: tuple[LoosenedEntry, ...] = Field(default=(), strict=False)
    gaming_day: GamingDayEntry = GamingDayEntry()
    link: tuple[LinkEntry, ...] = Field(default=(), strict=False)
    pit: tuple[PitEntry, ...] = Field(default=(), strict=False)
    table: tuple[TableEntry, ...] = Field(default=(), strict=False)
    credential: tuple[CredentialEntry, ...] = Field(default=(), strict=False)

    @model_validator(mode="after")
    def _has_a_place_to_play(self) -> Self:
        if not (self.link or self.pit):
            raise ValueError("a floor has a link or a pit")
        return self

    @property
    def loosenings(self) -> list[Loosening]:
        return [Loosening(setting=one.setting, link=one.link, reason=one.reason) for one in self.loosened]

    @property
    def values(self) -> Values:
        """The settings of the whole floor that profiles know."""
        return {
            "changes_when": self.changes_when.value,
            "sign_seconds": self.sign_seconds,
            "retention_years": self.retention_years,
            "ceiling_to_players": self.ceiling_to_players.value,
        }

    @property
    def differences(self) -> list[Difference]:
        """From its profile, as the file says it."""
        links = {link.id: values_of(link.parameters) for link in self.link}
        return differences(profile_named(self.profile), self.values, links, self.loosenings)

    def tables_of(self, link: str) -> list[TableEntry]:
        return [table for table in self.table if table.link == link]


RETIRED = {"default_clock_error_ms": "the House measures each table's clock by itself"}
"""Settings of links that earlier releases had. A file that still has one is told so, and served."""


def _without_retired(told: dict[str, Any]) -> dict[str, Any]:
    links = told.get("link")
    for link in links if isinstance(links, list) else ():
        for name in RETIRED.keys() & link.keys() if isinstance(link, dict) else ():
            del link[name]
            _log.warning(f"link {link.get('id')}: {name} is not used any more: {RETIRED[name]}")
    return told


def read_floor(file: Path) -> Floor:
    """The floor that a file describes, if it can be played."""
    try:
        floor = Floor.model_validate(with_defaults(_without_retired(tomllib.loads(file.read_text()))))
    except OSError as error:
        raise ParameterWrong(f"{file} cannot be read: {error.strerror}", field="floor") from error
    except ValidationError as error:
        raise _first_wrong(file, error) from error
    except ValueError as error:
        raise ParameterWrong(f"{file} is not TOML: {error}", field="floor") from error
    _check_named_once("link or pit", [one.id for one in floor.link] + [one.id for one in floor.pit])
    _check_named_once("table", [table.id for table in floor.table])
    _check_named_once("credential", [one.name for one in floor.credential])
    _check_spelled_once("credential", [one.name for one in floor.credential])
    _check_spelled_once("person", [one.person or one.name for one in floor.credential])
    _check_named_once("token_sha256", [one.token_sha256 for one in floor.credential if one.token_sha256])
    _check_tables(floor)
    _check_credentials(floor)
    for link in floor.link:
        _check_link(link, floor.tables_of(link.id))
    for pit in floor.pit:
        check_currency(pit.currency)
    _check_profile(floor)
    return floor


def _first_wrong(file: Path, error: ValidationError) -> ParameterWrong:
    first = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"])
    given = f", not {first['input']!r:.40}" if first["type"] != "missing" else ""
    return ParameterWrong(f"{file}, {field}: {first['msg']}{given}", field=field)


def _check_named_once(kind: str, ids: Sequence[str]) -> None:
    for name, times in Counter(ids).items():
        if times > 1:
            raise ParameterWrong(f"the floor names {kind} {name!r} {times} times", field=kind)


def _check_spelled_once(kind: str, names: Sequence[str]) -> None:
    for same in spelled_differently(names):
        raise ParameterWrong(f"{' and '.join(same)} are one {kind}: spell it one way", field=kind)


def _check_tables(floor: Floor) -> None:
    places = {"link": {link.id for link in floor.link}, "pit": {pit.id for pit in floor.pit}}
    for table in floor.table:
        kind = "pit" if table.link is None else "link"
        if table.place not in places[kind]:
            raise ParameterWrong(f"table {table.id}: the floor has no {kind} {table.place!r}", field=kind)
        _check_game(table)


def _check_game(table: TableEntry) -> None:
    try:
        check_setup(table.setup)
    except ParameterWrong as wrong:
        raise ParameterWrong(f"table {table.id}: {wrong.message}", field=str(wrong.data["field"])) from None
    if isinstance(table.game, PitGame):
        return
    rulebook = GAMES[table.game]
    if rulebook.progressive is not None and table.progressive_hand not in rulebook.progressive.could_be:
        why = f"{rulebook.short.capitalize()} deals five cards"
        raise ParameterWrong(f"table {table.id}: {why}", field="progressive_hand")


def _check_credentials(floor: Floor) -> None:
    tables = {table.id for table in floor.table}
    for one in floor.credential:
        unknown = [name for name in (*one.tables, *([one.table] if one.table else [])) if name not in tables]
        if unknown:
            raise ParameterWrong(
                f"credential {one.name}: the floor has no table {unknown[0]!r}",
                field="tables" if one.tables else "table",
            )


def check_safe(floor: Floor) -> None:
    """What only a demo may do."""
    from api.callers.passwords import weakness_of  # to read a floor file needs no argon2

    for one in floor.credential:
        if one.plain:
            raise ParameterWrong(
                f"credential {one.name} is written in plain: say token_sha256 (jackpot token hash) or"
                " password_hash (jackpot password)",
                field="credential",
            )
        if one.password_hash is not None and (weakness := weakness_of(one.password_hash)):
            raise ParameterWrong(
                f"credential {one.name}: password_hash {weakness}: make another with jackpot password",
                field="credential",
            )
    for link in floor.link:
        if min(link.approvals.straight_flush, link.approvals.royal_flush) < 1:
            raise ParameterWrong(f"link {link.id}: a major is approved by somebody", field="approvals")


def _check_profile(floor: Floor) -> None:
    """A file that names no profile has the rule book's values where it says none, and may say any others."""
    if "profile" not in floor.model_fields_set and not floor.loosened:
        return
    links = {link.id: values_of(link.parameters) for link in floor.link}
    check_loosened(profile_named(floor.profile), floor.values, links, floor.loosenings)


def _check_link(link: LinkEntry, tables: Sequence[TableEntry]) -> None:
    check_parameters(link.parameters)
    check_currency(link.currency)
    for table in tables:
        if isinstance(setup := table.setup, TableSetup):
            check_most_won(setup, link.currency)
    hands = {table.id: table.progressive_hand for table in tables}
    check_equal_odds(hands, link.parameters, link.currency)
