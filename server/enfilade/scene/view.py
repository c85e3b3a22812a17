"""What one seat may know of a scene, by allow-list: a game master everything, a spectator what shows.

Every answer for a seat is computed from its view, so that nothing hidden shows through a legal move.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from enfilade.scene import events as ev
from enfilade.scene.entry import Entry
from enfilade.scene.model import Holder, Scene, Token, Wall

Role = Literal["gm", "spectator"]


def view(scene: Scene, role: Role) -> Scene:
    """The scene as a seat of this role may know it."""
    if role == "gm":
        return scene
    return replace(
        scene,
        tokens=tuple(token for token in scene.tokens if is_shown(token)),
        walls=tuple(_as_wall(wall) for wall in scene.walls),
        conditions={name: note for name, note in scene.conditions.items() if not _names_hidden(scene, note)},
    )


def is_shown(token: Token) -> bool:
    """Whether everybody at the table may know of a token."""
    return not token.hidden


def _as_wall(wall: Wall) -> Wall:
    return replace(wall, door="none") if wall.door == "secret" and not wall.is_open else wall


def _names_hidden(scene: Scene, note: str) -> bool:
    return any(token.id == note for token in scene.tokens if not is_shown(token))


def is_secret(before: Scene, after: Scene, events: Sequence[ev.AnyEvent]) -> bool:
    """Whether some events speak, in whatever field, of a token that is hidden before or after them."""
    hidden = {t.id for scene in (before, after) for t in scene.tokens if not is_shown(t)}
    words = msgspec.json.encode(events).decode() if hidden else ""
    return any(f'"{token_id}"' in words for token_id in hidden)


def entry_for(entry: Entry, before: Scene, after: Scene, role: Role) -> Entry:
    """An entry as a seat may know it: what changed in its own view, and the words unless they are secret."""
    if role == "gm":
        return entry
    seen = tuple(changes(view(before, role), view(after, role)))
    return replace(words_for(entry, role), events=seen)


def words_for(entry: Entry, role: Role) -> Entry:
    """An entry's words alone, without events, as a seat may know them."""
    if role != "gm" and entry.secret:
        return replace(entry, id="", kind="secret", text="", facts={}, events=())
    return replace(entry, events=())


def changes(before: Scene, after: Scene) -> Iterator[ev.AnyEvent]:
    """The fewest events that lead from one scene to another."""
    if before.grid != after.grid or before.ruleset != after.ruleset or before.background != after.background:
        yield ev.SceneSet(scene=after)
        return
    if before.sides != after.sides:
        yield ev.SidesSet(sides=after.sides, was=before.sides)
    if before.walls != after.walls or before.terrain != after.terrain:
        yield ev.MapSet(
            walls=after.walls, terrain=after.terrain, was_walls=before.walls, was_terrain=before.terrain
        )
    if (before.house_rules, before.enforcement) != (after.house_rules, after.enforcement):
        yield ev.RulesSet(
            house_rules=after.house_rules,
            enforcement=after.enforcement,
            was_house_rules=before.house_rules,
            was_enforcement=before.enforcement,
        )
    yield from _token_changes(before, after)
    yield from _table_changes(before, after)


def _token_changes(before: Scene, after: Scene) -> Iterator[ev.AnyEvent]:
    old = {token.id: token for token in before.tokens}
    new = {token.id: token for token in after.tokens}
    for token_id in old.keys() - new.keys():
        yield ev.TokenRemoved(was=old[token_id])
    for token_id, token in new.items():
        if old.get(token_id) != token:
            yield ev.TokenPlaced(token=token, was=old.get(token_id))


def _table_changes(before: Holder, after: Holder) -> Iterator[ev.AnyEvent]:
    for track in before.tracks.keys() | after.tracks.keys():
        was, value = before.tracks.get(track), after.tracks.get(track)
        if was != value:
            yield ev.TrackSet(holder=ev.TABLE, track=track, value=value, was=was)
    for name in before.conditions.keys() | after.conditions.keys():
        note_was, note = before.conditions.get(name), after.conditions.get(name)
        if note_was != note:
            yield ev.ConditionSet(holder=ev.TABLE, condition=name, note=note, was=note_was)
