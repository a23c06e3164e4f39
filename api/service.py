"""What a serving process holds, made once at its start."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from api.callers.auditor import Auditor, Counters
from api.callers.identity import Identity
from api.callers.throttle import Throttle
from api.dryruns.jobs import DryRuns
from api.floor.file import Floor
from api.http.certificate import Renewal
from api.http.crowding import Crowd
from api.http.places import Places
from api.settings import Settings
from api.watching.break_even import BreakEven
from api.watching.commit_counters import Tally
from api.watching.last_day import LastDay
from api.watching.link_watch import Watch
from api.watching.suspicions import Suspicions
from api.webhooks.address import Allowed
from api.webhooks.alert_watch import AlertWatch, Raised
from api.webhooks.deliveries import Deliveries
from api.webhooks.terms import Terms
from displays.hub.encoding import Shown
from displays.hub.hub import Hub
from displays.pages.pages import THEMES
from jackpot.book.beside.audit import Act
from jackpot.book.book import Book
from jackpot.book.checking.selfcheck import SelfCheck
from jackpot.book.reading.floor_now import FloorNow
from jackpot.book.reading.pages import is_pit, link_of_table, links_of_tables
from jackpot.book.stores.committed import LinkUnknown
from jackpot.book.webhooks.secrets import Vault
from jackpot.book.webhooks.told_alerts import Cause, Standing
from jackpot.book.writing.notes import Notes
from jackpot.book.writing.rollups import RollUps
from jackpot.core.refusals import Refused, RoundElsewhere, RoundPassed, TableUnknown
from jackpot.link.commands import Command
from jackpot.machine.execute import Outcome
from jackpot.readings.alerts import alerts


@dataclass(slots=True)
class Service:
    settings: Settings
    floor: Floor
    book: Book
    identity: Identity
    notes: Notes
    auditor: Auditor
    hub: Hub
    counters: Counters
    check: SelfCheck
    dryruns: DryRuns = field(init=False)
    deliveries: Deliveries = field(init=False)
    alert_watch: AlertWatch = field(init=False)
    renewal: Renewal | None = None
    """Of the certificate, where this process speaks TLS."""
    crowd: Crowd = field(init=False)
    tally: Tally = field(default_factory=Tally)
    watch: Watch = field(init=False)
    floor_now: FloorNow = field(init=False)
    """Links and pits as the book has them."""
    last_day: LastDay = field(init=False)
    rollups: RollUps = field(init=False)
    break_even: BreakEven = field(default_factory=BreakEven)
    suspicions: Suspicions | None = field(init=False)
    """None in a demo: its majors are no accident."""
    logins: Throttle = field(init=False)
    receipts_heard: dict[tuple[str, str], float] = field(default_factory=dict)
    """When the last receipt of a link came from a credential."""
    streams: Places = field(init=False)
    waits: Places = field(init=False)
    strangers_looking_back: int = 0
    """Who wait for a reading of the past without having said who they are."""
    _links: dict[str, str] = field(default_factory=dict)
    _pits: dict[str, bool] = field(default_factory=dict)
    _public: dict[str, bool] = field(init=False)
    _all_public: bool = field(init=False)
    _themes: dict[str, str] = field(init=False)
    _languages: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self._public = {one.id: one.public_readings for one in self.floor.link}
        self._public |= {one.id: True for one in self.floor.pit}
        self._themes = {one.id: one.theme for one in self.floor.link}
        self._languages = {one.id: one.language or self.floor.language for one in self.floor.link}
        self._languages |= {one.id: one.language or self.floor.language for one in self.floor.pit}
        self.dryruns = DryRuns(self.settings.database_url)
        self.deliveries = Deliveries(self.book, _terms(self.settings))
        self.alert_watch = AlertWatch(self.book, self._raised)
        self.watch = Watch(self.book)
        self.floor_now, self.last_day = FloorNow(self.book.store), LastDay(self.book)
        self.rollups = RollUps(self.book.store)
        self.crowd = Crowd(self.settings.connections_per_address)
        self.logins = Throttle(self.book.store, self.book.clock)
        self.suspicions = None if self.settings.demo else Suspicions(self.book)
        self._all_public = all(self._public.values())
        self.streams = Places(self.settings.streams_per_address, "streams")
        self.waits = Places(self.settings.waits_per_address, "waits")

    async def start(self) -> None:
        async with self.book.store.reading() as connection:
            self._links |= await links_of_tables(connection)
        await self.identity.start()
        await self.hub.start()
        self.book.listen(self.hub.heard)
        self.book.listen(self.tally.heard)
        for link, why in self.check.stopped.items():
            self.hub.stopped(link, why)
        self.check.tell = self.hub.stopped
        self.notes.start()
        self.rollups.start()
        if self.suspicions is not None:
            self.suspicions.start()
        self.deliveries.start()
        self.alert_watch.start()

    async def stop(self) -> None:
        await self.dryruns.close()
        await self.last_day.stop()
        await self.alert_watch.stop()
        await self.deliveries.stop()
        await self.rollups.stop()
        if self.suspicions is not None:
            await self.suspicions.stop()
        await self.hub.stop()
        await self.identity.stop()
        await self.notes.stop()

    async def _raised(self) -> Raised:
        """What the House is alerted to, by link or pit."""
        now, stopped = self.book.clock.now(), self.check.stopped
        suspected = [] if self.suspicions is None else self.suspicions.alerts()
        raised: dict[str, dict[Cause, Standing]] = {}
        for seen in await self.watch.look():
            pit = seen.link
            found = [*alerts(pit, now=now), *(one for one in suspected if one.table in pit.tables)]
            causes = {Cause(one.code, one.table): Standing(one.since, one.detail) for one in found}
            if pit.id in stopped:
                causes[Cause("link_stopped", None)] = Standing(now, stopped[pit.id])
            raised[pit.id] = causes
        return raised

    async def submit(self, table: str, command: Command, act: Act | None = None) -> Outcome:
        """Where the table plays. What it says again of where it was before is answered there."""
        try:
            return await self._submitted(table, command, act)
        except (RoundPassed, RoundElsewhere) as refusal:
            before = refusal.data.get("place")
            if before is None:
                raise
            with suppress(Refused):
                return await self.book.submit(str(before), command, act)
            raise

    async def _submitted(self, table: str, command: Command, act: Act | None) -> Outcome:
        place = await self.link_of(table)
        try:
            return await self.book.submit(place, command, act)
        except TableUnknown:
            if not await self.moved(table, place):
                raise
            return await self.book.submit(await self.link_of(table), command, act)

    async def moved(self, table: str, place: str) -> bool:
        """Whether it plays elsewhere by now, though this process took it to be there."""
        self._links.pop(table, None)
        return await self.link_of(table) != place

    async def link_of(self, table: str) -> str:
        """The link a table plays on, looked up once; who finds that it has been moved asks `moved`."""
        if table not in self._links:
            async with self.book.store.reading() as connection:
                self._links[table] = await link_of_table(connection, table)
        return self._links[table]

    def place_of(self, table: str) -> str | None:
        """The same without asking the book; None of a table that nobody has asked for yet."""
        return self._links.get(table)

    async def in_pit(self, table: str) -> bool:
        """Whether a table plays in a pit, not on a link; that never changes, wherever it is moved."""
        name = await self.link_of(table)
        if name not in self._pits:
            async with self.book.store.reading() as connection:
                self._pits[name] = await is_pit(connection, name)
        return self._pits[name]

    def latest(self, link: str) -> Shown:
        shown = self.hub.latest(link)
        if shown is None:
            raise LinkUnknown(link)
        return shown

    def theme_of(self, link: str) -> str:
        return self._themes.get(link, THEMES[0])

    def language_of(self, place: str) -> str:
        """Of the signs of a link, and of the displays of a link's or pit's tables."""
        return self._languages.get(place, self.floor.language)

    def is_public(self, link: str) -> bool:
        """Whether everybody may read this link's meter, or the displays of this pit's tables: a pit keeps no
        secret there. Of a link that is not there nobody is told so, where any link wants tokens."""
        return self._public.get(link, self._all_public)


def _terms(settings: Settings) -> Terms:
    return Terms(
        allowed=Allowed(settings.webhook_networks),
        vault=Vault.from_file(settings.webhooks_key),
        seconds=settings.webhooks_seconds,
        most=settings.webhooks_retry_seconds,
    )


def service_of(app: Any) -> Service:
    found = app.state.service
    assert isinstance(found, Service)  # noqa: S101  it is set before anything is served
    return found
