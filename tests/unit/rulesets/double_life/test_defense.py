"""Sides, who is surrounded, and mutual defense (DBL-014, DBL-015, DBL-018, DBL-047 to DBL-051)."""

from __future__ import annotations

import pytest

from enfilade.rulesets.double_life.battlefield import battlefield, is_on_side
from enfilade.rulesets.double_life.combat.simultaneous import Defenses
from enfilade.rulesets.double_life.plans import Plan, Stance, stances
from enfilade.scene.model import Terrain
from tests.unit.rulesets.double_life.scenes import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    acts_in,
    areas,
    card,
    character,
    facts,
    fighter,
    foe,
    health,
    outcomes,
    play,
    poise,
    scene,
    text_of,
)

AROUND = [(3, 2), (4, 2), (4, 3), (4, 4), (3, 4), (2, 4), (2, 3), (2, 2)]
"""The cases around (3, 3), clockwise from the north."""


def sides_at(cell, facing, target=(3, 3), **sheet):
    board = scene(fighter("ann", target, facing, **sheet), foe("orc", cell))
    return battlefield(board).sides_of(character(board, "ann"), character(board, "orc"))


@pytest.mark.rule("DBL-014", "DBL-015", "DBL-047")
@pytest.mark.parametrize("turned", range(8))
def test_each_side_has_three_cases_and_corners_belong_to_both(turned):
    around = AROUND[turned:] + AROUND[:turned]
    expected = [
        {"front"},
        {"front", "right"},
        {"right"},
        {"right", "back"},
        {"back"},
        {"back", "left"},
        {"left"},
        {"left", "front"},
    ]
    assert [sides_at(cell, 45 * turned) for cell in around] == expected


def test_a_troll_has_four_cases_ahead_and_three_at_a_slant():
    board = scene(fighter("ann", (3, 3), NORTH, race="troll"))
    troll = character(board, "ann")
    assert sorted(battlefield(board).side_cells(troll, "front")) == [(2, 2), (3, 2), (4, 2), (5, 2)]
    assert sorted(battlefield(board).side_cells(troll, "left")) == [(2, 2), (2, 3), (2, 4), (2, 5)]
    assert sorted(battlefield(board).side_cells(troll, "back")) == [(2, 5), (3, 5), (4, 5), (5, 5)]
    board = scene(fighter("ann", (3, 3), 45, race="troll"))
    assert sorted(battlefield(board).side_cells(character(board, "ann"), "front")) == [(4, 2), (5, 2), (5, 3)]


def defended(cell, side):
    """Return whether Ann, who faces north and defends a side, defends against an orc on a case."""
    board = scene(fighter("ann", (3, 3)), foe("orc", cell))
    ann, orc = character(board, "ann"), character(board, "orc")
    plans = {"ann": Plan(Stance("defend", side=side)), "orc": Plan(Stance("attack", targets=("ann",)))}
    return Defenses(board, plans, [(orc, ann)]).of(orc, ann) == (ann,)


@pytest.mark.rule("DBL-014", "DBL-015", "DBL-047")
@pytest.mark.parametrize(
    ("side", "covered"),
    [("front", {7, 0, 1}), ("right", {1, 2, 3}), ("left", {5, 6, 7})],
)
def test_a_defender_covers_one_side_only_and_never_the_back(side, covered):
    found = {number for number, cell in enumerate(AROUND) if defended(cell, side)}
    assert found == covered


@pytest.mark.rule("DBL-014", "DBL-048")
def test_a_defender_defends_against_all_in_front_or_by_a_house_rule_against_the_strongest():
    tokens = (fighter("ann", (3, 3)), foe("orc", (3, 2), attack=11), foe("owl", (4, 2), attack=12))
    plans = {"orc": "attack 1 ann", "owl": "attack 1 ann"}
    done = play(scene(*tokens), plans, [15, 10, 15, 10])
    assert [one["defenders"] for one in facts(done, "attack")] == [["ann"], ["ann"]]
    done = play(scene(*tokens, house_rules={"max_defended": "one"}), plans, [12, 15, 10])
    assert [one["defenders"] for one in facts(done, "attack")] == [[], ["ann"]]


# Mutual defense


