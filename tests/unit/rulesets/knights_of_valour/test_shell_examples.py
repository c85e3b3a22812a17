"""The worked examples of Knights of Valour, asked through the command line."""

from __future__ import annotations

import json

import pytest

from tests.unit.rulesets.knights_of_valour.scenes import hero, in_round, monster, patch, scene

SLING = {"name": "Sling", "kind": "ranged", "close": 10, "maximum": 15, "sides": 4}


@pytest.fixture
def resolve(ask):
    def resolved(board, act, faces=(), answers=None):
        options = ["--faces", ",".join(map(str, faces))] if faces else []
        options += ["--answers", json.dumps(answers)] if answers else []
        return ask(board, "resolve", "--act", json.dumps(act), *options)

    return resolved


def thrower(strength, squares, **sheet):
    sheet = {"hands": ["Throwing spear"], "proficiency": {"Throwing spear": 1}, "strength": strength, **sheet}
    return scene(hero("wren", (1, 3), **sheet), monster("orc", (1 + squares, 3)), size=(30, 8))


def throw(weapon="Throwing spear"):
    return {"kind": "ranged", "token": "wren", "target": "orc", "weapon": weapon}


def target_of(ask, board, token, kind):
    found = ask(board, "overlay", "--token", token, "--layers", "targets")
    return next(t for t in found["targets"] if t["act"]["kind"] == kind)


@pytest.mark.rule("KOV-014", "KOV-015", "KOV-066")
@pytest.mark.parametrize(("strength", "close", "maximum"), [(2, 6, 14), (-3, 1, 9)])
def test_kov_t01_and_t02_the_effective_ranges_of_a_throwing_spear(ask, resolve, strength, close, maximum):
    assert len(resolve(thrower(strength, close), throw(), (2,))["facts"]["rolls"][0]["faces"]) == 1
    for squares in (close + 1, maximum):
        rolls = resolve(thrower(strength, squares), throw(), (2, 3))["facts"]["rolls"]
        assert len(rolls[0]["faces"]) == 2
    assert not target_of(ask, thrower(strength, maximum + 1), "wren", "ranged")["legal"]


@pytest.mark.rule("KOV-016", "KOV-017", "KOV-018")
def test_kov_t03_a_range_of_zero(ask, resolve):
    sheet = {"hands": ["Sling"], "weapons": [SLING], "proficiency": {"Sling": 1}}
    assert not target_of(ask, thrower(-3, 1, **sheet), "wren", "ranged")["legal"]
    found = resolve(thrower(-2, 1, **sheet), throw("Sling"), (2, 3))
    assert found["facts"]["disadvantage"] == "Disadvantage: the Close Range is 0"


@pytest.mark.rule("KOV-021", "KOV-022")
@pytest.mark.parametrize(
    ("attacker", "defender", "modifier"),
    [
        ("tall", "short", -2),
        ("short", "short", 0),
        ("average", "short", -1),
        ("short", "average", 1),
        ("average", "average", 0),
        ("tall", "average", -1),
        ("short", "tall", 2),
        ("average", "tall", 1),
        ("tall", "tall", 0),
    ],
)
def test_kov_t04_and_t05_the_size_modifier(resolve, attacker, defender, modifier):
    board = scene(hero("aldis", (3, 3), size=attacker), monster("orc", (4, 3), size=defender, agility=5))
    act = {"kind": "melee", "token": "aldis", "target": "orc", "weapon": "Sword"}
    found = resolve(board, act, (2,))
    assert [m["value"] for m in found["facts"]["modifiers"]] == [1, 0, modifier]
    assert found["facts"]["total"] == 3 + modifier


@pytest.mark.rule("KOV-026", "KOV-027", "KOV-028", "KOV-029")
@pytest.mark.parametrize(
    ("tokens", "answers", "expected"),
    [
        ([hero("a", agility=1), hero("b", agility=2)], None, ["b", "a"]),
        ([monster("a", agility=1), hero("b", agility=1)], None, ["b", "a"]),
        (
            [hero("a", agility=3), hero("b", agility=2), monster("c", agility=1)],
            ["someone", "2", "0"],
            ["b", "a", "c"],
        ),
    ],
)
def test_kov_t06_to_t08_the_order_of_turns(resolve, tokens, answers, expected):
    found = resolve(scene(*tokens), {"kind": "round"}, answers=answers)
    assert [one["token"] for one in found["facts"]["order"]] == expected


@pytest.mark.rule("KOV-056", "KOV-019")
def test_kov_t11_the_damage_of_a_sword(resolve):
    board = scene(hero("aldis", (3, 3), strength=2), monster("orc", (4, 3)))
    act = {"kind": "melee", "token": "aldis", "target": "orc", "weapon": "Sword"}
    assert resolve(board, act, (15, 5))["outcome"]["damage"] == 7


@pytest.mark.rule("KOV-041")
@pytest.mark.parametrize(("height", "allowed"), [(6, True), (5, True), (4, False)])
def test_kov_t14_a_leap_over_ten_feet(ask, height, allowed):
    gap = patch("gap", *[(x, y) for x in (4, 5) for y in range(12)])
    board = in_round(scene(hero("aldis", (3, 3), height=height), terrain=[gap]), "aldis")
    act = json.dumps({"kind": "move", "token": "aldis", "at": [6, 3]})
    found = ask(board, "resolve", "--act", act, *([] if allowed else ["--override"]))
    assert found["facts"]["allowed"] is allowed
    assert found["facts"]["sub_actions"] == ([["leap", 10], ["walk", 5]] if allowed else [])


@pytest.mark.rule("KOV-043", "KOV-044")
@pytest.mark.parametrize(("drop", "cost"), [(6, 0), (7, 14)])
def test_kov_t15_a_descent(resolve, drop, cost):
    ledge = patch("raised", *[(3, y) for y in range(12)], height=drop)
    board = in_round(scene(hero("aldis", (3, 3), height=6), terrain=[ledge]), "aldis")
    found = resolve(board, {"kind": "move", "token": "aldis", "at": [4, 3]})
    assert found["facts"]["sub_actions"] == [["walk", 5], ["descend", cost]]


@pytest.mark.rule("KOV-036", "KOV-037")
def test_kov_t16_two_enemies_attack_before_the_move(resolve):
    board = scene(hero("aldis", (5, 5)), monster("orc", (4, 5)), monster("troll", (4, 6)))
    found = resolve(in_round(board, "aldis"), {"kind": "move", "token": "aldis", "at": [7, 5]}, (2, 3))
    assert [roll["faces"] for roll in found["facts"]["rolls"]] == [[2], [3]]
    assert found["text"].count("Attack of Opportunity by") == 2
    moved = next(token for token in found["scene"]["tokens"] if token["id"] == "aldis")
    assert moved["at"] == [7, 5]
