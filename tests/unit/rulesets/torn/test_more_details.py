"""More details at the edges: moves onto crowded ground, names of what blocks, defaults of decisions."""

from __future__ import annotations

import msgspec
import pytest

from enfilade.errors import BadMessage, IllegalAct
from enfilade.rules.procedures import Act, Outcome
from enfilade.rules.profiles import read_profile
from enfilade.rules.resolve import Answers, resolve
from enfilade.rulesets.torn import TORN
from enfilade.rulesets.torn.battlefield import battlefield
from enfilade.rulesets.torn.dice import Pool, Shield
from enfilade.rulesets.torn.profiles import Profile, read_miniature
from enfilade.rulesets.torn.turn import require_action
from enfilade.scene.model import Terrain
from tests.unit.rulesets.torn.scenes import (
    BOARD,
    MOVE,
    PLAIN,
    ally,
    asked,
    attack,
    do,
    explanation_facts,
    foe,
    hexon_cell,
    hexon_cells,
    in_round,
    refused,
    scene,
    text_of,
    with_condition,
    with_token,
)

pytestmark = pytest.mark.usefixtures("nothing_known")

TEN, NEXT = (10, 10), (11, 10)
STRIDE = {"name": "Move", "kind": "move", "range": 2, "unit": "hexon"}
CELLS = [(x, y) for y in range(BOARD.rows) for x in range(BOARD.columns)]


def strider(*others, terrain=(), **card):
    return scene(ally("otraak", TEN, size="large", tiles=(STRIDE,), **card), *others, terrain=terrain)


def go(token, at):
    return Act(kind="move", token=token, at=at)


def reach(board, token_id):
    return {(x, y) for x, y, _ in TORN.reach(board, board.token(token_id)).cells}


# Moves of large miniatures


def test_only_infantry_under_the_base_steps_out():
    bystanders = [foe("far", (20, 20), tiles=()), foe("big", hexon_cell((3, 0)), size="large", tiles=())]
    board = strider(foe("orc", hexon_cell((1, 0)), tiles=()), *bystanders)
    done = do(board, go("otraak", hexon_cell((1, 0))))
    assert explanation_facts(done, "ejected") == [{"token": "orc"}]


def crowded(*free):
    """A board of rubble but for two Hexons and some Hexes; Orc stands in the second Hexon."""
    left = {*hexon_cells((0, 0)), *hexon_cells((1, 0)), *free}
    rubble = Terrain("rubble", "Rubble", tuple(c for c in CELLS if c not in left), kind="volume")
    return strider(foe("orc", hexon_cell((1, 0)), tiles=()), terrain=[rubble])


def test_infantry_steps_out_to_the_only_free_hex_without_a_question():
    done = do(crowded((25, 25)), go("otraak", hexon_cell((1, 0))))
    assert done.scene.token("orc").at == (25, 25)
    assert asked(done) == []


def test_infantry_chooses_between_two_equally_near_hexes():
    start = hexon_cell((1, 0))
    left, right = (start[0] - 8, start[1]), (start[0] + 8, start[1])
    done = do(crowded(left, right), go("otraak", start), "", (f"{right[0]},{right[1]}",))
    assert done.scene.token("orc").at == right


def test_a_large_miniature_does_not_end_on_infantry_that_has_no_room():
    board = crowded()
    assert hexon_cell((1, 0)) not in reach(board, "otraak")
    assert hexon_cell((1, 0)) in reach(crowded((25, 25)), "otraak")


def test_a_large_miniature_never_ends_on_a_large_one():
    board = strider(foe("big", hexon_cell((1, 0)), size="large", tiles=()))
    assert hexon_cell((1, 0)) not in reach(board, "otraak")


def test_a_miniature_from_beyond_the_board_is_placed_without_a_path():
    board = with_token(scene(ally("aldis", TEN, tiles=(MOVE,))), "aldis", at=(90, 90))
    done = do(board, go("aldis", TEN))
    assert done.scene.token("aldis").at == TEN
    assert explanation_facts(done, "move")[0]["act"] == ""


@pytest.mark.rule("TRN-089")
@pytest.mark.parametrize(("distance", "left"), [(1, 1), (2, 1), (3, 2)])
def test_a_slowed_miniature_moves_one_less_but_at_least_one(distance, left):
    tile = {**MOVE, "range": distance}
    board = with_condition(scene(ally("aldis", TEN, tiles=(tile,))), "aldis", "slowed")
    assert TORN.reach(board, board.token("aldis")).budget == left


