"""Wounds, removal, condition markers, panic, the loss of a leader (TRN-032, TRN-033, TRN-087 to TRN-103)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from enfilade.rules.changes import move_token, set_condition, set_track
from enfilade.rules.procedures import Call, Change, Steps
from enfilade.rulesets.torn.attack_rolls import any_success
from enfilade.rulesets.torn.dice import dice_of
from enfilade.rulesets.torn.profiles import DamageType, Marker, Miniature, miniature
from enfilade.rulesets.torn.suffered import Suffered, together
from enfilade.scene.events import TABLE, Explained, TokenPlaced
from enfilade.scene.model import Scene, Token


def is_immune(mini: Miniature, damage: DamageType) -> bool:
    """Whether a miniature ignores damage, markers and effects of a type (TRN-088)."""
    return damage in mini.profile.immune


def suffer(scene: Scene, all_suffered: Iterable[Suffered]) -> Steps:
    """Everything that is suffered at once: wounds and markers, then removals, then what leaders' loss brings.

    Returns the scene (TRN-031, TRN-095).
    """
    suffered = [one for one in together(all_suffered) if one.wounds > 0]
    for one in suffered:
        left = max(0, miniature(scene.token(one.token)).wounds - one.wounds)
        facts = {"token": one.token, "wounds": one.wounds, "left": left}
        yield Change(Explained(kind="wounds", facts=facts))
        scene = yield set_track(scene, one.token, "wounds", left)
        scene = yield from _marked(scene, one)
    return (yield from _removed(scene, [one.token for one in suffered]))


def _marked(scene: Scene, one: Suffered) -> Steps:
    for marker in one.markers:
        scene = yield from give_marker(scene, one.token, marker)
    return scene


def give_marker(scene: Scene, token_id: str, marker: Marker) -> Steps:
    """A condition marker, but never a second one of its kind, nor panic for the immune (TRN-091, TRN-100)."""
    mini = miniature(scene.token(token_id))
    if mini.token.has(marker) or is_immune(mini, MARKER_TYPES[marker]):
        return scene
    return (yield set_condition(scene, token_id, marker))


MARKER_TYPES: dict[Marker, DamageType] = {
    "burning": "fire",
    "slowed": "cold",
    "poisoned": "poison",
    "stunned": "electrical",
    "bleeding": "physical",
    "panic": "mental",
}
"""Which type of damage each condition belongs to: paired in the order the rulebook lists them."""


def _removed(scene: Scene, token_ids: list[str]) -> Steps:
    """Those at no wounds go together, or turn into what they become; then the leaders' squads are tested."""
    bereft = []
    for token_id in token_ids:
        mini = miniature(scene.token(token_id))
        if mini.wounds > 0 or mini.token.has("out"):
            continue
        if mini.profile.becomes:
            # By its own ability: the leader is not lost (TRN-102).
            scene = yield from transformed(scene, token_id)
            continue
        scene = yield move_token(mini.token, None, None)
        scene = yield set_condition(scene, token_id, "out")
        if mini.is_leader:
            bereft.append(mini.token)
    for leader in bereft:
        scene = yield from leader_lost(scene, leader)
    return (yield from _victory(scene))


def transformed(scene: Scene, token_id: str) -> Steps:
    """A miniature turns into what its card says it becomes, with all its wounds."""
    token = scene.token(token_id)
    profile = miniature(token).profile.becomes
    tracks = {**token.tracks, "wounds": miniature(replace(token, profile=profile)).profile.wounds}
    yield Change(Explained(kind="transformed", facts={"token": token_id}))
    return (yield Change(TokenPlaced(token=replace(token, profile=profile, tracks=tracks), was=token)))


def leader_lost(scene: Scene, leader: Token) -> Steps:
    """All miniatures of the player who has lost the leader take a Panic Test at once (TRN-101)."""
    yield Change(Explained(kind="leader lost", facts={"token": leader.id}))
    for token in scene.on_board():
        if token.side == leader.side and token.id != leader.id:
            scene = yield from panic_test(scene, token.id)
    return scene


def panic_test(scene: Scene, token_id: str) -> Steps:
    """A success on one Defence die, or one of a Veteran's two, or else Panic (TRN-097 to TRN-100)."""
    mini = miniature(scene.token(token_id))
    if is_immune(mini, "mental"):
        passes = True
    elif mini.has("careful"):
        passes = False
    else:
        dice = 2 if mini.has("veteran") else 1
        passes = yield Call(any_success, ("panic test", dice_of(scene).defence, dice))
    yield Change(Explained(kind="panic test", facts={"token": token_id, "passes": passes}))
    return scene if passes else (yield from give_marker(scene, token_id, "panic"))


def _victory(scene: Scene) -> Steps:
    """Where only one team is left it has won: a house rule, since scenarios say how battles are won."""
    left = [token for token in scene.tokens if not token.has("out")]
    teams_fell = any(not scene.are_allies(a, b) for a in scene.tokens for b in scene.tokens)
    if teams_fell and left and not scene.has("won") and all(scene.are_allies(left[0], t) for t in left):
        scene = yield set_condition(scene, TABLE, "won", left[0].side)
    return scene
