"""The past of a table: the scene at each entry of its log, and pages of entries in a seat's view.

A replay shows a seat only what that seat was sent: each entry as it was redacted then, and the scene at that
moment in the seat's view.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from enfilade.errors import NotFound
from enfilade.geometry.board.mask import Run
from enfilade.i18n import localize
from enfilade.play.redaction.views import Step
from enfilade.play.view import redact_entry, view
from enfilade.rules.profiles import migrated_scene
from enfilade.rules.registry import Rulesets, is_stand_in, ruleset_for
from enfilade.rules.ruleset import Area
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.apply import fold_all, inverse
from enfilade.scene.entry import Entry, RedactedEntry
from enfilade.scene.model import Scene, Seat, Value
from enfilade.store.protocol import Store, TableState, iter_entries
from enfilade.tactics.overlays import bodies, regions

SPACING = 250
"""The number of entries between two scenes that are kept."""

MAX_KEPT = 400
"""The number of scenes that one table keeps; scenes of one battle share most of their parts."""

MAX_PAGE = 200
"""The most entries of one page of a replay."""


class Moment(NamedTuple):
    """The state of a table at one log position, for questions about the past."""

    place: int
    scene: Scene


class ReplayPage(Value, frozen=True, kw_only=True):
    """A part of a battle in a seat's view: the scene after the entry `start`, and the entries after it.

    Numbers are those of the seat's view; `last` is the number of the table's last entry. `bodies` has, for
    the scene and for the scene after each entry, the cells of tokens whose body differs from their size; None
    repeats the ones before. `rounds` has the round of the game at the same moments. `regions` are parts of
    the board beyond cells.
    """

    start: int
    last: int
    scene: Scene
    entries: tuple[RedactedEntry, ...]
    bodies: tuple[dict[str, tuple[Run, ...]] | None, ...]
    rounds: tuple[int, ...]
    regions: tuple[Area, ...] = ()


class Timeline:
    """The past scenes of one table, each found from the nearest one that is known."""

    def __init__(self, table: str, store: Store, rulesets: Rulesets) -> None:
        self._table = table
        self._store = store
        self._rulesets = rulesets
        self._kept: dict[int, Scene] = {}

    def scene_at(self, state: TableState, place: int) -> Scene:
        """Return the scene after the entry at a log position; 0 is before the first entry."""
        known = sorted({*self._kept, state.seq})
        later = known[min(bisect_left(known, place), len(known) - 1)]
        earlier = known[max(bisect_right(known, place) - 1, 0)]
        if earlier <= place and place - earlier < later - place:
            scene = self._scene(state, earlier)
            for step in self._forward(scene, earlier, place):
                scene = step.after
            return scene
        return self._backward(state, later, place)

    def steps(self, state: TableState, start: int, end: int) -> Iterator[Step]:
        """Yield the entries after one log position up to another, each with the scene before and after."""
        for step in self._forward(self.scene_at(state, start), start, end):
            before = self._today(state, step.entry.seq - 1, step.before)
            yield step._replace(before=before, after=self._today(state, step.entry.seq, step.after))

    def place_of(self, state: TableState, seat: Seat, number: int) -> int:
        """Return the log position of an entry by its number in a seat's view. Raises NotFound."""
        if not 0 <= number <= state.view_seq.of(seat, state.seq):
            raise NotFound(localize("play.no_such_moment", number=number))
        if seat.role == "gm":
            return number
        return bisect_left(range(state.seq + 1), number, key=lambda seq: self.number_at(seat, seq))

    def moment(self, state: TableState, seat: Seat, number: int) -> Moment:
        """Return the scene after an entry, by its number in a seat's view. Raises NotFound."""
        place = self.place_of(state, seat, number)
        return Moment(place, self._today(state, place, self.scene_at(state, place)))

    def moments(self, state: TableState, seat: Seat, start: int, count: int) -> Iterator[Moment]:
        """Yield the scenes after up to `count` entries of a seat's view, from the entry `start` on.

        Raises NotFound.
        """
        last = min(state.view_seq.of(seat, state.seq), start + count - 1)
        place, end = self.place_of(state, seat, start), self.place_of(state, seat, max(start, last))
        scene = self.scene_at(state, place)
        yield Moment(place, self._today(state, place, scene))
        for step in self._forward(scene, place, end):
            if step.entry.is_known_to(seat):
                yield Moment(step.entry.seq, self._today(state, step.entry.seq, step.after))

    def page(self, state: TableState, seat: Seat, start: int | None, limit: int) -> ReplayPage:
        """Return the entries after one in a seat's view, or the last ones for None. Raises NotFound."""
        last = state.view_seq.of(seat, state.seq)
        start = max(0, last - limit) if start is None else start
        place, end = self.place_of(state, seat, start), self.place_of(state, seat, min(last, start + limit))
        before = self.scene_at(state, place)
        first = view(before, seat)
        looks = _Looks(self._rulesets, self._today(state, place, first))
        entries = []
        for step in self._forward(before, place, end):
            if not step.entry.is_known_to(seat):
                continue
            after = view(step.after, seat)
            undone = None if step.entry.undoes is None else self._entry(step.entry.undoes)
            entries.append(redact_entry(step.entry, view(step.before, seat), after, seat, undone))
            looks.add(self._today(state, step.entry.seq, after))
        return ReplayPage(
            start=start,
            last=last,
            scene=first,
            entries=tuple(entries),
            bodies=tuple(looks.bodies),
            rounds=tuple(looks.rounds),
            regions=regions(ruleset_for(self._rulesets, looks.first), looks.first),
        )

    def number_at(self, seat: Seat, seq: int) -> int:
        """Return the number, in a seat's view, of the last entry that it knows up to a log position."""
        return 0 if seq == 0 else self._entry(seq).number(seat)

    def _today(self, state: TableState, place: int, scene: Scene) -> Scene:
        """Return a past scene with its profiles as the ruleset reads them now."""
        if not state.migrations:
            return scene
        ruleset = ruleset_for(self._rulesets, scene)
        return scene if is_stand_in(ruleset) else migrated_scene(ruleset, scene, state.version_at(place))

    def _entry(self, seq: int) -> Entry:
        (entry,) = self._store.log_texts(self._table, seq - 1, 1)
        return entry

    def _scene(self, state: TableState, place: int) -> Scene:
        return state.scene if place == state.seq else self._kept[place]

    def _forward(self, scene: Scene, start: int, end: int) -> Iterator[Step]:
        for entry in iter_entries(self._store.entries, self._table, start, end):
            checkpoint()
            step = Step(entry, scene, fold_all(scene, entry.events))
            scene = step.after
            self._keep(entry.seq, scene)
            yield step

    def _backward(self, state: TableState, start: int, place: int) -> Scene:
        scene = self._scene(state, start)
        while start > place:
            begin = max(place, (start - 1) // SPACING * SPACING)
            entries = list(iter_entries(self._store.entries, self._table, begin, start))
            for entry in reversed(entries):
                checkpoint()
                scene = fold_all(scene, inverse(entry.events))
            start = begin
            self._keep(start, scene)
        return scene

    def _keep(self, place: int, scene: Scene) -> None:
        if place % SPACING:
            return
        if len(self._kept) >= MAX_KEPT and place not in self._kept:
            del self._kept[next(iter(self._kept))]
        self._kept[place] = scene


class _Looks:
    """The bodies of a page's scenes where they change, and the rounds."""

    def __init__(self, rulesets: Rulesets, first: Scene) -> None:
        self.first = first
        self.bodies: list[dict[str, tuple[Run, ...]] | None] = []
        self.rounds: list[int] = []
        self._rulesets = rulesets
        self._last: dict[str, tuple[Run, ...]] | None = None
        self.add(first)

    def add(self, scene: Scene) -> None:
        """Note the bodies and the round of the next scene."""
        found = bodies(ruleset_for(self._rulesets, scene), scene)
        self.bodies.append(None if found == self._last else found)
        self.rounds.append(scene.track("round"))
        self._last = found
