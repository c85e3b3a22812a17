"""Drawing: the overlay areas that follow from spaces, screens and contacts, on any board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from enfilade.geometry.board.mask import Mask, full_mask
from enfilade.geometry.board.padded_grid import runs_of
from enfilade.geometry.movement.gridless import circles
from enfilade.geometry.movement.round_bases import RoundBase
from enfilade.i18n import localize
from enfilade.rules.battle.contacts import Contacts
from enfilade.rules.battle.corners import Screens
from enfilade.rules.battle.obstacles import QUARTERS
from enfilade.rules.battle.spaces import Spaces
from enfilade.rules.ruleset import Area
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
