"""House rules that a table picks for its own taste: heights, ties, jumps, opportunity attacks (section C)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.rules.resolve import Answers, ChoicePending, resolve
from enfilade.rulesets.fifth_edition import FIFTH_EDITION
from enfilade.rulesets.fifth_edition.areas import Aimed, cover_from
from enfilade.rulesets.fifth_edition.battlefield import contacts, cover, travel
from enfilade.rulesets.fifth_edition.overlays import areas
from enfilade.rulesets.fifth_edition.profiles import Effect
from enfilade.scene.model import Terrain, Wall
from tests.unit.rulesets.fifth_edition.scenes import (
    ANN,
    BO,
    BOW,
    FIELD,
    GLAIVE,
    act,
    battle,
    creature,
    play,
    procedure,
    reasons,
    refused,
)

FAR = creature("bo", "red", (19, 13))


@pytest.mark.rule("SRD-010")
@pytest.mark.parametrize(("choice", "feet"), [("greater", 20), ("sum", 35)])
def test_height_is_the_greater_of_two_or_is_added(choice, feet):
    hawk = creature("bo", "red", (9, 5), elevation=15, speeds={"walk": 10, "fly": 60})
    scene = battle(ANN, hawk, rules={"vertical": choice})
    spaces = contacts(scene).screens.spaces
    assert spaces.in_feet(spaces.distance(scene.token("ann"), scene.token("bo"))) == feet


@pytest.mark.rule("SRD-010", "SRD-077")
def test_added_heights_make_the_reach_of_one_above_smaller():
    hawk = creature("bo", "red", (7, 5), attacks=(GLAIVE,), elevation=5, speeds={"fly": 60})
    zones = [
        travel(battle(ANN, hawk, rules={"vertical": choice}), "ann", 30).zones()["bo"]
        for choice in ("greater", "sum")
    ]
    assert (5, 5) in zones[0]
    assert (5, 5) not in zones[1]
    assert (6, 5) in zones[1]


TIED = (
    creature("ann", "blue", (5, 5), abilities={"dex": 12}, is_character=True),
    creature("bo", "red", (9, 5), abilities={"dex": 16}, initiative=-2),
)


@pytest.mark.rule("SRD-045")
@pytest.mark.parametrize(
    ("choice", "faces", "order"),
    [
        ("characters", (10, 10), ["ann", "bo"]),
        ("dexterity", (10, 10), ["bo", "ann"]),
        ("roll", (10, 10, 15, 4), ["ann", "bo"]),
        ("roll", (10, 10, 4, 15), ["bo", "ann"]),
        ("roll", (10, 10, 7, 7), ["bo", "ann"]),
        ("roll", (11, 10), ["ann", "bo"]),
    ],
)
def test_a_tie_is_broken_as_the_table_says(choice, faces, order):
    scene = battle(*TIED, turn="", rules={"ties": choice})
    begun = play(scene, act("begin", token=""), *faces).scene
    assert [one.token for one in FIFTH_EDITION.turn(begun).order] == order
    ended = play(begun, act("end", token=order[0])).scene
    assert ended.conditions["turn"] == order[1]


@pytest.mark.rule("SRD-027")
@pytest.mark.parametrize(("choice", "rule"), [("squares", "SRD-026"), ("gap", "")])
def test_a_long_jump_may_count_only_the_squares_between(choice, rule):
    gap = Terrain("g", "Gap", tuple((x, y) for x in (8, 9, 10) for y in range(14)), 0, kind="gap")
    strong = creature("ann", "blue", (5, 5), abilities={"str": 16}, speeds={"walk": 40})
    ran = play(battle(strong, FAR, terrain=(gap,), rules={"jump": choice}), act("move", at=(7, 5))).scene
    over = act("jump", at=(11, 5))
    assert refused(ran, over)[0] == rule
    if not rule:
        assert play(ran, over).scene.token("ann").track("moved") == 30, "all squares are paid for"
        assert over.at in {one.act.at for one in FIFTH_EDITION.offers(ran, ran.token("ann"))}


def first_question(scene):
    """Return what Ann's move away asks first; None if it asks nothing."""
    away = act("move", at=(5, 8))
    try:
        resolve(scene, procedure(away), (away,), Answers(automatic=()))
    except ChoicePending as pending:
        return pending.choice
    return None


@pytest.mark.rule("SRD-077")
@pytest.mark.parametrize(
    ("rules", "asked"),
    [
        ({}, {"bo"}),
        ({"oa": "hostile"}, {"bo"}),
        ({"ask_oa": "everyone"}, {"bo", "cid"}),
        ({"ask_oa": "everyone", "oa": "hostile"}, {"bo"}),
        ({"ask_oa": "everyone", "edition": "5.1"}, {"bo"}),
        ({"ask_oa": "never"}, set()),
    ],
)
def test_the_table_says_who_is_asked_for_opportunity_attacks(rules, asked):
    scene = battle(ANN, BO, creature("cid", "blue", (4, 5)), rules=rules)
    assert travel(scene, "ann", 30).zones().keys() == asked
    ann, *others = scene.tokens
    assert {one.id for one in others if FIFTH_EDITION.may_provoke(scene, ann, one)} == asked
    ruling = FIFTH_EDITION.judge(scene, scene.token("ann"), ((5, 8),), None)
    assert {one.token for step in ruling.steps for one in step.provokes} == asked
    assert {first_question(scene).token} <= asked if asked else first_question(scene) is None


