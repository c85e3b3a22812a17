"""What each ranged weapon does (the Ranged Weapons page). A bow and a throwing knife do nothing special."""

from __future__ import annotations

from enfilade.rules.procedures import Steps
from enfilade.rulesets.coup_de_grace.battlefield import battle_of
from enfilade.rulesets.coup_de_grace.catalogue import Held
from enfilade.rulesets.coup_de_grace.effects.base import Effect, Hit
from enfilade.rulesets.coup_de_grace.movement import is_free
from enfilade.rulesets.coup_de_grace.moving import pulled_to, pushed_to, shoved

SHURIKENS = 3
"""Attacks with shuriken once it throws: one, and two extra ones."""


def pushes_back(hit: Hit) -> Steps:
    """The victim is pushed one square directly away, unless that square cannot be entered."""
    there = pushed_to(battle_of(hit.scene), hit.strike.from_cell, hit.strike.to_cell)
    if hit.left != "out" and there is not None:
        return (yield from shoved(hit.scene, hit.strike.target.id, there, "push"))
    return hit.scene


def pulls_closer(hit: Hit) -> Steps:
    """The victim is pulled one square nearer, unless that square cannot be entered."""
    there = pulled_to(battle_of(hit.scene), hit.strike.from_cell, hit.strike.to_cell)
    if hit.left != "out" and there is not None:
        return (yield from shoved(hit.scene, hit.strike.target.id, there, "pull"))
    return hit.scene


def _hauls_in(hit: Hit) -> Steps:
    """The victim is pulled straight to the square in front of the thrower, where that is empty."""
    battle, attacker = battle_of(hit.scene), hit.strike.attacker
    if attacker.facing is None:
        return hit.scene
    there = battle.stepped(hit.strike.from_cell, attacker.facing)
    if is_free(battle, there):
        return (yield from shoved(hit.scene, hit.strike.target.id, there, "pull"))
    return hit.scene


RANGED: dict[Held, Effect] = {
    "crossbow": Effect(sentence="an attack die that shows 2 may be rolled again, once a round", reroll=2),
    "grappling hook": Effect(
        sentence="no damage; pulls the target to the square in front, from up to 6 squares",
        damage=lambda _, __: -1,
        on_hit=_hauls_in,
    ),
    "pistol": Effect(sentence="a hit pushes the target back 1 square", on_hit=pushes_back),
    "shuriken": Effect(
        sentence="range increment 1; throws 2 more once a round",
        again=lambda _, __, thrown: thrown < SHURIKENS,
    ),
}
