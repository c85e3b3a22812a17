"""A table's row: the same bytes whether or not its map was written before."""

import gc

from msgspec.structs import replace

from enfilade.demo import demo_battle
from enfilade.rulesets import BUILT_IN
from enfilade.scene.apply import fold
from enfilade.scene.events import DoorSet, TokenMoved
from enfilade.scene.model import Scene, Wall
from enfilade.scene.state_hash import canonical_json
from enfilade.store.hash_chain import MAX_MAPS, JsonCache, encode_state
from enfilade.store.protocol import TableState


def _row(scene: Scene) -> TableState:
    return TableState(id="table", seq=3, scene=scene)


def test_a_row_is_byte_for_byte_what_it_is_without_remembering():
    for ruleset in BUILT_IN:
        scene = demo_battle(ruleset).scene
        for token in scene.tokens:
            assert encode_state(_row(scene)) == canonical_json(_row(scene))
            moved = TokenMoved(token=token.id, at=(1, 1), facing=90, was_at=token.at, was_facing=token.facing)
            scene = fold(scene, moved)


def test_a_door_that_is_opened_is_in_the_very_next_row():
    scene = demo_battle(BUILT_IN[0]).scene
    door = Wall(id="door", line=((0, 0), (64, 0)), door="door")
    shut = replace(scene, walls=(door,))
    assert b'"state":"closed"' in encode_state(_row(shut))
    opened = fold(shut, DoorSet(wall="door", state="open", was="closed"))
    assert encode_state(_row(opened)) == canonical_json(_row(opened))
    assert b'"state":"open"' in encode_state(_row(opened))


class Part(tuple):
    """Walls that can be found again."""


def test_no_more_maps_are_remembered_than_their_json_may_take_together():
    scene, most_bytes = demo_battle(BUILT_IN[0]).scene, 10_000
    walls = [Wall(id=f"w{number}", line=((0, 0), (64, 0))) for number in range(20)]
    written = JsonCache(max_bytes=most_bytes)
    for _ in range(100):
        kept = _row(replace(scene, walls=Part(walls)))
        assert encode_state(kept, written) == canonical_json(kept)
        del kept
    remembered = [one for one in gc.get_objects() if type(one) is Part]
    assert 0 < len(remembered) <= most_bytes // len(canonical_json(walls))


def test_a_map_whose_json_is_longer_than_all_may_be_is_written_and_takes_the_place_of_all_others():
    scene, written = demo_battle(BUILT_IN[0]).scene, JsonCache(max_bytes=1)
    for number in range(3):
        kept = _row(replace(scene, walls=(Wall(id=f"w{number}", line=((0, 0), (64, 0))),)))
        assert encode_state(kept, written) == canonical_json(kept)
        assert len(written._known) == 1


def test_no_map_is_taken_for_another_that_lay_where_it_lies_now():
    plain = demo_battle(BUILT_IN[0]).scene
    for number in range(2 * MAX_MAPS):
        scene = replace(plain, walls=(Wall(id=f"w{number}", line=((0, 0), (64, 0))),))
        assert encode_state(_row(scene)) == canonical_json(_row(scene))
        del scene
        gc.collect(0)
