"""Moments to come: who may act in the turn of a side, and that advice looks at every act that hurts."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace

from enfilade.rules.battle.corners import Screens
from enfilade.rules.odds import odds
from enfilade.rules.sheets import Damage, Rider
from enfilade.rulesets.fifth_edition import FIFTH_EDITION
from enfilade.rulesets.fifth_edition.battlefield import contacts, cover
from enfilade.rulesets.fifth_edition.combat import Strike
from enfilade.rulesets.fifth_edition.effects import Cast
from enfilade.rulesets.fifth_edition.profiles import Effect
from enfilade.scene.model import Terrain, Wall
from enfilade.tactics.advice import decision_map
from enfilade.tactics.expected_damage import result_of
from tests.property.advice.positions import positions
from tests.unit.rulesets.fifth_edition.scenes import BOW, SWORD, act, battle, creature
from tests.unit.rulesets.target_effects import check_effect

HURTING = ("attack", "offhand", "release", "effect")


def enemies_of(scene, token):
    return [one for one in scene.on_board() if not scene.are_allies(one, token)]


def test_a_map_counts_the_attacks_of_all_enemies_and_not_only_of_the_first():
    archers = [creature(key, "red", at, attacks=(BOW,)) for key, at in (("bo", (12, 5)), ("cy", (12, 8)))]
    found = decision_map(FIFTH_EDITION, battle(creature("ann", "blue", (5, 5)), *archers), "ann", 0)
    assert {cell.attackers for cell in found.cells} == {2}
    assert [one.token for one in found.here.suffered] == ["bo", "cy"]


def test_the_attacks_of_advice_are_the_legal_offers_that_may_hurt():
    compared = 0
    for scene, key in positions(FIFTH_EDITION, 6):
        side = scene.token(key).side
        ready = FIFTH_EDITION.outlook.ready(scene, [one.id for one in scene.on_board() if one.side == side])
        for token in [one for one in ready.on_board() if one.side == side]:
            offers = [one.act for one in FIFTH_EDITION.offers(ready, token) if one.is_legal]
            for enemy in enemies_of(ready, token):
                there = [act for act in offers if act.target == enemy.id]
                found = FIFTH_EDITION.outlook.attacks(ready, token, enemy)
                assert [one for one in found if one not in there] == []
                for one in [one for one in there if one not in found]:
                    procedure = FIFTH_EDITION.acts[one.kind].procedure
                    assert one.kind not in HURTING or not any(
                        outcome.damage for outcome in odds(ready, procedure, (one,)).chances
                    )
                compared += len(found)
    assert compared


def test_advice_has_no_attacks_on_allies_and_on_no_one_off_the_board():
    ann, friend = creature("ann", "blue", (5, 5)), creature("cy", "blue", (5, 6))
    scene = battle(ann, creature("bo", "red", (6, 5)), friend, creature("di", "red", None))
    found = [
        [one.weapon for one in FIFTH_EDITION.outlook.attacks(scene, scene.token("ann"), scene.token(key))]
        for key in ("bo", "cy", "di")
    ]
    assert found == [["Sword", "Unarmed strike"], [], []]


def mean(found):
    """Return the chance of a hit, and the mean damage."""
    damage = sum(outcome.damage * chance for outcome, chance in found.chances.items())
    return found.chance("hit", "critical"), damage


RAY = Effect(
    name="Ray", shape="single", range=60, save="con", difficulty=14, damage=(Damage(2, 6, 1, "cold"),)
)
BLAST = Effect(name="Blast", shape="sphere", size=10, range=60, damage=(Damage(2, 6, 1, "fire"),), half=False)
BOLT = replace(BLAST, name="Bolt", shape="single", ignores_cover=True)
CHILL = replace(BLAST, name="Chill", shape="single", save="con")
CONE = Effect(name="Cone", shape="cone", size=15, range=60, damage=(Damage(2, 6, 1, "fire"),))


@pytest.mark.parametrize(
    ("kind", "name", "states", "profile"),
    [
        ("attack", "Sword", ("prone",), {}),
        ("attack", "Sword", (), {"parry": 3, "armor_class": 10}),
        ("attack", "Sword", (), {"parry": 3, "armor_class": 1}),
        ("attack", "Sword", (), {"parry": 3, "armor_class": 40}),
        ("attack", "Flail", (), {"armor_class": 20}),
        ("attack", "Knife", ("prone",), {}),
        ("attack", "Knife", (), {}),
        ("attack", "Flail", (), {"armor_class": 20, "resistances": ("slashing",)}),
        ("attack", "Bow", (), {"resistances": ("piercing",)}),
        ("effect", "Ray", ("restrained",), {"vulnerabilities": ("cold",)}),
        ("effect", "Ray", (), {"legendary_resistance": 1}),
        ("effect", "Blast", ("restrained",), {}),
        ("effect", "Blast", ("paralyzed",), {"immunities": ("fire",)}),
        ("effect", "Cone", (), {}),
        ("effect", "Bolt", (), {}),
        ("effect", "Chill", (), {}),
    ],
)
def test_the_numbers_of_an_act_have_the_odds_of_its_procedure(kind, name, states, profile):
    near = creature("bo", "red", (6, 5) if kind == "attack" else (10, 6), *states, **profile)
    wall = (Wall("w", (8 * 64, 0, 8 * 64, 5 * 64 + 40)),)
    flail = replace(SWORD, name="Flail", mastery="graze", ability="str")
    knife = replace(SWORD, name="Knife", edge_damage=(Damage(1, 4, 0, "slashing"),))
    more = {"attacks": (SWORD, BOW, flail, knife), "has_mastery": True, "abilities": {"str": 16}}
    ann = creature("ann", "blue", (5, 5), effects=(RAY, BLAST, CONE, BOLT, CHILL), **more)
    scene, one = battle(ann, near, creature("cy", "blue", (8, 6)), walls=wall), act(kind, "bo", name)
    assert kind == "attack" or cover(scene, scene.token("ann"), scene.token("bo")) == "half"
    found = odds(scene, result_of, (FIFTH_EDITION.outlook.damage_call(scene, one),))
    assert mean(found) == mean(odds(scene, FIFTH_EDITION.acts[kind].procedure, (one,)))
    assert FIFTH_EDITION.outlook.damage_key(scene, one) is not None


def test_there_is_no_situation_of_one_that_is_off_the_board():
    scene = battle(
        creature("ann", "blue", (5, 5)), creature("bo", "red", None), creature("cy", "red", (6, 5))
    )
    ann, bo, cy = scene.tokens
    found = [FIFTH_EDITION.outlook.situation(scene, *pair) for pair in ((ann, bo), (bo, ann), (ann, cy))]
    assert [one is None for one in found] == [True, True, False]


def test_an_effect_whose_other_victims_may_free_its_target_has_no_numbers():
    ann, bo = creature("ann", "blue", (5, 5), effects=(BLAST,)), creature("bo", "red", (10, 5))
    one, key = act("effect", "bo", "Blast"), FIFTH_EDITION.outlook.damage_key
    beside = creature("cy", "red", (11, 5), notes={"concentrating": "Hold"})
    dodger = creature("bo", "red", (10, 5), "dodging")
    assert [key(battle(ann, *others), one) is None for others in ((bo,), (bo, beside), (dodger,))] == [
        False,
        True,
        True,
    ]
    higher = replace(one, body=Cast(2))
    assert key(battle(ann, bo), higher) is None


def seen(scene, *covered):
    """Return whether two see each other, if the cover of the second from the first was asked before."""
    screens, found = Screens(contacts(scene).screens.spaces, lambda _: True), []
    if covered:
        screens.covered(*map(scene.token, covered))
    for viewer, target in (("ann", "bo"), ("bo", "ann")):
        found.append(screens.sees(scene.token(viewer), scene.token(target)))
    return tuple(found)


def test_sight_is_the_same_whether_the_cover_is_known_or_not():
    plain = (
        Wall("high", (7 * 64, 0, 7 * 64, 6 * 64)),
        Wall("low", (7 * 64, 7 * 64, 7 * 64, 14 * 64)),
        Wall("slope", (8 * 64, 3 * 64, 9 * 64, 5 * 64 + 20)),
    )
    one_way = Wall("one way", (9 * 64, 0, 9 * 64, 14 * 64), one_way="left")
    low = Terrain("rock", "Rock", ((8, 6),), blocks_sight=True, height=5)
    answers = set()
    for walls, terrain in ((plain, ()), ((*plain, one_way), ()), (plain, (low,))):
        for size, y in product(("medium", "large"), range(2, 11)):
            ann = creature("ann", "blue", (4, 6), size=size)
            scene = battle(ann, creature("bo", "red", (10, y)), walls=walls, terrain=terrain)
            alone = seen(scene)
            assert seen(scene, "ann", "bo") == seen(scene, "bo", "ann") == alone, (size, y)
            answers.add(alone)
    assert {(True, True), (False, False)} <= answers
    assert len(answers) > 2


@pytest.mark.parametrize(
    ("tracks", "profile"),
    [
        ({}, {}),
        ({"hp": 9}, {}),
        ({"hp": 1}, {"is_character": True}),
        ({"hp": 9, "temp": 5}, {"resistances": ("slashing",)}),
        ({"temp": 40}, {}),
        ({"temp": 8}, {"threshold": 6}),
        ({}, {"immunities": ("slashing",)}),
    ],
)
def test_what_a_plain_attack_does_to_its_target_is_known_without_the_rest(tracks, profile):
    scene = battle(creature("ann", "blue", (5, 5)), creature("bo", "red", (6, 5), tracks=tracks, **profile))
    check_effect(FIFTH_EDITION, scene, act("attack", "bo", "Sword"))


FLAIL = replace(SWORD, mastery="topple")
FANGS = replace(SWORD, riders=(Rider("poisoned", "con", 11),))
SPARING = replace(act("attack", "bo", "Sword"), body=Strike(spares=True))


@pytest.mark.parametrize(
    ("attacker", "target", "one"),
    [
        ({"attacks": (FLAIL,), "has_mastery": True}, {}, act("attack", "bo", "Sword")),
        ({"attacks": (FANGS,)}, {}, act("attack", "bo", "Sword")),
        ({"has_frenzy": True}, {}, act("attack", "bo", "Sword")),
        ({}, {"parry": 2}, act("attack", "bo", "Sword")),
        ({}, {"unhealing": ("fire",), "regeneration": 5}, act("attack", "bo", "Sword")),
        ({}, {"has_undead_fortitude": True}, act("attack", "bo", "Sword")),
        ({}, {"notes": {"concentrating": "Bless"}}, act("attack", "bo", "Sword")),
        ({}, {}, act("attack", "bo", "Sword", at=(6, 5))),
        ({}, {}, act("attack", "bo", "Club")),
        ({}, {}, SPARING),
        ({"effects": (BLAST,)}, {}, act("effect", "bo", "Blast")),
    ],
)
def test_of_an_attack_that_may_do_more_only_its_procedure_tells(attacker, target, one):
    scene = battle(creature("ann", "blue", (5, 5), **attacker), creature("bo", "red", (6, 5), **target))
    assert FIFTH_EDITION.outlook.on_target(scene, one) is None