def pair(house_rules=None, **bob):
    """Ann and Bob side by side, facing an orc in front of Ann and an owl in front of Bob."""
    return scene(
        fighter("ann", (3, 3)),
        fighter("bob", (4, 3), **bob),
        foe("orc", (3, 2), attack=11),
        foe("owl", (4, 2)),
        house_rules=house_rules,
    )


@pytest.mark.rule("DBL-049")
def test_two_defenders_beside_each_other_add_their_tests_against_one_opponent():
    plans = {"ann": "guard bob", "bob": "guard ann", "orc": "attack 1 ann"}
    # Orc 11 - 1 = 10; Ann 10 - 6 and Bob 10 - 9 together 5: the difference is 5.
    done = play(pair(), plans, [1, 6, 9, 2])
    assert facts(done, "attack")[0]["defenders"] == ["ann", "bob"]
    assert "Ann, Bob defend." in text_of(pair(), done)
    assert facts(done, "outcome")[0]["difference"] == 5
    assert outcomes(done) == [("orc", "good")]


@pytest.mark.rule("DBL-049")
def test_a_pair_spends_both_defenses_on_the_strongest_opponent():
    plans = {"ann": "guard bob", "bob": "guard ann", "orc": "attack 1 ann", "owl": "attack 1 bob"}
    done = play(pair(), plans, [14, 10, 10, 11])
    assert [one["defenders"] for one in facts(done, "attack")] == [["ann", "bob"], []]


@pytest.mark.rule("DBL-049")
def test_a_pair_defends_both_of_them_against_the_opponent_that_attacks_both():
    plans = {"ann": "guard bob", "bob": "guard ann", "orc": "attack 1 ann,bob"}
    done = play(pair(), plans, [14, 10, 10, 14, 10, 10])
    assert [one["defenders"] for one in facts(done, "attack")] == [["ann", "bob"], ["bob", "ann"]]


@pytest.mark.rule("DBL-049")
def test_a_guard_spends_its_own_defense_and_takes_nothing_from_the_ally_that_it_joins():
    # "They will automatically defend against all frontal attacks": the ally's own defense was spent too.
    plans = {"ann": "defend front", "bob": "guard ann", "orc": "attack 1 ann", "owl": "attack 1 ann,bob"}
    done = play(pair(), plans, [14, 10, 10, 11, 10, 11])
    assert [(one["token"], one["target"], one["defenders"]) for one in facts(done, "attack")] == [
        ("orc", "ann", ["ann", "bob"]),
        ("owl", "ann", ["ann"]),
        ("owl", "bob", []),
    ]


def guarded(plan, house_rules=None, orc=(3, 2), bob=(4, 3)):
    """Return the defenders of Ann, who does as planned and is guarded by Bob, against the Orc."""
    tokens = fighter("ann", (3, 3), mastery=0), fighter("bob", bob), foe("orc", orc)
    board = scene(*tokens, house_rules=house_rules)
    plans = {"ann": Plan(plan), "bob": Plan(Stance("defend", guarded="ann"))}
    orc_, ann = character(board, "orc"), character(board, "ann")
    return [one.id for one in Defenses(board, plans, [(orc_, ann)]).of(orc_, ann)]


@pytest.mark.rule("DBL-049", "DBL-050")
@pytest.mark.parametrize(
    ("kind", "defenders"), [("attack", ["bob"]), ("defend", ["ann", "bob"]), ("flee", []), ("focus", [])]
)
def test_only_an_ally_that_attacks_or_defends_is_defended_by_another(kind, defenders):
    # "One can defend the other who is attacking": one that flees or focuses was defended as well.
    assert guarded(Stance(kind)) == defenders


@pytest.mark.rule("DBL-049")
def test_by_house_rules_a_guard_must_reach_the_opponent_or_leaves_the_back():
    attack, front, back = Stance("attack"), (3, 2), (3, 4)
    far = {"guard_reach": "reaches the opponent"}
    assert guarded(attack, orc=front) == guarded(attack, far, orc=front) == ["bob"]
    assert guarded(attack, orc=(2, 2)) == ["bob"]
    assert guarded(attack, far, orc=(2, 2)) == []
    sides = {"guarded_sides": "not the back"}
    assert guarded(attack, orc=back) == guarded(attack, sides, orc=front) == ["bob"]
    assert guarded(attack, sides, orc=back) == []


