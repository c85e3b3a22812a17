"""Logs and tables of versions whose players contributed to the dice: they verify, and go on.

`recorded/with-contributions.log` was exported then: two exchanges, in the second of which Bo gave nothing.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.property.fair_dice.logs import RecordedGame
from tests.property.fair_dice.tamper import resealed, values_of

from enfilade.cli.verify import verify
from enfilade.errors import BadMessage
from enfilade.messages.load import load_command
from enfilade.scene.model import GM, SPECTATOR
from enfilade.scene.proofs import ChainOpened, IndexUsed
from enfilade.store.protocol import DiceContributions

RECORDED = (Path(__file__).parent / "recorded" / "with-contributions.log").read_bytes()


@pytest.fixture
def game():
    return RecordedGame()


def used(game):
    return [entry.dice for entry in game.entries() if isinstance(entry.dice, IndexUsed)]


def test_a_recorded_log_with_contributions_verifies():
    report = verify(RECORDED)
    assert (report.holds, report.rolled, report.with_players, report.withheld) == (True, 3, 3, 1)


@pytest.mark.parametrize(
    "what", ["value", "commitment", "seat", "players", "left out", "withheld", "no commitment"]
)
def test_every_change_to_a_contribution_is_caught(what):
    values = values_of(RECORDED)
    committed, given = (
        next(v for v in values if v.get("kind") == f"dice.{kind}") for kind in ("committed", "given")
    )
    part = given["dice"]["parts"][0]
    if what in ("value", "commitment"):
        part[what] = f"{int(part[what][0], 16) ^ 1:x}{part[what][1:]}"
    elif what == "seat":
        part["seat"] = "cleo"
    elif what == "players":
        given["dice"]["players"] = "0" * 64
    elif what == "withheld":
        part["value"] = ""
    else:
        values[values.index(committed if what == "no commitment" else given)]["dice"] = None
    assert not verify(resealed(values)).holds


def test_a_chain_that_began_with_contributions_keeps_them_until_it_ends(game):
    """Its log says that they are in the dice; the next chain begins without them."""
    before = DiceContributions(players_hash="ab" * 32, seats=("ann",))
    game.table._state = replace(game.table._state, parts=before)
    game.attack_to_the_end()
    assert used(game)[-1].players == game.table.snapshot(SPECTATOR).dice.players == "ab" * 32
    game.seeds._secrets.clear()
    game.enter()
    assert isinstance(game.entries()[-1].dice, ChainOpened)
    game.attack_to_the_end()
    assert used(game)[-1].players == game.table.snapshot(GM).dice.players == ""


def test_a_new_table_has_no_contributions_and_its_log_verifies(game):
    game.attack_to_the_end()
    report = verify(game.log())
    assert (report.holds, report.with_players) == (True, 0)


def test_nobody_contributes_any_more():
    with pytest.raises(BadMessage):
        load_command({"v": 1, "id": "a", "kind": "dice.contribute", "body": {"reveal": None}})


def test_a_log_from_before_contributions_verifies(game):
    """Notes as they were written then: without the players' parts, and without a chain of hidden rolls."""
    game.attack_to_the_end()
    values = values_of(game.log())
    for value in values:
        for name in ("players", "is_hidden", "hidden"):
            (value.get("dice") or {}).pop(name, None)
    assert verify(resealed(values)).holds
