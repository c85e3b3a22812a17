"""Ready-made creatures: figures of the SRD 5.2 (the attribution is in the game's package and page)."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from enfilade.rules.ruleset import Unit
from enfilade.rules.sheets import Attack, AttackKind, Damage, Rider, Size
from enfilade.rulesets.fifth_edition.profiles import Ability, Effect, Profile


def _scores(*modifiers: int) -> dict[Ability, int]:
    names: tuple[Ability, ...] = ("str", "dex", "con", "int", "wis", "cha")
    return {name: max(1, 10 + 2 * modifier) for name, modifier in zip(names, modifiers, strict=True)}


def _hit(dice: int, sides: int, bonus: int, kind: str) -> Damage:
    return Damage(dice, sides, bonus, kind)


def _melee(name: str, bonus: int, *damage: Damage, reach: int = 5, **more: Any) -> Attack:
    return Attack(name=name, kind="melee", bonus=bonus, reach=reach, damage=damage, **more)


def _shot(
    name: str, bonus: int, normal: int, long: int, *damage: Damage, kind: AttackKind = "ranged", **more: Any
) -> Attack:
    reach = 5 if kind == "both" else 0
    return Attack(
        name=name, kind=kind, bonus=bonus, reach=reach, normal=normal, long=long, damage=damage, **more
    )


B, P, S, R = "bludgeoning", "piercing", "slashing", "radiant"
NIGHT = {"darkvision": 60.0}
POISONLESS = ("poison", "poisoned", "exhaustion")
HEALING_WORD = Effect(
    name="Healing Word", shape="single", range=60, level=1, is_bonus=True, is_verbal=True, needs_sight=True,
    healing=(_hit(2, 4, 2, ""),), higher=(_hit(2, 4, 0, ""),),
)  # fmt: skip


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
        initiative=2, parry=2,
        attacks=(
            _melee("Greatsword", 5, _hit(2, 6, 3, S)),
            _shot("Heavy Crossbow", 3, 100, 400, _hit(2, 10, 1, P)),
        ),
    ),
    _unit(
        "knight", "Knight", "medium", 18, 52, (3, 0, 2, 0, 0, 2), multiattack=2, saves={"con": 4, "wis": 2},
        immunities=("frightened",), parry=2,
        attacks=(
            _melee("Greatsword", 5, _hit(2, 6, 3, S), _hit(1, 8, 0, R)),
            _shot("Heavy Crossbow", 2, 100, 400, _hit(2, 10, 0, P), _hit(1, 8, 0, R)),
        ),
    ),
    _unit(
        "captain", "Guard Captain", "medium", 18, 75, (4, 2, 3, 1, 2, 1), multiattack=2, initiative=2,
        attacks=(
            _melee("Longsword", 6, _hit(2, 10, 4, S)),
            _shot("Javelin", 6, 30, 120, _hit(3, 6, 4, P), kind="both"),
        ),
    ),
    _unit(
        "scout", "Scout", "medium", 13, 16, (0, 2, 1, 0, 1, 0), multiattack=2, is_character=True,
        skills={"stealth": 6, "perception": 5},
        attacks=(_melee("Shortsword", 4, _hit(1, 6, 2, P)), _shot("Longbow", 4, 150, 600, _hit(1, 8, 2, P))),
    ),
    _unit(
        "spy", "Spy", "medium", 12, 27, (0, 2, 0, 1, 2, 3), speeds={"walk": 30, "climb": 30}, initiative=2,
        skills={"stealth": 6}, bonus_actions=("dash", "disengage", "hide"),
        attacks=(
            _melee("Shortsword", 4, _hit(1, 6, 2, P), _hit(2, 6, 0, "poison")),
            _shot("Hand Crossbow", 4, 30, 120, _hit(1, 6, 2, P), _hit(2, 6, 0, "poison")),
        ),
    ),
    _unit(
        "acolyte", "Priest Acolyte", "medium", 13, 11, (2, 0, 1, 0, 2, 0),
        attacks=(
            _melee("Mace", 4, _hit(1, 6, 2, B), _hit(1, 4, 0, R)),
            _shot("Radiant Flame", 4, 60, 60, _hit(2, 6, 0, R)),
        ),
        effects=(replace(HEALING_WORD, uses=1),),
    ),
    _unit(
        "priest", "Priest", "medium", 13, 38, (3, 0, 1, 1, 3, 1), multiattack=2,
        attacks=(
            _melee("Mace", 5, _hit(1, 6, 3, B), _hit(2, 4, 0, R)),
            _shot("Radiant Flame", 5, 60, 60, _hit(2, 10, 0, R)),
        ),
        effects=(
            Effect(
                name="Spirit Guardians", shape="emanation", size=15, save="wis", damage=(_hit(3, 8, 0, R),),
                uses=1, concentrates=True, spares_allies=True, is_verbal=True,
            ),
            replace(HEALING_WORD, healing=(_hit(2, 4, 3, ""),)),
        ),
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
        "berserker", "Berserker", "medium", 13, 67, (3, 1, 3, -1, 0, -1), has_frenzy=True,
        attacks=(_melee("Greataxe", 5, _hit(1, 12, 3, S)),),
    ),
    _unit(
        "bandit_captain", "Bandit Captain", "medium", 15, 52, (2, 3, 2, 2, 0, 2), multiattack=2, parry=2,
        saves={"str": 4, "dex": 5, "wis": 2},
        attacks=(_melee("Scimitar", 5, _hit(1, 6, 3, S)), _shot("Pistol", 5, 30, 90, _hit(1, 10, 3, P))),
    ),
    _unit(
        "gladiator", "Gladiator", "medium", 16, 112, (4, 2, 3, 0, 1, 2), proficiency=3, multiattack=3,
        saves={"str": 7, "dex": 5, "con": 6, "wis": 4}, initiative=3, parry=3,
        attacks=(_shot("Spear", 7, 20, 60, _hit(2, 6, 4, P), kind="both"),),
        effects=(
            Effect(
                name="Shield Bash", shape="single", range=5, save="str", difficulty=15, half=False,
                damage=(_hit(2, 4, 4, B),), condition="prone",
            ),
        ),
    ),
    _unit(
        "stirge", "Stirge", "tiny", 13, 5, (-3, 3, 0, -4, -1, -2), senses=NIGHT,
        speeds={"walk": 10, "fly": 40}, hands=0,
        attacks=(_melee("Proboscis", 5, _hit(1, 6, 3, P)),),
    ),
    _unit(
        "goblin", "Goblin Warrior", "small", 15, 10, (-1, 2, 0, 0, -1, -1), senses=NIGHT,
        skills={"stealth": 6}, bonus_actions=("disengage", "hide"),
        attacks=(
            _melee("Scimitar", 4, _hit(1, 6, 2, S), edge_damage=(_hit(1, 4, 0, S),)),
            _shot("Shortbow", 4, 80, 320, _hit(1, 6, 2, P), edge_damage=(_hit(1, 4, 0, P),)),
        ),
    ),
    _unit(
        "hobgoblin", "Hobgoblin Warrior", "medium", 18, 11, (1, 1, 1, 0, 0, -1), senses=NIGHT,
        initiative=2, has_pack_tactics=True,
        attacks=(
            _melee("Longsword", 3, _hit(2, 10, 1, S)),
            _shot("Longbow", 3, 150, 600, _hit(1, 8, 1, P), _hit(3, 4, 0, "poison")),
        ),
    ),
    _unit(
        "skeleton", "Skeleton", "medium", 14, 13, (0, 3, 2, -2, -1, -3), senses=NIGHT,
        vulnerabilities=(B,), immunities=POISONLESS,
        attacks=(_melee("Shortsword", 5, _hit(1, 6, 3, P)), _shot("Shortbow", 5, 80, 320, _hit(1, 6, 3, P))),
    ),
    _unit(
        "zombie", "Zombie", "medium", 8, 15, (1, -2, 3, -4, -2, -3), senses=NIGHT, speeds={"walk": 20},
        saves={"wis": 0}, immunities=POISONLESS, has_undead_fortitude=True,
        attacks=(_melee("Slam", 3, _hit(1, 8, 1, B)),),
    ),
    _unit(
        "wolf", "Wolf", "medium", 12, 11, (2, 2, 1, -4, 1, -2), senses=NIGHT, speeds={"walk": 40},
        has_pack_tactics=True, hands=0,
        attacks=(_melee("Bite", 4, _hit(1, 6, 2, P), riders=(Rider(size="medium"),)),),
    ),
    _unit(
        "spider", "Giant Spider", "large", 14, 26, (2, 3, 1, -4, 0, -3), senses=NIGHT, hands=0,
        speeds={"walk": 30, "climb": 30},
        attacks=(_melee("Bite", 5, _hit(1, 8, 3, P), _hit(2, 6, 0, "poison")),),
        effects=(
            Effect(
                name="Web", shape="single", range=60, half=False, condition="restrained", recharge=5,
            ),
        ),
    ),
    _unit(
        "ogre", "Ogre", "large", 11, 68, (4, -1, 3, -3, -2, -2), senses=NIGHT, speeds={"walk": 40},
        attacks=(
            _melee("Greatclub", 6, _hit(2, 8, 4, B)),
            _shot("Javelin", 6, 30, 120, _hit(2, 6, 4, P), kind="both"),
        ),
    ),
    _unit(
        "troll", "Troll", "large", 15, 94, (4, 1, 5, -2, -1, -2), proficiency=3, senses=NIGHT, multiattack=3,
        regeneration=15, unhealing=("acid", "fire"),
        attacks=(_melee("Rend", 7, _hit(2, 6, 4, S), reach=10),),
    ),
    _unit(
        "hill_giant", "Hill Giant", "huge", 13, 105, (5, -1, 4, -3, -1, -2), proficiency=3, multiattack=2,
        speeds={"walk": 40}, initiative=3,
        attacks=(
            _melee("Tree Club", 8, _hit(3, 8, 5, B), reach=10, riders=(Rider(size="large"),)),
            _shot("Trash Lob", 8, 60, 240, _hit(2, 10, 5, B)),
        ),
    ),
    _unit(
        "red_dragon", "Adult Red Dragon", "huge", 19, 256, (8, 0, 7, 3, 1, 6), proficiency=6, multiattack=3,
        saves={"dex": 6, "wis": 7}, speeds={"walk": 40, "climb": 40, "fly": 80}, initiative=12, hands=0,
        senses={"blindsight": 60, "darkvision": 120}, immunities=("fire",),
        legendary_resistance=3, legendary_actions=3,
        attacks=(
            _melee("Rend", 14, _hit(1, 10, 8, S), _hit(2, 4, 0, "fire"), reach=10),
            _shot("Scorching Ray", 12, 120, 120, _hit(2, 6, 0, "fire")),
        ),
        effects=(
            Effect(
                name="Fire Breath", shape="cone", size=60, difficulty=21, damage=(_hit(17, 6, 0, "fire"),),
                recharge=5,
            ),
        ),
    ),
    _unit(
        "purple_worm", "Purple Worm", "gargantuan", 18, 247, (9, -2, 6, -5, -1, -3), proficiency=5, hands=0,
        saves={"con": 11, "wis": 4}, speeds={"walk": 50, "burrow": 50}, routine=("Bite", "Tail"),
        senses={"blindsight": 30, "tremorsense": 60},
        attacks=(
            _melee(
                "Bite", 14, _hit(3, 8, 9, P), reach=10,
                riders=(Rider("grappled", difficulty=19, size="large"), Rider("restrained", size="large")),
            ),
            _melee("Tail", 14, _hit(2, 6, 9, P), _hit(10, 6, 0, "poison"), reach=10),
        ),
    ),
)  # fmt: skip
