"""Activations of the kit: every miniature once a round, the sides in turn, ties broken by dice."""

from __future__ import annotations

import pytest

from enfilade.rules.kit import (
    active_token,
    clear_round,
    finish_activation,
    not_activated,
    side_after,
    side_from,
    win_initiative,
)
from enfilade.rules.kit.activations import MAX_ROLL_OFFS
from enfilade.rules.procedures import Outcome
from enfilade.rules.resolve import Answers, resolve
from enfilade.scene.model import Grid, Scene, Side, Token

SIDES = tuple(Side(id=name, name=name.title()) for name in ("blue", "green", "red"))


def scene(*tokens, active=""):
    """Return a scene; a token is (ID, side, conditions)."""
    made = tuple(
        Token(id=i, name=i, side=side, conditions=dict.fromkeys(has, ""), tracks={"slow": 1})
        for i, side, has in tokens
    )
    conditions = {"active": active} if active else {}
    return Scene(ruleset="x", grid=Grid("square", 4, 4), sides=SIDES, tokens=made, conditions=conditions)


def run(at, steps, *arguments, faces=()):
    """Run a step of the kit as a procedure; return its result and the scene after it."""
    results = []

    def procedure(at):
        results.append((yield from steps(at, *arguments)))
        return Outcome("done")

    resolved = resolve(at, procedure, (), Answers(faces=faces))
    return results[-1], resolved.scene


def test_the_active_and_the_activated_and_the_lost_miniatures_are_not_left():
    at = scene(("a", "blue", ["activated"]), ("b", "blue", []), ("c", "blue", ["out"]), active="b")
    assert (active_token(at).id, not_activated(at)) == ("b", [])
    assert active_token(scene(("a", "blue", []))) is None
    assert active_token(scene(("a", "blue", []), active="gone")) is None


def test_the_miniatures_that_are_left_come_side_by_side_in_the_tables_order():
    at = scene(("a", "red", []), ("b", "blue", []), ("c", "red", []), ("d", "blue", ["activated"]))
    assert [token.id for token in not_activated(at)] == ["b", "a", "c"]


def test_sides_follow_each_other_in_the_order_of_the_table_and_skip_those_that_are_done():
    at = scene(("a", "blue", []), ("b", "green", ["activated"]), ("c", "red", []))
    assert [side_after(at, side) for side in ("blue", "green", "red")] == ["red", "red", "blue"]
    found = [side_from(at, side) for side in ("blue", "green", None, "gone")]
    assert found == ["blue", "red", "blue", "blue"]
    over = scene(("a", "blue", ["activated"]))
    assert (side_after(over, "blue"), side_from(over, "blue")) == (None, None)


def test_an_activation_ends_and_a_round_clears_what_ends_with_it():
    at = scene(("a", "blue", ["braced", "stunned"]), active="a")
    _, after = run(at, finish_activation, "a")
    assert (active_token(after), set(after.token("a").conditions)) == (
        None,
        {"activated", "braced", "stunned"},
    )
    _, cleared = run(after, clear_round, ("activated", "braced"), ("slow",))
    assert (set(cleared.token("a").conditions), dict(cleared.token("a").tracks)) == ({"stunned"}, {})


@pytest.mark.parametrize(
    ("tied", "faces", "winner"),
    [
        (["red"], (), "red"),
        (["blue", "red"], (2, 5), "red"),
        (["blue", "green", "red"], (5, 1, 5, 6, 2), "blue"),
        (["blue", "red"], (3, 3) * MAX_ROLL_OFFS, "blue"),
    ],
)
def test_tied_sides_roll_until_one_wins_or_the_order_decides(tied, faces, winner):
    assert run(scene(), win_initiative, tied, faces=faces)[0] == winner
