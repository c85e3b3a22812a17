"""Answer what a seat asks of a table: its view, the answers worked out from it, and the past."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from enfilade.errors import BadMessage, NotFound
from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.play.command import Command, Delta, Entries, ReplicaPosition, Snapshot, require_on_board
from enfilade.play.commit import ANSWERS_SEALED
from enfilade.play.facts import Facts, facts_of
from enfilade.play.log import export_log
from enfilade.play.permissions import require_advice, require_advice_seat, require_own_act, require_owner
from enfilade.play.redaction.views import Views
from enfilade.play.view import redact_entry_text
from enfilade.rules.procedures import Act
from enfilade.rules.profiles import read_act
from enfilade.rules.registry import Rulesets, ruleset_for
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.entry import Entry
from enfilade.scene.model import Scene, Seat, Value
from enfilade.scene.proofs import is_about_contributions
from enfilade.store.protocol import Store, TableState
from enfilade.tactics.advice import DecisionMap
from enfilade.tactics.focus_fire import FocusFire
from enfilade.tactics.matchups import MatchupTable
from enfilade.tactics.overlays import Overlay
from enfilade.tactics.previews import Preview
from enfilade.tactics.verdicts import DrawnArea, PathCost, Verdict

LEAST_CORNERS = 3
"""The corners that an outline has at least."""


class ReadableTable:
    """A table as its seats may read it; `Table` adds the commands."""

    def __init__(self, state: TableState, store: Store, rulesets: Rulesets, hosts: tuple[str, ...]) -> None:
        self._state = state
        self._store = store
        self._rulesets = rulesets
        self._hosts = hosts
        self._views = Views(state.id, store, rulesets, hosts)

    @property
    def state(self) -> TableState:
        """Return the row of the table."""
        return self._state

    @property
    def store(self) -> Store:
        """Return the store, to read the log."""
        return self._store

    @property
    def rulesets(self) -> Rulesets:
        """Return the rulesets of the server."""
        return self._rulesets

    @property
    def id(self) -> str:
        """Return the table's ID."""
        return self._state.id

    @property
    def seq(self) -> int:
        """Return the number of the last entry; 0 before the first."""
        return self._state.seq

    @property
    def epoch(self) -> str:
        """Return the epoch of the entry numbers; it changes when the log is restored."""
        return self._views.epoch

    @property
    def revision(self) -> int:
        """Return the number of times the table was stored."""
        return self._state.revision

    @property
    def scene(self) -> Scene:
        """Return the whole scene, as the GM knows it."""
        return self._state.scene

    @property
    def ruleset(self) -> Ruleset:
        """Return the ruleset of the scene."""
        return ruleset_for(self._rulesets, self.scene)

    def player_name(self, seat: Seat) -> str:
        """Return the name of a player's seat; "" for other seats."""
        return self._player_name(seat.id) if seat.role == "player" else ""

    def _player_name(self, player: str) -> str:
        member = self._store.members.member(self.id, player)
        return member.name if member and member.is_seated else ""

    # The log in a seat's view

    def number(self, seat: Seat) -> int:
        """Return the number of the last entry in a seat's view."""
        return self._state.view_seq.of(seat, self.seq)

    def number_at(self, seat: Seat, place: int) -> int:
        """Return the number of the last entry in a seat's view up to a log position."""
        return self._views.number_at(seat, place)

    def log_position(self, seat: Seat, known: ReplicaPosition) -> int | None:
        """Return the log position of a client's replica; None if the client needs a snapshot."""
        return self._views.log_position(self._state, seat, known)

    def audience(self, seat: Seat, place: int | None) -> Seat:
        """Return a seat that gets the very same entries after a log position: one message serves both."""
        return self._views.audience(self._state, seat, place)

    def delta(self, seat: Seat, place: int | None, is_hash_due: bool = False) -> Delta:
        """Return what a seat is missing since a log position; everything for None."""
        return self._views.delta(self._state, seat, place, is_hash_due)

    def snapshot(self, seat: Seat) -> Snapshot:
        """Return the whole table in a seat's view."""
        return self._views.snapshot(self._state, seat)

    def entries_after(self, seat: Seat, place: int) -> Entries | None:
        """Return the entries after a log position in a seat's view; None if there are too many."""
        return self._views.entries_after(self._state, seat, place, is_hash_due=False)

    def log_texts_after(self, seat: Seat, place: int, limit: int) -> Sequence[tuple[int, str]]:
        """Return up to `limit` log positions after one, each with its text or "".

        Entries about contributions to the dice and about sealed answers have no text here: they come in every
        round.
        """
        entries = self._store.entries(self.id, place, limit)
        return [
            (entry.seq, "" if _is_routine(entry) else redact_entry_text(entry, seat).text)
            for entry in entries
        ]

    # Questions about the moment

    def answer(self, seat: Seat, command: Command) -> Value:
        """Answer a command that only asks. Connections answer the other kinds without a handler.

        Raises NotFound, Forbidden, BadMessage, WrongAnswer.
        """
        match command.kind:
            case "act.preview":
                return self.preview(seat, read_act(self.ruleset, command.body["act"]))
            case "verdict.ask":
                return self.verdict(seat, **command.body)
            case "area.ask":
                return self.drawn_area(seat, **command.body)
            case "decision.ask":
                return self.decisions(seat, **command.body)
            case "focus.ask":
                return self.focus(seat, **command.body)
            case "path.ask":
                return self.path_cost(seat, **command.body)
            case "matchup.ask":
                return self.matchups(seat, command.body["answers"])
        raise NotFound(localize("play.not_a_table_command", kind=command.kind))

    def overlay(
        self,
        seat: Seat,
        token: str,
        layers: Sequence[str] | None = None,
        upcoming: TableState | None = None,
    ) -> Overlay:
        """Return a token's overlay in a seat's view. Raises NotFound, Forbidden.

        `upcoming` is the state that it shows, if that is still to be stored.
        """
        state = upcoming or self._state
        require_owner(seat, token, state.scene)
        return self._views.tactics.overlay(state, seat, token, layers)

    def has_overlay(self, seat: Seat, token: str, layers: Sequence[str] | None) -> bool:
        """Return whether a token's overlay in a seat's view is already computed."""
        return self._views.tactics.has_overlay(self._state, seat, token, layers)

    def preview(self, seat: Seat, act: Act) -> Preview:
        """Return the preview of an act in a seat's view. Raises what refuses it."""
        require_own_act(seat, msgspec.to_builtins(act), self.scene, self.ruleset)
        return self._views.tactics.preview(self._state, seat, act)

    def verdict(
        self, seat: Seat, token: str, target: str = "", at: Cell | None = None, to: Cell | None = None
    ) -> Verdict:
        """Return a token's verdict on a target in a seat's view, or from one place on another.

        Raises NotFound, Forbidden, and BadMessage for a place off the board, and without target and place.
        """
        if not target and to is None:
            raise BadMessage({"body.target": [localize("play.verdict_of_nothing")]})
        require_owner(seat, token, self.scene)
        require_on_board(self.scene, [place for place in (at, to) if place is not None], "body.to")
        return self._views.tactics.verdict(self._state, seat, token, target, at, to)

    def drawn_area(self, seat: Seat, outline: Sequence[int], origin: Sequence[int]) -> DrawnArea:
        """Return who is in a drawn area in a seat's view. Raises BadMessage for an outline of no area."""
        points = [(x, y) for x, y in zip(outline[::2], outline[1::2], strict=False)]
        if len(points) < LEAST_CORNERS or len(outline) % 2:
            raise BadMessage({"body.outline": [localize("play.no_outline")]})
        return self._views.tactics.drawn_area(self._state, seat, points, (origin[0], origin[1]))

    def decisions(
        self, seat: Seat, token: str, at: Cell | None = None, most: int | None = None
    ) -> DecisionMap:
        """Return a token's decision map in a seat's view, or the outlook of one cell.

        Raises NotFound, Forbidden.
        """
        require_advice(seat, token, self.scene)
        return self._views.tactics.decisions(self._state, seat, token, at, most)

    def focus(self, seat: Seat, target: str, attackers: Sequence[str]) -> FocusFire:
        """Return what attackers in order do to a target, in a seat's view. Raises NotFound, Forbidden."""
        for attacker in attackers:
            require_advice(seat, attacker, self.scene)
        return self._views.tactics.focus(self._state, seat, target, tuple(dict.fromkeys(attackers)))

    def forecast_scene(self, seat: Seat) -> Scene:
        """Return the scene in a seat's view, from which its forecasts are worked out. Raises Forbidden."""
        require_advice_seat(seat, self.scene)
        return self._views.scene(self._state, seat)

    def path_cost(self, seat: Seat, token: str, path: Sequence[Sequence[int]]) -> PathCost:
        """Return the cost of a token's path through waypoints in a seat's view.

        Raises NotFound, Forbidden, BadMessage.
        """
        require_owner(seat, token, self.scene)
        cells = [(column, row) for column, row in path]
        require_on_board(self.scene, cells, "body.path")
        if not cells:
            raise BadMessage({"body.path": [localize("play.empty_path")]})
        return self._views.tactics.path_cost(self._state, seat, token, cells)

    def matchups(self, seat: Seat, answers: Mapping[str, str]) -> MatchupTable:
        """Return what answers to open choices would do against each opponent, in a seat's view.

        Raises NotFound, WrongAnswer.
        """
        return self._views.tactics.matchups(self._state, seat, answers)

    def facts(self, seat: Seat, token: str | None = None, entries: int = 0) -> Facts:
        """Return the facts of a seat's view, with the lines of an own token. Raises NotFound, Forbidden."""
        if token is not None:
            require_owner(seat, token, self.scene)
        return facts_of(self.snapshot(seat), self.ruleset, self.number(seat), token, entries)

    def past_overlay(
        self, scene: Scene, seat: Seat, token: str, number: int, layers: Sequence[str] | None
    ) -> Overlay:
        """Return a token's overlay in an earlier scene, after an entry of the seat's view."""
        return self._views.tactics.past_overlay(scene, seat, token, number, layers)

    def export_log(self) -> Iterator[str]:
        """Yield the lines of the whole log as a file, with everything that the GM may know."""
        return export_log(self._store, self.id)


def _is_routine(entry: Entry) -> bool:
    """Return whether an entry only records what comes in every round."""
    return is_about_contributions(entry.dice) or entry.kind == ANSWERS_SEALED