@pytest.mark.rule("DBL-050")
def test_a_defender_beside_an_attacking_ally_defends_it():
    plans = {"ann": "attack 1 orc", "bob": "guard ann", "orc": "attack 1 ann"}
    done = play(pair(), plans, [11, 16, 10])
    assert [(one["token"], one["defenders"]) for one in facts(done, "attack")] == [
        ("ann", []),
        ("orc", ["bob"]),
    ]


@pytest.mark.rule("DBL-050")
def test_the_guard_counter_attacks_and_gains_the_poise():
    board = scene(
        fighter("ann", (3, 3)), fighter("bob", (4, 3), tracks={"poise": 2}), foe("orc", (3, 2), attack=5)
    )
    plans = {"ann": "attack 1 orc", "bob": "guard ann", "orc": "attack 1 ann"}
    done = play(board, plans, [12, 12, 10, 10, 2])
    assert acts_in(done) == [
        ("attack", "ann", "orc"),
        ("attack", "orc", "ann"),
        ("counter-attack", "bob", "orc"),
    ]
    assert poise(done.scene, "bob") == 3
    assert health(done.scene, "orc") == 18


def test_a_guard_whose_ally_is_not_attacked_defends_itself():
    plans = {"ann": "defend front", "bob": "guard ann", "owl": "attack 1 bob"}
    done = play(pair(), plans, [11, 10])
    assert facts(done, "attack")[0]["defenders"] == ["bob"]


def test_a_guard_that_is_spent_does_not_defend_itself_against_another():
    plans = {"ann": "attack 1 orc", "bob": "guard ann", "orc": "attack 1 ann", "owl": "attack 1 bob"}
    done = play(pair(), plans, [11, 12, 10, 11])
    assert [one["defenders"] for one in facts(done, "attack")] == [[], ["bob"], []]


def test_an_ally_that_does_not_cover_the_opponent_is_not_spent():
    board = scene(
        fighter("ann", (3, 3), SOUTH),
        fighter("bob", (4, 3)),
        foe("orc", (3, 2), attack=11),
        foe("owl", (3, 4), NORTH),
    )
    plans = {"ann": "defend front", "bob": "guard ann", "orc": "attack 1 ann", "owl": "attack 1 ann"}
    done = play(board, plans, [12, 10, 11, 10])
    assert [one["defenders"] for one in facts(done, "attack")] == [["bob"], ["ann"]]


def test_guards_are_beside_their_ally_and_of_its_side():
    board = scene(
        fighter("ann", (3, 3)),
        fighter("bob", (5, 3)),
        fighter("cid", (4, 4), conditions={"fallen": "1"}),
        fighter("dan", (4, 2)),
        foe("orc", (3, 2)),
    )
    assert [key for key in stances(board, character(board, "ann")) if key.startswith("guard")] == [
        "guard dan"
    ]


# Surrounded


def surrounded(*cells, facing=NORTH, house_rules=None, **more):
    enemies = [foe(f"orc{i}", cell) for i, cell in enumerate(cells)]
    board = scene(fighter("ann", (3, 3), facing), *enemies, house_rules=house_rules, **more)
    return battlefield(board).is_surrounded(character(board, "ann"))


@pytest.mark.rule("DBL-018", "DBL-051")
@pytest.mark.parametrize(
    ("cells", "is_surrounded"),
    [
        ([(3, 2)], False),
        ([(3, 2), (3, 4)], True),
        ([(4, 2), (2, 4)], True),
        ([(2, 3), (4, 3)], True),
        ([(3, 2), (4, 3)], False),
        ([(3, 2), (4, 4)], True),
        ([(4, 2), (4, 4)], True),
        ([(4, 3), (4, 4)], False),
        ([(3, 2), (4, 2), (2, 2)], False),
        ([(3, 1), (3, 5)], False),
        ([], False),
    ],
)
def test_enemies_in_front_and_behind_or_in_opposite_cases_surround(cells, is_surrounded):
    assert surrounded(*cells) is is_surrounded


def test_only_no_free_case_surrounds_by_a_house_rule():
    rules = {"surrounded": "no free case"}
    assert not surrounded((3, 2), (3, 4), house_rules=rules)
    assert surrounded(*AROUND, house_rules=rules)
    assert not surrounded(*AROUND[:-1], house_rules=rules)


