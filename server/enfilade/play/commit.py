"""Commits: what a decision stores at once, an entry, the table's next state and the reply.

Nothing here stores. `Table.execute` does, and then calls those who watch what has changed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import is_not
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from enfilade.errors import IdReused
from enfilade.i18n import localize
from enfilade.play.command import Command, CommandResult, fingerprint
from enfilade.play.context import Decision
from enfilade.play.hidden_map import lift_by_sight, shade
from enfilade.play.redaction.choices import choice_for_seat
from enfilade.play.view import (
    can_read,
    common_owners,
    hidden_tokens_in,
    is_about_hidden_ground,
    seats_that_know,
)
from enfilade.rules.profiles import migrated_scene
from enfilade.rules.ruleset import Ruleset
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.apply import fold_all
from enfilade.scene.entry import TABLE_SEAT, Entry, PublicText
from enfilade.scene.events import AnyEvent, DrawingsSet, SceneSet, TrackSet
from enfilade.scene.model import Scene, Seat, Token
from enfilade.scene.proofs import AnyChainNote, IndexUsed, SealedAnswers
from enfilade.store.protocol import Migration, StoredReply, TableState, UndoneEntry


def follow_ups(
    ruleset: Ruleset, before: Scene, after: Scene, events: Sequence[AnyEvent]
) -> Iterator[AnyEvent]:
    """Yield what follows from other events: units lift the fog, and drawings of a past round go.

    They belong to the same entry, and undo takes back both.
    """
    yield from lift_by_sight(before, after, events)
    if after.drawings and any(drawing.round for drawing in after.drawings):
        now = ruleset.turn(after).round
        past = tuple(one for one in after.drawings if one.round and one.round < now)
        if past and ruleset.turn(before).round != now:
            yield DrawingsSet(erased=past)


UNDO_DEPTH = 100
"""The number of entries that can be undone."""

ANSWERS_SEALED = "answers.sealed"
"""The kind of an entry with commitments."""

MIGRATED = "ruleset.migrated"
"""The kind of an entry that brought profiles to a new version of the ruleset."""


class Commit(NamedTuple):
    """A table's row before and after, with the entry and the reply that are stored with it."""

    before: TableState
    after: TableState
    entry: Entry | None = None
    reply: StoredReply | None = None


class Listener(NamedTuple):
    """Called after a commit is stored, if a part of the row that it watches is another one now.

    It may answer with what the table is to store next.
    """

    watched: Callable[[TableState], tuple[object, ...]]
    call: Callable[[Commit], Commit | None]

    def is_concerned(self, commit: Commit) -> bool:
        """Return whether a watched part has changed."""
        return any(map(is_not, self.watched(commit.before), self.watched(commit.after)))


def plan(
    state: TableState,
    seat: Seat,
    command: Command,
    decision: Decision,
    ruleset: Ruleset,
    links: Links = (),
    chains: Mapping[str, Any] = {},
) -> Commit:
    """Return what a decision stores; `chains` are the dice chains that it frees."""
    checkpoint()
    after = fold_all(state.scene, decision.events)
    shared: tuple[AnyEvent, ...] = share_hit_points(ruleset, state.scene, after, links) if links else ()
    if decision.undoes is None:
        shared = (*shared, *follow_ups(ruleset, state.scene, fold_all(after, shared), decision.events))
    if shared:
        decision = replace(decision, events=(*decision.events, *shared))
        after = fold_all(after, shared)
    entry = build_entry(state, seat, command, decision, after)
    undoable, redoable = next_history(state, entry)
    following = next_state(
        state,
        entry,
        scene=after,
        pending=decision.pending,
        undoable=undoable,
        redoable=redoable,
        webhook=decision.webhook or state.webhook,
        **chains,
    )
    checkpoint()  # a whole scene takes milliseconds in each of these steps
    return Commit(state, following, entry, _reply(seat, command, decision, entry, following, ruleset))


def repeat_reply(known: StoredReply, command: Command, seat: Seat) -> CommandResult:
    """Return the stored result of a repeated command. Raises IdReused if the command differs."""
    if known.fingerprint != fingerprint(command, seat):
        raise IdReused(localize("play.id_reused"))
    return CommandResult(seq=known.seq, result=known.result, is_again=True)


