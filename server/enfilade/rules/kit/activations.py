"""Activations: in each round every miniature acts once, and the sides alternate.

The state is the condition "active" on the table, with the ID of the active miniature, and the condition
"activated" on each miniature that has acted in this round. What an activation allows, and who begins a round,
is the game's own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from enfilade.i18n import localize
from enfilade.rules.dice import D6
from enfilade.rules.kit.health import OUT
from enfilade.rules.procedures import Call, Roll, Steps, set_condition, set_track
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.events import TABLE
from enfilade.scene.model import Scene, Token

ACTIVE, ACTIVATED = "active", "activated"

MAX_ROLL_OFFS = 10
"""The limit of repeated ties, so that their odds can be computed. After it the order of the sides decides."""


def in_battle(scene: Scene, side: str) -> list[Token]:
    """Return the miniatures of a side that are not out."""
    return [token for token in scene.tokens if token.side == side and OUT not in token.conditions]


def sides_in_battle(scene: Scene) -> list[str]:
    """Return the IDs of the sides with a miniature that is not out, in the table's order."""
    found = {token.side for token in scene.tokens if OUT not in token.conditions}
    return [side.id for side in scene.sides if side.id in found]


def not_activated(scene: Scene) -> list[Token]:
    """Return the miniatures that have not been activated in this round, side by side in the table's order."""
    active, order = scene.conditions.get(ACTIVE), {side.id: place for place, side in enumerate(scene.sides)}
    left = [token for token in scene.tokens if token.side in order and _is_left(token, active)]
    return sorted(left, key=lambda token: order[token.side])


def active_token(scene: Scene) -> Token | None:
    """Return the active miniature; None between activations, or if it has left the scene."""
    active = scene.conditions.get(ACTIVE)
    if active is None:
        return None
    return next((token for token in scene.tokens if token.id == active), None)


def side_from(scene: Scene, side: str | None) -> str | None:
    """Return the first side with a miniature left to activate, in the table's order from a side on.

    Without a known side the order begins with the table's first. The result is None at the end of a round.
    """
    ids = [one.id for one in scene.sides]
    return _first_with_one_left(scene, ids, ids.index(side) if side in ids else 0)


def side_after(scene: Scene, side: str) -> str | None:
    """Return the next side after a side with a miniature left to activate; None at the end of a round."""
    ids = [one.id for one in scene.sides]
    return _first_with_one_left(scene, ids, ids.index(side) + 1)


def _first_with_one_left(scene: Scene, ids: list[str], start: int) -> str | None:
    active = scene.conditions.get(ACTIVE)
    left = {token.side for token in scene.tokens if _is_left(token, active)}
    return next((one for one in ids[start:] + ids[:start] if one in left), None)


def _is_left(token: Token, active: str | None) -> bool:
    return OUT not in token.conditions and ACTIVATED not in token.conditions and token.id != active


def finish_activation(scene: Scene, token_id: str) -> Steps:
    """Record that the active miniature has acted in this round; return the scene."""
    scene = yield set_condition(scene, TABLE, ACTIVE, None)
    return (yield set_condition(scene, token_id, ACTIVATED))


def clear_round(scene: Scene, conditions: Collection[str], tracks: Collection[str] = ()) -> Steps:
    """Clear the conditions and tracks that end with a round from all miniatures; return the scene."""
    flags, numbers = frozenset(conditions), frozenset(tracks)
    marked = [
        token
        for token in scene.tokens
        if not (flags.isdisjoint(token.conditions) and numbers.isdisjoint(token.tracks))
    ]
    for token in marked:
        checkpoint()
        for condition in [one for one in conditions if token.has(one)]:
            scene = yield set_condition(scene, token.id, condition, None)
        for track in [one for one in tracks if one in token.tracks]:
            scene = yield set_track(scene, token.id, track, None)
    return scene


def win_initiative(scene: Scene, tied: Sequence[str]) -> Steps:
    """Return the side that wins the roll-off of tied sides; a single side rolls no die."""
    sides = tuple((side, scene.side(side).name) for side in tied)
    for _ in range(MAX_ROLL_OFFS):
        if len(sides) == 1:
            break
        sides = yield Call(roll_off, (sides,))
    return sides[0][0]


def roll_off(sides: tuple[tuple[str, str], ...]) -> Steps:
    """Roll a D6 for each tied side, by ID and name; return those with the highest face."""
    faces = []
    for _, name in sides:
        (face,) = yield Roll(localize("kit.roll_initiative", side=name), D6)
        faces.append(face)
    return tuple(side for side, face in zip(sides, faces, strict=True) if face == max(faces))
