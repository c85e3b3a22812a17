"""A table: one game, its commands in order, stored before any client hears of them."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from enfilade.errors import NotFound, OtherProcess, StaleBase, StoreDown, TooMany
from enfilade.i18n import localize
from enfilade.play.command import Command, CommandResult, ReplicaPosition
from enfilade.play.commands.registry import COMMANDS, CommandSpec
from enfilade.play.commit import (
    Commit,
    Links,
    Listener,
    closing_entry,
    migration,
    next_state,
    plan,
    repeat_reply,
    system_entry,
)
from enfilade.play.context import (
    ClosingFirst,
    CommandContext,
    Decision,
    LazyDice,
    LinkFirst,
    TableAccess,
)
from enfilade.play.dice import WATCHED, Chains, CommittedDice
from enfilade.play.permissions import require_permission, require_role
from enfilade.play.readable_table import ReadableTable
from enfilade.play.redaction.choices import busy_error, commitments
from enfilade.play.redaction.views import Step
from enfilade.rules.dice import Dice, DiceBox
from enfilade.rules.registry import Rulesets, is_stand_in, require_installed
from enfilade.runtime.time_budget import UnmeteredRLock
from enfilade.scene.model import GM, Seat, seat_of
from enfilade.store.protocol import (
    ClosingCommand,
    ConflictError,
    PendingAct,
    Store,
    TableState,
    Webhook,
)

log = logging.getLogger(__name__)
OnSaving = Callable[[TableState], None]
"""Called with a state that is about to be stored."""


def new_asset_id() -> str:
    """Return an unguessable ID for a new image."""
    return secrets.token_urlsafe(18)


class Table(ReadableTable):
    """One game: its scene, its log, and the commands that it accepts."""

    def __init__(
        self,
        state: TableState,
        store: Store,
        rulesets: Rulesets,
        dice: DiceBox | Chains,
        hosts: Sequence[str] = (),
        max_bytes: int = 0,
    ) -> None:
        """`max_bytes` is what the table may take when a picture is added; 0 for any number."""
        super().__init__(state, store, rulesets, tuple(hosts))
        self._dice = dice
        self._max_bytes = max_bytes
        self._links: Links = ()
        self._listeners: list[Listener] = []
        self._committed: CommittedDice | None = None
        if isinstance(dice, Chains):
            self._committed = CommittedDice(dice)
            self._listeners.append(Listener(WATCHED, self._committed.on_commit))
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
        require_installed(self.ruleset)
        with self._lock:
            if self._state.is_interrupted:
                self._finish_interrupted()
            reply = self._store.reply(self.id, seat.key, command.id)
            if reply is not None:
                return repeat_reply(reply, command, seat)
            require_permission(seat, command, self.scene, self._state.pending, self.ruleset, spec.check)
            self._require_current(seat, command, spec)
            return self._execute(seat, command, spec, on_saving)

    def listen(self, listener: Listener) -> None:
        """Call a listener after each commit from now on that changes what it watches."""
        self._listeners.append(listener)

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

    def _execute(
        self, seat: Seat, command: Command, spec: CommandSpec, on_saving: OnSaving | None = None
    ) -> CommandResult:
        """Decide, then store, then tell those who watch."""
        try:
            commit = self._planned(seat, command, self._decide(seat, command, spec))
        except (StoreDown, StaleBase, OtherProcess):
            raise  # dice that were taken stay taken, and roll the same when the command is tried again
        except Exception:
            if self._committed and self._state.rolling:
                self._store_if_due(self._committed.voided(self._state, seat, command))
            raise
        if on_saving:
            on_saving(commit.after)
        self._store_commit(seat, commit)
        with suppress(StoreDown, StaleBase, OtherProcess):  # the command itself is stored
            self._call_listeners(commit)
        assert commit.reply is not None
        return CommandResult(seq=commit.reply.seq, result=commit.reply.result, entry=commit.entry)

    def _decide(self, seat: Seat, command: Command, spec: CommandSpec) -> Decision:
        """Return the decision on a command; first store what it needs before it can be made."""
        assert spec.handler is not None
        while True:
            access = TableAccess(self._state, self._store, self._dice_for(seat, command), self._hosts)
            try:
                return spec.handler(CommandContext(self._rulesets, self.scene, seat, access), command)
            except LinkFirst:
                self._take_link(seat, command)
            except ClosingFirst as first:
                self._close(seat, command, first.pending)

    def _take_link(self, seat: Seat, command: Command) -> None:
        """Store the link that a command takes; its client must have seen the chain before."""
        assert self._committed is not None
        if self._store_if_due(self._committed.opened(self._state)):
            raise self._stale(seat, None)
        self._store_commit(seat, self._committed.taken(self._state, seat, command))

    def _planned(self, seat: Seat, command: Command, decision: Decision) -> Commit:
        chains: Mapping[Any, Any] = {}
        if self._committed and self._state.rolling:
            chains, note = self._committed.settled(self._state, decision)
            decision = replace(decision, dice=note or decision.dice)
        return plan(self._state, seat, command, decision, self.ruleset, self._links, chains)

    def _store_commit(self, seat: Seat, commit: Commit) -> None:
        try:
            self._store.save(commit.after, commit.entry, commit.reply)
        except ConflictError:
            # Another process serves this table too: load its state, and let the client decide again.
            self._state = self._store.load(self.id) or self._state
            raise self._stale(seat, None) from None
        if commit.entry is not None:
            self._views.remember(Step(commit.entry, commit.before.scene, commit.after.scene))
        self._state = commit.after

    def _call_listeners(self, commit: Commit) -> None:
        """Call those that watch what a commit has changed, and store what they want stored."""
        for listener in self._listeners:
            if listener.is_concerned(commit):
                self._store_if_due(listener.call(commit))

    def _store_if_due(self, commit: Commit | None) -> bool:
        """Store what the table itself has to say; return whether there was anything."""
        if commit is None:
            return False
        self._store_commit(GM, commit)
        self._call_listeners(commit)
        return True

    # Images

    def add_asset(self, data: bytes, kind: str) -> str:
        """Store an image of this table under a new unguessable ID, and return the ID.

        Raises TooMany if the table takes more bytes with it than a table may.
        """
        if self._max_bytes and self._store.bytes_of(self.id) + len(data) > self._max_bytes:
            raise TooMany(localize("play.table_bytes", limit=self._max_bytes // 2**20))
        asset = new_asset_id()
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
            state = next_state(self._state, entry, webhook=now)
            self._store_commit(GM, Commit(self._state, state, entry))
        return True

    # Committed dice

    def prepare(self) -> None:
        """Finish an act that a crash interrupted after it took dice, and open chains of dice.

        First bring the profiles to the version of the ruleset. A table without its ruleset stays as it is.
        """
        if is_stand_in(self.ruleset):
            return
        with self._lock, suppress(StaleBase):
            self._store_if_due(migration(self._state, self.ruleset))
            self._finish_interrupted()
            if self._committed:
                self._store_if_due(self._committed.opened(self._state))

    def _dice_for(self, seat: Seat, command: Command) -> Dice:
        del seat  # for tests that put other dice here
        if self._committed is not None:
            return LazyDice(partial(self._committed.of_command, self._state))
        return cast(DiceBox, self._dice).for_command(self.id, command.id)

    def _close(self, seat: Seat, command: Command, pending: PendingAct) -> None:
        """Store the commitments to all answers of a question."""
        closing = ClosingCommand(seat.key, msgspec.to_builtins(command))
        sealed = commitments(self.id, pending, self.scene).closed()
        entry = closing_entry(self._state, sealed, is_secret=pending.is_secret)
        state = next_state(self._state, entry, pending=replace(pending, closing=closing))
        self._store_commit(seat, Commit(self._state, state, entry))

    def _finish_interrupted(self) -> None:
        """Finish a command that was interrupted after it took dice or closed a question, with the same."""
        interrupted = self._interrupted()
        if interrupted is None:
            return
        seat, command = interrupted
        try:
            self._execute(seat, command, COMMANDS[command.kind])
        except (StoreDown, StaleBase):
            raise
        except Exception:
            log.exception("Table %s could not finish %s; its dice are void", self.id, command.id)

    def _interrupted(self) -> tuple[Seat, Command] | None:
        act, taken = self._state.pending, self._state.rolling
        if act is not None and act.closing is not None:
            return seat_of(act.closing.seat), msgspec.convert(act.closing.command, Command)
        if taken is None or self._store.reply(self.id, taken.seat, taken.command["id"]):
            return None  # with a reply, the dice belong to the pending act, which waits for a choice
        return seat_of(taken.seat), msgspec.convert(taken.command, Command)
