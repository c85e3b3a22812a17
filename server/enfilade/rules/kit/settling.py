"""The consequences of a change by hand: a table asks for it after its GM has edited tokens or house rules."""

from __future__ import annotations

from collections.abc import Callable

from enfilade.rules.kit.activations import ACTIVE, active_token, side_after
from enfilade.rules.kit.health import OUT
from enfilade.rules.procedures import Change, Steps, set_condition
from enfilade.scene.events import TABLE, Explained
from enfilade.scene.model import Scene, Token


def last_team(scene: Scene, before: Scene) -> str | None:
    """Return a side of the only team that a change in play has left of several; None if there is none."""
    if not scene.track("round") or scene.has("won"):
        return None
    fought, left = ([token for token in one.tokens if not token.has(OUT)] for one in (before, scene))
    had_teams = any(not before.are_allies(fought[0], token) for token in fought)
    if not had_teams or not left or any(not scene.are_allies(left[0], token) for token in left):
        return None
    return left[0].side


def win(scene: Scene, side: str) -> Steps:
    """Record the victory of a side, or of none for ""; return the scene."""
    yield Change(Explained(kind="won", facts={"side": side}))
    return (yield set_condition(scene, TABLE, "won", side))


def win_for_last_team(scene: Scene, before: Scene) -> Steps:
    """Record the victory of the one team that a change in play has left, if so; return the scene."""
    side = last_team(scene, before)
    return scene if side is None else (yield from win(scene, side))


def was_healed(before: Scene, token: Token, condition: str) -> bool:
    """Return whether a token has a condition since before a change of its tracks.

    One that a GM sets by hand stays: so a GM notes who has fled.
    """
    was = next((one for one in before.tokens if one.id == token.id), None)
    return was is not None and was.has(condition) and token.has(condition) and was.tracks != token.tracks


def return_to_battle(scene: Scene, before: Scene, is_alive: Callable[[Token], bool]) -> Steps:
    """Let those take part again whom a GM has healed after they were out; return the scene."""
    for token in scene.tokens:
        if was_healed(before, token, OUT) and is_alive(token):
            scene = yield set_condition(scene, token.id, OUT, None)
    return scene


def pass_turn_on(scene: Scene, before: Scene, condition: str) -> Steps:
    """Pass the turn to the next side if the active miniature has left the battle; return the scene.

    `condition` is the table's note of the side that is next.
    """
    was, now = active_token(before), active_token(scene)
    if was is None or (now is not None and not now.has(OUT)):
        return scene
    if scene.has(ACTIVE):
        scene = yield set_condition(scene, TABLE, ACTIVE, None)
    if not scene.track("round"):
        return scene  # no round is played whose next side there could be
    return (yield set_condition(scene, TABLE, condition, side_after(scene, was.side)))
