"""A table: one game, and everything a seat can do at it.

Append, then tell: what a command did is stored in one transaction before anybody hears of it.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Sequence
from threading import RLock
from typing import Any

import msgspec
from msgspec.structs import replace

from enfilade.errors import BadMessage, Busy, Forbidden, IdReused, IllegalAct, NotFound, StaleBase
from enfilade.play.command import Choice, Command, Done, Entries, Snapshot
from enfilade.play.setup import entering, is_on_board, prepared
from enfilade.rules.dice import Dice
from enfilade.rules.house_rules import must_be_settings
from enfilade.rules.performing import Answers, WaitingError, perform
from enfilade.rules.procedures import Act, Choose
from enfilade.rules.registry import Rulesets, ruleset_for
from enfilade.rules.ruleset import Offer, Ruleset
from enfilade.scene import events as ev
from enfilade.scene.entry import Entry, explained
from enfilade.scene.fold import fold_all, taken_back
from enfilade.scene.model import Scene, Side, Token, Value
from enfilade.scene.view import Role, entry_for, is_secret, view, words_for
from enfilade.store.kept import Answered, Kept, Pending, Store
from enfilade.tactics.overlays import Overlay, overlay
from enfilade.tactics.previews import Preview, preview

LOG_SHOWN = 200
"""How many entries a snapshot's log goes back."""

MOST_BEHIND = 300
"""How many entries a seat may be behind and still be brought up to date one by one."""

UNDO_DEPTH = 100
"""How many entries can be taken back."""


class Draft(Value, frozen=True, kw_only=True):
    """What a command is about to do; nothing of it has happened yet."""

    events: tuple[ev.AnyEvent, ...] = ()
    text: str = ""
    facts: dict[str, Any] = {}
    result: dict[str, Any] = {}
    undoes: int | None = None
    pending: Pending | None = None


