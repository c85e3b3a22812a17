"""The seats that an open choice asks, and its text for each: as if hidden things were not there."""

from __future__ import annotations

from dataclasses import replace as replace_field

import msgspec
import pytest
from msgspec.structs import replace
from tests.unit.play.redaction.secrets_table import BANNER, MIA, ORC, RULESETS, WRAITH, SecretsTable

from enfilade.errors import NotFound
from enfilade.rules.dice import D6
from enfilade.rules.procedures import Roll
from enfilade.rules.resolve import WrongAnswer
from enfilade.rules.ruleset import ActKind
from enfilade.scene.model import GM, SPECTATOR, Token

STRIKE = {"kind": "melee", "token": "bran", "target": "orc-3", "weapon": "hammer"}
SPY = Token(
    id="spy",
    name="Silent Sam",
    side="blue",
    at=(3, 3),
    facing=0,
    hidden=True,
    profile={**ORC, "race": "human"},
)


def waiting(*hidden, face=6, act=STRIKE, **more):
    """A game whose blow of the hammer waits for whether its target is pushed back."""
    game = SecretsTable(*hidden)
    done = game.do("act", seat=GM, act=act, faces=[face], **more)
    assert "waiting" in done.result
    return game


def test_a_question_has_the_reasons_that_its_player_sees():
    game, plain = waiting(BANNER), waiting()
    choice, as_it_looks = (each.table.snapshot(MIA).choice for each in (game, plain))
    assert replace(choice, id="") == replace(as_it_looks, id="")
    assert "banner" in msgspec.json.encode(game.table.snapshot(GM).choice.facts).decode()


def test_a_question_keeps_its_text_if_a_hidden_token_shares_the_name():
    game = waiting(replace(WRAITH, name="Orc 3", at=(9, 7)))
    assert game.table.snapshot(MIA).choice.question == "Bran, hammer: push Orc 3 back one square?"


def test_a_question_that_would_not_be_asked_without_the_hidden_has_no_words_and_no_best_answer():
    game = waiting(WRAITH)
    pending = game.table._state.pending
    seems_to_miss = replace(pending, request={**pending.request, "faces": [1]})
    game.table._state = replace(game.table._state, pending=seems_to_miss)
    choice = game.table.snapshot(MIA).choice
    assert choice.question == "Something that you cannot see asks you to decide."
    assert (choice.facts, choice.default) == ({}, choice.options[0].key)


def test_the_gm_answers_the_choices_of_a_secret_act():
    game = waiting(secret=True)
    assert game.table.snapshot(GM).choice is not None
    for seat in (MIA, SPECTATOR):
        assert game.table.snapshot(seat).choice is None
    with pytest.raises(NotFound, match="The table does not ask this"):
        game.do("choice.answer", choice=game.table.snapshot(GM).choice.id, answer="no")


def test_choices_of_a_hidden_token_do_not_ask_its_side():
    act = {"kind": "melee", "token": "spy", "target": "orc-3", "weapon": "axe"}
    game = waiting(SPY, face=1, act=act)
    assert "human" in game.table.snapshot(GM).choice.question
    assert game.table.snapshot(MIA).choice is None
    with pytest.raises(NotFound, match="The table does not ask this"):
        game.do("choice.answer", choice=game.table.snapshot(GM).choice.id, answer="no")


def test_a_wrong_answer_is_refused_without_the_question():
    game = waiting(replace(WRAITH, at=(9, 7)))
    with pytest.raises(WrongAnswer) as refused:
        game.do("choice.answer", choice=game.table.snapshot(MIA).choice.id, answer="maybe")
    assert refused.value.sentence == "'maybe' is not an answer. Choose from: yes, no."


def test_dice_that_only_something_hidden_does_not_want_are_refused_without_saying_which():
    name = SecretsTable().table.ruleset.key

    def luck(scene, _act):
        """A die that does not fall where the wraith is near."""
        if all(token.id != "wraith" for token in scene.tokens):
            yield Roll("luck", D6, 1)
        return {"result": "lucky"}

    lucky = replace_field(RULESETS[name], acts={**RULESETS[name].acts, "brace": ActKind("Luck", luck)})
    games = [SecretsTable(*hidden, rulesets={**RULESETS, name: lucky}) for hidden in ((), (WRAITH,))]
    for game in games:
        game.do("rules.set", seat=GM, house_rules={"table.players_type_dice": True}, enforcement="advise")
    games[0].do("act", act={"kind": "brace", "token": "bran"}, faces=[5])
    with pytest.raises(WrongAnswer, match="Something that you cannot see needs other dice"):
        games[1].do("act", act={"kind": "brace", "token": "bran"}, faces=[5])


def test_dice_that_do_not_fit_the_view_are_refused_as_they_look():
    game = SecretsTable(replace(WRAITH, side="blue"))
    game.do("rules.set", seat=GM, house_rules={"table.players_type_dice": True}, enforcement="advise")
    with pytest.raises(WrongAnswer, match="Too many dice: 3 given, 1 needed"):
        game.do("act", act=STRIKE, faces=[1, 1, 1])