def _reply(
    seat: Seat, command: Command, decision: Decision, entry: Entry | None, state: TableState, ruleset: Ruleset
) -> StoredReply:
    """Return the reply to a command, to store with its effect; `state` is the table's state after it."""
    return StoredReply(
        seat=seat.key,
        id=command.id,
        fingerprint=fingerprint(command, seat),
        seq=state.view_seq.of(seat, state.seq),
        result=_as_stored(_result(seat, decision, entry, state.scene, ruleset)),
    )


def _result(
    seat: Seat, decision: Decision, entry: Entry | None, after: Scene, ruleset: Ruleset
) -> dict[str, Any]:
    """Return the result for the sender; empty if the sender may not read the entry's text."""
    if decision.pending and not decision.events:
        waiting = msgspec.to_builtins(choice_for_seat(decision.pending, after, seat, ruleset))
        return {"waiting": waiting, **decision.result}
    return decision.result if entry is None or entry.plain or can_read(entry, seat) else {}


def _as_stored(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result as the store returns it, so that a repeated reply is identical."""
    return dict(msgspec.json.decode(msgspec.json.encode(result, order="sorted")))


def build_entry(
    state: TableState, seat: Seat, command: Command, decision: Decision, after: Scene
) -> Entry | None:
    """Return the entry of a command; None if the command changes and says nothing."""
    if not (decision.events or decision.text or decision.undoes is not None):
        return None
    readers = common_owners(hidden_tokens_in(state.scene, after, decision.events, decision.text))
    is_secret = (
        decision.secret or _is_hidden_roll(decision.dice) or not _is_for_all(state.scene, after, decision)
    )
    entry = Entry(
        seq=state.seq + 1,
        id=command.id,
        seat=seat.key,
        kind=command.kind,
        at_ms=now_ms(),
        events=decision.events,
        text=decision.text,
        facts=decision.facts,
        undoes=decision.undoes,
        secret=is_secret,
        readers=(() if decision.secret else readers) if decision.readers is None else decision.readers,
        dice=decision.dice,
        sealed=decision.sealed,
        plain=None if decision.secret or _is_hidden_roll(decision.dice) or not is_secret else decision.plain,
        own=decision.own,
        shown=decision.shown,
        request=decision.request,
    )
    return _numbered(state, entry, after)


def _is_for_all(before: Scene, after: Scene, decision: Decision) -> bool:
    """Return whether all seats may read the decision's own text."""
    if decision.plain is not None:
        return decision.plain == PublicText(text=decision.text, facts=decision.facts)
    names_hidden = bool(hidden_tokens_in(before, after, decision.events, decision.text))
    return not (
        decision.is_unseen or names_hidden or is_about_hidden_ground(before, [decision.text, decision.facts])
    )


def system_entry(state: TableState, kind: str, text: str, dice: AnyChainNote | None = None) -> Entry:
    """Return an entry by the table itself: about open dice for all seats, else for the GM."""
    is_secret = dice is None or _is_hidden_roll(dice)
    said = Entry(
        seq=state.seq + 1,
        id=f"{kind}-{state.seq + 1}",
        seat=TABLE_SEAT,
        kind=kind,
        at_ms=now_ms(),
        text=text,
        secret=is_secret,
        dice=dice,
    )
    return _numbered(state, said, state.scene)


def closing_entry(state: TableState, sealed: SealedAnswers, *, is_secret: bool) -> Entry:
    """Return the entry with the commitments to the answers of a question, for the seats that know of one."""
    owners = {reader for one in sealed.answers for reader in one.readers or ()}
    is_for_all = not is_secret and any(one.readers is None for one in sealed.answers)
    entry = Entry(
        seq=state.seq + 1,
        id=f"{ANSWERS_SEALED}-{state.seq + 1}",
        seat=TABLE_SEAT,
        kind=ANSWERS_SEALED,
        at_ms=now_ms(),
        text=localize("play.answers_sealed"),
        secret=not is_for_all,
        readers=() if is_for_all or is_secret else tuple(sorted(owners)),
        sealed=(sealed,),
    )
    return _numbered(state, entry, state.scene)


def migration(state: TableState, ruleset: Ruleset) -> Commit | None:
    """Return the entry that brings the profiles of a table to its ruleset's version; None if they have it.

    Undo ends there: what it would bring back has the older shape. Raises OldProfile.
    """
    version = state.version_at(state.seq)
    if version == ruleset.version:
        return None
    after = migrated_scene(ruleset, state.scene, version)
    entry = Entry(
        seq=state.seq + 1,
        id=f"{MIGRATED}-{state.seq + 1}",
        seat=TABLE_SEAT,
        kind=MIGRATED,
        at_ms=now_ms(),
        events=() if after == state.scene else (SceneSet(scene=after, was=state.scene),),
        text=localize("play.migrated", title=ruleset.title),
        secret=True,
    )
    entry = _numbered(state, entry, after)
    migrations = (*state.migrations, Migration(entry.seq, ruleset.version))
    changes: dict[str, Any] = {"scene": after, "undoable": (), "redoable": (), "migrations": migrations}
    return Commit(state, next_state(state, entry, **changes), entry)


def _is_hidden_roll(dice: AnyChainNote | None) -> bool:
    return isinstance(dice, IndexUsed) and dice.is_hidden


def next_state(state: TableState, entry: Entry | None, **changes: Any) -> TableState:
    """Return the table's next state, with or without a new entry."""
    position = {"seq": entry.seq, "view_seq": entry.numbers} if entry else {}
    return replace(state, revision=state.revision + 1, **position, **changes)


def _numbered(state: TableState, entry: Entry, after: Scene) -> Entry:
    knowing = seats_that_know(entry, state.scene, after)
    return replace(entry, known_to=knowing, numbers=state.view_seq.after(knowing))


def now_ms() -> int:
    """Return the wall clock in milliseconds since 1970."""
    return int(time.time() * 1000)


def next_history(state: TableState, entry: Entry | None) -> tuple[tuple[int, ...], tuple[UndoneEntry, ...]]:
    """Return the entries that can be undone and redone after an entry; the next of each is last.

    The history begins with the battle: to set up an empty board starts it anew, so that undo never takes away
    the map under an untouched battle.
    """
    undoable, redoable = state.undoable, state.redoable
    if entry is None or not (entry.events or entry.undoes):
        return undoable, redoable
    if entry.undoes is None:
        kept = () if entry.starts_battle else (*undoable, entry.seq)[-UNDO_DEPTH:]
        return kept, ()
    if redoable and redoable[-1].by == entry.undoes:
        return (*undoable, redoable[-1].seq), redoable[:-1]
    left = tuple(seq for seq in undoable if seq != entry.undoes)
    return left, (*redoable, UndoneEntry(seq=entry.undoes, by=entry.seq))


Links = tuple[frozenset[str], ...]
"""Groups of tokens that share hit points, by their IDs."""


def share_hit_points(ruleset: Ruleset, before: Scene, after: Scene, links: Links) -> tuple[TrackSet, ...]:
    """Return the events that give the tokens of each group the same hit points after a change.

    Hidden tokens share with hidden ones only: an entry that names a hidden token is secret.
    """
    return tuple(
        event
        for group in links
        for is_hidden in (False, True)
        for event in _equalize(ruleset, _members(before, group, is_hidden), _members(after, group, is_hidden))
    )


def _members(scene: Scene, group: frozenset[str], is_hidden: bool) -> dict[str, Token]:
    return {
        token.id: token for token in shade(scene).tokens if token.id in group and token.hidden == is_hidden
    }


def _equalize(ruleset: Ruleset, before: dict[str, Token], after: dict[str, Token]) -> Iterator[TrackSet]:
    """Yield the events that give all the number that has changed, the lowest if several have.

    A token that comes gets the number of those that are there.
    """
    if len(after) < 2:
        return
    bars = {name: bar for name, token in after.items() if (bar := ruleset.bar(token))}
    now = {name: after[name].track(bar.track, bar.most) for name, bar in bars.items()}
    was = {name: before[name].track(bars[name].track, bars[name].most) for name in now if name in before}
    if len(set(now.values())) < 2:
        return
    changed = [now[name] for name in was if now[name] != was[name]]
    points = min(changed or [now[name] for name in was] or now.values())
    for name, bar in bars.items():
        if now[name] != points and points <= bar.most:
            yield TrackSet(holder=name, track=bar.track, value=points, was=after[name].tracks.get(bar.track))
