"""Messages of a table to a seat, computed from its view: snapshots and what is new since a log position."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from enfilade.play.command import (
    ChainHead,
    Delta,
    Entries,
    History,
    ReplicaPosition,
    Snapshot,
    WebhookState,
    ruleset_info,
)
from enfilade.play.redaction.choices import choice_for_seat
from enfilade.play.redaction.seat_tactics import SeatTactics
from enfilade.play.view import SeenScenes, redact_entry, redact_entry_text, view
from enfilade.rules.registry import Rulesets, ruleset_for
from enfilade.rules.ruleset import Ruleset
from enfilade.scene import scene_json
from enfilade.scene.apply import fold_all, inverse
from enfilade.scene.entry import TABLE_SEAT, Entry, RedactedEntry
from enfilade.scene.events import TABLE, SceneSet, TrackSet
from enfilade.scene.model import SPECTATOR, Scene, Seat
from enfilade.scene.proofs import HiddenHead
from enfilade.scene.scene_json import state_hash
from enfilade.store.protocol import Store, TableState, Webhook, iter_entries
from enfilade.tactics.overlays import bars, bodies, can_change_regions, regions, turn

LOG_SHOWN = 200
"""The number of entries in a snapshot's log."""

MAX_BEHIND = 300
"""The number of entries that a seat may be behind before it gets a snapshot."""

_MANY = 30
"""Number of entries from which a snapshot may be the smaller message; most updates have fewer entries."""

HASHED_EVERY = 32
"""The number of entries between two hashes of a view's scene."""

_REMEMBERED = 64
"""The number of last steps that need no read from the store."""


class Step(NamedTuple):
    """An entry, and the scene before and after it."""

    entry: Entry
    before: Scene
    after: Scene


