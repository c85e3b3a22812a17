"""Names, notes and pictures' addresses come in as text on one line."""

from __future__ import annotations

import pytest

from enfilade.errors import BadMessage
from enfilade.messages.load import load_command
from enfilade.messages.members import name

PLACE = {"id": "orc", "side": "red", "at": [1, 1]}


def place(**more):
    body = {"token": {**PLACE, "name": "Orc", **more}}
    return load_command({"v": 1, "id": "c", "kind": "token.place", "body": body})


@pytest.mark.parametrize("bad", ["Orc\n2", "Orc\x00", "\u202eOrc", "Orc\u2066x", "Orc\x85", "Orc\u2028"])
def test_a_name_with_a_line_break_or_a_turn_of_direction_is_refused(bad):
    with pytest.raises(BadMessage) as refusal:
        place(name=bad)
    assert "one line" in str(refusal.value.fields)
    for kind, body in (
        ("note", {"text": bad}),
        ("sides.set", {"sides": [{"id": "red", "name": bad}]}),
    ):
        with pytest.raises(BadMessage):
            load_command({"v": 1, "id": "c", "kind": kind, "body": body})


@pytest.mark.parametrize("good", ["Ork 3", "Œuf à la coque", "龍", "عفريت", "👩‍🚀 Zoë", ""])
def test_names_of_all_languages_are_taken(good):
    assert place(name=good).body["token"]["name"] == good


@pytest.mark.parametrize(
    "bad",
    ["https://example.org/a.png", "//example.org/a.png", "javascript:alert(1)", "data:text/html,x", "a.png"],
)
def test_a_picture_is_on_this_server(bad):
    with pytest.raises(BadMessage):
        place(image=bad)


@pytest.mark.parametrize(
    "good",
    [
        "",
        "/api/tables/t/assets/a1",
        "/api/tables/t/assets/a1#xywh=pixel:1,2,30,40",
        "data:image/png;base64,AA==",
    ],
)
def test_a_picture_is_an_asset_or_a_small_image(good):
    assert place(image=good).body["token"]["image"] == good


@pytest.mark.parametrize("bad", ["GM", "gm", " G.M. ", "", "  ", "\u200b", "\u3164", "a\nb"])
def test_no_member_is_called_gm_or_nothing(bad):
    with pytest.raises(Exception, match="40 characters"):
        name().deserialize(bad)


@pytest.mark.parametrize("good", ["Gmork", "Mag", "GM Anna", "Jörg", "李"])
def test_members_have_names_of_all_kinds(good):
    assert name().deserialize(good) == good
