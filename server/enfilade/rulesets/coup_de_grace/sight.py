"""Who sees whom, and the arcs and bands a miniature's overlay shows (CDG-011 to CDG-017, CDG-051)."""

from __future__ import annotations

from collections.abc import Sequence

from enfilade.geometry.mask import Mask
from enfilade.geometry.sight import Blocked, Blockers, blocked, visible
from enfilade.geometry.square import box, centre, steps_between
from enfilade.geometry.units import Box, Cell
from enfilade.rules.house_rules import is_on
from enfilade.rules.ruleset import Area
from enfilade.rulesets.coup_de_grace import rulings
from enfilade.rulesets.coup_de_grace.catalogue import Item
from enfilade.rulesets.coup_de_grace.movement import board
from enfilade.rulesets.coup_de_grace.profiles import fighter
from enfilade.scene.model import Scene, Token, Wall


def sight_walls(scene: Scene) -> list[Wall]:
    """The walls and closed doors that stop a line of sight."""
    return [wall for wall in scene.walls if wall.sight != "none" and not wall.is_open]


def hiders(scene: Scene, *but: Token) -> list[Token]:
    """The miniatures whose square stops a line of sight, but for those in the squares of some others."""
    downed_hide = is_on(scene, rulings.DOWNED_HIDE)
    free = {token.at for token in but}
    return [
        token
        for token in scene.on_board()
        if token.at not in free and (downed_hide or not token.has("downed"))
    ]


def _blockers(scene: Scene, hiding: list[Token]) -> Blockers:
    boxes: list[Box] = [box(token.at, *token.size) for token in hiding if token.at]
    boxes += [box(cell) for patch in scene.terrain if patch.blocks_sight for cell in patch.cells]
    return Blockers([wall.line for wall in sight_walls(scene)], boxes)


def blocked_by(scene: Scene, viewer: Token, target: Token) -> str:
    """What stops the line between two miniatures, in words; empty where it is clear (CDG-051)."""
    if viewer.at is None or target.at is None:
        return "not on the board"
    hiding = hiders(scene, viewer, target)
    found = blocked(centre(viewer.at), centre(target.at), _blockers(scene, hiding))
    return _in_words(scene, hiding, target, found) if found else ""


def _in_words(scene: Scene, hiding: list[Token], target: Token, found: Blocked) -> str:
    if found.wall is not None:
        wall = sight_walls(scene)[found.wall]
        thing = "door" if wall.door == "door" else "wall"
        return f"the {thing} between you and {target.name}"
    if found.box is not None and found.box < len(hiding):
        return hiding[found.box].name
    if found.box is not None:
        return f"what stands between you and {target.name}"
    return "two miniatures corner to corner"


def seen_from(scene: Scene, token: Token) -> Mask:
    """The squares whose centre a miniature sees, in any direction."""
    assert token.at is not None
    return visible(board(scene), centre(token.at), _blockers(scene, hiders(scene, token)))


def areas(scene: Scene, token: Token, layer: str) -> Sequence[Area]:
    """The areas of one overlay layer; none for a miniature off the board."""
    if token.at is None or token.at not in board(scene):
        return ()
    return _LAYERS[layer](scene, token) if layer in _LAYERS else ()


def _arc(scene: Scene, token: Token) -> Sequence[Area]:
    if token.at is None or token.facing is None:
        return ()
    return (_area("arc", "Front arc", board(scene).front_arc(token.at, token.facing)),)


def _sight(scene: Scene, token: Token) -> Sequence[Area]:
    return (_area("sight", "Seen", seen_from(scene, token)),)


def _blind(scene: Scene, token: Token) -> Sequence[Area]:
    everything = Mask(((1 << scene.grid.columns) - 1,) * scene.grid.rows)
    return (_area("blind", "Not seen", everything - seen_from(scene, token)),)


def _ranges(scene: Scene, token: Token) -> Sequence[Area]:
    ranged = [item for item in fighter(token).items.values() if item.ranged]
    return [area for item in ranged for area in _bands(scene, token, item)]


def _bands(scene: Scene, token: Token, item: Item) -> Sequence[Area]:
    bands: dict[int, list[Cell]] = {}
    for y in range(scene.grid.rows):
        for x in range(scene.grid.columns):
            steps = steps_between(token.at, (x, y)) if token.at else 0
            if steps and (not item.reach or steps <= item.reach):
                bands.setdefault(steps // item.increment if item.increment else 0, []).append((x, y))
    return [
        _area("ranges", _band_name(item, band), Mask.of(cells, scene.grid.rows))
        for band, cells in sorted(bands.items())
    ]


def _band_name(item: Item, band: int) -> str:
    first = max(1, band * item.increment)
    last = (band + 1) * item.increment - 1
    return f"{item.name} {first} to {last}: {-band if band else 'no penalty'}"


def _area(layer: str, label: str, mask: Mask) -> Area:
    return Area(layer, label, tuple(mask.runs()))


_LAYERS = {"arc": _arc, "sight": _sight, "blind": _blind, "ranges": _ranges}
