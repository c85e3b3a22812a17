"""Statements that are executed for every command, without what SQLAlchemy does around each."""

from __future__ import annotations

from collections import namedtuple
from contextlib import closing
from typing import Any

import sqlalchemy as sa


class Statement:
    """A statement in its driver's own words, written once and executed often.

    SQLAlchemy takes ten times as long to execute a statement as SQLite itself. Raises the driver's errors.
    """

    def __init__(self, statement: sa.Select[Any] | sa.UpdateBase) -> None:
        self._statement = statement
        self._written: dict[str, tuple[str, dict[str, Any]]] = {}
        columns = statement.selected_columns.keys() if isinstance(statement, sa.Select) else []
        self._row = namedtuple("Row", columns)  # type: ignore[misc]

    def run(self, connection: sa.Connection, **values: Any) -> int:
        """Executes it; gives how many rows it has changed."""
        with closing(self._executed(connection, values)) as cursor:
            return int(cursor.rowcount)

    def rows(self, connection: sa.Connection, **values: Any) -> list[Any]:
        """The rows it finds, each with its columns by name."""
        with closing(self._executed(connection, values)) as cursor:
            return [self._row(*row) for row in cursor.fetchall()]

    def first(self, connection: sa.Connection, **values: Any) -> Any:
        """The first row it finds, or None."""
        return next(iter(self.rows(connection, **values)), None)

    def _executed(self, connection: sa.Connection, values: dict[str, Any]) -> Any:
        words, constants = self._for(connection.dialect)
        cursor = connection.connection.cursor()
        cursor.execute(words, {**constants, **values})
        return cursor

    def _for(self, dialect: sa.Dialect) -> tuple[str, dict[str, Any]]:
        """The statement as this driver takes it, and the values that stand in the statement itself."""
        if dialect.name not in self._written:
            style = {"paramstyle": "named"} if dialect.name == "sqlite" else {}
            made = self._statement.compile(dialect=type(dialect)(**style))
            constants = {name: value for name, value in made.params.items() if value is not None}
            self._written[dialect.name] = (str(made), constants)
        return self._written[dialect.name]