@pytest.mark.rule("SRD-077")
def test_an_ally_that_is_asked_lets_the_mover_go_if_no_one_answers():
    scene = battle(ANN, creature("cid", "blue", (4, 5)), FAR, rules={"ask_oa": "everyone"})
    asked = first_question(scene)
    assert (asked.token, asked.default) == ("cid", "no")
    assert play(scene, act("move", at=(5, 8))).scene.token("ann").at == (5, 8)


def wall(x, top, bottom):
    return Wall(f"w{x}", (x * 64, top * 64, x * 64, bottom * 64))


ARCHER = creature("ann", "blue", (0, 0), attacks=(BOW,))


@pytest.mark.rule("SRD-100")
@pytest.mark.parametrize(
    ("target", "between", "walls", "needed"),
    [
        ((3, 2), None, (wall(2, 1, 9),), (15, 15)),
        ((2, 2), None, (wall(2, 2, 9),), (12, 15)),
        ((2, 3), None, (wall(2, 3, 9),), (12, 10)),
        ((4, 4), None, (wall(2, 2, 9),), (10, 15)),
        ((4, 0), (2, 0), (), (12, 12)),
        ((3, 2), (3, 1), (), (12, 10)),
        ((5, 2), (1, 1), (), (10, 12)),
    ],
)
def test_cover_is_counted_from_corner_to_corner_or_from_center_to_center(target, between, walls, needed):
    others = [creature("cy", "red", between)] if between else []
    for choice, most in zip(("corners", "center"), needed, strict=True):
        scene = battle(ARCHER, creature("bo", "red", target), *others, walls=walls, rules={"cover": choice})
        assert reasons(scene, "Bow")[0] == most, choice


@pytest.mark.rule("SRD-100", "SRD-104")
@pytest.mark.parametrize("choice", ["corners", "center", "named"])
def test_a_wall_before_all_lines_is_total_cover_however_it_is_counted(choice):
    scene = battle(ARCHER, creature("bo", "red", (4, 0)), walls=(wall(2, 0, 14),), rules={"cover": choice})
    assert refused(scene, act("attack", "bo", "Bow"))[0] == "SRD-096"


@pytest.mark.rule("SRD-100")
@pytest.mark.parametrize(
    ("states", "statuses", "needed"),
    [
        ((), (), 10),
        (("half cover",), (), 12),
        (("three-quarters cover", "half cover"), (), 15),
        ((), ("coverHalf",), 12),
        ((), ("coverThreeQuarters",), 15),
        (("total cover", "half cover"), (), None),
        ((), ("coverTotal",), None),
    ],
)
def test_cover_may_be_named_by_conditions_and_by_the_statuses_of_an_actor_alone(states, statuses, needed):
    target = creature("bo", "red", (4, 0), *states, conditions=statuses)
    between = creature("cy", "red", (2, 0))
    scene = battle(ARCHER, target, between, rules={"cover": "named"})
    if needed is None:
        assert refused(scene, act("attack", "bo", "Bow"))[0] == "SRD-096"
    else:
        assert reasons(scene, "Bow")[0] == needed
    counted = battle(ARCHER, target, between)
    assert reasons(counted, "Bow")[0] == 12, "else the names mean nothing"


@pytest.mark.rule("SRD-100", "SRD-103")
def test_an_area_counts_cover_from_its_origin_as_the_table_does():
    blast = Effect(name="Blast", shape="sphere", range=120, size=30, save="dex", difficulty=15)
    caster, all_ = (
        creature("ann", "blue", (0, 10), effects=(blast,)),
        ((0, 0), (800, 0), (800, 600), (0, 600)),
    )
    found = {}
    for choice in ("corners", "center", "named"):
        target = creature("bo", "red", (5, 5), "three-quarters cover")
        scene = battle(caster, target, walls=(wall(5, 3, 4),), rules={"cover": choice})
        found[choice] = cover_from(scene, Aimed(scene.token("ann"), blast, at=(3, 1)), "bo")
        levels = {one.token: one.cover_level for one in FIFTH_EDITION.outlined(scene, all_, (256, 128))}
        assert levels["bo"] == found[choice]
    assert found == {"corners": "half", "center": "", "named": "three_quarters"}


@pytest.mark.rule("SRD-100")
@pytest.mark.parametrize("kind", ["square", "hex_odd_r", "hex_odd_q"])
@pytest.mark.parametrize("choice", ["corners", "center", "named"])
def test_the_layer_of_cover_shows_what_a_creature_has_in_each_square(choice, kind):
    grid = replace(FIELD, kind=kind, columns=11, rows=9)
    walls = (wall(3, 1, 5), wall(6, 3, 8), Wall("c", (64, 320, 320, 384)))
    others = (creature("cy", "red", (1, 1)), creature("di", "blue", (2, 6), size="large"))
    bare = battle(creature("ann", "blue", (1, 3), attacks=(BOW,)), *others, walls=walls, grid=grid)
    bare = replace(bare, house_rules={"fifth_edition.cover": choice})
    shown = {
        (x, row): area.label
        for area in areas(bare, bare.token("ann"), "cover")
        for row, first, last in area.runs
        for x in range(first, last + 1)
    }
    names = {"half": set(), "three_quarters": set()}
    for at in [(x, y) for x in range(11) for y in range(9)]:
        if any(at in contacts(bare).screens.spaces.cells(one) for one in bare.tokens):
            continue
        scene = replace(bare, tokens=(*bare.tokens, creature("bo", "red", at)))
        level = cover(scene, scene.token("ann"), scene.token("bo"))
        if level in ("half", "three_quarters"):
            names[level].add(shown.get(at))
        else:
            assert at not in shown, (at, level)
    expected = 0 if choice == "named" else 1
    assert [len(names[level]) for level in ("half", "three_quarters")] == [expected, expected]
    assert None not in names["half"] | names["three_quarters"]
