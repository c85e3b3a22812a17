"""The offers of a miniature, legal and refused, and their results."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from enfilade.errors import IllegalAct, NotFound
from enfilade.play.setup import prepare_scene
from enfilade.rules.dice import SeededDice
from enfilade.rules.odds import odds
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import Answers, refusal, resolve
from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.rulesets.coup_de_grace.battlefield import GRIDS
from enfilade.scene.model import Grid, Scene, Terrain, Token
from tests.unit.rulesets.coup_de_grace.scenes import (
    SIDES,
    act,
    active,
    after,
    battle,
    foe,
    mini,
    sentence,
    wall,
    why_not,
)

cells_ = st.tuples(st.integers(0, 6), st.integers(0, 6))
house_rules = st.fixed_dictionaries(
    {}, optional={rule.key: st.sampled_from(rule.options) for rule in COUP_DE_GRACE.house_rules}
)


@st.composite
def battles(draw):
    """A small battle in the middle of an activation, with any units, states, walls and house rules."""
    places = draw(st.lists(cells_, min_size=2, max_size=8, unique=True))
    tokens = tuple(
        Token(
            id=f"t{i}",
            name=f"T{i}",
            side=draw(st.sampled_from(["blue", "red"])),
            at=at if draw(st.integers(0, 9)) else None,
            facing=draw(st.integers(0, 359)),
            profile=draw(st.sampled_from(COUP_DE_GRACE.catalog)).profile,
            tracks={"hp": draw(st.integers(-1, 3))},
        )
        for i, at in enumerate(places)
    )
    x, y = draw(cells_)
    scene = Scene(
        ruleset="coup_de_grace",
        grid=Grid(kind=draw(st.sampled_from(sorted(GRIDS))), columns=7, rows=7),
        sides=SIDES,
        tokens=tokens,
        walls=(wall(x, y, x + 1, y), wall(x, y, x, y + 1)),
        terrain=(Terrain(id="x", name="Mud", cells=(draw(cells_),), cost=draw(st.integers(0, 2))),),
        house_rules=draw(house_rules),
    )
    scene = prepare_scene(COUP_DE_GRACE, scene)
    return active(scene, "t0", draw(st.integers(0, 9))) if draw(st.booleans()) else scene


def offers(scene, token_id):
    return COUP_DE_GRACE.offers(scene, scene.token(token_id))


@pytest.mark.rule("CDG-008", "CDG-043", "CDG-049")
@settings(deadline=None)
@given(battles(), st.integers(0, 999))
def test_every_legal_offer_resolves_and_every_refused_one_is_refused(scene, seed):
    for offer in offers(scene, "t0"):
        procedure = COUP_DE_GRACE.acts[offer.act.kind].procedure
        if offer.is_legal:
            done = resolve(scene, procedure, (offer.act,), Answers(dice=SeededDice(seed)))
            assert COUP_DE_GRACE.narrate(scene, done.events)
            check_act(done.scene)
        else:
            assert refusal(scene, procedure, offer.act).sentence == offer.why


def check_act(scene):
    """Check the invariants of every scene."""
    places = [token.at for token in scene.tokens if token.at]
    assert len(places) == len(set(places))
    for token in scene.tokens:
        assert token.track("mp") >= 0
        assert set(token.tracks) <= set(COUP_DE_GRACE.tracks)
        assert set(token.conditions) <= set(COUP_DE_GRACE.conditions)
        assert token.has("downed") == (token.track("hp") == 0)
        assert token.has("out") == (token.track("hp") < 0)
        assert token.at is None or not token.has("out")


@pytest.mark.rule("CDG-047")
@settings(deadline=None)
@given(battles())
def test_the_chances_of_every_attack_add_up_to_one(scene):
    for offer in offers(scene, "t0"):
        if offer.is_legal and offer.act.target:
            found = odds(scene, COUP_DE_GRACE.acts[offer.act.kind].procedure, (offer.act,))
            assert found.is_exact
            assert sum(found.chances.values()) == 1


@settings(deadline=None)
@given(battles())
def test_a_game_masters_word_lets_any_offered_act_through(scene):
    for offer in offers(scene, "t0"):
        answers = Answers(dice=SeededDice(7), overrides=True)
        try:
            done = resolve(scene, COUP_DE_GRACE.acts[offer.act.kind].procedure, (offer.act,), answers)
        except IllegalAct:
            assert not offer.is_legal
        else:
            assert COUP_DE_GRACE.narrate(scene, done.events)


acts = st.builds(
    Act,
    kind=st.sampled_from(sorted(COUP_DE_GRACE.acts)),
    token=st.sampled_from(["t0", "t1", "nobody"]),
    target=st.sampled_from(["", "t0", "t1", "nobody"]),
    weapon=st.sampled_from(["", "sword", "bow", "air staff", "force orb", "hammer 2", "mage left fist"]),
    at=st.one_of(st.none(), st.tuples(st.integers(0, 9), st.integers(0, 9))),
    facing=st.one_of(st.none(), st.integers(0, 359)),
)


@settings(deadline=None)
@given(battles(), acts)
def test_no_act_however_odd_does_anything_but_resolve_or_be_refused(scene, what):
    with suppress(IllegalAct, NotFound):
        resolve(scene, COUP_DE_GRACE.acts[what.kind].procedure, (what,), Answers(dice=SeededDice(1)))


def test_refusals_tell_the_rule_and_a_sentence():
    scene = active(battle(mini("Ann", at=(2, 2)), foe("Orc", at=(2, 0))), "ann")
    assert why_not(scene, act("melee", "ann", "orc")) == "CDG-049"
    assert sentence(scene, act("melee", "ann", "orc")) == "Orc is not adjacent."


def test_the_active_miniature_may_end_and_others_see_whose_turn_it_is():
    scene = after(
        battle(mini("Ann", at=(2, 2)), mini("Bo", at=(0, 0)), foe("Orc", at=(2, 0))), act("round", "")
    )
    scene = after(scene, act("activate", "ann"))
    found = {offer.act.kind: offer for offer in offers(scene, "ann")}
    assert found["end"].is_legal
    others = {offer.act.kind: offer for offer in offers(scene, "bo")}
    assert others["activate"].why == "The activation of Ann is not over."
    assert others["end"].rule == "CDG-027"


def test_the_downed_are_offered_recovery_and_every_square_they_may_crawl_to():
    scene = active(battle(mini("Ann", at=(0, 0), hp=0), foe("Orc", at=(5, 5))), "ann")
    found = [offer for offer in offers(scene, "ann") if offer.is_legal]
    assert [offer.act.at for offer in found if offer.act.kind == "crawl"] == [(1, 0), (0, 1)]
    assert "recover" in [offer.act.kind for offer in found]


def test_the_undeployed_are_offered_their_turn_only():
    scene = battle(mini("Late"), foe("Orc", at=(5, 5)))
    assert {offer.act.kind for offer in offers(scene, "late")} == {"activate", "end", "round"}


@pytest.mark.rule("CDG-008", "CDG-014", "CDG-049")
def test_an_attack_that_is_offered_is_refused_with_the_sentence_of_the_attack_itself():
    scene = battle(mini("Ann", at=(5, 5)), foe("Orc", (5, 4)), foe("Imp", (6, 5)), foe("Rat", (9, 9)))
    refuse = COUP_DE_GRACE.acts["melee"].refusal
    for target, rule in (("orc", None), ("imp", "CDG-014"), ("rat", "CDG-049")):
        found = refuse(scene, act("melee", "ann", target))
        assert (found and found.rule) == rule == why_not(scene, act("melee", "ann", target))
    # What no hand can do is left to the attack itself.
    assert refuse(scene, act("melee", "ann", "orc", "bow")) is None
    assert why_not(scene, act("melee", "ann", "orc", "bow")) == "CDG-008"
