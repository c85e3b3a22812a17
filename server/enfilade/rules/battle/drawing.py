"""Areas on any board: those that overlays draw, and who is in one that a tabletop draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from enfilade.geometry.board.areas import is_inside, outlined
from enfilade.geometry.board.base import HALF, Point
from enfilade.geometry.board.mask import Mask, full_mask
from enfilade.geometry.board.padded_grid import runs_of
from enfilade.geometry.movement.gridless import circles
from enfilade.geometry.movement.round_bases import RoundBase
from enfilade.i18n import localize
from enfilade.rules.battle.contacts import Contacts
from enfilade.rules.battle.corners import Screens
from enfilade.rules.battle.obstacles import QUARTERS, Covered
from enfilade.rules.battle.spaces import Spaces
from enfilade.rules.ruleset import Area, Caught, CoverLevel
from enfilade.scene.model import Token


def around(
    spaces: Spaces, layer: str, label: str, tokens: Iterable[Token], length: int | Callable[[Token], int]
) -> Area:
    """Return what lies within a length of some tokens: cells, or outlines without a grid."""
    fars = [(one, length if isinstance(length, int) else length(one)) for one in tokens]
    if spaces.is_gridless:
        bases = [(spaces.base(one), far) for one, far in fars]
        grown = [RoundBase(base.at, base.radius + far) for base, far in bases]
        rings, lines = circles(spaces.gridless_board, grown)
        return Area(layer, label, rings=rings, lines=lines)
    found = Mask((0,) * spaces.board.rows)
    for one, far in fars:
        found |= spaces.within(one, far)
    return Area(layer, label, runs_of(found))


def seen_areas(screens: Screens, token: Token, layer: str, hidden: Mask | None = None) -> list[Area]:
    """Return the cells that a token sees, or for the layer "blind" those that it does not see.

    `hidden` are cells that something else than walls and terrain hides from it.
    """
    seen = screens.seen(token) - hidden if hidden else screens.seen(token)
    cells = full_mask(screens.spaces.board) - seen if layer == "blind" else seen
    return [Area(layer, localize(f"battle.area_{layer}"), runs_of(cells))]


def threat_areas(contacts: Contacts, token: Token) -> list[Area]:
    """Return where enemies strike that can do so in the turn of others."""
    spaces, enemies = contacts.screens.spaces, contacts.threats(token)
    label = localize("battle.area_threat")
    if not enemies:
        return []
    if spaces.is_gridless:
        return [around(spaces, "threat", label, enemies, contacts.reach)]
    struck = contacts.screens.seen_by([(enemy, contacts.reach(enemy)) for enemy in enemies])
    return [Area("threat", label, runs_of(Mask.union(struck)))]


def cover_areas(screens: Screens, token: Token, quarters: Sequence[str], creature: str) -> list[Area]:
    """Return where targets have cover against a token, each kind once.

    `quarters` are the names of 1 to 4 quarters that walls block, `creature` that of any that creatures block.
    """
    by_walls, by_bodies = screens.cover_from(token)
    none, found = Mask((0,) * len(by_bodies.rows)), dict[str, Mask]()
    for count, name in enumerate(quarters):
        more = by_walls[count + 1] if count + 1 < QUARTERS else none
        found[name] = found.get(name, none) | (by_walls[count] - more)
    found[creature] = found.get(creature, none) | (by_bodies - by_walls[0])
    return [Area("cover", name, runs_of(cells)) for name, cells in found.items() if cells]


CoverOf = Callable[[Covered], tuple[str, CoverLevel, int | None]]
"""A game's word for some cover, its level, and what it adds to a defense."""


def tokens_in(
    screens: Screens, outline: Sequence[Point], origin: Point, cover_of: CoverOf
) -> tuple[Caught, ...]:
    """Return the tokens with a cell in an outline; without a grid those whose center is.

    A token that walls and terrain hide wholly from the origin is spared.
    """
    spaces = screens.spaces
    if spaces.is_gridless:
        inside = [one for one in spaces.placed if is_inside(outline, spaces.center(one))]
        return tuple(_caught(screens, origin, one, cover_of, is_hidden=False) for one in inside)
    cells = outlined(spaces.board, outline)
    open_cells = cells - screens.hidden_from(origin)
    found = []
    for one in spaces.placed:
        own = spaces.cells(one)
        if any(cell in cells for cell in own):
            is_hidden = not any(cell in open_cells for cell in own)
            found.append(_caught(screens, origin, one, cover_of, is_hidden=is_hidden))
    return tuple(found)


def _caught(screens: Screens, origin: Point, token: Token, cover_of: CoverOf, *, is_hidden: bool) -> Caught:
    covered = screens.covered_from(origin, HALF, token)
    if is_hidden or covered.is_total:
        spared = localize("battle.spared")
        return Caught(token=token.id, cover=spared, cover_level="total", cover_bonus=None, is_spared=True)
    name, level, bonus = cover_of(covered)
    return Caught(token=token.id, cover=name, cover_level=level, cover_bonus=bonus)
