"""A live Foundry scene over HTTP: one page speaks for it, and the table follows."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
import requests

ORIGIN = "https://vtt.example.org"
PROFILE = {"armor": "light", "race": "human", "hands": ["sword", "shield"]}


def token(name: str, x: int, y: int, **more: Any) -> dict[str, Any]:
    flags = {"enfilade": {"profile": PROFILE}}
    return {
        "_id": name.ljust(16, "0"),
        "name": name,
        "x": x,
        "y": y,
        "disposition": 1,
        "flags": flags,
        **more,
    }


def reading(*tokens: dict[str, Any], **more: Any) -> dict[str, Any]:
    grid = {"type": 1, "size": 100, "distance": 5, "units": "ft"}
    dimensions = {"sceneX": 300, "sceneY": 200, "sceneWidth": 1000, "sceneHeight": 600}
    board = {"name": "Yard", "width": 1000, "height": 600, "grid": grid, "dimensions": dimensions}
    return {**board, "tokens": list(tokens), **more}


class Page:
    """A page of Foundry's game master: a socket, and readings sent by HTTP."""

    def __init__(self, game, raw, name: str) -> None:
        self.game, self.raw, self.name = game, raw, name
        assert raw.next().startswith("40{")
        self.number: int | None = None

    def does(self, kind: str, **body: Any) -> Any:
        command = {"v": 1, "id": uuid.uuid4().hex, "kind": kind, "base": None, "body": body}
        return self.raw.ask("command", self.raw.counted(command))

    def claims(self) -> int | None:
        self.number = self.does("bridge.claim", page=self.name)["result"]["number"]
        return self.number

    def says(self, body: Any, part: str = "", number: int | None = None) -> Any:
        url = f"{self.game.url}/api/tables/{self.game.table}/foundry"
        asked = {"bridge": number or self.number, "part": part}
        key = {"Authorization": f"Bearer {self.game.gm_key}", "Origin": ORIGIN}
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return requests.post(url, params=asked, data=data, headers=key, timeout=10).json()

    def scene(self) -> Any:
        key = {"Authorization": f"Bearer {self.game.gm_key}"}
        return requests.get(
            f"{self.game.url}/api/tables/{self.game.table}/scene", headers=key, timeout=10
        ).json()

    def token(self, name: str) -> Any:
        return next(token for token in self.scene()["tokens"] if token["name"] == name)


@pytest.fixture
def page(game, connect):
    page = Page(game, connect(game, game.auth()), uuid.uuid4().hex)
    assert page.claims()
    yield page
    page.does("bridge.claim", page=None)


def test_a_scene_is_on_the_table_and_where_the_board_lies_is_said(page):
    answer = page.says(reading(token("Ann", 400, 200)))
    assert answer["ok"]
    assert answer["result"]["origin"] == {"left": 300, "top": 200, "size": 100}
    assert answer["result"]["unfit"] == []
    assert page.token("Ann")["at"] == [1, 0]


def test_the_same_scene_again_says_nothing_new(page):
    seq = page.says(reading(token("Ann", 400, 200)))["seq"]
    assert page.says(reading(token("Ann", 400, 200)))["seq"] == seq


def test_a_token_that_moves_is_judged_and_one_that_leaves_is_gone(page):
    page.says(reading(token("Ann", 400, 200), token("Bob", 600, 200)))
    answer = page.says(reading(token("Ann", 500, 200), gone=["Bob".ljust(16, "0")]), part="tokens")
    moved = answer["result"]["tokens"]["Ann".ljust(16, "0")]
    assert moved["ok"]
    assert moved["ruling"]["budget"] > 0
    assert [one["name"] for one in page.scene()["tokens"]] == ["Ann"]


def test_one_token_that_is_refused_does_not_hold_up_the_others(page):
    page.says(reading(token("Ann", 400, 200)))
    answer = page.says(reading(token("Odo", 500, 400, flags={}), token("Ann", 400, 300)), part="tokens")[
        "result"
    ]["tokens"]
    assert answer["Odo".ljust(16, "0")]["error"]["code"] == "bad-schema"
    assert page.token("Ann")["at"] == [1, 1]


def test_on_a_table_that_enforces_an_illegal_move_is_refused_with_the_reason(page):
    page.says(reading(token("Ann", 400, 200)))
    page.does("rules.set", house_rules={}, enforcement="enforce")
    answer = page.says(reading(token("Ann", 1200, 700)), part="tokens")["result"]["tokens"]
    assert answer["Ann".ljust(16, "0")]["error"]["code"] == "illegal-act"
    assert page.token("Ann")["at"] == [1, 0]
    page.does("rules.set", house_rules={}, enforcement="advise")


def test_tokens_of_another_scene_than_the_tables_are_refused(page):
    page.says(reading(token("Ann", 400, 200)))
    answer = page.says(reading(token("Ann", 500, 200), name="The cave"), part="tokens")
    assert answer["error"]["code"] == "stale-base"


def test_a_second_page_has_to_wait_until_the_first_is_gone(page, game, connect):
    second = Page(game, connect(game, game.auth()), "second")
    assert second.claims() is None
    assert second.says(reading(), number=7)["error"]["code"] == "other-bridge"
    page.does("bridge.claim", page=None)
    assert second.claims()
    assert page.says(reading())["error"]["code"] == "other-bridge"
    second.does("bridge.claim", page=None)
    assert page.claims()


def test_a_page_that_comes_back_over_a_new_connection_goes_on_with_a_higher_number(page, game, connect):
    before = page.number
    again = Page(game, connect(game, game.auth()), page.name)
    after = again.claims()
    assert before is not None
    assert after is not None
    assert after > before
    assert page.says(reading())["error"]["code"] == "other-bridge"
    again.does("bridge.claim", page=None)
    assert page.claims()


def test_a_bridge_ends_with_its_connection(page, game, connect):
    page.does("bridge.claim", page=None)
    other = Page(game, connect(game, game.auth()), "other")
    assert other.claims()
    other.raw.ws.close()
    for _ in range(100):
        if page.claims():
            return
    raise AssertionError("the bridge was never free")


def test_a_spectator_speaks_for_no_world(game, connect):
    watcher = Page(game, connect(game, game.auth("spectator")), "watcher")
    assert watcher.does("bridge.claim", page="watcher")["error"]["code"] == "forbidden"


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{}", b'{"grid": 1}', b'{"grid": {}, "dimensions": {}}', b"{" * 100_000, b"\xff", b"null"],
)
def test_a_broken_reading_is_refused_and_changes_nothing(page, body: bytes):
    page.says(reading(token("Ann", 400, 200)))
    before = page.scene()
    for part in ("", "tokens"):
        assert page.says(body, part=part)["error"]["code"] == "bad-file"
    assert page.scene() == before


def test_a_page_of_foundry_may_ask_first_whether_it_may_send(game):
    url = f"{game.url}/api/tables/{game.table}/foundry"
    asked = {
        "Origin": ORIGIN,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type",
    }
    answer = requests.options(url, headers=asked, timeout=10)
    assert answer.ok
    assert answer.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert "Authorization" in answer.headers["Access-Control-Allow-Headers"]
