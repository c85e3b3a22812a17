"""The scene and its entries in a seat's view, by allow-list.

The GM knows everything, a spectator what is visible, a player that and their own tokens.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from enfilade.play.changes import small_changes
from enfilade.play.hidden_map import (
    ground_out_of_fog,
    shade,
    unknown_doors,
    walls_out_of_fog,
    walls_without_secret_doors,
)
from enfilade.rules.battle.memo import identity_cache
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene import events as ev
from enfilade.scene.entry import TABLE_SEAT, Entry, RedactedEntry
from enfilade.scene.model import GM, SPECTATOR, Holder, Scene, Seat, Terrain, Token, Wall, walls_in_order
from enfilade.scene.proofs import AnyChainNote, IndexHidden, IndexSealed, IndexUsed, for_seat

MOST_SEEN = 8
"""The number of views that are kept: few seats look at the same scene."""

H = TypeVar("H", bound=Holder)
N = TypeVar("N", Token, Terrain)
T = TypeVar("T")


def view(scene: Scene, seat: Seat) -> Scene:
    """Return the scene in a seat's view; the same value if nothing is hidden."""
    if seat.role == "gm":
        return scene
    drawn = _without_own_of_gm(scene)
    if not has_secrets(drawn):
        return _with_walls_in_order(without_units(drawn))
    return _in_fog(_without_secrets(drawn, seat))


class SeenScenes:
    """The scenes of a table in the views of its seats; the same value for the same scene."""

    def __init__(self) -> None:
        self._seen: deque[tuple[Scene, frozenset[str], Seat, Scene]] = deque(maxlen=MOST_SEEN)
        """Each scene, the players with hidden tokens in it, a seat, and what that sees."""

    def __call__(self, scene: Scene, seat: Seat) -> Scene:
        """Return the scene in a seat's view."""
        if seat.role == "gm":
            return view(scene, seat)
        for known, owners, looker, seen in self._seen:
            if known is scene and looker == _looker(seat, owners):
                return seen
        owners = _owners_of_hidden(scene)
        looker = _looker(seat, owners)
        seen = view(scene, looker)
        self._seen.appendleft((scene, owners, looker, seen))
        return seen

    def with_own(self, scene: Scene) -> frozenset[str]:
        """Return the players whose view of a scene is another value than a spectator's."""
        for known, owners, _, _ in self._seen:
            if known is scene:
                return owners
        return _owners_of_hidden(scene)


def _owners_of_hidden(scene: Scene) -> frozenset[str]:
    return frozenset(owner for token in scene.tokens if token.hidden for owner in token.owners)


def _looker(seat: Seat, owners: frozenset[str]) -> Seat:
    """Return the seat whose view a seat gets: a player without hidden tokens knows what all know."""
    return seat if seat.role == "player" and seat.id in owners else SPECTATOR


def _without_own_of_gm(scene: Scene) -> Scene:
    """Return the scene without the GM's own drawings; the same value if there are none."""
    shown = tuple(drawing for drawing in scene.drawings if not drawing.hidden)
    return scene if len(shown) == len(scene.drawings) else replace(scene, drawings=shown)


def _in_fog(scene: Scene) -> Scene:
    """Return a seat's scene without the map in the fog; the same value without fog."""
    if not scene.fog.cells:
        return scene
    return replace(
        scene,
        walls=walls_out_of_fog(scene, scene.walls),
        terrain=ground_out_of_fog(scene, scene.terrain),
        background=scene.background if scene.fog.has_picture else "",
    )


def _without_secrets(scene: Scene, seat: Seat) -> Scene:
    hidden = {token.id for token in shade(scene).tokens if not is_known_to(token, seat)}
    return replace(
        without_notes_on(hidden, scene),
        tokens=tuple(_with_rests(without_notes_on(hidden, t) for t in scene.tokens if t.id not in hidden)),
        sides=tuple(without_notes_on(hidden, side) for side in scene.sides),
        walls=_shown_walls(scene),
        terrain=_shown_ground(scene),
        units=(),
    )


def _with_rests(values: Iterable[T]) -> Iterator[T]:
    """Yield values that take a while in a large scene."""
    for value in values:
        checkpoint()
        yield value


def without_units(scene: Scene) -> Scene:
    """Return the scene without the table's own catalog; the same value if there is none."""
    return replace(scene, units=()) if scene.units else scene


def is_visible(token: Token) -> bool:
    """Return whether all seats may know of a token."""
    return not token.hidden


