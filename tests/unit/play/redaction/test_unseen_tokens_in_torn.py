"""Hidden miniatures in Torn, a game with many choices: the asked seats, and the log of the answers."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace
from tests.unit.play.redaction.secrets_table import MIA, RULESETS, SecretsTable, to_chance

from enfilade.errors import Forbidden, NotFound
from enfilade.rulesets.torn.catalog import UNITS
from enfilade.scene.model import GM, SPECTATOR, Grid, Scene, Seat, Side, Token

TORN = RULESETS["torn"]
ANN = Seat("player", "ann")
PROFILES = {unit.name: unit.profile for unit in UNITS}


def miniature(name, side, at, unit="Line Soldier", **more):
    token = Token(id=name, name=name.capitalize(), side=side, at=at, profile=PROFILES[unit], **more)
    return TORN.prepare_token(token)


BRAN = miniature("bran", "blue", (4, 4), owners=("mia",))
GOBLIN = miniature("goblin", "red", (9, 9), owners=("ann",))
SHADE = miniature("shade", "red", (4, 5), hidden=True)


def battle(*tokens, enforcement="enforce", **more):
    return SecretsTable(
        scene=Scene(
            ruleset="torn",
            grid=Grid("hex_even_q", 10, 10),
            enforcement=enforcement,
            tokens=tuple(sorted(tokens, key=lambda token: token.id)),
            sides=(Side(id="blue", name="Blue"), Side(id="red", name="Red")),
            **more,
        )
    )


def in_the_activation_of(name):
    return {"tracks": {"round": 1}, "conditions": {"first": "blue", "active": name}}


def questions(game, seat):
    """Return the questions that a seat sees during an act; the GM answers with no or with the default."""
    asked = []
    while choice := game.table.snapshot(GM).choice:
        asked.append(game.table.snapshot(seat).choice)
        keys = [option.key for option in choice.options]
        answer = "no" if "no" in keys else choice.default
        game.do("choice.answer", seat=GM, choice=choice.id, answer=answer)
    return asked


def test_rerolls_of_a_hidden_token_do_not_ask_its_side():
    """Else its players would hear that one of theirs is struck, and count its dice."""
    game = battle(BRAN, SHADE, GOBLIN)
    blow = {"kind": "melee", "token": "bran", "target": "shade", "weapon": "Mace"}
    assert "waiting" in game.do("act", seat=GM, act=blow).result
    waiting = game.table.snapshot(GM).choice.id
    with pytest.raises(NotFound, match="The table does not ask this"):
        game.do("choice.answer", seat=ANN, choice=waiting, answer="defend")
    assert set(questions(game, ANN)) == {None}


def test_no_player_decides_for_a_hidden_one_among_several_that_are_hit():
    """Three stand where the grenade falls: what one of them is asked is not another's to answer."""
    struck = [
        replace(GOBLIN, at=(6, 6)),
        miniature("a-shade", "red", (6, 7), hidden=True),
        miniature("zorc", "red", (7, 6), owners=("ann",)),
    ]
    game = battle(miniature("bran", "blue", (4, 4), "Doomed Grenadier"), *struck)
    throw = {"kind": "ranged", "token": "bran", "target": "goblin", "weapon": "Grenade"}
    done = game.do("act", seat=GM, act=throw)
    entry = []
    while "waiting" in done.result:
        choice, heard = (game.table.snapshot(seat).choice for seat in (GM, ANN))
        entry.append((choice.facts.get("target"), heard and heard.facts.get("target")))
        done = game.do("choice.answer", seat=GM, choice=choice.id, answer=choice.default)
    assert {heard for truly, heard in entry if truly == "a-shade"} <= {None}
    assert all(heard in (None, truly) for truly, heard in entry)


@pytest.mark.parametrize("enforcement", ["enforce", "advise"])
def test_a_step_past_a_hidden_token_is_logged_like_any_step(enforcement):
    games = [battle(BRAN, GOBLIN, *more, enforcement=enforcement) for more in ((), (SHADE,))]
    for game in games:
        game.do("token.move", token="bran", at=[4, 3])
        assert set(questions(game, MIA)) <= {None}
    for seat in (MIA, SPECTATOR):
        one, other = (msgspec.json.decode(to_chance(game, seat)) for game in games)
        assert (one["text"], one["facts"], one["events"]) == (other["text"], other["facts"], other["events"])
    assert "Bran uses Move" in games[1].log_text(MIA)


def test_a_move_with_a_choice_also_costs_as_its_player_sees_it():
    """A hidden token stands on the short path; a visible one may strike and does not."""
    goblin = replace(GOBLIN, at=(3, 4))
    barring = miniature("shade", "red", (4, 2), hidden=True)
    games = [
        battle(BRAN, goblin, *more, enforcement="advise", **in_the_activation_of("bran"))
        for more in ((), (barring,))
    ]
    for game in games:
        assert "waiting" in game.do("token.move", token="bran", at=[4, 1]).result
        questions(game, MIA)
    assert games[0].table.scene.token("bran") == games[1].table.scene.token("bran")
    assert to_chance(games[0], MIA) == to_chance(games[1], MIA)


def test_that_something_unseen_stops_a_move_is_said_once_and_when_it_does():
    barring = miniature("shade", "red", (4, 1), hidden=True)
    game = battle(BRAN, replace(GOBLIN, at=(3, 4)), barring, **in_the_activation_of("bran"))
    for _ in range(2):
        assert "waiting" in game.do("token.move", token="bran", at=[4, 1]).result
        assert game.table.seq == 0
        game.do("undo", seat=GM)
    game.do("token.move", token="bran", at=[4, 1])
    questions(game, MIA)
    for seat in (GM, MIA, SPECTATOR):
        assert game.log_text(seat).count("Something unseen stops Bran.") == 1
    assert game.table.scene.token("bran").at == (4, 2)


def test_starting_a_round_does_not_reveal_hidden_tokens():
    game = battle(replace(GOBLIN, conditions={"activated": ""}), SHADE, tracks={"round": 1})
    with pytest.raises(Forbidden, match="Only the GM may do this"):
        game.do("act", seat=ANN, act={"kind": "round", "token": "goblin"})
