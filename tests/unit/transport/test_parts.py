"""Commands in parts over a socket: a GM's scene that is larger than a message."""

from __future__ import annotations

import json
import uuid
from typing import Any

import gevent
import pytest
from tests.contract import differences
from tests.unit.transport.test_socketio import Player

from enfilade.errors import BadMessage, RateLimited
from enfilade.messages.load import Part
from enfilade.runtime.config import Limits
from enfilade.scene.model import GM
from enfilade.transport.limits.connections import UploadMemory
from enfilade.transport.limits.rate import RateLimiter
from enfilade.transport.socketio.parts import PartialCommands

LETTERS = 30_000
LIMITS = Limits(scene_bytes=100, total_upload_bytes=150)


@pytest.fixture
def gm(game, connect):
    return Player(connect(game, game.auth()))


def large_scene(player: Player, walls: int) -> dict[str, Any]:
    """The table's scene with so many walls."""
    wall = {"move": "normal", "sight": "normal", "one_way": "both", "door": "none", "state": "closed"}
    lines = [{**wall, "id": f"w{i}", "line": [i % 500, 0, 64 + i // 500, 320]} for i in range(walls)]
    return {**player.greeting["body"]["scene"], "walls": lines}


def send_parts(player: Player, command: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Send a command in parts; return the last answer, or the first that refuses one."""
    text = json.dumps(command)
    pieces = [text[start : start + LETTERS] for start in range(0, len(text), LETTERS)]
    for number, piece in enumerate(pieces):
        part = {"v": 1, "id": command["id"], "part": number, "parts": len(pieces), "text": piece, **changes}
        answer: dict[str, Any] = player.raw.call("part", player.raw.add_number(part))
        assert not differences("ack", answer)
        assert answer["id"] == part["id"]
        if not answer["ok"]:
            return answer
    return answer


def scene_set(player: Player, walls: int, kind: str = "scene.set") -> dict[str, Any]:
    body = {"scene": large_scene(player, walls)}
    return {"v": 1, "id": uuid.uuid4().hex, "kind": kind, "base": None, "body": body}


def test_a_scene_larger_than_a_message_is_set_in_parts_and_once(gm):
    command = scene_set(gm, 3_000)
    assert len(json.dumps(command)) > 4 * 64 * 1024
    answer = send_parts(gm, command)
    assert answer["ok"]
    assert answer["seq"] == gm.greeting["seq"] + 1
    again = send_parts(gm, command)
    assert (again["dup"], again["seq"]) == (True, answer["seq"])
    assert gm.step(1)["ok"]


def test_a_scene_is_synchronized_in_parts(gm):
    answer = send_parts(gm, scene_set(gm, 2_000, "scene.sync"))
    assert (answer["ok"], answer["seq"]) == (True, gm.greeting["seq"] + 1)
    assert send_parts(gm, scene_set(gm, 2_000, "scene.sync"))["seq"] == answer["seq"]


def test_a_part_that_is_missing_is_refused_and_part_0_begins_anew(gm):
    command = scene_set(gm, 300)
    text = json.dumps(command)
    half = len(text) // 2
    envelope = {"v": 1, "id": command["id"], "parts": 2}

    def send(part, piece):
        return gm.raw.call("part", gm.raw.add_number({**envelope, "part": part, "text": piece}))

    refused = send(1, text[half:])
    assert refused["error"]["fields"] == {
        "part": ["A part of this command is missing. Send all its parts again, from part 0."]
    }
    assert send(0, text[:half])["ok"]
    assert send(0, text[:half])["ok"]
    assert send(1, text[half:])["ok"]
    assert not send(1, text[half:])["ok"]


def test_only_a_gm_sends_parts_and_only_of_a_scene(game, connect, gm):
    spectator = Player(connect(game, game.auth("spectator")))
    assert send_parts(spectator, scene_set(spectator, 1))["error"]["code"] == "forbidden"
    move = {
        "v": 1,
        "id": "m",
        "kind": "token.move",
        "base": None,
        "body": {"token": gm.token["id"], "at": [0, 0]},
    }
    assert "Only scene.set and scene.sync" in send_parts(gm, move)["error"]["sentence"]
    other = {**scene_set(gm, 1), "id": "one"}
    assert "under the ID of the command" in send_parts(gm, other, id="two")["error"]["sentence"]


@pytest.mark.parametrize(
    "changes", [{"v": 2}, {"part": -1}, {"parts": 0}, {"text": ""}, {"text": 5}, {"extra": 1}, {"id": ""}]
)
def test_a_malformed_part_is_refused_with_its_fields(gm, changes):
    part = {"v": 1, "id": "p", "part": 0, "parts": 1, "text": "{}", **changes}
    answer = gm.raw.call("part", gm.raw.add_number(part))
    assert answer["error"]["code"] == "bad-schema"
    assert list(answer["error"]["fields"]) == list(changes)
    assert gm.step(1)["ok"]


def test_text_that_is_no_json_is_refused(gm):
    part = {"v": 1, "id": "p", "part": 0, "parts": 1, "text": '{"v": 1, '}
    answer = gm.raw.call("part", gm.raw.add_number(part))
    assert answer["error"]["code"] == "bad-file"


def test_a_part_counts_among_the_messages_of_its_connection(gm):
    part = {"v": 1, "id": "p", "part": 0, "parts": 2, "text": "{", "n": 7}
    assert gm.raw.call("part", part)["error"]["code"] == "out-of-order"


@pytest.fixture
def memory():
    return UploadMemory(LIMITS)


@pytest.fixture
def quota():
    limiter = RateLimiter(LIMITS)
    return lambda table: limiter.quota(table, GM, "192.0.2.7")


def part(number: int, parts: int = 9, text: str = "x" * 40) -> Part:
    return Part("c", number, parts, text)


def test_a_command_has_16_mib_at_most_and_its_memory_is_free_again(memory, quota):
    commands = PartialCommands(LIMITS, memory)
    for _ in range(3):
        assert commands.add("a", quota("t"), part(0)) is None
        assert commands.add("a", quota("t"), part(1)) is None
        with pytest.raises(BadMessage):
            commands.add("a", quota("t"), part(2))
    memory.reserve(150)


def test_the_parts_of_all_tables_share_the_memory_for_uploads(memory, quota):
    commands = PartialCommands(LIMITS, memory)
    for sid in ("a", "b", "c"):
        commands.add(sid, quota(sid), part(0))
    with pytest.raises(RateLimited):
        commands.add("d", quota("d"), part(0))
    commands.drop("a")
    assert commands.add("d", quota("d"), part(0)) is None


def test_a_seat_sends_one_command_in_parts_at_a_time_until_it_ends_or_its_connection_does(memory, quota):
    commands = PartialCommands(LIMITS, memory)
    seat = quota("t")
    commands.add("a", seat, part(0))
    with pytest.raises(RateLimited):
        commands.add("b", seat, part(0))
    commands.drop("a")
    assert commands.add("b", seat, part(0, parts=1, text="whole")) == b"whole"
    assert commands.add("a", seat, part(0)) is None


def test_parts_that_stay_away_for_five_minutes_are_forgotten(memory, quota):
    commands = PartialCommands(LIMITS, memory, seconds=0.001)
    commands.add("a", quota("t"), part(0))
    gevent.sleep(0.02)
    with pytest.raises(BadMessage):
        commands.add("a", quota("t"), part(1))
    assert commands.add("b", quota("t"), part(0)) is None
