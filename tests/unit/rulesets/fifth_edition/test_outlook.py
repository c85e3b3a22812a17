"""Moments to come: who may act in the turn of a side, and that advice looks at every act that hurts."""

from __future__ import annotations

from itertools import product

from enfilade.rules.battle.corners import Screens
from enfilade.rules.odds import odds
from enfilade.rulesets.fifth_edition import FIFTH_EDITION
from enfilade.rulesets.fifth_edition.battlefield import contacts
from enfilade.scene.model import Terrain, Wall
from enfilade.tactics.advice import decision_map
from tests.property.advice.positions import positions
from tests.unit.rulesets.fifth_edition.scenes import BOW, battle, creature

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
                rest = [act for act in there if act not in found]
                assert [act for act in found if act not in there] == []
                for act in rest:
                    procedure = FIFTH_EDITION.acts[act.kind].procedure
                    assert act.kind not in HURTING or not any(
                        outcome.damage for outcome in odds(ready, procedure, (act,)).chances
                    )
                compared += len(found)
    assert compared


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