class Table:
    """One game: its scene, its log, and what may be done at it."""

    def __init__(self, kept: Kept, store: Store, rulesets: Rulesets, dice: Dice) -> None:
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
        return Entries(entries=tuple(seen), choice=self._choice(role))

    def overlay(self, role: Role, token: str, layers: Sequence[str] | None = None) -> Overlay:
        """A token's overlay, worked out from what the seat may know; raises NotFound."""
        return overlay(self.ruleset, view(self.scene, role), token, self.seq, layers)

    def preview(self, role: Role, act: Act) -> Preview:
        """What an act would bring, worked out from what the seat may know; raises what refuses it."""
        return preview(self.ruleset, view(self.scene, role), Offer(act, self.ruleset.acts.get(act.kind, "")))

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
            found = self.preview(role, _act(command.body["act"]))
            return Done(seq=self.seq, result=msgspec.to_builtins(found))
        if role != "gm":
            raise Forbidden("Only the game master may do that.")
        with self._lock:
            known = self._store.answered(self.id, command.id)
            if known is not None:
                return _given_before(known, command)
            self._must_be_current(command)
            return self._keep(role, command, _DEEDS[command.kind](self, command))

    def _must_be_current(self, command: Command) -> None:
        if self._kept.pending and command.kind not in ("choice.answer", "undo"):
            raise Busy(f"The table waits for an answer: {self._kept.pending.choice['question']}")
        if command.base is not None and command.base != self.seq:
            raise StaleBase("The table has moved on; look again before you decide.", self.seq)

    def _keep(self, role: Role, command: Command, draft: Draft) -> Done:
        after = fold_all(self.scene, draft.events)
        entry = self._entry(role, command, draft, after) if draft.events else None
        seq = self.seq + 1 if entry else self.seq
        undoable = self._undoable(entry)
        kept = replace(self._kept, seq=seq, scene=after, pending=draft.pending, undoable=undoable)

        answered = Answered(id=command.id, fingerprint=_fingerprint(command), seq=seq, result=draft.result)
        self._store.save(kept, entry, answered)
        self._kept = kept
        return Done(seq=seq, result=draft.result, entry=entry)

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
            secret=is_secret(self.scene, after, draft.events),
        )

    def _undoable(self, entry: Entry | None) -> tuple[int, ...]:
        if entry is None:
            return self._kept.undoable
        if entry.undoes is not None:
            return tuple(seq for seq in self._kept.undoable if seq != entry.undoes)
        return (*self._kept.undoable, entry.seq)[-UNDO_DEPTH:]

    def _set_scene(self, command: Command) -> Draft:
        given = msgspec.convert(command.body["scene"], Scene)
        scene = prepared(ruleset_for(self._rulesets, given), given)
        event = ev.SceneSet(scene=scene, was=self.scene)
        return Draft(events=(event,), text=f"The scene is now {scene.name or 'a new map'}.")

    def _set_sides(self, command: Command) -> Draft:
        sides = msgspec.convert(command.body["sides"], tuple[Side, ...])
        missing = {token.side for token in self.scene.tokens} - {side.id for side in sides}
        if missing:
            names = ", ".join(sorted(missing))
            raise BadMessage({"body.sides": [f"Miniatures of {names} are in the scene."]})

        names = ", ".join(side.name for side in sides)
        return Draft(events=(ev.SidesSet(sides=sides, was=self.scene.sides),), text=f"The sides are {names}.")

    def _set_rules(self, command: Command) -> Draft:
        chosen, enforcement = command.body["house_rules"], command.body["enforcement"]
        must_be_settings(chosen, self.ruleset.house_rules)
        event = ev.RulesSet(
            house_rules=chosen,
            enforcement=enforcement,
            was_house_rules=self.scene.house_rules,
            was_enforcement=self.scene.enforcement,
        )
        return Draft(events=(event,), text=f"House rules were set; the table is to {enforcement}.")

    def _place_token(self, command: Command) -> Draft:
        token = entering(self.ruleset, self.scene, msgspec.convert(command.body["token"], Token))
        was = next((t for t in self.scene.tokens if t.id == token.id), None)
        verb = "is edited" if was else "joins the battle"
        return Draft(events=(ev.TokenPlaced(token=token, was=was),), text=f"{token.name} {verb}.")

    def _remove_token(self, command: Command) -> Draft:
        token = self.scene.token(command.body["token"])
        return Draft(events=(ev.TokenRemoved(was=token),), text=f"{token.name} leaves the battle.")

    def _set_door(self, command: Command) -> Draft:
        door = self.scene.wall(command.body["wall"])
        state = command.body["state"]
        if door.door == "none":
            raise IllegalAct("That is a wall and not a door.")
        event = ev.DoorSet(wall=door.id, state=state, was=door.state)
        return Draft(events=(event,), text=f"A door is {'opened' if state == 'open' else state}.")

    def _move_token(self, command: Command) -> Draft:
        body, token = command.body, self.scene.token(command.body["token"])
        at, facing = tuple(body["at"]), body.get("facing", token.facing)
        if not is_on_board(self.scene, at):
            raise BadMessage({"body.at": ["That is off the board."]})
        ruling = self.ruleset.judge(self.scene, token, at, facing)
        if not ruling.allowed and self.scene.enforcement == "enforce" and not body["override"]:
            raise IllegalAct(" ".join(ruling.reasons))
        draft = self._resolve(command, Act(kind="move", token=token.id, at=at, facing=facing), Answers())
        overridden = not ruling.allowed and body["override"]
        facts = {**draft.facts, "override": True} if overridden else draft.facts
        text = f"By the game master's word: {draft.text}" if overridden else draft.text
        return replace(draft, text=text, facts=facts, result={"ruling": msgspec.to_builtins(ruling)})

    def _do_act(self, command: Command) -> Draft:
        act, faces = _act(command.body["act"]), command.body["faces"]
        if act.kind not in self.ruleset.acts or act.kind == "move":
            raise NotFound(f"{self.ruleset.title} has no act '{act.kind}'.")
        return self._resolve(command, act, self._answers(faces or (), (), faces is not None))

    def _answer(self, command: Command) -> Draft:
        pending = self._kept.pending
        if pending is None or pending.id != command.body["choice"]:
            raise NotFound("Nobody asked that.")
        act = msgspec.convert(pending.act, Act)
        faces = (*pending.faces, *(command.body["faces"] or ()))
        decisions = (*pending.decisions, command.body["answer"])
        return self._resolve(command, act, self._answers(faces, decisions, pending.are_typed))

    def _answers(self, faces: Sequence[Any], decisions: Sequence[str], are_typed: bool) -> Answers:
        dice = None if are_typed else self._dice
        return Answers(faces, decisions, dice, self._decide, are_typed)

    def _decide(self, choice: Choose) -> str | None:
        return choice.default if self.scene.side(choice.side).has("automatic") else None

    def _resolve(self, command: Command, act: Act, answers: Answers) -> Draft:
        try:
            done = perform(self.scene, self.ruleset.procedures[act.kind], (act,), answers)
        except WaitingError as waiting:
            pending = _pending(command, act, waiting)
            return Draft(pending=pending, result={"waiting": pending.choice})
        return Draft(
            events=tuple(done.events),
            text=self.ruleset.narrate(self.scene, done.events),
            facts=explained(done.events),
            result={"outcome": msgspec.to_builtins(done.result)},
        )

    def _undo(self, command: Command) -> Draft:
        if self._kept.pending:
            return Draft(result={"cancelled": self._kept.pending.choice["question"]})
        last = self._kept.undoable[-1] if self._kept.undoable else None
        if last is None or command.body["seq"] not in (None, last):
            raise IllegalAct("Only the last entry that still stands can be taken back.")
        (entry,) = self._store.entries(self.id, last - 1, 1)
        events = tuple(taken_back(entry.events))
        return Draft(events=events, text=f"Taken back: {entry.text}", undoes=last, result={"undone": last})

    def _choice(self, role: Role) -> Choice | None:
        if self._kept.pending is None or role != "gm":
            return None
        return msgspec.convert(self._kept.pending.choice, Choice)


