"""Acts that are neither attacks nor spells: brace, entangle, crawl, recover (CDG-063, CDG-070 to CDG-075)."""

from __future__ import annotations

from enfilade.errors import IllegalAct, OutOfReach
from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.battle.causes import walled_off
from enfilade.rules.dice import D6
from enfilade.rules.procedures import (
    Act,
    Change,
    Outcome,
    Require,
    Roll,
    Step,
    Steps,
    set_condition,
    set_track,
)
from enfilade.rulesets.coup_de_grace.battlefield import Battlefield, battlefield
from enfilade.rulesets.coup_de_grace.combat.attack import spend_points
from enfilade.rulesets.coup_de_grace.combat.attack_setup import require_points, require_turn, require_unused
from enfilade.rulesets.coup_de_grace.combat.damage import stand_up
from enfilade.rulesets.coup_de_grace.combat.effects import recovery_needs
from enfilade.rulesets.coup_de_grace.movement_costs import doublings, is_free, is_walled, require_step
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene

BRACE_COST = 1


def brace(scene: Scene, act: Act) -> Steps:
    """Brace a gnome: 1 movement point, +1 defense until the end of the round, and no attacks."""
    battle = battlefield(scene)
    gnome = battle.fighter(act.token)
    if gnome.race != "gnome" or gnome.token.at is None:
        raise IllegalAct(localize("coup_de_grace.refuse_cannot_brace", name=gnome.name), "CDG-063", "request")
    cost = brace_cost(battle, gnome)
    yield Require(_require_can_brace, (battle, gnome, cost))
    if battle.is_in_play:
        scene = yield set_track(scene, gnome.id, "mp", max(0, battle.points_left(gnome) - cost))
    yield set_condition(scene, gnome.id, "braced")
    yield Change(Explained(kind="brace", facts={"token": gnome.id, "counts": {"cost": cost}}))
    return Outcome("braced")


def brace_cost(battle: Battlefield, gnome: Fighter) -> int:
    """Return the movement points of bracing, doubled like all costs (CDG-040)."""
    return BRACE_COST << doublings(battle, gnome, gnome.token.at) if gnome.token.at else BRACE_COST


def _require_can_brace(battle: Battlefield, gnome: Fighter, cost: int) -> None:
    require_turn(battle, gnome)
    require_points(battle, gnome, cost)


def entangle(scene: Scene, act: Act) -> Steps:
    """Roll 2D6 against the movement allowance of the enemy straight ahead; a sum that reaches it hits."""
    battle = battlefield(scene)
    one, target = battle.fighter(act.token), battle.fighter(act.target)
    if "entangling weapon" not in one.profile.hands:
        raise IllegalAct(
            localize("coup_de_grace.refuse_no_entangling_weapon", name=one.name), "CDG-008", "missing"
        )
    if one.token.at is None or target.token.at is None:
        raise OutOfReach(localize("coup_de_grace.refuse_not_on_board", name=target.name), "CDG-068", "edge")
    yield Require(_require_can_entangle, (battle, one, target))
    scene = yield from spend_points(scene, one, "entangling weapon", 0)
    faces = yield Roll(localize("coup_de_grace.roll_entangle"), D6, 2)
    total, needed = sum(faces), target.allowance
    result = "entangled" if total >= needed else "slips away"
    if total >= needed:
        scene = yield set_condition(scene, target.id, "entangled", one.id)
    facts = {"token": one.id, "target": target.id, "needed": needed, "total": total, "result": result}
    yield Change(Explained(kind="entangle", facts={"act": "entangle", **facts}))
    return Outcome(result)


def _require_can_entangle(battle: Battlefield, one: Fighter, target: Fighter) -> None:
    require_turn(battle, one)
    if battle.are_allies(one, target):
        raise IllegalAct(localize("coup_de_grace.refuse_ally", name=target.name), "CDG-052", "target")
    require_unused(battle, one, "entangling weapon")
    start, there = one.token.at, target.token.at
    if there is None or not battle.is_facing(one, there):
        raise OutOfReach(
            localize("coup_de_grace.refuse_not_straight_ahead", name=one.name, target=target.name),
            "CDG-014",
            "arc",
        )
    if start is None or is_walled(battle, start, there):
        raise walled_off(one.name, target.name, "CDG-049")


def crawl(scene: Scene, act: Act) -> Steps:
    """Crawl to an empty adjacent square (CDG-072)."""
    battle = battlefield(scene)
    one = battle.fighter(act.token)
    if act.at is None or act.at not in battle.board or one.token.at is None:
        raise OutOfReach(localize("coup_de_grace.refuse_no_crawl_cell"), "CDG-072", "request")
    yield Require(_require_can_crawl, (battle, one, act.at))
    scene = yield from _one_act(scene, one)
    yield Step(one.id, act.at, None)
    yield Change(Explained(kind="crawl", facts={"token": one.id}))
    return Outcome("crawled")


def _require_can_crawl(battle: Battlefield, one: Fighter, there: Cell) -> None:
    _require_downed(battle, one, "CDG-072")
    at = one.token.at
    if at is None or there not in battle.crawling_board.neighbors(at):
        raise OutOfReach(localize("coup_de_grace.refuse_crawl", name=one.name), "CDG-072", "distance")
    require_step(battle, one, at, there, "CDG-072")


def crawlable(battle: Battlefield, one: Fighter) -> list[Cell]:
    """Return the empty cells that a downed miniature may crawl to, without a wall between (CDG-072)."""
    at = one.token.at
    if at is None:
        return []
    free = [cell for cell in battle.crawling_board.neighbors(at) if is_free(battle, cell)]
    return [cell for cell in free if not is_walled(battle, at, cell)]


def recover(scene: Scene, act: Act) -> Steps:
    """Attempt a dramatic recovery: on a 5 or 6 a downed miniature stands with 1 hit point (CDG-075)."""
    battle = battlefield(scene)
    one = battle.fighter(act.token)
    if not one.is_downed:
        raise IllegalAct(localize("coup_de_grace.refuse_not_downed", name=one.name), "CDG-075", "target")
    yield Require(_require_downed, (battle, one, "CDG-075"))
    scene = yield from _one_act(scene, one)
    needed = recovery_needs(one.race)
    (face,) = yield Roll(localize("coup_de_grace.roll_recovery"), D6)
    result = "recovered" if face >= needed else "stays down"
    facts = {"token": one.id, "act": "recover", "needed": needed, "total": face, "result": result}
    scene = yield Change(Explained(kind="recover", facts=facts))
    if face >= needed:
        yield from stand_up(scene, one.id)
    return Outcome(result)


def _require_downed(battle: Battlefield, one: Fighter, rule: str) -> None:
    if not one.is_downed:
        raise IllegalAct(localize("coup_de_grace.refuse_not_downed", name=one.name), rule, "target")
    require_turn(battle, one)


def _one_act(scene: Scene, one: Fighter) -> Steps:
    """Note that a downed miniature has used its one act of this activation (CDG-071)."""
    if battlefield(scene).is_in_play:
        scene = yield set_condition(scene, one.id, "acted")
    return scene
