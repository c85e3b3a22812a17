"""Rounds and activations: initiative, priority, and what a downed miniature may do (CDG-019 to CDG-032)."""

from __future__ import annotations

from collections.abc import Iterator

from enfilade.errors import IllegalAct, OutOfTurn
from enfilade.geometry.square import FACINGS, is_adjacent
from enfilade.rules.dice import D6
from enfilade.rules.house_rules import is_on
from enfilade.rules.procedures import Act, Answer, Change, Choose, Do, Must, Outcome, Roll, Steps
from enfilade.rules.ruleset import Turn
from enfilade.rulesets.coup_de_grace import rulings
from enfilade.rulesets.coup_de_grace.movement import board, is_in_play
from enfilade.rulesets.coup_de_grace.profiles import fighter
from enfilade.rulesets.coup_de_grace.states import put, set_condition, set_track, stood_up
from enfilade.scene.events import TABLE, Explained
from enfilade.scene.model import Scene, Token

RECOVERY = 5
"""What a downed miniature's D6 must show to stand up (CDG-075)."""

FACING_WORDS = {0: "north", 90: "east", 180: "south", 270: "west"}


def in_battle(scene: Scene, side_id: str) -> list[Token]:
    """A side's miniatures that count for initiative: all but those out of action (CDG-023 to CDG-026)."""
    return [token for token in scene.tokens if token.side == side_id and not token.has("out")]


def waiting(scene: Scene, side_id: str) -> list[Token]:
    """A side's miniatures that have not been activated this round."""
    active = scene.conditions.get("active")
    return [t for t in in_battle(scene, side_id) if not t.has("activated") and t.id != active]


def turn(scene: Scene) -> Turn:
    """Whose turn it is: the active miniature's, or the side's with priority (CDG-027, CDG-078)."""
    active = active_token(scene)
    won = scene.conditions.get("won")
    if won is not None:
        return Turn(round=scene.track("round"), is_over=True, winners=(won,))
    priority = scene.conditions.get("priority")
    sides = (active.side,) if active else (priority,) if priority else ()
    return Turn(round=scene.track("round"), sides=sides, token=active.id if active else "")


def start_round(scene: Scene, act: Act) -> Steps:
    """A new round: everybody fresh, the first activation to who has most miniatures (CDG-019 to CDG-031)."""
    del act
    _must_be_over(scene)
    for token in scene.tokens:
        for condition in ("activated", "used", "acted", "rerolled"):
            if token.has(condition):
                scene = yield set_condition(scene, token.id, condition, None)
    first = yield from _initiative(scene)
    number = scene.track("round") + 1
    scene = yield set_track(scene, TABLE, "round", number)
    scene = yield set_condition(scene, TABLE, "priority", first)
    counts = {side.name: len(in_battle(scene, side.id)) for side in scene.sides}
    facts = {"act": f"round {number}", "result": scene.side(first).name, "counts": counts}
    yield Change(Explained(kind="round", facts=facts))
    return Outcome("round")


def _must_be_over(scene: Scene) -> None:
    if scene.has("won"):
        raise IllegalAct("The battle is over.", "CDG-078")
    if not any(in_battle(scene, side.id) for side in scene.sides):
        raise IllegalAct("There is nobody to fight.", "CDG-019")
    left = [token for side in scene.sides for token in waiting(scene, side.id)]
    if is_in_play(scene) and (left or active_token(scene)):
        names = ", ".join(token.name for token in left[:3]) or "the active miniature"
        raise OutOfTurn(f"The round goes on: {names} is yet to be activated.", "CDG-030")


def _initiative(scene: Scene) -> Steps:
    counts = {side.id: len(in_battle(scene, side.id)) for side in scene.sides}
    tied = [side_id for side_id, count in counts.items() if count == max(counts.values())]
    while len(tied) > 1:
        tied = yield Do(roll_off, (tuple(tied),))
    return tied[0]


def roll_off(side_ids: tuple[str, ...]) -> Steps:
    """A D6 for each tied side; those with the highest are left (ruling 9)."""
    faces = []
    for side_id in side_ids:
        (face,) = yield Roll(f"initiative of {side_id}", D6)
        faces.append(face)
    return tuple(s for s, face in zip(side_ids, faces, strict=True) if face == max(faces))


def activate(scene: Scene, act: Act) -> Steps:
    """A miniature of the side with priority begins its activation (CDG-020, CDG-027)."""
    token = scene.token(act.token)
    yield Must(_may_be_activated, (scene, token))
    scene = yield set_condition(scene, TABLE, "active", token.id)
    yield set_track(scene, token.id, "mp", fighter(token).allowance)
    yield Change(Explained(kind="activate", facts={"token": token.id}))
    return Outcome("active")


