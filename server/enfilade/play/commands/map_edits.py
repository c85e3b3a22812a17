"""Edits of the map by the GM: walls, doors and terrain are put, changed and removed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from enfilade.errors import BadMessage, NotFound
from enfilade.i18n import localize
from enfilade.play.command import Command
from enfilade.play.context import CommandContext, Decision
from enfilade.play.setup import prepare_scene
from enfilade.play.view import view
from enfilade.scene import events as ev
from enfilade.scene.entry import PublicText
from enfilade.scene.model import SPECTATOR, Terrain, Wall, walls_in_order

MAX_WALLS, MAX_TERRAINS = 10_000, 1_000
"""The walls and terrains of a scene, as in the wire contract."""

T = TypeVar("T", Wall, Terrain)


def edit_map(context: CommandContext, command: Command) -> Decision:
    """Put walls, doors and terrain on the map, each new or instead of the one with its ID, or remove them.

    Raises NotFound for the ID of nothing, BadMessage if the map gets too large. The players read of it if
    they see a difference.
    """
    scene, body = context.scene, command.body
    gone = set(body["remove"])
    unknown = gone - {wall.id for wall in scene.walls} - {patch.id for patch in scene.terrain}
    if unknown:
        raise NotFound(localize("play.map_no_such", id=min(unknown)))
    walls = walls_in_order(_put(scene.walls, msgspec.convert(body["walls"], tuple[Wall, ...]), gone))
    terrain = _put(scene.terrain, msgspec.convert(body["terrain"], tuple[Terrain, ...]), gone)
    if len(walls) > MAX_WALLS or len(terrain) > MAX_TERRAINS:
        raise BadMessage({"body": [localize("import.too_many_walls", limit=MAX_WALLS)]})
    after = replace(scene, walls=walls, terrain=terrain)
    prepare_scene(context.ruleset, after)
    if after == scene:
        return Decision()
    event = ev.MapSet(walls=walls, terrain=terrain, was_walls=scene.walls, was_terrain=scene.terrain)
    text = localize("play.map_edited")
    if view(scene, SPECTATOR) == view(after, SPECTATOR):
        return Decision(events=(event,), text=text, secret=True)
    return Decision(events=(event,), text=text, plain=PublicText(text=text))


def _put(now: Sequence[T], given: Iterable[T], gone: set[str]) -> tuple[T, ...]:
    """Return things with the given ones, which replace those with their IDs, and without the gone ones."""
    new = {thing.id: thing for thing in given}
    kept = [new.pop(thing.id, thing) for thing in now if thing.id not in gone]
    return tuple(kept + list(new.values()))
