"""Boundaries of the rules: states that cannot be, numbers at their limits, names, acts."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest
from msgspec.structs import asdict, replace

from enfilade.geometry.board.arcs import arc
from enfilade.rules.ruleset import Sight
from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.rulesets.coup_de_grace.battlefield import battlefield, front_arc
from enfilade.rulesets.coup_de_grace.catalog import ARMOR, ITEMS, Item
from enfilade.rulesets.coup_de_grace.combat.attack_rolls import AttackSpec
from enfilade.rulesets.coup_de_grace.combat.attack_setup import is_out_of_reach, strike_of
from enfilade.rulesets.coup_de_grace.combat.effects import PLAIN, Effect, Hit
from tests.unit.rulesets.coup_de_grace.scenes import (
    EAST,
    act,
    active,
    after,
    battle,
    card,
    do,
    facts,
    foe,
    hp,
    judge,
    mini,
    notes,
    reach,
    sentence,
    why_not,
)


def with_token(scene, token_id, **changes):
    tokens = (replace(t, **changes) if t.id == token_id else t for t in scene.tokens)
    return replace(scene, tokens=tuple(tokens))


# States that cannot be


@pytest.mark.rule("CDG-067", "CDG-068")
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"tracks": {"hp": 1}, "conditions": {"downed": ""}}, "conditions.downed"),
        ({"tracks": {"hp": 0}, "conditions": {"downed": ""}}, ""),
        ({"tracks": {}, "conditions": {"downed": ""}}, ""),
        ({"tracks": {"hp": 1}}, ""),
        ({"tracks": {"hp": 0}}, ""),
        ({"tracks": {"hp": -1}}, "at"),
        ({"tracks": {"hp": -1}, "at": None}, ""),
        ({"tracks": {"hp": -1}, "conditions": {"out": ""}}, "conditions.out"),
        ({"tracks": {"hp": 0}, "conditions": {"out": ""}, "at": None}, "conditions.out"),
        ({"tracks": {"hp": -1}, "conditions": {"out": ""}, "at": None}, ""),
        ({"tracks": {}, "conditions": {"out": ""}, "at": None}, ""),
        ({"at": (5, 4)}, "at"),
    ],
)
def test_a_state_that_no_miniature_can_be_in_is_named_by_its_field(changes, field):
    scene = with_token(battle(foe("Orc", at=(5, 4)), mini("Zoe", at=(5, 5))), "zoe", **changes)
    assert list(COUP_DE_GRACE.contradictions(scene)) == ([f"tokens[1].{field}"] if field else [])


# Numbers and names


def test_an_item_does_nothing_unless_its_page_says_so():
    assert asdict(Item(name="banner")) == {
        "name": "banner",
        "hands": 1,
        "melee": False,
        "ranged": False,
        "increment": None,
        "reach": 0,
        "spell": "",
        "cost": 0,
    }
    assert {ITEMS[name].increment for name in ("air staff", "death staff", "earth staff", "crystal")} == {0}
    assert (ITEMS["crystal"].cost, ITEMS["crystal"].reach, ITEMS["crystal"].hands) == (3, 6, 1)


def test_the_numbers_of_the_rules_are_fixed():
    for value, field in ((ARMOR["heavy"], "defense"), (ITEMS["sword"], "hands")):
        with pytest.raises(AttributeError):
            setattr(value, field, 9)
    with pytest.raises(TypeError):
        Item("sword")
    with pytest.raises(TypeError):
        Effect("sentence")
    spec = AttackSpec("blue", 3, (), (), (), True, None)
    for value, field in ((PLAIN, "sentence"), (Hit(None, "standing", None), "left"), (spec, "needed")):
        with pytest.raises(FrozenInstanceError):
            setattr(value, field, "")
        assert not hasattr(value, "__dict__")


@pytest.mark.rule("CDG-047")
def test_the_bonus_for_a_face_is_that_of_the_face_and_only_of_the_first_die():
    spec = AttackSpec("blue", 5, (0, 3, 0, 1, 0, 0), (1,) * 6, (), False, None)
    first = [face for face in range(1, 7) if spec.is_hit(face, True)]
    again = [face for face in range(1, 7) if spec.is_hit(face, False)]
    assert (first, again) == ([2, 4, 5, 6], [5, 6])
    natural = replace_spec(spec, has_naturals=True, face_bonuses=(9, 0, 0, 0, 0, -9))
    assert [face for face in range(1, 7) if natural.is_hit(face, True)] == [5, 6]


def replace_spec(spec, **changes):
    parts = {name: getattr(spec, name) for name in AttackSpec.__dataclass_fields__}
    return AttackSpec(**{**parts, **changes})


@pytest.mark.parametrize(
    ("hands", "kinds"),
    [
        (("sword", "shield"), ["melee weapon", ""]),
        (("bow",), ["ranged weapon"]),
        (("throwing knife", "banner"), ["melee and ranged weapon", ""]),
    ],
)
def test_the_card_names_the_kind_of_each_weapon(hands, kinds):
    scene = battle(mini("Ann", at=(1, 1), hands=hands))
    said = [note.split(";")[0] for note in notes(scene, "ann")[-len(hands) :]]
    assert [kind if "weapon" in kind else "" for kind in said] == kinds


def test_the_card_says_if_a_miniature_is_downed():
    scene = battle(mini("Ann", at=(1, 1)), mini("Bo", at=(2, 2), hp=0))
    states = {name: line.note for name in ("ann", "bo") for line in lines(scene, name) if "of" in line.value}
    assert states == {"ann": "", "bo": "downed"}


def lines(scene, name):
    return [line for line in COUP_DE_GRACE.card(scene, scene.token(name)) if line.label == "Hit points"]


@pytest.mark.rule("CDG-008")
def test_the_refusal_of_an_item_says_what_it_was_for():
    scene = battle(mini("Ann", at=(1, 1)), foe("Orc", (1, 0)))
    assert "to cast a spell with" in sentence(scene, act("spell", "ann", "orc", "skull"))
    assert "to cast a spell with" not in sentence(scene, act("melee", "ann", "orc", "skull"))


@pytest.mark.rule("CDG-073", "CDG-074")
@pytest.mark.parametrize(("kind", "rule"), [("melee", "CDG-073"), ("ranged", "CDG-074")])
def test_the_penalty_of_a_downed_attacker_names_the_rule_of_its_attack(kind, rule):
    scene = battle(mini("Ann", at=(1, 1), hands=("throwing knife", "fist"), hp=0), foe("Orc", (1, 0)))
    listed = facts(scene, act(kind, "ann", "orc", "throwing knife"), 3)["modifiers"]
    assert [(one["value"], one["rule"]) for one in listed if one["value"] == -2] == [(-2, rule)]


@pytest.mark.parametrize("places", [((90, 90), (1, 1)), ((1, 1), (90, 90))])
def test_a_miniature_beyond_the_board_has_no_line_of_sight_and_no_areas(places):
    scene = battle(mini("Ann", at=(1, 1)), foe("Orc", (5, 5)))
    moved = scene
    for name, place in zip(("ann", "orc"), places, strict=True):
        moved = with_token(moved, name, at=place)
    assert COUP_DE_GRACE.sight(moved, moved.token("ann"), moved.token("orc")) == Sight()
    assert COUP_DE_GRACE.sight(scene, scene.token("ann"), scene.token("orc")) != Sight()
    for token in moved.tokens:
        assert bool(COUP_DE_GRACE.areas(moved, token, "sight")) is (token.at == (1, 1))
        assert COUP_DE_GRACE.areas(moved, token, "weather") == ()


def test_a_miniature_without_points_reaches_the_place_where_it_stands():
    board = active(battle(mini("Ann", at=(1, 2)), foe("Orc", (5, 5))), "ann", mp=0)
    assert reach(board, "ann") == {(1, 2): 0}


@pytest.mark.parametrize("facing", [0, 90, 180, 270])
def test_a_storm_blows_the_foremost_miniature_first_and_so_all_of_a_row(facing):
    dx, dy = {0: (0, -1), 90: (1, 0), 180: (0, 1), 270: (-1, 0)}[facing]
    row = [(6 + 2 * dy + k * dx, 6 + 2 * dx + k * dy) for k in (-1, 0, 1)]
    for order in ([0, 1, 2], [2, 1, 0], [1, 2, 0]):
        others = [mini(name, at=row[k]) for name, k in zip("ABC", order, strict=True)]
        scene = battle(mini("Zoe", at=(6, 6), hands=("air staff",)), *others)
        blown = after(scene, act("spell", "zoe", weapon="air staff", facing=facing))
        moved = {blown.token(name).at for name in "abc"}
        assert moved == {(x + dx, y + dy) for x, y in row}


def test_only_the_gm_starts_a_round_and_declares_a_victory():
    assert {kind for kind, one in COUP_DE_GRACE.acts.items() if one.is_gm_only} == {"round", "victory"}


# Acts


def test_setting_up_a_miniature_costs_nothing():
    scene = battle(mini("Ann"), foe("Orc", (5, 5)))
    ruling = judge(scene, "ann", (3, 3))
    assert (ruling.allowed, ruling.cost, ruling.path) == (True, 0, ((3, 3),))
    assert not judge(scene, "ann", (5, 5)).allowed


@pytest.mark.rule("CDG-063")
def test_bracing_may_spend_the_last_movement_point():
    scene = active(battle(mini("Gnu", at=(1, 1), race="gnome"), foe("Orc", (9, 9))), "gnu", mp=1)
    assert after(scene, act("brace", "gnu")).token("gnu").track("mp") == 0


def test_only_a_gnome_is_offered_to_brace():
    scene = battle(mini("Gnu", at=(1, 1), race="gnome"), mini("Ann", at=(3, 3)), foe("Orc", (9, 9)))
    offered = {
        token.id: "brace" in {offer.act.kind for offer in COUP_DE_GRACE.offers(scene, token)}
        for token in scene.tokens
    }
    assert offered == {"ann": False, "gnu": True, "orc": False}


def entangler(**more):
    return mini("Ann", at=(5, 5), facing=EAST, hands=("entangling weapon",), **more)


def test_a_roll_of_the_movement_allowance_entangles_and_the_victim_is_dragged_one_step_behind():
    scene = battle(entangler(), foe("Orc", at=(6, 5)))
    throw = act("entangle", "ann", "orc", "entangling weapon")
    caught = after(scene, throw, 3, 3)
    assert caught.token("orc").conditions["entangled"] == "ann"
    assert not after(scene, throw, 3, 2).token("orc").has("entangled")
    dragged = after(caught, act("move", "ann", at=(4, 5)))
    assert [dragged.token(name).at for name in ("ann", "orc")] == [(4, 5), (5, 5)]
    turned = after(caught, act("move", "ann", facing=0))
    assert turned.token("orc").at == (6, 5)


@pytest.mark.rule("CDG-068")
@pytest.mark.parametrize("absent", ["ann", "orc"])
def test_a_miniature_off_the_board_neither_entangles_nor_is_entangled(absent):
    scene = with_token(battle(entangler(), foe("Orc", at=(6, 5))), absent, at=None)
    assert why_not(scene, act("entangle", "ann", "orc", "entangling weapon")) == "CDG-068"


def test_a_throw_to_entangle_costs_no_movement_points():
    scene = active(battle(entangler(), foe("Orc", at=(6, 5))), "ann", mp=3)
    thrown = after(scene, act("entangle", "ann", "orc", "entangling weapon"), 1, 1)
    assert thrown.token("ann").track("mp") == 3


@pytest.mark.parametrize(
    ("at", "kind", "weapon", "is_lost"),
    [
        ((6, 5), "melee", "throwing knife", False),
        ((4, 5), "melee", "throwing knife", True),
        ((8, 5), "melee", "throwing knife", True),
        ((8, 5), "ranged", "throwing knife", False),
        ((2, 5), "ranged", "throwing knife", True),
    ],
)
def test_a_further_attack_needs_its_target_where_the_first_did(at, kind, weapon, is_lost):
    scene = battle(mini("Ann", at=(5, 5), facing=EAST, hands=("throwing knife", "fist")), foe("Orc", at=at))
    assert is_out_of_reach(strike_of(scene, act(kind, "ann", "orc", weapon))) is is_lost


def test_the_storm_of_an_air_staff_reaches_six_squares():
    scene = battle(
        mini("Ann", at=(1, 5), hands=("air staff",)), mini("Bo", at=(7, 5)), foe("Orc", (8, 5)), size=(16, 12)
    )
    blown = after(scene, act("spell", "ann", weapon="air staff", facing=EAST))
    assert [blown.token(name).at for name in ("bo", "orc")] == [(7, 5), (8, 5)]
    north = after(scene, act("spell", "ann", weapon="air staff", facing=0))
    assert [north.token(name).at for name in ("bo", "orc")] == [(7, 4), (8, 5)]


@pytest.mark.rule("CDG-015", "CDG-018")
@pytest.mark.parametrize(("grid", "width"), [("square", 90), ("hex_odd_r", 120)])
def test_the_front_arc_is_a_quarter_on_squares_and_a_third_on_hexes(grid, width):
    field = battlefield(battle(mini("Ann"), grid=grid, size=(240, 240)))
    place = (120, 120)
    for facing in field.facings:
        whole = arc(field.board, field.board.center(place), facing, width)
        assert front_arc(field.board, place, facing) == whole
        for other in (width - 1, width + 1):
            assert arc(field.board, field.board.center(place), facing, other) != whole


def test_a_grappling_hook_hurts_less_by_one():
    orc = mini("Ann", at=(5, 5), facing=EAST, race="orc", hands=("grappling hook", "fist"))
    scene = battle(orc, foe("Orc", at=(8, 5)))
    shot = act("ranged", "ann", "orc", "grappling hook")
    hurt = [hp(scene, "orc") - hp(do(scene, shot, face).scene, "orc") for face in (5, 6)]
    assert hurt == [0, 1]
    assert card(scene, "ann")["Race"] == "Orc"
