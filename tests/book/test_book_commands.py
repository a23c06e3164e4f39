"""The commands on a book say what is wrong in one line, apart from what they have to say otherwise."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from typer.testing import CliRunner, Result

from api.cli import app
from jackpot.book.beside.anchors import Anchor, Anchors, new_key, read_key
from jackpot.book.stores import migrating, sqlite_backup
from jackpot.book.stores.base import BackupRefused
from jackpot.book.stores.sqlite_backup import copy_book
from tests.book.test_book_verify import told_file  # noqa: F401  a fixture
from tests.book_floor import BookFloor
from tests.in_process import floor_text

run = CliRunner()


def _told(*arguments: str) -> Result:
    return run.invoke(app, [str(one) for one in arguments])


def _refused(*arguments: str) -> str:
    """What it says on stderr, in one line."""
    result = _told(*arguments)
    assert result.exit_code == 1, result.output
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return line


def _book_of(url: str) -> Path:
    return Path(url.partition("///")[2])


# verify and replay


def test_a_link_that_is_not_there_is_said_to_be_so(told_file: str) -> None:  # noqa: F811
    assert _refused("verify", "--database", told_file, "--link", "nosuch") == "the book has no link nosuch"


def test_a_link_without_its_row_is_a_difference(told_file: str) -> None:  # noqa: F811
    with closing(sqlite3.connect(_book_of(told_file))) as book:
        book.execute("DELETE FROM links")
        book.commit()
    assert _refused("verify", "--database", told_file) == "link main: it has a journal but no row"


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"", b"-----BEGIN PRIVATE KEY-----\nx"])
def test_a_key_that_is_none_is_told(told_file: str, tmp_path: Path, content: bytes) -> None:  # noqa: F811
    key, anchors = tmp_path / "a[b].pem", tmp_path / "anchors.jsonl"
    key.write_bytes(content)
    anchors.touch()
    told = _refused("verify", "--database", told_file, "--anchors", f"{anchors}", "--key", f"{key}")
    assert told == f"{key} holds no Ed25519 key"
    told = _refused("verify", "--database", told_file, "--anchors", f"{anchors}", "--key", f"{tmp_path}")
    assert told == f"{tmp_path} cannot be read: Is a directory"


def test_anchors_that_are_none_are_told_and_a_line_cut_off_is_passed_over(
    told_file: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    key, file = tmp_path / "anchor.pem", tmp_path / "anchors.jsonl"
    new_key(key)
    file.write_bytes(b"\xff\xfe\x00")
    asked = ("verify", "--database", told_file, "--anchors", f"{file}", "--key", f"{key}")
    assert _refused(*asked) == "line 1 of anchors.jsonl was not signed with this key"
    file.write_bytes(b'{"at": 17')
    told = _told(*asked)
    assert told.exit_code == 0
    assert "line 1 of anchors.jsonl was cut off" in told.stdout
    Anchors(file, read_key(key)).append(Anchor("main", 1, "0" * 64, 5))
    assert "not the one that was signed" in _told(*asked).stderr


def test_a_replay_beyond_the_end_says_where_it_is(told_file: str) -> None:  # noqa: F811
    said = _refused("replay", "--database", told_file, "--to", "5000")
    assert said.startswith("the journal of link main ends with entry ")
    assert _told("replay", "--database", told_file, "--to", "99999999999999999999").exit_code == 2


def test_a_service_that_could_not_sign_does_not_start(sqlite_url: str, tmp_path: Path) -> None:
    floor, key, anchors = tmp_path / "floor.toml", tmp_path / "anchor.pem", tmp_path / "none" / "anchors"
    floor.write_text(floor_text())
    asked = ["serve", "--floor", f"{floor}", "--port", "0"]
    env = {
        "JACKPOT_ANCHOR_KEY": f"{key}",
        "JACKPOT_ANCHORS": f"{anchors}",
        "JACKPOT_DATABASE_URL": sqlite_url,
    }
    missing = run.invoke(app, asked, env=env)
    assert (missing.exit_code, missing.stderr) == (1, f"{key} cannot be read: No such file or directory\n")
    key.write_text("no key")
    key.chmod(0o600)
    other = run.invoke(app, asked, env=env)
    assert (other.exit_code, other.stderr) == (1, f"{key} holds no Ed25519 key that signs\n")
    key.unlink()
    new_key(key)
    nowhere = run.invoke(app, asked, env=env)
    assert nowhere.exit_code == 1
    assert nowhere.stderr == f"anchors cannot be written to {anchors}: No such file or directory\n"


# Stores


@pytest.mark.parametrize("command", ["verify", "replay", "migrate", "restored"])
@pytest.mark.parametrize("address", ["nonsense", "postgresql+asyncpg://localhost:port/book"])
def test_what_is_no_address_is_told(command: str, address: str) -> None:
    assert _refused(command, "--database", address) == "that is not the address of a store"


def test_a_backup_of_what_is_no_address_is_refused(tmp_path: Path) -> None:
    for address in ("nonsense", "postgresql+asyncpg://localhost:port/book"):
        told = _refused("backup", "--database", address, f"{tmp_path / 'copy.db'}")
        assert told == "that is not the address of a store"


def test_a_store_of_a_newer_release_is_told(told_file: str) -> None:  # noqa: F811
    with closing(sqlite3.connect(_book_of(told_file))) as book:
        book.execute("UPDATE alembic_version SET version_num = '9999'")
        book.commit()
    told = _refused("migrate", "--database", told_file)
    assert told == "the store has schema 9999: it was made by a newer release"


def test_the_schema_of_this_release_is_where_the_migrations_end() -> None:
    scripts = ScriptDirectory(str(Path(migrating.__file__).parent.parent / "migrations"))
    assert scripts.get_current_head() == migrating.HEAD


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    address = f"sqlite+aiosqlite:///{tmp_path}/none/book.db"
    assert _refused("migrate", "--database", address) == f"there is no folder {tmp_path}/none"


def test_a_path_is_told_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "[bold]x.db"
    assert _refused("verify", "--database", f"sqlite+aiosqlite:///{path}") == f"there is no book at {path}"


# backup


@pytest.mark.parametrize("name", ["a#b.db", "a%20b.db", "a b.db", "[x].db"])
def test_a_book_of_any_name_is_copied(tmp_path: Path, name: str) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / name}"

    async def furnish() -> None:
        floor = await BookFloor.opened(url)
        await floor.furnish()
        await floor.book.close()

    asyncio.run(furnish())
    copy = tmp_path / "[copy].db"
    told = _told("backup", "--database", url, f"{copy}")
    assert told.exit_code == 0
    assert told.stdout.splitlines() == [
        f"written to {copy}; prove it with: jackpot verify --database 'sqlite+aiosqlite:///{copy}'"
    ]
    proved = _told("verify", "--database", f"sqlite+aiosqlite:///{copy}")
    assert "link main: " in proved.stdout


def test_a_copy_that_fails_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "book.db").write_bytes(b"no book at all" * 100)
    with pytest.raises(BackupRefused, match="the copy could not be made"):
        copy_book(tmp_path / "book.db", tmp_path / "copy.db")
    assert [one.name for one in tmp_path.iterdir()] == ["book.db"]


def test_a_busy_book_is_copied_as_it_was_at_one_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody commits after every page: a copy that began again each time would not end."""
    source, most = tmp_path / "book.db", 5_000
    with closing(sqlite3.connect(source, isolation_level=None)) as book:
        book.execute("PRAGMA journal_mode=WAL")
        book.execute("PRAGMA synchronous=OFF")
        book.execute("CREATE TABLE entries (data)")
        book.executemany("INSERT INTO entries VALUES (zeroblob(4000))", [()] * 1_200)
        steps = 0

        def commit(_done: int, _total: int) -> None:
            nonlocal steps
            steps += 1
            if steps > most:
                raise AssertionError("the copy begins again and again")
            book.execute("INSERT INTO entries VALUES (1)")

        monkeypatch.setattr(sqlite_backup, "PAGES_AT_A_TIME", 100)
        copy_book(source, tmp_path / "copy.db", commit)
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert copy.execute("SELECT count(*) FROM entries").fetchone() == (1_200,)
    assert 12 <= steps < most
