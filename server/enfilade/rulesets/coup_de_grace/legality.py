"""Which rule forbids an act: cheap questions first, so that a preview of many targets is quick."""

from __future__ import annotations

from enfilade.errors import CannotPay, IllegalAct, OutOfReach, OutOfTurn
from enfilade.rules.cache import MANY, identity_cache
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.battlefield import Battle
from enfilade.rulesets.coup_de_grace.movement import is_walled
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.rulesets.coup_de_grace.sight import blocked_by
from enfilade.rulesets.coup_de_grace.strike import Strike, maps_struck


def must_have_its_turn(battle: Battle, one: Fighter) -> None:
    """Raises IllegalAct where a miniature is not there to act, or it is not its activation."""
    if one.is_out or one.token.at is None:
        raise IllegalAct(f"{one.name} is not on the board.", "CDG-068")
    if not battle.is_active(one):
        raise OutOfTurn(f"It is not the activation of {one.name}.", "CDG-027")
    if one.token.has("acted"):
        raise IllegalAct(f"{one.name} was downed and has used its one act.", "CDG-071")


def must_be_unused(battle: Battle, one: Fighter, weapon: str) -> None:
    """Raises CannotPay where a held weapon has attacked this round (CDG-021)."""
    if battle.is_in_play and weapon in one.noted("used"):
        raise CannotPay(f"{one.name} has used the {one.items[weapon].name} this round.", "CDG-021")


def must_afford(battle: Battle, one: Fighter, cost: int) -> None:
    """Raises CannotPay where an act costs more than is left (CDG-043)."""
    left = battle.points_left(one)
    if cost > left:
        raise CannotPay(f"It costs {cost} movement points, and {left} are left.", "CDG-043")


def must_be_on_the_board(strike: Strike) -> None:
    """Raises OutOfReach where one of the two is not there: no word of the game master's helps."""
    for one in (strike.attacker, strike.target):
        if one.token.at is None or one.is_out:
            raise OutOfReach(f"{one.name} is not on the board.", "CDG-068")


@identity_cache(MANY, maps_struck)
def must_be_legal(strike: Strike) -> None:
    """Raises the IllegalAct that says which rule forbids a strike."""
    battle, attacker = strike.battle, strike.attacker
    must_be_on_the_board(strike)
    must_have_its_turn(battle, attacker)
    _must_be_an_enemy(strike)
    _must_be_free_to_attack(strike)
    must_be_unused(battle, attacker, strike.weapon)
    (_must_be_in_front if strike.is_melee else _must_be_in_range)(strike)
    must_afford(battle, attacker, strike.cost)
    (_must_be_without_wall if strike.is_melee else _must_be_in_sight)(strike)


def is_out_of_reach(strike: Strike) -> bool:
    """Whether a further attack of the same act can no longer reach, as after a push."""
    try:
        (_must_be_in_front if strike.is_melee else _must_be_in_range)(strike)
        (_must_be_without_wall if strike.is_melee else _must_be_in_sight)(strike)
    except OutOfReach:
        return True
    return False


def _must_be_an_enemy(strike: Strike) -> None:
    attacker, target = strike.attacker, strike.target
    if attacker.token.side == target.token.side:
        raise IllegalAct(f"{target.name} is on the same side.", "CDG-052")
    if strike.battle.are_allies(attacker, target) and not strike.battle.is_on(house_rules.ATTACK_ALLIES):
        raise IllegalAct(f"{target.name} is an ally.", "CDG-052")


def _must_be_free_to_attack(strike: Strike) -> None:
    attacker = strike.attacker
    if strike.battle.is_in_play and attacker.token.has("braced"):
        raise IllegalAct(f"{attacker.name} has braced itself and does not attack.", "CDG-063")
    if attacker.is_downed and strike.kind == "spell":
        raise IllegalAct(f"{attacker.name} is downed and cannot cast.", "CDG-070")


def _must_be_in_front(strike: Strike) -> None:
    battle, attacker, target = strike.battle, strike.attacker, strike.target
    if not battle.are_adjacent(strike.from_cell, strike.to_cell):
        raise OutOfReach(f"{target.name} is not adjacent.", "CDG-049")
    if not attacker.is_downed and not battle.is_facing(attacker, strike.to_cell):
        raise OutOfReach(f"{target.name} is not straight ahead of {attacker.name}.", "CDG-014")


def _must_be_without_wall(strike: Strike) -> None:
    if is_walled(strike.battle, strike.from_cell, strike.to_cell):
        raise OutOfReach(f"Blocked by the wall between you and {strike.target.name}.", "CDG-049")


def _must_be_in_range(strike: Strike) -> None:
    attacker, target, facing = strike.attacker, strike.target, strike.attacker.facing
    if not attacker.is_downed and (
        facing is None or not strike.battle.is_in_front_arc(strike.from_cell, facing, strike.to_cell)
    ):
        raise OutOfReach(f"{target.name} is not in the front arc.", "CDG-050")
    must_be_within(strike.range, strike.item.reach, target)


def must_be_within(steps: int | None, reach: int, target: Fighter) -> None:
    """Raises OutOfReach where a target is farther than a reach (0: none), or no way leads there."""
    if steps is None:
        raise OutOfReach(f"No way leads to {target.name} to count the range along.", "CDG-017")
    if reach and steps > reach:
        raise OutOfReach(f"{target.name} is at range {steps}, out of range.", "CDG-038")


def _must_be_in_sight(strike: Strike) -> None:
    if strike.attacker.is_downed and not strike.battle.is_on(house_rules.DOWNED_NEED_SIGHT):
        return
    must_see(strike.battle, strike.attacker, strike.target)


def must_see(battle: Battle, one: Fighter, target: Fighter) -> None:
    """Raises OutOfReach where something stops the line of sight between two miniatures (CDG-051)."""
    obstacle = blocked_by(battle, one, target)
    if obstacle:
        raise OutOfReach(f"Blocked by {obstacle}.", "CDG-051")
