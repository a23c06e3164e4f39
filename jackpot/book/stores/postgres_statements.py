"""The statements of PostgreSQL: those that carry a whole batch, and the guards of what was written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sqlalchemy import text

from jackpot.book.stores.rows import JournalRow, TableRow, Writing
from jackpot.book.stores.schema import APPEND_ONLY, STATE


def parameters(link: str, writing: Writing) -> dict[str, Any]:
    row, (versions, head) = writing.row, writing.known
    told: dict[str, Any] = {"link": link, "known_version": versions.version, "known_heard": versions.heard}
    told["known_head"] = head
    if not writing.entries:
        said = writing.contacts
        return told | {"heard": row.heard, "c_id": list(said), "c_contact": list(said.values())}
    last = writing.entries[-1]
    told |= {"sequence": last.sequence, "at": last.at, "head": last.hash, **row._asdict()}
    told |= {f"j_{name}": one for name, one in _columns(JournalRow._fields, writing.entries).items()}
    return told | {f"t_{name}": one for name, one in _columns(TableRow._fields, writing.changed).items()}


def _columns(fields: Sequence[str], rows: Sequence[Any]) -> dict[str, list[Any]]:
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in fields]
    return dict(zip(fields, columns, strict=True))


_TYPES = {
    "sequence": "bigint",
    "at": "bigint",
    "round": "bigint",
    "value": "bigint",
    "version": "bigint",
    "heard": "bigint",
    "layout": "bigint",
    "data": "bytea",
    "digest": "bytea",
    "submitted": "bytea",
    "state": "bytea",
    "contact": "bytea",
}


def _unnested(prefix: str, fields: Sequence[str]) -> str:
    arrays = ", ".join(f"CAST(:{prefix}_{name} AS {_TYPES.get(name, 'text')}[])" for name in fields)
    return f"unnest({arrays}) AS {prefix}({', '.join(fields)})"


class Statement:
    """With named parameters, as SQLAlchemy takes it, and with numbered ones, as the driver does."""

    def __init__(self, named: str) -> None:
        self.named = named
        self.names = list(dict.fromkeys(_PARAMETER.findall(named)))
        self.numbered = _PARAMETER.sub(lambda found: f"${self.names.index(found[1]) + 1}", named)


_PARAMETER = re.compile(r":(\w+)")
LOCK = text("SELECT version, heard, head FROM links WHERE id = :link FOR UPDATE")
FREE = text(
    "WITH free AS (SELECT id FROM links FOR NO KEY UPDATE SKIP LOCKED) "
    "SELECT links.id, version, heard, free.id IS NOT NULL AS free FROM links LEFT JOIN free USING (id)"
)
"""Which links' rows nobody holds."""
_SAME = (
    "WHERE id = :link AND version = :known_version AND heard = :known_heard AND head = :known_head "
    "RETURNING id"
)
WRITE = Statement(
    "WITH moved AS (UPDATE links SET version = :version, heard = :heard, sequence = :sequence, at = :at, "  # noqa: S608  our own names
    f"head = :head, {STATE} = :state, layout = :layout {_SAME}), "
    f"appended AS (INSERT INTO journal (link, hash, reading, {', '.join(JournalRow._fields)}) "
    f"SELECT moved.id, '', '', j.* FROM moved, {_unnested('j', JournalRow._fields)}), "
    f"saved AS (UPDATE tables SET version = t.version, heard = t.heard, {STATE} = t.state, "
    "contact = t.contact, layout = t.layout "
    f"FROM moved, {_unnested('t', TableRow._fields)} WHERE tables.id = t.id) "
    "SELECT count(*) FROM moved"
)
WRITE_CONTACTS = Statement(
    f"WITH moved AS (UPDATE links SET heard = :heard {_SAME}), "  # noqa: S608  our own names
    "saved AS (UPDATE tables SET heard = :heard, contact = c.contact "
    f"FROM moved, {_unnested('c', ('id', 'contact'))} WHERE tables.id = c.id) "
    "SELECT count(*) FROM moved"
)
_REFUSE = (
    "CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RAISE EXCEPTION 'the % is append-only', TG_TABLE_NAME; END $$"
)
GUARDS = (
    _REFUSE,
    *(
        f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION append_only()"
        for table in APPEND_ONLY
    ),
)
_ROWS_OF_STATE = (
    "fillfactor = 50, toast_tuple_target = 8160, "
    "autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0"
)
_APPENDED_TO = (
    "autovacuum_vacuum_insert_threshold = 200000, autovacuum_vacuum_insert_scale_factor = 0, "
    "autovacuum_freeze_min_age = 0"
)
HABITS = (
    f"ALTER TABLE journal SET ({_APPENDED_TO})",
    "ALTER TABLE journal ALTER COLUMN data SET STORAGE EXTERNAL",
    *(f"ALTER TABLE {table} ALTER COLUMN {STATE} SET STORAGE EXTERNAL" for table in ("links", "tables")),
    "ALTER TABLE tables ALTER COLUMN contact SET STORAGE EXTERNAL",
    *(f"ALTER TABLE {table} SET ({_ROWS_OF_STATE})" for table in ("links", "tables")),
)
"""How tables are kept. What is packed already is not compressed again; each page of state has room for the
next version of all its rows, so that an update stays on its page and touches no index. Entries never change:
vacuum freezes them soon after they were written, and need not come back to them."""
