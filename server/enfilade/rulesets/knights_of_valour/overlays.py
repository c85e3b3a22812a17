"""Overlay areas: ranges in two bands, sight, reactions, threat, and engagements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.units import Cell
from enfilade.i18n import localize
from enfilade.rules.ruleset import Area, Engagement
from enfilade.rulesets.knights_of_valour.battlefield import battlefield, cells_within
from enfilade.rulesets.knights_of_valour.combat.reactions import best_weapon, free_weapons
from enfilade.rulesets.knights_of_valour.equipment import Weapon
from enfilade.rulesets.knights_of_valour.paths import Mover, Search
from enfilade.rulesets.knights_of_valour.profiles import Creature, movement, read_creature
from enfilade.rulesets.knights_of_valour.sight import ranges_of, seen_cells
from enfilade.scene.model import Scene, Token
from enfilade.time_budget import checkpoint


def areas(scene: Scene, token: Token, layer: str) -> Sequence[Area]:
    """Return the areas of one overlay layer; none for a creature off the board."""
    if token.at is None or token.at not in battlefield(scene).board or layer not in _LAYERS:
        return ()
    return _LAYERS[layer](scene, read_creature(token))


def _ranges(scene: Scene, creature: Creature) -> Sequence[Area]:
    """Return the reach of melee weapons, and the two bands of ranged ones (KOV-051, KOV-066)."""
    found = []
    for weapon in usable_weapons(scene, creature):
        if weapon.kind == "melee":
            label = localize("knights_of_valour.area_melee", weapon=weapon.name)
            found.append(_area(scene, "ranges", label, _in_reach(scene, creature.token.at)))
            continue
        ranges = ranges_of(scene, creature, weapon)
        near = _within(scene, creature.token.at, ranges.close)
        far = _within(scene, creature.token.at, ranges.maximum)
        label = localize("knights_of_valour.area_close", weapon=weapon.name, feet=ranges.close)
        found.append(_area(scene, "ranges", label, near))
        label = localize("knights_of_valour.area_maximum", weapon=weapon.name, feet=ranges.maximum)
        found.append(_area(scene, "ranges", label, far - near))
    return found


def _sight(scene: Scene, creature: Creature) -> Sequence[Area]:
    """Return the squares that a creature sees from center to center (KOV-058)."""
    label = localize("knights_of_valour.area_sight")
    return (_area(scene, "sight", label, seen_cells(scene, creature.id)),)


def _reactions(scene: Scene, creature: Creature) -> Sequence[Area]:
    """Return the enemies that may attack if the creature moves away from them (KOV-036)."""
    found = []
    for enemy in battlefield(scene).engaged_enemies(creature):
        if free_weapons(scene, enemy) and enemy.token.at is not None:
            weapon = best_weapon(scene, enemy, creature)
            label = localize("knights_of_valour.area_free_attack", name=enemy.name, weapon=weapon.name)
            found.append(_area(scene, "reactions", label, [enemy.token.at]))
    return found


def _threat(scene: Scene, creature: Creature) -> Sequence[Area]:
    """Return the squares that enemies can attack now, and those they can attack in melee after a move."""
    now: set[Cell] = set()
    after: set[Cell] = set()
    for enemy in battlefield(scene).enemies(creature):
        checkpoint()
        now |= _attackable(scene, enemy)
        if enemy.token.at and any(w.kind == "melee" for w in usable_weapons(scene, enemy)):
            search = Search(Mover(scene, enemy), enemy.token.at, movement(scene, enemy))
            after |= {cell for place in search.costs() for cell in _in_reach(scene, place)}
    return (
        _area(scene, "threat", localize("knights_of_valour.area_threat_now"), now),
        _area(scene, "threat", localize("knights_of_valour.area_threat_after_move"), after - now),
    )


def _attackable(scene: Scene, enemy: Creature) -> set[Cell]:
    """Return the squares that a creature can attack from where it stands."""
    found: set[Cell] = set()
    for weapon in usable_weapons(scene, enemy):
        if weapon.kind == "melee":
            found |= _in_reach(scene, enemy.token.at)
        else:
            seen = seen_cells(scene, enemy.id)
            in_range = _within(scene, enemy.token.at, ranges_of(scene, enemy, weapon).maximum)
            found |= {cell for cell in in_range if cell in seen}
    return found


def usable_weapons(scene: Scene, creature: Creature) -> list[Weapon]:
    """Return the weapons in hand that a creature may attack with (KOV-006, KOV-018)."""
    return [
        weapon
        for weapon in creature.held
        if creature.is_proficient(weapon)
        and (weapon.kind == "melee" or ranges_of(scene, creature, weapon).maximum)
    ]


def _in_reach(scene: Scene, at: Cell | None) -> frozenset[Cell]:
    return battlefield(scene).in_reach(at) if at else frozenset()


def _within(scene: Scene, at: Cell | None, feet: int) -> set[Cell]:
    battle = battlefield(scene)
    return cells_within(battle.ground, battle.board, at, feet) if at else set()


def _area(scene: Scene, layer: str, label: str, cells: Iterable[Cell]) -> Area:
    return Area(layer, label, tuple(Mask.of(cells, scene.grid.rows).runs()))


_LAYERS: dict[str, Callable[[Scene, Creature], Sequence[Area]]] = {
    "ranges": _ranges,
    "sight": _sight,
    "reactions": _reactions,
    "threat": _threat,
}


def engagements(scene: Scene) -> list[Engagement]:
    """Return the pairs of adjacent enemies (KOV-036)."""
    battle, found = battlefield(scene), []
    if not battle.has_map:
        return []
    for a, b in combinations(battle.creatures, 2):
        checkpoint()
        if a in battle.engaged_enemies(b) or b in battle.engaged_enemies(a):
            label = localize("knights_of_valour.area_engaged", a=a.name, b=b.name)
            found.append(Engagement((a.id, b.id), label))
    return found
