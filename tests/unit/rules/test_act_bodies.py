"""The bodies of acts: what only acts of one kind say."""

from __future__ import annotations

from typing import Annotated

import pytest
from msgspec import Meta
from tests.example import FIRST_BLOOD

from enfilade.errors import BadMessage
from enfilade.rules.procedures import Act, body_of
from enfilade.rules.profiles import read_act
from enfilade.rules.ruleset import ActKind
from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from enfilade.rulesets.knights_of_valour.turn import Intent
from enfilade.scene.model import Value


class Shout(Value, frozen=True):
    """The body of a shout."""

    text: Annotated[str, Meta(max_length=5)] = "Hey"
    times: Annotated[int, Meta(ge=1, le=3)] = 1


SHOUT = ActKind("Shout", FIRST_BLOOD.acts["pass"].procedure, body=Shout)
LOUD = type("Loud", (), {"acts": {**FIRST_BLOOD.acts, "shout": SHOUT}})


def test_a_body_is_read_in_the_shape_of_its_kind():
    act = read_act(LOUD, {"kind": "shout", "token": "a", "body": {"text": "Run", "times": 2}})
    assert act == Act(kind="shout", token="a", body=Shout("Run", 2))
    assert hash(act.body) == hash(Shout("Run", 2))


@pytest.mark.parametrize("given", [{}, {"body": None}, {"body": {}}])
def test_an_act_without_a_body_has_the_defaults(given):
    assert read_act(LOUD, {"kind": "shout", **given}).body == Shout()


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"text": "Too long"}, "act.body.text"),
        ({"times": 0}, "act.body.times"),
        ({"times": "2"}, "act.body.times"),
        ({"volume": 11}, "act.body.volume"),
    ],
)
def test_a_wrong_body_is_refused_with_the_path_of_the_field(body, path):
    with pytest.raises(BadMessage) as refused:
        read_act(LOUD, {"kind": "shout", "body": body})
    assert list(refused.value.fields) == [path]


@pytest.mark.parametrize("kind", ["pass", "unknown"])
def test_a_body_is_refused_where_its_kind_declares_none(kind):
    with pytest.raises(BadMessage) as refused:
        read_act(LOUD, {"kind": kind, "body": {"text": "Hey"}})
    assert list(refused.value.fields) == ["act.body"]
    assert read_act(LOUD, {"kind": kind, "body": {}}).body is None


def test_body_of_returns_the_defaults_for_an_act_made_without_a_body():
    assert body_of(Act(kind="intent"), Intent) == Intent("")
    assert body_of(Act(kind="intent", body=Intent("hold")), Intent).text == "hold"


def test_an_intent_of_more_than_200_characters_is_refused():
    read_act(KNIGHTS_OF_VALOUR, {"kind": "intent", "body": {"text": "x" * 200}})
    with pytest.raises(BadMessage):
        read_act(KNIGHTS_OF_VALOUR, {"kind": "intent", "body": {"text": "x" * 201}})
