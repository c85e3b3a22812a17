"""The ready-made units: their figures, as the page of rules writes them."""

from __future__ import annotations

from textwrap import fill

from enfilade.rules.profiles import read_profile
from enfilade.rulesets.fifth_edition import FIFTH_EDITION
from enfilade.rulesets.fifth_edition.profiles import Profile

WORDS = ("routine", "bonus_actions", "immunities", "vulnerabilities", "unhealing")
NUMBERS = (
    "multiattack",
    "parry",
    "regeneration",
    "legendary_resistance",
    "legendary_actions",
    "initiative",
    "hands",
)
FLAGS = ("has_pack_tactics", "has_undead_fortitude", "has_frenzy", "is_character")


def dealt(parts):
    return " + ".join(
        f"{part.dice}d{part.sides}{f'{part.bonus:+d}' if part.bonus else ''} {part.type}" for part in parts
    )


def written_attack(one):
    reach = f" m{one.reach:g}" if one.reach else ""
    far = f" r{one.normal:g}/{one.long:g}" if one.normal else ""
    edge = f", at advantage {dealt(one.edge_damage)}" if one.edge_damage else ""
    riders = "".join(f", {rider.condition} {rider.difficulty} up to {rider.size}" for rider in one.riders)
    return f"  {one.name} {one.kind} {one.bonus:+d}{reach}{far} {dealt(one.damage)}{edge}{riders}"


def written_effect(one):
    words = [one.name, one.shape, f"{one.size:g}", f"range {one.range:g}", f"{one.save} {one.difficulty}"]
    words += [dealt(one.damage)] if one.damage else []
    if one.healing:
        words = [*words[:-1], f"heals {dealt(one.healing).strip()}, {dealt(one.higher).strip()} a slot above"]
    words += ["half"] if one.half and not one.healing else []
    words += [one.condition] if one.condition else []
    words += [f"recharge {one.recharge}"] if one.recharge else []
    words += [f"{one.uses} a day"] if one.uses else []
    words += [
        name
        for name in ("concentrates", "spares_allies", "is_bonus", "is_verbal", "needs_sight")
        if getattr(one, name)
    ]
    return "  " + " ".join(words)


