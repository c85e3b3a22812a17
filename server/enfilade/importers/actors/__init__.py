"""Actors: an exported actor of a tabletop's system becomes a sheet, and a unit of any game.

`read_actor` reads the simple values by the table in `systems`, and what a system derives by its own function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from enfilade.errors import BadFile
from enfilade.i18n import localize
from enfilade.importers.actors.dnd5e import read_dnd5e
from enfilade.importers.actors.pf2e import read_pf2e
from enfilade.importers.actors.systems import SYSTEMS, ActorPaths
from enfilade.importers.actors.values import Json, at, first_number, things
from enfilade.rules.sheets import Sheet

_DERIVED: dict[str, Callable[[Json, Sheet], Sheet]] = {
    "dnd5e": read_dnd5e,
    "pf2e": read_pf2e,
    "sf2e": read_pf2e,
}
MOST_ITEMS, MOST_NAME = 2_000, 100


def is_actor(data: Any) -> bool:
    """Return whether a JSON value looks like an exported actor of Foundry: with a system, and no scene."""
    if not isinstance(data, Mapping) or "walls" in data or "tokens" in data:
        return False
    return isinstance(data.get("system"), Mapping) and isinstance(data.get("type"), str) and "items" in data


def system_of(data: Json) -> str:
    """Return the ID of an actor's system: as its export says, else by what is there; empty if unknown."""
    said = at(data, "_stats.systemId") or at(data, "_stats.system")
    if isinstance(said, str) and said in SYSTEMS:
        return said
    marks = (
        ("dnd5e", "system.attributes.movement"),
        ("pf2e", "system.perception"),
        ("pf2e", "system.traits.size.value"),  # older creatures have their perception elsewhere
        ("swade", "system.stats.parry"),
        ("worldbuilding", "system.attributes"),
    )
    return next((key for key, path in marks if at(data, path) is not None), "")


def read_actor(data: Any) -> Sheet:
    """Return the sheet of an exported actor. Raises BadFile for what is none, or of an unknown system."""
    if not is_actor(data) or len(things(data.get("items"))) > MOST_ITEMS:
        raise BadFile(localize("import.no_actor"))
    system = system_of(data)
    if not system:
        raise BadFile(localize("import.unknown_system", known=", ".join(SYSTEMS)))
    sheet = _plain(data, system, SYSTEMS[system])
    derive = _DERIVED.get(system)
    return derive(data, sheet) if derive else sheet


def _plain(data: Json, system: str, places: ActorPaths) -> Sheet:
    """Return what the table of places finds."""
    own = data.get("system") or {}
    speeds = {mode: first_number(own, paths) for mode, paths in places.speeds.items()}
    senses = {sense: first_number(own, paths) for sense, paths in places.senses.items()}
    points, left = first_number(own, places.hit_points), first_number(own, places.hit_points_left)
    size = at(own, places.size)
    return Sheet(
        name=str(data.get("name") or "")[:MOST_NAME],
        system=system,
        size=places.sizes.get(size, "medium") if isinstance(size, str) else "medium",
        speeds={mode: value * places.feet for mode, value in speeds.items() if value},
        senses={sense: value for sense, value in senses.items() if value},
        hit_points=int(points or 0),
        hit_points_left=None if left is None else int(left),
        armor_class=int(first_number(own, places.armor_class) or 0),
    )
