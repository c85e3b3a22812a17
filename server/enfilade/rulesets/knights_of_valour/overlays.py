"""Overlay areas: ranges in two bands, sight, reactions, threat, and engagements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.padded_grid import runs_of
from enfilade.i18n import localize
from enfilade.rules.ruleset import Area, Engagement
from enfilade.rulesets.knights_of_valour.battlefield import battlefield, mask_within
from enfilade.rulesets.knights_of_valour.combat.reactions import best_weapon, free_weapons
from enfilade.rulesets.knights_of_valour.equipment import Weapon
from enfilade.rulesets.knights_of_valour.movement_costs import ends_of_any
from enfilade.rulesets.knights_of_valour.profiles import Creature, movement, read_creature
from enfilade.rulesets.knights_of_valour.sight import ranges_of, seen_by_any_of, seen_cells
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token


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
            found.append(_area("ranges", label, _mask(scene, _in_reach(scene, creature.token.at))))
            continue
        ranges = ranges_of(scene, creature, weapon)
        near = _within(scene, creature.token.at, ranges.close)
        far = _within(scene, creature.token.at, ranges.maximum)
        label = localize("knights_of_valour.area_close", weapon=weapon.name, feet=ranges.close)
        found.append(_area("ranges", label, near))
        label = localize("knights_of_valour.area_maximum", weapon=weapon.name, feet=ranges.maximum)
        found.append(_area("ranges", label, far - near))
    return found


def _sight(scene: Scene, creature: Creature) -> Sequence[Area]:
    """Return the squares that a creature sees from center to center (KOV-058)."""
    label = localize("knights_of_valour.area_sight")
    return (_area("sight", label, seen_cells(scene, creature.id)),)


def _reactions(scene: Scene, creature: Creature) -> Sequence[Area]:
    """Return the enemies that may attack if the creature moves away from them (KOV-036)."""
    found = []
    for enemy in battlefield(scene).engaged(creature):
        if free_weapons(scene, enemy) and enemy.token.at is not None:
            weapon = best_weapon(scene, enemy, creature)
            label = localize("knights_of_valour.area_free_attack", name=enemy.name, weapon=weapon.name)
            found.append(_area("reactions", label, _mask(scene, [enemy.token.at])))
    return found


def _threat(scene: Scene, creature: Creature) -> Sequence[Area]:
    """Return the squares that enemies can attack now, and those they can attack in melee after a move."""
    enemies = battlefield(scene).enemies(creature)
    now, after = attackable_by_any(scene, enemies), _attackable_after_a_move(scene, enemies)
    return (
        _area("threat", localize("knights_of_valour.area_threat_now"), now),
        _area("threat", localize("knights_of_valour.area_threat_after_move"), after - now),
    )


def attackable_by_any(scene: Scene, enemies: Sequence[Creature]) -> Mask:
    """Return the squares that any of some creatures can attack from where it stands."""
    fighters, shooters = list[Cell](), dict[Creature, Mask]()
    for enemy in enemies:
        checkpoint()
        weapons, at = usable_weapons(scene, enemy), enemy.token.at
        if at and any(weapon.kind == "melee" for weapon in weapons):
            fighters.append(at)
        ranged = [ranges_of(scene, enemy, weapon).maximum for weapon in weapons if weapon.kind != "melee"]
        if ranged:
            shooters[enemy] = _within(scene, at, max(ranged))
    in_melee = battlefield(scene).reach_from_any(_mask(scene, fighters))
    return in_melee | seen_by_any_of(scene, shooters) if shooters else in_melee


def _attackable_after_a_move(scene: Scene, enemies: Sequence[Creature]) -> Mask:
    moves = []
    for enemy in enemies:
        checkpoint()
        if any(weapon.kind == "melee" for weapon in usable_weapons(scene, enemy)):
            moves.append((enemy, movement(scene, enemy)))
    return battlefield(scene).reach_from_any(ends_of_any(scene, moves))


def usable_weapons(scene: Scene, creature: Creature) -> list[Weapon]:
    """Return the weapons in hand that a creature may attack with (KOV-006, KOV-018)."""
    return [
        weapon
        for weapon in creature.held
        if creature.is_proficient(weapon)
        and (weapon.kind == "melee" or ranges_of(scene, creature, weapon).maximum)
    ]


def _in_reach(scene: Scene, at: Cell | None) -> frozenset[Cell]:
    return battlefield(scene).reach_from(at) if at else frozenset()


def _within(scene: Scene, at: Cell | None, feet: int) -> Mask:
    battle = battlefield(scene)
    return mask_within(battle.landscape, battle.board, at, feet) if at else _mask(scene, ())


def _mask(scene: Scene, cells: Iterable[Cell]) -> Mask:
    return Mask.of(cells, scene.grid.rows)


def _area(layer: str, label: str, cells: Mask) -> Area:
    return Area(layer, label, runs_of(cells))


_LAYERS: dict[str, Callable[[Scene, Creature], Sequence[Area]]] = {
    "ranges": _ranges,
    "sight": _sight,
    "reactions": _reactions,
    "threat": _threat,
}


def engagements(scene: Scene) -> list[Engagement]:
    """Return the pairs of adjacent enemies (KOV-036)."""
    battle = battlefield(scene)
    if not battle.has_map:
        return []
    return [
        Engagement((a.id, b.id), localize("knights_of_valour.area_engaged", a=a.name, b=b.name))
        for a, b in battle.engaged_pairs()
    ]
