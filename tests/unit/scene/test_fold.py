"""Folding events, and taking them back."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from enfilade.errors import NotFound
from enfilade.scene import apply as fold_module
from enfilade.scene import events as ev
from enfilade.scene.apply import fold, fold_all, holder_of, inverse
from enfilade.scene.model import Grid, OwnUnit, Scene, Side, Terrain, Token, Wall

SCENE = Scene(
    ruleset="any",
    grid=Grid("square", 10, 10),
    tracks={"round": 2},
    walls=(Wall(id="w", line=(0, 0, 64, 0)), Wall(id="d", line=(64, 0, 128, 0), door="door")),
    sides=(Side(id="blue", name="Blue"), Side(id="red", name="Red")),
    tokens=tuple(
        Token(id=i, name=i.upper(), side="blue", at=(n, n), tracks={"hp": n}, conditions={"down": ""})
        for n, i in enumerate("abc")
    ),
)

HOLDERS = st.sampled_from([ev.TABLE, "side:red", "a", "b", "c"])
CELLS = st.none() | st.tuples(st.integers(0, 9), st.integers(0, 9))
FACINGS = st.none() | st.integers(0, 359)
NAMES = st.sampled_from(["hp", "round", "mp", "down"])


def moved(scene, token_id, at, facing):
    was = scene.token(token_id)
    return ev.TokenMoved(token=was.id, at=at, facing=facing, was_at=was.at, was_facing=was.facing)


def track_set(scene, holder, track, value):
    was = holder_of(scene, holder).tracks.get(track)
    return ev.TrackSet(holder=holder, track=track, value=value, was=was)


def condition_set(scene, holder, condition, note):
    was = holder_of(scene, holder).conditions.get(condition)
    return ev.ConditionSet(holder=holder, condition=condition, note=note, was=was)


def placed(scene, token_id, name):
    token = Token(id=token_id, name=name, side="red")
    return ev.TokenPlaced(token=token, was=next((t for t in scene.tokens if t.id == token_id), None))


def door_set(scene, state):
    return ev.DoorSet(wall="d", state=state, was=scene.wall("d").state)


def map_set(scene, walls):
    rough = Terrain(id="t", name="Mud", cells=((1, 1),), cost=2)
    return ev.MapSet(walls=walls, terrain=(rough,), was_walls=scene.walls, was_terrain=scene.terrain)


def rules_set(scene, setting, enforcement):
    return ev.RulesSet(
        house_rules={"rule": setting},
        enforcement=enforcement,
        was_house_rules=scene.house_rules,
        was_enforcement=scene.enforcement,
    )


def sides_set(scene, name):
    return ev.SidesSet(sides=(*scene.sides, Side(id="new", name=name)), was=scene.sides)


def units_set(scene, name):
    return ev.UnitsSet(units=(OwnUnit(key="u", name=name),), was=scene.units)


CHANGES = st.one_of(
    st.tuples(st.just(moved), st.sampled_from("abc"), CELLS, FACINGS),
    st.tuples(st.just(track_set), HOLDERS, NAMES, st.none() | st.integers(-5, 5)),
    st.tuples(st.just(condition_set), HOLDERS, NAMES, st.none() | st.text(max_size=3)),
    st.tuples(st.just(placed), st.sampled_from(["a", "aa", "b", "d"]), st.text(max_size=3)),
    st.tuples(st.just(door_set), st.sampled_from(["open", "closed", "locked"])),
    st.tuples(st.just(map_set), st.just(SCENE.walls[1:])),
    st.tuples(st.just(rules_set), st.booleans(), st.sampled_from(["warn", "enforce"])),
    st.tuples(st.just(sides_set), st.text(max_size=3)),
    st.tuples(st.just(units_set), st.text(max_size=3)),
    st.tuples(
        st.just(lambda scene, name: ev.SceneSet(scene=replace(scene, name=name), was=scene)), st.text()
    ),
)


def events_of(changes):
    scene, events = SCENE, []
    for make, *arguments in changes:
        events.append(make(scene, *arguments))
        scene = fold(scene, events[-1])
    return events


@given(st.lists(CHANGES, max_size=12))
def test_inverse_events_restore_the_scene(changes):
    events = events_of(changes)
    assert fold_all(fold_all(SCENE, events), inverse(events)) == SCENE


@given(st.sampled_from("abc"))
def test_a_removed_token_returns_to_its_place_in_the_list(token_id):
    events = [ev.TokenRemoved(was=SCENE.token(token_id))]
    assert token_id not in [token.id for token in fold_all(SCENE, events).tokens]
    assert fold_all(fold_all(SCENE, events), inverse(events)) == SCENE


def test_every_event_that_changes_a_scene_has_an_inverse():
    assert set(get_args(ev.SceneEvent)) == set(fold_module._STEPS) == set(fold_module._BACK)


def test_dice_choices_and_explanations_change_nothing():
    for event in (
        ev.DiceRolled(label="attack", die="d6", faces=(3,)),
        ev.ChoiceMade(side="blue", question="?", answer="yes"),
        ev.Explained(kind="attack", facts={"total": 7}),
    ):
        assert fold(SCENE, event) is SCENE
        assert inverse([event]) == []


def test_a_track_set_to_none_is_removed():
    scene = fold(SCENE, track_set(SCENE, "b", "hp", None))
    assert scene.token("b").tracks == {}
    assert scene.token("b").track("hp", 9) == 9


def test_an_event_with_an_unknown_holder_is_refused():
    with pytest.raises(NotFound, match="no token 'ghost'"):
        fold(SCENE, ev.TokenMoved(token="ghost", at=None, facing=None, was_at=None, was_facing=None))
    with pytest.raises(NotFound, match="no side 'green'"):
        holder_of(SCENE, "side:green")
