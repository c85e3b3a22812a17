"""Merging a tabletop's scene into the table's."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.unit.play.duel import SCENE, Duel

from enfilade.errors import BadMessage, WrongGrid
from enfilade.play.commands.scene_sync import command_for_token
from enfilade.scene.apply import fold_all, inverse
from enfilade.scene.model import FROM_TABLETOP, Scene, Token


def said(duel: Duel, **changes: Any) -> dict[str, Any]:
    """The table's own scene as a tabletop would say it: without anything the rules know."""
    scene = json.loads(msgspec.json.encode(duel.table.scene))
    bare = [{**token, "tracks": {}, "conditions": {}, "owners": []} for token in scene["tokens"]]
    return {**scene, "tokens": bare, "house_rules": {}, "enforcement": "advise", **changes}


def moved(scene: dict[str, Any], token: str, **changes: Any) -> dict[str, Any]:
    tokens = [{**one, **changes} if one["id"] == token else one for one in scene["tokens"]]
    return {**scene, "tokens": tokens}


def test_where_nothing_is_new_nothing_happens(duel: Duel):
    before, seq = duel.table.scene, duel.table.seq
    duel.do("scene.sync", scene=said(duel))
    assert (duel.table.scene, duel.table.seq) == (before, seq)


def test_a_token_goes_where_the_tabletop_has_it_and_keeps_its_hit_points(duel: Duel):
    ann = duel.table.scene.token("ann")
    assert ann.tracks
    duel.do("scene.sync", scene=moved(said(duel), "ann", at=[7, 1], name="Anna", hidden=True))
    after = duel.table.scene.token("ann")
    assert (after.at, after.name, after.hidden) == ((7, 1), "Anna", True)
    assert (after.tracks, after.profile) == (ann.tracks, ann.profile)


def test_a_picture_follows_the_tabletop_until_the_gm_sets_another_at_the_table(duel: Duel):
    def picture() -> str:
        return duel.table.scene.token("ann").image

    first, second = (f"/api/tables/t/assets/{name}{FROM_TABLETOP}" for name in ("one", "two"))
    duel.do("scene.sync", scene=moved(said(duel), "ann", image=first))
    assert picture() == first
    duel.do("scene.sync", scene=moved(said(duel), "ann", image=""))
    assert picture() == first
    duel.do("scene.sync", scene=moved(said(duel), "ann", image=second))
    assert picture() == second
    own = msgspec.to_builtins(replace(duel.table.scene.token("ann"), image="/api/tables/t/assets/own"))
    duel.do("token.place", token=own)
    duel.do("scene.sync", scene=moved(said(duel), "ann", image=first))
    assert picture() == "/api/tables/t/assets/own"


def test_a_token_that_the_tabletop_no_longer_has_leaves(duel: Duel):
    scene = said(duel)
    scene["tokens"] = [token for token in scene["tokens"] if token["id"] != "ann"]
    duel.do("scene.sync", scene=scene)
    assert all(token.id != "ann" for token in duel.table.scene.tokens)


def test_a_token_the_rules_cannot_use_yet_is_named_and_the_others_come(duel: Duel):
    stranger = {**said(duel)["tokens"][0], "id": "odo", "name": "Odo", "profile": {"wings": 2}}
    scene = moved(said(duel), "ann", at=[7, 1])
    done = duel.do("scene.sync", scene={**scene, "tokens": [*scene["tokens"], stranger]})
    assert [unfit["name"] for unfit in done.result["unfit"]] == ["Odo"]
    assert "wings" in done.result["unfit"][0]["why"]
    assert duel.table.scene.token("ann").at == (7, 1)


def test_the_game_masters_sides_and_rules_stay(duel: Duel):
    sides = said(duel)["sides"]
    teams = [{**side, "team": "north"} for side in sides]
    duel.do("sides.set", sides=teams)
    duel.do("rules.set", house_rules={}, enforcement="enforce")
    scene = said(duel, sides=[*sides, {"id": "neutral", "name": "Neutral"}])
    duel.do("scene.sync", scene=scene)
    now = duel.table.scene
    assert now.enforcement == "enforce"
    assert [side.team for side in now.sides] == [*("north" for _ in sides), ""]


def test_a_door_that_stands_otherwise_is_a_door_set_and_not_a_new_map(duel: Duel):
    door = {"id": "d1", "line": [0, 64, 64, 64], "door": "door", "state": "closed"}
    duel.do("scene.sync", scene=said(duel, walls=[door]))
    done = duel.do("scene.sync", scene=said(duel, walls=[{**door, "state": "open"}]))
    assert done.entry is not None
    assert [type(event).__name__ for event in done.entry.events] == ["DoorSet"]


def test_coming_in_step_can_be_taken_back(duel: Duel):
    before = duel.table.scene
    scene = moved(said(duel, name="Another", walls=[]), "ann", at=[7, 1])
    duel.do("scene.sync", scene=scene)
    assert duel.table.scene.name == "Another"
    duel.do("undo")
    assert duel.table.scene == before