def is_known_to(token: Token, seat: Seat) -> bool:
    """Return whether a seat may know of a token: a visible one, or a player's own."""
    return is_visible(token) or is_owner(seat, token)


def is_owner(seat: Seat, token: Token) -> bool:
    """Return whether a token belongs to a player."""
    return seat.role == "player" and seat.id in token.owners


# Asked several times a command, of everything in a scene: lists are quicker than questions one by one.


def _hidden_tokens(scene: Scene) -> list[Token]:
    return [token for token in shade(scene).tokens if token.hidden]


def _hidden_ground(scene: Scene) -> list[Terrain]:
    return [ground for ground in scene.terrain if ground.hidden]


# The same value where nothing is hidden: much is remembered by it.


def _shown_ground(scene: Scene) -> tuple[Terrain, ...]:
    is_hidden = _hidden_ground(scene) != []
    return tuple(ground for ground in scene.terrain if not ground.hidden) if is_hidden else scene.terrain


def _with_walls_in_order(scene: Scene) -> Scene:
    walls = _shown_walls(scene)
    return scene if walls is scene.walls else replace(scene, walls=walls)


def _shown_walls(scene: Scene) -> tuple[Wall, ...]:
    return _walls_that_all_see(scene.walls)


@identity_cache(512)
def _walls_that_all_see(walls: tuple[Wall, ...]) -> tuple[Wall, ...]:
    return walls_in_order(walls_without_secret_doors(walls) if unknown_doors(walls) else walls)


def has_secrets(scene: Scene) -> bool:
    """Return whether a scene holds anything that a spectator may not know and that the rules may use."""
    return bool(
        scene.fog.cells or _hidden_tokens(scene) or _hidden_ground(scene) or unknown_doors(scene.walls)
    )


def is_about_hidden_ground(scene: Scene, value: object) -> bool:
    """Return whether a value mentions hidden terrain."""
    hidden = _hidden_ground(scene)
    return bool(hidden) and bool(mentioned_in(hidden, value))


def without_notes_on(gone: set[str], holder: H) -> H:
    """Return the holder without what its conditions note on these token IDs.

    A note is a token's ID, a text, or a list by token, such as "orc-1=ok orc-2=failed". A condition goes if
    its note has nothing else.
    """
    left = {name: _without_parts(gone, note) for name, note in holder.conditions.items()}
    if left == holder.conditions:
        return holder
    state = {name: note for name, note in left.items() if note or not holder.conditions[name]}
    return replace(holder, conditions=state)


def _without_parts(gone: set[str], note: str) -> str:
    parts = note.split()
    left = [part for part in parts if part.partition("=")[0] not in gone]
    return note if len(left) == len(parts) else " ".join(left)


def hidden_tokens_in(
    before: Scene, after: Scene, events: Sequence[ev.AnyEvent], text: str = ""
) -> list[Token]:
    """Return the tokens, hidden before or after some events, that the events or their text mention.

    A mention is the token's ID or name, in any field. A hidden token that shares its name with a visible one
    counts.
    """
    hidden = [*_hidden_tokens(before), *_hidden_tokens(after)]
    return mentioned_in(hidden, [events, text]) if hidden else []


def mentioned_in(things: Iterable[N], value: object) -> list[N]:
    """Return the tokens or terrain whose ID or name appears anywhere in a value, an ID as a whole word."""
    text = msgspec.json.encode(value).decode()
    return [thing for thing in things if _has_word(thing.id, text) or _is_named(thing, text)]


def without_ids(ids: Iterable[str], facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts whose values have none of some tokens' IDs in them, as whole words."""
    texts = {key: msgspec.json.encode(value).decode() for key, value in facts.items()}
    return {key: facts[key] for key, text in texts.items() if not any(_has_word(one, text) for one in ids)}


def _has_word(word: str, text: str) -> bool:
    return word in text and bool(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text))


def is_about_hidden(scene: Scene, seat: Seat, value: object) -> bool:
    """Return whether a value mentions a token or terrain that a seat may not know."""
    if seat.role == "gm":
        return False
    unknown = [token for token in shade(scene).tokens if not is_known_to(token, seat)]
    return bool(mentioned_in(unknown, value)) or is_about_hidden_ground(scene, value)


def common_owners(hidden: Iterable[Token]) -> tuple[str, ...]:
    """Return the IDs of the players who own all of these hidden tokens; none for no tokens."""
    owners = [set(token.owners) for token in hidden]
    return tuple(sorted(set.intersection(*owners))) if owners else ()


