"""Every modifier of an attack's die and of the target's defence value, with its reason and rule."""

from __future__ import annotations

from enfilade.geometry.square import AHEAD, is_adjacent, is_in_front_arc, steps_between
from enfilade.rules.house_rules import is_on
from enfilade.rules.modifiers import Modifier
from enfilade.rulesets.coup_de_grace import rulings
from enfilade.rulesets.coup_de_grace.strike import Strike, is_facing

MACE_DEFENCE_OF_DOWNED = 2


def melee_modifiers(strike: Strike) -> list[Modifier]:
    """What is added to the die of a melee attack (CDG-053 to CDG-057)."""
    found = [*_co_ordinated(strike), *_backstab(strike), *_distraction(strike)]
    if strike.target.is_downed:
        found.append(Modifier("coup de grace", 1, "CDG-056"))
    return [*found, *_of_the_downed(strike, "CDG-073"), *race_modifiers(strike)]


def ranged_modifiers(strike: Strike) -> list[Modifier]:
    """What is added to the die of a ranged attack (CDG-058 to CDG-061)."""
    found = [*_firing_into_melee(strike), *_range_penalty(strike)]
    return [*found, *_of_the_downed(strike, "CDG-074"), *race_modifiers(strike)]


def _co_ordinated(strike: Strike) -> list[Modifier]:
    attacker, target = strike.attacker.token, strike.target.token
    return [
        Modifier(f"co-ordinated with {ally.name}", 1, "CDG-053")
        for ally in strike.scene.on_board()
        if ally.id not in (attacker.id, target.id)
        and strike.scene.are_allies(attacker, ally)
        and is_facing(ally, strike.to_cell)
    ]


def _backstab(strike: Strike) -> list[Modifier]:
    facing = strike.target.token.facing
    if facing is None:
        return []
    (ax, ay), (tx, ty) = strike.from_cell, strike.to_cell
    away = AHEAD[facing] == (tx - ax, ty - ay)
    return [Modifier("backstab", 1, "CDG-054")] if away else []


def _distraction(strike: Strike) -> list[Modifier]:
    attacker, target = strike.attacker.token, strike.target.token
    return [
        Modifier(f"distracted by {enemy.name}", -1, "CDG-055")
        for enemy in strike.scene.on_board()
        if enemy.id != target.id
        and not strike.scene.are_allies(attacker, enemy)
        and is_facing(enemy, strike.from_cell)
    ]


def _firing_into_melee(strike: Strike) -> list[Modifier]:
    attacker = strike.attacker.token
    downed_count = is_on(strike.scene, rulings.DOWNED_IN_THE_WAY)
    return [
        Modifier(f"firing into melee beside {ally.name}", -1, "CDG-058")
        for ally in strike.scene.on_board()
        if ally.id != attacker.id
        and ally.at is not None
        and is_adjacent(ally.at, strike.to_cell)
        and strike.scene.are_allies(attacker, ally)
        and (downed_count or not ally.has("downed"))
    ]


def range_penalty(steps: int, increment: int, is_downed: bool) -> int:
    """The range penalty at so many steps, doubled against a downed target (CDG-059, CDG-060)."""
    penalty = steps // increment if increment else 0
    return -penalty * 2 if is_downed else -penalty


def _range_penalty(strike: Strike) -> list[Modifier]:
    steps = steps_between(strike.from_cell, strike.to_cell)
    penalty = range_penalty(steps, strike.item.increment, strike.target.is_downed)
    rule = "CDG-060" if strike.target.is_downed else "CDG-059"
    return [Modifier(f"range {steps}", penalty, rule)] if penalty else []


def _of_the_downed(strike: Strike, rule: str) -> list[Modifier]:
    return [Modifier("attacker is downed", -2, rule)] if strike.attacker.is_downed else []


def race_modifiers(strike: Strike) -> list[Modifier]:
    """What the attacker's race adds to the die (CDG-007, CDG-063)."""
    attacker, target = strike.attacker, strike.target
    bonus = {
        "beastman": attacker.hit_points == 1,
        "drow": attacker.hit_points == attacker.most_hit_points,
        "goblin": target.is_downed,
        "gnoll": target.hit_points == 1,
    }
    race = attacker.profile.race
    return [Modifier(race, 1, "CDG-063")] if bonus.get(race) else []


def defence_value(strike: Strike) -> int:
    """The target's defence value before what is added to it (CDG-047)."""
    if strike.item.name == "mace" and strike.is_melee and strike.target.is_downed:
        return MACE_DEFENCE_OF_DOWNED
    return strike.target.defence


def defence_modifiers(strike: Strike) -> list[Modifier]:
    """What is added to the target's defence value: what it holds, its race, the fist (CDG-063, CDG-065)."""
    return [*_held_against(strike), *_race_against(strike), *_fist(strike)]


def _held_against(strike: Strike) -> list[Modifier]:
    token = strike.target.token
    if token.facing is None or not is_in_front_arc(strike.to_cell, token.facing, strike.from_cell):
        return []
    held = [item.name for item in strike.target.items.values()]
    shields = [Modifier("shield", 1, "CDG-065")] * held.count("shield")
    bucklers = [Modifier("buckler", 2, "CDG-063")] * held.count("buckler") if strike.is_melee else []
    return [*shields, *bucklers]


def _race_against(strike: Strike) -> list[Modifier]:
    target = strike.target
    bonus = {
        "living construct": target.hit_points == target.most_hit_points,
        "lizardman": target.is_downed,
    }
    race = target.profile.race
    return [Modifier(race, 1, "CDG-063")] if bonus.get(race) else []


def _fist(strike: Strike) -> list[Modifier]:
    if strike.item.name != "fist" or not strike.is_melee:
        return []
    if strike.target.profile.armour == "unarmoured":
        return [Modifier("fist against no armour", -1, "CDG-009")]
    return [Modifier("fist against armour", 1, "CDG-009")]
