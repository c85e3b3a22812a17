"""Boundaries of the rules: states that cannot be, places off the board, three sides, numbers at limits."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import asdict, replace

from enfilade.errors import BadMessage, IllegalAct
from enfilade.geometry.board.hexon import hexon_distance
from enfilade.rules.procedures import Act
from enfilade.rules.ruleset import Sight
from enfilade.rulesets.torn import TORN
from enfilade.rulesets.torn.battlefield import battlefield
from enfilade.rulesets.torn.combat.attack_rolls import NO_DICE
from enfilade.rulesets.torn.combat.attack_setup import build_attack
from enfilade.rulesets.torn.combat.decisions import attack_value
from enfilade.rulesets.torn.combat.effects import hex_behind
from enfilade.rulesets.torn.combat.rerolls import DefenseRerolls
from enfilade.rulesets.torn.dice import AttackSpec, Blocks, Hits, Pool, Shield, table_dice
from enfilade.rulesets.torn.offers import ACTS
from enfilade.rulesets.torn.positions import ForcedMoves, is_free
from enfilade.rulesets.torn.profiles import Tile, read_miniature
from enfilade.scene.model import Grid, Side, Terrain
from tests.unit.rulesets.torn.scenes import (
    BLUE,
    BOARD,
    BOW,
    MOVE,
    PLAIN,
    RED,
    SWORD,
    ally,
    asked,
    attack,
    do,
    explanation_facts,
    foe,
    hexon_cell,
    hexon_cells,
    in_round,
    landscape,
    refused,
    scene,
    shoot,
    with_condition,
    with_token,
)

pytestmark = pytest.mark.usefixtures("nothing_known")

TEN, NEXT = (10, 10), (11, 10)
FOCUS = {"name": "Focus", "kind": "concentration"}


# States that cannot be


@pytest.mark.rule("TRN-033")
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"conditions": {"out": ""}}, "conditions.out"),
        ({"tracks": {"wounds": 0}, "conditions": {"out": ""}}, "conditions.out"),
        ({"tracks": {"wounds": 1}, "conditions": {"out": ""}, "at": None}, "conditions.out"),
        ({"tracks": {"wounds": 0}, "conditions": {"out": ""}, "at": None}, ""),
        ({"tracks": {}, "conditions": {"out": ""}, "at": None}, ""),
        ({"tracks": {"wounds": 0}}, "tracks.wounds"),
        ({"tracks": {"wounds": 1}}, ""),
        ({"tracks": {}}, ""),
        ({"tracks": {"wounds": 0}, "at": None}, ""),
        ({"at": hexon_cells((1, 0))[3]}, "at"),
    ],
)
def test_a_state_that_no_miniature_can_be_in_is_named_by_its_field(changes, field):
    troll = foe("troll", hexon_cell((1, 0)), size="large")
    board = with_token(scene(troll, ally("aldis", TEN), foe("orc", (2, 2))), "aldis", **changes)
    assert list(TORN.contradictions(board)) == ([f"tokens[1].{field}"] if field else [])


def test_each_miniature_that_fills_one_hex_is_named():
    board = scene(ally("aldis", TEN), foe("orc", NEXT), foe("troll", TEN, size="large"))
    assert "Aldis, Orc" in TORN.contradictions(board)["tokens[2].at"]


# Places off the board


def test_hexons_are_the_same_once_the_whole_board_is_known():
    field = battlefield(scene(ally("aldis", TEN)))
    assert field.all_hexons
    for cell in ((BOARD.columns, 5), (-1, 5), (5, -1), (5, BOARD.rows)):
        assert field.hexon_at(cell) == field.lattice.hexon_of(BOARD.axial(cell))


def test_every_die_that_a_gm_may_choose_has_six_faces_and_a_blank():
    chosen = [rule for rule in TORN.house_rules if rule.key.endswith("_die")]
    assert len(chosen) == 4
    for rule in chosen:
        assert len(set(rule.options)) == len(rule.options) > 2
        assert all(len(faces) == 6 and faces.strip("SC-") == "" and "-" in faces for faces in rule.options)


def test_the_options_of_a_house_rule_differ_and_numbers_are_in_a_row():
    for rule in TORN.house_rules:
        options = set(rule.options)
        assert len(options) == len(rule.options)
        assert rule.default in options
        if all(type(option) is int for option in options):
            assert options == set(range(min(options), max(options) + 1))


def test_each_origin_of_the_hexons_lays_them_otherwise():
    (rule,) = (rule for rule in TORN.house_rules if rule.key == "torn.hexon_origin")
    boards = [scene(house_rules={"torn.hexon_origin": origin}) for origin in rule.options]
    assert len({battlefield(board).center(battlefield(board).hexon_at(TEN)) for board in boards}) == 7
    assert len(boards) == 7


@pytest.mark.parametrize(("columns", "rows"), [(31, 31), (63, 50)], ids=["cached", "too large for the cache"])
def test_the_hexes_of_hexons_are_those_of_the_board_at_each_edge_too(columns, rows):
    board = replace(scene(ally("aldis", TEN)), grid=Grid("hex_odd_r", columns, rows))
    field = battlefield(board)
    hexes = {}
    for x in range(columns):
        for y in range(rows):
            hexes.setdefault(field.hexon_at((x, y)), set()).add((x, y))
    for hexon, cells in hexes.items():
        assert set(field.bits.cells(field.bits_of_hexons([hexon]))) == cells
    assert field.bits_of_hexons(hexes) == field.bits.all


def test_hexons_within_some_steps_are_those_by_their_distance():
    field = battlefield(scene(ally("aldis", TEN)))
    corner = frozenset({field.hexon_at((0, 0)), field.hexon_at((3, 0))})
    for steps in range(12):
        near = [one for one in field.all_hexons if min(hexon_distance(one, at) for at in corner) <= steps]
        assert field.hexons_within(corner, steps) == field.bits_of_hexons(near)


@pytest.mark.parametrize("place", [None, (90, 90)])
def test_a_move_to_no_hex_of_the_board_is_refused(place):
    board = with_token(scene(ally("aldis", TEN, tiles=(MOVE,))), "aldis", at=place)
    assert refused(board, Act(kind="move", token="aldis", at=place)) == "TRN-033"


@pytest.mark.parametrize(("viewer", "target"), [(None, TEN), (TEN, None), ((90, 90), TEN), (TEN, (90, 90))])
def test_nothing_hides_a_miniature_off_the_board(viewer, target):
    board = scene(ally("aldis", viewer), foe("orc", target, traits=("invisible",)))
    assert TORN.sight(board, board.token("aldis"), board.token("orc")) == Sight()
    assert TORN.sight(board, board.token("orc"), board.token("orc")) == Sight()


@pytest.mark.parametrize("kind", ["volume", "marker"])
def test_infantry_is_free_to_end_neither_on_a_volume_nor_on_a_marker(kind):
    patch = landscape((1, 0), kind=kind)
    board = scene(ally("aldis", TEN), terrain=[patch])
    assert [is_free(board, cell) for cell in (patch.cells[0], TEN, (9, 10))] == [False, False, True]


@pytest.mark.parametrize(("most", "found"), [(1, None), (2, (9, 8)), (3, (9, 8))])
def test_who_steps_out_looks_only_so_far_and_away_from_who_makes_it_step(most, found):
    rubble = Terrain("rubble", "", tuple(BOARD.neighbors(TEN)), kind="volume")
    board = scene(ally("aldis", TEN), foe("orc", (11, 12)), terrain=[rubble])
    aldis, orc = board.token("aldis"), board.token("orc")
    assert ForcedMoves(board).nearest_free(aldis, orc, most) == found


@pytest.mark.rule("TRN-079")
@pytest.mark.parametrize("source", [(x, y) for x in range(7, 14) for y in range(7, 14) if (x, y) != TEN])
def test_the_hex_behind_a_miniature_is_the_farthest_from_the_pusher(source):
    board = scene(ally("sister", source), foe("orc", TEN))
    pusher, miniature = (read_miniature(board.token(name)) for name in ("sister", "orc"))

    def straight(cell):
        (x, y), (fromx, fromy) = BOARD.center(cell), BOARD.center(source)
        return (x - fromx) ** 2 + (y - fromy) ** 2 * Fraction(4, 3)  # rows are drawn a little flat

    farthest = max(map(straight, BOARD.neighbors(TEN)))
    assert straight(hex_behind(board, pusher, miniature)) == farthest


@pytest.mark.rule("TRN-079")
@pytest.mark.parametrize("hexons", [((0, 0), (1, 0), (2, 0)), ((0, 0), (-1, 0), (1, 0), (2, 0))])
def test_a_huge_pusher_pushes_from_the_hexon_that_is_nearest(hexons):
    # It pushed from its first Hexon, around itself.
    near, target = hexon_cell((2, 0)), hexon_cell((3, -1))
    board = scene(ally("wind", TEN, size="huge", hexons=hexons), foe("orc", target))
    alone = scene(ally("wind", near, size="large"), foe("orc", target))
    behind = [
        hex_behind(one, read_miniature(one.token("wind")), read_miniature(one.token("orc")))
        for one in (board, alone)
    ]
    assert behind[0] == behind[1]


# Turns and acts


@pytest.mark.rule("TRN-092")
def test_the_sides_take_turns_in_their_order():
    sides = (BLUE, RED, Side(id="green", name="Green"))
    tokens = [ally(f"{side.id}{n}", (3 * n, 3 * i), side.id) for n in (1, 2) for i, side in enumerate(sides)]
    board = scene(*tokens, sides=sides)
    for active, following in (("red1", "green"), ("green1", "blue"), ("blue1", "red")):
        ended = do(in_round(board, active), Act(kind="end", token=active)).scene
        assert ended.conditions["first"] == following


def test_a_round_and_a_transformation_are_acts_of_the_gm():
    assert {kind for kind, act in ACTS.items() if act.is_gm_only} == {"round", "transform"}


@pytest.mark.rule("TRN-103")
def test_only_a_miniature_on_the_board_transforms_and_only_into_something():
    beast = {"wounds": 7, "tiles": [PLAIN]}
    for card, at, rule in (({"becomes": beast}, TEN, ""), ({"becomes": beast}, None, "TRN-103")):
        board = scene(ally("shifter", at, **card), foe("orc", NEXT))
        assert refused(board, Act(kind="transform", token="shifter")) == rule
    assert refused(scene(ally("aldis", TEN)), Act(kind="transform", token="aldis")) == "TRN-103"


@pytest.mark.rule("TRN-066")
def test_only_a_concentration_tile_is_for_concentration():
    board = scene(ally("aldis", TEN, tiles=(FOCUS, SWORD)))
    rules = [
        refused(board, Act(kind="concentration", token="aldis", weapon=name))
        for name in ("Focus", "Sword Strike", "Bow")
    ]
    assert rules == ["", "TRN-066", "TRN-066"]


def test_offers_cost_nothing_whether_legal_or_refused():
    board = scene(ally("aldis", TEN, tiles=(SWORD,)), foe("orc", NEXT), foe("far", (20, 20)))
    offers = TORN.offers(board, board.token("aldis"))
    assert {offer.is_legal for offer in offers} == {True, False}
    assert {offer.cost for offer in offers} == {0}


# Attacks


@pytest.mark.rule("TRN-014")
def test_without_dice_to_reroll_the_attacker_is_not_asked():
    agile = {**PLAIN, "agility": 1}
    board = scene(ally("aldis", TEN, tiles=(agile,)), foe("orc", NEXT, agility=0, defense=0))
    assert asked(do(board, attack("aldis", "orc", "Strike"), "CC" + "S")) == []
    assert len(asked(do(board, attack("aldis", "orc", "Strike"), "C-" + "S" + "-"))) == 1


@pytest.mark.rule("TRN-078")
def test_an_attack_without_damage_and_effect_changes_nothing():
    board = scene(ally("aldis", TEN, tiles=({"name": "Wave", "kind": "melee"},)), foe("orc", NEXT))
    done = do(board, attack("aldis", "orc", "Wave"))
    assert (done.result.result, done.scene) == ("effect", board)


@pytest.mark.rule("TRN-104")
def test_the_declaration_has_the_numbers_of_the_tile_and_each_modifier():
    tile = {**PLAIN, "type": "fire", "ethereal": True}
    orc = foe("orc", NEXT, vulnerable=("fire",), traits=("ether protection",))
    done = do(scene(ally("aldis", TEN, tiles=(tile,)), orc), attack("aldis", "orc", "Strike"), "-----")
    (facts,) = explanation_facts(done, "declared")
    assert facts["pool"] == {"attack": 2, "skill": 0, "agility": 0}
    assert (facts["damage"], facts["type"], facts["ethereal"]) == (1, "fire", True)
    modifiers = [(one["value"], one["rule"], one["counts"]) for one in facts["defenses"]]
    assert modifiers == [(2, "TRN-017", True), (-1, "TRN-087", True), (1, "TRN-096", True)]


def test_wounds_below_none_count_as_none_and_dice_below_none_too():
    orc = foe("orc", NEXT, defense=0, vulnerable=("physical",))
    board = scene(ally("aldis", TEN, tiles=(PLAIN,)), orc)
    for name in ("aldis", "orc"):
        board = with_token(board, name, tracks={"wounds": -2})
    aldis, defender = (read_miniature(board.token(name)) for name in ("aldis", "orc"))
    spec = build_attack(board, "attack", aldis, aldis.profile.tiles[0], defender).spec
    assert (spec.attacker_wounds, spec.defender_wounds, spec.shield) == (0, 0, Shield(0, 1))


def test_an_attack_is_plain_unless_its_numbers_say_otherwise():
    dice = table_dice(scene())
    spec = AttackSpec("blue", "red", dice, Pool(1), Shield(1), damage=1, defender_wounds=5)
    assert spec[7:] == (0, 0, False, "", False)
    assert asdict(Tile(name="Wave", kind="melee")) == {
        "name": "Wave",
        "kind": "melee",
        "range": 1,
        "unit": "hex",
        "attack": 0,
        "skill": 0,
        "agility": 0,
        "damage": 0,
        "type": "physical",
        "marker": "",
        "effect": "",
        "ethereal": False,
        "area": False,
        "assault": False,
    }


def test_tiles_are_fixed_and_built_by_name():
    tile = Tile(name="Wave", kind="melee")
    with pytest.raises(AttributeError):
        tile.range = 2
    with pytest.raises(TypeError):
        Tile("Wave", "melee")
    with pytest.raises(AttributeError):
        read_miniature(scene(ally("aldis", TEN)).token("aldis")).profile = None
    with pytest.raises(BadMessage, match="zeal"):
        TORN.prepare_token(ally("aldis", TEN, tiles=({**PLAIN, "zeal": 1},)))


@pytest.mark.rule("TRN-017")
@pytest.mark.parametrize("dice", range(5))
def test_the_states_of_a_defense_roll_are_all_ways_to_show_its_dice(dice):
    states = DefenseRerolls(table_dice(scene()).defense, dice, 1).states
    shown = {(s, c, dice - s - c) for s in range(dice + 1) for c in range(dice + 1) if s + c <= dice}
    assert sorted(states) == sorted(shown)


@pytest.mark.rule("TRN-018")
def test_on_a_tie_blanks_are_rerolled_and_successes_are_not():
    rerolls = DefenseRerolls(table_dice(scene()).defense, 2, 2)
    best = rerolls.minimize([1] * len(rerolls.states))
    for agility in (1, 2):
        for (_, _, blanks), answer in zip(rerolls.states, best.answers[agility], strict=True):
            assert answer == (f"blank {min(agility, blanks)}" if blanks else "keep")


@pytest.mark.rule("TRN-018")
def test_a_blank_is_kept_if_a_reroll_would_be_worse():
    rerolls = DefenseRerolls(table_dice(scene()).defense, 1, 1)
    best = rerolls.minimize([int(state != (0, 0, 1)) for state in rerolls.states])
    assert best.answers[1][rerolls.index[0, 0, 1]] == "keep"


@pytest.mark.rule("TRN-066", "TRN-097")
def test_the_refusal_of_a_move_says_why_the_miniature_cannot_move_at_all():
    board = in_round(scene(ally("aldis", TEN, tiles=(MOVE,)), ally("bran", (9, 9)), foe("orc", NEXT)), "bran")
    ruling = TORN.judge(board, board.token("aldis"), ((10, 9),), None)
    assert ruling.reasons == ("Aldis is not the active miniature. (TRN-092)",)
    panicked = with_condition(in_round(board, "aldis"), "aldis", "panic")
    ruling = TORN.judge(panicked, panicked.token("aldis"), ((12, 10),), None)
    assert ruling.reasons == ("Aldis panics and may only move away from the nearest enemy (TRN-097).",)


@pytest.mark.rule("TRN-033")
def test_a_miniature_with_one_wound_left_stays_and_with_none_is_removed():
    board = scene(ally("aldis", TEN, tiles=(PLAIN,)), foe("orc", NEXT, wounds=2, defense=0, agility=0))
    hurt = do(board, attack("aldis", "orc", "Strike"), "S-").scene.token("orc")
    assert (hurt.track("wounds"), hurt.at, hurt.has("out")) == (1, NEXT, False)
    lost = do(board, attack("aldis", "orc", "Strike"), "SS").scene.token("orc")
    assert (lost.track("wounds"), lost.at, lost.has("out")) == (0, None, True)


@pytest.mark.rule("TRN-019")
@pytest.mark.parametrize("criticals", range(4))
@pytest.mark.parametrize("blocks", range(4))
def test_the_defender_cancels_no_more_criticals_than_there_are(criticals, blocks):
    dice = table_dice(scene())
    spec = AttackSpec("blue", "red", dice, Pool(3), Shield(3), 1, 5, return_damage=1, attacker_wounds=5)
    hits, rolled = Hits(0, criticals, 0), Blocks(0, blocks)
    assert 0 <= attack_value(spec).criticals_to_cancel(hits, rolled) <= min(criticals, blocks)


@pytest.mark.rule("TRN-092")
def test_after_ten_ties_the_order_of_the_sides_decides():
    board = scene(ally("aldis", TEN), foe("orc", NEXT))
    start = Act(kind="round", token="")
    assert do(board, start, (3,) * 20).scene.conditions["first"] == "blue"
    assert do(board, start, (*(3,) * 18, 2, 5)).scene.conditions["first"] == "red"


def test_a_pool_of_no_dice_has_none():
    assert NO_DICE == (0, 0, 0)


# The card


def test_the_card_has_the_whole_sheet_of_a_miniature():
    shot = {**BOW, "marker": "burning", "assault": True, "area": True, "ethereal": True, "type": "fire"}
    gust = {"name": "Gust", "kind": "ranged", "effect": "shift"}
    aldis = ally(
        "aldis",
        TEN,
        tiles=(SWORD, shot, MOVE, FOCUS, gust),
        traits=("leader", "veteran"),
        immune=("fire",),
        protected=("cold",),
        vulnerable=("poison",),
    )
    board = with_condition(scene(aldis, foe("orc", NEXT), foe("rat", (10, 9))), "aldis", "burning")
    lines = [(line.label, line.value, line.note) for line in TORN.card(board, board.token("aldis"))]
    properties = "leader, veteran, immune to fire, protected from cold, vulnerable to poison"
    assert lines[:8] == [
        ("Wounds", "5 of 5", "infantry"),
        ("Shield", "2 Defense, 1 Agility", "TRN-017"),
        ("Sword Strike", "1 Hex, 2 Attack, 1 Skill, 1 Agility, damage 1", "melee, physical"),
        (
            "Bowshot",
            "4 Hexons, 2 Attack, damage 1",
            "ranged, fire, critical: burning, area, assault, ethereal",
        ),
        ("Move", "3 Hexes", "move"),
        ("Focus", "", "concentration"),
        ("Gust", "1 Hex", "ranged, physical, shift"),
        ("Properties", properties, ""),
    ]
    assert [label for label, _, _ in lines[8:]] == ["Burning", "Engaged by", "Dice"]
    assert lines[9][1:] == ("Orc, Rat", "TRN-065")


@pytest.mark.rule("TRN-001")
def test_a_tile_is_for_the_kind_of_attack_that_it_shows():
    board = scene(ally("aldis", TEN, tiles=(SWORD, BOW, MOVE)), foe("orc", (12, 10)))
    with_bow = replace(shoot("aldis", "orc"), kind="melee")
    assert refused(board, with_bow) == "TRN-001"
    assert refused(board, attack("aldis", "orc", "Move")) == "TRN-001"
    with pytest.raises(IllegalAct, match="Sword Strike"):
        do(board, shoot("aldis", "orc", "Sword Strike"))
