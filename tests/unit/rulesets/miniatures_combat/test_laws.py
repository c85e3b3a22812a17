"""Forced moves beside walls, the bans of the fled, and the duties of a model that strikes."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.rules.battle.displace import displace
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.displacement import ForcedMoves
from enfilade.scene.model import Terrain
from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    at_inches,
    facts,
    go,
    hero,
    inches,
    model,
    orc,
    refused,
    scene,
    wall,
    with_conditions,
    with_token,
    with_tracks,
)

WALL = wall("w", 12.625, 0, 12.625, 20)


def pushing(*more, walls=(WALL,), **fields):
    """One beside an orc that it defended against, 5/8 inch before a wall."""
    board = scene(hero("one", (10, 10), two_handed=True), orc("o", (11.5, 10), **fields), *more, walls=walls)
    return with_conditions(activated(board, "one"), "one", defended="o=ok")


def with_terrain(board, *terrain):
    return replace(board, terrain=terrain)


@pytest.mark.rule("MNC-097")
@pytest.mark.parametrize("at", [None, (13.5, 10), (13.375, 10.25)])
def test_a_push_ends_at_a_wall_wherever_it_should_go(at):
    after = go(pushing(), act("push", "one", "o", at=at), 6).scene
    x, _ = at_inches(after, "o")
    assert 12 < x <= 12.625 - 0.5
    far = go(pushing(walls=()), act("push", "one", "o", at=at), 6).scene
    assert at_inches(far, "o") == (at or (13.5, 10))


@pytest.mark.rule("MNC-098")
def test_a_model_pushed_against_the_map_is_prone_for_there_is_no_room_to_stand_there():
    """The text says: if there is not room to stand there, the model is knocked prone."""
    lava = Terrain(id="t", name="T", kind="lava", cost=0, cells=((13, 9), (13, 10), (13, 8), (13, 11)))
    closed = with_terrain(pushing(walls=()), lava)
    edge = with_token(with_token(pushing(walls=()), "one", at=inches(1.9, 10)), "o", at=inches(0.6, 10))
    for board in (pushing(), closed, edge):
        done = go(board, act("push", "one", "o"), 6)
        assert done.scene.token("o").has("prone")
        assert [one["token"] for one in facts(done, "knocked prone")] == ["o"]
    # The pusher may push less far, and a sweep knocks prone only those that meet a model (MNC-104).
    short = go(pushing(), act("push", "one", "o", at=(12, 10)), 6).scene
    assert not short.token("o").has("prone")
    assert not go(pushing(), act("sweep", "one", dice=1), 6, 1).scene.token("o").has("prone")


@pytest.mark.rule("MNC-103")
def test_a_sweep_ends_at_a_wall_and_at_closed_ground():
    after = go(pushing(), act("sweep", "one", dice=1), 6, 1).scene
    assert at_inches(after, "o")[0] <= 12.625 - 0.5
    lava = Terrain(id="t", name="T", kind="lava", cost=0, cells=((13, 9), (13, 10), (13, 8), (13, 11)))
    board = pushing(walls=())
    closed = with_terrain(board, lava)
    assert at_inches(go(closed, act("sweep", "one", dice=1), 6, 1).scene, "o")[0] <= 12.5


@pytest.mark.rule("MNC-098", "MNC-104")
def test_who_makes_room_stays_on_its_side_of_a_wall():
    board = pushing(orc("other", (12.1, 10.3)), walls=(WALL,))
    after = go(board, act("push", "one", "o"), 6).scene
    assert after.token("o").has("prone")
    for key in ("o", "other"):
        assert at_inches(after, key)[0] <= 12.625 - 0.5 + 1 / 64
    assert not battlefield(after).overlaps(after.token("other"), after.token("other").at)


@pytest.mark.rule("MNC-114")
def test_a_captive_is_not_carried_through_a_wall():
    board = carried(level=1, walls=[wall("w", 0, 12, 20, 12)])
    after = go(board, act("move", "one", at=(10, 13)), overrides=True).scene
    assert at_inches(after, "prisoner")[1] <= 12 - 0.5


def carried(*carriers, level=2, captives=("prisoner",), **more):
    """Captives beside their carriers, who took them up."""
    lying = [model(key, (10, 11.25), side="orcs", level=level) for key in captives]
    keys = ["one", *carriers]
    helpers = [hero(key, (10 + 1.1 * i, 10)) for i, key in enumerate(keys)]
    board = scene(*helpers, *lying, orc("o", (40, 30)), **more)
    for key in captives:
        board = with_conditions(board, key, captured="heroes", carried=" ".join(keys))
    return go(activated(board, *keys), act("roll_movement", "one", dice=1), 6).scene


@pytest.mark.rule("MNC-114")
def test_a_captive_moves_only_with_as_many_carriers_as_its_level():
    assert at_inches(go(carried("two"), act("move", "one", at=(13, 10))).scene, "prisoner") == (13, 11.25)
    alone = go(carried(), act("move", "one", at=(13, 10)))
    assert at_inches(alone.scene, "prisoner") == (10, 11.25)
    fallen = with_token(carried("two"), "two", conditions={"slain": ""}, at=None)
    assert at_inches(go(fallen, act("move", "one", at=(13, 10))).scene, "prisoner") == (10, 11.25)
    gone = with_token(carried("two"), "two", at=inches(30, 30))
    assert at_inches(go(gone, act("move", "one", at=(13, 10))).scene, "prisoner") == (10, 11.25)
    # A helper that went ahead is near where the captive comes to lie.
    ahead = with_token(carried("two"), "two", at=inches(14, 12))
    assert at_inches(go(ahead, act("move", "one", at=(13, 10))).scene, "prisoner") == (13, 11.25)


@pytest.mark.rule("MNC-114")
def test_who_carries_a_captive_takes_up_no_other():
    board = carried(level=1, captives=("prisoner", "second"))
    free = with_token(board, "second", conditions={"captured": "heroes"})
    assert refused(free, act("carry", "one", "second")) == "MNC-114"
    assert refused(with_token(free, "prisoner", conditions={}), act("carry", "one", "second")) is None
    # Of two that one model carries neither moves.
    after = go(board, act("move", "one", at=(13, 10))).scene
    assert at_inches(after, "prisoner") == at_inches(after, "second") == (10, 11.25)


@pytest.mark.rule("MNC-060")
def test_the_fled_neither_move_lunge_nor_fall_back_into_a_fight():
    board = scene(orc("f", (10, 10), side="heroes"), orc("o", (12.5, 10)))
    fled = with_conditions(activated(board, "f"), "f", fled="")
    assert refused(activated(board, "f"), act("lunge", "f", "o")) is None
    assert refused(fled, act("lunge", "f", "o")) == "MNC-060"
    # A pike has it in reach; behind it is another enemy.
    pike = scene(orc("f", (10, 10), side="heroes"), orc("p", (12.6, 10), weapon="pole"), orc("x", (6.5, 10)))
    ready = activated(pike, "f")
    assert refused(ready, act("fall_back", "f", "p")) is None
    assert refused(with_conditions(ready, "f", fled=""), act("fall_back", "f", "p")) == "MNC-060"


@pytest.mark.rule("MNC-073", "MNC-110")
@pytest.mark.parametrize("asked", [act("push", "one", "o"), act("sweep", "one", dice=1)])
def test_a_charger_that_pushes_or_sweeps_owes_its_defenses(asked):
    board = pushing(walls=())
    charged = with_token(
        board, "one", conditions={"active": "", "charged": "", "moved": "", "defended": "o=ok"}
    )
    assert not charged.token("one").has("must defend")
    after = go(charged, asked, *[1] * (2 if asked.kind == "sweep" else 1)).scene
    assert after.token("one").has("must defend")


@pytest.mark.rule("MNC-094")
def test_a_lunge_is_followed_by_a_defense_of_its_own():
    """The lunger defended against the pike before; after the lunge it defends against it once more."""
    board = scene(hero("one", (10, 10)), orc("p", (12.9, 10), weapon="pole", level=3))
    board = with_conditions(activated(board, "one"), "one", **{"must_defend": "", "defended": "p=ok"})
    done = go(board, act("lunge", "one", "p", dice=1, defense=1), 1)
    assert [one["target"] for one in facts(done, "defense")] == ["p"]


def test_an_owed_defense_comes_before_any_strike_of_its_kind():
    board = with_conditions(pushing(orc("near", (10, 11.4)), walls=()), "one", defended="")
    assert refused(board, act("attack", "one", "o")) == "MNC-085"
    assert refused(board, act("push", "one", "o")) == "MNC-096"
    assert refused(board, act("sweep", "one", dice=1)) == "MNC-101"
    assert refused(with_tracks(board, "one", dice=3), act("lunge", "one", "o")) == "MNC-091"


def test_a_way_by_force_names_what_stops_it():
    lava = Terrain(id="t", name="T", kind="lava", cost=0, cells=((13, 9), (13, 10)))
    plain = scene(hero("one", (10, 10)), terrain=(lava,), walls=(wall("w", 7, 0, 7, 20),))
    forced = ForcedMoves(plain)
    for to, by in (((11, 10), ""), ((16, 10), "ground"), ((4, 10), "wall"), ((10, -9), "edge")):
        assert forced.way(plain.token("one"), inches(*to)).by == by


def test_displaced_models_keep_their_facing():
    board = with_token(scene(hero("one", (10, 10))), "one", facing=45)
    steps = displace(board, "one", inches(12, 10), "push", ForcedMoves)
    assert next(steps).event.facing == 45
