from __future__ import annotations

import itertools
import os

import pytest
import sqlalchemy as sa
from tests.unit.store.postgres import Postgres, programs

from enfilade.store.memory import MemoryStore
from enfilade.store.sql.tables import SqlStore

NEW_NAMES = itertools.count()


@pytest.fixture(scope="session")
def postgres():
    """A running PostgreSQL, or a skip that says so; where CI runs it must be there."""
    found = programs()
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("PostgreSQL is not installed here")
    cluster = Postgres(found)
    cluster.start()
    yield cluster
    cluster.remove()


@pytest.fixture
def sqlite_url(tmp_path):
    return f"sqlite:///{tmp_path / 'tables.sqlite'}"


@pytest.fixture
def postgres_url(postgres):
    """A database of its own."""
    name = f"test{next(NEW_NAMES)}"
    engine = sa.create_engine(
        postgres.url().replace("postgresql", "postgresql+psycopg"), isolation_level="AUTOCOMMIT"
    )
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    engine.dispose()
    return postgres.url(name)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request):
    """Every database in turn."""
    return request.getfixturevalue(f"{request.param}_url")


@pytest.fixture(params=["sqlite", "postgres", "memory"])
def store(request):
    """Every store in turn: what is tested of one holds of all."""
    if request.param == "memory":
        yield MemoryStore()
        return
    store = SqlStore(request.getfixturevalue(f"{request.param}_url"))
    yield store
    store.close()