def written(unit):
    """Return a unit's figures in lines."""
    one, bare = read_profile(unit.profile, Profile), Profile()
    scores = " ".join(
        str((one.abilities[key] - 10) // 2) for key in ("str", "dex", "con", "int", "wis", "cha")
    )
    first = [f"{unit.key}: {unit.name}, {one.size}; AC {one.armor_class}, HP {one.hit_points}; {scores}"]
    first.append(f"PB {one.proficiency}")
    for name in ("speeds", "senses", "saves", "skills"):
        pairs = [f"{key} {value:g}" for key, value in sorted(getattr(one, name).items())]
        first += [f"{name} {' '.join(pairs)}"] if pairs else []
    first += [f"{name} {' '.join(getattr(one, name))}" for name in WORDS if getattr(one, name)]
    first += [f"{name} {getattr(one, name)}" for name in NUMBERS if getattr(one, name) != getattr(bare, name)]
    first += [name for name in FLAGS if getattr(one, name)]
    lines = [fill("; ".join(first), 100, subsequent_indent="    ")]
    lines += [written_attack(attack) for attack in one.attacks]
    return "\n".join([*lines, *[written_effect(effect) for effect in one.effects]])


UNITS = """
infantry: Warrior Infantry, medium; AC 13, HP 9; 1 0 0 -1 0 -1; PB 2; speeds walk 30;
    has_pack_tactics
  Spear both +3 m5 r20/60 1d6+1 piercing
veteran: Warrior Veteran, medium; AC 17, HP 65; 3 1 2 0 0 0; PB 2; speeds walk 30; multiattack 2;
    parry 2; initiative 2; is_character
  Greatsword melee +5 m5 2d6+3 slashing
  Heavy Crossbow ranged +3 r100/400 2d10+1 piercing
knight: Knight, medium; AC 18, HP 52; 3 0 2 0 0 2; PB 2; speeds walk 30; saves con 4 wis 2;
    immunities frightened; multiattack 2; parry 2
  Greatsword melee +5 m5 2d6+3 slashing + 1d8 radiant
  Heavy Crossbow ranged +2 r100/400 2d10 piercing + 1d8 radiant
captain: Guard Captain, medium; AC 18, HP 75; 4 2 3 1 2 1; PB 2; speeds walk 30; multiattack 2;
    initiative 2
  Longsword melee +6 m5 2d10+4 slashing
  Javelin both +6 m5 r30/120 3d6+4 piercing
scout: Scout, medium; AC 13, HP 16; 0 2 1 0 1 0; PB 2; speeds walk 30; skills perception 5 stealth
    6; multiattack 2; is_character
  Shortsword melee +4 m5 1d6+2 piercing
  Longbow ranged +4 r150/600 1d8+2 piercing
spy: Spy, medium; AC 12, HP 27; 0 2 0 1 2 3; PB 2; speeds climb 30 walk 30; skills stealth 6;
    bonus_actions dash disengage hide; initiative 2
  Shortsword melee +4 m5 1d6+2 piercing + 2d6 poison
  Hand Crossbow ranged +4 r30/120 1d6+2 piercing + 2d6 poison
acolyte: Priest Acolyte, medium; AC 13, HP 11; 2 0 1 0 2 0; PB 2; speeds walk 30
  Mace melee +4 m5 1d6+2 bludgeoning + 1d4 radiant
  Radiant Flame ranged +4 r60/60 2d6 radiant
  Healing Word single 0 range 60 heals 2d4+2, 2d4 a slot above 1 a day is_bonus is_verbal needs_sight
priest: Priest, medium; AC 13, HP 38; 3 0 1 1 3 1; PB 2; speeds walk 30; multiattack 2
  Mace melee +5 m5 1d6+3 bludgeoning + 2d4 radiant
  Radiant Flame ranged +5 r60/60 2d10 radiant
  Spirit Guardians emanation 15 range 0 wis 13 3d8 radiant half 1 a day concentrates spares_allies is_verbal
  Healing Word single 0 range 60 heals 2d4+3, 2d4 a slot above is_bonus is_verbal needs_sight
mage: Mage, medium; AC 15, HP 81; -1 2 0 3 1 0; PB 3; speeds walk 30; saves int 6 wis 4; multiattack
    3; is_character
  Arcane Burst both +6 m5 r120/120 3d8+3 force
  Fireball sphere 20 range 150 dex 14 9d6 fire half 2 a day
berserker: Berserker, medium; AC 13, HP 67; 3 1 3 -1 0 -1; PB 2; speeds walk 30; has_frenzy
  Greataxe melee +5 m5 1d12+3 slashing
bandit_captain: Bandit Captain, medium; AC 15, HP 52; 2 3 2 2 0 2; PB 2; speeds walk 30; saves dex 5
    str 4 wis 2; multiattack 2; parry 2
  Scimitar melee +5 m5 1d6+3 slashing
  Pistol ranged +5 r30/90 1d10+3 piercing
gladiator: Gladiator, medium; AC 16, HP 112; 4 2 3 0 1 2; PB 3; speeds walk 30; saves con 6 dex 5
    str 7 wis 4; multiattack 3; parry 3; initiative 3
  Spear both +7 m5 r20/60 2d6+4 piercing
  Shield Bash single 0 range 5 str 15 2d4+4 bludgeoning prone
stirge: Stirge, tiny; AC 13, HP 5; -3 3 0 -4 -1 -2; PB 2; speeds fly 40 walk 10; senses darkvision
    60; hands 0
  Proboscis melee +5 m5 1d6+3 piercing
goblin: Goblin Warrior, small; AC 15, HP 10; -1 2 0 0 -1 -1; PB 2; speeds walk 30; senses darkvision
    60; skills stealth 6; bonus_actions disengage hide
  Scimitar melee +4 m5 1d6+2 slashing, at advantage 1d4 slashing
  Shortbow ranged +4 r80/320 1d6+2 piercing, at advantage 1d4 piercing
hobgoblin: Hobgoblin Warrior, medium; AC 18, HP 11; 1 1 1 0 0 -1; PB 2; speeds walk 30; senses
    darkvision 60; initiative 2; has_pack_tactics
  Longsword melee +3 m5 2d10+1 slashing
  Longbow ranged +3 r150/600 1d8+1 piercing + 3d4 poison
skeleton: Skeleton, medium; AC 14, HP 13; 0 3 2 -2 -1 -3; PB 2; speeds walk 30; senses darkvision
    60; immunities poison poisoned exhaustion; vulnerabilities bludgeoning
  Shortsword melee +5 m5 1d6+3 piercing
  Shortbow ranged +5 r80/320 1d6+3 piercing
zombie: Zombie, medium; AC 8, HP 15; 1 -2 3 -4 -2 -3; PB 2; speeds walk 20; senses darkvision 60;
    saves wis 0; immunities poison poisoned exhaustion; has_undead_fortitude
  Slam melee +3 m5 1d8+1 bludgeoning
wolf: Wolf, medium; AC 12, HP 11; 2 2 1 -4 1 -2; PB 2; speeds walk 40; senses darkvision 60; hands
    0; has_pack_tactics
  Bite melee +4 m5 1d6+2 piercing, prone 0 up to medium
spider: Giant Spider, large; AC 14, HP 26; 2 3 1 -4 0 -3; PB 2; speeds climb 30 walk 30; senses
    darkvision 60; hands 0
  Bite melee +5 m5 1d8+3 piercing + 2d6 poison
  Web single 0 range 60 dex 13 restrained recharge 5
ogre: Ogre, large; AC 11, HP 68; 4 -1 3 -3 -2 -2; PB 2; speeds walk 40; senses darkvision 60
  Greatclub melee +6 m5 2d8+4 bludgeoning
  Javelin both +6 m5 r30/120 2d6+4 piercing
troll: Troll, large; AC 15, HP 94; 4 1 5 -2 -1 -2; PB 3; speeds walk 30; senses darkvision 60;
    unhealing acid fire; multiattack 3; regeneration 15
  Rend melee +7 m10 2d6+4 slashing
hill_giant: Hill Giant, huge; AC 13, HP 105; 5 -1 4 -3 -1 -2; PB 3; speeds walk 40; multiattack 2;
    initiative 3
  Tree Club melee +8 m10 3d8+5 bludgeoning, prone 0 up to large
  Trash Lob ranged +8 r60/240 2d10+5 bludgeoning
red_dragon: Adult Red Dragon, huge; AC 19, HP 256; 8 0 7 3 1 6; PB 6; speeds climb 40 fly 80 walk
    40; senses blindsight 60 darkvision 120; saves dex 6 wis 7; immunities fire; multiattack 3;
    legendary_resistance 3; legendary_actions 3; initiative 12; hands 0
  Rend melee +14 m10 1d10+8 slashing + 2d4 fire
  Scorching Ray ranged +12 r120/120 2d6 fire
  Fire Breath cone 60 range 0 dex 21 17d6 fire half recharge 5
purple_worm: Purple Worm, gargantuan; AC 18, HP 247; 9 -2 6 -5 -1 -3; PB 5; speeds burrow 50 walk
    50; senses blindsight 30 tremorsense 60; saves con 11 wis 4; routine Bite Tail; hands 0
  Bite melee +14 m10 3d8+9 piercing, grappled 19 up to large, restrained 0 up to large
  Tail melee +14 m10 2d6+9 piercing + 10d6 poison
"""


def test_the_units_have_the_figures_of_the_rules():
    assert "\n".join(map(written, FIFTH_EDITION.catalog)).split("\n") == UNITS.strip("\n").split("\n")
