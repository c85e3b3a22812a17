"""Details at the edges of the rules: ties, corners of the board, defaults and wordings."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.errors import IllegalAct, OutOfReach
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import refusal
from enfilade.rulesets.torn import TORN
from enfilade.rulesets.torn.battlefield import battlefield, cell_answers, terrain_kind
from enfilade.rulesets.torn.profiles import read_miniature
from enfilade.rulesets.torn.turn import require_action
from enfilade.scene.model import Terrain
from tests.unit.rulesets.torn.scenes import (
    BOARD,
    BOW,
    MOVE,
    PLAIN,
    ally,
    asked,
    attack,
    do,
    foe,
    in_round,
    scene,
    shoot,
    text_of,
    with_condition,
)

TEN, NEXT = (10, 10), (11, 10)
GUST = {
    "name": "Wind Gust",
    "kind": "ranged",
    "range": 3,
    "unit": "hexon",
    "attack": 3,
    "agility": 1,
    "effect": "shift",
}


def gusty(*others, **card):
    return scene(ally("sister", TEN, tiles=(GUST,)), foe("orc", (13, 10), **card), *others)


@pytest.mark.rule("TRN-079", "TRN-104")
def test_the_log_of_an_effect_names_its_result_and_the_dice_of_each_test():
    board = gusty()
    hit = text_of(board, do(board, shoot("sister", "orc", "Wind Gust"), "S--" + "-" + "-"))
    sentences, dice = hit.split("\n")
    assert sentences.endswith("The attack takes effect. Orc fails a Dexterity Test. Orc is shifted to O11.")
    assert dice.endswith("Dice: attack S - -, agility -. Dice: dexterity test -.")
    missed = text_of(board, do(board, shoot("sister", "orc", "Wind Gust"), "---" + "-"))
    sentences, dice = missed.split("\n")
    assert sentences.endswith("The attack has no effect.")
    assert dice.endswith("Dice: attack - - -, agility -.")


@pytest.mark.rule("TRN-079")
@pytest.mark.parametrize(("faces", "answer"), [("S--", "keep"), ("C--", "keep"), ("SC-", "keep")])
def test_an_effect_that_succeeds_keeps_its_blanks_by_default(faces, answer):
    board = gusty(agility=0)
    done = do(board, shoot("sister", "orc", "Wind Gust"), faces + "S")
    assert asked(done)[0][1] == answer
    failed = do(board, shoot("sister", "orc", "Wind Gust"), "---" + "S" + "-")
    assert asked(failed)[0][1] == "attack blank 1"


@pytest.mark.rule("TRN-079")
def test_a_shift_into_an_occupied_hex_offers_the_first_free_one():
    board = gusty(foe("wall", (14, 10)))
    done = do(board, shoot("sister", "orc", "Wind Gust"), "S--" + "-" + "S")
    ((_, answer),) = asked(done)
    free = [cell for cell in BOARD.neighbors((13, 10)) if cell != (14, 10)]
    assert answer == f"{free[0][0]},{free[0][1]}"
    assert done.scene.token("orc").at == free[0]
    stays = do(board, shoot("sister", "orc", "Wind Gust"), "S--" + "-" + "-")
    assert stays.scene.token("orc").at == (13, 10)


@pytest.mark.rule("TRN-008")
def test_hexes_beyond_each_edge_belong_to_the_hexons_of_the_endless_lattice():
    field = battlefield(scene())
    columns, rows = BOARD.columns, BOARD.rows
    for cell in ((columns, 5), (-1, 5), (5, rows), (5, -1), (0, 0), (columns - 1, rows - 1)):
        assert field.hexon_at(cell) == field.lattice.hexon_of(BOARD.axial(cell))


@pytest.mark.parametrize(
    ("blocks_sight", "cost", "kind", "read"),
    [
        (True, 0, "", "volume"),
        (True, 1, "", ""),
        (False, 0, "", ""),
        (True, 0, "smoke", "smoke"),
    ],
)
def test_terrain_without_a_kind_is_a_volume_if_it_blocks_sight_and_movement(blocks_sight, cost, kind, read):
    patch = Terrain(id="t", name="T", cells=(TEN,), blocks_sight=blocks_sight, cost=cost, kind=kind)
    assert terrain_kind(patch) == read


def test_answers_name_cells_as_the_board_does():
    assert [(a.key, a.label) for a in cell_answers([(2, 3)])] == [("2,3", "C4")]


@pytest.mark.rule("TRN-006", "TRN-009")
def test_a_target_out_of_range_is_out_of_reach_and_another_refusal_is_not():
    far = scene(ally("aldis", TEN, tiles=(PLAIN,)), foe("orc", (13, 10)))
    assert isinstance(
        refusal(far, TORN.acts["melee"].procedure, attack("aldis", "orc", "Strike")), OutOfReach
    )
    beside = scene(ally("aldis", TEN, tiles=(BOW,)), foe("orc", NEXT))
    found = refusal(beside, TORN.acts["ranged"].procedure, shoot("aldis", "orc"))
    assert found is not None
    assert not isinstance(found, OutOfReach)


@pytest.mark.rule("TRN-097")
def test_a_panicked_miniature_may_not_keep_its_distance_and_reads_why():
    board = scene(ally("aldis", TEN, tiles=(MOVE, PLAIN)), foe("orc", (12, 10)))
    panicked = with_condition(board, "aldis", "panic")
    start = BOARD.distance(TEN, (12, 10))
    for x, y, _ in TORN.reach(panicked, panicked.token("aldis")).cells:
        assert BOARD.distance((x, y), (12, 10)) > start or (x, y) == TEN
    around = [cell for cell in BOARD.neighbors(TEN) if BOARD.distance(cell, (12, 10)) == start]
    assert around
    for cell in around:
        calm = TORN.judge(board, board.token("aldis"), (cell,), None)
        assert calm.allowed
        ruling = TORN.judge(panicked, panicked.token("aldis"), (cell,), None)
        assert not ruling.allowed
        assert "Panic" in ruling.reasons[0] or "panic" in ruling.reasons[0]
    far = TORN.judge(board, board.token("aldis"), ((20, 20),), None)
    assert not far.allowed
    assert "anic" not in far.reasons[0]


def test_a_miniature_enters_the_board_or_stays_for_nothing():
    board = scene(ally("aldis", TEN), ally("bran", None))
    for name, at in (("bran", (12, 12)), ("aldis", TEN)):
        ruling = TORN.judge(board, board.token(name), (at,), None)
        assert (ruling.allowed, ruling.cost, ruling.reasons) == (True, 0, ())
        removed = with_condition(board, name, "out")
        assert not TORN.judge(removed, removed.token(name), (at,), None).allowed


def test_the_battle_is_over_without_miniatures_in_it():
    board = scene(ally("aldis", None), foe("orc", None))
    out = with_condition(with_condition(board, "aldis", "out"), "orc", "out")
    assert (TORN.turn(out).is_over, TORN.turn(out).winners) == (True, ())
    assert not TORN.turn(scene(ally("aldis", TEN), foe("orc", NEXT))).is_over
    assert not TORN.turn(scene()).is_over


@pytest.mark.rule("TRN-103")
def test_offers_name_allies_for_effects_never_the_miniature_itself_and_transformations_if_any():
    beast = {"wounds": 7, "tiles": [PLAIN]}
    tokens = (ally("sister", TEN, tiles=(GUST, PLAIN)), ally("bran", (12, 12)), foe("orc", (13, 10)))
    board = scene(*tokens, ally("shifter", (15, 15), becomes=beast))

    def offered(name):
        return [offer.act for offer in TORN.offers(board, board.token(name))]

    gusts = {act.target for act in offered("sister") if act.weapon == "Wind Gust"}
    assert gusts == {"bran", "orc", "shifter"}
    assert {act.target for act in offered("sister") if act.weapon == "Strike"} == {"orc"}
    assert [name for name in ("sister", "shifter") if "transform" in {act.kind for act in offered(name)}] == [
        "shifter"
    ]


@pytest.mark.rule("TRN-092", "TRN-066")
def test_the_log_of_the_last_activation_says_that_the_round_is_over():
    board = in_round(scene(ally("aldis", TEN), foe("orc", (20, 20))), "aldis")
    last = with_condition(board, "orc", "activated")
    assert "round is over" in text_of(last, do(last, Act(kind="end", token="aldis")))
    first = replace(board, tokens=(board.tokens[0], replace(board.tokens[1], conditions={})))
    assert "round is over" not in text_of(first, do(first, Act(kind="end", token="aldis")))


@pytest.mark.rule("TRN-065")
def test_the_card_names_engaged_enemies_of_a_miniature_on_the_board():
    board = scene(ally("aldis", TEN), foe("orc", NEXT), ally("bran", None), ally("far", (90, 90)))

    def engaged(name):
        return [line.value for line in TORN.card(board, board.token(name)) if line.note == "TRN-065"]

    assert [engaged(name) for name in ("aldis", "bran", "far")] == [["Orc"], [], []]


@pytest.mark.rule("TRN-092")
def test_only_a_melee_tile_makes_a_counter_attack_area():
    for tiles, count in (((PLAIN,), 1), ((BOW,), 0)):
        board = scene(ally("aldis", TEN, tiles=tiles), foe("orc", NEXT, is_fresh=True))
        labels = [area.label for area in TORN.areas(board, board.token("aldis"), "reactions")]
        assert sum("Counter Attack" in label for label in labels) == count


def test_a_line_of_sight_ends_in_the_middle_of_a_large_base():
    board = scene(ally("aldis", (2, 2)), foe("troll", TEN, size="large"))
    line = TORN.sight(board, board.token("aldis"), board.token("troll")).line
    assert tuple(line[2:]) == BOARD.center(TEN)
    assert tuple(line[:2]) == BOARD.center((2, 2))


@pytest.mark.rule("TRN-095", "TRN-104")
def test_the_log_of_a_panic_test_says_who_passes_and_who_fails():
    roar = {**GUST, "name": "Roar", "attack": 0, "agility": 0, "area": True, "effect": "panic test"}
    board = scene(ally("beast", TEN, tiles=(roar,)), foe("orc", (13, 10)))
    for face, sentence in (("S", "Orc passes a Panic Test."), ("-", "Orc fails a Panic Test.")):
        assert sentence in text_of(board, do(board, shoot("beast", "orc", "Roar"), face))


@pytest.mark.rule("TRN-066")
def test_an_activation_leaves_no_used_tiles():
    board = in_round(scene(ally("aldis", TEN), foe("orc", (20, 20))), "aldis")
    for used in ({"used": "Sword Strike"}, {}):
        aldis = replace(board.token("aldis"), conditions=used)
        ready = replace(board, tokens=(aldis, board.token("orc")))
        ended = do(ready, Act(kind="end", token="aldis")).scene.token("aldis")
        assert dict(ended.conditions) == {"activated": ""}


@pytest.mark.rule("TRN-066")
def test_the_reach_says_that_a_step_to_each_other_hex_provokes():
    board = scene(ally("aldis", TEN, tiles=(MOVE,)), foe("orc", NEXT))
    found = TORN.reach(board, board.token("aldis"))
    assert [one.token for one in found.provocations] == ["orc"]
    assert {(x, y) for x, y, _ in found.provokes} == {(x, y) for x, y, _ in found.cells} - {TEN}
    assert found.cells


@pytest.mark.rule("TRN-097")
def test_a_panicked_miniature_may_use_a_tile_to_move_and_no_other():
    tokens = (ally("aldis", TEN, tiles=(MOVE, PLAIN)), foe("orc", NEXT))
    board = with_condition(in_round(scene(*tokens), "aldis"), "aldis", "panic")
    miniature = read_miniature(board.token("aldis"))
    move, strike = miniature.profile.tiles
    require_action(board, miniature, move)
    for tile in (strike, None):
        with pytest.raises(IllegalAct) as refusing:
            require_action(board, miniature, tile)
        assert refusing.value.rule == "TRN-097"


def test_the_card_names_properties_and_markers_only_if_there_are_any():
    board = scene(ally("aldis", TEN, traits=("leader",)), ally("bran", (12, 12)))
    burning = with_condition(board, "bran", "burning")

    def values(name):
        return " ".join(f"{line.label} {line.value}" for line in TORN.card(burning, burning.token(name)))

    assert "leader" in values("aldis").lower()
    assert "leader" not in values("bran").lower()
    assert "burning" in values("bran").lower()
    assert "burning" not in values("aldis").lower()
    labels = [line.label for line in TORN.card(burning, burning.token("bran"))]
    assert all(label for label in labels)
    assert len(labels) == len([line.label for line in TORN.card(burning, burning.token("aldis"))])
