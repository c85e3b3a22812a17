"""The blows of an act on several units, found among what each game explains."""

from __future__ import annotations

import pytest
from tests.unit.rulesets.double_life import scenes as double_life
from tests.unit.rulesets.miniatures_combat import scenes as miniatures

from enfilade.play.log import blows_of
from enfilade.scene.entry import explanation_facts
from enfilade.scene.events import DiceRolled, Explained


def told(events):
    """Return the blows of an entry with these events."""
    return blows_of(events, explanation_facts(events))


def said(kind="attack", **facts):
    return Explained(kind=kind, facts=facts)


def rolled(*faces):
    return DiceRolled(label="attack", die="d6", faces=faces, typed=False)


def test_a_single_attack_is_told_by_the_facts_of_its_entry():
    events = (said(token="a", target="b"), rolled(5), said(result="hit", damage=2))
    assert told(events) == []


def test_an_attack_whose_facts_end_with_its_target_is_told_as_a_blow():
    """Torn ends with the wounds of the target, whose ID stands in `token`."""
    events = (said(token="a", target="b", act="Strike"), rolled(5), said(dealt=2), said(token="b", wounds=2))
    (blow,) = told(events)
    assert (blow["token"], blow["target"], blow["act"], blow["dealt"]) == ("a", "b", "Strike", 2)
    assert blow["rolls"] == [{"die": "d6", "faces": [5]}]


def test_each_of_several_attacks_has_its_own_dice_and_its_own_loss():
    events = (
        said(token="a", target="b"),
        rolled(5),
        said(result="hit", damage=2),
        said(token="b", target="a"),
        rolled(1),
        said(result="miss"),
        said("wound", token="b", damage=2),
    )
    hit, miss = told(events)
    assert (hit["target"], hit["rolls"], hit["damage"]) == ("b", [{"die": "d6", "faces": [5]}], 2)
    assert (miss["target"], miss["rolls"], miss["result"]) == ("a", [{"die": "d6", "faces": [1]}], "miss")
    assert "damage" not in miss


def test_a_declaration_without_a_result_is_no_blow():
    assert told((said("declared", token="a", target="b"), said("declared", token="a", target="c"))) == []


@pytest.mark.parametrize("key", ["caught", "targets"])
def test_an_area_strikes_each_in_it(key):
    events = (
        said("effect", token="mage", **{key: ["b", "c"]}),
        rolled(6, 6),
        said("save", token="b", result="failed", damage=12),
        said("save", token="c", result="saved", damage=6),
    )
    first, second = told(events)
    assert (first["token"], first["target"], first["damage"]) == ("mage", "b", 12)
    assert (second["token"], second["target"], second["result"]) == ("mage", "c", "saved")
    assert (first["rolls"], second["rolls"]) == ([{"die": "d6", "faces": [6, 6]}], [])


def test_a_volley_is_shot_by_its_archers_and_misses_whom_no_arrow_hits():
    board = miniatures.scene(
        miniatures.hero("one", (10, 10)),
        miniatures.hero("two", (11.5, 10)),
        *(miniatures.orc(f"bow{i}", (25, 8 + i * 1.2), missiles=True) for i in range(3)),
    )
    active = miniatures.activated(board, "one", "two")
    done = miniatures.go(active, miniatures.act("end", "one"), 6, 1, 2)
    first, second = told(done.events)
    assert [(one["token"], one["target"], one["needed"]) for one in (first, second)] == [
        ("bow0", "one", 6),
        ("bow1", "two", 6),
    ]
    assert {first["result"], second["result"]} == {"hit", "miss"}
    assert {first["hits"], second["hits"]} == {1, 0}
    assert first["rolls"] == [{"die": "d6", "faces": [6, 1, 2]}]


def test_the_clashes_of_a_secret_round_are_a_blow_each():
    board = double_life.scene(double_life.fighter("ann", (3, 3)), double_life.foe("orc", (3, 2)))
    plans = {"ann": "attack 1 orc", "orc": "attack 1 ann"}
    one, other = told(double_life.play(board, plans, [3, 4, 15]).events)
    assert (one["token"], one["target"], one["result"], one["damage"]) == ("ann", "orc", "good", 4)
    assert [roll["die"] for roll in one["rolls"]] == ["d20", "d6"]
    assert (other["token"], other["target"], other["result"]) == ("orc", "ann", "blah")
    assert "damage" not in other
