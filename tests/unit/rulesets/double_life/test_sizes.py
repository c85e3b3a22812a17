"""Sizes: normal characters, gnomes and trolls, walls between them (DBL-052 to DBL-055, C-24)."""

from __future__ import annotations

import itertools
import random

import pytest

from enfilade.rulesets.double_life import DOUBLE_LIFE
from enfilade.rulesets.double_life.battlefield import battlefield, may_share
from enfilade.rulesets.double_life.laws import contradictions
from enfilade.rulesets.double_life.movement import approach, free_moves
from enfilade.rulesets.double_life.plans import stances
from enfilade.scene.model import Terrain, Wall
from tests.seeds import seeds
from tests.unit.rulesets.double_life.scenes import (
    NORTH,
    areas,
    at,
    attack,
    character,
    facts,
    fighter,
    foe,
    play,
    refused,
    scene,
    with_token,
)

RING = {(x, y) for x in range(2, 5) for y in range(2, 5)} - {(3, 3)}


def reached(board, token_id="ann"):
    return set(battlefield(board).reach(character(board, token_id)))


@pytest.mark.rule("DBL-052")
@pytest.mark.parametrize("race", ["any", "dwarf", "human", "elf", "orc"])
def test_a_normal_character_fills_one_case_and_attacks_the_eight_around(race):
    board = scene(fighter("ann", (3, 3), race=race))
    assert board.token("ann").size == (1, 1)
    assert reached(board) == RING | {(3, 3)}
    assert reached(scene(fighter("ann", (0, 0)))) == {(0, 0), (1, 0), (0, 1), (1, 1)}


@pytest.mark.rule("DBL-054")
def test_dbl_t11_a_gnome_attacks_on_its_own_case_only():
    board = scene(fighter("ann", (3, 3), race="gnome"), foe("orc", (3, 3)), foe("owl", (3, 2)))
    assert reached(board) == {(3, 3)}
    assert refused(board, attack("ann", "orc")) == ""
    assert refused(board, attack("ann", "owl")) == "DBL-054"
    assert refused(board, attack("orc", "ann")) == ""
    assert refused(board, attack("owl", "ann")) == ""
    assert next(iter(stances(board, character(board, "ann")))) == "attack 1 orc"


@pytest.mark.rule("DBL-055")
def test_dbl_t10_a_troll_fills_four_cases_and_attacks_the_twelve_around():
    board = scene(fighter("ann", (4, 4), race="troll"), foe("orc", (7, 4)))
    assert board.token("ann").size == (2, 2)
    ring = {(x, y) for x in range(3, 7) for y in range(3, 7)} - {(4, 4), (5, 4), (4, 5), (5, 5)}
    assert len(ring) == 12
    assert reached(board) - {(4, 4), (5, 4), (4, 5), (5, 5)} == ring
    assert refused(board, attack("ann", "orc")) == "DBL-055"
    corner = scene(fighter("ann", (0, 0), race="troll"), foe("orc", (2, 2)))
    assert refused(corner, attack("ann", "orc")) == ""
    assert refused(corner, attack("orc", "ann")) == ""


@pytest.mark.rule("DBL-053")
def test_a_gnome_shares_a_case_with_an_opponent_or_a_gnome():
    board = scene(
        fighter("ann", (3, 3), race="gnome"),
        fighter("bob", (4, 4)),
        fighter("cid", (5, 5), race="gnome"),
        foe("orc", (6, 6)),
        foe("troll", (8, 7), race="troll"),
    )

    def share(a, b):
        return may_share(board, board.token(a), board.token(b))

    assert share("ann", "orc")
    assert share("orc", "ann")
    assert share("ann", "troll")
    assert share("ann", "cid")
    assert not share("ann", "bob")
    assert not share("bob", "orc")
    assert DOUBLE_LIFE.may_share is may_share


