"""A table: one game, its commands in order, stored before any client hears of them."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial

import msgspec
from msgspec.structs import replace

from enfilade.errors import BadMessage, Forbidden, NotFound, OtherProcess, StaleBase, StoreDown
from enfilade.geometry.board.units import Cell
from enfilade.i18n import localize
from enfilade.play.analysis.statistics import BattleStatistics, Tally
from enfilade.play.analysis.timeline import MAX_PAGE, ReplayPage, Timeline
from enfilade.play.command import Command, CommandResult, Delta, Entries, ReplicaPosition, Snapshot
from enfilade.play.commands.registry import COMMANDS, CommandSpec
from enfilade.play.context import CommandContext, Decision, TableAccess
from enfilade.play.dice.chains import Chains, rolled_before
from enfilade.play.dice.session import CommittedDice
from enfilade.play.facts import Facts, facts_of
from enfilade.play.log.entries import (
    ANSWERS_SEALED,
    build_entry,
    closing_entry,
    next_state,
    system_entry,
)
from enfilade.play.log.history import next_history
from enfilade.play.log.replies import build_reply, export_log, repeat_reply
from enfilade.play.permissions import (
    require_advice,
    require_advice_seat,
    require_own_act,
    require_owner,
    require_permission,
    require_role,
)
from enfilade.play.redaction.choices import busy_error, commitments
from enfilade.play.redaction.scene import redact_entry_text
from enfilade.play.redaction.views import Step, Views
from enfilade.play.setup import require_on_board
from enfilade.rules.dice import Dice, DiceBox
from enfilade.rules.fair import FairDice
from enfilade.rules.procedures import Act
from enfilade.rules.profiles import read_act
from enfilade.rules.registry import Rulesets, ruleset_for
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.apply import fold_all
from enfilade.scene.dice_notes import is_about_contributions
from enfilade.scene.entry import Entry
from enfilade.scene.model import Scene, Value
from enfilade.scene.seat import GM, Seat, seat_of
from enfilade.store.protocol import (
    ClosingCommand,
    ConflictError,
    PendingAct,
    Store,
    StoredReply,
    TableState,
    Webhook,
    iter_entries,
)
from enfilade.tactics.advice import DecisionMap
from enfilade.tactics.focus_fire import FocusFire
from enfilade.tactics.matchups import MatchupTable
from enfilade.tactics.overlays import Overlay
from enfilade.tactics.paths import PathCost
from enfilade.tactics.previews import Preview
from enfilade.tactics.verdicts import Verdict
from enfilade.time_budget import UnmeteredRLock, checkpoint

log = logging.getLogger(__name__)
OnSaving = Callable[[TableState], None]
"""Called with a state that is about to be stored."""


_TALLIES = 16
"""The number of seats whose statistics are kept."""


class Table:
    """One game: its scene, its log, and the commands that it accepts."""

    def __init__(
        self,
        state: TableState,
        store: Store,
        rulesets: Rulesets,
        dice: DiceBox | Chains,
        hosts: Sequence[str] = (),
    ) -> None:
        self._state = state
        self._store = store
        self._rulesets = rulesets
        self._dice = dice
        self._committed = (
            CommittedDice(dice, lambda: self._state, self._save_dice, self._player_name)
            if isinstance(dice, Chains)
            else None
        )
        self._hosts = tuple(hosts)
        self._views = Views(state.id, store, rulesets, self._hosts)
        self._timeline = Timeline(state.id, store, rulesets)
        self._tallies: dict[str, Tally] = {}
        # One command at a time, even if the store's driver lets other greenlets run.
        self._lock = UnmeteredRLock()

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

    # Commands

    def execute(self, seat: Seat, command: Command, on_saving: OnSaving | None = None) -> CommandResult:
        """Execute a command once, even if it is sent again; store it before returning.

        `on_saving` gets the next state when it is about to be stored. That may fail, so nothing of it may be
        told before this method returns. Raises EnfiladeError.
        """
        spec = COMMANDS[command.kind]
        require_role(seat, spec.roles)
        if spec.handler is None:
            return CommandResult(
                seq=self.number(seat), result=msgspec.to_builtins(self._answer(seat, command))
            )
        with self._lock:
            self._finish_interrupted()
            reply = self._store.reply(self.id, seat.key, command.id)
            if reply is not None:
                return repeat_reply(reply, command, seat)
            require_permission(seat, command, self.scene, self._state.pending, self.ruleset, spec.check)
            self._require_current(seat, command, spec)
            return self._decide_and_save(seat, command, spec, on_saving)

    def _answer(self, seat: Seat, command: Command) -> Value:
        """Answer a question; connections answer the other kinds without a handler."""
        match command.kind:
            case "act.preview":
                return self.preview(seat, read_act(self.ruleset, command.body["act"]))
            case "verdict.ask":
                return self.verdict(seat, **command.body)
            case "decision.ask":
                return self.decisions(seat, **command.body)
            case "focus.ask":
                return self.focus(seat, **command.body)
            case "path.ask":
                return self.path_cost(seat, **command.body)
            case "matchup.ask":
                return self.matchups(seat, command.body["answers"])
        raise NotFound(localize("play.not_a_table_command", kind=command.kind))

    def _require_current(self, seat: Seat, command: Command, spec: CommandSpec) -> None:
        if self._state.pending and not spec.is_allowed_while_pending:
            raise busy_error(self._state.pending, self.scene, seat, self.ruleset)
        base = command.base
        is_current = base is None or base == self.number(seat)
        if not is_current and base is not None:
            is_current = self._views.is_only_about_dice(self._state, seat, base)
        if not is_current:
            raise self._stale(seat, base)

    def _stale(self, seat: Seat, base: int | None) -> StaleBase:
        """Return the refusal of a command decided on an older scene, with the entries since."""
        place = None if base is None else self.log_position(seat, ReplicaPosition(self.epoch, base))
        missing = None if place is None else self.entries_after(seat, place)
        return StaleBase(localize("play.stale"), self.number(seat), missing)

    def _decide_and_save(
        self, seat: Seat, command: Command, spec: CommandSpec, on_saving: OnSaving | None = None
    ) -> CommandResult:
        try:
            return self._save_decision(seat, command, self._decide(seat, command, spec), on_saving)
        except (StoreDown, StaleBase, OtherProcess):
            raise  # dice that were taken stay taken, and roll the same when the command is tried again
        except Exception:
            if self._committed:
                self._committed.void(seat, command)
            raise

    def _decide(self, seat: Seat, command: Command, spec: CommandSpec) -> Decision:
        assert spec.handler is not None
        access = TableAccess(self._state, self._store, self._dice_for, self._cancel, self._close, self._hosts)
        return spec.handler(CommandContext(self._rulesets, self.scene, seat, access), command)

    def _save_decision(
        self, seat: Seat, command: Command, decision: Decision, on_saving: OnSaving | None
    ) -> CommandResult:
        """Store the entry, the state and the reply of a decision, then look after the dice."""
        checkpoint()
        after = fold_all(self.scene, decision.events)
        chains, note = self._committed.settled(decision) if self._committed else ({}, None)
        decision = replace(decision, dice=note or decision.dice)
        entry = build_entry(self._state, seat, command, decision, after)
        undoable, redoable = next_history(self._state, entry)
        state = next_state(
            self._state,
            entry,
            scene=after,
            pending=decision.pending,
            undoable=undoable,
            redoable=redoable,
            webhook=decision.webhook or self._state.webhook,
            parts=decision.parts or self._state.parts,
            **chains,
        )
        checkpoint()  # a whole scene takes milliseconds in each of these steps
        reply = build_reply(seat, command, decision, entry, state, self.ruleset)
        checkpoint()
        if on_saving:
            on_saving(state)
        self._save(seat, state, entry, reply)
        with suppress(StoreDown, StaleBase, OtherProcess):  # the command itself is stored
            if self._committed and not self._committed.open_if_needed():
                self._committed.process_contributions()
        return CommandResult(seq=reply.seq, result=reply.result, entry=entry)

    def _save(self, seat: Seat, state: TableState, entry: Entry | None, reply: StoredReply | None) -> None:
        try:
            self._store.save(state, entry, reply)
        except ConflictError:
            # Another process serves this table too: load its state, and let the client decide again.
            self._state = self._store.load(self.id) or self._state
            raise self._stale(seat, None) from None
        if entry is not None:
            self._views.remember(Step(entry, self.scene, state.scene))
        self._state = state

    # Views of a seat

    def number(self, seat: Seat) -> int:
        """Return the number of the last entry in a seat's view."""
        return self._state.view_seq.of(seat, self.seq)

    def number_at(self, seat: Seat, place: int) -> int:
        """Return the number of the last entry in a seat's view up to a log position."""
        return self._views.number_at(seat, place)

    def log_position(self, seat: Seat, known: ReplicaPosition) -> int | None:
        """Return the log position of a client's replica; None if the client needs a snapshot."""
        return self._views.log_position(self._state, seat, known)

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

    def player_name(self, seat: Seat) -> str:
        """Return the name of a player's seat; "" for other seats."""
        return self._player_name(seat.id) if seat.role == "player" else ""

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
        return self._views.overlay(state, seat, token, layers)

    def has_overlay(self, seat: Seat, token: str, layers: Sequence[str] | None) -> bool:
        """Return whether a token's overlay in a seat's view is already computed."""
        return self._views.has_overlay(self._state, seat, token, layers)

    def preview(self, seat: Seat, act: Act) -> Preview:
        """Return the preview of an act in a seat's view. Raises what refuses it."""
        require_own_act(seat, msgspec.to_builtins(act), self.scene, self.ruleset)
        return self._views.preview(self._state, seat, act)

    def verdict(self, seat: Seat, token: str, target: str) -> Verdict:
        """Return a token's verdict on a target in a seat's view. Raises NotFound, Forbidden."""
        require_owner(seat, token, self.scene)
        return self._views.verdict(self._state, seat, token, target)

    def decisions(
        self, seat: Seat, token: str, at: Cell | None = None, most: int | None = None
    ) -> DecisionMap:
        """Return a token's decision map in a seat's view, or the outlook of one cell.

        Raises NotFound, Forbidden.
        """
        require_advice(seat, token, self.scene)
        return self._views.decisions(self._state, seat, token, at, most)

    def focus(self, seat: Seat, target: str, attackers: Sequence[str]) -> FocusFire:
        """Return what attackers in order do to a target, in a seat's view. Raises NotFound, Forbidden."""
        for attacker in attackers:
            require_advice(seat, attacker, self.scene)
        return self._views.focus(self._state, seat, target, tuple(dict.fromkeys(attackers)))

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
        return self._views.path_cost(self._state, seat, token, cells)

    def matchups(self, seat: Seat, answers: Mapping[str, str]) -> MatchupTable:
        """Return what answers to open choices would do against each opponent, in a seat's view.

        Raises NotFound, WrongAnswer.
        """
        return self._views.matchups(self._state, seat, answers)

    def facts(self, seat: Seat, token: str | None = None, entries: int = 0) -> Facts:
        """Return the facts of a seat's view, with the lines of an own token. Raises NotFound, Forbidden."""
        if token is not None:
            require_owner(seat, token, self.scene)
        return facts_of(self.snapshot(seat), self.ruleset, self.number(seat), token, entries)

    # The past

    def replay(self, seat: Seat, start: int | None = None, limit: int = MAX_PAGE) -> ReplayPage:
        """Return the entries after one in a seat's view with the scene before them; the last ones for None.

        Raises NotFound.
        """
        return self._timeline.page(self._state, seat, start, limit)

    def past_overlays(
        self, seat: Seat, token: str, at: int, count: int, layers: Sequence[str] | None = None
    ) -> Iterator[Overlay | None]:
        """Yield the overlays of a token after the entry `at` and the next ones, up to `count`.

        One is None where the seat has no such token. Raises NotFound or Forbidden for the first.
        """
        before: Scene | None = None
        found: Overlay | None = None
        for number, (_, scene) in enumerate(self._timeline.moments(self._state, seat, at, count), at):
            if scene is not before:  # a note, say, changes nothing
                try:
                    require_owner(seat, token, scene)
                    found = self._views.past_overlay(scene, seat, token, number, layers)
                except (NotFound, Forbidden):
                    if number == at:
                        raise
                    found = None
            before = scene
            yield found and replace(found, seq=number)

    def battle_lines(self) -> Iterator[str]:
        """Yield the battle as JSON lines: the scene before the first entry, then each entry, for the GM."""
        start = self._timeline.scene_at(self._state, 0)
        yield msgspec.json.encode({"scene": start}).decode() + "\n"
        for entry in iter_entries(self._store.entries, self.id, 0, self._state.seq):
            yield msgspec.json.encode(entry).decode() + "\n"

    def past_scene(self, seat: Seat, at: int) -> Scene:
        """Return the whole scene after the entry `at` of a seat's view. Raises NotFound."""
        return self._timeline.moment(self._state, seat, at).scene

    def statistics(self, seat: Seat) -> BattleStatistics:
        """Return the statistics of the battle in a seat's view; a long log is counted in several calls."""
        tally = self._tallies.get(seat.key)
        if tally is None:
            if len(self._tallies) >= _TALLIES:
                self._tallies.pop(next(iter(self._tallies)))
            tally = self._tallies[seat.key] = Tally(self._timeline, self._rulesets, seat)
        return tally.answer(self._state)

    def export_log(self) -> Iterator[str]:
        """Yield the lines of the whole log as a file, with everything that the GM may know."""
        return export_log(self._store, self.id)

    # Images

    def add_asset(self, data: bytes, kind: str) -> str:
        """Store an image of this table under a new unguessable ID, and return the ID."""
        asset = secrets.token_urlsafe(18)
        self._store.add_asset(self.id, asset, kind, data)
        return asset

    def asset(self, asset: str) -> tuple[bytes, str]:
        """Return an image's bytes and media type. Raises NotFound."""
        found = self._store.asset(self.id, asset)
        if found is None:
            raise NotFound(localize("play.no_such_image"))
        return found[1], found[0]

    # The webhook

    @property
    def webhook(self) -> Webhook:
        """Return the webhook of the log and its progress; only the sender of posts needs it."""
        return self._state.webhook

    def update_webhook(self, was: Webhook, now: Webhook, text: str = "") -> bool:
        """Store the progress of the webhook; return False and change nothing if it is no longer `was`.

        A text becomes a log entry for the GM. Raises StoreDown, StaleBase.
        """
        with self._lock:
            if self._state.webhook != was:
                return False
            entry = system_entry(self._state, "webhook.stopped", text) if text else None
            self._save(GM, next_state(self._state, entry, webhook=now), entry, None)
        return True

    # Committed dice

    def prepare(self) -> None:
        """Finish an act that a crash interrupted after it took dice, and open chains of dice."""
        with self._lock, suppress(StaleBase):
            self._finish_interrupted()
            if self._committed:
                self._committed.open_if_needed()

    def process_contributions(self) -> bool:
        """Request or apply players' contributions to the dice if it is time; return whether it did."""
        with self._lock, suppress(StoreDown, StaleBase):
            return self._committed is not None and self._committed.process_contributions()
        return False

    def _dice_for(self, seat: Seat, command: Command) -> Dice:
        if isinstance(self._dice, Chains):
            return FairDice(partial(self._take_key, seat, command), rolled_before(self._state.pending))
        return self._dice.for_command(self.id, command.id)

    def _take_key(self, seat: Seat, command: Command) -> bytes:
        """Return the key of the dice now; the client must have seen the chain before it sends its bytes."""
        assert self._committed is not None
        if self._committed.open_if_needed():
            raise self._stale(seat, None)
        return self._committed.key(seat, command)

    def _cancel(self, pending: PendingAct) -> Decision:
        if self._committed:
            return self._committed.cancel(pending)
        return Decision(result={"cancelled": pending.choice["question"]})

    def _close(self, seat: Seat, command: Command, pending: PendingAct) -> None:
        """Store the commitments to all answers of a question, before the act continues with them."""
        if pending.closing is not None:
            return  # a crash came between, or physical dice were missing
        closing = ClosingCommand(seat.key, msgspec.to_builtins(command))
        sealed = commitments(self.id, pending, self.scene).closed()
        entry = closing_entry(self._state, sealed, is_secret=pending.is_secret)
        state = next_state(self._state, entry, pending=replace(pending, closing=closing))
        self._save(seat, state, entry, None)

    def _finish_interrupted(self) -> None:
        """Finish a command that was interrupted after it took dice or closed a question, with the same."""
        interrupted = self._interrupted()
        if interrupted is None:
            return
        seat, command = interrupted
        try:
            self._decide_and_save(seat, command, COMMANDS[command.kind])
        except (StoreDown, StaleBase):
            raise
        except Exception:
            log.exception("Table %s could not finish %s; its dice are void", self.id, command.id)

    def _interrupted(self) -> tuple[Seat, Command] | None:
        act, taken = self._state.pending, self._committed.pending_command if self._committed else None
        if act is not None and act.closing is not None:
            return seat_of(act.closing.seat), msgspec.convert(act.closing.command, Command)
        if taken is None or self._store.reply(self.id, taken.seat, taken.command["id"]):
            return None  # with a reply, the dice belong to the pending act, which waits for a choice
        return seat_of(taken.seat), msgspec.convert(taken.command, Command)

    def _player_name(self, player: str) -> str:
        member = self._store.members.member(self.id, player)
        return member.name if member and member.is_seated else ""

    def _save_dice(self, seat: Seat, state: TableState, entry: Entry | None) -> None:
        self._save(seat, state, entry, None)


def _is_routine(entry: Entry) -> bool:
    """Return whether an entry only records what comes in every round."""
    return is_about_contributions(entry.dice) or entry.kind == ANSWERS_SEALED
