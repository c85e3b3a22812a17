"""Movement and overlays: reach, rulings, and the areas of each layer (ANY-005 to ANY-014)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.battle.drawing import around, cover_areas, seen_areas, threat_areas
from enfilade.rules.battle.travel import told_move
from enfilade.rules.ruleset import Area, Reach, Ruling
from enfilade.rulesets.any_system.battlefield import contacts, travel
from enfilade.rulesets.any_system.profiles import read_creature
from enfilade.rulesets.any_system.systems import system_of
from enfilade.scene.model import Scene, Token


def reach(scene: Scene, token: Token) -> Reach | None:
    """Return the places that a creature can move to, with a dash; None off the board (ANY-005)."""
    return travel(scene, token.id).reach()


def judge(scene: Scene, token: Token, path: Sequence[Cell], facing: int | None) -> Ruling:
    """Return the ruling on a move: within a dash, to a free place (ANY-005, ANY-006)."""
    del facing
    return travel(scene, token.id).ruling(path)


move = told_move(judge, "ANY-005")

LAYERS = ("ranges", "sight", "blind", "threat", "cover", "engagement")
_GRIDLESS = ("ranges", "threat")
"""The layers of areas without a grid: there are no cells to be seen or covered in, only tokens."""


def areas(scene: Scene, token: Token, layer: str) -> Sequence[Area]:
    """Return the areas of one overlay layer; none for a creature off the board."""
    field = contacts(scene)
    screens = field.screens
    if not screens.spaces.is_placed(token) or (screens.spaces.is_gridless and layer not in _GRIDLESS):
        return ()
    if layer == "ranges":
        return list(_ranges(scene, token))
    if layer == "threat":
        return threat_areas(field, token)
    if layer == "cover":
        system = system_of(scene)
        names = [kind.name for kind in system.quarters]
        return cover_areas(screens, token, names, system.creature.name)
    return seen_areas(screens, token, layer) if layer in ("sight", "blind") else ()


def _ranges(scene: Scene, token: Token) -> Iterator[Area]:
    """Yield where a creature moves without and with a dash, its reach and its ranges (ANY-006, ANY-010)."""
    field, weapons = contacts(scene), read_creature(token).profile.ranges
    spaces = field.screens.spaces
    yield from travel(scene, token.id).areas("ranges")
    melee = localize("any_system.area_reach", length=spaces.text(field.reach(token)))
    yield around(spaces, "ranges", melee, [token], field.reach(token))
    for one in weapons:
        for key, far in (("range", one.normal), ("long", one.long)):
            length = spaces.length(far)
            label = localize(f"any_system.area_{key}", name=one.name, length=spaces.text(length))
            if far:
                yield around(spaces, "ranges", label, [token], length)
