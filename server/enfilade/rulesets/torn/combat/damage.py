"""Wounds, removal, condition markers, panic, loss of a leader (TRN-032, TRN-033, TRN-087 to TRN-103)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from enfilade.i18n import localize
from enfilade.rules.battle.displace import displace
from enfilade.rules.house_rules import setting
from enfilade.rules.kit.health import remove
from enfilade.rules.procedures import Call, Change, Steps, set_condition, set_track
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.combat.attack_rolls import any_success
from enfilade.rulesets.torn.dice import table_dice
from enfilade.rulesets.torn.positions import ForcedMoves
from enfilade.rulesets.torn.profiles import DamageType, Marker, Miniature, read_miniature
from enfilade.scene.events import TABLE, Explained, TokenPlaced
from enfilade.scene.model import Scene, Token

MARKER_TYPES: dict[Marker, DamageType] = {
    "burning": "fire",
    "slowed": "cold",
    "poisoned": "poison",
    "stunned": "electrical",
    "bleeding": "physical",
    "panic": "mental",
}
"""The damage type of each condition, paired in the order in which the rulebook lists both."""


class Damage(NamedTuple):
    """The damage of one miniature: wounds, and the condition markers that come with them."""

    token: str
    wounds: int
    markers: tuple[Marker, ...] = ()


def total_damage(damage: Iterable[Damage]) -> tuple[Damage, ...]:
    """Return the sum for each miniature, in the order of the ids."""
    totals: dict[str, Damage] = {}
    for part in damage:
        total = totals.get(part.token, Damage(part.token, 0))
        markers = tuple(sorted({*total.markers, *part.markers}))
        totals[part.token] = Damage(part.token, total.wounds + part.wounds, markers)
    return tuple(totals[token] for token in sorted(totals))


def is_immune(miniature: Miniature, damage_type: DamageType) -> bool:
    """Return whether a miniature ignores damage, markers and effects of a type (TRN-088)."""
    return damage_type in miniature.profile.immune


def apply_damage(scene: Scene, damage: Iterable[Damage]) -> Steps:
    """Apply simultaneous damage: wounds and markers, then removals, then panic after a leader's loss.

    Returns the scene (TRN-031, TRN-095).
    """
    totals = [total for total in total_damage(damage) if total.wounds > 0]
    for total in totals:
        left = max(0, read_miniature(scene.token(total.token)).wounds - total.wounds)
        facts = {"token": total.token, "wounds": total.wounds, "left": left}
        yield Change(Explained(kind="wounds", facts=facts))
        scene = yield set_track(scene, total.token, "wounds", left)
        for marker in total.markers:
            scene = yield from give_marker(scene, total.token, marker)
    return (yield from _remove(scene, [total.token for total in totals]))


def give_marker(scene: Scene, token_id: str, marker: Marker) -> Steps:
    """Give a condition marker, unless the miniature has it or is immune to its type (TRN-091, TRN-100)."""
    miniature = read_miniature(scene.token(token_id))
    # The attack has asked about its own type; no miniature that is immune to mental damage panics.
    is_paired = marker == "panic" or setting(scene, house_rules.MARKER_TYPES) == "paired"
    if miniature.token.has(marker) or (is_paired and is_immune(miniature, MARKER_TYPES[marker])):
        return scene
    return (yield set_condition(scene, token_id, marker))


def _remove(scene: Scene, token_ids: list[str]) -> Steps:
    """Remove or transform all miniatures without wounds; then test the squads of lost leaders."""
    lost_leaders = []
    for token_id in token_ids:
        miniature = read_miniature(scene.token(token_id))
        if miniature.wounds > 0 or miniature.token.has("out"):
            continue
        if miniature.profile.becomes:
            # It transforms by its own ability, so its leader is not lost (TRN-102).
            scene = yield from transform_by_itself(scene, token_id)
            continue
        scene = yield from remove(scene, token_id)
        if miniature.is_leader:
            lost_leaders.append(miniature.token)
    for leader in lost_leaders:
        scene = yield from lose_leader(scene, leader)
    return (yield from _check_victory(scene))


def transform_by_itself(scene: Scene, token_id: str) -> Steps:
    """Transform a miniature at its last wound. A leader leads on, or its new card says so (TRN-102)."""
    was_leader = read_miniature(scene.token(token_id)).is_leader
    scene = yield from transform_token(scene, token_id)
    leads_on = was_leader and setting(scene, house_rules.LEADER_TRANSFORMS) == "leads on"
    if leads_on and not scene.token(token_id).has("leads"):
        scene = yield set_condition(scene, token_id, "leads")
    return scene


def transform_token(scene: Scene, token_id: str) -> Steps:
    """Replace a miniature by what its card says it becomes, with full wounds; return the scene.

    Infantry in the Hexes that it fills then steps out to the nearest free ones (house reading of TRN-102).
    """
    token = scene.token(token_id)
    profile = read_miniature(token).profile.becomes
    tracks = {**token.tracks, "wounds": read_miniature(replace(token, profile=profile)).profile.wounds}
    yield Change(Explained(kind="transformed", facts={"token": token_id}))
    scene = yield Change(TokenPlaced(token=replace(token, profile=profile, tracks=tracks), was=token))
    if token.at is None or read_miniature(scene.token(token_id)).profile.size == "infantry":
        return scene
    for other in ForcedMoves(scene).crowd(scene.token(token_id), token.at):
        scene = yield from _step_out(scene, other, scene.token(token_id))
    return scene


def _step_out(scene: Scene, token_id: str, grown: Token) -> Steps:
    """Move infantry out from under a miniature that has grown; return the scene."""
    token = scene.token(token_id)
    free = ForcedMoves(scene).nearest_free(token, grown, scene.grid.columns + scene.grid.rows)
    if free is None or read_miniature(token).profile.size != "infantry":
        return scene
    yield Change(Explained(kind="ejected", facts={"token": token_id}))
    scene, _ = yield from displace(scene, token_id, free, "eject", ForcedMoves, facing=None)
    return scene


def lose_leader(scene: Scene, leader: Token) -> Steps:
    """Take a Panic Test for each other miniature of the leader's side; return the scene (TRN-101)."""
    yield Change(Explained(kind="leader lost", facts={"token": leader.id}))
    for token in scene.on_board():
        if token.side == leader.side and token.id != leader.id:
            scene = yield from panic_test(scene, token.id)
    return scene


