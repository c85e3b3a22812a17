"""Verdicts: what the rules say of what a player points at: a target, a path, or a drawn area."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from enfilade.geometry.board.base import Cell, Point
from enfilade.i18n import localize
from enfilade.rules.ruleset import Caught, Ruleset, Ruling, Sight
from enfilade.scene.model import Scene, Token, Value
from enfilade.tactics.previews import Preview, previews

SOMEONE = "someone-there"
"""The ID of the enemy that a token is asked about where nobody stands."""


class Verdict(Value, frozen=True, kw_only=True):
    """One token's view of a target at one entry of a table (`seq`), in a sentence and in parts."""

    token: str
    target: str
    seq: int
    sentence: str
    sight: Sight
    acts: tuple[Preview, ...]


def verdict(ruleset: Ruleset, scene: Scene, token_id: str, target_id: str, seq: int) -> Verdict:
    """Return the verdict on a target in a seat's view of the scene. Raises NotFound."""
    token, target = scene.token(token_id), scene.token(target_id)
    sight = ruleset.sight(scene, token, target)
    engaged = [
        f"{one.label}." for one in ruleset.engagements(scene) if {*one.tokens} == {token_id, target_id}
    ]
    offers = [offer for offer in ruleset.offers(scene, token) if offer.act.target == target_id]
    return Verdict(
        token=token_id,
        target=target_id,
        seq=seq,
        sentence=" ".join(part for part in (sight_text(token, target, sight), *engaged) if part),
        sight=sight,
        acts=previews(ruleset, scene, offers),
    )


def supposed(
    scene: Scene, token_id: str, target_id: str, at: Cell | None, to: Cell | None
) -> tuple[Scene, str]:
    """Return the scene as if a token stood at a place, and the target that it looks at then.

    Without a target that is the token at `to`, or an enemy like the token itself: it answers whether it would
    be seen there. Raises NotFound.
    """
    token = scene.token(token_id)
    if at is not None and at != token.at:
        scene = replace(
            scene,
            tokens=tuple(
                replace(one, at=at) if one.id == token_id else one
                for one in scene.tokens
                if one.id in (token_id, target_id) or one.at != at
            ),
        )
    if target_id or to is None:
        return scene, target_id or token_id
    there = next((one for one in scene.tokens if one.at == to and one.id != token_id), None)
    if there is not None:
        return scene, there.id
    enemies = [one.side for one in scene.tokens if not scene.are_allies(one, token)]
    side = enemies[0] if enemies else token.side
    name = localize("tactics.someone_there")
    ghost = replace(token, id=SOMEONE, name=name, at=to, side=side, owners=(), conditions={})
    return replace(scene, tokens=(*scene.tokens, ghost)), SOMEONE


def sight_text(token: Token, target: Token, sight: Sight) -> str:
    """Return a line of sight in words: "Bran sees Orc 3, 4 squares away", for example."""
    for each in (token, target):
        if each.at is None:
            return localize("tactics.off_board", name=each.name)
    names = {"token": token.name, "target": target.name, "distance": sight.distance}
    if sight.is_seen is None:
        return localize("tactics.distance_only", **names) if sight.distance else ""
    key = "tactics.sees" if sight.is_seen else "tactics.does_not_see"
    first = localize(f"{key}_at" if sight.distance else key, **names)
    return " ".join(part for part in (first, sight.why, sight.cover) if part)


class DrawnArea(Value, frozen=True, kw_only=True):
    """The tokens in a drawn area at one entry of a table (`seq`), with their cover from its origin."""

    seq: int
    caught: tuple[Caught, ...]


def drawn_area(
    ruleset: Ruleset, scene: Scene, outline: Sequence[Point], origin: Point, seq: int
) -> DrawnArea:
    """Return who is in an outline, in a seat's view of the scene."""
    return DrawnArea(seq=seq, caught=tuple(ruleset.outlined(scene, outline, origin)))


class PathCost(Value, frozen=True, kw_only=True):
    """The cost of a path at one entry of a table (`seq`): of each leg, and the ruling on the whole.

    `costs` has the cost of the way to each waypoint from the one before it, None where no path leads. They
    add up to the ruling's cost: a leg costs what the way to its end costs more than the way to its start, so
    that a rule that counts the whole move, such as every second diagonal, is in the leg where it costs.
    """

    token: str
    seq: int
    costs: tuple[int | None, ...]
    ruling: Ruling


def path_cost(ruleset: Ruleset, scene: Scene, token_id: str, path: Sequence[Cell], seq: int) -> PathCost:
    """Return what the rules say of a path, in a seat's view of the scene. Raises NotFound."""
    token = scene.token(token_id)
    rulings = [
        ruleset.judge(scene, token, tuple(path[:count]), token.facing) for count in range(1, len(path) + 1)
    ]
    totals = [0, *(ruling.cost for ruling in rulings)]
    costs = tuple(
        None if here is None or before is None else here - before for before, here in pairwise(totals)
    )
    return PathCost(token=token_id, seq=seq, costs=costs, ruling=rulings[-1])
