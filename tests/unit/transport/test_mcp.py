"""The MCP server: a real client starts it, lists its tools and calls each, with one seat's view."""

from __future__ import annotations

import asyncio
import json
import os
import sys

import pytest

from enfilade.client.http import Client
from enfilade.errors import BadMessage, Forbidden, NotFound
from enfilade.messages.overlays import TableFactsSchema

mcp = pytest.importorskip("mcp")

CANARY = "Canary Of The Hidden"
TOOLS = [
    "facts",
    "distances",
    "reach",
    "verdict",
    "odds",
    "threat",
    "decision_map",
    "focus_fire",
    "forecast",
    "log",
]


@pytest.fixture
def gm(game):
    return Client(game.url, game.table, game.gm_key)


@pytest.fixture
def hidden(gm):
    """Place a hidden token with a name that no other seat may read; return its cell."""
    token = next(token for token in gm.scene()["tokens"] if token["at"])
    at = [0, 0]
    new = {"id": "canary-id", "name": CANARY, "hidden": True, "at": at}
    gm.send("token.place", {"token": {"side": token["side"], "profile": token["profile"], **new}})
    yield at
    gm.send("token.remove", {"token": "canary-id"})


def ask(game, key, calls):
    """Start `enfilade mcp` with a key, and return the tools that it lists and the text of each call."""

    async def session():
        command = mcp.StdioServerParameters(
            command=sys.executable,
            args=["-m", "enfilade", "mcp", "--url", game.url, "--table", game.table],
            env={**os.environ, "ENFILADE_KEY": key},
        )
        async with mcp.stdio_client(command) as streams, mcp.ClientSession(*streams) as client:
            await client.initialize()
            tools = [tool.name for tool in (await client.list_tools()).tools]
            results = [await client.call_tool(name, arguments) for name, arguments in calls]
            return tools, ["".join(part.text for part in result.content) for result in results]

    return asyncio.run(asyncio.wait_for(session(), 60))


def calls_about(token, other):
    return [
        ("facts", {}),
        ("distances", {"token": token}),
        ("reach", {"token": token}),
        ("verdict", {"token": token, "target": other}),
        ("odds", {"token": token}),
        ("threat", {"token": token}),
        ("decision_map", {"token": token}),
        ("focus_fire", {"target": other, "attackers": [token]}),
        ("forecast", {"continuations": 2}),
        ("log", {"entries": 5}),
    ]


def test_a_real_client_lists_and_calls_each_tool_with_the_gms_view(game, gm, hidden):
    scene = gm.scene()
    token = next(one for one in scene["tokens"] if one["at"] and one["id"] != "canary-id")
    other = next(one for one in scene["tokens"] if one["at"] and one["side"] != token["side"])
    tools, texts = ask(game, game.gm_key, calls_about(token["id"], other["id"]))
    assert tools == TOOLS
    answers = [json.loads(text) for text in texts]
    assert CANARY in {one["name"] for one in answers[0]["tokens"]}
    assert answers[2]["reach"]["cells"]
    assert answers[3]["sentence"]
    assert answers[4]["acts"]
    assert answers[6]["cells"]
    assert answers[7]["target"] == other["id"]
    assert answers[8]["played"] == 2


def test_a_spectators_client_never_receives_a_hidden_name_id_or_count(game, gm, hidden):
    token = next(one for one in gm.scene()["tokens"] if one["at"] and one["id"] != "canary-id")
    calls = [
        *calls_about(token["id"], "canary-id"),
        ("verdict", {"token": "canary-id", "target": token["id"]}),
    ]
    _, texts = ask(game, game.spectator_key, calls)
    said = " ".join(texts)
    assert CANARY not in said
    assert said.count("canary-id") == said.count("'canary-id'"), "only the refusals repeat what was asked for"
    shown = json.loads(texts[0])["tokens"]
    assert len(shown) == len([one for one in gm.scene()["tokens"] if not one["hidden"]])


@pytest.fixture
def player(game, gm):
    """Seat a player who owns one token; return the key and the token."""
    invitation = gm.request("POST", "invitations", json={"role": "player"})
    joined = gm.request("POST", "seats", json={"invitation": invitation["secret"], "name": "Mia"})
    token = next(one for one in gm.scene()["tokens"] if one["at"] and one["id"] != "canary-id")
    body = {"tokens": [token["id"]]}
    gm.request("POST", f"seats/{joined['seat']}/approve", json=body)
    return joined["key"], token


def test_a_players_client_never_receives_a_hidden_name_id_position_or_count(game, gm, hidden, player):
    key, own = player
    other = next(one for one in gm.scene()["tokens"] if one["at"] and one["side"] != own["side"])
    calls = calls_about(own["id"], other["id"])
    _, with_hidden = ask(game, key, calls)
    said = " ".join(with_hidden)
    assert CANARY not in said
    assert "canary-id" not in said
    answers = [json.loads(text) for text in with_hidden]
    assert all(one["at"] != hidden for one in answers[0]["tokens"])
    assert len(answers[8]["tokens"]) == len([t for t in answers[0]["tokens"] if t["at"]])
    gm.send("token.remove", {"token": "canary-id"})
    _, without = ask(game, key, calls[:-2])
    assert _without_seq(with_hidden[:-2]) == _without_seq(without)
    side, profile = own["side"], own["profile"]
    again = {"id": "canary-id", "name": CANARY, "hidden": True, "at": hidden}
    gm.send("token.place", {"token": {"side": side, "profile": profile, **again}})


def _without_seq(texts):
    """Return answers without the number of the entry, which counts only what the seat knows of."""
    return [{k: v for k, v in json.loads(text).items() if k != "seq"} for text in texts]


def test_facts_are_those_of_the_keys_view(game, gm, hidden):
    watcher = Client(game.url, game.table, game.spectator_key)
    found = watcher.facts(log=3)
    assert not TableFactsSchema().validate(found)
    assert not TableFactsSchema().validate(gm.facts(gm.facts()["tokens"][0]["token"], log=200))
    assert CANARY not in str(found)
    assert CANARY in str(gm.facts())
    with pytest.raises(NotFound):
        watcher.facts("canary-id")
    with pytest.raises(BadMessage):
        gm.facts(log=201)


def test_a_wrong_key_gets_nothing(game):
    _, texts = ask(game, "wrong", [("facts", {})])
    assert "tokens" not in texts[0]
    with pytest.raises((Forbidden, NotFound)):
        Client(game.url, game.table, "wrong").facts()
