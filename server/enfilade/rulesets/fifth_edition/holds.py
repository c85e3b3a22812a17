"""Grapples, mounts and Concentration (SRD-037 to SRD-040, SRD-076, SRD-163 to SRD-165)."""

from __future__ import annotations

from enfilade.rules.battle.displace import displace
from enfilade.rules.battle.lasting import cease_held
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import Steps, set_condition, set_elevation
from enfilade.rulesets.fifth_edition import house_rules
from enfilade.rulesets.fifth_edition.battlefield import contacts, far_map, forced_map, is_beside
from enfilade.rulesets.fifth_edition.checks import save
from enfilade.rulesets.fifth_edition.profiles import SEPARATOR, read_creature
from enfilade.scene.model import Scene, Token


def stop_concentrating(scene: Scene, target: str) -> Steps:
    """End what a creature concentrates on, and all that hangs on it (SRD-163, SRD-165); return the scene."""
    if scene.token(target).has("concentrating"):
        scene = yield set_condition(scene, target, "concentrating", None)
        scene = yield from cease_held(scene, target)
    return scene


def keep_concentration(scene: Scene, target: str, damage: int) -> Steps:
    """Save to keep Concentration after damage (SRD-164); return the scene."""
    if not scene.token(target).has("concentrating"):
        return scene
    cap = int(setting(scene, house_rules.CONCENTRATION_CAP))
    difficulty = max(10, damage // 2)
    scene, kept = yield from save(scene, target, "con", min(cap, difficulty) if cap else difficulty)
    return scene if kept else (yield from stop_concentrating(scene, target))


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


def carry(scene: Scene, mount: str) -> Steps:
    """Bring the rider to where a mount is now, at its height; return the scene."""
    token = scene.token(mount)
    rider = token.conditions.get("ridden")
    if rider and token.at is not None:
        scene, _ = yield from displace(scene, rider, token.at, "carry", far_map, crowd="share")
        if scene.token(rider).elevation != token.elevation:
            scene = yield set_elevation(scene.token(rider), token.elevation)
    return scene