def test_a_gnome_steps_onto_its_opponent_and_at_most_two_gnomes_are_on_a_case():
    board = scene(fighter("ann", (3, 3), race="gnome"), foe("orc", (3, 1)))
    assert approach(board, character(board, "ann")) == (3, 1)
    done = play(board, {"ann": ("defend front", "move 3,1")})
    assert at(done.scene, "ann") == (3, 1)
    crowd = scene(
        fighter("ann", (3, 3), race="gnome"),
        fighter("bob", (3, 2), race="gnome"),
        fighter("cid", (3, 2), race="gnome"),
        foe("orc", (3, 2)),
    )
    assert (3, 2) not in free_moves(crowd, character(crowd, "ann"))
    pair = scene(fighter("ann", (3, 3), race="gnome"), fighter("bob", (3, 2), race="gnome"))
    assert (3, 2) in free_moves(pair, character(pair, "ann"))


@pytest.mark.rule("DBL-053")
@pytest.mark.parametrize(("rule", "defenders"), [("front", ["orc"]), ("no side", [])])
def test_an_opponent_on_the_same_case_attacks_from_the_front_or_by_a_house_rule_from_no_side(rule, defenders):
    board = scene(
        fighter("ann", (3, 3), race="gnome", attack=5),
        foe("orc", (3, 3), NORTH),
        house_rules={"shared_case": rule},
    )
    found = play(board, {"ann": "attack 1 orc"}, [5, 5, 10] if defenders else [5, 5])
    assert facts(found, "attack")[0]["defenders"] == defenders


def test_a_gnome_and_a_troll_share_one_of_four_cases():
    board = scene(fighter("ann", (5, 5), race="gnome"), foe("troll", (4, 4), race="troll"))
    assert refused(board, attack("ann", "troll")) == ""
    assert refused(board, attack("troll", "ann")) == ""
    outside = scene(fighter("ann", (6, 5), race="gnome"), foe("troll", (4, 4), race="troll"))
    assert refused(outside, attack("ann", "troll")) == "DBL-054"
    assert refused(outside, attack("troll", "ann")) == ""


def test_a_wall_is_between_characters():
    wall = Wall("w", (4 * 64, 0, 4 * 64, 10 * 64))
    board = scene(fighter("ann", (3, 3)), foe("orc", (4, 3)), walls=(wall,))
    assert refused(board, attack("ann", "orc")) == "DBL-052"
    assert reached(board) == {(x, y) for x, y in RING | {(3, 3)} if x < 4}
    door = Wall("w", (4 * 64, 0, 4 * 64, 10 * 64), door="door", state="open")
    assert (
        refused(scene(fighter("ann", (3, 3)), foe("orc", (4, 3)), walls=(door,)), attack("ann", "orc")) == ""
    )


def test_a_troll_needs_room_for_all_its_cases():
    rock = Terrain("rock", "Rock", ((6, 4),), 0)
    board = scene(fighter("ann", (4, 4), race="troll"), foe("orc", (3, 8)), terrain=(rock,), size=(8, 8))
    found = set(free_moves(board, character(board, "ann")))
    assert (5, 4) not in found
    assert (5, 3) not in found
    assert (4, 3) in found
    assert (6, 6) in found
    assert (7, 6) not in found
    wall = Wall("w", (4 * 64, 2 * 64, 4 * 64, 3 * 64))
    board = scene(fighter("ann", (4, 4), race="troll"), walls=(wall,), size=(8, 8))
    found = set(free_moves(board, character(board, "ann")))
    assert (3, 2) not in found
    assert (4, 2) in found


@pytest.mark.parametrize(
    ("tokens", "path"),
    [
        ([fighter("ann", (3, 3)), foe("orc", (3, 3))], "tokens[0].at"),
        ([fighter("ann", (3, 3), race="troll"), foe("orc", (4, 4))], "tokens[1].at"),
        ([fighter("ann", (3, 3), tracks={"health": 0})], "tokens[0].tracks.health"),
        ([fighter("ann", (3, 3), conditions={"out": ""}, tracks={"health": 0})], "tokens[0].conditions.out"),
        ([fighter("ann", None, conditions={"out": ""})], "tokens[0].conditions.out"),
        ([fighter("ann", None, conditions={"out": ""}, tracks={"health": 1})], "tokens[0].conditions.out"),
        ([fighter("ann", (11, 9), race="troll")], "tokens[0].at"),
    ],
)
def test_a_scene_that_cannot_be_is_refused(tokens, path):
    assert path in contradictions(scene(*tokens))