def active_token(scene: Scene) -> Token | None:
    """The miniature whose activation it is, or None between activations or when it has left the scene."""
    active = scene.conditions.get("active")
    return next((token for token in scene.tokens if token.id == active), None)


def _may_be_activated(scene: Scene, token: Token) -> None:
    if not is_in_play(scene):
        raise OutOfTurn("No round has begun.", "CDG-019")
    active = active_token(scene)
    if active is not None:
        raise OutOfTurn(f"The activation of {active.name} is not over.", "CDG-027")
    if token.has("out"):
        raise IllegalAct(f"{token.name} is out of action.", "CDG-068")
    if token.has("activated"):
        raise OutOfTurn(f"{token.name} has had its activation this round.", "CDG-019")
    if scene.conditions.get("priority") != token.side:
        name = scene.side(scene.conditions["priority"]).name
        raise OutOfTurn(f"The next activation is one of {name}.", "CDG-027")


def end_activation(scene: Scene, act: Act) -> Steps:
    """The activation is over and priority passes on, past sides with nobody left (CDG-027 to CDG-030)."""
    token = scene.token(act.token)
    _must_be_active(scene, token)
    scene = yield set_condition(scene, TABLE, "active", None)
    scene = yield set_condition(scene, token.id, "activated")
    scene = yield set_track(scene, token.id, "mp", None)
    following = _next_side(scene, token.side)
    yield set_condition(scene, TABLE, "priority", following)
    facts = {"token": token.id, "result": scene.side(following).name if following else "round over"}
    yield Change(Explained(kind="end", facts=facts))
    return Outcome("ended")


def _next_side(scene: Scene, after: str) -> str | None:
    ids = [side.id for side in scene.sides]
    start = ids.index(after) + 1
    order = ids[start:] + ids[:start]
    return next((side_id for side_id in order if waiting(scene, side_id)), None)


def _must_be_active(scene: Scene, token: Token) -> None:
    if scene.conditions.get("active") != token.id:
        raise OutOfTurn(f"It is not the activation of {token.name}.", "CDG-027")


def _must_be_down(scene: Scene, token: Token, rule: str) -> None:
    if not token.has("downed"):
        raise IllegalAct(f"{token.name} is not downed.", rule)
    if is_in_play(scene):
        _must_be_active(scene, token)
        if token.has("acted"):
            raise IllegalAct(f"{token.name} has used its one act.", "CDG-071")


def _one_act(scene: Scene, token: Token) -> Steps:
    if is_in_play(scene):
        scene = yield set_condition(scene, token.id, "acted")
    return scene


def crawl(scene: Scene, act: Act) -> Steps:
    """A downed miniature drags itself to an empty square beside it (CDG-072)."""
    token = scene.token(act.token)
    _must_be_down(scene, token, "CDG-072")
    if act.at is None or act.at not in crawlable(scene, token):
        raise IllegalAct(f"{token.name} can only crawl to an empty square beside it.", "CDG-072")
    scene = yield from _one_act(scene, token)
    yield put(scene.token(token.id), act.at, None)
    yield Change(Explained(kind="crawl", facts={"token": token.id}))
    return Outcome("crawled")


def crawlable(scene: Scene, token: Token) -> list[tuple[int, int]]:
    """The squares a downed miniature may crawl to (CDG-072)."""
    occupied = {other.at for other in scene.on_board()}
    return [cell for cell in _beside(scene, token) if cell not in occupied]


def _beside(scene: Scene, token: Token) -> Iterator[tuple[int, int]]:
    assert token.at is not None
    diagonally = is_on(scene, rulings.CRAWL_DIAGONALLY)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            cell = (token.at[0] + dx, token.at[1] + dy)
            if cell in board(scene) and cell != token.at and (diagonally or is_adjacent(token.at, cell)):
                yield cell


def recover(scene: Scene, act: Act) -> Steps:
    """Dramatic recovery: on a 5 or 6 a downed miniature stands with 1 hit point (CDG-075)."""
    token = scene.token(act.token)
    _must_be_down(scene, token, "CDG-075")
    scene = yield from _one_act(scene, token)
    (face,) = yield Roll("recovery", D6)
    result = "recovered" if face >= RECOVERY else "stays down"
    facts = {"token": token.id, "act": "recover", "needed": RECOVERY, "total": face, "result": result}
    yield Change(Explained(kind="recover", facts=facts))
    if face >= RECOVERY:
        facing = yield _which_facing(token)
        yield from stood_up(scene, token.id, int(facing))
    return Outcome(result)


def _which_facing(token: Token) -> Choose:
    answers = tuple(Answer(str(facing), FACING_WORDS[facing]) for facing in FACINGS)
    return Choose(token.side, f"Which way does {token.name} face?", answers, "0")
