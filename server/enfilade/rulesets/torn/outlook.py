"""What advice asks about moments to come: new activations, actions that are spent, and equal attacks."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from msgspec.structs import replace

from enfilade.geometry.board.units import Cell
from enfilade.rules.outlook import Outlook, refreshed, with_token
from enfilade.rules.procedures import Act, Call, Change, Choose, Require
from enfilade.rules.resolve import Answers, refusal, resolve
from enfilade.rulesets.torn.combat.attack import attack
from enfilade.rulesets.torn.combat.reactions import free_attackers
from enfilade.rulesets.torn.movement import move, reachable_hexes
from enfilade.rulesets.torn.offers import attacks_on
from enfilade.rulesets.torn.profiles import read_miniature
from enfilade.rulesets.torn.turn import ROUND_CONDITIONS, is_in_play, used_tiles
from enfilade.scene.apply import fold
from enfilade.scene.model import Scene, Token


def ready(scene: Scene, tokens: Sequence[str]) -> Scene:
    """Return the scene in which miniatures have all actions; several are as before the first round."""
    fresh = scene
    for token_id in tokens:
        fresh = with_token(fresh, refreshed(scene.token(token_id), {}, ROUND_CONDITIONS))
    number = 0 if len(tokens) > 1 else max(1, scene.track("round"))
    active = {"active": tokens[0]} if len(tokens) == 1 else {}
    return replace(fresh, tracks={**scene.tracks, "round": number}, conditions={**scene.conditions, **active})


def arrive(scene: Scene, token: Token, at: Cell, facing: int | None, cost: int) -> Scene | None:
    """Return the scene after a move, its action spent (TRN-066).

    A large miniature moves infantry out from under its base. Free Attacks are left out, and with them that.
    """
    del facing, cost
    if at == token.at or not is_in_play(scene):
        return with_token(scene, replace(token, at=at))
    miniature = read_miniature(token)
    if miniature.profile.size != "infantry" and not free_attackers(scene, miniature):
        return resolve(scene, move, (Act(kind="move", token=token.id, at=at),), Answers()).scene
    route = reachable_hexes(scene, miniature).get(at)
    if route is None:
        return None
    used = "; ".join([*used_tiles(token), route.tile.name])
    return with_token(scene, replace(token, at=at, conditions={**token.conditions, "used": used}))


def attacks(scene: Scene, token: Token, target: Token) -> Sequence[Act]:
    """Return the legal attacks of a miniature on another."""
    if scene.are_allies(token, target):
        return ()
    acts = attacks_on(read_miniature(token), read_miniature(target), is_enemy=True)
    return [act for act in acts if refusal(scene, attack, act) is None]


def damage_key(scene: Scene, act: Act) -> Hashable | None:
    """Return what the odds of an attack depend on: all its simultaneous attacks, and the wounds left.

    The procedure runs to its dice with the default of every choice, so that it cannot drift from the odds.
    """
    steps = attack(scene, act)
    answer: Any = None
    try:
        while True:
            request: Any = steps.send(answer)
            answer = None
            if isinstance(request, Change):
                scene = answer = fold(scene, request.event)
            elif isinstance(request, Choose):
                answer = request.default
            elif isinstance(request, Call):
                return (act.token, act.target, request.procedure, request.outcome_arguments)
            elif not isinstance(request, Require):
                return None
    finally:
        steps.close()


OUTLOOK = Outlook(ready=ready, arrive=arrive, attacks=attacks, damage_key=damage_key)
