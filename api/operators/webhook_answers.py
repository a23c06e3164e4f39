"""What is asked of webhooks, and what is told of them."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, StrictInt, StrictStr, field_validator, model_validator

from api.operators.house_answers import Instant, Told, maybe
from api.operators.wire import LinkName, Said
from jackpot.book.webhooks.lanes import TESTS, Cursor, Key, Lane, Tried
from jackpot.book.webhooks.subscriptions import Webhook
from jackpot.core.instants import MILLISECOND, spoken_instant
from jackpot.core.money import LARGEST_AMOUNT
from jackpot.core.texts import unseen
from jackpot.machine.event import Topic

Time = Annotated[StrictStr, Field(max_length=40, examples=["2026-10-01T00:00:00+08:00"])]


class WebhookSaid(Said):
    name: Annotated[StrictStr, Field(min_length=1, max_length=80, description="For people.")]
    url: Annotated[StrictStr, Field(min_length=1, max_length=2000, description="Where events are posted to.")]
    topics: list[Topic] = Field(default_factory=lambda: list(Topic), min_length=1, max_length=len(Topic))
    links: Annotated[
        list[LinkName] | None,
        Field(min_length=1, max_length=200, description="Links and pits; null for all, also those to come."),
    ] = None

    @field_validator("name")
    @classmethod
    def _can_be_seen(cls, name: str) -> str:
        if not name.strip() or unseen(name) is not None:
            raise ValueError("a name is made of letters that can be seen")
        return name.strip()


class ReplaySaid(Said):
    """From an entry of one link's journal on, or from a time on; of one link, or of all."""

    link: LinkName | None = None
    sequence: Annotated[StrictInt, Field(ge=1, le=LARGEST_AMOUNT)] | None = None
    start: Time | None = Field(default=None, alias="from")

    @model_validator(mode="after")
    def _says_one_of_them(self) -> Self:
        if (self.sequence is None) == (self.start is None):
            raise ValueError("a replay begins with `sequence`, or `from` a time")
        if self.sequence is not None and self.link is None:
            raise ValueError("a `sequence` is one of a link's: name the `link`")
        return self


class LaneTold(Told):
    link: str
    sequence: int = Field(description="Of the journal's last entry that it may have had to be told of.")
    waiting_since: Instant | None = Field(description="Of the oldest event that it has not taken.")
    lag_ms: int = Field(description="How long that has waited.")
    attempts: int = Field(description="That failed, one after the other.")
    next_attempt: Instant | None
    failing_since: Instant | None
    error: str | None = Field(description="What went wrong last.")
    delivered_at: Instant | None

    @classmethod
    def of(cls, lane: Lane, since: int | None, now: int) -> LaneTold:
        return cls(
            link=lane.key.link,
            sequence=lane.cursor.sequence,
            waiting_since=maybe(since),
            lag_ms=0 if since is None else max(0, now - since) // MILLISECOND,
            attempts=lane.attempts,
            next_attempt=None if since is None or not lane.attempts else maybe(lane.due),
            failing_since=maybe(lane.failing_since),
            error=lane.error,
            delivered_at=maybe(lane.delivered_at),
        )


class WebhookTold(Told):
    id: str
    name: str
    url: str
    topics: list[Topic]
    links: list[str] | None
    state: str = Field(description="active or paused")
    paused: str | None = Field(description="Why: `person`, or `gone` after its receiver answered 410.")
    paused_by: str | None
    paused_at: Instant | None
    made_by: str
    made_at: Instant
    secrets: int = Field(description="With how many secrets events are signed now.")
    lanes: list[LaneTold]

    @classmethod
    def of(cls, one: Webhook, lanes: list[Lane], waiting: dict[Key, int], now: int) -> WebhookTold:
        mine = [lane for lane in lanes if lane.key.webhook == one.id and lane.key.link != TESTS]
        return cls(
            id=one.id,
            name=one.name,
            url=one.url,
            topics=sorted(one.topics),
            links=None if one.links is None else sorted(one.links),
            state="active" if one.paused is None else "paused",
            paused=one.paused,
            paused_by=one.paused_by,
            paused_at=maybe(one.paused_at),
            made_by=one.made_by,
            made_at=spoken_instant(one.made_at),
            secrets=sum(secret.until is None or secret.until > now for secret in one.secrets),
            lanes=[LaneTold.of(lane, waiting.get(lane.key), now) for lane in mine],
        )


class WebhookMade(Told):
    webhook: WebhookTold
    secret: str | None = Field(
        description="Shown this once. Null if the same request was answered before: renew the secret then."
    )


class Webhooks(Told):
    webhooks: list[WebhookTold]


class TriedTold(Told):
    at: Instant
    link: str | None
    event: str
    type: str
    attempt: int
    status: int | None = Field(description="Of the answer; null if there was none.")
    error: str | None = Field(description="Null if it was taken.")
    took_ms: int

    @classmethod
    def of(cls, link: str, one: Tried) -> TriedTold:
        return cls(
            at=spoken_instant(one.at),
            link=link or None,
            event=one.event,
            type=one.type,
            attempt=one.attempt,
            status=one.status,
            error=one.error,
            took_ms=one.took // MILLISECOND,
        )


class Deliveries(Told):
    deliveries: list[TriedTold] = Field(description="The latest first; of each link the last 50.")


class Replayed(Told):
    webhook: str
    lanes: dict[str, int] = Field(description="By link: the entry after which it goes on.")

    @classmethod
    def of(cls, webhook: str, places: dict[str, Cursor]) -> Replayed:
        return cls(webhook=webhook, lanes={link: one.sequence for link, one in places.items()})


class Deleted(Told):
    deleted: str
