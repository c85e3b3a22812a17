"""Attacks of Opportunity: a free attack on a creature that moves away (KOV-036, KOV-037, C-11, C-12)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import Answer, Call, Choose, Steps, set_condition
from enfilade.rulesets.knights_of_valour import house_rules
from enfilade.rulesets.knights_of_valour.battlefield import Battlefield, battlefield
from enfilade.rulesets.knights_of_valour.combat.attack import build_attack, declare
from enfilade.rulesets.knights_of_valour.combat.attack_rolls import expected_damage, harm_chance, roll_attack
from enfilade.rulesets.knights_of_valour.combat.damage import apply_damage
from enfilade.rulesets.knights_of_valour.equipment import Weapon
from enfilade.rulesets.knights_of_valour.paths import Threats
from enfilade.rulesets.knights_of_valour.profiles import Creature, read_creature
from enfilade.rulesets.knights_of_valour.sight import ranges_of
from enfilade.rulesets.knights_of_valour.sub_actions import Leg
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene

NO = "no"
"""The answer that makes no attack."""


class Provoked(NamedTuple):
    """An enemy that a leg provokes: its best weapon, the chance of harm and the expected damage."""

    enemy: Creature
    weapon: Weapon
    chance: Fraction
    damage: Fraction


def free_weapons(scene: Scene, enemy: Creature) -> tuple[Weapon, ...]:
    """Return the weapons in hand for an Attack of Opportunity: melee, or any by a house rule (C-11)."""
    if enemy.token.has("climbing") and setting(scene, house_rules.HANGING) == "only climbs":
        return ()
    allows_any = setting(scene, house_rules.FREE_ATTACK_WEAPON) == "any"
    return tuple(
        weapon
        for weapon in enemy.held
        if enemy.is_proficient(weapon)
        and (weapon.kind == "melee" or (allows_any and ranges_of(scene, enemy, weapon).maximum))
    )


def _may_react(scene: Scene, enemy: Creature, mover: Creature) -> bool:
    """Return whether an enemy may attack a creature that leaves its reach.

    Each may once for each Move Action (KOV-037).
    """
    if enemy.token.conditions.get("provoked") == mover.id:
        return False
    is_once = setting(scene, house_rules.FREE_ATTACKS) == "one in a round"
    return not (is_once and enemy.token.has("free attack")) and bool(free_weapons(scene, enemy))


def opportunists(scene: Scene, mover: Creature, start: Cell, end: Cell) -> list[Creature]:
    """Return the enemies that may attack when a creature goes from one square to the next.

    Those are the enemies adjacent to the first square and not to the second (KOV-036): not in reach there, or
    by a house rule more than 5 feet away.
    """
    battle = battlefield(scene)
    counts_walls = _counts_walls(scene)

    def is_left(enemy: Creature) -> bool:
        if counts_walls:
            return not battle.is_in_reach(enemy, mover, end)
        return battle.feet_between(enemy, mover, end) > battle.five

    engaged = battle.engaged(mover, start)
    return [one for one in engaged if one.token.at and is_left(one) and _may_react(scene, one, mover)]


def _counts_walls(scene: Scene) -> bool:
    """Return whether a step round the end of a wall leaves an enemy that is as near as before (C-27)."""
    return setting(scene, house_rules.ROUND_A_WALL) == "provokes"


def _near_cells(battle: Battlefield, enemy: Creature, mover: Creature) -> Iterable[Cell]:
    """Return the squares within 5 feet of an enemy, also those behind walls."""
    at = enemy.token.at
    assert at is not None
    around = [at, *battle.squares_around(at)]
    return [cell for cell in around if battle.feet_between(enemy, mover, cell) <= battle.five]


def _reached_cells(battle: Battlefield, enemy: Creature, mover: Creature) -> Iterable[Cell]:
    """Return the squares in which an enemy reaches a creature that moves."""
    at = enemy.token.at
    assert at is not None
    if not battle.has_lifted:
        return battle.reach(enemy)
    return [cell for cell in [at, *battle.squares_around(at)] if battle.is_in_reach(enemy, mover, cell)]


@per_scene
def threats(scene: Scene, mover_id: str) -> Threats:
    """Return the `opportunists` of all squares at once: those that reach each square, and those it keeps."""
    battle, mover = battlefield(scene), read_creature(scene.token(mover_id))
    reached: dict[Cell, frozenset[str]] = {}
    kept = reached if _counts_walls(scene) else {}
    for enemy in battle.enemies(mover) if battle.has_map else ():
        checkpoint()
        if enemy.token.at is not None and _may_react(scene, enemy, mover):
            for cell in _reached_cells(battle, enemy, mover):
                reached[cell] = reached.get(cell, frozenset()) | {enemy.id}
            for cell in _near_cells(battle, enemy, mover) if kept is not reached else ():
                kept[cell] = kept.get(cell, frozenset()) | {enemy.id}
    return Threats(reached, kept)


def provocations(scene: Scene, mover: Creature, legs: Sequence[Leg]) -> list[tuple[Leg, list[Provoked]]]:
    """Return the legs of a path that provoke, each with the enemies it provokes."""
    found, seen = [], set[str]()
    provoked = threats(scene, mover.id).provoked
    for leg in legs:
        if not provoked(leg.start, leg.end):
            continue
        enemies = [one for one in opportunists(scene, mover, leg.start, leg.end) if one.id not in seen]
        seen |= {enemy.id for enemy in enemies}
        if enemies:
            found.append((leg, [provocation(scene, enemy, mover) for enemy in enemies]))
    return found


def provocation(scene: Scene, enemy: Creature, mover: Creature) -> Provoked:
    """Return an enemy's best Attack of Opportunity on a creature, as it is now."""
    weapon = best_weapon(scene, enemy, mover)
    spec = build_attack(scene, enemy, weapon, mover).spec
    return Provoked(enemy, weapon, harm_chance(spec), expected_damage(spec))


