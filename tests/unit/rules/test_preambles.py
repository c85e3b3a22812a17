"""An act whose rest is known has the odds, the cost and the explanations that a walk of its own finds."""

import pytest
from bench.rules.area_acts import blast
from msgspec.structs import replace
from tests.fixtures.fifth_edition import FIFTH_EDITION

from enfilade.errors import IllegalAct
from enfilade.rules import odds as odds_module
from enfilade.rules.dice import D6
from enfilade.rules.exact.each import EachWalk
from enfilade.rules.exact.plain import run_to_rest
from enfilade.rules.kit.offers import kept_runs
from enfilade.rules.odds import forget, odds
from enfilade.rules.outlook import with_token
from enfilade.rules.procedures import Act, Outcome, Require, Rest, Roll
from enfilade.tactics.expected_damage import DamageTable

SCENE = blast(4)
CASTER = SCENE.token("wizard")
PLACES = [(3, 8), (2, 7), (4, 9)]
ACTS = [
    Act(kind=kind, token="wizard", target=f"g{i}") for kind in ("fireball", "hold", "attack") for i in (0, 5)
]


def moved(at):
    """Return the scene with the caster at another place, where it has the same in reach."""
    return with_token(SCENE, replace(CASTER, at=at))


def odds_at(scene, act, begun=None):
    return odds(scene, FIFTH_EDITION.acts[act.kind].procedure, (act,), begun=begun)


def counted_walks(monkeypatch):
    walks, real = [], EachWalk.weighed

    def weighed(self, *arguments):
        walks.append(arguments)
        return real(self, *arguments)

    monkeypatch.setattr(EachWalk, "weighed", weighed)
    return walks


def test_what_is_looked_up_is_what_a_walk_finds(monkeypatch):
    cold = {}
    for at in PLACES:
        for act in ACTS[:4]:
            forget()
            cold[at, act] = odds_at(moved(at), act)
    forget()
    for act in ACTS[:4]:
        odds_at(SCENE, act)
    walks = counted_walks(monkeypatch)
    for (at, act), found in cold.items():
        scene = moved(at)
        with kept_runs() as runs:
            FIFTH_EDITION.offers(scene, scene.token("wizard"))
        begun = runs.take(scene, FIFTH_EDITION.acts[act.kind].procedure, act)
        assert begun is not None
        for run in (begun, None):
            warm = odds_at(scene, act, run)
            assert (warm.weights, warm.total, warm.cost) == (found.weights, found.total, found.cost)
            assert list(warm.weights) == list(found.weights)
            assert warm.declared == found.declared
    assert not walks


def test_a_rest_that_reads_another_value_is_not_looked_up(monkeypatch):
    act = ACTS[0]
    forget()
    odds_at(SCENE, act)
    tough = with_token(SCENE, replace(SCENE.token("g1"), tracks={"hp": 99}))
    walks = counted_walks(monkeypatch)
    odds_at(tough, act)
    assert len(walks) == 1


def test_the_aftermath_needs_a_walk(monkeypatch):
    act = ACTS[0]
    forget()
    odds_at(SCENE, act)
    walks = counted_walks(monkeypatch)
    found = odds(SCENE, FIFTH_EDITION.acts[act.kind].procedure, (act,), has_aftermath=True)
    assert found.aftermath is not None
    assert len(walks) == 1


def test_a_map_looks_up_what_its_first_place_has_worked_out(monkeypatch):
    forget()
    table = DamageTable(FIFTH_EDITION)
    first = table.strikes(SCENE, SCENE.token("wizard"), SCENE.token("g0"))
    walks = counted_walks(monkeypatch)
    there = moved(PLACES[0])
    again = table.strikes(there, there.token("wizard"), there.token("g0"))
    assert [strike[1:] for strike in again] == [strike[1:] for strike in first]
    assert not [arguments for arguments in walks if arguments[1][0].kind == "fireball"]


def rest(scene):
    (face,) = yield Roll("die", D6)
    return Outcome("hit", face)


def with_dice(scene, act):
    yield Roll("die", D6)
    return (yield Rest(rest))


def refused(scene, act):
    yield Require(refuse, ())
    return (yield Rest(rest))


def refuse():
    raise IllegalAct("No.", "X-1")


def test_only_a_run_without_dice_comes_to_its_rest():
    act = ACTS[0]
    assert run_to_rest(SCENE, with_dice(SCENE, act)) is None
    assert run_to_rest(SCENE, rest(SCENE)) is None


def test_what_refuses_an_act_is_told_as_by_a_walk():
    forget()
    odds_at(SCENE, ACTS[0])
    odds_module._with_each.add(refused)
    with pytest.raises(IllegalAct, match=r"No\."):
        odds(SCENE, refused, (ACTS[0],))
