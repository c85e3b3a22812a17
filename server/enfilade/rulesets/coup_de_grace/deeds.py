"""Two acts that are neither attacks nor spells: a gnome's bracing, and throwing an entangling weapon."""

from __future__ import annotations

from enfilade.errors import IllegalAct, OutOfReach
from enfilade.rules.changes import set_condition, set_track
from enfilade.rules.dice import D6
from enfilade.rules.procedures import Act, Change, Outcome, Require, Roll, Steps
from enfilade.rulesets.coup_de_grace.attack import paid
from enfilade.rulesets.coup_de_grace.battlefield import Battle, battle_of
from enfilade.rulesets.coup_de_grace.legality import must_afford, must_be_unused, must_have_its_turn
from enfilade.rulesets.coup_de_grace.movement import doublings, is_walled
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene

BRACE_COST = 1


def brace(scene: Scene, act: Act) -> Steps:
    """A gnome spends a movement point for +1 defence until the end of the round, and does not attack."""
    battle = battle_of(scene)
    gnome = battle.fighter(act.token)
    if gnome.race != "gnome" or gnome.token.at is None:
        raise IllegalAct(f"{gnome.name} cannot brace itself.", "CDG-063")
    cost = brace_cost(battle, gnome)
    yield Require(_must_be_able_to_brace, (battle, gnome, cost))
    if battle.is_in_play:
        scene = yield set_track(scene, gnome.id, "mp", max(0, battle.points_left(gnome) - cost))
    yield set_condition(scene, gnome.id, "braced")
    yield Change(Explained(kind="brace", facts={"token": gnome.id, "counts": {"cost": cost}}))
    return Outcome("braced")


def brace_cost(battle: Battle, gnome: Fighter) -> int:
    """Movement points of bracing, doubled like any (CDG-040)."""
    return BRACE_COST << doublings(battle, gnome, gnome.token.at) if gnome.token.at else BRACE_COST


def _must_be_able_to_brace(battle: Battle, gnome: Fighter, cost: int) -> None:
    must_have_its_turn(battle, gnome)
    if gnome.is_downed:
        raise IllegalAct(f"{gnome.name} is downed.", "CDG-070")
    if gnome.token.has("braced") or gnome.noted("used"):
        raise IllegalAct(f"{gnome.name} has braced itself, or attacked, in this activation.", "CDG-063")
    must_afford(battle, gnome, cost)


def entangle(scene: Scene, act: Act) -> Steps:
    """2D6 against the movement allowance of the enemy straight ahead; as much or more catches it."""
    battle = battle_of(scene)
    one, target = battle.fighter(act.token), battle.fighter(act.target)
    if "entangling weapon" not in one.profile.hands:
        raise IllegalAct(f"{one.name} has no entangling weapon.", "CDG-008")
    if one.token.at is None or target.token.at is None:
        raise OutOfReach(f"{target.name} is not on the board.", "CDG-068")
    yield Require(_must_be_able_to_entangle, (battle, one, target))
    scene = yield from paid(scene, one, "entangling weapon", 0)
    faces = yield Roll("entangling", D6, 2)
    total, needed = sum(faces), target.allowance
    result = "entangled" if total >= needed else "slips away"
    if total >= needed:
        scene = yield set_condition(scene, target.id, "entangled", one.id)
    facts = {"token": one.id, "target": target.id, "needed": needed, "total": total, "result": result}
    yield Change(Explained(kind="entangle", facts={"act": "entangle", **facts}))
    return Outcome(result)


def _must_be_able_to_entangle(battle: Battle, one: Fighter, target: Fighter) -> None:
    must_have_its_turn(battle, one)
    if one.is_downed:
        raise IllegalAct(f"{one.name} is downed.", "CDG-070")
    if battle.are_allies(one, target):
        raise IllegalAct(f"{target.name} is an ally.", "CDG-052")
    must_be_unused(battle, one, "entangling weapon")
    start, there = one.token.at, target.token.at
    if there is None or not battle.is_facing(one, there):
        raise OutOfReach(f"{target.name} is not straight ahead of {one.name}.", "CDG-014")
    if start is None or is_walled(battle, start, there):
        raise OutOfReach(f"Blocked by the wall between you and {target.name}.", "CDG-049")
