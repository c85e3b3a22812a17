"""Movement: the reach of a Speed, and moves with opportunity attacks (SRD-012 to SRD-025, SRD-077)."""

from __future__ import annotations

from collections.abc import Sequence

from enfilade.errors import IllegalAct
from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.battle.laws import MOVES
from enfilade.rules.battle.travel import told_move
from enfilade.rules.house_rules import is_on
from enfilade.rules.procedures import (
    Act,
    Answer,
    Change,
    Choose,
    Outcome,
    Step,
    Steps,
    set_condition,
    set_track,
    yes_or_no,
)
from enfilade.rules.resolve import check_refusal
from enfilade.rules.ruleset import Reach, Ruling
from enfilade.rulesets.fifth_edition import house_rules
from enfilade.rulesets.fifth_edition.battlefield import contacts, drag_of, is_within, travel
from enfilade.rulesets.fifth_edition.combat import opportunity, react
from enfilade.rulesets.fifth_edition.holds import bring_along
from enfilade.rulesets.fifth_edition.house_rules import is_assistant
from enfilade.rulesets.fifth_edition.laws import LAWS
from enfilade.rulesets.fifth_edition.profiles import creature_in, read_creature
from enfilade.rulesets.fifth_edition.terms import is_target
from enfilade.rulesets.fifth_edition.turn import MOVE, has_readied, has_turn, in_order, require_turn, turn
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Token

STILL = -1_000_000
"""The feet left to one that may not move at all, by any of its speeds."""


def feet_left(scene: Scene, token: Token) -> float:
    """Return the feet that a creature may still move by its Speed; all of it before the battle (SRD-012).

    It is below 0 after a move by a faster speed (SRD-013).
    """
    speed = creature_in(scene, token).speed
    if is_assistant(scene) or not scene.track("round"):
        return speed
    return speed + token.track("extra") - token.track("moved")


def _refusal(scene: Scene, token: Token) -> IllegalAct | None:
    """Return the error that refuses any move of a creature now, or None."""
    banned = LAWS.refusal(scene, Act(kind="move", token=token.id, at=token.at), MOVES)
    if banned or is_assistant(scene) or not scene.track("round"):
        return banned
    if has_readied(token) and token.conditions["readied"] == MOVE:
        return None
    return check_refusal(require_turn, scene, token)


def reach(scene: Scene, token: Token) -> Reach | None:
    """Return the squares that a creature can move to now; None off the board."""
    if token.has("out"):
        return None
    feet = STILL if _refusal(scene, token) else feet_left(scene, token)
    return travel(scene, token.id, feet).reach()


def judge(scene: Scene, token: Token, path: Sequence[Cell], facing: int | None) -> Ruling:
    """Return the ruling on a move (SRD-015, SRD-033, SRD-034)."""
    del facing
    return travel(scene, token.id, feet_left(scene, token)).ruling(path, _refusal(scene, token))


def move(scene: Scene, act: Act) -> Steps:
    """Move step by step; before a step leaves its reach an enemy may attack (SRD-079, SRD-082).

    Where a tabletop's system plays, the move is only judged: that system may have made its path shorter.
    """
    if is_assistant(scene):
        return (yield from told_move(judge, "SRD-042")(scene, act))
    token = scene.token(act.token)
    at = act.at or token.at
    if at is None:
        raise IllegalAct(localize("battle.not_on_board", name=token.name), "SRD-012", "edge")
    judged = judge(scene, token, act.waypoints or (at,), act.facing)
    facing = token.facing if act.facing is None else act.facing
    facts = {"token": token.id, "allowed": judged.allowed, "reasons": list(judged.reasons)}
    yield Change(Explained(kind="move", facts=facts))
    spaces = contacts(scene).screens.spaces
    if not judged.allowed or at == token.at or not spaces.is_placed(token):
        yield Step(token.id, at, facing)
        return Outcome("moved")
    scene = yield from _take_readied(scene, token)
    way = travel(scene, token.id, feet_left(scene, token))
    provoked, here = way.ways.provoked(judged.path), judged.path[0]
    for cell, cost in way.priced(act.waypoints or (at,)):
        for _, enemy in [one for one in provoked if one[0] == here]:
            scene = yield from _ask(scene, enemy, token.id)
            if _is_stopped(scene, token.id, here):
                return Outcome("stopped")
        scene = yield from _step(scene, Step(token.id, cell, facing), cost)
        here = cell
        if _is_stopped(scene, token.id, here):
            return Outcome("stopped")
    return Outcome("moved")


