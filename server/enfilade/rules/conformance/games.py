"""Random legal games of any ruleset, to the end: every side on automatic, every act one that is offered.

The player prefers attacks, then steps towards an enemy, so that battles end.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from enfilade.geometry.units import Cell
from enfilade.rules.dice import SeededDice
from enfilade.rules.performing import Answers, Performed, perform
from enfilade.rules.procedures import Act
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.model import Scene, Token

MOST_ACTS = 3_000
"""A game that is not over after so many acts does not end."""


class StuckError(AssertionError):
    """A game cannot go on, or does not end."""


@dataclass(frozen=True)
class Played:
    """One act of a game: the scene before it, the act, what it came to and the faces that fell."""

    before: Scene
    act: Act
    done: Performed
    answers: Answers


def game(ruleset: Ruleset, scene: Scene, seed: int) -> Iterator[Played]:
    """A game from a scene to its end, act by act; raises StuckError where it has none."""
    chance, dice = random.Random(seed), SeededDice(seed)
    for _ in range(MOST_ACTS):
        if ruleset.turn(scene).is_over:
            return
        act = any_act(ruleset, scene, chance)
        if act is None:
            raise StuckError(f"Nobody may do anything in round {ruleset.turn(scene).round}.")
        answers = Answers(dice=dice)
        done = perform(scene, ruleset.procedures[act.kind], (act,), answers)
        yield Played(scene, act, done, answers)
        scene = done.scene
    raise StuckError(f"The game is not over after {MOST_ACTS} acts.")


def any_act(ruleset: Ruleset, scene: Scene, chance: random.Random) -> Act | None:
    """Some legal act or move of whoever may act now; None where nobody may do anything."""
    tokens = may_act(ruleset, scene)
    for token in chance.sample(tokens, len(tokens)):
        act = _act_of(ruleset, scene, token, chance)
        if act is not None:
            return act
    return None


def may_act(ruleset: Ruleset, scene: Scene) -> list[Token]:
    """The tokens whose turn it may be."""
    turn = ruleset.turn(scene)
    if turn.token:
        return [scene.token(turn.token)]
    return [token for token in scene.tokens if not turn.sides or token.side in turn.sides]


def _act_of(ruleset: Ruleset, scene: Scene, token: Token, chance: random.Random) -> Act | None:
    legal = [offer.act for offer in ruleset.offers(scene, token) if offer.is_legal]
    attacks = [act for act in legal if act.target]
    others = [act for act in legal if not act.target]
    if ruleset.turn(scene).round == 0 and others:
        return chance.choice(others)
    if attacks and chance.randrange(4):
        return chance.choice(attacks)
    move = _move_of(ruleset, scene, token, chance) if chance.randrange(4) else None
    if move is not None:
        return move
    return chance.choice(legal) if legal else None


def _move_of(ruleset: Ruleset, scene: Scene, token: Token, chance: random.Random) -> Act | None:
    reach = ruleset.reach(scene, token)
    if reach is None or not reach.cells or not reach.budget:
        return None
    cells: list[Cell] = [(x, y) for x, y, _ in reach.cells]
    enemy = _nearest_enemy(scene, token)
    if enemy is None or not chance.randrange(3):
        at = chance.choice(cells)
    else:
        at = min(cells, key=lambda cell: math.dist(cell, enemy))
    facing = _towards(at, enemy) if enemy is not None else token.facing
    if at == token.at and not _may_turn(ruleset, scene, token, facing):
        return None
    return Act(kind="move", token=token.id, at=at, facing=facing)


def _may_turn(ruleset: Ruleset, scene: Scene, token: Token, facing: int | None) -> bool:
    """Whether a token may turn where it stands, and would then face another way."""
    turned = ruleset.entering(replace(token, facing=facing))
    assert token.at is not None
    return turned.facing != token.facing and ruleset.judge(scene, token, token.at, facing).allowed


def _nearest_enemy(scene: Scene, token: Token) -> Cell | None:
    assert token.at is not None
    here = token.at
    places = [other.at for other in scene.on_board() if other.at and not scene.are_allies(token, other)]
    return min(places, key=lambda at: math.dist(here, at), default=None)


def _towards(start: Cell, end: Cell) -> int:
    """The compass degrees from one place to another; 0 is up the board, clockwise."""
    return round(math.degrees(math.atan2(end[0] - start[0], start[1] - end[1]))) % 360
