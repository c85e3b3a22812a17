"""Migrate the schema of a database at start, with Alembic: all or nothing, after a backup.

A database with a newer schema is refused unchanged; to go back, restore the backup.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import sqlalchemy as sa

from enfilade.errors import WrongVersion
from enfilade.i18n import localize
from enfilade.store.backup import copy
from enfilade.store.sql.database import Database
from enfilade.store.sql.schema import NEWEST

if TYPE_CHECKING:
    from alembic.config import Config

SchemaState = Literal["no store", "older", "newest"]

_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 0x656E66  # the key of PostgreSQL's advisory lock for migrations: "enf"
_BEFORE_ALEMBIC = "0001"


def migrate(database: Database) -> None:
    """Create the newest schema, or upgrade to it. Raises WrongVersion, StoreDown."""
    found = stored_schema(database)
    if found == NEWEST:
        return  # saves the time to import Alembic
    require_known(found)
    if found is not None and database.file is not None:
        copy(Path(database.file), Path(f"{database.file}.before-{NEWEST}"))
    with database.writing() as connection:
        _upgrade(connection)


def require_newest(database: Database) -> None:
    """Raise WrongVersion if the schema is not the newest; change nothing."""
    found = stored_schema(database)
    if found is None:
        raise WrongVersion(localize("store.not_a_store"))
    if found != NEWEST:
        require_known(found)
        raise WrongVersion(localize("store.older_schema", found=found, newest=NEWEST))


def stored_schema(database: Database) -> str | None:
    """Return the version of a database's schema, or None if it is not a store. Raises StoreDown."""
    with database.reading() as connection:
        return _schema_of(connection)


def schema_state(database: Database) -> SchemaState:
    """Return whether a database is a store, and of this version. Raises StoreDown, WrongVersion if newer."""
    found = stored_schema(database)
    require_known(found)
    if found is None:
        return "no store"
    return "newest" if found == NEWEST else "older"


def _schema_of(connection: sa.Connection) -> str | None:
    names = sa.inspect(connection).get_table_names()
    if "alembic_version" in names:
        return str(connection.scalar(sa.text("SELECT version_num FROM alembic_version")))
    return _BEFORE_ALEMBIC if "tables" in names else None


def require_known(found: str | None) -> None:
    """Raise WrongVersion if a schema is newer than this version of the server."""
    if found is not None and found > NEWEST:
        raise WrongVersion(localize("store.newer_schema", found=found, newest=NEWEST))


def _upgrade(connection: sa.Connection) -> None:
    from alembic import command

    if connection.dialect.name == "postgresql":
        # A long log takes longer than these limits.
        connection.execute(sa.text("SET LOCAL statement_timeout = 0"))
        connection.execute(sa.text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
    found = _schema_of(connection)  # again, now that the lock excludes other processes
    require_known(found)
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
