"""The answers of tactics to one seat, from its view: overlays, verdicts, previews, decisions, matchups.

An overlay is computed once for all seats and clients that look at the same scene.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from enfilade.geometry.board.base import Cell, Point
from enfilade.play.redaction.choices import choice_for_seat, plan_of, question_for_seat
from enfilade.play.view import view
from enfilade.rules.procedures import Act
from enfilade.rules.registry import Rulesets, ruleset_for
from enfilade.rules.ruleset import Offer, Ruleset
from enfilade.runtime.time_budget import UnmeteredRLock
from enfilade.scene.model import Scene, Seat
from enfilade.store.protocol import TableState
from enfilade.tactics.advice import DecisionMap, decision_map, place_outlooks
from enfilade.tactics.focus_fire import FocusFire, focus_fire
from enfilade.tactics.matchups import MatchupTable, matchup_table
from enfilade.tactics.overlays import Overlay, overlay
from enfilade.tactics.previews import Preview, preview
from enfilade.tactics.verdicts import DrawnArea, PathCost, Verdict, drawn_area, path_cost, supposed, verdict

_SIZE = 16
"""The overlays of a state that are kept; on the largest board each takes a few megabytes."""

_RULED = tuple([name for name in Scene.__struct_fields__ if name != "drawings"])
"""The parts of a scene that rules may look at; an event makes new ones of those that it changes."""

_Key = tuple[int, str, tuple[str, ...] | None]


@dataclass(eq=False)
class _OfState:
    """The overlays of one state of the table."""

    state: Scene
    found: dict[_Key, tuple[Scene, Overlay]] = field(default_factory=dict)
    locks: dict[_Key, UnmeteredRLock] = field(default_factory=dict)


class OverlayCache:
    """The overlays of a table's current state, and of the one that is being stored.

    Seats that know the same of a scene see the same value (`Views`), so its identity stands for what a seat
    may know. A request for an overlay that is being computed waits for it.
    """

    def __init__(self) -> None:
        self._last: tuple[_OfState, ...] = ()
        """The two states that were asked for last, the newest first."""

    def get(
        self,
        state: Scene,
        seen: Scene,
        token: str,
        layers: Sequence[str] | None,
        compute: Callable[[], Overlay],
    ) -> Overlay:
        """Return the overlay of a token in a view `seen` of the table's scene `state`."""
        key, kept = _key(seen, token, layers), self._of(state)
        with kept.locks.setdefault(key, UnmeteredRLock()):
            if key not in kept.found:
                overlay = self._before_a_stroke(kept, seen, key) or compute()
                if len(kept.found) >= _SIZE:
                    kept.found.clear()
                kept.found[key] = seen, overlay  # the view is kept, so that no other gets its identity
                return overlay
            return kept.found[key][1]

    def _before_a_stroke(self, kept: _OfState, seen: Scene, key: _Key) -> Overlay | None:
        """Return the overlay of a view that differs in drawings alone, if one is kept: no rule knows them."""
        others = [one for each in self._last if each is not kept for one in [*each.found.items()]]
        for known, (scene, found) in others:
            if known[1:] == key[1:] and all(getattr(scene, name) is getattr(seen, name) for name in _RULED):
                return found
        return None

    def has(self, state: Scene, seen: Scene, token: str, layers: Sequence[str] | None) -> bool:
        """Return whether the overlay is already computed."""
        return _key(seen, token, layers) in self._of(state).found

    def _of(self, state: Scene) -> _OfState:
        for kept in self._last:
            if kept.state is state:
                return kept
        self._last = (_OfState(state), *self._last[:1])
        return self._last[0]


def _key(seen: Scene, token: str, layers: Sequence[str] | None) -> _Key:
    return id(seen), token, None if layers is None else tuple(layers)


