"""A table: one game, who may do what at it, and in which order.

Append, then tell: what a command did is stored in one transaction before anybody hears of it.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator, Sequence
from contextlib import suppress

import msgspec
from msgspec.structs import replace

from enfilade.errors import IllegalAct, NotFound, StaleBase, StoreDown
from enfilade.play.command import Command, Done, Entries, Known, News, Snapshot
from enfilade.play.commands.acts import answer_choice, do_act, move_token
from enfilade.play.commands.edits import DEEDS, Draft, Game, give_tokens, undone
from enfilade.play.commands.scene_sync import bring_in_step
from enfilade.play.commands.webhook import set_webhook, try_webhook
from enfilade.play.dice.chains import Chains, fallen_before
from enfilade.play.dice.contributions import taken_part
from enfilade.play.dice.reveal import show_roll
from enfilade.play.dice.session import Rolling
from enfilade.play.log.entries import entry_of, now_ms, own_entry, row_after, undoable_after
from enfilade.play.log.export import log_file
from enfilade.play.log.replies import answer_to, given_before
from enfilade.play.permissions import (
    WHILE_WAITING,
    must_be_allowed,
    must_be_for_seat,
    must_be_own,
    must_be_own_act,
)
from enfilade.play.redaction.choices import busy
from enfilade.play.redaction.scene import words_for
from enfilade.play.views import Step, Views
from enfilade.rules.dice import Dice, DiceBox
from enfilade.rules.fair import FairDice
from enfilade.rules.procedures import Act
from enfilade.rules.registry import Rulesets, ruleset_for
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.apply import fold_all
from enfilade.scene.dice_notes import is_about_contributions
from enfilade.scene.entry import Entry
from enfilade.scene.model import Scene
from enfilade.scene.seat import GM, Seat, seat_of
from enfilade.store.protocol import ConflictError, Store, StoredReply, TableState, Webhook, iter_entries
from enfilade.tactics.overlays import Overlay
from enfilade.tactics.previews import Preview
from enfilade.tactics.verdicts import Verdict
from enfilade.time_budget import UnmeteredRLock

log = logging.getLogger(__name__)

QUESTIONS = frozenset({"act.preview", "verdict.ask"})
"""What changes nothing, and is answered at once by what the seat may know."""


class Table:
    """One game: its scene, its log, and what may be done at it."""

    def __init__(
        self,
        kept: TableState,
        store: Store,
        rulesets: Rulesets,
        dice: DiceBox | Chains,
        hosts: Sequence[str] = (),
    ) -> None:
        self._kept = kept
        self._store = store
        self._rulesets = rulesets
        self._dice = dice
        self._rolling = (
            Rolling(dice, lambda: self._kept, self._keep_for_dice, self._name_of)
            if isinstance(dice, Chains)
            else None
        )
        self._hosts = tuple(hosts)
        self._views = Views(kept.id, store, rulesets, self._hosts)
        # One command at a time: where a store's driver lets other greenlets run, order still holds.
        self._lock = UnmeteredRLock()

    @property
    def id(self) -> str:
        """The table's id."""
        return self._kept.id

    @property
    def seq(self) -> int:
        """The number of the last entry in the log; 0 before the first."""
        return self._kept.seq

    @property
    def epoch(self) -> str:
        """What the numbers of entries belong to; another one where the log was restored."""
        return self._views.epoch

    @property
    def revision(self) -> int:
        """How often the table was stored: it stands still as long as nothing at all changes."""
        return self._kept.revision

    @property
    def scene(self) -> Scene:
        """The whole scene, as the game master knows it."""
        return self._kept.scene

    @property
    def ruleset(self) -> Ruleset:
        """The game being played."""
        return ruleset_for(self._rulesets, self.scene)

    # What a seat sees

    def number(self, seat: Seat) -> int:
        """The number of the last entry that a seat knows of, as its own view counts them."""
        return self._kept.view_seq.of(seat, self.seq)

    def place_of(self, seat: Seat, known: Known) -> int | None:
        """Where in the log a seat stands that says what it knows; None where it must be told all anew."""
        return self._views.place_of(self._kept, seat, known)

    def news(self, seat: Seat, place: int | None, is_hash_due: bool = False) -> News:
        """What a seat has to be told that was last told of a place in the log; None: of nothing."""
        return self._views.news(self._kept, seat, place, is_hash_due)

    def snapshot(self, seat: Seat) -> Snapshot:
        """The table as a whole, as a seat may know it."""
        return self._views.snapshot(self._kept, seat)

    def entries_after(self, seat: Seat, place: int) -> Entries | None:
        """What a seat knows of the entries after a place in the log; None where there are too many."""
        return self._views.entries_after(self._kept, seat, place, is_hash_due=False)

    def words_after(self, seat: Seat, place: int, most: int) -> Sequence[tuple[int, str]]:
        """At most so many places in the log after one, each with its words, empty where the seat has none.

        What the players put into the dice is left out: it is for who checks them, and comes with every round.
        """
        entries = self._store.entries(self.id, place, most)
        return [(e.seq, "" if is_about_contributions(e.dice) else words_for(e, seat).text) for e in entries]

    def overlay(self, seat: Seat, token: str, layers: Sequence[str] | None = None) -> Overlay:
        """A token's overlay, worked out from what the seat may know; raises NotFound, Forbidden."""
        must_be_own(seat, token, self.scene)
        return self._views.overlay(self._kept, seat, token, layers)

    def preview(self, seat: Seat, act: Act) -> Preview:
        """What an act would bring, worked out from what the seat may know; raises what refuses it."""
        must_be_own_act(seat, msgspec.to_builtins(act), self.scene, self.ruleset)
        return self._views.preview(self._kept, seat, act)

    def verdict(self, seat: Seat, token: str, target: str) -> Verdict:
        """What a token makes of a target, from what the seat may know; raises NotFound, Forbidden."""
        must_be_own(seat, token, self.scene)
        return self._views.verdict(self._kept, seat, token, target)

    def log_file(self) -> Iterator[str]:
        """The lines of the whole log as a file, with all that a game master may know."""
        return log_file(self._store, self.id)

    def add_asset(self, data: bytes, kind: str) -> str:
        """Keeps an image of this table under a new id that nobody can guess."""
        asset = secrets.token_urlsafe(18)
        self._store.add_asset(self.id, asset, kind, data)
        return asset

    def asset(self, asset: str) -> tuple[bytes, str]:
        """An image's bytes and kind; raises NotFound."""
        found = self._store.asset(self.id, asset)
        if found is None:
            raise NotFound("There is no such image at this table.")
        return found[1], found[0]

    # What a seat does

    def execute(self, seat: Seat, command: Command) -> Done:
        """Does a command once, however often it is sent; stored before this returns. Raises EnfiladeError."""
        must_be_allowed(seat, command.kind)
        if command.kind in QUESTIONS:
            return Done(seq=self.number(seat), result=msgspec.to_builtins(self._answered(seat, command)))
        with self._lock:
            return self._performed(seat, command)

    def _answered(self, seat: Seat, command: Command) -> Preview | Verdict:
        if command.kind == "verdict.ask":
            return self.verdict(seat, **command.body)
        return self.preview(seat, msgspec.convert(command.body["act"], Act))

    def _performed(self, seat: Seat, command: Command) -> Done:
        self._finish_begun()
        known = self._store.reply(self.id, seat.key, command.id)
        if known is not None:
            return given_before(known, command, seat)
        must_be_for_seat(seat, command, self.scene, self._kept.pending, self.ruleset)
        self._must_be_current(seat, command)
        return self._done(seat, command)

    def _done(self, seat: Seat, command: Command) -> Done:
        try:
            return self._keep(seat, command, self._draft(seat, command))
        except (StoreDown, StaleBase):
            raise  # dice that were taken stay taken, and fall the same way when it is tried again
        except Exception:
            if self._rolling:
                self._rolling.void(seat, command)
            raise

    def _must_be_current(self, seat: Seat, command: Command) -> None:
        if self._kept.pending and command.kind not in WHILE_WAITING:
            raise busy(self._kept.pending, self.scene, seat, self.ruleset)
        base = command.base
        if base is None or base == self.number(seat) or self._views.is_only_of_dice(self._kept, seat, base):
            return
        raise self._stale(seat, base)

    def _stale(self, seat: Seat, base: int | None) -> StaleBase:
        """The refusal of what was decided on an older scene, with what its sender has missed since."""
        place = None if base is None else self.place_of(seat, Known(self.epoch, base))
        missing = None if place is None else self.entries_after(seat, place)
        sentence = "The table has moved on; look again before you decide."
        return StaleBase(sentence, self.number(seat), missing)

    def _draft(self, seat: Seat, command: Command) -> Draft:
        game = Game(self._rulesets, self.scene, seat)
        match command.kind:
            case "act":
                return do_act(game, command, self._dice_for(seat, command))
            case "token.move":
                return move_token(game, command, self._dice_for(seat, command))
            case "choice.answer":
                return answer_choice(game, command, self._kept.pending, self._dice_for(seat, command))
            case "undo":
                return self._undo(command)
            case "dice.part":
                return self._taken_part(seat, **command.body)
            case kind if kind in DEEDS:
                return DEEDS[kind](game, command.body)
            case _:
                return self._outside_draft(game, command)

    def _outside_draft(self, game: Game, command: Command) -> Draft:
        """What a command comes to that is about who plays, who is told, and where the scene comes from."""
        match command.kind:
            case "scene.sync":
                return bring_in_step(game, command.body)
            case "webhook.set":
                return set_webhook(command.body["url"], self._hosts, self.seq)
            case "webhook.test":
                return try_webhook(self._kept.webhook)
            case "tokens.give":
                draft = give_tokens(game, command.body, self._player(**command.body))
                return replace(draft, pending=self._kept.pending)
            case "dice.show":
                since = iter_entries(self._store.log_texts, self.id, command.body["seq"] - 1, self.seq)
                return show_roll(self.scene, next(since, None), since)
        raise NotFound(f"A table does not do '{command.kind}'.")

    def _player(self, player: str, tokens: Sequence[str]) -> str:
        """A player's name; who has left can only have tokens taken back. Raises NotFound."""
        member = self._store.members.member(self.id, player)
        if member is None and tokens:
            raise NotFound("There is no such player at this table.")
        return member.name if member else "Somebody who has left"

    def _dice_for(self, seat: Seat, command: Command) -> Dice:
        if isinstance(self._dice, Chains):
            rolling = self._rolling
            assert rolling is not None
            return FairDice(lambda: self._take(rolling, seat, command), fallen_before(self._kept.pending))
        return self._dice.for_command(self.id, command.id)

    def _taken_part(self, seat: Seat, give: str | None, next: str | None) -> Draft:
        """A player's part in the dice; whatever waits goes on waiting."""
        parts = taken_part(self._kept.parts, self.id, seat.id, give, next, now_ms())
        return Draft(parts=parts, pending=self._kept.pending)

    def _undo(self, command: Command) -> Draft:
        """Takes back the last entry that still stands; where the table waits, only its question."""
        pending = self._kept.pending
        if pending:
            result = {"cancelled": pending.choice["question"]}
            return self._rolling.called_off(pending) if self._rolling else Draft(result=result)
        last = self._kept.undoable[-1] if self._kept.undoable else None
        if last is None or command.body["seq"] not in (None, last):
            raise IllegalAct("Only the last entry that still stands can be taken back.")
        (entry,) = self._store.entries(self.id, last - 1, 1)
        return undone(entry)

    def _keep(self, seat: Seat, command: Command, draft: Draft) -> Done:
        after = fold_all(self.scene, draft.events)
        chains, note = self._rolling.settled(draft) if self._rolling else ({}, None)
        draft = replace(draft, dice=note or draft.dice)
        entry = entry_of(self._kept, seat, command, draft, after)
        kept = row_after(
            self._kept,
            entry,
            scene=after,
            pending=draft.pending,
            undoable=undoable_after(self._kept, entry),
            webhook=draft.webhook or self._kept.webhook,
            parts=draft.parts or self._kept.parts,
            **chains,
        )
        answered = answer_to(seat, command, draft, entry, kept, self.ruleset)
        self._store_all(seat, kept, entry, answered)
        self._tend_dice()
        return Done(seq=answered.seq, result=answered.result, entry=entry)

    def _store_all(
        self, seat: Seat, kept: TableState, entry: Entry | None, answered: StoredReply | None
    ) -> None:
        try:
            self._store.save(kept, entry, answered)
        except ConflictError:
            # Another process serves this table too: catch up, and have the sender look again.
            self._kept = self._store.load(self.id) or self._kept
            raise self._stale(seat, None) from None
        if entry is not None:
            self._views.remember(Step(entry, self.scene, kept.scene))
        self._kept = kept

    # The webhook

    @property
    def webhook(self) -> Webhook:
        """Where this table's log is posted, and how far that has come: for who posts it alone."""
        return self._kept.webhook

    def keep_webhook(self, was: Webhook, now: Webhook, text: str = "") -> bool:
        """Notes how far the webhook has come; False, and nothing is done, where it is no longer as it was.

        With a text the game master, and nobody else, finds it in the log. Raises StoreDown, StaleBase.
        """
        with self._lock:
            if self._kept.webhook != was:
                return False
            entry = own_entry(self._kept, "webhook.stopped", text) if text else None
            self._store_all(GM, row_after(self._kept, entry, webhook=now), entry, None)
        return True

    # Dice that are committed to beforehand

    def prepare(self) -> None:
        """Finishes an act that a crash broke off once its dice were taken, and has chains of dice ready."""
        with self._lock, suppress(StaleBase):
            self._finish_begun()
            if self._rolling:
                self._rolling.open_where_needed()

    def tend_parts(self) -> bool:
        """Asks for the players' parts in the dice, or has them go in, where it is time; whether it did."""
        with self._lock, suppress(StoreDown, StaleBase):
            return self._rolling is not None and self._rolling.tend_parts()
        return False

    def _tend_dice(self) -> None:
        with suppress(StoreDown, StaleBase):  # the command is done, whatever becomes of what comes next
            if self._rolling and not self._rolling.open_where_needed():
                self._rolling.tend_parts()

    def _take(self, rolling: Rolling, seat: Seat, command: Command) -> bytes:
        """The key of the dice that fall now. Chains must have been shown before a client sends its bytes."""
        if rolling.open_where_needed():
            raise self._stale(seat, None)
        return rolling.key(seat, command)

    def _finish_begun(self) -> None:
        """Does to the end what was broken off after its dice were taken, with the same dice."""
        intake = self._rolling.intake if self._rolling else None
        if intake is None or self._store.reply(self.id, intake.seat, intake.command["id"]):
            return  # answered: it is a choice's turn, and the intake is the waiting act's
        try:
            self._done(seat_of(intake.seat), msgspec.convert(intake.command, Command))
        except (StoreDown, StaleBase):
            raise
        except Exception:
            log.exception("Table %s could not finish %s; its dice are void", self.id, intake.command["id"])

    def _name_of(self, player: str) -> str:
        member = self._store.members.member(self.id, player)
        return member.name if member and member.is_seated else ""

    def _keep_for_dice(self, seat: Seat, kept: TableState, entry: Entry | None) -> None:
        self._store_all(seat, kept, entry, None)
