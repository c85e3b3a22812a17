"""The events that lead from one scene to another, where no command says them: in a view, or after a sync."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from msgspec.structs import replace

from enfilade.runtime.time_budget import checkpoint
from enfilade.scene import events as ev
from enfilade.scene.model import Holder, Scene, Side, Token, Wall


def scene_changes(before: Scene, after: Scene) -> Iterator[ev.AnyEvent]:
    """Yield the fewest events that lead from one scene to another."""
    if _board(before) != _board(after):
        yield ev.SceneSet(scene=after)
        return
    if before.sides != after.sides:
        yield ev.SidesSet(sides=after.sides, was=before.sides)
    if before.units != after.units:
        yield ev.UnitsSet(units=after.units, was=before.units)
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
    if before.fog != after.fog:
        yield ev.FogSet(fog=after.fog, was=before.fog)
    yield from _drawing_changes(before, after)
    yield from _token_changes(before, after)
    yield from _value_changes(ev.TABLE, before, after)


def _board(scene: Scene) -> tuple[object, ...]:
    """Return the parts of a scene that only a new scene changes."""
    return scene.ruleset, scene.grid, scene.name, scene.background


def _drawing_changes(before: Scene, after: Scene) -> Iterator[ev.AnyEvent]:
    if before.drawings == after.drawings:
        return
    drawn = tuple(drawing for drawing in after.drawings if drawing not in before.drawings)
    erased = tuple(drawing for drawing in before.drawings if drawing not in after.drawings)
    yield ev.DrawingsSet(drawn=drawn, erased=erased)


def _token_changes(before: Scene, after: Scene) -> Iterator[ev.AnyEvent]:
    old = {token.id: token for token in before.tokens}
    new = {token.id: token for token in after.tokens}
    for token_id in sorted(old.keys() - new.keys()):
        yield ev.TokenRemoved(was=old[token_id])
    for token_id, token in new.items():
        was = old.get(token_id)
        if was is token:
            continue  # nearly all: a command changes one or two
        checkpoint()
        if was != token:
            yield ev.TokenPlaced(token=token, was=was)


def small_changes(before: Scene, after: Scene) -> Iterator[ev.AnyEvent]:
    """Yield the smallest events that lead from one scene to another: a value instead of its whole unit."""
    return chain.from_iterable(map(_parts, scene_changes(before, after)))


def _parts(event: ev.AnyEvent) -> Iterator[ev.AnyEvent]:
    match event:
        case ev.TokenPlaced(token=token, was=Token() as was) if _is_values_alone(was, token):
            yield from _moves(was, token)
            yield from _value_changes(token.id, was, token)
        case ev.SidesSet(sides=sides, was=was) if len(sides) == len(was) and all(
            map(_is_values_alone, was, sides)
        ):
            for old, new in zip(was, sides, strict=True):
                yield from _value_changes(f"side:{new.id}", old, new)
        case ev.MapSet() if event.terrain == event.was_terrain and _is_doors_alone(event):
            for before, after in zip(event.was_walls, event.walls, strict=True):
                if after != before:
                    yield ev.DoorSet(wall=after.id, state=after.state, was=before.state)
        case _:
            yield event


def _is_values_alone(was: Token | Side, now: Token | Side) -> bool:
    """Return whether only the place, the tracks and the conditions differ."""
    alike = replace(was, tracks=now.tracks, conditions=now.conditions)
    if isinstance(now, Token):
        alike = replace(alike, at=now.at, facing=now.facing)
    return alike == now


def _is_doors_alone(event: ev.MapSet) -> bool:
    return len(event.walls) == len(event.was_walls) and all(
        map(_is_state_alone, event.was_walls, event.walls)
    )


def _is_state_alone(was: Wall, now: Wall) -> bool:
    return was is now or replace(was, state=now.state) == now


def _moves(was: Token, now: Token) -> Iterator[ev.AnyEvent]:
    if (was.at, was.facing) != (now.at, now.facing):
        yield ev.TokenMoved(token=now.id, at=now.at, facing=now.facing, was_at=was.at, was_facing=was.facing)


def _value_changes(holder: str, before: Holder, after: Holder) -> Iterator[ev.AnyEvent]:
    if before.tracks == after.tracks and before.conditions == after.conditions:
        return
    for track in sorted(before.tracks.keys() | after.tracks.keys()):
        was, value = before.tracks.get(track), after.tracks.get(track)
        if was != value:
            yield ev.TrackSet(holder=holder, track=track, value=value, was=was)
    for name in sorted(before.conditions.keys() | after.conditions.keys()):
        note_was, note = before.conditions.get(name), after.conditions.get(name)
        if note_was != note:
            yield ev.ConditionSet(holder=holder, condition=name, note=note, was=note_was)
