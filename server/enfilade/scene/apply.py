"""Fold events into a scene, and invert them: the only way a scene changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from enfilade.errors import NotFound
from enfilade.i18n import localize
from enfilade.scene import events as ev
from enfilade.scene.model import Holder, Scene, Token

V = TypeVar("V")


def fold(scene: Scene, event: ev.AnyEvent) -> Scene:
    """Return the scene after an event; the same scene if the event only explains."""
    step = _STEPS.get(type(event))
    return step(scene, event) if step else scene


def fold_all(scene: Scene, events: Iterable[ev.AnyEvent]) -> Scene:
    """Return the scene after all events, in order."""
    for event in events:
        scene = fold(scene, event)
    return scene


def inverse(events: Iterable[ev.AnyEvent]) -> list[ev.AnyEvent]:
    """Return the events that undo these, last first; an explanation has no inverse."""
    return [_BACK[type(event)](event) for event in reversed(list(events)) if type(event) in _BACK]


def holder_of(scene: Scene, name: str) -> Holder:
    """Return the table, side or token that carries tracks and conditions. Raises NotFound."""
    if name == ev.TABLE:
        return scene
    if name.startswith("side:"):
        return scene.side(name.removeprefix("side:"))
    return scene.token(name)


def _put_token(scene: Scene, token: Token) -> Scene:
    tokens, token_id = scene.tokens, token.id
    for place, other in enumerate(tokens):
        if other.id == token_id:
            return replace(scene, tokens=(*tokens[:place], token, *tokens[place + 1 :]))
    # By id, so that a token that was taken out and comes back stands where it stood in the list.
    return replace(scene, tokens=tuple(sorted((*scene.tokens, token), key=lambda t: t.id)))


def _set_entry(scene: Scene, name: str, entries: str, key: str, value: object) -> Scene:
    """Return the scene with an entry of a holder's `tracks` or `conditions` set, or removed (None)."""
    if name == ev.TABLE:
        return replace(scene, **{entries: _with(getattr(scene, entries), key, value)})
    if name.startswith("side:"):
        side = scene.side(name.removeprefix("side:"))
        side = replace(side, **{entries: _with(getattr(side, entries), key, value)})
        return replace(scene, sides=tuple(side if s.id == side.id else s for s in scene.sides))
    place = _place_of(scene, name)
    token = scene.tokens[place]
    return _exchange(scene, place, replace(token, **{entries: _with(getattr(token, entries), key, value)}))


def _place_of(scene: Scene, token_id: str) -> int:
    """Return the place of a token in the scene's list. Raises NotFound."""
    for place, token in enumerate(scene.tokens):
        if token.id == token_id:
            return place
    raise NotFound(localize("scene.no_such_token", id=token_id))


def _exchange(scene: Scene, place: int, changed: Token) -> Scene:
    """Return the scene with another value of the token at a place of its list."""
    tokens = scene.tokens
    return replace(scene, tokens=(*tokens[:place], changed, *tokens[place + 1 :]))


def _with(entries: dict[str, V], key: str, value: V | None) -> dict[str, V]:
    # The key goes to the end, as it would after an event that cleared it.
    rest = dict(entries)
    rest.pop(key, None)
    if value is not None:
        rest[key] = value
    return rest


def _map_set(scene: Scene, e: ev.MapSet) -> Scene:
    return replace(scene, walls=e.walls, terrain=e.terrain)


def _rules_set(scene: Scene, e: ev.RulesSet) -> Scene:
    return replace(scene, house_rules=e.house_rules, enforcement=e.enforcement)


def _token_removed(scene: Scene, e: ev.TokenRemoved) -> Scene:
    return replace(scene, tokens=tuple(t for t in scene.tokens if t.id != e.was.id))


def _token_moved(scene: Scene, e: ev.TokenMoved) -> Scene:
    place = _place_of(scene, e.token)
    return _exchange(scene, place, replace(scene.tokens[place], at=e.at, facing=e.facing))