def test_without_a_free_case_one_enemy_surrounds():
    rock = Terrain("rock", "Rock", tuple(AROUND[1:]), 0)
    assert surrounded((3, 2), terrain=(rock,))
    assert not surrounded(terrain=(Terrain("rock", "Rock", tuple(AROUND), 0),))
    assert not surrounded((3, 2), terrain=(Terrain("rock", "Rock", tuple(AROUND[2:]), 0),))


def test_fallen_enemies_and_allies_do_not_surround():
    board = scene(fighter("ann", (3, 3)), foe("orc", (3, 2)), foe("owl", (3, 4), conditions={"fallen": "1"}))
    assert not battlefield(board).is_surrounded(character(board, "ann"))
    board = scene(fighter("ann", (3, 3)), foe("orc", (3, 2)), fighter("bob", (3, 4)))
    assert not battlefield(board).is_surrounded(character(board, "ann"))


def test_a_troll_is_surrounded_from_opposite_cases_of_its_ring():
    def around(*cells):
        enemies = [foe(f"orc{i}", cell) for i, cell in enumerate(cells)]
        board = scene(fighter("ann", (3, 3), EAST, race="troll"), *enemies)
        return battlefield(board).is_surrounded(character(board, "ann"))

    assert around((3, 2), (4, 5))
    assert around((2, 4), (5, 3))
    assert not around((3, 2), (4, 2))


@pytest.mark.rule("DBL-051")
def test_the_display_shows_the_covered_side_and_who_is_surrounded():
    board = scene(fighter("ann", (3, 3), WEST), foe("orc", (3, 2)), foe("owl", (3, 4)))
    assert card(board, "ann")["Surrounded"] == "Yes"
    assert "Surrounded" not in card(board, "orc")
    after = play(board, {"ann": "defend right"}).scene
    assert areas(after, "ann", "defense") == {"Covers the right side": {(2, 2), (3, 2), (4, 2)}}
    assert areas(board, "ann", "defense") == {}
    guarded = scene(fighter("ann", (3, 3)), fighter("bob", (4, 3)), foe("orc", (3, 2)))
    after_guard = play(guarded, {"ann": "guard bob", "bob": "attack 1 orc"}, [11, 10]).scene
    assert areas(after_guard, "ann", "defense") == {"Covers the front": {(2, 2), (3, 2), (4, 2)}}
    assert areas(after_guard, "bob", "defense") == {}
    assert areas(after, "orc", "defense") == {"Covers the front": {(2, 3), (3, 3), (4, 3)}}
    assert areas(board, "ann", "arc") == {
        "Front": {(2, 2), (2, 3), (2, 4)},
        "Right side": {(2, 2), (3, 2), (4, 2)},
        "Back": {(4, 2), (4, 3), (4, 4)},
        "Left side": {(2, 4), (3, 4), (4, 4)},
    }


@pytest.mark.parametrize(
    ("offset", "is_ahead"), [((5, 4), True), ((4, 4), True), ((4, 5), False), ((-4, 0), False)]
)
def test_a_side_reaches_45_degrees_to_either_hand_the_corners_included(offset, is_ahead):
    east = 2
    assert is_on_side(offset, east) is is_ahead
    assert is_on_side((offset[0], -offset[1]), east) is is_ahead


def spent_on(attackers, attacks):
    """Return whom Ann and Bob, who guard each other, defend against, of attackers by their Attack."""
    around = {"orc": (3, 2), "owl": (4, 2)}
    foes = [foe(name, around[name], attack=attack) for name, attack in attackers.items()]
    board = scene(fighter("ann", (3, 3)), fighter("bob", (4, 3)), *foes)
    plans = {"ann": Plan(Stance("defend", guarded="bob")), "bob": Plan(Stance("defend", guarded="ann"))}
    pairs = [(character(board, attacker), character(board, ward)) for attacker, ward in attacks]
    defenses = Defenses(board, plans, pairs)
    return [attacker.id for attacker, ward in pairs if defenses.of(attacker, ward)]


@pytest.mark.rule("DBL-049")
def test_a_pair_defends_against_the_strongest_and_among_equals_against_the_first_by_name():
    attacks = [("owl", "ann"), ("orc", "bob")]
    assert spent_on({"orc": 11, "owl": 12}, attacks) == ["owl"]
    assert spent_on({"orc": 12, "owl": 11}, attacks) == ["orc"]
    assert spent_on({"orc": 11, "owl": 11}, attacks) == ["orc"]
