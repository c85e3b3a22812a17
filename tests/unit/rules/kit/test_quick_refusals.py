"""Quick refusals: what a kind of act refuses before its procedure begins, after the laws."""

from __future__ import annotations

from enfilade.errors import IllegalAct
from enfilade.rules.battle.laws import NO_LAWS, Ban, Duty, Ended, Laws
from enfilade.rules.kit.offers import Aim, offers_from
from enfilade.rules.procedures import Act, Outcome, Require
from enfilade.rules.ruleset import ActKind
from enfilade.scene.model import Grid, Scene, Token

TARGETS = ("two", "three", "four")
SENTENCE = "kit.is_out"


class Counted:
    """A kind of act that counts its quick answers and the runs of its procedure."""

    def __init__(self, laws=NO_LAWS, *, is_asked_once=False):
        self.asked = self.begun = 0
        kind = ActKind("Strike", self.strike, tags=frozenset({"strikes"}), refusal=self.quick_answer)
        if is_asked_once:
            kind = kind._replace(refusal=None, refusal_now=self.quick_answer_now)
        self.offers = offers_from(laws.over({"strike": kind}), aims)

    def refusal(self, scene):
        return IllegalAct("One has acted.", "X-001", "turn") if scene.token("one").has("acted") else None

    def quick_answer(self, scene, _act):
        self.asked += 1
        return self.refusal(scene)

    def quick_answer_now(self, scene, _token_id):
        refused = self.quick_answer(scene, None)
        return refused and (lambda _scene, _act: refused)

    def strike(self, scene, _act):
        self.begun += 1
        if (refused := self.refusal(scene)) is not None:
            raise refused
        yield Require(lambda: None, ())
        return Outcome("hit")


def aims(_scene, token):
    return [Aim(Act(kind="strike", token=token.id, target=target)) for target in TARGETS]


def offered(counted, *conditions):
    tokens = tuple(Token(id=key, name=key.title(), side="a") for key in TARGETS)
    one = Token(id="one", name="One", side="a", conditions=dict.fromkeys(conditions, ""))
    board = Scene(ruleset="any", grid=Grid("square", 4, 4), tokens=(one, *tokens))
    return [(offer.act.target, offer.why, offer.rule, offer.cause) for offer in counted.offers(board, one)]


def test_what_the_quick_answer_refuses_is_refused_with_its_reason_and_never_begun():
    counted = Counted()
    assert offered(counted, "acted") == [(target, "One has acted.", "X-001", "turn") for target in TARGETS]
    assert (counted.asked, counted.begun) == (3, 0)


def test_without_a_quick_refusal_the_procedure_judges_each_target():
    counted = Counted()
    assert offered(counted) == [(target, "", "", "") for target in TARGETS]
    assert (counted.asked, counted.begun) == (3, 3)


def test_a_law_that_may_refuse_comes_first():
    ban = Ban("rooted", ("strikes",), "X-002", SENTENCE)
    for laws, conditions, rule in (
        (Laws((ban,)), ("acted", "rooted"), "X-002"),
        (Laws((ban,)), ("acted",), "X-001"),
        (Laws((ban._replace(condition=""),)), ("acted",), "X-002"),
        (
            Laws((), (Duty("owes", ("strikes",), "X-003", SENTENCE, lambda *_: ("two",)),)),
            ("acted",),
            "X-003",
        ),
        (Laws((), (), Ended("X-004", is_over=lambda _: True)), ("acted",), "X-004"),
    ):
        found = {rule for _, _, rule, _ in offered(Counted(laws), *conditions)}
        assert found == {rule}, laws


def test_what_is_the_same_at_all_targets_is_asked_once_for_them():
    counted = Counted(is_asked_once=True)
    assert offered(counted, "acted") == offered(Counted(), "acted")
    assert (counted.asked, counted.begun) == (1, 0)
    assert offered(counted) == offered(Counted())
    assert (counted.asked, counted.begun) == (2, 3)


def test_a_law_that_reads_the_target_is_asked_for_each():
    only_two = Ban("", ("strikes",), "X-002", SENTENCE, lambda _scene, _token, act: act.target == "two")
    found = offered(Counted(Laws((only_two,)), is_asked_once=True), "acted")
    assert [rule for _, _, rule, _ in found] == ["X-002", "X-001", "X-001"]
    owed = Duty("owes", ("strikes",), "X-003", SENTENCE, lambda _s, _t, act: (act.target,))
    assert [rule for _, _, rule, _ in offered(Counted(Laws((), (owed,)), is_asked_once=True))] == [
        "X-003"
    ] * 3


def test_laws_about_states_that_the_token_lacks_are_asked_once_for_all_targets():
    asked = []
    over = Ended("X-004", is_over=lambda scene: bool(asked.append(scene)))
    counted = Counted(Laws((Ban("rooted", ("strikes",), "X-002", SENTENCE),), (), over))
    assert offered(counted, "acted") == offered(Counted(), "acted")
    assert (len(asked), counted.asked, counted.begun) == (1, 3, 0)
