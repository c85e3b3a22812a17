"""Waits for a database server do not count against the time budget of an answer."""

from __future__ import annotations

from contextlib import closing

import pytest
import sqlalchemy as sa

from enfilade.store.sql.database import Database, Statement
from enfilade.time_budget import TimeBudget, time_limited


class SlowQuestion(Statement):
    """A question that takes a hundred seconds of a test's clock."""

    def __init__(self, now):
        super().__init__(sa.select(sa.literal(1).label("one")))
        self._now = now

    def rows(self, connection, **values):
        self._now[0] += 100
        return super().rows(connection, **values)


def asked(database, question):
    with database.reading() as connection:
        return question.rows(connection)


WAYS = {
    "select": lambda database, question: database.select(question),
    "read": asked,
    "written": lambda database, question: database.write(question.rows),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_waiting_for_a_database_server_is_not_charged(postgres_url, way):
    now = [0.0]
    with closing(Database(postgres_url)) as database:
        with time_limited(TimeBudget(limit=1, rest=lambda: None, clock=lambda: now[0])) as pace:
            assert [tuple(row) for row in way(database, SlowQuestion(now))] == [(1,)]
            assert pace.spent == 0
            now[0] += 0.5
        assert pace.spent == 0.5


def test_reading_a_file_is_charged(sqlite_url):
    now = [0.0]
    with (
        closing(Database(sqlite_url)) as database,
        time_limited(TimeBudget(1, lambda: None, lambda: now[0])) as pace,
    ):
        database.select(SlowQuestion(now))
        assert pace.spent == 100
