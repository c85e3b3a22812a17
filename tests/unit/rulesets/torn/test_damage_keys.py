"""The damage of an attack to its target alone: that of the whole act, and shared by equal attacks alone."""

from __future__ import annotations

import pytest

from enfilade.rules.odds import odds
from enfilade.rulesets.torn import TORN
from enfilade.tactics import expected_damage
from enfilade.tactics.expected_damage import DamageTable, mean_damage
from tests.unit.rulesets.target_effects import check_effect
from tests.unit.rulesets.torn.scenes import BOW, PLAIN, ally, attack, foe, scene, shoot, with_token

GUN = {**BOW, "attack": 3, "skill": 1, "agility": 1}
BLAST = {**BOW, "name": "Blast", "attack": 3, "area": True}
SWORD = {"name": "Sword", "kind": "melee", "attack": 2, "agility": 1, "damage": 1}
SHOT = shoot("ann", "orc")
BLOW = attack("ann", "orc", "Sword")
NEAR, FAR = (9, 10), (4, 10)


def board(*others, at=FAR, tiles=(GUN, SWORD), orc=None, wounds=None, own_wounds=None, **more):
    found = scene(ally("ann", at, tiles=tiles), foe("orc", (10, 10), **(orc or {})), *others, **more)
    for token, left in (("orc", wounds), ("ann", own_wounds)):
        if left is not None:
            found = with_token(found, token, tracks={**found.token(token).tracks, "wounds": left})
    return found


VARIANTS = {
    "a shot": (board(), SHOT),
    "beside an ally of the target": (board(foe("imp", (11, 10))), SHOT),
    "at a wounded target": (board(wounds=1), SHOT),
    "by a wounded attacker": (board(own_wounds=1), SHOT),
    "with more dice": (board(tiles=({**GUN, "attack": 4},)), SHOT),
    "with more damage": (board(tiles=({**GUN, "damage": 2},)), SHOT),
    "without skill": (board(tiles=({**GUN, "skill": 0},)), SHOT),
    "at more defense": (board(orc={"defense": 4}), SHOT),
    "at an agile target": (board(orc={"agility": 3}), SHOT),
    "an area": (board(foe("imp", (11, 10)), tiles=(BLAST,)), shoot("ann", "orc", "Blast")),
    "a blow": (board(at=NEAR), BLOW),
    "a blow that is countered": (board(at=NEAR, orc={"tiles": (SWORD,), "is_fresh": True}), BLOW),
    "a blow that a shield returns": (board(at=NEAR, orc={"tiles": (PLAIN, SWORD)}), BLOW),
    "a blow by one near death": (board(at=NEAR, orc={"tiles": (PLAIN, SWORD)}, own_wounds=1), BLOW),
}


@pytest.fixture
def table(monkeypatch):
    monkeypatch.setattr(expected_damage, "_known", {})
    return DamageTable(TORN)


def test_the_damage_to_the_target_is_that_of_the_whole_act(table):
    seen = {}
    for name, (there, act) in VARIANTS.items():
        whole = odds(there, TORN.acts[act.kind].procedure, (act,))
        strike = table.strike(there, act)
        assert (strike.damage, strike.chance) == (mean_damage(whole), whole.chance(*TORN.successes)), name
        assert strike.is_exact
        seen[name] = strike.damage, strike.chance
    for name in (name for name in VARIANTS if name.startswith(("at ", "with"))):
        assert seen[name] != seen["a shot"], f"{name}: or a key without it would pass"


def test_attacks_share_their_odds_if_they_differ_in_what_cannot_hurt_the_target():
    key = {name: TORN.outlook.damage_key(there, act) for name, (there, act) in VARIANTS.items()}
    assert key["a shot"] == key["beside an ally of the target"] == key["by a wounded attacker"]
    assert key["a shot"] != key["at a wounded target"]
    assert key["a shot"] != key["a blow"]


def test_the_effect_on_the_target_alone_leaves_it_its_wounds_or_nothing():
    there, act = VARIANTS["a blow that is countered"]
    orc = there.token("orc")
    effect = TORN.outlook.on_target(there, act)
    wounds = orc.track("wounds")
    for dealt, has_countered in ((0, False), (1, False), (wounds - 1, True)):
        after = effect.after(there, orc, (dealt, has_countered))
        assert after.track("wounds") == wounds - dealt
        assert after.has("activated") == has_countered
    assert effect.after(there, orc, (wounds, False)) is None
    assert effect.after(there, orc, (wounds + 1, True)) is None
    becoming = with_token(there, "orc", profile={**orc.profile, "becomes": {"wounds": 3}})
    assert TORN.outlook.on_target(becoming, act) is None


def test_the_effect_on_the_target_alone_is_that_of_the_whole_act():
    for there, act in VARIANTS.values():
        check_effect(TORN, there, act)
