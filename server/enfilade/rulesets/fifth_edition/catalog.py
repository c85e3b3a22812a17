"""Ready-made creatures: figures of the SRD 5.2 (the attribution is in the game's package and page)."""

from __future__ import annotations

from msgspec import to_builtins

from enfilade.rules.ruleset import Unit
from enfilade.rules.sheets import Attack, AttackKind, Damage
from enfilade.rulesets.fifth_edition.profiles import Ability, Effect, Profile, Size


def _scores(*modifiers: int) -> dict[Ability, int]:
    names: tuple[Ability, ...] = ("str", "dex", "con", "int", "wis", "cha")
    return {name: 10 + 2 * modifier for name, modifier in zip(names, modifiers, strict=True)}


def _hit(dice: int, sides: int, bonus: int, kind: str) -> Damage:
    return Damage(dice, sides, bonus, kind)


def _melee(name: str, bonus: int, *damage: Damage, reach: int = 5) -> Attack:
    return Attack(name=name, kind="melee", bonus=bonus, reach=reach, damage=damage)


def _shot(
    name: str, bonus: int, normal: int, long: int, *damage: Damage, kind: AttackKind = "ranged"
) -> Attack:
    reach = 5 if kind == "both" else 0
    return Attack(name=name, kind=kind, bonus=bonus, reach=reach, normal=normal, long=long, damage=damage)


B, P, S = "bludgeoning", "piercing", "slashing"
NIGHT = {"darkvision": 60.0}


def _unit(
    key: str, name: str, size: Size, armor: int, points: int, modifiers: tuple[int, ...], **more: object
) -> Unit:
    base = {"size": size, "armor_class": armor, "hit_points": points, "abilities": _scores(*modifiers)}
    return Unit(key, name, to_builtins(Profile(**base, **more)))  # type: ignore[arg-type]


UNITS: tuple[Unit, ...] = (
    _unit(
        "infantry", "Warrior Infantry", "medium", 13, 9, (1, 0, 0, -1, 0, -1), has_pack_tactics=True,
        attacks=(_shot("Spear", 3, 20, 60, _hit(1, 6, 1, P), kind="both"),),
    ),
    _unit(
        "veteran", "Warrior Veteran", "medium", 17, 65, (3, 1, 2, 0, 0, 0), multiattack=2, is_character=True,
        attacks=(
            _melee("Greatsword", 5, _hit(2, 6, 3, S)),
            _shot("Heavy Crossbow", 3, 100, 400, _hit(2, 10, 1, P)),
        ),
    ),
    _unit(
        "scout", "Scout", "medium", 13, 16, (0, 2, 1, 0, 1, 0), multiattack=2, is_character=True,
        attacks=(_melee("Shortsword", 4, _hit(1, 6, 2, P)), _shot("Longbow", 4, 150, 600, _hit(1, 8, 2, P))),
    ),
    _unit(
        "mage", "Mage", "medium", 15, 81, (-1, 2, 0, 3, 1, 0), proficiency=3, is_character=True,
        multiattack=3, saves={"int": 6, "wis": 4},
        attacks=(_shot("Arcane Burst", 6, 120, 120, _hit(3, 8, 3, "force"), kind="both"),),
        effects=(
            Effect(
                name="Fireball", shape="sphere", size=20, range=150, difficulty=14,
                damage=(_hit(9, 6, 0, "fire"),), uses=2,
            ),
        ),
    ),
    _unit(
        "goblin", "Goblin Warrior", "small", 15, 10, (-1, 2, 0, 0, -1, -1), senses=NIGHT,
        attacks=(_melee("Scimitar", 4, _hit(1, 6, 2, S)), _shot("Shortbow", 4, 80, 320, _hit(1, 6, 2, P))),
    ),
    _unit(
        "hobgoblin", "Hobgoblin Warrior", "medium", 18, 11, (1, 1, 1, 0, 0, -1), senses=NIGHT,
        has_pack_tactics=True,
        attacks=(
            _melee("Longsword", 3, _hit(2, 10, 1, S)),
            _shot("Longbow", 3, 150, 600, _hit(1, 8, 1, P), _hit(3, 4, 0, "poison")),
        ),
    ),
    _unit(
        "skeleton", "Skeleton", "medium", 14, 13, (0, 3, 2, -2, -1, -3), senses=NIGHT,
        vulnerabilities=(B,), immunities=("poison",),
        attacks=(_melee("Shortsword", 5, _hit(1, 6, 3, P)), _shot("Shortbow", 5, 80, 320, _hit(1, 6, 3, P))),
    ),
    _unit(
        "zombie", "Zombie", "medium", 8, 15, (1, -2, 3, -4, -2, -3), senses=NIGHT, speeds={"walk": 20},
        saves={"wis": 0}, immunities=("poison",), has_undead_fortitude=True,
        attacks=(_melee("Slam", 3, _hit(1, 8, 1, B)),),
    ),
    _unit(
        "berserker", "Berserker", "medium", 13, 67, (3, 1, 3, -1, 0, -1),
        attacks=(_melee("Greataxe", 5, _hit(1, 12, 3, S)),),
    ),
    _unit(
        "ogre", "Ogre", "large", 11, 68, (4, -1, 3, -3, -2, -2), senses=NIGHT, speeds={"walk": 40},
        attacks=(
            _melee("Greatclub", 6, _hit(2, 8, 4, B)),
            _shot("Javelin", 6, 30, 120, _hit(2, 6, 4, P), kind="both"),
        ),
    ),
)  # fmt: skip
