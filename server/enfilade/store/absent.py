"""Stored tables that can be read but not played, because their ruleset is missing or older than they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from enfilade.i18n import localize
from enfilade.rules.ruleset import Ruleset
from enfilade.store.sql.storage import SqlStorage, StoredGame


class HasStorage(Protocol):
    """A store that knows the games of its tables."""

    @property
    def storage(self) -> SqlStorage:
        """Return the part that lists tables."""


def tables_without_ruleset(store: HasStorage, rulesets: Mapping[str, Ruleset]) -> list[str]:
    """Return a sentence for each table whose ruleset is not there as it needs it. Raises StoreDown."""
    return [
        sentence for game in store.storage.games() if (sentence := _why(game, rulesets.get(game.ruleset)))
    ]


def _why(game: StoredGame, ruleset: Ruleset | None) -> str:
    """Return why a table waits; empty if it can be played."""
    if ruleset is None:
        return localize("store.table_waits", table=game.table, name=game.name, ruleset=game.ruleset)
    if ruleset.version < game.version:
        values = {"table": game.table, "name": game.name, "ruleset": game.ruleset}
        versions = {"version": game.version, "installed": ruleset.version}
        return localize("store.table_waits_newer", **values, **versions)
    return ""
