"""Laws: bans and duties by kind, tag and condition, asked by every act that they name."""

from __future__ import annotations

import pytest

from enfilade.errors import IllegalAct
from enfilade.rules.battle.causes import reason_of
from enfilade.rules.battle.laws import Ban, Duty, Laws
from enfilade.rules.kit.offers import Aim, offers_from
from enfilade.rules.procedures import Act, Outcome
from enfilade.rules.resolve import Answers, refusal, resolve
from enfilade.rules.ruleset import ActKind, Ruling
from enfilade.scene.model import Grid, Scene, Side, Token

SENTENCE, OTHER = "kit.is_out", "kit.not_an_enemy"


def act_of(scene, act):
    yield from ()
    return Outcome("done")


def scene(*conditions):
    one = Token(id="one", name="One", side="a", conditions=dict.fromkeys(conditions, ""))
    return Scene(
        ruleset="first_blood",
        grid=Grid("square", 12, 12),
        tokens=(one, Token(id="two", name="Two", side="a")),
        sides=(Side(id="a", name="A"),),
    )


def kinds(laws):
    return laws.over(
        {
            "strike": ActKind("Strike", act_of, tags=frozenset({"strikes"})),
            "charge": ActKind("Charge", act_of, tags=frozenset({"strikes", "moves"})),
            "wait": ActKind("Wait", act_of),
            "move": ActKind("Move", act_of, tags=frozenset({"moves"})),
        }
    )


def refused(laws, board, kind, target=""):
    found = refusal(board, kinds(laws)[kind].procedure, Act(kind=kind, token="one", target=target))
    return None if found is None else (found.rule, found.sentence.split()[0])


def test_a_ban_refuses_the_acts_with_its_tag_or_kind_while_its_condition_holds():
    laws = Laws((Ban("rooted", ("moves",), "X-001", SENTENCE), Ban("tired", ("wait",), "X-002", SENTENCE)))
    assert [refused(laws, scene("rooted"), kind) for kind in ("strike", "charge", "wait")] == [
        None,
        ("X-001", "One"),
        None,
    ]
    assert refused(laws, scene("tired"), "wait") == ("X-002", "One")
    assert refused(laws, scene(), "charge") is None


def test_a_ban_may_hold_only_for_some_acts_and_without_a_condition():
    laws = Laws((Ban("", ("strikes",), "X-001", SENTENCE, lambda _s, _t, act: act.target == "two"),))
    assert refused(laws, scene(), "strike", "two") == ("X-001", "One")
    assert refused(laws, scene(), "strike") is None


def test_a_sentence_may_be_a_text_of_a_game_that_has_no_catalog():
    laws = Laws(
        (Ban("rooted", ("moves",), "X-001", "{name} has taken root."),),
        (Duty("greet", ("strikes",), "X-003", "{name} waits for a greeting.", lambda *_: ["two"]),),
    )
    found = [
        refusal(scene("rooted"), kinds(laws)[kind].procedure, Act(kind=kind, token="one"))
        for kind in ("charge", "strike")
    ]
    assert [one.sentence for one in found] == ["One has taken root.", "Two waits for a greeting."]


def test_a_duty_comes_before_its_acts_and_names_whom_it_is_owed_to():
    owed = Duty("greet", ("strikes",), "X-003", OTHER, lambda _s, _t, act: [act.target] * bool(act.target))
    laws = Laws(duties=(owed,))
    assert refused(laws, scene(), "strike", "two") == ("X-003", "Two")
    assert refused(laws, scene(), "strike") is None
    lapses = Laws(duties=(owed._replace(lapses=True),))
    assert refused(lapses, scene(), "strike", "two") is None
    (found,) = lapses.owed(
        scene(), scene().token("one"), Act(kind="strike", token="one", target="two"), ["strikes"]
    )
    assert (found.duty.key, found.to) == ("greet", ("two",))


def test_the_gm_may_overrule_a_law_as_any_rule():
    laws = Laws((Ban("rooted", ("moves",), "X-001", SENTENCE),))
    answers = Answers(overrides=True)
    charge = Act(kind="charge", token="one")
    resolve(scene("rooted"), kinds(laws)["charge"].procedure, (charge,), answers)
    assert [one.rule for one in answers.overridden] == ["X-001"]


def test_moves_are_judged_and_not_refused():
    laws = Laws((Ban("rooted", ("moves",), "X-001", SENTENCE),))
    assert refused(laws, scene("rooted"), "move") is None
    judge = laws.judging(lambda *_: Ruling(True, 2, 5, ("slowly",), ((0, 0), (1, 1))))
    board = scene("rooted")
    ruling = judge(board, board.token("one"), [(1, 1)], None)
    assert (ruling.allowed, ruling.cost, ruling.budget, ruling.path) == (False, 2, 5, ((0, 0), (1, 1)))
    assert ruling.reasons == (reason_of(laws.refusal(board, Act(kind="move", token="one"), ["moves"])),)
    assert "X-001" in ruling.reasons[0]
    free = scene()
    assert judge(free, free.token("one"), [(1, 1)], None).allowed
    assert judge(board, board.token("one"), [], None).allowed


def test_offers_from_aims_are_refused_by_the_laws():
    laws = Laws((Ban("rooted", ("moves",), "X-001", SENTENCE),))

    def aims(board, token):
        yield Aim(Act(kind="strike", token=token.id))
        yield Aim(Act(kind="charge", token=token.id), "Run", 3)

    offers = offers_from(kinds(laws), aims)
    board, free = scene("rooted"), scene()
    assert all(offer.is_legal for offer in offers(free, free.token("one")))
    strike, charge = offers(board, board.token("one"))
    assert (strike.label, strike.cost, strike.is_legal) == ("Strike", 0, True)
    assert (charge.label, charge.cost, charge.rule) == ("Run", 3, "X-001")


def test_a_reason_names_its_rule_once():
    assert reason_of(IllegalAct("No.", "X-001")) == "No. (X-001)"
    assert reason_of(IllegalAct("No (X-001).", "X-001")) == "No (X-001)."
    assert reason_of(IllegalAct("No.")) == "No."


def test_an_unknown_token_is_not_found():
    laws = Laws((Ban("rooted", ("moves",), "X-001", SENTENCE),))
    with pytest.raises(Exception, match="nobody"):
        laws.refusal(scene(), Act(kind="charge", token="nobody"), ["moves"])


def test_laws_at_places_refuse_what_each_place_would_be_refused_by():
    asked = []

    def is_marsh(board, token, act):
        asked.append(act.at)
        return act.at == (1, 1)

    def is_tired(board, token, act):
        asked.append("tired")
        return token.has("tired")

    laws = Laws(
        bans=(
            Ban("lame", ("move",), "X-001", SENTENCE, is_marsh),
            Ban("", ("move",), "X-002", SENTENCE, is_tired, is_by_place=False),
        )
    )
    assert laws.at_places(scene(), Act(kind="move", token="one")) is None
    assert asked == ["tired"]
    for conditions, rules in (
        (("lame",), [None, "X-001"]),
        (("lame", "tired"), ["X-002", "X-001"]),
        (("tired",), ["X-002", "X-002"]),
    ):
        board = scene(*conditions)
        refuses = laws.at_places(board, Act(kind="move", token="one"))
        acts = [Act(kind="move", token="one", at=at) for at in ((0, 0), (1, 1))]
        found = [refuses(act) for act in acts]
        assert [None if one is None else one.rule for one in found] == rules
        assert list(map(str, found)) == [str(laws.refusal(board, act)) for act in acts]
