"""Movement: the reach of a Speed, and moves with opportunity attacks (SRD-012 to SRD-025, SRD-077)."""

from __future__ import annotations

from collections.abc import Sequence

from enfilade.errors import IllegalAct
from enfilade.geometry.board.units import Cell
from enfilade.i18n import localize
from enfilade.rules.battle.causes import ruling
from enfilade.rules.battle.laws import MOVES
from enfilade.rules.changes import set_track
from enfilade.rules.procedures import Act, Change, Outcome, Step, Steps, yes_or_no
from enfilade.rules.resolve import check_refusal
from enfilade.rules.ruleset import Reach, Ruling
from enfilade.rulesets.fifth_edition.battlefield import contacts, travel
from enfilade.rulesets.fifth_edition.combat import opportunity
from enfilade.rulesets.fifth_edition.laws import LAWS
from enfilade.rulesets.fifth_edition.profiles import read_creature
from enfilade.rulesets.fifth_edition.turn import require_turn, turn
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Token


def feet_left(scene: Scene, token: Token) -> float:
    """Return the feet that a creature may still move; all of its Speed before the battle (SRD-012)."""
    speed = read_creature(token).speed
    if not scene.track("round"):
        return speed
    return max(0, speed * (2 if token.has("dashed") else 1) - token.track("moved"))


def _refusal(scene: Scene, token: Token) -> IllegalAct | None:
    """Return the error that refuses any move of a creature now, or None."""
    banned = LAWS.refusal(scene, Act(kind="move", token=token.id, at=token.at), MOVES)
    if banned or not scene.track("round"):
        return banned
    return check_refusal(require_turn, scene, token)


def reach(scene: Scene, token: Token) -> Reach | None:
    """Return the squares that a creature can move to now; None off the board."""
    if not contacts(scene).screens.spaces.is_placed(token) or token.has("out"):
        return None
    feet = 0 if _refusal(scene, token) else feet_left(scene, token)
    return travel(scene, token.id, feet).reach()


def judge(scene: Scene, token: Token, path: Sequence[Cell], facing: int | None) -> Ruling:
    """Return the ruling on a move (SRD-015, SRD-033, SRD-034)."""
    del facing
    if not contacts(scene).screens.spaces.is_placed(token):
        absent = IllegalAct(localize("battle.not_on_board", name=token.name), "SRD-012", "edge")
        return ruling((_refusal(scene, token) or absent,), None, 0)
    return travel(scene, token.id, feet_left(scene, token)).ruling(path, _refusal(scene, token))


def move(scene: Scene, act: Act) -> Steps:
    """Move step by step; before a step leaves its reach an enemy may attack (SRD-079, SRD-082)."""
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
    way = travel(scene, token.id, feet_left(scene, token))
    provoked = way.ways.provoked(judged.path)
    here, spent = token.at, 0
    for cell in judged.path[1:]:
        for _, enemy in [one for one in provoked if one[0] == here]:
            scene = yield from _ask(scene, enemy, token.id)
            mover = scene.token(token.id)
            if mover.has("out") or not read_creature(mover).speed or "prone" in read_creature(mover).states:
                return Outcome("stopped")
        scene = yield Step(token.id, cell, facing)
        spent += way.step_cost(here, cell) if here is not None else 0
        here = cell
        if scene.track("round"):
            feet = token.track("moved") + round(spaces.in_feet(spent))
            scene = yield set_track(scene, token.id, "moved", feet)
    return Outcome("moved")


def _ask(scene: Scene, enemy: str, mover: str) -> Steps:
    """Ask an enemy for its reaction; return the scene."""
    one = scene.token(enemy)
    if one.has("reacted") or not read_creature(one).can_act or turn(scene).is_over:
        return scene
    question = localize("fifth_edition.ask_opportunity", name=one.name, mover=scene.token(mover).name)
    if (yield yes_or_no(one.side, question, True, enemy)) != "yes":
        return scene
    return (yield from opportunity(scene, enemy, mover))
