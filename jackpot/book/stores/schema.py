"""The tables of the book. Times are microseconds, amounts 64-bit integers, records canonical bytes.

`journal` is the truth. Its rows are never written again: those of 0.1 have `data`, `hash`, `reading` and
`submission` as text, later ones pack entry and reading into `data` and have `digest` and `submitted` instead;
`rows` reads both. `links` and `tables` hold the state it implies, changed in the same transaction; `version`
counts the changes of that state, and `layout` says how it is written; so does the name of its column, so that
a process of another layout, which may have missed the migration, can neither read nor write it. `contact` is
what a table last said of itself, outside journal and replay; `heard` counts its changes. `wins` and `claims`
say where each of them stands, also when it has left the state; `handovers` has the slip of each that was
paid. `house` keeps the house clock: `ahead` is house time less the server's clock, written when that clock
said `since`; `doubt` is the server's time at which a process found its clock set, 0 while nobody does;
`broke_at` is the house time of the last start or setting. `news_key` signs what replicas tell one another,
and `attempts` counts logins that failed. A gateway's credential names its `site` and the `tables` it speaks
for. `audit` is who did what, allowed or refused; `floor_values` what the floor file said when it was last
applied; `receipts` what signs told they showed; `enrolments` the codes that signs may still be enrolled with;
`pulse` is written to find out whether the store can commit; `stops` names the links whose book was found to
deny itself, for every process that serves them. `snapshots` has now and then the whole state of a link after
an entry: nothing serves from it, but a journal can be verified from there. `rollups` has now and then what
play had come to after an entry, so that reports need not count it again; what is missing there is counted
from the journal. `webhooks` are others who listen, with the secrets that sign what they are sent;
`webhook_lanes` say up to which event of a link each has it, who is sending the next one until when, and what
last went wrong; `webhook_tries` are the last attempts of each lane, the oldest overwritten. `told_alerts`
numbers what was raised and what ended: alerts are no facts, and webhooks tell them from here.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    text,
)

from jackpot.core.versions import LAYOUT, LAYOUT_OF_0_1

metadata = MetaData()
STATE = f"state_{LAYOUT}"


def _partial(name: str, *columns: str, where: str) -> Index:
    return Index(name, *columns, postgresql_where=text(where), sqlite_where=text(where))


SELDOM = "kind NOT IN ('BetsClosed', 'HandsReported', 'PitBetsClosed', 'PitHandsReported')"
"""Everything but what each round brings. A query that says exactly this is answered from its index."""


house = Table(
    "house",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("epoch", String(32), nullable=False),
    Column("ahead", BigInteger, nullable=False, server_default="0"),
    Column("since", BigInteger, nullable=False, server_default="0"),
    Column("doubt", BigInteger, nullable=False, server_default="0"),
    Column("broke_at", BigInteger, nullable=False, server_default="0"),
    Column("news_key", String(64), nullable=False, server_default=""),
)

links = Table(
    "links",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("heard", BigInteger, nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("head", String(64), nullable=False),
    Column(STATE, LargeBinary, key="state", nullable=False),
    Column("layout", BigInteger, nullable=False, server_default=str(LAYOUT_OF_0_1)),
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("link", String(40), ForeignKey("links.id"), nullable=False, index=True),
    Column("version", BigInteger, nullable=False),
    Column("heard", BigInteger, nullable=False),
    Column(STATE, LargeBinary, key="state", nullable=False),
    Column("contact", LargeBinary, nullable=False),
    Column("layout", BigInteger, nullable=False, server_default=str(LAYOUT_OF_0_1)),
)

journal = Table(
    "journal",
    metadata,
    Column("link", String(40), ForeignKey("links.id"), primary_key=True),
    Column("sequence", BigInteger, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("kind", String(40), nullable=False),
    Column("tbl", String(40)),
    Column("round", BigInteger),
    Column("data", LargeBinary, nullable=False),
    Column("hash", String(64), nullable=False, default=""),
    Column("value", BigInteger, nullable=False),
    Column("reading", LargeBinary, nullable=False, default=b""),
    Column("submission", String(32)),
    Column("key", Text),
    Column("digest", LargeBinary),
    Column("submitted", LargeBinary),
    _partial("journal_round", "link", "tbl", "round", where="round IS NOT NULL"),
    _partial("journal_key", "link", "key", where="key IS NOT NULL"),
    _partial("journal_seldom", "link", "kind", "sequence", where=SELDOM),
)

claims = Table(
    "claims",
    metadata,
    Column("link", String(40), ForeignKey("links.id"), primary_key=True),
    Column("id", String(120), primary_key=True),
    Column("tbl", String(40), nullable=False),
    Column("round", BigInteger, nullable=False),
    Column("box", BigInteger, nullable=False),
    Column("raised", BigInteger, nullable=False),
    Column("withdrawn", BigInteger),
    Column("decided", BigInteger),
    Column("amount", BigInteger),
    Index("claims_raised", "link", "raised"),
)

wins = Table(
    "wins",
    metadata,
    Column("link", String(40), ForeignKey("links.id"), primary_key=True),
    Column("id", String(120), primary_key=True),
    Column("tbl", String(40), nullable=False),
    Column("round", BigInteger, nullable=False),
    Column("box", BigInteger, nullable=False),
    Column("hand", String(20), nullable=False),
    Column("state", String(20), nullable=False),
    Column("amount", BigInteger),
    Column("registered", BigInteger, nullable=False),
    Column("ended", BigInteger),
    Index("wins_registered", "link", "registered"),
)

handovers = Table(
    "handovers",
    metadata,
    Column("link", String(40), ForeignKey("links.id"), primary_key=True),
    Column("slip", BigInteger, primary_key=True, autoincrement=False),
    Column("win", String(120), nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("paid", BigInteger, nullable=False),
    Column("state", String(20), nullable=False),
    Column("changed", BigInteger),
    Index("handovers_win", "link", "win"),
)

credentials = Table(
    "credentials",
    metadata,
    Column("name", String(80), primary_key=True),
    Column("role", String(20), nullable=False),
    Column("person", String(80), nullable=False),
    Column("tbl", String(40)),
    Column("site", String(40)),
    Column("tables", Text),
    Column("token_sha256", String(64), unique=True),
    Column("password_hash", Text),
    Column("made_at", BigInteger, nullable=False),
    Column("revoked_at", BigInteger),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token_sha256", String(64), primary_key=True),
    Column("name", String(80), nullable=False, index=True),
    Column("made_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False, index=True),
)

enrolments = Table(
    "enrolments",
    metadata,
    Column("code_sha256", String(64), primary_key=True),
    Column("sign", String(80), nullable=False, index=True),
    Column("made_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
)

attempts = Table(
    "attempts",
    metadata,
    Column("who", String(64), primary_key=True),
    Column("count", BigInteger, nullable=False),
    Column("last", BigInteger, nullable=False, index=True),
)

floor_values = Table(
    "floor_values",
    metadata,
    Column("kind", String(20), primary_key=True),
    Column("id", String(80), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)

receipts = Table(
    "receipts",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("link", String(40), ForeignKey("links.id"), nullable=False),
    Column("sign", String(80), nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("value", BigInteger, nullable=False),
    Column("shown_at", BigInteger, nullable=False),
    Column("received_at", BigInteger, nullable=False),
    Column("verified", Boolean, nullable=False),
    Index("receipts_sign", "link", "sign", "shown_at", "id"),
)

pulse = Table(
    "pulse",
    metadata,
    Column("process", String(32), primary_key=True),
    Column("at", BigInteger, nullable=False),
)

stops = Table(
    "stops",
    metadata,
    Column("link", String(40), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("why", Text, nullable=False),
)

audit = Table(
    "audit",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("at", BigInteger, nullable=False, index=True),
    Column("actor", String(80), nullable=False),
    Column("act", String(80), nullable=False),
    Column("outcome", String(80), nullable=False),
    Column("detail", LargeBinary),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("link", String(40), primary_key=True),
    Column("sequence", BigInteger, primary_key=True, autoincrement=False),
    Column("layout", BigInteger, nullable=False),
    Column("state", LargeBinary, nullable=False),
)

webhooks = Table(
    "webhooks",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(80), nullable=False),
    Column("url", Text, nullable=False),
    Column("secrets", Text, nullable=False),
    Column("topics", Text, nullable=False),
    Column("links", Text),
    Column("paused", String(10)),
    Column("paused_by", String(80)),
    Column("paused_at", BigInteger),
    Column("made_by", String(80), nullable=False),
    Column("made_at", BigInteger, nullable=False),
)

webhook_lanes = Table(
    "webhook_lanes",
    metadata,
    Column("webhook", String(32), primary_key=True),
    Column("link", String(40), primary_key=True),
    Column("sequence", BigInteger, nullable=False),
    Column("alert", BigInteger, nullable=False),
    Column("owner", String(32), nullable=False, server_default=""),
    Column("until", BigInteger, nullable=False, server_default="0"),
    Column("attempts", BigInteger, nullable=False, server_default="0"),
    Column("tries", BigInteger, nullable=False, server_default="0"),
    Column("due", BigInteger, nullable=False, server_default="0"),
    Column("failing_since", BigInteger),
    Column("error", Text),
    Column("delivered_at", BigInteger),
)

webhook_tries = Table(
    "webhook_tries",
    metadata,
    Column("webhook", String(32), primary_key=True),
    Column("link", String(40), primary_key=True),
    Column("slot", BigInteger, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("event", String(120), nullable=False),
    Column("type", String(40), nullable=False),
    Column("attempt", BigInteger, nullable=False),
    Column("status", BigInteger),
    Column("error", Text),
    Column("took", BigInteger, nullable=False),
)

told_alerts = Table(
    "told_alerts",
    metadata,
    Column("link", String(40), primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("code", String(40), nullable=False),
    Column("tbl", String(40)),
    Column("since", BigInteger, nullable=False),
    Column("detail", Text),
    Column("raised", Boolean, nullable=False),
)

rollups = Table(
    "rollups",
    metadata,
    Column("link", String(40), primary_key=True),
    Column("layout", BigInteger, primary_key=True, autoincrement=False),
    Column("sequence", BigInteger, primary_key=True, autoincrement=False),
    Column("figures", LargeBinary, nullable=False),
)

APPEND_ONLY = ("journal", "audit", "receipts", "snapshots")