def _door_set(scene: Scene, e: ev.DoorSet) -> Scene:
    door = replace(scene.wall(e.wall), state=e.state)
    return replace(scene, walls=tuple(door if w.id == door.id else w for w in scene.walls))


def _track_set(scene: Scene, e: ev.TrackSet) -> Scene:
    return _set_entry(scene, e.holder, "tracks", e.track, e.value)


def _condition_set(scene: Scene, e: ev.ConditionSet) -> Scene:
    return _set_entry(scene, e.holder, "conditions", e.condition, e.note)


def _placed_back(e: ev.TokenPlaced) -> ev.AnyEvent:
    return ev.TokenRemoved(was=e.token) if e.was is None else ev.TokenPlaced(token=e.was, was=e.token)


def _moved_back(e: ev.TokenMoved) -> ev.AnyEvent:
    return ev.TokenMoved(token=e.token, at=e.was_at, facing=e.was_facing, was_at=e.at, was_facing=e.facing)


def _map_back(e: ev.MapSet) -> ev.AnyEvent:
    return ev.MapSet(walls=e.was_walls, terrain=e.was_terrain, was_walls=e.walls, was_terrain=e.terrain)


def _rules_back(e: ev.RulesSet) -> ev.AnyEvent:
    return ev.RulesSet(
        house_rules=e.was_house_rules,
        enforcement=e.was_enforcement,
        was_house_rules=e.house_rules,
        was_enforcement=e.enforcement,
    )


def _drawings_set(scene: Scene, e: ev.DrawingsSet) -> Scene:
    gone = {drawing.id for drawing in e.erased}
    kept = tuple(drawing for drawing in scene.drawings if drawing.id not in gone)
    return replace(scene, drawings=tuple(sorted((*kept, *e.drawn), key=lambda drawing: drawing.id)))


_STEPS: dict[type[ev.Event], Callable[[Scene, Any], Scene]] = {
    ev.SceneSet: lambda _, e: e.scene,
    ev.MapSet: _map_set,
    ev.RulesSet: _rules_set,
    ev.SidesSet: lambda scene, e: replace(scene, sides=e.sides),
    ev.UnitsSet: lambda scene, e: replace(scene, units=e.units),
    ev.TokenPlaced: lambda scene, e: _put_token(scene, e.token),
    ev.TokenRemoved: _token_removed,
    ev.TokenMoved: _token_moved,
    ev.DoorSet: _door_set,
    ev.TrackSet: _track_set,
    ev.ConditionSet: _condition_set,
    ev.DrawingsSet: _drawings_set,
    ev.FogSet: lambda scene, e: replace(scene, fog=e.fog),
}

_BACK: dict[type[ev.Event], Callable[[Any], ev.AnyEvent]] = {
    ev.SceneSet: lambda e: ev.SceneSet(scene=e.was or e.scene, was=e.scene),
    ev.MapSet: _map_back,
    ev.RulesSet: _rules_back,
    ev.SidesSet: lambda e: ev.SidesSet(sides=e.was, was=e.sides),
    ev.UnitsSet: lambda e: ev.UnitsSet(units=e.was, was=e.units),
    ev.TokenPlaced: _placed_back,
    ev.TokenRemoved: lambda e: ev.TokenPlaced(token=e.was),
    ev.TokenMoved: _moved_back,
    ev.DoorSet: lambda e: ev.DoorSet(wall=e.wall, state=e.was, was=e.state),
    ev.TrackSet: lambda e: ev.TrackSet(holder=e.holder, track=e.track, value=e.was, was=e.value),
    ev.ConditionSet: lambda e: ev.ConditionSet(
        holder=e.holder, condition=e.condition, note=e.was, was=e.note
    ),
    ev.DrawingsSet: lambda e: ev.DrawingsSet(drawn=e.erased, erased=e.drawn),
    ev.FogSet: lambda e: ev.FogSet(fog=e.was, was=e.fog),
}
