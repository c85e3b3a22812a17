"""Ranges, sight and threatened cells at their boundaries."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.geometry.board.mask import Mask
from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.rulesets.coup_de_grace.battlefield import battlefield
from enfilade.rulesets.coup_de_grace.sight import NO_RANGE, blocked_by, cells_in_range, range_between
from enfilade.scene.model import Terrain
from tests.unit.rulesets.coup_de_grace.scenes import (
    EAST,
    battle,
    cells,
    foe,
    judge,
    mini,
    wall,
)


def with_token(scene, token_id, **changes):
    tokens = (replace(t, **changes) if t.id == token_id else t for t in scene.tokens)
    return replace(scene, tokens=tuple(tokens))


def test_a_weapon_without_increments_has_one_band_as_far_as_it_reaches():
    scene = battle(mini("Ann", at=(1, 5), facing=EAST, hands=("mage claw", "fist")), size=(16, 12))
    (label,) = cells(scene, "ann", "ranges")
    assert label == "mage claw 1 to 6: no penalty"


@pytest.mark.rule("CDG-017", "CDG-059")
def test_the_bands_of_a_bow_cover_every_cell_in_range_once():
    scene = battle(mini("Ann", at=(1, 5), facing=EAST, hands=("bow",)), size=(16, 12))
    bands = list(cells(scene, "ann", "ranges").values())
    assert sum(map(len, bands)) == len(set().union(*bands)) == 16 * 12 - 1


@pytest.mark.rule("CDG-017")
def test_a_cell_without_a_path_is_in_no_range():
    closed = [wall(8, 0, 8, 12)]
    field = battlefield(battle(mini("Ann", at=(1, 5)), walls=closed, rules={"range": "path"}))
    near = {(x, y) for x in range(8) for y in range(12)} - {(1, 5)}
    assert cells_in_range(field, (1, 5), 1, NO_RANGE + 1) == Mask.of(near, 12)


def test_an_archer_that_faces_nowhere_threatens_no_cell():
    scene = battle(mini("Ann", at=(1, 1)), foe("Orc", (5, 5), hands=("bow",)))
    assert cells(scene, "ann", "threat")["Enemies can attack here now"]
    nowhere = with_token(scene, "orc", facing=None)
    assert not cells(nowhere, "ann", "threat").get("Enemies can attack here now")


def test_a_mage_threatens_as_far_as_it_walks_with_the_points_for_its_spell_left():
    fists = ("mage right fist", "mage left open hand")
    scene = battle(mini("Ann", at=(15, 0)), foe("Orc", (1, 6), EAST, fists, armor="unarmored"), size=(16, 12))
    assert COUP_DE_GRACE.reach(scene, scene.token("orc")).budget == 8
    now, later = cells(scene, "ann", "threat").values()
    ahead = {x for x, y in now | later if y == 6}
    assert max(ahead) == 1 + (8 - 3) + 1


@pytest.mark.rule("CDG-040")
def test_an_enemy_that_can_just_pay_for_a_turn_threatens_what_is_beside_it():
    scene = battle(mini("Ann", at=(5, 6)), mini("Bo", at=(4, 5)), foe("Orc", (5, 5), 0, armor="heavy"))
    assert judge(scene, "orc", (5, 5), EAST).cost == 4
    assert COUP_DE_GRACE.reach(scene, scene.token("orc")).budget == 4
    now, later = cells(scene, "ann", "threat").values()
    assert (5, 6) not in now
    assert (5, 6) in later


@pytest.mark.rule("CDG-074")
@pytest.mark.parametrize("needs_sight", [True, False])
def test_a_downed_archer_threatens_what_it_does_not_see_by_a_house_rule(needs_sight):
    downed = foe("Orc", (1, 5), EAST, ("bow",), hp=0)
    closed = [wall(4, 0, 4, 12)]
    rules = {"downed_need_sight": needs_sight}
    scene = battle(mini("Ann", at=(8, 5)), downed, walls=closed, rules=rules)
    now = cells(scene, "ann", "threat")["Enemies can attack here now"]
    assert ((8, 5) in now) is not needs_sight


def test_a_cell_is_either_in_sight_or_not():
    scene = battle(mini("Ann", at=(1, 5)), walls=[wall(4, 0, 4, 12)])
    (seen,), (blind,) = (cells(scene, "ann", layer).values() for layer in ("sight", "blind"))
    assert seen
    assert blind == {(x, y) for x in range(12) for y in range(12)} - seen


def test_the_refusal_of_an_occupied_cell_names_one_miniature():
    scene = battle(mini("Ann", at=(1, 1)), mini("Bo", at=(1, 2)), foe("Orc", (1, 2)))
    assert judge(scene, "ann", (1, 2)).reasons == ("Bo stands there. (CDG-044)",)


@pytest.mark.parametrize("absent", ["ann", "orc"])
def test_a_miniature_that_is_not_there_is_not_in_sight(absent):
    scene = battle(mini("Ann", at=(1, 1)), foe("Orc", (5, 5)))
    assert blocked_by(battlefield(scene), *fighters(scene)) == ""
    gone = with_token(scene, absent, at=None)
    assert blocked_by(battlefield(gone), *fighters(gone)) != ""


def fighters(scene):
    field = battlefield(scene)
    return field.fighter("ann"), field.fighter("orc")


@pytest.mark.rule("CDG-017")
def test_a_range_along_paths_reaches_what_stands_in_closed_terrain_by_its_edge():
    rock = Terrain(id="rock", name="Rock", cells=((4, 5), (5, 5)), cost=0)
    rules = {"range": "path"}
    field = battlefield(battle(mini("Ann", at=(1, 5)), terrain=(rock,), rules=rules))
    assert range_between(field, (1, 5), (4, 5)) == 3
    assert range_between(field, (1, 5), (5, 5)) == 6  # around, and in from the side
    walled = battle(mini("Ann", at=(1, 5)), terrain=(rock,), walls=(wall(4, 5, 4, 6),), rules=rules)
    assert range_between(battlefield(walled), (1, 5), (4, 5)) == 5
