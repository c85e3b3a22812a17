"""No answer about a crowd of miniatures runs long between two rests.

The work is counted in executed lines of Python, so that a slow machine changes nothing. A call of the kernel
or of msgspec counts as one line; tests/unit/scene/test_scene_json.py covers the latter.
"""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import suppress
from types import CodeType

import pytest
from msgspec.structs import replace

from enfilade.geometry.board.base import CELL
from enfilade.importers.demo import demo_battle
from enfilade.messages import dump
from enfilade.messages.scene import MAX_TOKENS
from enfilade.play.setup import prepare_scene
from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets import BUILT_IN
from enfilade.runtime.time_budget import SLICE_SECONDS, TimeBudget, time_limited
from enfilade.scene.model import Scene
from enfilade.tactics.overlays import LAYERS, overlay
from enfilade.tactics.verdicts import verdict

MOST_LINES = 10_000
"""One to two milliseconds."""
COLUMNS, APART = 25, 2


def crowded(ruleset: Ruleset) -> Scene:
    """Return a board full of miniatures of a demo battle, as many as the contract allows, in a block."""
    scene = demo_battle(ruleset).scene
    units, unit = scene.tokens, CELL if scene.grid.kind == "gridless" else 1
    tokens = []
    for number in range(MAX_TOKENS):
        row, column = divmod(number, COLUMNS)
        at = ((1 + column * APART) * unit, (1 + row * APART) * unit)
        tokens.append(replace(units[number % len(units)], id=f"t{number}", at=at))
    grid = replace(scene.grid, columns=COLUMNS * APART + 2, rows=MAX_TOKENS // COLUMNS * APART + 2)
    return prepare_scene(ruleset, replace(scene, grid=grid, walls=(), terrain=(), tokens=tuple(tokens)))


class Lines:
    """Counts the lines between two rests, and those of each function; each checkpoint rests."""

    def __init__(self) -> None:
        self.most, self.now = 0, 0.0
        self.places: Counter[CodeType] = Counter()
        self.where: Counter[CodeType] = Counter()
        self.budget = TimeBudget(10**9, self.rest, self.tick)

    def tick(self) -> float:
        self.now += 10 * SLICE_SECONDS
        return self.now

    def rest(self) -> None:
        count = self.places.total()
        if count > self.most:
            self.most, self.where = count, self.places.copy()
        self.places.clear()

    def of(self, function, *arguments):
        """Return what a function returns."""
        places, outer = self.places, sys.gettrace()

        def trace(frame, event, _argument):  # of a million lines: each does no more than this
            if event == "line":
                places[frame.f_code] += 1
            return trace

        with time_limited(self.budget):
            sys.settrace(trace)
            try:
                found = function(*arguments)
            finally:
                sys.settrace(outer)
            self.rest()
        return found


def questions(ruleset: Ruleset, scene: Scene):
    """Yield each question, asked of a scene of which nothing is remembered; take the answer of an overlay."""
    token, other = scene.tokens[0].id, scene.tokens[1].id
    mover = scene.token(token)
    for layer in LAYERS:
        shown = yield layer, lambda fresh, layer=layer: overlay(ruleset, fresh, token, 0, [layer])
        yield f"{layer} as JSON", lambda _, shown=shown: dump.json_bytes(shown)
    yield "verdict", lambda fresh: verdict(ruleset, fresh, token, other, 0)
    yield "move", lambda fresh: ruleset.judge(fresh, mover, (mover.at,), mover.facing)


@pytest.mark.parametrize("ruleset", BUILT_IN, ids=lambda ruleset: ruleset.key)
def test_an_answer_about_a_crowd_rests_often(ruleset):
    scene, found = crowded(ruleset), {}
    asked, answer = questions(ruleset, scene), None
    with suppress(StopIteration):
        while True:
            name, ask = asked.send(answer)
            lines = Lines()
            answer = lines.of(ask, replace(scene, tokens=(*scene.tokens,)))
            found[name] = lines.most, lines.where.most_common(3)
    assert {f"{layer} as JSON" for layer in LAYERS} < found.keys()
    assert {name: most for name, most in found.items() if most[0] > MOST_LINES} == {}