@pytest.mark.rule("TRN-066")
def test_the_outcome_of_a_move_names_the_wounds_of_free_attacks():
    board = scene(ally("aldis", TEN, tiles=(MOVE,), defense=0, agility=0), foe("orc", NEXT))
    hurt = do(board, go("aldis", (9, 10)), "S-", ("Strike",))
    assert hurt.result == Outcome("moved", leaves="loses 1")
    assert do(board, go("aldis", (9, 10)), "", ("no",)).result == Outcome("moved")


# Names of what blocks a line of sight


def blocker_of(board):
    return TORN.sight(board, board.token("aldis"), board.token("orc")).blocker


def patch(name="", kind="volume", hexon=(0, 0), patch_id="t"):
    return Terrain(patch_id, name, hexon_cells(hexon), kind=kind)


def watched(cell, *terrain, others=()):
    return scene(ally("aldis", hexon_cell((-3, 0))), *others, foe("orc", cell), terrain=terrain)


@pytest.fixture(scope="module")
def hidden():
    """A Hex that a tower in the middle hides from Aldis."""
    tower = patch("Tower")
    boards = {cell: watched(cell, tower) for cell in CELLS if cell not in tower.cells}
    return next(
        cell
        for cell, board in boards.items()
        if not TORN.sight(board, board.token("aldis"), board.token("orc")).is_seen
    )


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("Tower", "volume", "Tower"),
        ("", "volume", "Volume Landscape"),
        ("", "vortex", "Ethereal Vortex"),
    ],
)
def test_landscape_without_a_name_is_named_by_its_kind(name, kind, said, hidden):
    assert blocker_of(watched(hidden, patch(name, kind))).name == said


def test_the_blocker_is_the_landscape_that_closes_the_line_and_no_other(hidden):
    others = (patch("Smoke", "smoke", patch_id="s"), patch("Far rock", "volume", (0, 4), "f"))
    assert blocker_of(watched(hidden, *others, patch("Tower"))).name == "Tower"


def test_the_blocker_is_the_huge_miniature_in_the_line_and_no_other(hidden):
    far = foe("giant", hexon_cell((0, 4)), size="huge", hexons=((0, 0),))
    near = foe("troll", hexon_cell((0, 0)), size="huge", hexons=((0, 0),))
    assert blocker_of(watched(hidden, others=(far, near))).name == "Troll"


# Targets, turns, dice and decisions


@pytest.mark.rule("TRN-036")
def test_a_nearer_enemy_that_is_not_seen_does_not_draw_the_attack():
    aldis = ally("aldis", TEN, tiles=({**PLAIN, "range": 3},))
    orc = foe("orc", (12, 10))
    board = scene(aldis, foe("ghost", NEXT, traits=["invisible"]), orc)
    assert refused(board, attack("aldis", "orc", "Strike")) == ""
    assert refused(scene(aldis, foe("ghost", NEXT), orc), attack("aldis", "orc", "Strike")) == "TRN-036"


@pytest.mark.rule("TRN-033")
def test_a_miniature_off_the_board_does_not_act_even_if_it_is_not_out():
    board = scene(ally("aldis", None), foe("orc", NEXT))
    with pytest.raises(IllegalAct, match="not on the battlefield"):
        require_action(board, read_miniature(board.token("aldis")), None)
    marked = with_condition(scene(ally("aldis", TEN), foe("orc", NEXT)), "aldis", "out")
    assert refused(marked, attack("aldis", "orc")) == "TRN-033"


def test_dice_that_are_not_named_are_none():
    assert Pool(2) == (2, 0, 0)
    assert Shield(3) == (3, 0)
    card = read_profile({"wounds": 3}, Profile)
    assert (card.size, card.wounds, card.defense, card.agility) == ("infantry", 3, 0, 0)
    assert (card.tiles, card.traits, card.hexons, card.becomes) == ((), (), ((0, 0),), {})


def test_a_card_is_fixed_and_has_only_known_fields_by_name():
    card = read_profile({"wounds": 3}, Profile)
    with pytest.raises(AttributeError):
        card.wounds = 4
    with pytest.raises(TypeError):
        Profile("large", 3)
    with pytest.raises(BadMessage):
        read_profile({"wounds": 3, "zeal": 1}, Profile)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"wounds": 3, "zeal": 1}, Profile)


