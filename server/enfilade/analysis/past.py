"""The past of a table in a seat's view: replays, earlier overlays, statistics. Built from its log alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from weakref import WeakKeyDictionary

import msgspec
from msgspec.structs import replace

from enfilade.analysis.statistics import BattleStatistics, Tally
from enfilade.analysis.timeline import MAX_PAGE, ReplayPage, Timeline
from enfilade.errors import Forbidden, NotFound
from enfilade.play.permissions import require_owner
from enfilade.play.readable_table import ReadableTable
from enfilade.scene.model import Scene, Seat
from enfilade.store.protocol import TableState, iter_entries
from enfilade.tactics.overlays import Overlay

_TALLIES = 16
"""The number of seats whose statistics are kept."""


class Past:
    """The past of one table."""

    def __init__(self, table: ReadableTable) -> None:
        self._timeline = Timeline(table.id, table.store, table.rulesets)
        self._tallies: dict[str, Tally] = {}

    def replay(
        self, table: ReadableTable, seat: Seat, start: int | None = None, limit: int = MAX_PAGE
    ) -> ReplayPage:
        """Return the entries after one in a seat's view with the scene before them; the last ones for None.

        Raises NotFound.
        """
        return self._timeline.page(table.state, seat, start, limit)

    def overlays(
        self,
        table: ReadableTable,
        seat: Seat,
        token: str,
        at: int,
        count: int,
        layers: Sequence[str] | None = None,
    ) -> Iterator[Overlay | None]:
        """Yield the overlays of a token after the entry `at` and the next ones, up to `count`.

        One is None where the seat has no such token. Raises NotFound or Forbidden for the first.
        """
        before: Scene | None = None
        found: Overlay | None = None
        for number, (_, scene) in enumerate(self._timeline.moments(table.state, seat, at, count), at):
            if scene is not before:  # a note, say, changes nothing
                try:
                    require_owner(seat, token, scene)
                    found = table.past_overlay(scene, seat, token, number, layers)
                except (NotFound, Forbidden):
                    if number == at:
                        raise
                    found = None
            before = scene
            yield found and replace(found, seq=number)

    def battle_lines(self, table: ReadableTable) -> Iterator[str]:
        """Return the battle until now as JSON lines, for the GM: its first scene, then each entry.

        A line is read when it is asked for.
        """
        return self._battle_lines(table, table.state)

    def _battle_lines(self, table: ReadableTable, state: TableState) -> Iterator[str]:
        start = self._timeline.scene_at(state, 0)
        yield msgspec.json.encode({"scene": start}).decode() + "\n"
        for entry in iter_entries(table.store.entries, table.id, 0, state.seq):
            yield msgspec.json.encode(entry).decode() + "\n"

    def scene(self, table: ReadableTable, seat: Seat, at: int) -> Scene:
        """Return the whole scene after the entry `at` of a seat's view. Raises NotFound."""
        return self._timeline.moment(table.state, seat, at).scene

    def statistics(self, table: ReadableTable, seat: Seat) -> BattleStatistics:
        """Return the statistics of the battle in a seat's view; a long log is counted in several calls."""
        tally = self._tallies.get(seat.key)
        if tally is None:
            if len(self._tallies) >= _TALLIES:
                self._tallies.pop(next(iter(self._tallies)))
            tally = self._tallies[seat.key] = Tally(self._timeline, table.rulesets, seat)
        return tally.answer(table.state)


_PASTS: WeakKeyDictionary[ReadableTable, Past] = WeakKeyDictionary()


def past_of(table: ReadableTable) -> Past:
    """Return the past of a table, with the results that are already known."""
    if table not in _PASTS:
        _PASTS[table] = Past(table)
    return _PASTS[table]
