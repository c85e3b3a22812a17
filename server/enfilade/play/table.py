"""A table: one game, who may do what at it, and in which order.

Append, then tell: what a command did is stored in one transaction before anybody hears of it.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Sequence
from threading import RLock

import msgspec
from msgspec.structs import replace

from enfilade.errors import Busy, Forbidden, IdReused, IllegalAct, NotFound, StaleBase
from enfilade.play.acts import answer_choice, do_act, move_token
from enfilade.play.command import Choice, Command, Done, Entries, Snapshot, about
from enfilade.play.deeds import DEEDS, Draft, Game
from enfilade.rules.dice import Dice, DiceBox
from enfilade.rules.procedures import Act
from enfilade.rules.registry import Rulesets, ruleset_for
from enfilade.rules.ruleset import Offer, Ruleset
from enfilade.scene.entry import Entry
from enfilade.scene.fold import fold_all, taken_back
from enfilade.scene.model import Scene
from enfilade.scene.view import Role, entry_for, is_secret, view, words_for
from enfilade.store.kept import Answered, Kept, OvertakenError, Store
from enfilade.tactics.lie_of_the_board import bodies, may_move_regions, regions
from enfilade.tactics.overlays import Overlay, overlay
from enfilade.tactics.previews import Preview, preview

LOG_SHOWN = 200
"""How many entries a snapshot's log goes back."""

MOST_BEHIND = 300
"""How many entries a seat may be behind and still be brought up to date one by one."""

UNDO_DEPTH = 100
"""How many entries can be taken back."""


