"""What a seat is shown of a table, each from its own view: the whole, what is new, what a token could do."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from enfilade.play.command import ChainHead, Entries, Known, News, Snapshot, WebhookState, about
from enfilade.play.commands.webhook import state_of
from enfilade.play.redaction.choices import choice_for
from enfilade.play.redaction.scene import entry_for, view, words_for
from enfilade.rules.procedures import Act
from enfilade.rules.registry import Rulesets, ruleset_for
from enfilade.rules.ruleset import Offer, Ruleset
from enfilade.scene.apply import fold_all, inverse
from enfilade.scene.dice_notes import HiddenHead
from enfilade.scene.entry import TABLE_SEAT, Entry, RedactedEntry
from enfilade.scene.events import TABLE, SceneSet, TrackSet
from enfilade.scene.model import Scene
from enfilade.scene.seat import Seat
from enfilade.scene.state_hash import state_hash
from enfilade.store.protocol import Store, TableState, iter_entries
from enfilade.tactics.board_info import bars, bodies, can_change_regions, regions
from enfilade.tactics.overlays import Overlay, overlay
from enfilade.tactics.previews import Preview, preview
from enfilade.tactics.verdicts import Verdict, verdict

LOG_SHOWN = 200
"""How many entries a snapshot's log goes back."""

MOST_BEHIND = 300
"""How many entries of its view a seat may be behind and still be brought up to date one by one."""

HASHED_EVERY = 32
"""After how many entries of a view the hash of its scene is told."""

_VIEWS = 8
"""How many views of scenes are remembered: who looks at a table looks from few seats, at the same scene."""

_REMEMBERED = 64
"""How many of the last steps need not be read again from the store."""


class Step(NamedTuple):
    """An entry, and the scene before and after it."""

    entry: Entry
    before: Scene
    after: Scene


