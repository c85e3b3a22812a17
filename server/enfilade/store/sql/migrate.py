"""Bringing a database's schema up to date at start, with Alembic: all of it or nothing, after a backup.

A database of a newer program is refused as it is: going back is restoring the backup.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from enfilade.errors import WrongVersion
from enfilade.store.backup import copy
from enfilade.store.sql.database import Database
from enfilade.store.sql.schema import NEWEST

if TYPE_CHECKING:
    from alembic.config import Config

_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 0x656E66  # PostgreSQL's lock for whoever migrates: "enf"
_BEFORE_ALEMBIC = "0001"


def bring_up_to_date(database: Database) -> None:
    """Makes the newest schema of whatever is there; raises WrongVersion, StoreDown."""
    found = found_schema(database)
    if found == NEWEST:
        return  # without the time it takes to import Alembic
    _must_be_known(found)
    if found is not None and database.file is not None:
        copy(Path(database.file), Path(f"{database.file}.before-{NEWEST}"))
    with database.writing() as connection:
        _upgrade(connection)


def must_be_newest(database: Database) -> None:
    """Raises WrongVersion where the schema is not the newest; changes nothing."""
    found = found_schema(database)
    if found is None:
        raise WrongVersion("There is no store of Enfilade's in that database.")
    if found != NEWEST:
        _must_be_known(found)
        raise WrongVersion(
            f"This store has schema {found}, and this program needs {NEWEST}; "
            "`enfilade serve` brings it up to date and keeps a backup."
        )


def found_schema(database: Database) -> str | None:
    """The schema that a database has, or None where it has none of ours; raises StoreDown."""
    with database.reading() as connection:
        return _schema_of(connection)


def _schema_of(connection: sa.Connection) -> str | None:
    names = sa.inspect(connection).get_table_names()
    if "alembic_version" in names:
        return str(connection.scalar(sa.text("SELECT version_num FROM alembic_version")))
    return _BEFORE_ALEMBIC if "tables" in names else None


def _must_be_known(found: str | None) -> None:
    if found is not None and found > NEWEST:
        raise WrongVersion(
            f"This store was written by a newer Enfilade (schema {found}; this one knows up to {NEWEST}). "
            "Install that version again, or restore a backup from before."
        )


def _upgrade(connection: sa.Connection) -> None:
    from alembic import command

    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SET LOCAL statement_timeout = 0"))  # a long log takes its time
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
    found = _schema_of(connection)  # again, now that nobody else can be at it
    _must_be_known(found)
    config = _config(connection)
    if found == _BEFORE_ALEMBIC:
        command.stamp(config, found)
    command.upgrade(config, NEWEST)


def _config(connection: sa.Connection) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
