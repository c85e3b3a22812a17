"""Random games of every game: bodies stay apart and cross no wall, laws are heeded, and victory ends all.

`make whole-states N=2000` plays so many games of each, `FROM=500 RULESET=torn` some of one; a test run plays
a few.
"""

from __future__ import annotations

import os
from importlib import import_module

import pytest
from msgspec.structs import replace

from enfilade.rules.conformance.games import game
from enfilade.rules.conformance.skirmish import center_of, skirmish
from enfilade.rules.group_moves import GROUP_MOVE
from enfilade.rules.resolve import refusal
from enfilade.rulesets import GAMES
from enfilade.scene.events import Explained, TokenMoved

COUNT = int(os.environ.get("WHOLE_STATES", "2"))
FIRST = int(os.environ.get("WHOLE_STATES_FROM", "0"))
LOOKED_AT = 7
"""Each so many acts of a game, all offers of all tokens are looked at."""


def laws_of(ruleset):
    return import_module(f"enfilade.rulesets.{ruleset.key}.laws").LAWS


@pytest.mark.parametrize("ruleset", GAMES, ids=lambda ruleset: ruleset.key)
def test_random_games_leave_whole_states(ruleset):
    acts = looked = 0
    for seed in range(FIRST, FIRST + COUNT):
        for number, played in enumerate(game(ruleset, skirmish(ruleset, seed), seed)):
            acts += 1
            after = played.done.scene
            # What a scene contradicts after an act, it contradicted before: no body moved into another.
            new = ruleset.contradictions(after).keys() - ruleset.contradictions(played.before).keys()
            assert not new, (seed, number, played.act, new)
            heeds_bans(ruleset, played.before, played.act)
            crosses_no_wall(ruleset, played)
            books_duties(ruleset, played)
            if number % LOOKED_AT == 0 or ruleset.turn(after).is_over:
                looked += offers_are_sound(ruleset, after)
    assert acts > COUNT
    assert looked > 0


def heeds_bans(ruleset, scene, act):
    """Check that no law forbids an act that was played."""
    if act.token and act.kind != GROUP_MOVE:
        law = laws_of(ruleset).refusal(scene, act, ruleset.acts[act.kind].tags)
        assert law is None, (act, law.sentence)


def crosses_no_wall(ruleset, played):
    """Check that no act but a move, which may lead around, takes a token straight across a closed wall."""
    if played.act.kind in ("move", GROUP_MOVE) or ruleset.key == "torn":  # which ignores the walls of a map
        return
    scene = played.before
    center = center_of(scene.grid)
    walls = [wall.line for wall in scene.walls if wall.move != "none" and not wall.is_open]
    for event in played.done.events:
        if isinstance(event, TokenMoved) and None not in (event.at, event.was_at):
            way = (*center(event.was_at), *center(event.at))
            assert not any(do_cross(way, line) for line in walls), (played.act, event)


def do_cross(one, other):
    """Return whether two lines cross properly: to touch at an end is not to cross."""

    def side(line, x, y):
        return (line[2] - line[0]) * (y - line[1]) - (line[3] - line[1]) * (x - line[0])

    apart = side(one, *other[:2]) * side(one, *other[2:]) < 0
    return apart and side(other, *one[:2]) * side(other, *one[2:]) < 0


def books_duties(ruleset, played):
    """Check that a duty that lapses with an act is done in it, unless one of the two is gone or elsewhere."""
    tags = ruleset.acts[played.act.kind].tags
    if "ends" not in tags:
        return
    laws, before, after = laws_of(ruleset), played.before, played.done.scene
    told = [event.facts for event in played.done.events if isinstance(event, Explained)]
    for token in before.tokens:
        for owed in laws.owed(before, token, replace(played.act, token=token.id), tags):
            for other in owed.to:
                is_told = any({token.id, other} <= set(map(str, facts.values())) for facts in told)
                stand = all(after.token(key).at == before.token(key).at for key in (token.id, other))
                assert is_told or not stand or is_gone(after, token.id, other), (played.act, token.id, other)


def is_gone(scene, *keys):
    """Return whether one of some tokens takes no more part in the fight."""
    return any(scene.token(key).has(gone) for key in keys for gone in ("out", "captured", "incapacitated"))


def offers_are_sound(ruleset, scene):
    """Check that refused offers have a sentence and a rule, and legal ones break no law; count them."""
    count, is_over = 0, ruleset.turn(scene).is_over
    for token in scene.tokens:
        for offer in ruleset.offers(scene, token):
            count += 1
            law = laws_of(ruleset).refusal(scene, offer.act, ruleset.acts[offer.act.kind].tags)
            assert offer.is_legal or (offer.why.rstrip()[-1] in ".)" and offer.rule), offer
            assert law is None or not offer.is_legal, offer
            assert not (is_over and offer.is_legal), offer
            if offer.is_legal:
                assert refusal(scene, ruleset.acts[offer.act.kind].procedure, offer.act) is None
    return count