_DEEDS: dict[str, Callable[[Table, Command], Draft]] = {
    "scene.set": Table._set_scene,
    "sides.set": Table._set_sides,
    "rules.set": Table._set_rules,
    "token.place": Table._place_token,
    "token.remove": Table._remove_token,
    "token.move": Table._move_token,
    "door.set": Table._set_door,
    "act": Table._do_act,
    "choice.answer": Table._answer,
    "undo": Table._undo,
}


def about(ruleset: Ruleset) -> dict[str, Any]:
    """What a front end needs to know of a ruleset: its catalogue, its options, the form of a profile."""
    return {
        "key": ruleset.key,
        "title": ruleset.title,
        "catalogue": msgspec.to_builtins(ruleset.catalogue),
        "house_rules": msgspec.to_builtins(ruleset.house_rules),
        "acts": [{"kind": kind, "label": label} for kind, label in ruleset.acts.items()],
        "profile_schema": msgspec.json.schema(ruleset.profile),
        "tracks": dict(ruleset.tracks),
        "conditions": dict(ruleset.conditions),
    }


def _act(body: dict[str, Any]) -> Act:
    return msgspec.convert(body, Act)


def _pending(command: Command, act: Act, waiting: WaitingError) -> Pending:
    asked = waiting.choice
    choice = Choice(
        id=secrets.token_urlsafe(9),
        side=asked.side,
        question=asked.question,
        options=asked.answers,
        default=asked.default,
    )
    return Pending(
        id=choice.id,
        command_id=command.id,
        act=msgspec.to_builtins(act),
        faces=tuple(waiting.given.used_faces),
        decisions=tuple(waiting.given.used_decisions),
        are_typed=waiting.given.are_typed,
        choice=msgspec.to_builtins(choice),
    )


def _fingerprint(command: Command) -> str:
    words = msgspec.json.encode([command.kind, command.body], order="deterministic")
    return hashlib.sha256(words).hexdigest()


def _given_before(known: Answered, command: Command) -> Done:
    if known.fingerprint != _fingerprint(command):
        raise IdReused("That command id was used for something else.")
    return Done(seq=known.seq, result=known.result)
