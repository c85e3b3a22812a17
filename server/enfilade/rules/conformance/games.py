"""Random legal games of any ruleset, to the end: every side automatic, every act an offered one.

The player prefers attacks, then moves toward an enemy, so that battles end.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from heapq import nsmallest
from typing import NamedTuple

from enfilade.geometry.board.base import Cell
from enfilade.rules.conformance.skirmish import center_of
from enfilade.rules.dice import SeededDice
from enfilade.rules.procedures import Act
from enfilade.rules.registry import MOVE
from enfilade.rules.resolve import Answers, Resolution, resolve
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.model import Scene, Token

MAX_ACTS = 3_000
"""A game that takes more acts does not end."""
MOST_MOVES = 24
"""The moves of a game without turns, which has no end."""
MAX_ROUNDS = 100
"""After this many rounds the game is a draw: two units that only heal may meet."""


NEAREST = 4
"""The player chooses one of this many cells nearest to an enemy."""


class StuckError(AssertionError):
    """A game cannot continue, or does not end."""


class PlayedAct(NamedTuple):
    """One act of a game: the scene before it, the act, its resolution and its answers."""

    before: Scene
    act: Act
    done: Resolution
    answers: Answers


def game(ruleset: Ruleset, scene: Scene, seed: int) -> Iterator[PlayedAct]:
    """Yield the acts of a game until the ruleset says it is over, or it is a draw; without turns, some moves.

    Raises StuckError if it cannot continue.
    """
    chance, dice = random.Random(seed), SeededDice(seed)  # noqa: S311 - repeatable
    moves_only = ruleset.moves_only(scene)
    for _ in range(MOST_MOVES if moves_only else MAX_ACTS):
        turn = ruleset.turn(scene)
        if turn.is_over or turn.round > MAX_ROUNDS:
            return
        act = choose_act(ruleset, scene, chance)
        if act is None and moves_only:
            continue  # no one chose to move
        if act is None:
            raise StuckError(f"Nobody may do anything in round {turn.round}.")
        answers = Answers(dice=dice)
        done = resolve(scene, ruleset.acts[act.kind].procedure, (act,), answers)
        yield PlayedAct(scene, act, done, answers)
        scene = done.scene
    if not moves_only:
        raise StuckError(f"The game is not over after {MAX_ACTS} acts.")


def choose_act(ruleset: Ruleset, scene: Scene, chance: random.Random) -> Act | None:
    """Return a legal act or move of an active token; None if there is none."""
    tokens = active_tokens(ruleset, scene)
    for token in chance.sample(tokens, len(tokens)):
        act = _choose_act_of(ruleset, scene, token, chance)
        if act is not None:
            return act
    return None


def active_tokens(ruleset: Ruleset, scene: Scene) -> list[Token]:
    """Return the tokens that may act now."""
    turn = ruleset.turn(scene)
    if turn.token:
        return [scene.token(turn.token)]
    return [token for token in scene.tokens if not turn.sides or token.side in turn.sides]


def _choose_act_of(ruleset: Ruleset, scene: Scene, token: Token, chance: random.Random) -> Act | None:
    offers = () if ruleset.moves_only(scene) else ruleset.offers(scene, token)
    offered = [offer.act for offer in offers if offer.is_legal]
    legal = [act for act in offered if not ruleset.acts[act.kind].planned]
    attacks = [act for act in legal if act.target]
    others = [act for act in legal if not act.target]
    if ruleset.turn(scene).round == 0 and others:
        return chance.choice(others)
    if attacks and chance.randrange(8):
        return chance.choice(attacks)
    move = _choose_move(ruleset, scene, token, chance) if chance.randrange(8) else None
    if move is not None:
        return move
    return chance.choice(legal) if legal else None


def _choose_move(ruleset: Ruleset, scene: Scene, token: Token, chance: random.Random) -> Act | None:
    """Return a move within reach, mostly toward the nearest enemy; None if nothing would change."""
    reach = ruleset.reach(scene, token)
    if reach is None or not reach.cells or not reach.budget:
        return None
    cells: list[Cell] = [(x, y) for x, y, _ in reach.cells]
    enemy = _nearest_enemy(scene, token)
    if enemy is None or not chance.randrange(3):
        at, facing = chance.choice(cells), chance.randrange(0, 360, 30)
    else:
        # One of the nearest: beside an enemy there may still be a wall between.
        center = center_of(scene.grid)
        goal = center(enemy)
        near = nsmallest(NEAREST, cells, key=lambda cell: math.dist(center(cell), goal))
        at = chance.choice(near)
        facing = _towards(scene, at, enemy)
    act = Act(kind=MOVE, token=token.id, at=at, facing=facing)
    return act if at != token.at or _is_turning(ruleset, scene, token, act) else None


def _is_turning(ruleset: Ruleset, scene: Scene, token: Token, act: Act) -> bool:
    """Return whether turning in place is allowed and changes the facing."""
    assert act.at is not None
    if not ruleset.judge(scene, token, act.waypoints, act.facing).allowed:
        return False
    turned = resolve(scene, ruleset.acts[MOVE].procedure, (act,), Answers(dice=SeededDice(0)))
    return turned.scene.token(token.id).facing != token.facing


def _nearest_enemy(scene: Scene, token: Token) -> Cell | None:
    assert token.at is not None
    center = center_of(scene.grid)
    here = center(token.at)
    places = [other.at for other in scene.tokens if other.at and not scene.are_allies(token, other)]
    return min(places, key=lambda at: math.dist(here, center(at)), default=None)


def _towards(scene: Scene, start: Cell, end: Cell) -> int:
    """Return the compass degrees from one cell to another; 0 is up the board, clockwise."""
    (x, y), (to_x, to_y) = map(center_of(scene.grid), (start, end))
    return round(math.degrees(math.atan2(to_x - x, y - to_y))) % 360
