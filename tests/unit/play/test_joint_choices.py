"""Choices at the same time: each seat answers its own, and learns no other answer before the last."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.play.duel import Duel
from tests.unit.rulesets.knights_of_valour.scenes import hero, monster, scene

from enfilade.errors import Busy, NotFound
from enfilade.play.tables import Tables
from enfilade.rules.dice import SeededDice
from enfilade.rules.resolve import WrongAnswer
from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from enfilade.scene.model import GM, SPECTATOR, Seat
from enfilade.store.memory import MemoryStore

MIA, TOM = Seat("player", "mia"), Seat("player", "tom")
OTHERS = (GM, TOM, SPECTATOR)


class Heroes(Duel):
    """Three heroes at a table: Mia's Aldis and Bran, and Tom's Wren; and a monster."""

    def __init__(self, store=None, hidden=()):
        owners = {"aldis": ("mia",), "bran": ("mia",), "wren": ("tom",)}
        tokens = [hero(name, agility=5 - i) for i, name in enumerate(owners)] + [monster("orc", agility=1)]
        board = scene(*tokens)
        placed = [
            replace(t, at=(2 * i, 3), owners=owners.get(t.id, ()), hidden=t.id in hidden)
            for i, t in enumerate(board.tokens, 1)
        ]
        super().__init__(store, replace(board, tokens=tuple(placed)))

    def _tables(self):
        return Tables(self.store, {"knights_of_valour": KNIGHTS_OF_VALOUR}, SeededDice(7))

    def choice(self, seat):
        return self.table.snapshot(seat).choice

    def views(self, *seats):
        return [self.table.snapshot(seat) for seat in seats]

    def give(self, seat, token, answer):
        first = self.choice(seat)
        (own,) = (choice for choice in (first, *first.others) if choice.token == token)
        return self.do("choice.answer", seat=seat, choice=own.id, answer=answer)

    def start(self):
        """Start a round; the side says that someone lowers initiative, so that each player is asked."""
        self.do("act", act={"kind": "round"})
        self.do("choice.answer", seat=MIA, choice=self.choice(MIA).id, answer="someone")

    def order(self):
        tokens = [token for token in self.table.scene.tokens if "order" in token.tracks]
        return [token.id for token in sorted(tokens, key=lambda token: token.tracks["order"])]


@pytest.fixture
def battle():
    battle = Heroes()
    battle.start()
    return battle


def test_each_seat_is_asked_for_its_own_tokens_and_the_gm_for_all(battle):
    def asked(seat):
        first = battle.choice(seat)
        return [choice.token for choice in (first, *first.others)]

    assert asked(MIA) == ["aldis", "bran"]
    assert asked(TOM) == ["wren"]
    assert asked(GM) == ["aldis", "bran", "wren"]
    assert battle.choice(SPECTATOR) is None


def test_the_act_goes_on_after_the_last_answer_with_all_of_them(battle):
    battle.give(MIA, "bran", "3")
    battle.give(TOM, "wren", "1")
    assert battle.order() == []
    battle.give(MIA, "aldis", "0")
    assert battle.order() == ["aldis", "wren", "bran", "orc"]
    assert battle.choice(GM) is None
    assert battle.replayed() == battle.table.scene


def test_the_next_choice_is_one_without_an_answer_and_the_answers_stay_with_their_seat(battle):
    battle.give(MIA, "aldis", "2")
    first = battle.choice(MIA)
    assert (first.token, first.given) == ("bran", "")
    assert [(other.token, other.given) for other in first.others] == [("aldis", "2")]
    gm = battle.choice(GM)
    assert {choice.given for choice in (gm, *gm.others)} == {""}


def test_an_answer_may_be_changed_until_all_are_given(battle):
    battle.give(MIA, "aldis", "3")
    battle.give(MIA, "aldis", "0")
    battle.give(MIA, "bran", "0")
    assert battle.choice(MIA).given == "0"
    battle.give(MIA, "bran", "2")
    battle.give(TOM, "wren", "0")
    lowered = {entry["token"]: entry["lowered"] for entry in battle.entries()[-1].facts["order"]}
    assert (lowered["aldis"], lowered["bran"], lowered["wren"]) == (0, 2, 0)


def test_the_gm_may_answer_for_an_absent_player(battle):
    battle.give(MIA, "aldis", "0")
    battle.give(MIA, "bran", "0")
    battle.give(GM, "wren", "2")
    assert battle.order() == ["aldis", "bran", "wren", "orc"]


def test_closing_gives_the_defaults_to_those_without_an_answer(battle):
    battle.give(TOM, "wren", "3")
    battle.do("choice.close", choice=battle.choice(GM).id)
    assert battle.order() == ["aldis", "bran", "orc", "wren"]


@pytest.mark.parametrize("answers", [("3",), ("0", "2", "1")])
def test_others_see_the_same_before_and_after_an_answer_and_get_no_update(battle, answers):
    before = battle.views(*OTHERS)
    seq = battle.table.seq
    for answer in answers:
        battle.give(MIA, "aldis", answer)
    assert battle.views(*OTHERS) == before
    assert battle.table.seq == seq


def test_answers_survive_a_restart():
    battle = Heroes(MemoryStore())
    battle.start()
    battle.give(MIA, "bran", "4")
    battle.enter()
    first = battle.choice(MIA)
    assert [(other.token, other.given) for other in first.others] == [("bran", "4")]
    battle.give(MIA, "aldis", "0")
    battle.give(TOM, "wren", "0")
    assert battle.order() == ["aldis", "wren", "orc", "bran"]


def test_a_player_cannot_answer_for_others_nor_close(battle):
    wren = battle.choice(TOM).id
    with pytest.raises(NotFound):
        battle.do("choice.answer", seat=MIA, choice=wren, answer="0")
    with pytest.raises(NotFound):
        battle.do("choice.answer", seat=GM, choice=wren.rpartition(".")[0], answer="0")
    with pytest.raises(WrongAnswer):
        battle.do("choice.answer", seat=TOM, choice=wren, answer="99")
    with pytest.raises(Busy):
        battle.do("act", seat=MIA, act={"kind": "end", "token": "aldis"})


def test_undo_takes_the_question_back(battle):
    battle.give(MIA, "bran", "3")
    battle.do("undo", seq=None)
    assert battle.choice(MIA) is None
    assert battle.table.scene == battle.first


def test_one_choice_alone_cannot_be_closed(battle):
    battle.give(MIA, "bran", "1")
    battle.do("choice.close", choice=battle.choice(GM).id)
    tied = battle.choice(GM)
    assert tied.question == "Which of the creatures with initiative 3 goes first?"
    with pytest.raises(NotFound):
        battle.do("choice.close", choice=tied.id)


def test_a_hidden_creature_is_asked_of_its_player_and_the_gm_alone():
    battle = Heroes(hidden=("wren",))
    battle.start()
    first = battle.choice(MIA)
    assert [choice.token for choice in (first, *first.others)] == ["aldis", "bran"]
    assert battle.choice(TOM).token == "wren"


def test_the_side_that_is_automatic_is_not_asked():
    battle = Heroes()
    sides = [{"id": side.id, "name": side.name} for side in battle.table.scene.sides]
    sides[0]["conditions"] = {"automatic": ""}
    battle.do("sides.set", sides=sides)
    battle.do("act", act={"kind": "round"})
    assert battle.choice(GM) is None
    assert battle.order() == ["aldis", "bran", "wren", "orc"]
