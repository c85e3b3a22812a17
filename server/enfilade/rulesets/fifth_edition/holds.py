"""Holds of creatures: grapples, mounts and Concentration (SRD-037 to SRD-040, SRD-076, SRD-165, SRD-189)."""

from __future__ import annotations

from enfilade.rules.battle.displace import displace
from enfilade.rules.battle.forced import ForcedMap, drive, straight_away
from enfilade.rules.battle.lasting import cease_held
from enfilade.rules.changes import set_condition
from enfilade.rules.procedures import Steps
from enfilade.rulesets.fifth_edition.battlefield import contacts, far_map, forced_map, is_beside
from enfilade.rulesets.fifth_edition.checks import save
from enfilade.rulesets.fifth_edition.profiles import SEPARATOR, read_creature
from enfilade.scene.model import Scene, Token

SEAT = 10
"""The difficulty to stay on a mount (SRD-189)."""


def stop_concentrating(scene: Scene, target: str) -> Steps:
    """End what a creature concentrates on, and all that hangs on it (SRD-163, SRD-165); return the scene."""
    if scene.token(target).has("concentrating"):
        scene = yield set_condition(scene, target, "concentrating", None)
        scene = yield from cease_held(scene, target)
    return scene


def lose_hold(scene: Scene, target: str) -> Steps:
    """End what a creature holds: its grapples and its Concentration (SRD-076, SRD-165); return the scene."""
    for held in read_creature(scene.token(target)).listed("grappling"):
        scene = yield from let_go(scene, target, held)
    return (yield from stop_concentrating(scene, target))


def let_go(scene: Scene, grappler: str, held: str) -> Steps:
    """End a grapple (SRD-076); return the scene."""
    left = [one for one in read_creature(scene.token(grappler)).listed("grappling") if one != held]
    scene = yield set_condition(scene, grappler, "grappling", SEPARATOR.join(left) if left else None)
    if any(one.id == held and one.conditions.get("grappled") == grappler for one in scene.tokens):
        scene = yield set_condition(scene, held, "grappled", None)
    return scene


def keep_in_reach(scene: Scene, one: str) -> Steps:
    """End the grapples of a creature that has been moved out of their range (SRD-076); return the scene."""
    token = scene.token(one)
    grappler = token.conditions.get("grappled")
    pairs = [(one, held) for held in read_creature(token).listed("grappling")]
    if any(other.id == grappler for other in scene.tokens):
        pairs.append((grappler or "", one))
    for holder, held in pairs:
        if not _are_near(scene, holder, held):
            scene = yield from let_go(scene, holder, held)
    return scene


def _are_near(scene: Scene, *keys: str) -> bool:
    """Return whether two creatures are on the board, and within the range of a grapple."""
    placed = [one for one in contacts(scene).screens.spaces.placed if one.id in keys]
    return len(placed) == len(keys) and is_beside(scene, placed[0], placed[-1])


def push(scene: Scene, source: Token, key: str, feet: float) -> Steps:
    """Push a creature straight away from another, as far as there is room (SRD-037, SRD-038)."""
    spaces, token = contacts(scene).screens.spaces, scene.token(key)
    if not (spaces.is_placed(source) and spaces.is_placed(token)):
        return scene
    places = straight_away(spaces, spaces.center(source), token, spaces.length(feet))
    scene = yield from drive(scene, key, places, "push", forced_map)
    if scene.token(key).at == token.at:
        return scene
    scene = yield from keep_in_reach(scene, key)
    if token.has("riding"):
        return (yield from dismounted(scene, key))
    scene = yield from carry(scene, key)
    return (yield from shake_off(scene, key))


def bring_along(scene: Scene, mover: str, left: Token) -> Steps:
    """Bring who is grappled and who rides after a step of a creature (SRD-040); return the scene.

    `left` is the mover before the step. A grappled creature stays if it is still beside, else it follows into
    the square just left.
    """
    scene = yield from carry(scene, mover)
    token, spaces = scene.token(mover), contacts(scene).screens.spaces
    placed = {one.id for one in spaces.placed}
    for held in read_creature(token).listed("grappling"):
        if held not in placed or is_beside(scene, token, scene.token(held)):
            continue
        free = set(spaces.cells(left)) - set(spaces.cells(token))
        there = scene.token(held).at
        assert there is not None
        at = min(free, key=lambda cell: (abs(cell[0] - there[0]) + abs(cell[1] - there[1]), cell))
        scene, _ = yield from displace(scene, held, at, "drag", forced_map)
    return (yield from keep_in_reach(scene, mover)) if token.has("grappling") else scene


# Mounts


def carry(scene: Scene, mount: str) -> Steps:
    """Bring the rider to where a mount is now; return the scene."""
    token = scene.token(mount)
    rider = token.conditions.get("ridden")
    if rider and token.at is not None:
        scene, _ = yield from displace(scene, rider, token.at, "carry", far_map, crowd="share")
    return scene


def shake_off(scene: Scene, one: str) -> Steps:
    """Save to stay on a mount that is moved by force, or if it or its rider falls (SRD-189)."""
    token = scene.token(one)
    rider = one if token.has("riding") else token.conditions.get("ridden")
    if not rider:
        return scene
    scene, is_seated = yield from save(scene, rider, "dex", SEAT)
    if is_seated:
        return scene
    scene = yield from dismounted(scene, rider)
    return scene if scene.token(rider).has("prone") else (yield set_condition(scene, rider, "prone"))


def dismounted(scene: Scene, one: str) -> Steps:
    """Part a rider and its mount: the rider lands beside it (SRD-187); return the scene."""
    token = scene.token(one)
    rider = one if token.has("riding") else token.conditions.get("ridden")
    mount = token.conditions.get("riding") or one
    if not rider:
        return scene
    scene = yield set_condition(scene, rider, "riding", None)
    for state in ("ridden", "led"):
        if scene.token(mount).has(state):
            scene = yield set_condition(scene, mount, state, None)
    at = scene.token(rider).at
    if at is None:
        return scene
    most = sum(scene.token(mount).size)
    scene, _ = yield from displace(scene, rider, at, "eject", _crowded_map, crowd="near", most=most)
    return scene


def _crowded_map(scene: Scene) -> ForcedMap:
    """Return the map for one that needs a space of its own, also beside those who lie."""
    return ForcedMap(contacts(scene).screens.spaces)
