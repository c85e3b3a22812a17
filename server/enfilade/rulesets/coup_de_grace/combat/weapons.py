"""The effects of weapons and shields (the pages Melee Weapons and Ranged Weapons)."""

from __future__ import annotations

import sys

from enfilade.i18n import localize
from enfilade.rules.procedures import Answer, Change, Choose, Steps, turn_token, yes_or_no
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.battlefield import battlefield, facing_text
from enfilade.rulesets.coup_de_grace.catalog import Held
from enfilade.rulesets.coup_de_grace.combat.attack_setup import Strike
from enfilade.rulesets.coup_de_grace.combat.damage import add_to_track
from enfilade.rulesets.coup_de_grace.combat.effects import Effect, Hit
from enfilade.rulesets.coup_de_grace.movement_costs import (
    force_move,
    is_free,
    pull_destination,
    push_destination,
)
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene

MACE_DEFENSE_OF_DOWNED = 2

FENCER_GAIN = 2

NO_DAMAGE = -sys.maxsize
"""What takes all damage from a hit, however much it is."""

BANNER_REACH = 2


def comes_from_front(strike: Strike) -> bool:
    """Return whether the attack comes from the target's front arc (CDG-016).

    A downed target has none (ruling 13).
    """
    facing = strike.target.facing
    return facing is not None and strike.battle.is_in_front_arc(strike.to_cell, facing, strike.from_cell)


def _fist(strike: Strike) -> int:
    return -1 if strike.target.profile.armor == "unarmored" else 1


def _mace(strike: Strike) -> int | None:
    return MACE_DEFENSE_OF_DOWNED if strike.target.is_downed else None


def banners_over(strike: Strike) -> bool:
    """Return whether an ally's banner within 2 squares protects the target. Several banners do not add up."""
    target, battle = strike.target, strike.battle
    return any(
        other.id != target.id
        and battle.are_allies(target, other)
        and other.token.at is not None
        and battle.board.distance(strike.to_cell, other.token.at) <= BANNER_REACH
        for other in battle.with_banner
    )


def _hammer_blocked(strike: Strike, _: int) -> int:
    if strike.battle.setting(house_rules.BLOCKED_PUSH) != "damage":
        return 0
    return int(push_destination(strike.battle, strike.from_cell, strike.to_cell) is None)


def _moves(hit: Hit) -> bool:
    """Return whether a hit pushes or pulls its victim: one that it downs by a house rule (CDG-064)."""
    if hit.left == "standing" or hit.strike.target.is_downed:
        return hit.left != "out"
    return hit.left == "downed" and hit.strike.battle.is_on(house_rules.DOWNED_PUSHED)


def _hammer_push(hit: Hit) -> Steps:
    """Push the victim one square away if the attacker wants to; turn one that cannot be pushed (CDG-064)."""
    strike, battle = hit.strike, battlefield(hit.scene)
    victim, attacker = strike.target, strike.attacker.token
    there = push_destination(battle, strike.from_cell, strike.to_cell)
    if _moves(hit) and there is not None:
        names = {"name": victim.name, "attacker": attacker.name, "weapon": strike.item.name}
        question = localize("coup_de_grace.ask_push", **names)
        answer = yield yes_or_no(attacker.side, question, default=True, token=attacker.id)
        if answer == "yes":
            return (yield from force_move(hit.scene, victim.id, there, "push"))
    elif hit.left == "standing" and battle.setting(house_rules.BLOCKED_PUSH) == "turn":
        return (yield from _turn_victim(hit))
    return hit.scene


def _turn_victim(hit: Hit) -> Steps:
    """Turn a victim that cannot be pushed; by default its back turns toward the attacker."""
    strike, battle, victim = hit.strike, hit.strike.battle, hit.strike.target
    facing_away = max(
        battle.facings,
        key=lambda facing: battle.square_distance(
            strike.from_cell, battle.cell_toward(strike.to_cell, facing)
        ),
    )
    answers = [
        Answer(str(facing), localize("coup_de_grace.answer_turn", facing=facing_text(facing)))
        for facing in battle.facings
    ]
    attacker = strike.attacker.token
    names = {"name": victim.name, "attacker": attacker.name, "weapon": strike.item.name}
    question = localize("coup_de_grace.ask_turn", **names)
    offered = (*answers, Answer("no", localize("rules.no")))
    answer = yield Choose(attacker.side, question, offered, str(facing_away), attacker.id)
    if answer == "no":
        return hit.scene
    yield turn_token(victim.token, int(answer))
    return (yield Change(Explained(kind="turned", facts={"target": victim.id})))


