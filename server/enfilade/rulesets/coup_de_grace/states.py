"""Hit points and what follows: downed, out of action, standing up again (CDG-067 to CDG-077)."""

from __future__ import annotations

from enfilade.geometry.units import Cell
from enfilade.rules.procedures import Change, Steps
from enfilade.rulesets.coup_de_grace.profiles import fighter
from enfilade.scene.events import TABLE, ConditionSet, TokenMoved, TrackSet
from enfilade.scene.fold import holder_of
from enfilade.scene.model import Scene, Token


def set_track(scene: Scene, holder: str, track: str, value: int | None) -> Change:
    """The change that gives a track a value, or takes it away."""
    was = holder_of(scene, holder).tracks.get(track)
    return Change(TrackSet(holder=holder, track=track, value=value, was=was))


def set_condition(scene: Scene, holder: str, condition: str, note: str | None = "") -> Change:
    """The change that sets a condition with a note, or clears it (None)."""
    was = holder_of(scene, holder).conditions.get(condition)
    return Change(ConditionSet(holder=holder, condition=condition, note=note, was=was))


def put(token: Token, at: Cell | None, facing: int | None) -> Change:
    """The change that stands a token elsewhere, or turns it."""
    return Change(TokenMoved(token=token.id, at=at, facing=facing, was_at=token.at, was_facing=token.facing))


def wounded(scene: Scene, token_id: str, damage: int) -> Steps:
    """Takes hit points: at 0 a miniature is downed, below that it is out of action.

    Returns what it is left as: "standing", "downed" or "out" (CDG-067 to CDG-069).
    """
    left = fighter(scene.token(token_id)).hit_points - damage
    scene = yield set_track(scene, token_id, "hp", left)
    if left > 0:
        return "standing"
    if left == 0:
        yield from _downed(scene, token_id)
        return "downed"
    yield from _out_of_action(scene, token_id)
    return "out"


def _downed(scene: Scene, token_id: str) -> Steps:
    token = scene.token(token_id)
    yield put(token, token.at, None)
    yield set_condition(scene, token_id, "downed")


def _out_of_action(scene: Scene, token_id: str) -> Steps:
    token = scene.token(token_id)
    yield put(token, None, None)
    if token.has("downed"):
        scene = yield set_condition(scene, token_id, "downed", None)
    scene = yield set_condition(scene, token_id, "out")
    yield from _victory(scene)


def stood_up(scene: Scene, token_id: str, facing: int) -> Steps:
    """A downed miniature stands with a facing and 1 hit point (CDG-075)."""
    token = scene.token(token_id)
    scene = yield set_track(scene, token_id, "hp", 1)
    scene = yield set_condition(scene, token_id, "downed", None)
    yield put(token, token.at, facing)


def _victory(scene: Scene) -> Steps:
    """The last team with a combatant in the battle has won (CDG-078)."""
    left = [token for token in scene.tokens if not token.has("out")]
    if left and len(scene.tokens) > 1 and all(scene.are_allies(left[0], token) for token in left):
        yield set_condition(scene, TABLE, "won", left[0].side)
