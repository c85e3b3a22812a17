"""A player learns nothing of hidden tokens in advance, and of their existence only when they matter."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace
from tests.unit.play.duel import SCENE, Duel
from tests.unit.play.redaction.secrets_table import SecretsTable
from tests.unit.rulesets.fifth_edition.scenes import battle, creature

from enfilade.errors import IllegalAct, NotFound
from enfilade.i18n import localize
from enfilade.scene.model import GM, SPECTATOR, Seat, Token

MIA, KIT = Seat("player", "mia"), Seat("player", "kit")
PLAIN = {token.id: token for token in SCENE.tokens}


def game(*hidden, enforcement="enforce"):
    ann = replace(PLAIN["ann"], owners=("mia",), profile={"speed": 4})
    orc = replace(PLAIN["orc"], owners=("kit",))
    scene = replace(SCENE, enforcement=enforcement, tokens=(ann, orc, *hidden))
    return Duel(scene=scene)


def ghost(at, owners=()):
    return Token(id="ghost", name="Grey Ghost", side="red", at=at, hidden=True, owners=owners)


def move(duel, at, seat=MIA):
    return duel.do("token.move", seat=seat, token="ann", at=at)


def test_a_move_into_something_unseen_ends_before_it():
    duel = game(ghost((6, 3)))
    done = move(duel, [6, 3], seat=MIA)
    assert done.result["interrupted"] == [5, 3]
    assert duel.table.scene.token("ann").at == (5, 3)
    assert done.result["ruling"]["allowed"]
    assert "ghost" not in str(done.result).lower()


def test_the_log_text_names_no_hidden_token():
    duel = game(ghost((6, 3)))
    move(duel, [6, 3])
    (entry,) = duel.table.snapshot(MIA).log
    assert entry.text == "Ann moves. Something unseen stops Ann."


def test_a_move_that_cannot_even_begin_is_refused_without_a_name():
    duel = game(ghost((2, 2)))
    with pytest.raises(IllegalAct) as refusal:
        move(duel, [2, 2])
    assert (refusal.value.sentence, refusal.value.rule) == (localize("play.unseen_prevents"), "")
    assert duel.table.seq == 0


def test_the_game_master_is_refused_with_the_reason():
    with pytest.raises(IllegalAct, match="The square is occupied"):
        move(game(ghost((6, 3))), [6, 3], seat=GM)


def test_where_nothing_unseen_is_in_the_way_a_move_goes_where_it_went():
    duel = game(ghost((7, 7)))
    assert "interrupted" not in move(duel, [6, 3]).result
    assert duel.table.scene.token("ann").at == (6, 3)


def test_an_advising_table_rules_on_the_players_view_of_a_move():
    duel = game(ghost((6, 3)), enforcement="advise")
    ruling = move(duel, [6, 3]).result["ruling"]
    assert (ruling["allowed"], ruling["cost"], list(ruling["reasons"])) == (True, 4, [])
    assert duel.table.scene.token("ann").at == (6, 3)


def test_an_illegal_move_is_refused_with_visible_reasons():
    with pytest.raises(IllegalAct, match="5 squares away"):
        move(game(ghost((6, 3))), [7, 3])


def test_an_act_that_only_the_unseen_prevents_is_refused_without_a_name():
    duel = game(ghost((7, 7)))
    kept = duel.table._state
    duel.table._state = replace(kept, scene=replace(kept.scene, conditions={"next": "red"}))

    def hides_the_turn(scene, seat):
        return replace(scene, conditions={}) if seat == MIA else scene

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("enfilade.play.context.view", hides_the_turn, raising=False)
        with pytest.raises(IllegalAct) as refusal:
            duel.strike("ann", "orc", seat=MIA)
    assert (refusal.value.sentence, refusal.value.rule) == (localize("play.unseen_prevents"), "")


def test_the_words_about_a_hidden_token_are_for_its_own_player_alone():
    duel = game(ghost((6, 6), owners=("kit",)), enforcement="advise")
    duel.do("token.move", token="ghost", at=[6, 5])
    texts = {seat.key: [e.text for e in duel.table.snapshot(seat).log] for seat in (GM, KIT, MIA, SPECTATOR)}
    assert texts["player:kit"] == texts["gm"] == ["Grey Ghost moves."]
    assert not any(texts["player:mia"]) and not any(texts["spectator"])  # noqa: PT018


def test_an_entry_about_two_hidden_tokens_is_read_by_whose_both_are():
    other = Token(id="wisp", name="Wisp", side="blue", at=(0, 0), hidden=True, owners=("mia", "kit"))
    duel = game(ghost((6, 6), owners=("kit",)), other)
    tokens = [replace(t, at=(t.at[0], t.at[1] + 1)) if t.hidden else t for t in duel.table.scene.tokens]
    scene = replace(duel.table.scene, tokens=tuple(tokens))
    duel.do("scene.sync", scene=msgspec.json.decode(msgspec.json.encode(scene)))
    (entry,) = duel.entries()
    assert (entry.secret, entry.readers) == (True, ("kit",))


def test_a_player_sees_only_their_own_hidden_token_move():
    duel = game(ghost((6, 6), owners=("kit",)), enforcement="advise")
    duel.do("token.move", token="ghost", at=[6, 5])
    assert duel.table.snapshot(KIT).scene.token("ghost").at == (6, 5)
    assert [token.id for token in duel.table.snapshot(MIA).scene.tokens] == ["ann", "orc"]


def test_a_secret_act_has_no_text_but_visible_changes():
    duel = game()
    act = {"kind": "strike", "token": "ann", "target": "orc"}
    duel.do("act", act=act, faces=[6], secret=True)
    for seat in (MIA, KIT, SPECTATOR):
        assert not any(entry.text or entry.facts for entry in duel.table.snapshot(seat).log)
        assert duel.table.snapshot(seat).scene.token("orc").tracks == {"hp": 1}
    assert duel.table.snapshot(GM).log[0].text == "Ann strikes at Orc: hit."


def test_taking_a_secret_act_back_tells_as_little():
    duel = game()
    duel.do("act", act={"kind": "strike", "token": "ann", "target": "orc"}, faces=[6], secret=True)
    duel.do("undo")
    assert not any(entry.text for entry in duel.table.snapshot(MIA).log)


def test_a_question_about_an_unseen_token_has_no_name():
    duel = game(ghost((6, 6)))
    duel.strike("ann", "orc", faces=[2])
    pending = duel.table._state.pending
    entry = {**pending.choice, "question": "Does Ann duck under Grey Ghost?"}
    entry["options"] = [{"key": "yes", "label": "Duck Grey Ghost"}, {"key": "no", "label": "No"}]
    seems_to_hit = {**pending.request, "faces": [6]}
    kept = replace(pending, choice=entry, request=seems_to_hit)
    duel.table._state = replace(duel.table._state, pending=kept)
    asked = duel.table.snapshot(MIA).choice
    assert asked.question == "Something that you cannot see asks you to decide."
    assert [(o.key, o.label) for o in asked.options] == [("yes", "Answer 1"), ("no", "No")]
    assert asked.facts == {}
    assert duel.table.snapshot(GM).choice.question == "Does Ann duck under Grey Ghost?"


def test_a_question_with_an_unseen_token_among_its_answers_asks_the_gm():
    duel = game(ghost((6, 6)))
    duel.strike("ann", "orc", faces=[2])
    pending = duel.table._state.pending
    entry = {**pending.choice, "options": [{"key": "ghost", "label": "Him"}, {"key": "orc", "label": "Orc"}]}
    duel.table._state = replace(duel.table._state, pending=replace(pending, choice=entry))
    assert duel.table.snapshot(MIA).choice is None
    with pytest.raises(NotFound):
        duel.do("choice.answer", seat=MIA, choice=pending.id, answer="orc")
    assert [option.key for option in duel.table.snapshot(GM).choice.options] == ["ghost", "orc"]


def test_placing_a_token_again_without_owners_keeps_them():
    duel = game()
    duel.do("token.place", token={"id": "ann", "name": "Anne", "side": "blue", "at": [2, 3]})
    assert duel.table.scene.token("ann").owners == ("mia",)


def test_the_ruling_on_a_move_tells_nothing_of_a_hidden_creature_that_holds_the_mover():
    holder, foe = replace(creature("ghost", "red", (15, 5)), hidden=True), creature("bo", "red", (15, 9))
    rulings = []
    for notes in ({}, {"grappled": "ghost"}):
        ann = replace(creature("ann", "blue", (5, 5), notes=notes), owners=("mia",))
        game = SecretsTable(scene=replace(battle(ann, holder, foe), enforcement="advise"))
        rulings.append(game.do("token.move", token="ann", at=[6, 5]).result["ruling"])
    assert rulings[0] == rulings[1]
    assert rulings[0]["allowed"]
