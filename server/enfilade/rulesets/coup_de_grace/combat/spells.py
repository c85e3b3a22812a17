"""Casting spells: the targets, the cost and the effect (CDG-039, CDG-062)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from enfilade.errors import IllegalAct, OutOfReach
from enfilade.i18n import localize
from enfilade.rules.procedures import Act, Change, Require, Steps
from enfilade.rulesets.coup_de_grace.battlefield import battlefield
from enfilade.rulesets.coup_de_grace.catalog import Item
from enfilade.rulesets.coup_de_grace.combat.attack import attack, spend_points
from enfilade.rulesets.coup_de_grace.combat.attack_setup import (
    cost_of,
    item_in_hand,
    require_points,
    require_sight,
    require_turn,
    require_unused,
    require_within,
)
from enfilade.rulesets.coup_de_grace.combat.foci import SPELLS, Cast, Needs, Spell
from enfilade.rulesets.coup_de_grace.movement_costs import can_step, require_step
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene


def cast(scene: Scene, act: Act) -> Steps:
    """Cast a spell. One that is an attack is resolved as an attack."""
    battle = battlefield(scene)
    caster = battle.fighter(act.token)
    item = item_in_hand(caster, act)
    if item.spell != "effect":
        return (yield from attack(scene, act))
    spell = SPELLS[item.name]
    done = Cast(battle, caster, act, battle.fighter(act.target) if act.target else None)
    cost = cost_of(battle, caster, item, "spell")
    _require_named_parts(done, spell)
    yield Require(_require_castable, (done, item, spell, cost))
    facts = {"token": act.token, "act": item.name, "counts": {"cost": cost}}
    if act.target:
        facts["target"] = act.target
    yield Change(Explained(kind="spell", facts=facts))
    scene = yield from spend_points(scene, caster, act.weapon, cost)
    scene, outcome = yield from spell.effect(done, scene)
    return outcome


def _require_named_parts(done: Cast, spell: Spell) -> None:
    """Raise IllegalAct if the act lacks a part that the spell needs."""
    if done.caster.token.at is None:
        raise IllegalAct(
            localize("coup_de_grace.refuse_not_on_board", name=done.caster.name), "CDG-068", "edge"
        )
    if spell.needs == "facing" and done.act.facing is None:
        raise IllegalAct(localize("coup_de_grace.refuse_spell_direction"), "CDG-039", "request")
    if spell.needs in ("target", "waiting ally", "target and cell"):
        if done.target is None or done.target.token.at is None:
            raise OutOfReach(localize("coup_de_grace.refuse_spell_target"), "CDG-039", "request")
        if spell.needs == "target and cell" and (done.act.at is None or done.act.at not in done.battle.board):
            raise IllegalAct(localize("coup_de_grace.refuse_spell_cell"), "CDG-039", "request")


def _require_castable(done: Cast, item: Item, spell: Spell, cost: int) -> None:
    battle, caster = done.battle, done.caster
    require_turn(battle, caster)
    require_unused(battle, caster, done.act.weapon)
    for check in _CHECKS[spell.needs]:
        check(done, item)
    require_points(battle, caster, cost)


def _require_target_in_reach(done: Cast, item: Item) -> None:
    require_within(done.battle, done.caster, done.victim, item.reach)
    require_sight(done.battle, done.caster, done.victim)


def _require_waiting_ally(done: Cast, item: Item) -> None:
    del item
    target = done.victim
    if target.id == done.caster.id or not done.battle.are_allies(done.caster, target):
        raise IllegalAct(localize("coup_de_grace.refuse_not_ally", name=target.name), "CDG-039", "target")
    if target.token.has("activated"):
        raise IllegalAct(
            localize("coup_de_grace.refuse_ally_activated", name=target.name), "CDG-039", "target"
        )


def _require_one_cell_move(done: Cast, item: Item) -> None:
    del item
    start, there = done.victim.token.at, done.act.at
    if start is None or there is None or not done.battle.are_adjacent(start, there):
        raise IllegalAct(
            localize("coup_de_grace.refuse_move_far", name=done.victim.name), "CDG-039", "distance"
        )
    require_step(done.battle, done.victim, start, there, "CDG-039")


_CHECKS: dict[Needs, tuple[Callable[[Cast, Item], None], ...]] = {
    "nothing": (),
    "target": (_require_target_in_reach,),
    "waiting ally": (_require_target_in_reach, _require_waiting_ally),
    "target and cell": (_require_target_in_reach, _require_one_cell_move),
    "facing": (),
}


def spell_acts(scene: Scene, caster: Fighter) -> Iterator[Act]:
    """Yield each act that casts a spell that is not an attack."""
    for weapon, item in caster.items.items():
        if item.spell == "effect":
            yield from _castings(scene, Act(kind="spell", token=caster.id, weapon=weapon), SPELLS[item.name])


def _move_target(scene: Scene, act: Act, caster: Fighter) -> Iterator[Act]:
    """Yield the acts of the force orb, only at targets in reach, because each has many."""
    battle, at = battlefield(scene), caster.token.at
    reach = caster.items[act.weapon].reach
    for one in battle.on_board:
        there = one.token.at
        if at and there and battle.board.distance(at, there) <= reach:
            cells = battle.board.neighbors(there)
            yield from (replace(act, target=one.id, at=c) for c in cells if can_step(battle, there, c))


def _castings(scene: Scene, act: Act, spell: Spell) -> Iterator[Act]:
    battle = battlefield(scene)
    caster = battle.fighter(act.token)
    if spell.needs == "nothing":
        yield act
    elif spell.needs == "facing":
        yield from (replace(act, facing=facing) for facing in battle.facings)
    elif spell.needs == "target and cell":
        yield from _move_target(scene, act, caster)
    else:
        yield from (replace(act, target=one.id) for one in battle.on_board)