class SeatTactics:
    """The answers of tactics about one table; `state` is always the table's state at that moment."""

    def __init__(self, rulesets: Rulesets, see: Callable[[Scene, Seat], Scene]) -> None:
        """`see` returns the scene in a seat's view, the same value for the same scene."""
        self._rulesets = rulesets
        self._see = see
        self._overlays = OverlayCache()

    def overlay(self, state: TableState, seat: Seat, token: str, layers: Sequence[str] | None) -> Overlay:
        """Return a token's overlay, with the acts that the seat may use. Raises NotFound."""
        ruleset, number = ruleset_for(self._rulesets, state.scene), state.view_seq.of(seat, state.seq)
        seen = self._see(state.scene, seat)
        found = self._overlays.get(
            state.scene, seen, token, layers, lambda: overlay(ruleset, seen, token, number, layers)
        )
        return _for_players(replace(found, seq=number), ruleset, seat)

    def past_overlay(
        self, scene: Scene, seat: Seat, token: str, number: int, layers: Sequence[str] | None
    ) -> Overlay:
        """Return a token's overlay in an earlier scene of the table, after an entry of the seat's view."""
        ruleset = ruleset_for(self._rulesets, scene)
        return _for_players(overlay(ruleset, view(scene, seat), token, number, layers), ruleset, seat)

    def has_overlay(self, state: TableState, seat: Seat, token: str, layers: Sequence[str] | None) -> bool:
        """Return whether `overlay` has its answer already."""
        return self._overlays.has(state.scene, self._see(state.scene, seat), token, layers)

    def verdict(
        self,
        state: TableState,
        seat: Seat,
        token: str,
        target: str,
        at: Cell | None = None,
        to: Cell | None = None,
    ) -> Verdict:
        """Return a token's verdict on a target, or from one place on another. Raises NotFound."""
        ruleset, number = ruleset_for(self._rulesets, state.scene), state.view_seq.of(seat, state.seq)
        seen, looked_at = supposed(self._see(state.scene, seat), token, target, at, to)
        return verdict(ruleset, seen, token, looked_at, number)

    def drawn_area(self, state: TableState, seat: Seat, outline: Sequence[Point], origin: Point) -> DrawnArea:
        """Return who is in a drawn area, as far as the seat knows."""
        ruleset, number = ruleset_for(self._rulesets, state.scene), state.view_seq.of(seat, state.seq)
        return drawn_area(ruleset, self._see(state.scene, seat), outline, origin, number)

    def path_cost(self, state: TableState, seat: Seat, token: str, path: Sequence[Cell]) -> PathCost:
        """Return the cost of a token's path through waypoints. Raises NotFound."""
        ruleset, number = ruleset_for(self._rulesets, state.scene), state.view_seq.of(seat, state.seq)
        return path_cost(ruleset, self._see(state.scene, seat), token, path, number)

    def preview(self, state: TableState, seat: Seat, act: Act) -> Preview:
        """Return the preview of an act. Raises what refuses it."""
        ruleset = ruleset_for(self._rulesets, state.scene)
        label = ruleset.acts[act.kind].label if act.kind in ruleset.acts else ""
        return preview(ruleset, self._see(state.scene, seat), Offer(act, label))

    def decisions(
        self, state: TableState, seat: Seat, token: str, at: Cell | None, most: int | None
    ) -> DecisionMap:
        """Return a token's decision map, or the outlook of one cell. Raises NotFound."""
        ruleset, number = ruleset_for(self._rulesets, state.scene), state.view_seq.of(seat, state.seq)
        seen = self._see(state.scene, seat)
        if at is not None:
            return place_outlooks(ruleset, seen, token, number, at)
        return decision_map(ruleset, seen, token, number, most)

    def focus(self, state: TableState, seat: Seat, target: str, attackers: Sequence[str]) -> FocusFire:
        """Return what attackers in order do to a target. Raises NotFound."""
        ruleset, number = ruleset_for(self._rulesets, state.scene), state.view_seq.of(seat, state.seq)
        return focus_fire(ruleset, self._see(state.scene, seat), target, attackers, number)

    def matchups(self, state: TableState, seat: Seat, answers: Mapping[str, str]) -> MatchupTable:
        """Return the numbers of answers to the open choices of one token, by their IDs. Raises NotFound."""
        ruleset = ruleset_for(self._rulesets, state.scene)
        asked = question_for_seat(state.pending, state.scene, seat, ruleset)
        token, given = plan_of(asked, choice_for_seat(state.pending, state.scene, seat, ruleset), answers)
        assert asked is not None
        return matchup_table(asked.scene, asked.matchup, token, given)


def _for_players(found: Overlay, ruleset: Ruleset, seat: Seat) -> Overlay:
    """Return an overlay with the acts that a seat may use."""
    if seat.role == "gm":
        return found
    return replace(found, targets=tuple(t for t in found.targets if not ruleset.is_gm_act(t.act.kind)))