def _step(scene: Scene, step: Step, cost: int) -> Steps:
    """Take a step with those who are brought along, and meet those who wait for it; return the scene."""
    earlier, key = scene, step.token
    scene = yield step
    scene = yield from bring_along(scene, key, earlier.token(key))
    if scene.track("round"):
        part, _ = drag_of(earlier, read_creature(earlier.token(key)))
        feet = round(contacts(scene).screens.spaces.in_feet(cost)) * part
        for track in ("moved", "run"):
            scene = yield set_track(scene, key, track, scene.token(key).track(track) + feet)
    return (yield from _fire_readied(scene, earlier, key))


def _take_readied(scene: Scene, token: Token) -> Steps:
    """Spend the reaction on a move that was readied, outside of the own turn (SRD-068); return the scene."""
    if not scene.track("round") or has_turn(scene, token) or not has_readied(token):
        return scene
    scene = yield set_condition(scene, token.id, "readied", None)
    return (yield set_condition(scene, token.id, "reacted"))


def ask_left(scene: Scene, key: str, to: Cell) -> Steps:
    """Ask those whose reach a creature leaves by one step; return the scene and whether it stops."""
    token = scene.token(key)
    for enemy, zone in travel(scene, key, feet_left(scene, token)).zones().items():
        if token.at is not None and token.at in zone and to not in zone:
            scene = yield from _ask(scene, enemy, key)
            if _is_stopped(scene, key, token.at):
                return scene, True
    return scene, False


def _is_stopped(scene: Scene, mover: str, here: Cell) -> bool:
    """Return whether a mover ends its move where it is, or where it was pushed to (SRD-082)."""
    one = creature_in(scene, scene.token(mover))
    return one.token.at != here or one.token.has("out") or not one.speed or "prone" in one.states


def _fire_readied(scene: Scene, earlier: Scene, mover: str) -> Steps:
    """Ask those who have readied an attack for one that came into its reach or range (SRD-068)."""
    for enemy in [one for one in in_order(scene) if has_readied(one) and not turn(scene).is_over]:
        one, target = read_creature(enemy), scene.token(mover)
        attack = one.attacks.get(enemy.conditions["readied"])
        if attack is None or not is_target(scene, enemy, target, attack):
            continue
        if is_target(earlier, earlier.token(enemy.id), earlier.token(mover), attack):
            continue
        question = localize(
            "fifth_edition.ask_readied", name=enemy.name, mover=target.name, weapon=attack.name
        )
        if (yield yes_or_no(enemy.side, question, True, enemy.id)) == "yes":
            scene = yield set_condition(scene, enemy.id, "readied", None)
            scene = yield from react(scene, enemy.id, mover, attack, "readied")
    return scene


def _ask(scene: Scene, enemy: str, mover: str) -> Steps:
    """Ask an enemy for its reaction; return the scene."""
    one = scene.token(enemy)
    if one.has("reacted") or not read_creature(one).can_act or turn(scene).is_over:
        return scene
    is_foe = not scene.are_allies(one, scene.token(mover))
    question = localize("fifth_edition.ask_opportunity", name=one.name, mover=scene.token(mover).name)
    if (yield yes_or_no(one.side, question, is_foe, enemy)) != "yes":
        return scene
    target = yield from _mount_or_rider(scene, one, scene.token(mover))
    return (yield from opportunity(scene, enemy, target))


def _mount_or_rider(scene: Scene, enemy: Token, mover: Token) -> Steps:
    """Ask whom an attack on a mount is made on, by the older rule (SRD-187); return the ID."""
    rider = next((one for one in scene.tokens if one.id == mover.conditions.get("ridden")), None)
    if rider is None or not is_on(scene, house_rules.MOUNT_OA):
        return mover.id
    if scene.are_allies(enemy, rider) or not is_within(scene, enemy, rider, read_creature(enemy).reach):
        return mover.id
    question = localize("fifth_edition.ask_rider", name=enemy.name)
    answers = tuple(Answer(one.id, one.name, (one.id,)) for one in (mover, rider))
    return (yield Choose(enemy.side, question, answers, mover.id, enemy.id))
