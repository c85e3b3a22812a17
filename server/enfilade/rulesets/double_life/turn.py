"""Rounds: sealed choices, three phases and the end of combat (DBL-001 to DBL-004, DBL-021 to DBL-024)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from enfilade.errors import IllegalAct
from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.battle.battle import known_scene
from enfilade.rules.dice import D20
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import (
    Act,
    Change,
    Outcome,
    Require,
    Roll,
    Settled,
    Step,
    Steps,
    set_condition,
    set_track,
)
from enfilade.rules.ruleset import Turn
from enfilade.rulesets.double_life import house_rules
from enfilade.rulesets.double_life.battlefield import battlefield, may_share
from enfilade.rulesets.double_life.combat.damage import settle_victory, stand_up
from enfilade.rulesets.double_life.combat.odds import MATCHUP
from enfilade.rulesets.double_life.combat.simultaneous import fight
from enfilade.rulesets.double_life.movement import search
from enfilade.rulesets.double_life.plans import NO_PLAN, Plan, ask_plans, is_able
from enfilade.rulesets.double_life.profiles import Character
from enfilade.scene.events import TABLE, Explained
from enfilade.scene.model import Scene

Plans = Mapping[str, Plan]

SECONDS = 5
"""The seconds of a round (DBL-001)."""


def turn(scene: Scene) -> Turn:
    """Return the round; the combat is over when the GM has ended it (DBL-001, DBL-046)."""
    winner = scene.conditions.get("won", "")
    return Turn(
        round=scene.track("round"),
        is_over=scene.has("ended"),
        winners=(winner,) if winner and scene.has("ended") else (),
    )


def start_round(scene: Scene, act: Act) -> Steps:
    """Play a round: all choose in secret, then all act at the same time (DBL-001 to DBL-004)."""
    del act
    yield Require(_require_combat, (scene,))
    number = scene.track("round") + 1
    scene = yield set_track(scene, TABLE, "round", number)
    plans = yield from ask_plans(scene, MATCHUP)
    scene = yield from _reveal(scene, plans)
    outcome = Outcome("round", leaves=localize("double_life.outcome_round", number=number))
    yield Settled(outcome)
    scene = yield from fight(scene, plans)
    scene = yield from _move_all(scene, plans)
    scene = yield from _stand_up_all(scene)
    scene = yield from settle_victory(scene)
    return outcome


def _require_combat(scene: Scene) -> None:
    if scene.has("ended"):
        raise IllegalAct(localize("double_life.refuse_ended"), "DBL-046", "turn")
    if scene.has("won"):
        raise IllegalAct(localize("double_life.refuse_won"), "DBL-046", "turn")
    if not battlefield(scene).units:
        raise IllegalAct(localize("double_life.refuse_no_characters"), "DBL-003", "request")


# The reveal


def _reveal(scene: Scene, plans: Plans) -> Steps:
    """Reveal all choices at once, and note each stance on its character; return the scene (DBL-004)."""
    chosen = [{"token": one.id, **_facts(scene, plans[one.id])} for one in battlefield(scene).units]
    yield Change(Explained(kind="round", facts={"round": scene.track("round"), "plans": chosen}))
    for token in scene.tokens:
        note = stance_note(scene, plans.get(token.id, NO_PLAN))
        if note:
            scene = yield set_condition(scene, token.id, "stance", note)
        elif token.has("stance"):
            scene = yield set_condition(scene, token.id, "stance", None)
    return scene


def _facts(scene: Scene, plan: Plan) -> dict[str, object]:
    stance = plan.stance
    return {
        "stance": stance.kind,
        "text": stance_note(scene, plan),
        "weapon": stance.weapon.name if stance.weapon else "",
        "targets": list(stance.targets),
        "side": stance.side if stance.kind == "defend" else "",
        "guarded": stance.guarded,
        "place": list(plan.place) if plan.place else None,
        "facing": None if plan.direction is None else plan.direction * 45,
    }


def stance_note(scene: Scene, plan: Plan) -> str:
    """Return a stance in words; empty for a character that cannot act."""
    stance = plan.stance
    names = ", ".join(scene.token(target).name for target in stance.targets)
    weapon = stance.weapon.name if stance.weapon else ""
    match stance.kind:
        case "attack":
            return localize("double_life.stance_attack", targets=names, weapon=weapon)
        case "focus" if not names:
            return localize("double_life.stance_focus_alone")
        case "focus":
            return localize("double_life.stance_focus", targets=names)
        case "defend" if stance.guarded:
            return localize("double_life.stance_guard", name=scene.token(stance.guarded).name)
        case "defend":
            return localize(f"double_life.stance_defend_{stance.side}")
        case "flee":
            return localize("double_life.stance_flee")
    return ""


# Phase 3


class _Mover(NamedTuple):
    """A character with the path to its place, and a throw that settles ties."""

    character: Character
    path: list[Cell]
    is_flight: bool
    lot: int


def _move_all(scene: Scene, plans: Plans) -> Steps:
    """Move each standing character: fleeing ones first, then by Agility; return the scene (DBL-023, C-17).

    A character whose way was taken meanwhile stops there. One that fell in phase 2 does not move (DBL-024).
    """
    movers = yield from _order(scene, plans)
    for mover in movers:
        scene = yield from _walk(scene, mover, plans[mover.character.id])
    return scene


def _order(scene: Scene, plans: Plans) -> Steps:
    """Return the characters that may move, in order; equal ones that want one case draw lots."""
    able = [one for one in battlefield(scene).units if is_able(one)]
    going = [(one, plans[one.id]) for one in able if plans[one.id].place is not None]
    movers = []
    for one, plan in going:
        has_rival = any(_are_rivals(scene, (one, plan), other) for other in going)
        lot = (yield Roll(localize("double_life.roll_lot"), D20))[0] if has_rival else 0
        movers.append(_Mover(one, _path(scene, one, plan), plan.is_flight, lot))
    return sorted(
        movers,
        key=lambda m: (not m.is_flight, -m.character.value("agility"), -m.lot, m.character.id),
    )


def _are_rivals(scene: Scene, one: tuple[Character, Plan], other: tuple[Character, Plan]) -> bool:
    """Return whether two characters of equal Agility want a common case in which they have no room."""
    (a, plan), (b, its) = one, other
    if a.token.at == plan.place or b.token.at == its.place:
        return False
    if a.id == b.id or plan.is_flight != its.is_flight or a.value("agility") != b.value("agility"):
        return False
    is_common = not set(_ends(scene, a, plan)).isdisjoint(_ends(scene, b, its))
    return is_common and not may_share(scene, a.token, b.token)


def _ends(scene: Scene, one: Character, plan: Plan) -> list[Cell]:
    return battlefield(scene).cells(one, plan.place)


def _path(scene: Scene, one: Character, plan: Plan) -> list[Cell]:
    """Return the path to the place of a plan, as the character knows the cases before anyone moves."""
    assert plan.place is not None
    budget = max(int(setting(scene, rule)) for rule in (house_rules.MOVEMENT, house_rules.REPOSITION))
    return search(known_scene(scene, one.id), one.id, budget).path(plan.place)


def _walk(scene: Scene, mover: _Mover, plan: Plan) -> Steps:
    """Move a character along its path as far as it is free, and turn it; return the scene."""
    one, wanted = mover.character, mover.path[-1]
    facing = one.token.facing if plan.direction is None else plan.direction * 45
    if len(mover.path) == 1 and facing == one.token.facing:
        return scene
    here, is_stopped = mover.path[0], False
    steps: list[Cell] = []
    for cell in mover.path[1:]:
        is_stopped = is_stopped or not battlefield(scene).walker(one).can_step(here, cell)
        if not is_stopped:
            steps.append(cell)
            here = cell
    facts = {"token": one.id, "flight": mover.is_flight, "to": list(here), "wanted": list(wanted)}
    yield Change(Explained(kind="move", facts={**facts, "facing": facing}))
    for cell in steps or [here]:
        scene = yield Step(one.id, cell, facing)
    return scene


def _stand_up_all(scene: Scene) -> Steps:
    """Let those that fell in an earlier round try to stand up; return the scene (DBL-010, C-21)."""
    for one in battlefield(scene).units:
        fell = one.token.conditions.get("fallen")
        if fell is not None and fell != str(scene.track("round")):
            scene = yield from stand_up(scene, one.id)
    return scene


# The end of combat


def end_combat(scene: Scene, act: Act) -> Steps:
    """End the combat: all lose Energy, and the log says what is left (DBL-046, C-22)."""
    del act
    yield Require(_require_end, (scene,))
    loss = int(setting(scene, house_rules.ENERGY_LOSS))
    left = []
    for one in battlefield(scene).units:
        energy = max(0, one.energy - loss)
        if energy != one.energy:
            scene = yield set_track(scene, one.id, "energy", energy)
        left.append({"token": one.id, "health": one.health, "energy": energy, "fallen": one.is_fallen})
    gone = [token.id for token in scene.tokens if token.has("out")]
    winner = scene.conditions.get("won", "")
    facts = {"round": scene.track("round"), "left": left, "dead": gone, "winner": winner, "loss": loss}
    yield Change(Explained(kind="end", facts=facts))
    yield set_condition(scene, TABLE, "ended")
    return Outcome("ended")


def _require_end(scene: Scene) -> None:
    if scene.has("ended"):
        raise IllegalAct(localize("double_life.refuse_ended"), "DBL-046", "turn")
    if not scene.has("won"):
        raise IllegalAct(localize("double_life.refuse_not_won"), "DBL-046", "turn")
