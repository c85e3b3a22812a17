"""Groups and turns of Miniatures combat at their limits."""

from __future__ import annotations

import pytest

from enfilade.errors import IllegalAct
from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.groups import is_coherent
from enfilade.rulesets.miniatures_combat.offers import ACTS
from enfilade.scene.model import Side
from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    facts,
    go,
    hero,
    model,
    orc,
    refused,
    scene,
    with_conditions,
    with_tracks,
)


def test_a_chain_is_found_in_any_order_of_its_members():
    board = scene(
        hero("x", (10, 10)),
        hero("z", (26, 10)),
        hero("y", (18, 10)),
        orc("o", (50, 30)),
        house_rules={"coherency": "chain"},
    )
    bases = battlefield(board).bases
    assert is_coherent(board, {key: bases[key].at for key in ("x", "z", "y")})
    assert is_coherent(board, {key: bases[key].at for key in ("z", "x", "y")})
    assert not is_coherent(board, {key: bases[key].at for key in ("x", "z")})
    two = scene(
        hero("x", (10, 10)),
        hero("z", (40, 10)),
        hero("y", (44, 10)),
        orc("o", (50, 30)),
        house_rules={"coherency": "chain"},
    )
    bases = battlefield(two).bases
    assert not is_coherent(two, {key: bases[key].at for key in ("x", "z", "y")})
    assert not is_coherent(two, {key: bases[key].at for key in ("x", "y", "z")})


def test_bodies_of_acts_are_fixed_values():
    for kind in ACTS.values():
        if kind.body:
            assert hash(kind.body()) == hash(kind.body())


def test_turns_and_rounds_are_counted_from_1():
    sides = (Side(id="heroes", name="Heroes"), Side(id="orcs", name="Orcs"), Side(id="elves", name="Elves"))
    board = scene(
        hero("one", (10, 10)), orc("o", (40, 30)), model("elf", (40, 10), side="elves"), sides=sides
    )
    assert MINIATURES_COMBAT.turn(board).round == 1
    seen = []
    for key in ("one", "o", "elf", "one", "o"):
        board = go(activated(board, key), act("end", key)).scene
        seen.append((board.conditions["side"], board.track("turn"), board.track("round")))
    assert seen == [("orcs", 2, 1), ("elves", 3, 1), ("heroes", 4, 2), ("orcs", 5, 2), ("elves", 6, 2)]


def test_a_round_ends_before_the_side_that_began_whichever_of_the_list_it_is():
    # "we'll give them the first turn": after the first turn of the orcs the second round was counted.
    board = go(scene(hero("one", (10, 10)), orc("o", (40, 30))), act("turn", "", side="orcs")).scene
    seen = []
    for key in ("o", "one", "o", "one"):
        board = go(activated(board, key), act("end", key)).scene
        seen.append((board.conditions["side"], board.track("round")))
    assert seen == [("heroes", 1), ("orcs", 2), ("heroes", 2), ("orcs", 3)]


def test_a_side_without_models_has_no_turn():
    sides = (Side(id="heroes", name="Heroes"), Side(id="orcs", name="Orcs"), Side(id="elves", name="Elves"))
    board = scene(hero("one", (10, 10)), model("elf", (40, 10), side="elves"), sides=sides)
    board = go(activated(board, "one"), act("end", "one")).scene
    assert board.conditions["side"] == "elves"


def test_the_end_of_an_activation_clears_what_belongs_to_it_and_keeps_the_rest():
    board = scene(hero("one", (10, 10), shield="shield"), orc("o", (11.5, 10)), hero("two", (30, 10)))
    board = with_conditions(with_tracks(activated(board, "one"), "one", wounds=1), "one", prone="")
    board = go(board, act("defend", "one", "o", bonus=1), 5).scene
    ended = go(board, act("end", "one")).scene
    assert ended.token("one").conditions == {"prone": ""}
    assert ended.token("one").tracks == {"hits": 0, "wounds": 1}
    assert ended.conditions == {"side": "orcs"}
    assert ended.track("group") == 1


@pytest.mark.parametrize(
    ("asked", "rule"),
    [
        (act("turn", "", side="nobody"), "MNC-061"),
        (act("victory", "", side="nobody"), "MNC-061"),
    ],
)
def test_the_gm_names_a_side_of_the_table(asked, rule):
    assert refused(scene(hero("one", (10, 10)), orc("o", (30, 10))), asked) == rule


def test_the_gm_gives_the_turn_between_activations_and_ends_the_battle():
    board = scene(hero("one", (10, 10)), orc("o", (30, 10)))
    given = go(board, act("turn", "", side="orcs"))
    assert (given.scene.conditions["side"], given.scene.track("round")) == ("orcs", 1)
    assert go(board, act("turn", "o")).scene.conditions["side"] == "orcs"
    assert refused(activated(board, "one"), act("turn", "", side="orcs")) == "MNC-006"
    recorded = go(board, act("event", "", side="orcs", text="It rains."))
    assert facts(recorded, "story event") == [{"side": "orcs", "event": "", "text": "It rains."}]
    won = go(board, act("victory", "", side="orcs")).scene
    assert (MINIATURES_COMBAT.turn(won).is_over, MINIATURES_COMBAT.turn(won).winners) == (True, ("orcs",))
    for again, rule in (
        (act("victory", "", side="orcs"), "MNC-061"),
        (act("event", "", text="It rains."), "MNC-041"),
        (act("turn", "", side="orcs"), "MNC-006"),
    ):
        with pytest.raises(IllegalAct) as why:
            go(won, again)
        assert why.value.rule == rule


def test_allies_win_together_and_a_battle_without_models_is_a_draw():
    sides = (
        Side(id="heroes", name="Heroes", team="good"),
        Side(id="elves", name="Elves", team="good"),
        Side(id="orcs", name="Orcs"),
    )
    board = scene(hero("one", (10, 10)), model("elf", (12, 10), side="elves"), sides=sides)
    turn = MINIATURES_COMBAT.turn(board)
    assert (turn.is_over, turn.winners) == (True, ("heroes", "elves"))
    named = type(board)(**{**_fields(board), "conditions": {"won": "good"}})
    assert MINIATURES_COMBAT.turn(named).winners == ("heroes", "elves")
    nobody = scene(hero("one"), orc("o"))
    assert (MINIATURES_COMBAT.turn(nobody).is_over, MINIATURES_COMBAT.turn(nobody).winners) == (True, ())
    empty = scene()
    assert not MINIATURES_COMBAT.turn(empty).is_over
    lonely = scene(hero("one", (10, 10)), sides=(Side(id="heroes", name="Heroes"),))
    assert MINIATURES_COMBAT.turn(lonely).sides == ("heroes",)


def _fields(value):
    return {name: getattr(value, name) for name in value.__struct_fields__}
