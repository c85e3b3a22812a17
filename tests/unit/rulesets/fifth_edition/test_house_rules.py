"""House rules of areas and of the older edition (section C of the catalogue)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.rules.house_rules import setting
from enfilade.rules.sheets import Damage
from enfilade.rulesets.fifth_edition.areas import Aimed, aim, area_of
from enfilade.rulesets.fifth_edition.house_rules import (
    CONCENTRATION_CAP,
    END_PRONE,
    HEAVY,
    HOUSE_RULES,
    KNOCK_OUT,
    MASTERY,
    PASSING,
    SLOW_START,
    SURPRISE,
    TWO_WEAPONS,
    UNDERWATER,
)
from enfilade.rulesets.fifth_edition.profiles import Effect
from enfilade.scene.model import Grid, Terrain
from tests.unit.rulesets.fifth_edition.scenes import (
    ANN,
    GLAIVE,
    SWORD,
    act,
    battle,
    cost,
    creature,
    play,
    reasons,
)

BALL = Effect(name="Ball", shape="sphere", size=10, range=150)
RING = Effect(name="Ring", shape="emanation", size=15)
HEXES = Grid("hex_odd_r", 20, 14, distance=5, units="feet")
OLDER = {
    **{SURPRISE: "lost turn", SLOW_START: False, PASSING: "legacy", END_PRONE: False, HEAVY: "small"},
    **{TWO_WEAPONS: "bonus", MASTERY: False, UNDERWATER: "list", KNOCK_OUT: "stable", CONCENTRATION_CAP: 0},
}


def squares(effect, at=None, token=ANN, grid=None, **rules):
    scene = battle(token, rules=rules, **({"grid": grid} if grid else {}))
    return set(area_of(scene, Aimed(scene.token("ann"), effect, None, at)))


def test_the_edition_sets_the_defaults_of_its_options_and_of_no_others():
    new, old = battle(ANN), battle(ANN, rules={"edition": "5.1"})
    changed = {one.key: setting(old, one) for one in HOUSE_RULES if setting(old, one) != setting(new, one)}
    del changed["fifth_edition.edition"]
    assert changed == {one.key: older for one, older in OLDER.items()}
    mixed = battle(ANN, rules={"edition": "5.1", "mastery": True})
    assert (setting(mixed, MASTERY), setting(mixed, KNOCK_OUT)) == (True, "stable")


@pytest.mark.rule("SRD-168")
def test_an_area_has_the_squares_of_which_the_center_or_half_or_any_part_is_in_it():
    by_center = squares(BALL, at=(7, 7))
    half, touched = squares(BALL, at=(7, 7), area="half"), squares(BALL, at=(7, 7), area="touch")
    assert len(by_center) == 12
    assert by_center == half, "for a circle of two squares about a corner they are the same"
    assert touched - half == {(6, 6), (6, 9), (9, 6), (9, 9)}, "its round side cuts the corners"
    cone = Effect(name="Cone", shape="cone", size=15)
    halves = squares(cone, at=(9, 5), area="half")
    assert squares(cone, at=(9, 5)) >= halves > {(7, 5), (8, 5)}
    assert squares(cone, at=(9, 5), area="touch") >= {(6, 5), (7, 4), (7, 6), (8, 4), (8, 6)}
    on_hexes = [squares(BALL, at=(7, 7), grid=HEXES, area=fill) for fill in ("center", "half", "touch")]
    assert on_hexes[0] < on_hexes[2]
    assert on_hexes[1] < on_hexes[2]


@pytest.mark.rule("SRD-169")
def test_a_sphere_begins_at_a_corner_or_in_the_middle_of_a_square():
    scene = battle(ANN, rules={"origin": "center"})
    assert aim(scene, Aimed(scene.token("ann"), BALL, None, (7, 7)))[0] == (7 * 64 + 32, 7 * 64 + 32)
    assert aim(battle(ANN), Aimed(ANN, BALL, None, (7, 7)))[0] == (8 * 64, 8 * 64)
    assert len(squares(BALL, at=(7, 7), origin="center")) == 13


@pytest.mark.rule("SRD-175")
def test_an_emanation_is_counted_like_ranges_or_is_round():
    assert len(squares(RING)) == 48
    round_one = squares(RING, emanation="round")
    assert (8, 5) in round_one
    assert (8, 8) not in round_one
    assert len(round_one) == 44
    assert squares(RING, grid=HEXES, emanation="round") == squares(RING, grid=HEXES)


@pytest.mark.rule("SRD-033", "SRD-017")
def test_the_older_rule_of_passing_stops_at_the_helpless_and_slows_among_friends():
    helpless = creature("bo", "red", (6, 5), "stunned")
    walls = (Terrain("a", "A", tuple((x, y) for x in range(20) for y in (4, 6)), 0),)
    ally, far = replace(helpless, side="blue", conditions={}), creature("cy", "red", (19, 13))
    assert cost(battle(ANN, helpless, terrain=walls), (7, 5)) == 15
    assert cost(battle(ANN, helpless, terrain=walls, rules={"pass": "legacy"}), (7, 5)) is None
    assert cost(battle(ANN, ally, far, terrain=walls), (7, 5)) == 10
    assert cost(battle(ANN, ally, far, terrain=walls, rules={"pass": "legacy"}), (7, 5)) == 15


@pytest.mark.rule("SRD-190", "SRD-191")
def test_by_the_older_edition_a_list_of_weapons_is_apt_under_water():
    pond = (Terrain("w", "Water", tuple((x, 5) for x in range(20)), 1, kind="water"),)
    dagger = replace(SWORD, name="Dagger", damage=(Damage(1, 4, 0, "piercing"),))
    pike = replace(GLAIVE, name="Pike", damage=(Damage(1, 10, 0, "piercing"),))
    dart = replace(SWORD, name="Dart", kind="ranged", normal=20, long=60)
    ann = creature("ann", "blue", (5, 5), attacks=(dagger, pike, dart))

    def is_hampered(weapon, at, **rules):
        scene = battle(ann, creature("bo", "red", at), terrain=pond, rules=rules)
        return any("water" in why.lower() for why in reasons(scene, weapon)[2])

    assert [is_hampered(name, (6, 5)) for name in ("Dagger", "Pike")] == [False, False]
    assert [is_hampered(name, (6, 5), underwater="list") for name in ("Dagger", "Pike")] == [False, True]
    assert is_hampered("Dart", (8, 5))
    assert not is_hampered("Dart", (8, 5), underwater="list")


@pytest.mark.rule("SRD-047")
def test_by_the_older_edition_the_incapacitated_roll_initiative_as_others_do():
    slow = creature("bo", "red", (6, 5), "incapacitated")
    scene = battle(ANN, slow, turn="", rules={"incapacitated_initiative": False})
    assert [one.track("initiative") for one in play(scene, act("begin"), 9, 12).scene.tokens] == [9, 12]
