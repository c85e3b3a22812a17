"""Where miniatures can strike: from where they stand and face, and in melee once they have moved.

Each as if it had just been activated, with its whole movement allowance (CDG-014, CDG-037 to CDG-051).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from enfilade.geometry.board.arcs import full_mask
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.units import Cell
from enfilade.geometry.movement.barriers import attack_lanes
from enfilade.geometry.movement.graph import MovementGraph
from enfilade.geometry.movement.threat import Attacker, threat
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.battlefield import Battle
from enfilade.rulesets.coup_de_grace.catalogue import Item
from enfilade.rulesets.coup_de_grace.movement import (
    STEP,
    common_ground,
    doublings,
    ground_of,
    is_walled,
    movement_field,
    wall_table,
)
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.rulesets.coup_de_grace.ranges import NO_RANGE, in_range
from enfilade.rulesets.coup_de_grace.sight import seen_from
from enfilade.rulesets.coup_de_grace.strike import cost_of
from enfilade.time_budget import checkpoint


def threatened_now(battle: Battle, strikers: Iterable[Fighter]) -> Mask:
    """The cells that any of some miniatures can strike from where it stands, facing as it does."""
    found = Mask((0,) * battle.board.rows)
    for one in strikers:
        for at in _standing(battle, one):
            checkpoint()
            found |= _in_melee(battle, one, at) | _at_range(battle, one, at)
    return found


def threatened_after_a_move(battle: Battle, strikers: Iterable[Fighter]) -> Mask:
    """The cells that any of some miniatures can strike in melee from wherever it can walk or turn."""
    found = Mask((0,) * battle.board.rows)
    lanes = attack_lanes(
        battle.board, wall_table(battle), battle.setting(house_rules.ADJACENCY) == "edges and corners"
    )
    for one, places in _walks(battle, strikers):
        checkpoint()
        found |= threat(_walked_over(battle, one), places, lanes).cells
    return found


def _walked_over(battle: Battle, one: Fighter) -> MovementGraph:
    if one.race == "halfling":
        return ground_of(battle, one.id)
    return common_ground(battle, one.token.side)


def _walks(battle: Battle, strikers: Iterable[Fighter]) -> Iterator[tuple[Fighter, list[Attacker]]]:
    """Who walks, and from where: one of a side for all over the same ground, but each halfling apart."""
    together: dict[str, tuple[Fighter, list[Attacker]]] = {}
    for one in strikers:
        checkpoint()
        places = [] if one.is_downed else list(_places(battle, one))
        if places and one.race == "halfling":
            yield one, places
        elif places:
            together.setdefault(one.token.side, (one, []))[1].extend(places)
    yield from together.values()


def _standing(battle: Battle, one: Fighter) -> Iterator[Cell]:
    if one.token.at is not None and one.token.at in battle.board:
        yield one.token.at


def _in_melee(battle: Battle, one: Fighter, at: Cell) -> Mask:
    """What lies straight ahead, or all round one who is downed (CDG-014, CDG-070)."""
    cells: Iterable[Cell] = ()
    if any(_can_pay(battle, one, *blow) for blow in _attacks_of(one, "melee")):
        if one.is_downed:
            cells = battle.board.neighbors(at)
        elif one.facing is not None:
            cells = [battle.stepped(at, one.facing)]
    there = (cell for cell in cells if cell in battle.board and not is_walled(battle, at, cell))
    return Mask.of(there, battle.board.rows)


def _at_range(battle: Battle, one: Fighter, at: Cell) -> Mask:
    """What it sees in its front arc, within its weapons' reach (CDG-050, CDG-051)."""
    found = Mask((0,) * battle.board.rows)
    for item, kind in _attacks_of(one, "ranged"):
        if _can_pay(battle, one, item, kind):
            found |= _within(battle, at, item.reach)
    if not any(found.rows) or (one.is_downed and not battle.is_on(house_rules.DOWNED_NEED_SIGHT)):
        return found
    if not one.is_downed:
        found &= _ahead(battle, one, at)
    return found & seen_from(battle, at) if any(found.rows) else found


def _ahead(battle: Battle, one: Fighter, at: Cell) -> Mask:
    if one.facing is None:
        return Mask((0,) * battle.board.rows)
    return battle.front_arc(at, one.facing)


def _within(battle: Battle, at: Cell, reach: int) -> Mask:
    if not reach and battle.setting(house_rules.RANGE) != "path":
        return full_mask(battle.board) - Mask.of([at], battle.board.rows)
    return in_range(battle, at, 1, reach or NO_RANGE)


def _attacks_of(one: Fighter, how: str) -> Iterator[tuple[Item, str]]:
    """What it attacks with in melee or ranged, and as which kind of act; one who is downed casts nothing."""
    for item in one.items.values():
        if getattr(item, how):
            yield item, how
        if item.spell == how and not one.is_downed:
            yield item, "spell"


def _can_pay(battle: Battle, one: Fighter, item: Item, kind: str) -> bool:
    return cost_of(battle, one, item, kind) <= one.allowance


def _places(battle: Battle, one: Fighter) -> Iterator[Attacker]:
    """From where it can strike in melee once it has walked, or turned where it stands."""
    for at in _standing(battle, one):
        turn = STEP << doublings(battle, one, at)
        if any(item.melee for item in one.items.values()):
            yield from [Attacker(at, one.allowance)] if turn <= one.allowance else ()
            continue
        spells = [item for item, _ in _attacks_of(one, "melee")]
        for cell, cost in movement_field(battle, one.id, one.allowance).costs.items() if spells else ():
            dear = min(cost_of(battle, one, item, "spell", cell) for item in spells)
            if (turn if cell == at else cost) + dear <= one.allowance:
                yield Attacker(cell, 0)