def panic_test(scene: Scene, token_id: str) -> Steps:
    """Roll one Defense die, or two for a Veteran; without a success give Panic (TRN-097 to TRN-100).

    Returns the scene.
    """
    miniature = read_miniature(scene.token(token_id))
    if is_immune(miniature, "mental"):
        passes = True
    elif miniature.has("careful"):
        passes = False
    else:
        dice = 2 if miniature.has("veteran") else 1
        roll = (localize("torn.roll_panic_test"), table_dice(scene).defense, dice)
        passes = yield Call(any_success, roll)
    yield Change(Explained(kind="panic test", facts={"token": token_id, "passes": passes}))
    return scene if passes else (yield from give_marker(scene, token_id, "panic"))


def _check_victory(scene: Scene) -> Steps:
    """End the battle if one team is left. This is a house rule: scenarios say how battles are won."""
    left = [token for token in scene.tokens if not token.has("out")]
    had_teams = any(not scene.are_allies(a, b) for a in scene.tokens for b in scene.tokens)
    if had_teams and left and not scene.has("won") and all(scene.are_allies(left[0], t) for t in left):
        scene = yield set_condition(scene, TABLE, "won", left[0].side)
    elif had_teams and not left:
        scene = yield Change(Explained(kind="no winner", facts={}))
    return scene
