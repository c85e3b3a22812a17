"""The tokens that an area of effect catches: the preview tells exactly those that the act then meets."""

from __future__ import annotations

import pytest
from tests.contract import differences
from tests.unit.rulesets.coup_de_grace import scenes as arena
from tests.unit.rulesets.torn import scenes as torn

from enfilade.messages import dump
from enfilade.rules.dice import SeededDice
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import Answers, resolve
from enfilade.rules.ruleset import Offer
from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.rulesets.torn import TORN
from enfilade.tactics.overlays import overlay
from enfilade.tactics.previews import preview

STOMP = {"name": "Stomp", "kind": "melee", "area": True, "range": 2, "attack": 12, "skill": 6, "damage": 1}


def stomp(*others):
    giant = torn.ally("giant", torn.hexon_cell((0, 0)), tiles=(STOMP,), size="large", wounds=4)
    return torn.scene(giant, *others)


def in_hexon(side, count):
    cells = torn.hexon_cells((1, 0))
    return [
        side(f"{side.__name__}{i}", cells[i if side is torn.foe else 6 - i], wounds=3) for i in range(count)
    ]


@pytest.mark.parametrize(("foes", "allies"), [(1, 0), (3, 0), (2, 2)])
def test_an_area_attack_catches_friend_and_foe_in_the_hexon_of_its_target(foes, allies):
    scene = stomp(*in_hexon(torn.foe, foes), *in_hexon(torn.ally, allies))
    act = Act(kind="melee", token="giant", target="foe0", weapon="Stomp")
    found = preview(TORN, scene, Offer(act, "Stomp"))
    procedure = TORN.acts["melee"].procedure
    done = resolve(scene, procedure, (act,), Answers(dice=SeededDice(1)))
    hurt = {one.id for one in scene.tokens if done.scene.token(one.id).tracks != one.tracks} - {"giant"}
    assert {"foe0", *found.caught} == hurt
    assert len(found.caught) == foes + allies - 1


def test_a_storm_catches_all_within_six_squares_and_slow_ground_the_enemies_within_three():
    others = [arena.mini("Bo", at=(8, 5)), arena.foe("Orc", (4, 5)), arena.foe("Far", (12, 5))]
    cases = {"air staff": {"bo", "orc"}, "earth staff": {"orc"}}
    for staff, caught in cases.items():
        scene = arena.battle(arena.mini("Ann", at=(5, 5), hands=(staff,)), *others, size=(16, 12))
        scene = arena.active(scene, "ann", mp=20)
        offers = [one for one in COUP_DE_GRACE.offers(scene, scene.token("ann")) if one.act.weapon == staff]
        spells = [one for one in offers if one.act.kind == "spell" and one.is_legal]
        assert spells
        assert {frozenset(preview(COUP_DE_GRACE, scene, one).caught) for one in spells} == {frozenset(caught)}


def test_other_acts_catch_nobody_and_refused_ones_tell_nothing():
    scene = stomp(*in_hexon(torn.foe, 2))
    refused = Offer(Act(kind="melee", token="giant", target="foe0", weapon="Stomp"), "Stomp", why="Not now.")
    assert preview(TORN, scene, refused).caught == ()
    assert TORN.caught(scene, Act(kind="end", token="giant")) == ()


def test_an_overlay_tells_whom_each_act_catches():
    scene = stomp(*in_hexon(torn.foe, 3))
    found = overlay(TORN, scene, "giant", 0)
    assert any(target.caught for target in found.targets)
    assert not differences("updates/overlay", dump.plain(found))