class Views:
    """What the seats of one table are shown. `kept` is always the table's row as it is at that moment."""

    def __init__(self, table: str, store: Store, rulesets: Rulesets, hosts: tuple[str, ...] = ()) -> None:
        """`hosts` are those that the server posts logs to."""
        self._table = table
        self._store = store
        self._rulesets = rulesets
        self._hosts = hosts
        self._last: deque[Step] = deque(maxlen=_REMEMBERED)
        self._hashes: dict[str, tuple[Scene, str]] = {}
        self._ruleset: tuple[Ruleset | None, dict[str, Any]] = (None, {})
        self._lie: tuple[Scene | None, dict[str, Any]] = (None, {})
        self._seen: deque[tuple[Scene, Seat, Scene]] = deque(maxlen=_VIEWS)

    @property
    def epoch(self) -> str:
        """64 random bits, as hex, with which alone a number means something: new when a log is restored."""
        return _epoch(self._store.epoch, self._table)

    def remember(self, step: Step) -> None:
        """Takes note of the step that led to the row as it is now."""
        is_next = self._last and self._last[-1].entry.seq == step.entry.seq - 1
        if not is_next or any(isinstance(event, SceneSet) for event in step.entry.events):
            self._last.clear()  # with a scene that was set there are two whole ones
        self._last.append(step)

    def place_of(self, kept: TableState, seat: Seat, known: Known) -> int | None:
        """Where in the table's log a seat stands that says what it knows; None where that is not to be used.

        So it is with another epoch, with too many entries since, and with another scene than the seat's.
        """
        now = kept.view_seq.of(seat, kept.seq)
        if known.epoch != self.epoch or not 0 <= now - known.number <= min(now, MOST_BEHIND):
            return None
        place = bisect_left(range(kept.seq + 1), known.number, key=lambda seq: self._number_at(seat, seq))
        if not known.hash:
            return place
        scene = self._scene_at(kept, place)
        return place if scene and known.hash == state_hash(view(scene, seat)) else None

    def is_only_of_dice(self, kept: TableState, seat: Seat, number: int) -> bool:
        """Whether all that a seat has not seen is what the table itself says of its dice."""
        place = self.place_of(kept, seat, Known(self.epoch, number))
        steps = None if place is None else self._steps(kept, place)
        if steps is None:
            return False
        return all(step.entry.seat == TABLE_SEAT for step in steps if step.entry.is_known_to(seat))

    def news(self, kept: TableState, seat: Seat, place: int | None, is_hash_due: bool) -> News:
        """What a seat has to be told that was last told of a place in the log; None: of nothing."""
        entries = None if place is None else self.entries_after(kept, seat, place, is_hash_due)
        return News(
            place=kept.seq,
            revision=kept.revision,
            number=kept.view_seq.of(seat, kept.seq),
            body=self.snapshot(kept, seat) if entries is None else entries,
        )

    def snapshot(self, kept: TableState, seat: Seat) -> Snapshot:
        """The table as a whole, as a seat may know it."""
        ruleset, scene = ruleset_for(self._rulesets, kept.scene), self._view(kept.scene, seat)
        return Snapshot(
            role=seat.role,
            seat=seat.id,
            scene=scene,
            log=tuple(self._latest(kept, seat)),
            choice=choice_for(kept.pending, kept.scene, seat, ruleset),
            ruleset=self._about(ruleset),
            dice=_chain_head(kept),
            regions=regions(ruleset, scene),
            **self._lie_of(ruleset, scene),
            webhook=self._webhook(kept, seat),
            hash=self._hash(kept, seat, scene),
        )

    def entries_after(self, kept: TableState, seat: Seat, place: int, is_hash_due: bool) -> Entries | None:
        """The entries after a place in the log that a seat knows of; None where there are too many."""
        if not 0 <= place <= kept.seq:
            return None
        number, now = self._number_at(seat, place), kept.view_seq.of(seat, kept.seq)
        if now - number > MOST_BEHIND:
            return None
        steps = self._steps(kept, place)
        if steps is None:
            return None
        seen = [self._told(step, seat) for step in steps if step.entry.is_known_to(seat)]
        ruleset, scene = ruleset_for(self._rulesets, kept.scene), self._view(kept.scene, seat)
        is_hash_due |= number // HASHED_EVERY != now // HASHED_EVERY or _ends_a_turn(seen)
        return Entries(
            entries=tuple(seen),
            choice=choice_for(kept.pending, kept.scene, seat, ruleset),
            regions=regions(ruleset, scene) if can_change_regions(seen) else None,
            **self._lie_of(ruleset, scene),
            webhook=self._webhook(kept, seat),
            hash=self._hash(kept, seat, scene) if is_hash_due else None,
        )

    def overlay(self, kept: TableState, seat: Seat, token: str, layers: Sequence[str] | None) -> Overlay:
        """A token's overlay, with the acts that the seat may do; raises NotFound."""
        ruleset, number = ruleset_for(self._rulesets, kept.scene), kept.view_seq.of(seat, kept.seq)
        found = overlay(ruleset, self._view(kept.scene, seat), token, number, layers)
        if seat.role == "gm" or not ruleset.gm_acts:
            return found
        return replace(found, targets=tuple(t for t in found.targets if t.act.kind not in ruleset.gm_acts))

    def verdict(self, kept: TableState, seat: Seat, token: str, target: str) -> Verdict:
        """What a token makes of a target; raises NotFound."""
        ruleset, number = ruleset_for(self._rulesets, kept.scene), kept.view_seq.of(seat, kept.seq)
        return verdict(ruleset, self._view(kept.scene, seat), token, target, number)

    def preview(self, kept: TableState, seat: Seat, act: Act) -> Preview:
        """What an act would bring; raises what refuses it."""
        ruleset = ruleset_for(self._rulesets, kept.scene)
        return preview(ruleset, self._view(kept.scene, seat), Offer(act, ruleset.acts.get(act.kind, "")))

    def _webhook(self, kept: TableState, seat: Seat) -> WebhookState | None:
        return state_of(kept.webhook, self._hosts) if seat.role == "gm" else None

    def _about(self, ruleset: Ruleset) -> dict[str, Any]:
        """What a front end needs to know of a ruleset, worked out once and not for everybody who joins."""
        known, told = self._ruleset
        if known is not ruleset:
            told = about(ruleset)
            self._ruleset = ruleset, told
        return told

    def _view(self, scene: Scene, seat: Seat) -> Scene:
        """The scene as a seat may know it, the very same as a moment ago where it is the very same scene."""
        if seat.role == "gm":
            return view(scene, seat)
        for known, looker, seen in self._seen:
            if known is scene and looker == seat:
                return seen
        seen = view(scene, seat)
        self._seen.appendleft((scene, seat, seen))
        return seen

    def _lie_of(self, ruleset: Ruleset, scene: Scene) -> dict[str, Any]:
        """The bodies and bars of a scene, worked out once for all seats that see the very same one."""
        known, lie = self._lie
        if known is not scene:
            lie = {"bodies": bodies(ruleset, scene), "bars": bars(ruleset, scene)}
            self._lie = scene, lie
        return lie

    def _hash(self, kept: TableState, seat: Seat, scene: Scene) -> str:
        known, found = self._hashes.get(seat.key, (None, ""))
        if known is not kept.scene:
            found = state_hash(scene)
            self._hashes[seat.key] = kept.scene, found
        return found

    def _latest(self, kept: TableState, seat: Seat) -> Sequence[RedactedEntry]:
        found: list[RedactedEntry] = []
        end, wanted = kept.seq, min(LOG_SHOWN, kept.view_seq.of(seat, kept.seq))
        while end and len(found) < wanted:
            start = max(0, end - LOG_SHOWN)
            entries = iter_entries(self._store.log_texts, self._table, start, end)
            known = [self._words(entry, seat) for entry in entries if entry.is_known_to(seat)]
            found[:0] = known
            end = start if known else self._last_known(seat, start)  # what is kept from a seat may be long
        return found[-LOG_SHOWN:]

    def _last_known(self, seat: Seat, place: int) -> int:
        """The place of the last entry up to one that a seat knows of; 0 for none."""
        number = self._number_at(seat, place)
        return bisect_left(range(place + 1), number, key=lambda seq: self._number_at(seat, seq))

    def _words(self, entry: Entry, seat: Seat) -> RedactedEntry:
        return words_for(entry, seat, self._undone_by(entry))

    def _told(self, step: Step, seat: Seat) -> RedactedEntry:
        before, after = (self._view(scene, seat) for scene in (step.before, step.after))
        return entry_for(step.entry, before, after, seat, self._undone_by(step.entry))

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

    def _scene_at(self, kept: TableState, place: int) -> Scene | None:
        steps = self._steps(kept, place)
        return None if steps is None else next((step.before for step in steps), kept.scene)

    def _steps(self, kept: TableState, place: int) -> Sequence[Step] | None:
        """The steps from a place in the log to the row as it is; None where they are too large for that."""
        if place == kept.seq:
            return []
        if self._last and self._last[-1].entry.seq == kept.seq and kept.seq - place <= len(self._last):
            return list(self._last)[place - kept.seq :]
        entries = self._store.entries(self._table, place, kept.seq - place)
        if len(entries) < kept.seq - place:
            return None
        scene = kept.scene
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


def _ends_a_turn(seen: Sequence[RedactedEntry]) -> bool:
    """Whether some entries count on the table's own tracks, as the round."""
    return any(isinstance(e, TrackSet) and e.holder == TABLE for entry in seen for e in entry.events)


def _chain_head(kept: TableState) -> ChainHead | None:
    if kept.dice is None:
        return None
    chained, secret = kept.dice, kept.hidden_dice
    hidden = HiddenHead(epoch=secret.epoch, head=secret.head, links=secret.links) if secret else None
    return ChainHead(
        epoch=chained.epoch,
        head=chained.head,
        links=chained.links,
        next=chained.next,
        hidden=hidden,
        players=kept.parts.players_hash,
    )
