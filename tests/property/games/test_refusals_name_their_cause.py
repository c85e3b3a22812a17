"""Each refusal of an act, a move or a target has a cause that its sentence names, and it is the right one."""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import cache
from itertools import islice
from typing import get_args

import pytest
from msgspec.structs import replace
from tests.seeds import seeds

from enfilade.errors import Cause
from enfilade.rules.conformance.games import game
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import Terrain, Wall

SEEDS = seeds(20)
MOVES = 6
"""The moves of each token that are tried in each scene."""

WORDS = {
    "wall": "wall|door",
    "closed": "closed terrain",
    "ground": r"ground|cannot land|no way leads|cannot stand|no room|needs a (square|case)",
    "edge": "board|battlefield|battle|entry|edge",
    "occupied": r"stands (there|in)|stand in|in the space",
    "height": "higher or lower",
    "distance": r"reach|away|jumps|adjacent|within|range|closer|get there|moves|farther|too far",
    "arc": "front arc|straight ahead",
    "sight": r"sight|blocked by|clear line|cover|invisible|hides|see|blind",
    "turn": r"turn|not the active|activat|round|over\b|phase|rolls?\b|decided|fighting|begun|group",
    "cost": r"cost|way is|used|left|points|moved|acted",
    "ban": r"",
    "duty": "defen|carriers",
    "marker": "stunned|panics",
    "missing": r"\bhas no\b|has not enough|slot|change to|proficient|too weak|needs a|transform",
    "target": r"enem|only players|ally|same side|downed|itself|another creature|large|dead|needed|defended",
    "request": r"",
}
"""What a sentence says of each cause; a ban and a wrong request name their own state or part."""

FILLED = {
    "ban": r"downed|prone|unconscious|acted|braced|out of|fled|failed|hangs|incapacitated|charmed|Speed"
    r"|stand up|grappled|may carry|defeated|dead|cannot|fallen|removed|both hands|moves no more|ride"
    r"|surprised|no longer|readied|concentrate",
    "request": r"needs|no such|There|is no|cannot|must|first",
}
RULESETS = load_rulesets(BUILT_IN)


def pattern_of(cause):
    return FILLED.get(cause) or WORDS[cause]


def with_obstacles(scene, chance):
    """Return a scene with some more walls, doors and closed terrain between the tokens."""
    columns, rows = scene.grid.columns, scene.grid.rows
    walls = []
    for number in range(6):
        x, y, is_upright = chance.randrange(1, columns), chance.randrange(1, rows), chance.randrange(2)
        far = 64 * chance.randrange(1, 5)
        line = (x * 64, y * 64, x * 64 + far * (not is_upright), y * 64 + far * is_upright)
        door = "door" if chance.randrange(3) == 0 else "none"
        walls.append(Wall(id=f"x{number}", line=line, door=door))
    taken = {token.at for token in scene.on_board()}
    cells = {(chance.randrange(columns), chance.randrange(rows)) for _ in range(12)} - taken
    patch = Terrain(id="rocks", name="Rocks", cells=tuple(sorted(cells)), cost=0)
    return replace(scene, walls=(*scene.walls, *walls), terrain=(*scene.terrain, patch))


@cache
def scenes_of(key):
    """Return scenes of random games with obstacles, each seventh of the first sixty acts."""
    ruleset, chance = RULESETS[key], random.Random(0)
    games = [islice(game(ruleset, skirmish(ruleset, seed), seed), 0, 61, 7) for seed in SEEDS]
    return [with_obstacles(played.before, chance) for one in games for played in one]


def places_of(scene, chance):
    """Yield places on the board and beyond it."""
    unit = 64 if scene.grid.kind == "gridless" else 1
    columns, rows = scene.grid.columns * unit, scene.grid.rows * unit
    for number in range(MOVES):
        beyond = columns if number == 0 else 0
        yield chance.randrange(columns) + beyond, chance.randrange(rows)


def check_named(cause, sentence, rule):
    assert cause in get_args(Cause), f"'{sentence}' ({rule}) has the cause {cause!r}."
    assert re.search(pattern_of(cause), sentence, re.IGNORECASE), f"'{sentence}' does not name '{cause}'."
    assert rule, f"'{sentence}' names no rule."


@pytest.mark.parametrize("key", RULESETS)
def test_each_refused_act_and_move_names_its_cause(key):
    ruleset, chance, found = RULESETS[key], random.Random(1), Counter()
    for scene in scenes_of(key):
        for token in scene.tokens:
            for offer in ruleset.offers(scene, token):
                if not offer.is_legal:
                    check_named(offer.cause, offer.why, offer.rule)
                    found["act", offer.cause] += 1
            for at in places_of(scene, chance):
                ruling = ruleset.judge(scene, token, (at,), token.facing)
                if ruling.allowed:
                    continue
                assert len(ruling.causes) == len(ruling.reasons)
                for cause, sentence in zip(ruling.causes, ruling.reasons, strict=True):
                    rule = re.search(r"\b[A-Z]{3}-\d{3}\b", sentence)
                    check_named(cause, sentence, rule and rule.group())
                    found["move", cause] += 1
    assert ("move", "edge") in found
    assert len(found) > 3, found


@pytest.mark.parametrize("key", RULESETS)
def test_without_the_cause_of_a_refused_move_there_is_another_or_none(key):
    ruleset, chance, found = RULESETS[key], random.Random(2), Counter()
    less = {"wall": {"walls": ()}, "closed": {"terrain": ()}, "ground": {"terrain": ()}}
    for scene in scenes_of(key):
        for token in scene.on_board():
            for at in places_of(scene, chance):
                ruling = ruleset.judge(scene, token, (at,), token.facing)
                for cause in set(ruling.causes) & less.keys():
                    freed = ruleset.judge(replace(scene, **less[cause]), token, (at,), token.facing)
                    assert freed.allowed or freed.reasons != ruling.reasons, (cause, ruling.reasons)
                    found[cause] += 1
                if "distance" in ruling.causes:
                    open_ground = replace(scene, walls=(), terrain=(), tokens=(token,))
                    alone = ruleset.judge(open_ground, token, (at,), token.facing)
                    assert not alone.allowed, ruling.reasons
                    found["distance"] += 1
    assert found["wall"] + found["closed"] + found["ground"] > 0 or key == "torn", found