def test_a_scene_that_can_be_is_not():
    dead = fighter("dan", None, conditions={"out": ""}, tracks={"health": 0})
    gnome = fighter("gil", (3, 3), race="gnome")
    assert (
        contradictions(scene(fighter("ann", (1, 1)), foe("orc", (3, 3)), dead, gnome, fighter("eve"))) == {}
    )


def test_areas_show_reach_steps_flight_reactions_and_threat():
    board = scene(fighter("ann", (3, 3)), foe("orc", (3, 2)), foe("owl", (8, 8), conditions={"fallen": "1"}))
    assert areas(board, "ann", "ranges") == {
        "Can attack": RING | {(3, 3)},
        "A few steps": {(2, 2), (4, 2), (2, 3), (4, 3)},
        "Flight": {(x, y) for x in range(1, 6) for y in range(1, 6) if not (2 <= x <= 4 and y <= 3)},
    }
    assert areas(board, "ann", "reactions") == {"Orc strikes if it flees": {(3, 2)}}
    assert areas(board, "ann", "threat") == {"Enemies can attack": {(x, y - 1) for x, y in RING | {(3, 3)}}}
    assert list(areas(board, "owl", "ranges")) == ["Can attack"]
    assert areas(board, "ann", "cover") == {}
    assert areas(scene(fighter("ann")), "ann", "threat") == {}
    (pair,) = DOUBLE_LIFE.engagements(board)
    assert (pair.tokens, pair.label) == (("ann", "orc"), "Ann and Orc in contact")
    down = scene(
        fighter("ann", (3, 3)), foe("orc", (3, 2), conditions={"fallen": "1"}), fighter("bob", (3, 4))
    )
    assert DOUBLE_LIFE.engagements(down) == []
    gnome = scene(fighter("ann", (3, 3), race="gnome"), foe("orc", (3, 2)))
    assert len(DOUBLE_LIFE.engagements(gnome)) == 1


def test_a_token_beyond_the_board_harms_nothing():
    board = with_token(scene(fighter("ann", (3, 3), race="troll"), foe("orc", (3, 2))), "ann", at=(11, 9))
    ann = character(board, "ann")
    assert battlefield(board).reach(ann) >= {(11, 9), (10, 8)}
    assert areas(board, "ann", "arc") == {}
    assert not battlefield(board).ground.is_open((11, 9), (12, 9))
    assert not battlefield(board).ground.is_open((12, 9), (11, 9))
    assert battlefield(board).ground.is_open((3, 3), (4, 3))
    assert free_moves(board, ann)


def test_only_standing_enemies_in_reach_strike_at_one_that_flees():
    board = scene(
        fighter("ann", (3, 3)),
        foe("down", (3, 2), conditions={"fallen": "1"}),
        foe("far", (8, 8)),
        foe("near", (4, 3)),
    )
    assert areas(board, "ann", "reactions") == {"Near strikes if it flees": {(4, 3)}}


@pytest.mark.parametrize("seed", seeds(12))
def test_the_engagements_are_those_of_each_pair(seed):
    chance = random.Random(seed)
    races = ("human", "gnome", "troll", "human")
    places = [(chance.randrange(8), chance.randrange(8)) for _ in range(10)]
    fighters = [
        (fighter if number % 2 else foe)(f"n{number}", place, race=chance.choice(races))
        for number, place in enumerate(places)
    ]
    board = with_token(scene(*fighters), "n3", at=(11, 9))
    battle = battlefield(board)
    pairs = itertools.combinations([one for one in battle.units if one.token.at is not None], 2)
    engaged = [(a.id, b.id) for a, b in pairs if not battle.are_allies(a, b) and battle.are_engaged(a, b)]
    assert [one.tokens for one in DOUBLE_LIFE.engagements(board)] == engaged


def test_a_facing_is_the_nearest_of_eight_and_north_without_one():
    given = (None, 22, 68, 90, 338)
    found = [DOUBLE_LIFE.prepare_token(fighter("ann", (1, 1), facing=one)).facing for one in given]
    assert found == [0, 0, 90, 90, 0]
