"""Groups and turns of Miniatures combat at their limits."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

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


THREE_SIDES = (
    Side(id="heroes", name="Heroes", team="good"),
    Side(id="elves", name="Elves", team="good"),
    Side(id="orcs", name="Orcs"),
)


def test_a_victory_is_that_of_the_side_or_team_that_is_named():
    board = scene(hero("one", (10, 10)), orc("orc", (40, 10)), sides=THREE_SIDES)
    for won, winners in (("orcs", ("orcs",)), ("elves", ("elves",)), ("good", ("heroes", "elves"))):
        named = replace(board, conditions={**board.conditions, "won": won})
        assert MINIATURES_COMBAT.turn(named).winners == winners


@pytest.mark.rule("MNC-006")
def test_each_turn_of_the_only_side_is_a_round():
    board = scene(hero("one", (10, 10)), sides=(Side(id="heroes", name="Heroes"),))
    for number in (1, 2, 3):
        assert MINIATURES_COMBAT.turn(board).round == number
        board = go(activated(board, "one"), act("end", "one")).scene


@pytest.mark.rule("MNC-006")
def test_the_turn_is_that_of_the_first_side_if_the_named_one_has_no_model_in_the_fight():
    board = scene(hero("one", (10, 10)), orc("orc"), model("elf", (40, 10), side="elves"), sides=THREE_SIDES)
    assert MINIATURES_COMBAT.turn(replace(board, conditions={"side": "orcs"})).winners == ("heroes", "elves")
    foe = scene(*board.tokens, orc("other", (20, 10)), sides=THREE_SIDES)
    for named, side in (("orcs", "orcs"), ("elves", "elves"), ("nobody", "heroes"), ("", "heroes")):
        assert MINIATURES_COMBAT.turn(replace(foe, conditions={"side": named})).sides == (side,)


@pytest.mark.rule("MNC-038")
def test_an_ally_does_not_name_the_next_group():
    board = scene(
        hero("one", (10, 10)), model("elf", (20, 10), side="elves"), orc("orc", (40, 10)), sides=THREE_SIDES
    )
    sides = [
        replace(side, conditions={"names group": ""} if side.id == "heroes" else {}) for side in board.sides
    ]
    board = replace(board, sides=tuple(sides))
    after = go(activated(board, "one"), act("end", "one"))
    assert after.scene.side("heroes").has("names group")
    assert not any(token.has("named") for token in after.scene.tokens)
    named = go(activated(after.scene, "elf"), act("end", "elf")).scene
    assert named.token("orc").has("named")
    assert not named.side("heroes").has("names group")


@pytest.mark.rule("MNC-060")
def test_only_the_fled_models_of_the_side_that_acted_are_free_again():
    board = scene(orc("a", (10, 10)), orc("b", (40, 10)), hero("one", (10, 30)), turn="orcs")
    for key in ("a", "one"):
        board = with_conditions(board, key, fled="")
    done = go(activated(board, "a"), act("end", "a"))
    assert not done.scene.token("a").has("fled")
    assert done.scene.token("one").has("fled")
    other = go(activated(board, "b"), act("end", "b")).scene
    assert other.token("a").has("fled")
