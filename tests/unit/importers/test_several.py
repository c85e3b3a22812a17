"""Files with several scenes: adventures, compendiums and lists offer their scenes by name."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.unit.importers.maps import foundry, points, read, universal_vtt

from enfilade.errors import BadFile
from enfilade.importers import SceneEntry, SeveralScenes

INN, MILL = foundry(name="Inn"), foundry(name="Mill", width=700, height=510)
ADVENTURE = {"name": "The road", "scenes": [INN, MILL], "actors": [{"name": "Orc"}], "items": []}
LINES = "\r\n".join(json.dumps(one) for one in (INN, {"name": "Orc", "type": "npc"}, MILL)).encode() + b"\n"


def offered(raw: Any) -> tuple[SceneEntry, ...]:
    with pytest.raises(SeveralScenes) as caught:
        read(raw)
    return caught.value.scenes


@pytest.mark.parametrize(
    "raw", [ADVENTURE, [INN, {"name": "Orc"}, 3, MILL], LINES], ids=["adventure", "list", "lines"]
)
def test_a_file_with_several_scenes_offers_them_with_their_sizes(raw: Any):
    assert offered(raw) == (SceneEntry("Inn", 10, 6), SceneEntry("Mill", 7, 6))
    assert read(raw, scene="Mill").scene.name == "Mill"
    assert read(raw, scene="mILL").scene.grid.columns == 7
    assert "The file has 2 scenes; this is one of them." in read(raw, scene="Inn").notes


def test_the_refusal_counts_and_names_the_scenes():
    with pytest.raises(
        BadFile, match=r"This file has 2 scenes. Choose one by its name: Inn \(10 x 6\), Mill"
    ):
        read(ADVENTURE)
    with pytest.raises(BadFile, match=r"No scene of the file has the name Tower\. It has 2: Inn, Mill\."):
        read(ADVENTURE, scene="Tower")


@pytest.mark.parametrize("raw", [[INN], {"name": "The road", "scenes": [INN]}])
def test_an_only_scene_needs_no_name(raw: Any):
    assert read(raw).scene.name == "Inn"


def test_scenes_without_a_name_of_their_own_are_numbered():
    before_10 = {"grid": 50, "width": 300, "height": "200", "walls": []}
    uvtt = universal_vtt(line_of_sight=[points((0, 0), (1, 1))])
    scenes = [INN, INN, {**MILL, "name": None}, before_10, uvtt, {"grid": {}, "width": "wide"}]
    assert offered(scenes) == (
        SceneEntry("Inn", 10, 6),
        SceneEntry("Inn (2)", 10, 6),
        SceneEntry("Scene 3", 7, 6),
        SceneEntry("Scene 4", 6, 4),
        SceneEntry("Scene 5", 10, 8),
        SceneEntry("Scene 6", 0, 0),
    )
    assert read(scenes, scene="Scene 5").kind == "universal-vtt"
    assert read(scenes, scene="Inn (2)").scene.name == "Inn"


@pytest.mark.parametrize("raw", [[], [3], {"scenes": []}, {"scenes": [{"name": "Orc"}]}, [[INN]]])
def test_a_list_without_a_scene_is_refused(raw: Any):
    with pytest.raises(BadFile):
        read(raw)


def test_a_broken_line_is_refused():
    with pytest.raises(BadFile, match="This is not JSON"):
        read(LINES + b"{")
