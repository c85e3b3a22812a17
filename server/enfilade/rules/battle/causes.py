"""Causes: why a strike or a move is refused, found in one way for all games.

A search for a way says only that there is none. `barred` asks the game again without the doors, the walls,
the closed terrain, all terrain and the other tokens of the scene: what has to go before a way leads there is
the cause.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from types import MappingProxyType

from msgspec.structs import replace

from enfilade.errors import Cause, IllegalAct, OutOfReach
from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.ruleset import PathStep, Ruling
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token

MOST_NAMED = 8
"""The tokens of a scene up to which `barred` looks for the one that is in the way."""

_OBSTACLES = (("door", "wall"), ("closed", "ground"), ("others",))
"""What a scene can lack, in the order in which it is tried. A second one includes the first."""

_BARS: Mapping[str, tuple[str, Cause]] = {
    "door": ("battle.bar_door", "wall"),
    "wall": ("battle.bar_wall", "wall"),
    "closed": ("battle.bar_closed", "closed"),
    "ground": ("battle.bar_ground", "ground"),
    "others": ("battle.bar_others", "occupied"),
}
"""What can bar a way: its sentence and the cause that it is."""

_TOGETHER = [
    kinds
    for count in range(1, len(_OBSTACLES) + 1)
    for groups in combinations(_OBSTACLES, count)
    for kinds in product(*groups)
]
"""Each set of obstacles that a scene may lack, the smallest first."""


def reason_of(refused: IllegalAct) -> str:
    """Return a refusal as a reason of a ruling: its sentence with the ID of its rule."""
    is_named = not refused.rule or refused.rule in refused.sentence
    return refused.sentence if is_named else f"{refused.sentence} ({refused.rule})"


def ruling(
    reasons: Sequence[IllegalAct],
    cost: int | None,
    budget: int,
    path: tuple[Cell, ...] = (),
    steps: tuple[PathStep, ...] = (),
) -> Ruling:
    """Return the ruling on a move from what refuses it: allowed if nothing does."""
    causes = tuple([refused.cause for refused in reasons if refused.cause])
    return Ruling(not reasons, cost, budget, tuple(map(reason_of, reasons)), path, steps, causes)


def walled_off(name: str, target: str, rule: str) -> OutOfReach:
    """Return the refusal of a strike at a target, by name, through a wall or a closed door."""
    return OutOfReach(localize("battle.refuse_wall", name=name, target=target), rule, "wall")


def off_board(rule: str) -> IllegalAct:
    """Return the refusal of a move to a place off the board."""
    return IllegalAct(localize("battle.off_board"), rule, "edge")


def occupied(by: str, rule: str) -> IllegalAct:
    """Return the refusal of a move to a place where a token leaves no room."""
    return IllegalAct(localize("battle.occupied", blocker=by), rule, "occupied")


def barred(
    scene: Scene,
    token: Token,
    leads_there: Callable[[Scene], bool],
    rule: str,
    otherwise: IllegalAct,
    rules: Mapping[Cause, str] = MappingProxyType({}),
) -> IllegalAct:
    """Return the refusal of a way that does not lead there, by what bars it.

    `leads_there` answers for a scene like this one that lacks some obstacles. If the way leads there without
    any of them either, the refusal is `otherwise`: it is too far, most often. `rules` has the ID for
    causes that have another.
    """
    if not leads_there(replace(scene, walls=(), terrain=(), tokens=_alone(scene, token))):
        return otherwise
    for kinds in _TOGETHER:
        less = _without(scene, token, kinds)
        checkpoint()
        if less is not None and leads_there(less):
            kind = kinds[0]
            other = _single(scene, token, leads_there) if kind == "others" else ""
            return bar(kind, token.name, rules.get(_BARS[kind][1], rule), other)
    return otherwise


def bar(kind: str, name: str, rule: str, other: str = "") -> IllegalAct:
    """Return the refusal of a way by what bars it: "door", "wall", "closed", "ground" or "others".

    `other` is the name of the one token that is in the way, if it is one.
    """
    key, cause = _BARS[kind]
    sentence = localize("battle.bar_other", name=name, other=other) if other else localize(key, name=name)
    return IllegalAct(sentence, rule, cause)


def _without(scene: Scene, token: Token, kinds: Sequence[str]) -> Scene | None:
    """Return a scene without some obstacles; None if it has none of one of the kinds."""
    for kind in kinds:
        less = _less(scene, token, kind)
        if less is scene:
            return None
        scene = less
    return scene


def _less(scene: Scene, token: Token, kind: str) -> Scene:
    if kind == "door":
        walls = tuple([wall for wall in scene.walls if wall.door == "none" or wall.is_open])
        return scene if len(walls) == len(scene.walls) else replace(scene, walls=walls)
    if kind == "wall":
        return replace(scene, walls=()) if scene.walls else scene
    if kind == "closed":
        terrain = tuple([patch for patch in scene.terrain if patch.cost])
        return scene if len(terrain) == len(scene.terrain) else replace(scene, terrain=terrain)
    if kind == "ground":
        return replace(scene, terrain=()) if scene.terrain else scene
    tokens = _alone(scene, token)
    return scene if len(tokens) == len(scene.tokens) else replace(scene, tokens=tokens)


def _alone(scene: Scene, token: Token) -> tuple[Token, ...]:
    return tuple([one for one in scene.tokens if one.id == token.id or one.at is None])


def _single(scene: Scene, token: Token, leads_there: Callable[[Scene], bool]) -> str:
    """Return the name of the one token without which the way leads there; empty if it is none, or many."""
    others = [one for one in scene.on_board() if one.id != token.id]
    if len(others) > MOST_NAMED:
        return ""
    for other in others:
        checkpoint()
        if leads_there(replace(scene, tokens=tuple([one for one in scene.tokens if one.id != other.id]))):
            return other.name
    return ""
