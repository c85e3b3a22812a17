"""Obstacles: what is asked for many places at once is what each scene says by itself."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from enfilade.geometry.board.mask import Mask
from enfilade.rules.battle.corners import FEW_COVERS, Lines, Screens
from enfilade.rules.battle.meetings import Meetings
from enfilade.rules.battle.obstacles import TOTAL, Covered
from enfilade.rules.battle.spaces import spaces_of
from enfilade.rules.outlook import with_token
from enfilade.scene.model import Grid, Scene, Side, Terrain, Token, Wall

KINDS = ("square", "hex_odd_r", "hex_even_q")


def crowd(kind, seed):
    """Return a scene with walls, a tall bush, and tokens of several sizes and heights; the first is small."""
    chance = random.Random(seed)
    places = chance.sample([(x, y) for x in range(1, 14, 3) for y in range(1, 14, 3)], 9)
    tokens = tuple(
        Token(
            id=f"t{i}",
            name=f"T{i}",
            side="red" if i % 2 else "blue",
            at=at,
            size=(1, 1) if i < 4 else (2, 2),
            elevation=chance.choice([0, 0, 10]),
        )
        for i, at in enumerate(places)
    )
    starts = [(chance.randrange(14), chance.randrange(14)) for _ in range(12)]
    walls = tuple(
        Wall(f"w{i}", (x * 64, y * 64, x * 64 + 64 * (i % 2), y * 64 + 64 * (1 - i % 2)))
        for i, (x, y) in enumerate(starts)
    )
    bush = Terrain("bush", "Bush", ((7, 7), (8, 7)), 1, blocks_sight=True, kind="bush", height=5)
    return Scene(
        ruleset="",
        grid=Grid(kind, 16, 16, 5, "feet"),
        walls=walls,
        terrain=(bush,),
        sides=(Side(id="red", name="Red"), Side(id="blue", name="Blue")),
        tokens=tokens,
    )


def screens_of(scene):
    return Screens(spaces_of(scene), lambda token: token.id != "t3")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mover", ["t0", "t5"])
def test_the_cover_of_a_token_at_any_place_is_that_of_the_scene_in_which_it_stands_there(kind, mover):
    scene, chance = crowd(kind, mover), random.Random(3)
    token, asked = scene.token(mover), set()
    there = [(chance.randrange(14), chance.randrange(14)) for _ in range(30)]
    plain = {}
    for at in there:
        moved = with_token(scene, replace(token, at=at))
        found, here = screens_of(moved), moved.token(mover)
        for other in moved.tokens:
            if other.id != mover:
                plain[at, other.id] = found.covered(here, other), found.covered(other, here)
    off = with_token(scene, replace(token, at=None))
    crossings = screens_of(off).crossings(token)
    for at in there:
        moved = with_token(scene, replace(token, at=at))
        found, here = screens_of(moved), moved.token(mover)
        for other in moved.tokens:
            if other.id != mover:
                both = found.covered(here, other), found.covered(other, here)
                assert both == plain[at, other.id], (at, other)
                asked.add(both)
                assert crossings.covered(found.spaces, here, other) == both[0]
    assert len(asked) > 4, "some lines are blocked, and some are not"


@pytest.mark.parametrize("kind", KINDS)
def test_meetings_name_all_within_range_whom_walls_do_not_cover_wholly(kind):
    scene = crowd(kind, "meetings")
    token, off = scene.token("t0"), with_token(scene, replace(scene.token("t0"), at=None))
    enemies = [one for one in off.tokens if one.side == "red"]
    length = {"t0": 4, "t1": 1, "t3": 3, "t5": 9, "t7": 2}
    meetings = Meetings(screens_of(off), token, enemies, lambda one: length[one.id])
    named = left_out = 0
    for at in [(x, y) for x in range(16) for y in range(16)]:
        here = replace(token, at=at)
        moved = screens_of(with_token(scene, here))
        own, theirs = meetings.attackable(at, None), meetings.attackers(at)
        for enemy in enemies:
            far = moved.spaces.distance(here, enemy)
            is_open = not moved.covered(here, enemy).is_total
            assert far > length["t0"] or not is_open or enemy.id in own
            is_open = not moved.covered(enemy, here).is_total
            assert far > length[enemy.id] or not is_open or enemy.id in theirs
            named += enemy.id in own
            left_out += far <= length["t0"] and enemy.id not in own
    assert named
    assert left_out or kind != "square", "walls leave out an enemy within range"


@pytest.mark.parametrize("kind", KINDS)
def test_a_few_cells_are_hidden_from_a_point_as_on_the_whole_board(kind):
    scene = crowd(kind, "hidden")
    screens, hidden = screens_of(scene), 0
    board = screens.spaces.board
    for x in range(2, 14, 4):
        origin = screens.spaces.corner((x, 7))
        dark = screens.hidden_from(origin)
        cells = Mask.of([(column, row) for column in range(x - 2, x + 3) for row in range(4, 12)], board.rows)
        assert screens.clear_from(origin, cells) == cells - dark
        hidden += len(cells & dark)
    assert hidden
    assert screens.clear_from((0, 0), Mask((0,) * board.rows)) == Mask((0,) * board.rows)


@pytest.mark.parametrize("kind", KINDS)
def test_who_sees_whom_is_the_same_asked_at_once_and_one_by_one(kind):
    scene = crowd(kind, "look")
    at_once, one_by_one = screens_of(scene), screens_of(scene)
    pairs = [(one, other) for one in scene.tokens for other in scene.tokens if one is not other]
    at_once.look(pairs)
    found = [at_once.sees(*pair) for pair in pairs]
    assert found == [one_by_one.sees(*pair) for pair in pairs]
    assert found == [one_by_one.line(*pair).obstruction is None for pair in pairs]
    assert len(set(found)) == 2


def test_what_a_token_sees_is_kept_with_the_map_and_the_place():
    scene = crowd("square", "seen")
    one = scene.tokens[0]
    seen, near = screens_of(scene).seen(one), screens_of(scene).seen(one, 2)
    other_moved = with_token(scene, replace(scene.tokens[4], at=(0, 0)))
    assert screens_of(other_moved).seen(other_moved.tokens[0]) == seen
    moved = with_token(scene, replace(one, at=(0, 15)))
    assert screens_of(moved).seen(moved.tokens[0]) != seen
    bare = replace(scene, walls=())
    assert len(screens_of(bare).seen(one)) > len(seen)
    assert near == Mask(tuple(map(int.__and__, seen.rows, spaces_of(scene).within(one, 2).rows)))


def test_where_each_of_some_tokens_sees_is_told_in_their_order():
    scene = crowd("hex_odd_r", "party")
    viewers = [(one, length) for one in scene.tokens for length in (None, 1)]
    assert screens_of(scene).seen_by(viewers) == [screens_of(scene).seen(*one) for one in viewers]


@pytest.mark.parametrize("at", [(-1, 3), (3, -1), (16, 3), (3, 16)])
def test_a_place_off_the_board_meets_no_enemy(at):
    scene = crowd("square", "off")
    token = scene.token("t0")
    enemies = [one for one in scene.tokens if one is not token]
    meetings = Meetings(screens_of(scene), token, enemies, lambda _: 30)
    assert not meetings.attackable(at, None)
    assert not meetings.attackers(at)


def packed(kind, seed):
    """Return a scene in which many tokens of several sizes stand close together, among walls and a bush."""
    chance, unit = random.Random(seed), 64 if kind == "gridless" else 1
    scene = crowd("square" if kind == "gridless" else kind, seed)
    places = chance.sample([(x, y) for x in range(2, 12) for y in range(2, 9)], 24)
    tokens = tuple(
        Token(
            id=f"t{i}",
            name=f"T{i}",
            side="red",
            at=(x * unit, y * unit),
            size=chance.choice(((1, 1), (1, 1), (2, 2), (3, 3))),
            elevation=chance.choice((0, 0, 0, 5)),
        )
        for i, (x, y) in enumerate(places)
    )
    return replace(scene, grid=Grid(kind, 16, 16, 5, "feet"), tokens=tokens)


@pytest.mark.parametrize("by_centers", [False, True])
@pytest.mark.parametrize("kind", [*KINDS, "gridless"])
def test_cover_is_the_same_among_the_creatures_between_two_and_among_all(kind, by_centers):
    found, lines = set(), Lines(by_centers=by_centers)
    for seed in range(3):
        scene = packed(kind, seed)
        spaces = spaces_of(scene)
        among_all = Screens(spaces, lambda token: token.id != "t3", lines)
        pairs = [(one, other) for one in scene.tokens[::3] for other in scene.tokens if one is not other]
        for one, other in pairs[:FEW_COVERS]:
            among_all.covered(one, other)
        for one, other in pairs[FEW_COVERS:]:
            alone = Screens(spaces, lambda token: token.id != "t3", lines)
            assert alone.covered(one, other) == among_all.covered(one, other), (seed, one.id, other.id)
            found.add(among_all.covered(one, other))
    assert len(found) > 3


@pytest.mark.parametrize("kind", [*KINDS, "gridless"])
def test_whether_cover_is_total_is_known_without_the_creatures_between(kind):
    told = []
    for seed in range(4):
        scene = packed(kind, seed)
        screens, counted = screens_of(scene), screens_of(scene)
        for one in scene.tokens[::3]:
            for other in scene.tokens:
                if other is not one:
                    told.append(counted.covered(one, other).is_total)
                    assert [screens.is_total(one, other) for _ in range(2)] == 2 * told[-1:]
                    assert counted.is_total(one, other) is told[-1]
    assert 0 < sum(told) < len(told)


def test_cover_that_a_state_names_is_total_by_its_name():
    scene = packed("square", 1)
    one, other = scene.tokens[:2]
    open_to = Screens(spaces_of(replace(scene, walls=(), terrain=())), bool, Lines(named=lambda _: Covered()))
    named = Screens(spaces_of(replace(scene, walls=(), terrain=())), bool, Lines(named=lambda _: TOTAL))
    assert [each.is_total(one, other) for each in (open_to, named)] == [False, True]