class Views:
    """The views of one table; `state` is always the table's state at that moment."""

    def __init__(self, table: str, store: Store, rulesets: Rulesets, hosts: tuple[str, ...] = ()) -> None:
        """`hosts` are those that the server posts logs to."""
        self._table = table
        self._store = store
        self._rulesets = rulesets
        self._hosts = hosts
        self._last: deque[Step] = deque(maxlen=_REMEMBERED)
        self._hashes: dict[str, tuple[Scene, str]] = {}
        self._ruleset: tuple[Ruleset | None, dict[str, Any]] = (None, {})
        self._info: tuple[Scene | None, dict[str, Any]] = (None, {})
        self._knowing: tuple[TableState | None, int, frozenset[str] | None] = (None, 0, None)
        self._view = SeenScenes()
        self.tactics = SeatTactics(rulesets, self._view)

    @property
    def epoch(self) -> str:
        """Return 64 random bits in hexadecimal that give entry numbers their meaning; new after a restore."""
        return _epoch(self._store.epoch, self._table)

    def remember(self, step: Step) -> None:
        """Record the step that led to the current state."""
        is_next = self._last and self._last[-1].entry.seq == step.entry.seq - 1
        if not is_next or any(isinstance(event, SceneSet) for event in step.entry.events):
            self._last.clear()  # with a scene that was set there are two whole ones
        self._last.append(step)

    def log_position(self, state: TableState, seat: Seat, known: ReplicaPosition) -> int | None:
        """Return the log position of a client's replica; None if it is unusable.

        It is unusable with another epoch, with too many entries since, or with another scene than the seat's.
        """
        now = state.view_seq.of(seat, state.seq)
        if known.epoch != self.epoch or not 0 <= now - known.number <= min(now, MAX_BEHIND):
            return None
        place = bisect_left(range(state.seq + 1), known.number, key=lambda seq: self._number_at(seat, seq))
        if not known.hash:
            return place
        scene = self._scene_at(state, place)
        return place if scene and known.hash == state_hash(view(scene, seat)) else None

    def number_at(self, seat: Seat, place: int) -> int:
        """Return the number of the last entry in a seat's view up to a log position."""
        return self._number_at(seat, place)

    def is_only_about_dice(self, state: TableState, seat: Seat, number: int) -> bool:
        """Return whether all entries that a seat has not seen are the table's own, about its dice."""
        place = self.log_position(state, seat, ReplicaPosition(self.epoch, number))
        steps = None if place is None else self._steps(state, place)
        if steps is None:
            return False
        known = [step.entry for step in steps if step.entry.is_known_to(seat)]
        return all(entry.seat == TABLE_SEAT and not entry.events for entry in known)

    def audience(self, state: TableState, seat: Seat, place: int | None) -> Seat:
        """Return a seat that gets the very same entries: a spectator's if a player knows no more."""
        if seat.role != "player" or place is None or state.pending is not None:
            return seat
        known, at, knowing = self._knowing
        if known is not state or at != place:
            knowing = self._players_knowing_more(state, place)
            self._knowing = state, place, knowing
        is_alike = knowing is not None and seat.id not in knowing and not state.view_seq.known.get(seat.key)
        return SPECTATOR if is_alike else seat

    def _players_knowing_more(self, state: TableState, place: int) -> frozenset[str] | None:
        """Return the players who may learn more of the entries after a position than a spectator, by ID.

        None if any player may.
        """
        steps = self._steps(state, place)
        if steps is None or any(one.secret or one.sealed or one.undoes for one, _, _ in steps):
            return None
        scenes = [state.scene, *[step.before for step in steps]]
        return frozenset().union(*map(self._view.with_own, scenes))

    def scene(self, state: TableState, seat: Seat) -> Scene:
        """Return the scene as a seat may know it."""
        return self._view(state.scene, seat)

    def delta(self, state: TableState, seat: Seat, place: int | None, is_hash_due: bool) -> Delta:
        """Return what a seat is missing since a log position; everything for None."""
        entries = None if place is None else self.entries_after(state, seat, place, is_hash_due)
        if entries is not None and len(entries.entries) >= _MANY:
            entries = self._unless_larger(entries, state, seat)
        return Delta(
            place=state.seq,
            revision=state.revision,
            number=state.view_seq.of(seat, state.seq),
            body=self.snapshot(state, seat) if entries is None else entries,
        )

    def _unless_larger(self, entries: Entries, state: TableState, seat: Seat) -> Entries | None:
        """Return entries; None if the snapshot takes fewer bytes."""
        whole = scene_json.encode(self.snapshot(state, seat), "deterministic")
        return entries if len(scene_json.encode(entries, "deterministic")) <= len(whole) else None

    def snapshot(self, state: TableState, seat: Seat) -> Snapshot:
        """Return the whole table in a seat's view."""
        ruleset, scene = ruleset_for(self._rulesets, state.scene), self._view(state.scene, seat)
        return Snapshot(
            role=seat.role,
            seat=seat.id,
            scene=scene,
            log=tuple(self._latest(state, seat)),
            choice=choice_for_seat(state.pending, state.scene, seat, ruleset),
            ruleset=self._ruleset_info(ruleset),
            dice=_chain_head(state),
            regions=regions(ruleset, scene),
            **self._board_info(ruleset, scene),
            webhook=self._webhook(state, seat),
            history=_history(state, seat),
            hash=self._hash(state, seat, scene),
        )

    def entries_after(self, state: TableState, seat: Seat, place: int, is_hash_due: bool) -> Entries | None:
        """Return the entries after a log position in a seat's view; None if there are too many."""
        if not 0 <= place <= state.seq:
            return None
        number, now = self._number_at(seat, place), state.view_seq.of(seat, state.seq)
        if now - number > MAX_BEHIND:
            return None
        steps = self._steps(state, place)
        if steps is None:
            return None
        seen = [self._redacted(step, seat) for step in steps if step.entry.is_known_to(seat)]
        ruleset, scene = ruleset_for(self._rulesets, state.scene), self._view(state.scene, seat)
        is_hash_due |= number // HASHED_EVERY != now // HASHED_EVERY or _is_new_turn(seen)
        return Entries(
            entries=tuple(seen),
            choice=choice_for_seat(state.pending, state.scene, seat, ruleset),
            regions=regions(ruleset, scene) if can_change_regions(seen) else None,
            **self._board_info(ruleset, scene),
            webhook=self._webhook(state, seat),
            history=_history(state, seat),
            hash=self._hash(state, seat, scene) if is_hash_due else None,
        )

    def _webhook(self, state: TableState, seat: Seat) -> WebhookState | None:
        return webhook_state(state.webhook, self._hosts) if seat.role == "gm" else None

    def _ruleset_info(self, ruleset: Ruleset) -> dict[str, Any]:
        """Return what a front end needs of a ruleset, computed once."""
        known, info = self._ruleset
        if known is not ruleset:
            info = ruleset_info(ruleset)
            self._ruleset = ruleset, info
        return info

    def _board_info(self, ruleset: Ruleset, scene: Scene) -> dict[str, Any]:
        """Return the bodies, bars and turn of a scene, computed once for all seats with the same view."""
        known, info = self._info
        if known is not scene:
            info = {
                "bodies": bodies(ruleset, scene),
                "bars": bars(ruleset, scene),
                "turn": turn(ruleset, scene),
            }
            self._info = scene, info
        return info

    def _hash(self, state: TableState, seat: Seat, scene: Scene) -> str:
        known, found = self._hashes.get(seat.key, (None, ""))
        if known is not state.scene:
            found = state_hash(scene)
            self._hashes[seat.key] = state.scene, found
        return found

    def _latest(self, state: TableState, seat: Seat) -> Sequence[RedactedEntry]:
        found: list[RedactedEntry] = []
        end, wanted = state.seq, min(LOG_SHOWN, state.view_seq.of(seat, state.seq))
        while end and len(found) < wanted:
            start = max(0, end - LOG_SHOWN)
            entries = iter_entries(self._store.log_texts, self._table, start, end)
            known = [self._redacted_text(entry, seat) for entry in entries if entry.is_known_to(seat)]
            found[:0] = known
            end = start if known else self._last_known(seat, start)  # a seat may lack many entries in a row
        return found[-LOG_SHOWN:]

    def _last_known(self, seat: Seat, place: int) -> int:
        """Return the position of the last entry up to one that a seat knows; 0 for none."""
        number = self._number_at(seat, place)
        return bisect_left(range(place + 1), number, key=lambda seq: self._number_at(seat, seq))

    def _redacted_text(self, entry: Entry, seat: Seat) -> RedactedEntry:
        return redact_entry_text(entry, seat, self._undone_by(entry))

    def _redacted(self, step: Step, seat: Seat) -> RedactedEntry:
        before, after = (self._view(scene, seat) for scene in (step.before, step.after))
        return redact_entry(step.entry, before, after, seat, self._undone_by(step.entry))

    def _undone_by(self, entry: Entry) -> Entry | None:
        return None if entry.undoes is None else self._entry(entry.undoes)

    def _number_at(self, seat: Seat, seq: int) -> int:
        return seq if seat.role == "gm" or seq == 0 else self._entry(seq).number(seat)

    def _entry(self, seq: int) -> Entry:
        first = self._last[0].entry.seq if self._last else seq + 1
        if 0 <= seq - first < len(self._last):
            return self._last[seq - first].entry
        (entry,) = self._store.entries(self._table, seq - 1, 1)
        return entry

    def _scene_at(self, state: TableState, place: int) -> Scene | None:
        steps = self._steps(state, place)
        return None if steps is None else next((step.before for step in steps), state.scene)

    def _steps(self, state: TableState, place: int) -> Sequence[Step] | None:
        """Return the steps from a log position to the current state; None if they are too large."""
        if place == state.seq:
            return []
        if self._last and self._last[-1].entry.seq == state.seq and state.seq - place <= len(self._last):
            return [self._last[at] for at in range(place - state.seq, 0)]  # nearly always the last one alone
        entries = self._store.entries(self._table, place, state.seq - place)
        if len(entries) < state.seq - place:
            return None
        scene = state.scene
        for entry in reversed(entries):
            scene = fold_all(scene, inverse(entry.events))
        steps = []
        for entry in entries:
            steps.append(Step(entry, scene, fold_all(scene, entry.events)))
            scene = steps[-1].after
        return steps