@pytest.mark.rule("TRN-019")
def test_as_many_defense_criticals_may_cancel_criticals_as_there_are():
    board = scene(ally("aldis", TEN, tiles=(PLAIN,)), foe("orc", NEXT, defense=3, agility=0))
    act = attack("aldis", "orc", "Strike")
    for faces, keys in (("CS" + "CC-", ["0", "1"]), ("CC" + "CC-", ["0", "1", "2"])):
        offered = [
            choice
            for choice in choices_of(board, act, faces)
            if ": How many Defense criticals" in choice.question
        ]
        assert [answer.key for answer in offered[0].answers] == keys


@pytest.mark.rule("TRN-026")
def test_the_attacker_may_use_each_number_of_skill_dice_down_to_none():
    tile = {**PLAIN, "attack": 3, "skill": 2}
    board = scene(ally("aldis", TEN, tiles=(tile,)), foe("orc", NEXT, defense=0, agility=0))
    (offered,) = choices_of(board, attack("aldis", "orc", "Strike"), "SSS" + "SS")
    assert [answer.key for answer in offered.answers] == ["2", "1", "0"]


class Recorder(Answers):
    """Answers by the defaults; keeps each choice that is asked for."""

    def decision(self, choice):
        self.seen = [*getattr(self, "seen", ()), choice]
        return super().decision(choice)


class BlankDice:
    """Dice that show blanks once the given faces are used up."""

    def roll(self, _, count):
        return ("-",) * count


def choices_of(board, act, faces):
    """Return each choice that an act asks for with given faces, then blanks, and default answers."""
    answers = Recorder(tuple(faces), dice=BlankDice())
    resolve(board, TORN.acts[act.kind].procedure, (act,), answers)
    return getattr(answers, "seen", [])


@pytest.mark.rule("TRN-082")
@pytest.mark.parametrize(("defense", "agility", "answer"), [(0, 3, "evade"), (3, 1, "defend")])
def test_the_default_is_the_better_of_defense_and_evade(defense, agility, answer):
    orc = foe("orc", NEXT, defense=defense, agility=agility)
    board = scene(ally("aldis", TEN, tiles=(PLAIN,)), orc)
    seen = choices_of(board, attack("aldis", "orc", "Strike"), "SS")
    assert [choice.default for choice in seen if choice.question.endswith(": Defend or Evade?")] == [answer]


@pytest.mark.rule("TRN-092")
def test_a_counter_attack_without_any_hope_is_declined_by_default():
    ward = ally("aldis", TEN, tiles=(PLAIN,), immune=["physical"])
    board = scene(ward, foe("orc", NEXT, is_fresh=True))
    seen = choices_of(board, attack("aldis", "orc", "Strike"), "")
    assert [choice.default for choice in seen if "Counter" in choice.question] == ["no"]


# The log and the card


@pytest.mark.rule("TRN-104")
def test_the_log_lists_each_modifier_of_the_defense():
    ward = foe("orc", NEXT, traits=["ether protection"])
    board = scene(ally("aldis", TEN, tiles=({**PLAIN, "ethereal": True},)), ward)
    done = do(board, attack("aldis", "orc", "Strike"), "--" + "---" + "-", ("defend",))
    assert "+1 Defense, ether protection" in text_of(board, done).split("Attack:")[0]


def test_the_card_gives_the_range_of_each_tile_but_a_concentration():
    tiles = (MOVE, {"name": "Focus", "kind": "concentration"})
    board = scene(ally("aldis", TEN, tiles=tiles))
    lines = {line.label: line.value for line in TORN.card(board, board.token("aldis"))}
    assert lines["Move"] == "3 Hexes"
    assert lines["Focus"] == ""


def test_only_the_winner_of_the_battle_is_named_by_a_condition_of_the_table():
    board = scene(ally("aldis", TEN), foe("orc", NEXT, wounds=1, defense=0, agility=0))
    played = in_round(board, "aldis")
    done = do(played, attack("aldis", "orc"), "SS" + "-" + "-")
    assert text_of(played, done).count("wins the battle") == 1
    assert battlefield(done.scene) is not None
