"""The moves of hidden tokens: no other seat receives a byte more or less because of them.

MOVES is the number of hidden moves of each game and setting: 30, and 500 in `make hidden-moves`.
"""

from __future__ import annotations

import os
import random

import pytest
from msgspec.structs import replace
from tests.fault.paired_worlds import ANN, HIDDEN_IDS, OTHERS, anywhere, as_sent, shared_surface
from tests.fault.table_harness import TableHarness, decline_choices

from enfilade.play.commands.scene_sync import command_for_token
from enfilade.play.view import view
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.scene.apply import fold_all
from enfilade.scene.model import AUTOMATIC, GM, Token

RULESETS = load_rulesets(BUILT_IN)
MOVES = int(os.environ.get("MOVES", "30"))
LARGE_MAP_MOVES = LOOK_EVERY = 25
_UNITS = 64
SIZE, LARGE = 7, 40
SEED = 5


def battle(key, enforcement, size=SIZE):
    """Return a small battle of two sides, Ann's and an automatic one, with three hidden enemies of each."""
    ruleset, chance = RULESETS[key], random.Random(SEED)
    scene = shared_surface(skirmish(ruleset, SEED, size, strength=3), chance)
    sides = (
        replace(scene.sides[0], conditions={}),
        *(replace(side, conditions={AUTOMATIC: ""}) for side in scene.sides[1:]),
    )
    taken = {token.at for token in scene.tokens}
    unit = _UNITS if scene.grid.kind == "gridless" else 1
    near = [(x * unit, y * unit) for x in range(SIZE) for y in range(SIZE)]
    free = [place for place in near if place not in taken]
    hidden = [
        ruleset.prepare_token(
            Token(
                id=name,
                name=name.capitalize(),
                side=sides[number % 2].id,
                at=place,
                facing=0,
                hidden=True,
                profile=ruleset.catalog[number].profile,
            )
        )
        for number, (name, place) in enumerate(zip(HIDDEN_IDS, chance.sample(free, 3), strict=True))
    ]
    tokens = sorted((*scene.tokens, *hidden), key=lambda token: token.id)
    return replace(scene, sides=sides, tokens=tuple(tokens), enforcement=enforcement)


def hidden_move(world, chance):
    """Return the command of a hidden move: a plain one, one against the rules, or one at the tabletop.

    Foundry's bridge sends a whole scene, or the token alone: as a move along its waypoints.
    """
    scene = world.table.scene
    token = scene.token(chance.choice(HIDDEN_IDS))
    at = anywhere(scene, chance)
    reach = world.table.ruleset.reach(scene, token)
    if reach and reach.cells and chance.randrange(3):
        at = chance.choice(reach.cells)[:2]
    if not chance.randrange(6):
        moved = (replace(t, at=at) if t.id == token.id else t for t in scene.tokens)
        return "scene.sync", {"scene": as_sent(replace(scene, tokens=tuple(moved)))}
    if not chance.randrange(5):
        step = command_for_token(scene, replace(token, at=at), is_renewed=False)
        if step:
            return step[0], as_sent(step[1])
    override = {"override": "in the dark"} if chance.randrange(2) else {}
    return "token.move", {"token": token.id, "at": list(at), "facing": token.facing, **override}


def is_seen(world, draft):
    """Return whether the rules make a hidden move seen: it changes what is visible, at once."""
    scene = world.table.scene
    after = fold_all(scene, draft.events)
    return any(view(scene, seat) != view(after, seat) for seat in OTHERS)


def hide_and_move(world, number, chance):
    kind, body = hidden_move(world, chance)
    draft = world.dry_run(f"h{number}", kind, **body)
    if draft is None or is_seen(world, draft):
        return 0, 0
    is_done = world.ask(GM, f"h{number}", kind, **body)
    return int(is_done), decline_choices(world, f"h{number}")


def look(world, number):
    """Do what all see: questions by Ann, an edit by the GM, and a return of both seats."""
    tokens = view(world.table.scene, ANN).tokens
    own = next(token for token in tokens if ANN.id in token.owners)
    other = tokens[number % len(tokens)]
    world.ask(ANN, f"o{number}", "overlay.show", token=own.id, layers=None)
    world.ask(ANN, f"v{number}", "verdict.ask", token=own.id, target=other.id)
    world.ask(ANN, f"n{number}", "overlay.show", token=HIDDEN_IDS[0], layers=None)
    world.ask(GM, f"p{number}", "token.place", token=as_sent(replace(other, elevation=number % 3)))
    for seat in OTHERS:
        world.enter(seat)


@pytest.mark.parametrize("enforcement", ["advise", "warn", "enforce"])
@pytest.mark.parametrize("key", RULESETS)
def test_a_stream_is_the_same_bytes_with_hidden_moves_and_without(key, enforcement):
    compare_streams(key, battle(key, enforcement), MOVES)


@pytest.mark.parametrize("key", RULESETS)
def test_a_stream_is_the_same_bytes_on_a_large_map_too(key):
    compare_streams(key, battle(key, "advise", LARGE), LARGE_MAP_MOVES)


def compare_streams(key, scene, wanted):
    """Play two worlds, one of them with so many hidden moves, and compare all that the others receive."""
    chance = random.Random(SEED)
    moving, still = (TableHarness(RULESETS[key], scene, SEED, OTHERS) for _ in range(2))
    moves = choices = 0
    for number in range(4 * wanted):
        done, asked = hide_and_move(moving, number, chance)
        moves, choices = moves + done, choices + asked
        if number % LOOK_EVERY == LOOK_EVERY - 1:
            look(moving, number)
            look(still, number)
        assert moving.frames == still.frames, number
        if moves >= wanted:
            break
    assert moves >= wanted
    if key == "torn" and wanted == MOVES:
        assert choices, "no enemy had a Free Attack against a hidden mover"