def _is_named(token: Token | Terrain, text: str) -> bool:
    name = re.escape(msgspec.json.encode(token.name).decode()[1:-1])
    return name != "" and re.search(rf"(?<!\w){name}(?!\w)", text) is not None


def redact_entry(
    entry: Entry, before: Scene, after: Scene, seat: Seat, undone: Entry | None = None
) -> RedactedEntry:
    """Return an entry in a seat's view: the changes in that view, and the text if the seat may read it.

    `before` and `after` are the scene in the seat's view; `undone` is the entry that this one undoes.
    """
    events = entry.events if seat.role == "gm" else tuple(small_changes(before, after))
    return replace(redact_entry_text(entry, seat, undone), events=events)


def can_read(entry: Entry, seat: Seat) -> bool:
    """Return whether a seat may read an entry's own text."""
    is_reader = seat.role == "player" and seat.id in entry.readers
    return seat.role == "gm" or not entry.secret or is_reader


def redact_entry_text(entry: Entry, seat: Seat, undone: Entry | None = None) -> RedactedEntry:
    """Return an entry without events in a seat's view."""
    number = entry.number(seat)
    if not can_read(entry, seat) and entry.plain:
        return _plainly(entry, number, seat, undone)
    if not can_read(entry, seat):
        return RedactedEntry(
            seq=number, id="", seat="", kind="secret", at_ms=0, secret=True, dice=_without_proof(entry.dice)
        )
    text = entry.own if entry.own and entry.secret and seat.role != "gm" else entry
    return RedactedEntry(
        seq=number,
        id=_redacted_id(entry, number, seat),
        seat=entry.seat,
        kind=entry.kind,
        at_ms=entry.at_ms,
        text=text.text,
        facts=text.facts,
        undoes=undone.number(seat) if undone and undone.is_known_to(seat) else None,
        secret=entry.secret,
        readers=entry.readers if seat.role == "gm" else (),
        dice=entry.dice if seat.role == "gm" else _for_readers(entry.dice),
        sealed=for_seat(entry.sealed, seat),
    )


def _redacted_id(entry: Entry, number: int, seat: Seat) -> str:
    """An entry's id; what the table says of itself has its reader's number: its own tells what they miss."""
    is_own = entry.seat == TABLE_SEAT and seat.role != "gm"
    return f"{entry.kind}-{number}" if is_own else entry.id


def _plainly(entry: Entry, number: int, seat: Seat, undone: Entry | None) -> RedactedEntry:
    """An entry as if what is hidden were not there at all; its dice as they are where they are told."""
    assert entry.plain is not None
    has_dice = bool(entry.plain.facts.get("rolls"))
    return RedactedEntry(
        seq=number,
        id=entry.id,
        seat=entry.seat,
        kind=entry.kind,
        at_ms=entry.at_ms,
        text=entry.plain.text,
        facts=entry.plain.facts,
        undoes=undone.number(seat) if undone and undone.is_known_to(seat) else None,
        dice=entry.dice if has_dice else _without_proof(entry.dice),
        sealed=for_seat(entry.sealed, seat),
    )


def seats_that_know(entry: Entry, before: Scene, after: Scene) -> tuple[str, ...] | None:
    """Return the keys of the seats that may know of an entry; None for all seats.

    A player may know what a spectator may know, and their own tokens, acts and readable entries.
    """
    if not entry.secret or _knows_of(SPECTATOR, entry, before, after):
        return None
    owners = {owner for scene in (before, after) for token in scene.tokens for owner in token.owners}
    players = [Seat("player", player) for player in owners | {*entry.readers}]
    knowing = {seat.key for seat in players if _knows_of(seat, entry, before, after)}
    return tuple(sorted(knowing | ({entry.seat} - {GM.key, TABLE_SEAT})))


def _knows_of(seat: Seat, entry: Entry, before: Scene, after: Scene) -> bool:
    redacted = redact_entry(entry, view(before, seat), view(after, seat), seat)
    return bool(redacted.text or redacted.events or redacted.dice)


def _without_proof(note: AnyChainNote | None) -> AnyChainNote | None:
    """Return what a seat may know of the dice of a secret act: only that a link was used.

    Of the hidden chain it may know nothing.
    """
    if not isinstance(note, IndexUsed):
        return note
    return None if note.is_hidden else IndexHidden(epoch=note.epoch, index=note.index)


def _for_readers(note: AnyChainNote | None) -> AnyChainNote | None:
    """Return the note for players who read the text of a hidden roll, without the link's number."""
    is_hidden = isinstance(note, IndexUsed) and note.is_hidden
    return IndexSealed(epoch=note.epoch) if is_hidden and note else note
