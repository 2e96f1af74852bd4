"""What doit remembers of earlier runs, in a database that no interruption can spoil.

To be installed as a doit backend, which doit takes by name only, never as a class:

    [project.entry-points."doit.BACKEND"]
    durable = "pipeline.state:DurableDB"

and named in DOIT_CONFIG["backend"].
"""

import json
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any, cast

from doit.dependency import JSONCodec, SqliteDB

LAST_OF_A_TASK = ("deps:", "ignore:")
"""What doit sets last when it saves a success, and what `doit ignore` sets."""

COLUMNS = ["task_id", "task_data"]
UNREADABLE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
MADE = """
    create table if not exists made (
        path text not null primary key, task text not null, digest text not null
    ) without rowid
"""


class DamagedError(Exception):
    """The database is not what was written; the message says in which way."""


class DurableDB(SqliteDB):
    """doit's SQLite backend, with a transaction for each task: a killed run keeps what it finished.

    A second table, `made`, holds the path of every target, the task that wrote it last, and its
    sha256. It keeps the targets of tasks that are gone, so that `pipeline.manifest` can remove
    them. A file that is damaged is moved aside, with a line on stderr, and a new one is begun.
    """

    desc = "SQLite, committed after each task"

    def __init__(self, name: str, codec: JSONCodec, *, module_name: str | None = None) -> None:
        """Open the file, and read all of it: one query for each task takes longer."""
        super().__init__(name, codec, module_name=module_name)
        self._cache.update(self._stored)

    def _sqlite3(self, name: str) -> sqlite3.Connection:
        """Open the file; WAL makes a commit cheap, and a killed process loses nothing by it."""
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._stored: dict[str, dict[str, Any]] = {}
        try:
            self._stored.update(_read(path))
        except DamagedError as error:
            _move_aside(path, str(error))
        connection: sqlite3.Connection = super()._sqlite3(name)
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = normal")
        connection.execute(MADE)
        return connection

    def _get_task_data(self, task_id: str) -> dict[str, Any]:
        """Return what is known of a task that is not among those that were read."""
        del task_id
        return {}

    def set(self, task_id: str, dependency: str, value: Any) -> None:  # noqa: ANN401 - any JSON
        """Store a value, and commit with the last one of a task."""
        super().set(task_id, dependency, value)
        if dependency in LAST_OF_A_TASK:
            self._commit(task_id)

    def remove(self, task_id: str) -> None:
        """Forget a task, which failed, without keeping the database locked."""
        super().remove(task_id)
        self._conn.commit()

    def _commit(self, task_id: str) -> None:
        """Write what is known of one task, and what it made."""
        data = self._cache[task_id]
        row = (task_id, self.codec.encode(data))
        self._conn.execute("insert or replace into doit values (?, ?)", row)
        record = data.get("_values_:", {}).get("record", {})
        made = [(path, task_id, digest) for path, digest in record.get("targets", {}).items()]
        self._conn.executemany("insert or replace into made values (?, ?, ?)", made)
        self._conn.commit()
        self._dirty.discard(task_id)


def _read(path: Path) -> dict[str, dict[str, Any]]:
    """Return what is known of each task; raises DamagedError."""
    if not path.exists():
        return {}
    if path.is_dir():
        raise DamagedError("it is a folder")
    try:
        with closing(sqlite3.connect(path)) as database:
            database.text_factory = bytes.decode  # whose error says more than sqlite3's own
            return _content(database)
    except UnicodeDecodeError as error:
        raise DamagedError(str(error)) from error
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in UNREADABLE:  # the low byte is the primary code
            raise DamagedError(str(error)) from error
        raise


def _content(database: sqlite3.Connection) -> dict[str, dict[str, Any]]:
    """Return what `_read` does, of a file that SQLite can open."""
    [said] = database.execute("pragma integrity_check(1)").fetchone()
    if said != "ok":
        raise DamagedError(said)
    columns = [row[1] for row in database.execute("pragma table_info(doit)")]
    if not columns:
        return {}
    if columns != COLUMNS:
        raise DamagedError(f"its columns are {', '.join(columns)}, not {', '.join(COLUMNS)}")
    rows = database.execute("select task_id, task_data from doit")
    return {task: _entry(task, data) for task, data in rows}


def _entry(task: str, data: object) -> dict[str, Any]:
    """Return what is known of one task; raises DamagedError."""
    try:
        entry = json.loads(str(data))
    except ValueError:
        entry = None
    if not isinstance(entry, dict):
        raise DamagedError(f"the entry of {task} is not a JSON object")
    return cast("dict[str, Any]", entry)


def _move_aside(path: Path, damage: str) -> None:
    """Make room for a new database, and say so; the old one is kept for whoever wants to know."""
    aside = path.with_name(f"{path.name}.damaged")
    if aside.is_dir():
        shutil.rmtree(aside)
    path.replace(aside)
    for suffix in ("-wal", "-shm"):
        path.with_name(f"{path.name}{suffix}").unlink(missing_ok=True)
    sys.stderr.write(
        f"the record of earlier runs is damaged ({' '.join(damage.split())}): {path} was moved to "
        f"{aside}, and everything is made again\n"
    )