class Table:
    """One game: its scene, its log, and what may be done at it."""

    def __init__(self, kept: Kept, store: Store, rulesets: Rulesets, dice: DiceBox) -> None:
        self._kept = kept
        self._store = store
        self._rulesets = rulesets
        self._dice = dice
        # One command at a time: where a store's driver lets other greenlets run, order still holds.
        self._lock = RLock()

    @property
    def id(self) -> str:
        """The table's id."""
        return self._kept.id

    @property
    def seq(self) -> int:
        """The number of the last entry in the log; 0 before the first."""
        return self._kept.seq

    @property
    def scene(self) -> Scene:
        """The whole scene, as the game master knows it."""
        return self._kept.scene

    @property
    def ruleset(self) -> Ruleset:
        """The game being played."""
        return ruleset_for(self._rulesets, self.scene)

    # What a seat sees

    def snapshot(self, role: Role) -> Snapshot:
        """The table as a whole, as a seat may know it."""
        log = self._store.entries(self.id, max(0, self.seq - LOG_SHOWN), LOG_SHOWN)
        return Snapshot(
            role=role,
            scene=view(self.scene, role),
            log=tuple(words_for(entry, role) for entry in log),
            choice=self._choice(role),
            ruleset=about(self.ruleset),
            regions=regions(self.ruleset, self.scene),
            bodies=bodies(self.ruleset, view(self.scene, role)),
        )

    def entries_after(self, role: Role, seq: int) -> Entries | None:
        """The entries after a place in the log, as a seat may know them; None where it is too far behind."""
        if not 0 <= seq <= self.seq or self.seq - seq > MOST_BEHIND:
            return None
        entries = self._store.entries(self.id, seq, self.seq - seq)
        scene = self.scene
        for entry in reversed(entries):
            scene = fold_all(scene, taken_back(entry.events))
        seen = []
        for entry in entries:
            after = fold_all(scene, entry.events)
            seen.append(entry_for(entry, scene, after, role))
            scene = after
        return Entries(
            entries=tuple(seen),
            choice=self._choice(role),
            regions=regions(self.ruleset, self.scene) if may_move_regions(seen) else None,
            bodies=bodies(self.ruleset, view(self.scene, role)),
        )

    def overlay(self, role: Role, token: str, layers: Sequence[str] | None = None) -> Overlay:
        """A token's overlay, worked out from what the seat may know; raises NotFound."""
        return overlay(self.ruleset, view(self.scene, role), token, self.seq, layers)

    def preview(self, role: Role, act: Act) -> Preview:
        """What an act would bring, worked out from what the seat may know; raises what refuses it."""
        return preview(self.ruleset, view(self.scene, role), Offer(act, self.ruleset.acts.get(act.kind, "")))

    def _choice(self, role: Role) -> Choice | None:
        if self._kept.pending is None or role != "gm":
            return None
        return msgspec.convert(self._kept.pending.choice, Choice)

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

    def perform(self, role: Role, command: Command) -> Done:
        """Does a command once, however often it is sent; stored before this returns. Raises EnfiladeError."""
        if command.kind == "act.preview":
            found = self.preview(role, msgspec.convert(command.body["act"], Act))
            return Done(seq=self.seq, result=msgspec.to_builtins(found))
        if role != "gm":
            raise Forbidden("Only the game master may do that.")
        with self._lock:
            known = self._store.answered(self.id, command.id)
            if known is not None:
                return _given_before(known, command)
            self._must_be_current(command)
            return self._keep(role, command, self._draft(command))

    def _must_be_current(self, command: Command) -> None:
        if self._kept.pending and command.kind not in ("choice.answer", "undo"):
            raise Busy(f"The table waits for an answer: {self._kept.pending.choice['question']}")
        if command.base is not None and command.base != self.seq:
            raise self._stale()

    def _stale(self) -> StaleBase:
        return StaleBase("The table has moved on; look again before you decide.", self.seq)

    def _draft(self, command: Command) -> Draft:
        game = Game(self._rulesets, self.scene)
        match command.kind:
            case "act":
                return do_act(game, command, self._dice_for(command.id))
            case "token.move":
                return move_token(game, command, self._dice_for(command.id))
            case "choice.answer":
                return answer_choice(game, command, self._kept.pending, self._dice_for(command.id))
            case "undo":
                return self._undo(command)
            case kind if kind in DEEDS:
                return DEEDS[kind](game, command.body)
        raise NotFound(f"A table does not do '{command.kind}'.")

    def _dice_for(self, command_id: str) -> Dice:
        return self._dice.for_command(self.id, command_id)

    def _undo(self, command: Command) -> Draft:
        """Takes back the last entry that still stands; where the table waits, only its question."""
        if self._kept.pending:
            return Draft(result={"cancelled": self._kept.pending.choice["question"]})
        last = self._kept.undoable[-1] if self._kept.undoable else None
        if last is None or command.body["seq"] not in (None, last):
            raise IllegalAct("Only the last entry that still stands can be taken back.")
        (entry,) = self._store.entries(self.id, last - 1, 1)
        events = tuple(taken_back(entry.events))
        return Draft(events=events, text=f"Taken back: {entry.text}", undoes=last, result={"undone": last})

    def _keep(self, role: Role, command: Command, draft: Draft) -> Done:
        after = fold_all(self.scene, draft.events)
        entry = self._entry(role, command, draft, after) if _is_told(draft) else None
        kept = replace(
            self._kept,
            seq=entry.seq if entry else self.seq,
            scene=after,
            revision=self._kept.revision + 1,
            pending=draft.pending,
            undoable=self._undoable(entry),
        )
        fingerprint = _fingerprint(command)
        answered = Answered(id=command.id, fingerprint=fingerprint, seq=kept.seq, result=draft.result)
        self._store_all(kept, entry, answered)
        return Done(seq=kept.seq, result=draft.result, entry=entry)

    def _store_all(self, kept: Kept, entry: Entry | None, answered: Answered) -> None:
        try:
            self._store.save(kept, entry, answered)
        except OvertakenError:
            # Another process serves this table too: catch up, and have the sender look again.
            self._kept = self._store.load(self.id) or self._kept
            raise self._stale() from None
        self._kept = kept

    def _entry(self, role: Role, command: Command, draft: Draft, after: Scene) -> Entry:
        return Entry(
            seq=self.seq + 1,
            id=command.id,
            seat=role,
            kind=command.kind,
            at_ms=int(time.time() * 1000),
            events=draft.events,
            text=draft.text,
            facts=draft.facts,
            undoes=draft.undoes,
            secret=is_secret(self.scene, after, draft.events, draft.text),
        )

    def _undoable(self, entry: Entry | None) -> tuple[int, ...]:
        if entry is None:
            return self._kept.undoable
        if entry.undoes is not None:
            return tuple(seq for seq in self._kept.undoable if seq != entry.undoes)
        return (*self._kept.undoable, entry.seq)[-UNDO_DEPTH:]


def _is_told(draft: Draft) -> bool:
    """Whether a draft goes into the log: it changes something, says something, or takes an entry back."""
    return bool(draft.events) or bool(draft.text) or draft.undoes is not None


def _fingerprint(command: Command) -> str:
    words = msgspec.json.encode([command.kind, command.body], order="deterministic")
    return hashlib.sha256(words).hexdigest()


def _given_before(known: Answered, command: Command) -> Done:
    if known.fingerprint != _fingerprint(command):
        raise IdReused("That command id was used for something else.")
    return Done(seq=known.seq, result=known.result)
