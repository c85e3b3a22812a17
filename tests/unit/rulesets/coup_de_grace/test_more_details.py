"""More details at the edges: ranges of weapons on the map, ties without end, entry points, wordings."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.errors import IllegalAct
from enfilade.rules.resolve import Answers, resolve
from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.rulesets.coup_de_grace.battlefield import battlefield
from enfilade.rulesets.coup_de_grace.catalog import ITEMS
from enfilade.rulesets.coup_de_grace.combat.attack_setup import require_turn
from enfilade.rulesets.coup_de_grace.sight import ranges_from
from enfilade.scene.model import Terrain, Wall
from tests.unit.rulesets.coup_de_grace.scenes import (
    EAST,
    SOUTH,
    WEST,
    act,
    active,
    allowance,
    battle,
    cells,
    do,
    facts,
    foe,
    judge,
    mini,
    reach,
    sentence,
    wall,
    why_not,
)

NOW = "Enemies can attack here now"
AFTER = "Enemies can attack here in melee after a move"


def with_token(scene, token_id, **changes):
    tokens = (replace(t, **changes) if t.id == token_id else t for t in scene.tokens)
    return replace(scene, tokens=tuple(tokens))


# Ranges


@pytest.mark.rule("CDG-017")
@pytest.mark.parametrize("start", [(0, 0), (5, 3), (11, 11)])
def test_straight_ranges_are_distances_in_every_row(start):
    field = battlefield(battle(mini("Ann", at=(1, 1)), rules={"range": "straight"}))
    found = ranges_from(field, start)
    board = field.board
    width = len(found) // (board.rows + 2)
    measured = {
        (x, y): found[(y + 1) * width + x + (width - board.columns) // 2]
        for y in range(board.rows)
        for x in range(board.columns)
    }
    assert measured == {cell: board.distance(start, cell) for cell in measured}


def shooter(hands, **rules):
    scene = battle(mini("Ann", at=(1, 1)), foe("Orc", (1, 5), EAST, hands), size=(16, 12), rules=rules)
    return cells(scene, "ann", "threat")[NOW]


@pytest.mark.parametrize("rule", ["straight", "path"])
def test_a_weapon_with_a_reach_threatens_no_cell_beyond_it(rule):
    hooked = shooter(("grappling hook", "fist"), range=rule)
    assert (7, 5) in hooked
    assert (8, 5) not in hooked
    bow = shooter(("bow",), range=rule)
    assert (15, 5) in bow
    assert (1, 5) not in bow


@pytest.mark.rule("CDG-017")
@pytest.mark.parametrize("hp", [3, 0])
def test_without_a_path_a_bow_threatens_nobody_where_range_counts_along_paths(hp):
    fences = [
        Wall(id=f"f{i}", line=tuple(64 * end for end in ends), sight="none")
        for i, ends in enumerate([(9, 5, 10, 5), (9, 6, 10, 6), (9, 5, 9, 6), (10, 5, 10, 6)])
    ]
    for rule, is_threatened in (("straight", True), ("path", False)):
        orc = foe("Orc", (5, 5), EAST, ("bow",), hp=hp)
        scene = battle(mini("Ann", at=(9, 5)), orc, walls=tuple(fences), rules={"range": rule})
        assert ((9, 5) in cells(scene, "ann", "threat")[NOW]) == is_threatened
        assert {(6, 5), (8, 5)} < cells(scene, "ann", "threat")[NOW]


def test_an_enemy_that_faces_nowhere_threatens_no_cell():
    scene = with_token(battle(mini("Ann", at=(1, 1)), foe("Orc", (5, 5))), "orc", facing=None)
    assert cells(scene, "ann", "threat").get(NOW, set()) == set()


def test_the_staffs_cost_and_reach_what_their_pages_say():
    staffs = {name: ITEMS[name] for name in ("air staff", "death staff", "earth staff")}
    assert {name: (item.cost, item.reach) for name, item in staffs.items()} == {
        "air staff": (6, 6),
        "death staff": (6, 9),
        "earth staff": (6, 0),
    }


# Rounds


@pytest.mark.rule("CDG-029")
def test_after_ten_ties_the_order_of_the_sides_decides():
    scene = battle(mini("Ann", at=(1, 1)), foe("Orc", (5, 5)))
    done = do(scene, act("round", ""), *[3] * 20)
    assert done.scene.conditions["first"] == "blue"
    broken = do(scene, act("round", ""), *[3] * 18, 2, 5)
    assert broken.scene.conditions["first"] == "red"


@pytest.mark.rule("CDG-030")
def test_the_activation_of_a_miniature_that_left_the_table_ends_with_the_round():
    scene = battle(mini("Ann", at=(1, 1)), mini("Bo", at=(3, 3), conditions={"activated": ""}))
    left = active(scene, "ann")
    left = replace(left, tokens=tuple(token for token in left.tokens if token.id != "ann"))
    done = do(left, act("round", ""))
    assert not done.scene.has("active")


def test_the_refusal_of_a_new_round_names_three_miniatures_at_most():
    names = ("Ann", "Bo", "Cal", "Dee", "Eve")
    scene = battle(*(mini(name, at=(2 * i, 1)) for i, name in enumerate(names)), foe("Orc", (5, 9)))
    said = sentence(active(scene, "ann"), act("round", ""))
    assert "Bo, Cal, Dee have" in said
    assert "Eve" not in said


@pytest.mark.rule("CDG-078")
def test_a_battle_that_is_won_is_over():
    scene = battle(mini("Ann", at=(1, 1)), foe("Orc", (5, 5)))
    won = COUP_DE_GRACE.turn(replace(scene, conditions={"won": "blue"}))
    assert (won.is_over, won.winners) == (True, ("blue",))
    assert not COUP_DE_GRACE.turn(scene).is_over


@pytest.mark.rule("CDG-020")
def test_only_the_active_miniature_has_movement_points_and_none_after_its_act():
    scene = active(battle(mini("Ann", at=(1, 1)), mini("Bo", at=(3, 3), tracks={"mp": 5})), "ann", mp=4)
    assert COUP_DE_GRACE.reach(scene, scene.token("ann")).budget == 4
    assert COUP_DE_GRACE.reach(scene, scene.token("bo")).budget == 0
    done = with_token(scene, "ann", conditions={"acted": ""})
    assert COUP_DE_GRACE.reach(done, done.token("ann")).budget == 0


@pytest.mark.rule("CDG-068")
def test_a_miniature_without_a_place_or_out_of_action_does_not_act():
    scene = battle(mini("Ann"), mini("Bo", at=(3, 3)), foe("Orc", (3, 4)))
    out = battlefield(with_token(scene, "bo", conditions={"out": ""}))
    for field, name in ((battlefield(scene), "ann"), (out, "bo")):
        with pytest.raises(IllegalAct) as refused:
            require_turn(field, field.fighter(name))
        assert refused.value.rule == "CDG-068"


@pytest.mark.rule("CDG-033")
def test_a_miniature_with_fewer_points_than_none_stays_where_it_is():
    for race in ("human", "halfling"):
        scene = active(battle(mini("Ann", at=(1, 1), race=race)), "ann", mp=-1)
        assert reach(scene, "ann") == {(1, 1): 0}
        step = judge(scene, "ann", (1, 2))
        assert (step.allowed, step.cost, step.budget) == (False, 1, 0)


@pytest.mark.rule("CDG-045")
def test_a_drawn_path_is_refused_by_the_wall_that_it_crosses():
    scene = battle(mini("Ann", at=(5, 5)), mini("Bo", at=(8, 8)), walls=(wall(5, 5, 6, 5),))
    drawn = COUP_DE_GRACE.judge(scene, scene.token("ann"), ((5, 4), (5, 3)), None)
    assert drawn.causes == ("wall",)


# Attacks


def test_an_entangling_weapon_catches_with_just_the_movement_allowance():
    scene = battle(mini("Ann", at=(5, 5), facing=SOUTH, hands=("entangling weapon",)), foe("Orc", (5, 7)))
    scene = with_token(scene, "orc", at=(5, 6))
    throw = act("entangle", "ann", "orc", "entangling weapon")
    assert do(scene, throw, 3, 3).result.result == "entangled"
    assert do(scene, throw, 3, 2).result.result == "slips away"


@pytest.mark.parametrize(("state", "rule"), [({}, "CDG-059"), ({"downed": ""}, "CDG-060")])
def test_the_penalty_of_range_names_the_rule_for_standing_and_downed_targets(state, rule):
    scene = battle(mini("Ann", at=(0, 5), facing=EAST, hands=("bow",)), foe("Orc", (10, 5)))
    if state:
        scene = with_token(scene, "orc", conditions=state, tracks={"hp": 0})
    listed = facts(scene, act("ranged", "ann", "orc", "bow"), 3)["modifiers"]
    assert rule in {modifier["rule"] for modifier in listed}
    assert len({"CDG-059", "CDG-060"} & {modifier["rule"] for modifier in listed}) == 1


# Places


def test_a_miniature_enters_on_free_and_passable_entry_points_alone():
    doors = Terrain("doors", "Entry", ((0, 0), (1, 0), (2, 0)))
    pit = Terrain("pit", "Pit", ((1, 0),), 0)
    scene = battle(mini("Ann"), mini("Bo", at=(5, 5)), foe("Orc", (2, 0)), terrain=(doors, pit))
    assert set(reach(active(scene, "ann"), "ann")) == {(0, 0)}


@pytest.mark.rule("CDG-001", "CDG-067")
def test_miniatures_contradict_each_other_only_in_one_cell():
    apart = battle(mini("Ann", at=(1, 1)), mini("Bo", at=(1, 2)), mini("Cal"), mini("Dee"))
    assert COUP_DE_GRACE.contradictions(apart) == {}
    crowded = with_token(apart, "bo", at=(1, 1))
    assert list(COUP_DE_GRACE.contradictions(crowded)) == ["tokens[1].at"]


@pytest.mark.rule("CDG-068")
def test_even_a_gm_lets_nobody_attack_from_off_the_board_or_at_one_off_it():
    for ann, orc in ((None, (5, 4)), ((5, 5), None)):
        scene = battle(mini("Ann", at=ann), foe("Orc", orc))
        strike = act("melee", "ann", "orc")
        with pytest.raises(IllegalAct) as refused:
            resolve(scene, COUP_DE_GRACE.acts["melee"].procedure, (strike,), Answers((6,), overrides=True))
        assert refused.value.rule == "CDG-068"


@pytest.mark.rule("CDG-063")
def test_a_braced_gnome_attacks_before_the_first_round_alone():
    gnome = mini("Ann", at=(5, 5), race="gnome", conditions={"braced": ""})
    scene = battle(gnome, foe("Orc", (5, 4)))
    assert why_not(scene, act("melee", "ann", "orc")) is None
    assert why_not(active(scene, "ann"), act("melee", "ann", "orc")) == "CDG-063"


def test_an_enemy_beside_the_map_threatens_no_cell():
    for hands in (("sword", "fist"), ("mage right fist", "open hand"), ("bow",)):
        scene = battle(mini("Ann", at=(1, 1)), foe("Orc", (11, 5), WEST, hands))
        beside = with_token(scene, "orc", at=(12, 5))
        assert cells(beside, "ann", "threat") == {NOW: set(), AFTER: set()}


@pytest.mark.rule("CDG-024", "CDG-033")
def test_a_miniature_enters_with_its_last_point():
    scene = active(battle(mini("Ann"), foe("Orc", (5, 5))), "ann", mp=1)
    assert reach(scene, "ann")[(0, 5)] == 1
    assert reach(active(scene, "ann", mp=0), "ann") == {}


@pytest.mark.rule("CDG-002", "CDG-063")
def test_a_miniature_is_slowed_to_no_movement_at_most():
    for slowed, left in ((5, 1), (6, 0), (7, 0)):
        scene = battle(mini("Ann", at=(1, 1), tracks={"slowed": slowed}))
        assert allowance(scene, "ann") == left


@pytest.mark.rule("CDG-072")
def test_even_a_gm_lets_nobody_crawl_nowhere_or_off_the_board():
    for start, there in (((0, 5), None), ((0, 5), (-1, 5)), (None, (1, 5))):
        scene = battle(mini("Ann", at=start, hp=0), foe("Orc", (5, 5)))
        crawl = act("crawl", "ann", at=there)
        with pytest.raises(IllegalAct) as refused:
            resolve(scene, COUP_DE_GRACE.acts["crawl"].procedure, (crawl,), Answers(overrides=True))
        assert refused.value.rule == "CDG-072"
