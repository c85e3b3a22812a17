"""Battles of equal sides: one follows the advice, the other makes random legal acts.

Both sides have the same units, and each battle is one of a pair in which they change places. The random side
takes any legal act or move and any answer with equal chances, as a program does that knows the rules alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count

from msgspec.structs import replace

from enfilade.rules.allocations import encode_split, legal_splits
from enfilade.rules.conformance.games import active_tokens
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rules.dice import SeededDice
from enfilade.rules.procedures import Act, Allocate, Choose
from enfilade.rules.registry import MOVE
from enfilade.rules.resolve import Answers, refusal, resolve
from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import Scene, Side
from enfilade.tactics.policy import Policy

SIZE, STRENGTH = 10, 3
SEEDS_APART = 1_000
"""From the seed of a duel to the next that is tried."""
MAX_ROUNDS = 60
MAX_ACTS = 3_000
SIDES = (Side(id="blue", name="Blue"), Side(id="red", name="Red"))


def battle(ruleset: Ruleset, number: int) -> Scene:
    """Return a battle of two sides with the same units, on a board with walls.

    Each side has at least two: a duel of one against one is over by the dice before advice counts.
    """
    drawn = (skirmish(ruleset, seed, SIZE, STRENGTH) for seed in count(number, SEEDS_APART))
    found = next(scene for scene in drawn if sum(one.side == "blue" for one in scene.tokens) > 1)
    blue = [one for one in found.tokens if one.side == "blue"]
    red = [one for one in found.tokens if one.side == "red"]
    twins = [
        ruleset.prepare_token(replace(its, profile=own.profile, size=own.size, tracks={}, conditions={}))
        for own, its in zip(blue, red, strict=True)
    ]
    return replace(found, sides=SIDES, house_rules={}, tokens=(*blue, *twins))


class MixedAnswers(Answers):
    """Answers in which one side takes the defaults and all others decide at random."""

    def __init__(self, seed: int, advised: str) -> None:
        super().__init__(dice=SeededDice(seed))
        self._advised, self._chance = advised, random.Random(seed)

    def decision(self, choice: Choose | Allocate) -> tuple[str, bool]:
        """Return the default of the advised side, a random answer of another."""
        if choice.side == self._advised:
            found = super().decision(choice)
            assert found
            return found
        if isinstance(choice, Allocate):
            return encode_split(self._chance.choice(legal_splits(choice))), False
        return self._chance.choice(choice.answers).key, False


def play(ruleset: Ruleset, scene: Scene, advised: str, seed: int) -> tuple[str, ...]:
    """Return the winners of a battle in which one side follows the advice; none for a draw."""
    chance = random.Random(seed)
    policy = Policy(ruleset, chance)
    for _ in range(MAX_ACTS):
        turn = ruleset.turn(scene)
        if turn.is_over or turn.round > MAX_ROUNDS:
            return turn.winners
        active = {token.side for token in active_tokens(ruleset, scene)}
        is_advised = advised in active or not turn.sides
        act = policy.act(scene) if is_advised else _random_act(ruleset, scene, chance)
        if act is None:
            return ()
        answers = MixedAnswers(chance.randrange(10**9), advised)
        scene = resolve(scene, ruleset.acts[act.kind].procedure, (act,), answers).scene
    return ()


def result_of(key: str, number: int) -> str:
    """Return what comes of a game by its number for the advised side: won, drawn or lost."""
    ruleset = next(ruleset for ruleset in BUILT_IN if ruleset.key == key)
    advised = ("blue", "red")[number % 2]
    winners = play(ruleset, battle(ruleset, number // 2), advised, number)
    return "won" if advised in winners else "lost" if winners else "drawn"


def _random_act(ruleset: Ruleset, scene: Scene, chance: random.Random) -> Act | None:
    """Return any legal act or move of an active token, each with the same chance."""
    acts = [act for token in active_tokens(ruleset, scene) for act in _acts(ruleset, scene, token.id, chance)]
    return chance.choice(acts) if acts else None


def _acts(ruleset: Ruleset, scene: Scene, token_id: str, chance: random.Random) -> Iterator[Act]:
    token = scene.token(token_id)
    for offer in ruleset.offers(scene, token):
        if offer.is_legal and not ruleset.acts[offer.act.kind].planned:
            yield offer.act
    reach = ruleset.reach(scene, token)
    if reach and reach.budget:
        facings = ruleset.outlook.facings(scene, token)
        for x, y, _ in chance.sample(reach.cells, min(4, len(reach.cells))):
            act = Act(kind=MOVE, token=token_id, at=(x, y), facing=chance.choice(facings))
            if (x, y) != token.at and refusal(scene, ruleset.acts[MOVE].procedure, act) is None:
                yield act
