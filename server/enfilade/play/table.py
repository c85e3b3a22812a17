"""A table: one game, its commands in order, stored before any client hears of them."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

import msgspec
from msgspec.structs import replace

from enfilade.errors import NotFound, OtherProcess, StaleBase, StoreDown
from enfilade.i18n import localize
from enfilade.play.command import Command, CommandResult, ReplicaPosition
from enfilade.play.commands.registry import COMMANDS, CommandSpec
from enfilade.play.context import CommandContext, Decision, TableAccess
from enfilade.play.dice.chains import Chains, rolled_before
from enfilade.play.dice.session import CommittedDice
from enfilade.play.linked_tokens import Links, share_hit_points
from enfilade.play.log.entries import build_entry, closing_entry, next_state, system_entry
from enfilade.play.log.history import next_history
from enfilade.play.log.replies import build_reply, repeat_reply
from enfilade.play.permissions import require_permission, require_role
from enfilade.play.readable_table import ReadableTable
from enfilade.play.redaction.choices import busy_error, commitments
from enfilade.play.redaction.views import Step
from enfilade.rules.dice import Dice, DiceBox
from enfilade.rules.fair import FairDice
from enfilade.rules.registry import Rulesets
from enfilade.scene.apply import fold_all
from enfilade.scene.entry import Entry
from enfilade.scene.seat import GM, Seat, seat_of
from enfilade.store.protocol import (
    ClosingCommand,
    ConflictError,
    PendingAct,
    Store,
    StoredReply,
    TableState,
    Webhook,
)
from enfilade.time_budget import UnmeteredRLock, checkpoint

log = logging.getLogger(__name__)
OnSaving = Callable[[TableState], None]
"""Called with a state that is about to be stored."""


class Table(ReadableTable):
    """One game: its scene, its log, and the commands that it accepts."""

    def __init__(
        self,
        state: TableState,
        store: Store,
        rulesets: Rulesets,
        dice: DiceBox | Chains,
        hosts: Sequence[str] = (),
    ) -> None:
        super().__init__(state, store, rulesets, tuple(hosts))
        self._dice = dice
        self._links: Links = ()
        self._committed = (
            CommittedDice(dice, lambda: self._state, self._save_dice, self._player_name)
            if isinstance(dice, Chains)
            else None
        )
        # One command at a time, even if the store's driver lets other greenlets run.
        self._lock = UnmeteredRLock()

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
                seq=self.number(seat), result=msgspec.to_builtins(self.answer(seat, command))
            )
        with self._lock:
            self._finish_interrupted()
            reply = self._store.reply(self.id, seat.key, command.id)
            if reply is not None:
                return repeat_reply(reply, command, seat)
            require_permission(seat, command, self.scene, self._state.pending, self.ruleset, spec.check)
            self._require_current(seat, command, spec)
            return self._decide_and_save(seat, command, spec, on_saving)

    def link_tokens(self, links: Links) -> None:
        """Have the tokens of each group share hit points, until the tabletop names other groups.

        They are not stored: the tabletop names them again with its scene after every reconnect.
        """
        self._links = links

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
        shared = share_hit_points(self.ruleset, self.scene, after, self._links) if self._links else ()
        if shared:
            decision = replace(decision, events=(*decision.events, *shared))
            after = fold_all(after, shared)
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

    def _save_dice(self, seat: Seat, state: TableState, entry: Entry | None) -> None:
        self._save(seat, state, entry, None)
