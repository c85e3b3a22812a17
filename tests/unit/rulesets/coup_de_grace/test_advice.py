"""Advice about a miniature foresees the damage of its acts and of those of its enemies."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from tests.property.advice.positions import check, positions
from tests.unit.rulesets.coup_de_grace.scenes import EAST, NORTH, WEST, act, active, battle, foe, mini
from tests.unit.rulesets.target_effects import check_effect

COUNT = 24


def test_the_damage_that_advice_foresees_is_that_of_the_acts():
    chance = random.Random(11)
    found = [check(COUP_DE_GRACE, board, token, chance) for board, token in positions(COUP_DE_GRACE, COUNT)]
    assert sum(map(bool, found)) > COUNT // 4


def test_one_miniature_is_ready_in_its_activation_and_several_as_before_the_first_round():
    board = battle(mini("Ann", at=(2, 2)), mini("Bo", at=(7, 7)), foe("Orc", at=(2, 1)))
    for number, tokens, found in ((0, ("ann",), 1), (3, ("ann",), 3), (3, ("ann", "bo"), 0)):
        now = COUP_DE_GRACE.outlook.ready(replace(board, tracks={"round": number}), tokens)
        assert now.track("round") == found
        assert now.conditions.get("active") == ("ann" if len(tokens) == 1 else None)
        assert all(now.token(one).track("mp") == 6 for one in tokens)


def attack(hands, kind="melee", orc=(4, 3)):
    """A scene in which Ann may attack an orc with what she holds, and the attack."""
    hands = (hands, *(() if hands == "blast staff" else ("open hand",)))
    scene = active(battle(mini("Ann", at=(4, 4), hands=hands), foe("Orc", at=orc, hp=1)), "ann")
    return scene, act(kind, "ann", "orc", hands[0])


@pytest.mark.parametrize(
    ("weapon", "kind", "is_plain"),
    [
        ("sword", "melee", True),
        ("crossbow", "ranged", True),
        ("claw", "melee", False),  # attacks again
        ("hammer", "melee", False),  # pushes
        ("fencing sword", "melee", False),  # gains points by a miss
        ("pistol", "ranged", False),  # pushes
        ("mage right open hand", "spell", False),
    ],
)
def test_advice_reckons_with_the_damage_alone_only_where_an_attack_does_nothing_else(weapon, kind, is_plain):
    scene, one = attack(weapon, kind, (4, 3) if kind == "melee" else (4, 1))
    assert (COUP_DE_GRACE.outlook.damage_key(scene, one) is not None) == is_plain
    assert (COUP_DE_GRACE.outlook.on_target(scene, one) is not None) == is_plain
    if is_plain:
        check_effect(COUP_DE_GRACE, scene, one)


@pytest.mark.parametrize(("focus", "far"), [("skull", 6), ("death staff", 9)])
def test_advice_counts_with_a_caster_at_each_cell_in_reach_of_its_spell(focus, far):
    scene = battle(mini("Ann", at=(9, 9)), foe("Orc", at=(0, 0), hands=(focus,)))
    contacts = COUP_DE_GRACE.outlook.contacts(scene, scene.token("ann"), ("orc",))
    assert [y for y in range(1, 12) if "orc" in contacts.attackers((0, y))] == list(range(1, far + 1))


@pytest.mark.rule("CDG-039")
def test_of_all_spells_advice_counts_those_at_the_target():
    orcs = [foe("Orc", at=(4, 3)), foe("Snag", at=(5, 3))]
    scene = active(battle(mini("Ann", at=(4, 5), hands=("skull", "sword")), *orcs), "ann", mp=12)
    found = COUP_DE_GRACE.outlook.attacks(scene, scene.token("ann"), scene.token("orc"))
    assert [(one.kind, one.weapon, one.target) for one in found] == [("spell", "skull", "orc")]


@pytest.mark.rule("CDG-040")
def test_advice_pays_for_a_turn_beside_an_enemy_twice():
    scene = active(battle(mini("Ann", at=(4, 5)), foe("Orc", at=(4, 4))), "ann", mp=2)
    ann, arrive = scene.token("ann"), COUP_DE_GRACE.outlook.arrive
    assert arrive(scene, ann, (4, 5), EAST, 0).token("ann").track("mp") == 0
    assert arrive(scene, ann, (4, 5), ann.facing, 0).token("ann").track("mp") == 2
    few = active(scene, "ann", mp=1)
    assert arrive(few, few.token("ann"), (4, 5), EAST, 0) is None


@pytest.mark.rule("CDG-014", "CDG-050", "CDG-070")
@pytest.mark.parametrize(
    ("ann", "facing", "found"),
    [
        ({"hands": ("sword", "fist")}, NORTH, {"orc"}),
        ({"hands": ("sword", "fist")}, EAST, set()),
        ({"hands": ("bow",)}, EAST, {"imp"}),
        ({"hands": ("skull", "fist")}, WEST, {"orc", "imp"}),  # a spell needs no facing
        ({"hands": ("sword", "fist"), "hp": 0}, None, {"orc", "imp"}),  # and the downed have none
    ],
)
def test_advice_leaves_out_the_enemies_that_a_facing_leaves_out(ann, facing, found):
    scene = battle(mini("Ann", at=(4, 5), **ann), foe("Orc", at=(4, 4)), foe("Imp", at=(8, 5)))
    contacts = COUP_DE_GRACE.outlook.contacts(scene, scene.token("ann"), ("orc", "imp"))
    assert set(contacts.attackable((4, 5), facing)) == found


@pytest.mark.parametrize("place", [None, (12, 5)])
def test_advice_leaves_out_enemies_that_are_not_on_the_board(place):
    scene = battle(mini("Ann", at=(4, 5), hands=("skull", "fist")), foe("Orc", at=(4, 4)))
    tokens = tuple(replace(token, at=place) if token.id == "orc" else token for token in scene.tokens)
    away = replace(scene, tokens=tokens)
    contacts = COUP_DE_GRACE.outlook.contacts(away, away.token("ann"), ("orc",))
    assert not contacts.attackable((4, 5), NORTH)
    assert not contacts.attackers((4, 5))
