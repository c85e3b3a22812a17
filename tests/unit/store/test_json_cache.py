"""A table's row: the same bytes whether or not its map was written before."""

import gc

from msgspec.structs import replace

from enfilade.importers.demo import demo_battle
from enfilade.rulesets import BUILT_IN
from enfilade.scene.apply import fold
from enfilade.scene.events import DoorSet, TokenMoved
from enfilade.scene.model import Scene, Wall
from enfilade.scene.scene_json import MAX_MAPS, JsonCache, canonical_json, with_encoded_map
from enfilade.store.integrity import encode_state
from enfilade.store.protocol import TableState


def _row(scene: Scene) -> TableState:
    return TableState(id="table", seq=3, scene=scene)


def test_a_cached_row_is_byte_for_byte_the_same():
    for ruleset in BUILT_IN:
        scene = demo_battle(ruleset).scene
        for token in scene.tokens:
            assert encode_state(_row(scene)) == canonical_json(_row(scene))
            moved = TokenMoved(token=token.id, at=(1, 1), facing=90, was_at=token.at, was_facing=token.facing)
            scene = fold(scene, moved)


def test_an_opened_door_is_in_the_next_row():
    scene = demo_battle(BUILT_IN[0]).scene
    door = Wall(id="door", line=((0, 0), (64, 0)), door="door")
    shut = replace(scene, walls=(door,))
    assert b'"state":"closed"' in encode_state(_row(shut))
    opened = fold(shut, DoorSet(wall="door", state="open", was="closed"))
    assert encode_state(_row(opened)) == canonical_json(_row(opened))
    assert b'"state":"open"' in encode_state(_row(opened))


class Part(tuple):
    """Walls that can be found again."""


def test_the_cache_of_maps_is_bounded_in_bytes():
    scene, most_bytes = demo_battle(BUILT_IN[0]).scene, 10_000
    walls = [Wall(id=f"w{number}", line=((0, 0), (64, 0))) for number in range(20)]
    written = JsonCache(max_bytes=most_bytes)
    for _ in range(100):
        kept = replace(scene, walls=Part(walls))
        assert canonical_json(with_encoded_map(kept, written)) == canonical_json(kept)
        del kept
    cached = [one for one in gc.get_objects() if type(one) is Part]
    assert 0 < len(cached) <= most_bytes // len(canonical_json(walls))


def test_a_map_larger_than_the_cache_is_encoded_and_cached_alone():
    scene, written = demo_battle(BUILT_IN[0]).scene, JsonCache(max_bytes=1)
    for number in range(3):
        kept = replace(scene, walls=(Wall(id=f"w{number}", line=((0, 0), (64, 0))),))
        assert canonical_json(with_encoded_map(kept, written)) == canonical_json(kept)
        assert len(written._known) == 1


def test_a_reused_object_id_does_not_return_another_maps_json():
    plain = demo_battle(BUILT_IN[0]).scene
    for number in range(2 * MAX_MAPS):
        scene = replace(plain, walls=(Wall(id=f"w{number}", line=((0, 0), (64, 0))),))
        assert encode_state(_row(scene)) == canonical_json(_row(scene))
        del scene
        gc.collect(0)