def _gain_points(strike: Strike, scene: Scene) -> Steps:
    """Gain movement points after a miss. They last for this activation only."""
    if strike.battle.is_in_play and not strike.attacker.is_downed:
        return (yield add_to_track(scene, strike.attacker.id, "mp", FENCER_GAIN))
    return scene


MELEE: dict[Held, Effect] = {
    "assassin's knife": Effect(
        sentence=localize("coup_de_grace.effect_assassin_knife"),
        damage=lambda strike, _: int(strike.is_backstab),
    ),
    "axe": Effect(
        sentence=localize("coup_de_grace.effect_axe"),
        damage=lambda _, face: int(face == 6),
    ),
    "banner": Effect(
        sentence=localize("coup_de_grace.effect_banner"),
        guard=lambda _: -1,
    ),
    "buckler": Effect(
        sentence=localize("coup_de_grace.effect_buckler"),
        guard=lambda strike: 2 * (strike.is_melee and comes_from_front(strike)),
    ),
    "claw": Effect(
        sentence=localize("coup_de_grace.effect_claw"),
        again=lambda face, is_hit, _: is_hit and face % 2 == 1,
    ),
    "curved sword": Effect(
        sentence=localize("coup_de_grace.effect_curved_sword"),
        by_face=lambda _, face: int(face <= 3),
    ),
    "entangling weapon": Effect(
        sentence=localize("coup_de_grace.effect_entangling_weapon"),
    ),
    "fencing sword": Effect(
        sentence=localize("coup_de_grace.effect_fencing_sword"),
        on_miss=_gain_points,
    ),
    "fist": Effect(
        sentence=localize("coup_de_grace.effect_fist"),
        against=_fist,
    ),
    "glaive": Effect(
        sentence=localize("coup_de_grace.effect_glaive"),
        damage=lambda _, face: int(face in (3, 4)),
    ),
    "hammer": Effect(
        sentence=localize("coup_de_grace.effect_hammer"),
        damage=_hammer_blocked,
        on_hit=_hammer_push,
    ),
    "mace": Effect(
        sentence=localize("coup_de_grace.effect_mace"),
        base_defense=_mace,
    ),
    "open hand": Effect(sentence=localize("coup_de_grace.effect_open_hand")),
    "shield": Effect(
        sentence=localize("coup_de_grace.effect_shield"),
        guard=lambda strike: int(comes_from_front(strike)),
    ),
}

SHURIKENS = 3
"""The attacks with shuriken in one throw: one, and two extra ones."""


def push_back(hit: Hit) -> Steps:
    """Push the victim one square directly away if it can enter that square."""
    there = push_destination(battlefield(hit.scene), hit.strike.from_cell, hit.strike.to_cell)
    if _moves(hit) and there is not None:
        return (yield from force_move(hit.scene, hit.strike.target.id, there, "push"))
    return hit.scene


def pull_closer(hit: Hit) -> Steps:
    """Pull the victim one square closer if it can enter that square."""
    there = pull_destination(battlefield(hit.scene), hit.strike.from_cell, hit.strike.to_cell)
    if _moves(hit) and there is not None:
        return (yield from force_move(hit.scene, hit.strike.target.id, there, "pull"))
    return hit.scene


def _hook_damage(strike: Strike, _: int) -> int:
    """Return what takes the damage from a hook: its own, or by a house rule that of a race as well."""
    return -1 if strike.battle.is_on(house_rules.HOOK_DAMAGE) else NO_DAMAGE


def _haul_in(hit: Hit) -> Steps:
    """Pull the victim to the square in front of the thrower if that is empty."""
    battle, attacker = battlefield(hit.scene), hit.strike.attacker
    if attacker.facing is None:
        return hit.scene
    there = battle.cell_toward(hit.strike.from_cell, attacker.facing)
    if is_free(battle, there):
        return (yield from force_move(hit.scene, hit.strike.target.id, there, "pull"))
    return hit.scene


RANGED: dict[Held, Effect] = {
    "crossbow": Effect(sentence=localize("coup_de_grace.effect_crossbow"), reroll=2),
    "grappling hook": Effect(
        sentence=localize("coup_de_grace.effect_grappling_hook"),
        damage=_hook_damage,
        on_hit=_haul_in,
    ),
    "pistol": Effect(sentence=localize("coup_de_grace.effect_pistol"), on_hit=push_back),
    "shuriken": Effect(
        sentence=localize("coup_de_grace.effect_shuriken"),
        again=lambda _, __, thrown: thrown < SHURIKENS,
    ),
}
