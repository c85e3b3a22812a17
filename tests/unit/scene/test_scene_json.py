"""Large scenes become JSON and come back in parts, with the same result as at once."""

from __future__ import annotations

import msgspec
import pytest
import rfc8785
from msgspec.structs import replace

from enfilade.importers.demo import demo_battle
from enfilade.rulesets import BUILT_IN
from enfilade.runtime.time_budget import SLICE_SECONDS, TimeBudget, time_limited
from enfilade.scene import scene_json
from enfilade.scene.entry import Entry, TextOnlyEntry
from enfilade.scene.events import Explained, MapSet, SceneSet, TokenRemoved
from enfilade.scene.model import Grid, Scene, Terrain, Token, Wall
from enfilade.scene.scene_json import canonical
from enfilade.store.protocol import TableState

WALLS, CELLS = 9_000, 40_000


def large_scene(ruleset=BUILT_IN[0]) -> Scene:
    scene = demo_battle(ruleset).scene
    walls = tuple(Wall(id=f"w{i}", line=(i, i, i + 64, 7)) for i in range(WALLS))
    cells = tuple((i % 500, i // 500) for i in range(CELLS))
    patches = [Terrain(id=f"t{i}", name="Ä wood", cells=((i, i),)) for i in range(3)]
    wood = Terrain(id="wood", name="Wood", cells=cells, cost=2)
    return replace(scene, walls=walls, terrain=(*patches, wood, *patches[:1]))


SCENE = large_scene()
EVENTS = (
    SceneSet(scene=SCENE, was=replace(SCENE, walls=SCENE.walls[:2_000], name="before")),
    TokenRemoved(was=SCENE.tokens[0]),
    MapSet(walls=SCENE.walls, terrain=SCENE.terrain, was_walls=(), was_terrain=()),
    Explained(kind="hit", facts={"b": 1, "a": [2]}),
    SceneSet(scene=SCENE),
)
ENTRY = Entry(seq=3, id="c", seat="gm", kind="scene.set", at_ms=5, events=EVENTS, text="A map")
VALUES = [SCENE, ENTRY, TableState(id="t", seq=3, scene=SCENE), EVENTS[0], EVENTS[2], SCENE.terrain[3]]


def named(value):
    return type(value).__name__


class Rests:
    """A budget with a clock on which every checkpoint is late, so that each rests."""

    def __init__(self):
        self.count = self.now = 0
        self.limited = time_limited(TimeBudget(10**9, self.note, self.tick))

    def note(self):
        self.count += 1

    def tick(self):
        self.now += 10 * SLICE_SECONDS
        return self.now


def rests_of(function, *arguments):
    rests = Rests()
    with rests.limited:
        result = function(*arguments)
    return result, rests.count


@pytest.mark.parametrize("order", ["sorted", "deterministic"])
@pytest.mark.parametrize("value", VALUES, ids=named)
def test_the_parts_make_the_same_json(value, order):
    assert scene_json.encode(value, order) == msgspec.json.encode(value, order=order)


@pytest.mark.parametrize("value", VALUES, ids=named)
def test_the_same_value_comes_back(value):
    data = msgspec.json.encode(value, order="sorted")
    found = scene_json.decode(data, type(value))
    assert found == value
    assert type(found) is type(value)
    assert msgspec.json.encode(found) == msgspec.json.encode(msgspec.json.decode(data, type=type(value)))


def test_the_scene_within_comes_back_as_a_scene():
    found = scene_json.decode(msgspec.json.encode(ENTRY), Entry)
    assert [type(event) for event in found.events] == [type(event) for event in EVENTS]
    assert type(found.events[0].was) is Scene
    assert type(found.events[0].scene.walls[0]) is Wall
    assert found.events[4].was is None


def test_a_text_only_entry_keeps_its_events_encoded():
    data = msgspec.json.encode(ENTRY)
    found = scene_json.decode(data, TextOnlyEntry)
    assert found.text == ENTRY.text
    assert bytes(found.events) == msgspec.json.encode(EVENTS)


def test_a_scene_is_converted_in_parts():
    plain = msgspec.to_builtins(SCENE)
    found, rests = rests_of(scene_json.convert, plain, Scene)
    assert found == SCENE
    assert rests >= (WALLS + CELLS) // scene_json.PART
    assert scene_json.convert(SCENE, Scene) is SCENE


@pytest.mark.parametrize(
    "wrong", [{"walls": [{"id": 1}] * 2_000}, {"walls": [7] * 2_000}, {"tokens": 3}, {"x": 1}]
)
def test_a_wrong_large_scene_is_refused(wrong):
    plain = {**msgspec.to_builtins(SCENE), **wrong}
    with pytest.raises(msgspec.ValidationError):
        scene_json.convert(plain, Scene)
    with pytest.raises(msgspec.ValidationError):
        scene_json.decode(msgspec.json.encode(plain), Scene)


@pytest.mark.parametrize("cut", [1, 100, 200_000])
def test_cut_json_is_refused(cut):
    data = msgspec.json.encode(SCENE)[:-cut]
    with pytest.raises(msgspec.DecodeError):
        scene_json.decode(data, Scene)


def test_no_call_takes_many_walls_or_cells_at_once():
    for value in VALUES[:3]:
        data, rests = rests_of(scene_json.encode, value, "sorted")
        assert rests >= (WALLS + CELLS) // scene_json.PART
        _, rests = rests_of(scene_json.decode, data, type(value))
        assert rests >= len(data) // (4 * 64 * 1024)


def test_a_small_value_is_decoded_at_once():
    scene = demo_battle(BUILT_IN[0]).scene
    data = scene_json.encode(scene, "sorted")
    assert rests_of(scene_json.decode, data, Scene) == (scene, 0)


PROFILES = [
    {},
    {"b": 1, "a": [1, 2]},
    {"speed": 1.0},
    {"speed": 1e21},
    {"items": [{"weights": [1, 2, 2.5]}]},
    {"items": ({"weights": (1, 2, 2.0)},)},
    {"é": "a word beyond ASCII"},
    {"\U0001f600": 1, "\ufb33": 2},
]


@pytest.mark.parametrize("profile", PROFILES, ids=str)
def test_the_json_of_a_scene_is_canonical_for_any_profile(profile):
    scene = Scene(
        ruleset="any",
        grid=Grid("square", 5, 5),
        tokens=(Token(id="a", name="A", side="red", profile=profile),),
    )
    whole = replace(scene, grid=replace(scene.grid, distance=int(scene.grid.distance)))
    assert canonical(scene) == rfc8785.dumps(msgspec.to_builtins(whole))