def test_another_scene_forgets_the_round_of_the_last_and_the_same_keeps_it():
    duel = Duel(scene=replace(SCENE, tracks={"round": 3}))
    duel.do("scene.sync", scene=said(duel, tracks={}))
    assert duel.table.scene.tracks == {"round": 3}
    duel.do("scene.sync", scene=said(duel, name="Another", tracks={}))
    assert duel.table.scene.tracks == {}


def test_a_scene_that_the_tabletop_comes_back_to_goes_on_as_it_was_left():
    duel = Duel(scene=replace(SCENE, tracks={"round": 3}))
    home = said(duel)
    ann = replace(duel.table.scene.token("ann"), tracks={"hp": 1}, conditions={"prone": ""}, owners=("p1",))
    duel.do("token.place", token=msgspec.to_builtins(ann))
    stranger = {**home["tokens"][0], "id": "odo", "name": "Odo"}
    duel.do("scene.sync", scene=said(duel, name="Another", tracks={}, tokens=[stranger]))
    duel.do("rules.set", house_rules={}, enforcement="enforce")
    assert (duel.table.scene.tracks, len(duel.table.scene.tokens)) == ({}, 1)
    duel.do("scene.sync", scene=moved({**home, "tracks": {}}, "ann", at=[7, 1]))
    now = duel.table.scene
    assert now.token("ann") == replace(ann, at=(7, 1))
    assert (now.tracks, now.enforcement) == ({"round": 3}, "enforce")
    duel.do("undo")
    assert duel.table.scene.name == "Another"


def test_another_scene_of_that_name_is_not_the_one_that_was_left(duel: Duel):
    home = said(duel)
    ann = replace(duel.table.scene.token("ann"), tracks={"hp": 1})
    duel.do("token.place", token=msgspec.to_builtins(ann))
    duel.do("scene.sync", scene=said(duel, name="Another", tokens=[]))
    others = [{**token, "id": f"new-{token['id']}"} for token in home["tokens"]]
    duel.do("scene.sync", scene={**home, "tokens": others})
    assert duel.table.scene.token("new-ann").tracks != ann.tracks


def test_events_of_coming_in_step_lead_there_and_back(duel: Duel):
    before = duel.table.scene
    done = duel.do("scene.sync", scene=moved(said(duel), "ann", at=[7, 1]))
    assert done.entry is not None
    assert fold_all(before, done.entry.events) == duel.table.scene
    assert fold_all(duel.table.scene, inverse(done.entry.events)) == before


def given(scene: Scene, token: str, **changes: Any) -> Token:
    bare = msgspec.to_builtins(scene.token(token), str_keys=True)
    return msgspec.convert({**bare, "tracks": {}, "conditions": {}, **changes}, Token)


def test_a_token_that_only_went_elsewhere_is_moved_and_judged(duel: Duel):
    step = command_for_token(duel.table.scene, given(duel.table.scene, "ann", at=[7, 1]), is_renewed=False)
    assert step is not None
    assert step[0] == "token.move"


def test_a_token_that_stands_where_it_stood_needs_nothing(duel: Duel):
    assert command_for_token(duel.table.scene, given(duel.table.scene, "ann"), is_renewed=False) is None


def test_a_token_that_a_program_has_moved_is_no_move_to_judge(duel: Duel) -> None:
    moved = given(duel.table.scene, "ann", at=[7, 1])
    step = command_for_token(duel.table.scene, moved, is_renewed=False, is_displaced=True)
    assert step is not None
    assert step[0] == "token.place"
    assert step[1]["token"]["at"] in ([7, 1], (7, 1))


def test_a_token_that_is_otherwise_than_before_is_edited(duel: Duel):
    for change in ({"hidden": True}, {"elevation": 64}, {"at": None}, {"name": "Anna"}):
        step = command_for_token(duel.table.scene, given(duel.table.scene, "ann", **change), is_renewed=False)
        assert step is not None
        assert step[0] == "token.place"


def test_a_profile_is_taken_over_where_it_is_new_alone(duel: Duel):
    profile = {**duel.table.scene.token("ann").profile, "skill": 3}
    token = given(duel.table.scene, "ann", profile=profile)
    assert command_for_token(duel.table.scene, token, is_renewed=False) is None
    assert command_for_token(duel.table.scene, token, is_renewed=True) is not None


def test_a_grid_the_game_is_not_played_on_is_refused_and_changes_nothing(duel: Duel):
    before = duel.table.scene
    with pytest.raises(WrongGrid):
        duel.do("scene.sync", scene=said(duel, grid={"kind": "gridless", "columns": 8, "rows": 8}))
    assert duel.table.scene == before


def test_a_token_that_is_there_twice_is_refused(duel: Duel):
    scene = said(duel)
    with pytest.raises(BadMessage, match="twice"):
        duel.do("scene.sync", scene={**scene, "tokens": [*scene["tokens"], scene["tokens"][0]]})