def best_weapon(scene: Scene, enemy: Creature, mover: Creature) -> Weapon:
    """Return the weapon with the highest expected damage; the enemy has at least one."""
    weapons = free_weapons(scene, enemy)
    return max(weapons, key=lambda weapon: expected_damage(build_attack(scene, enemy, weapon, mover).spec))


def opportunity_attacks(scene: Scene, token_id: str, leg: Leg) -> Steps:
    """Resolve the Attacks of Opportunity on a creature before a leg of its move.

    Returns the scene. The creature may be defeated in it; then no further enemy attacks.
    """
    mover = read_creature(scene.token(token_id))
    for enemy in opportunists(scene, mover, leg.start, leg.end):
        if scene.token(token_id).has("out"):
            break
        scene = yield from _offer_attack(scene, enemy, read_creature(scene.token(token_id)))
    return scene


def _offer_attack(scene: Scene, enemy: Creature, mover: Creature) -> Steps:
    # The enemy notes it, not the mover: a list on the mover would reveal the ID of a hidden enemy.
    scene = yield set_condition(scene, enemy.id, "provoked", mover.id)
    weapons = free_weapons(scene, enemy)
    answers = (
        *(Answer(weapon.name, weapon.name) for weapon in weapons),
        Answer(NO, localize("rules.no")),
    )
    question = localize("knights_of_valour.ask_free_attack", name=enemy.name, target=mover.name)
    best = best_weapon(scene, enemy, mover)
    answer = yield Choose(enemy.token.side, question, answers, best.name, enemy.id)
    weapon = enemy.weapon(answer)
    if weapon is None:
        return scene
    built = build_attack(scene, enemy, weapon, mover)
    yield declare(built, "free attack")
    scene = yield set_condition(scene, enemy.id, "free attack")
    strike = yield Call(roll_attack, (built.spec,))
    return (yield from apply_damage(scene, mover.id, strike.damage))