@lru_cache(maxsize=1_024)
def _epoch(store: str, table: str) -> str:
    return hashlib.sha256(f"{store} {table}".encode()).hexdigest()[:16]


def _is_new_turn(seen: Sequence[RedactedEntry]) -> bool:
    """Return whether some entries change the table's own tracks, like the round."""
    return any(isinstance(e, TrackSet) and e.holder == TABLE for entry in seen for e in entry.events)


def _history(state: TableState, seat: Seat) -> History | None:
    """Return what undo and redo can reach, for the GM alone."""
    if seat.role != "gm":
        return None
    return History(
        undo=state.undoable[-1] if state.undoable else None,
        redo=state.redoable[-1].seq if state.redoable else None,
        first=state.undoable[0] if state.undoable else None,
    )


def _chain_head(state: TableState) -> ChainHead | None:
    if state.dice is None:
        return None
    chained, secret = state.dice, state.hidden_dice
    hidden = HiddenHead(epoch=secret.epoch, head=secret.head, links=secret.links) if secret else None
    return ChainHead(
        epoch=chained.epoch,
        head=chained.head,
        links=chained.links,
        next=chained.next,
        hidden=hidden,
        players=state.parts.players_hash,
    )


def webhook_state(webhook: Webhook, hosts: tuple[str, ...]) -> WebhookState | None:
    """Return what the GM may know of a webhook, which is never its URL; None without webhooks."""
    if not hosts and not webhook.url:
        return None
    return WebhookState(
        hosts=hosts,
        host=webhook.host,
        outcome=webhook.outcome,
        at_ms=webhook.at_ms,
        is_stopped=webhook.is_stopped,
    )
