"""Each ban of each game refuses the acts that it names while it holds, and no forced move crosses a wall."""

from __future__ import annotations

import os
import random
from collections import Counter
from importlib import import_module
from itertools import takewhile

import pytest
from msgspec.structs import replace

from enfilade.errors import EnfiladeError
from enfilade.rules.conformance.games import game
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rules.dice import SeededDice
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import Answers, refusal, resolve
from enfilade.rulesets import GAMES
from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.miniatures_combat.combat.flight import minions_flee
from enfilade.rulesets.miniatures_combat.inches import scale_of
from enfilade.scene.model import Grid, Scene, Side, Terrain, Token, Wall

SEEDS = 12
ENOUGH = int(os.environ.get("LAWS", "6"))
"""How often each act is tried under each ban; `make laws` tries it more often."""
AIMED = 150


def laws_of(ruleset):
    return import_module(f"enfilade.rulesets.{ruleset.key}.laws").LAWS


def scenes_of(ruleset):
    """Yield scenes of random games, each fifth act of the first hundred."""
    for seed in range(SEEDS):
        for number, played in enumerate(game(ruleset, skirmish(ruleset, seed), seed)):
            if number > 100:
                break
            if number % 5 == 0:
                yield played.before


def under(scene, token, condition):
    """Return a scene in which a token has a condition, with the note that it had, and acts."""
    noted = {condition: token.conditions.get(condition, "")} if condition else {}
    conditions = {**token.conditions, **noted}
    tokens = [replace(one, conditions=conditions) if one.id == token.id else one for one in scene.tokens]
    return replace(scene, tokens=tuple(tokens))


def acts_of(offers, scene, token, kind):
    """Yield acts of a kind: those on offer, and one at each other token with each weapon."""
    offered = [offer.act for offer in offers if offer.act.kind == kind]
    yield from offered
    hands = token.profile.get("hands", ())  # a number in a game that lists its weapons elsewhere
    named = [act.weapon for act in offered] if isinstance(hands, int) else hands
    for other in scene.on_board():
        if other.id != token.id:
            for weapon in dict.fromkeys(("", *named)):
                yield Act(kind=kind, token=token.id, target=other.id, at=other.at, weapon=weapon)


def named_kinds(ruleset, ban):
    return [kind for kind, act in ruleset.acts.items() if {kind, *act.tags} & set(ban.acts)]


@pytest.mark.parametrize("ruleset", GAMES, ids=lambda ruleset: ruleset.key)
def test_each_act_that_a_ban_names_is_refused_while_it_holds(ruleset):
    laws, held = laws_of(ruleset), Counter()
    wanted = {(place, kind) for place, ban in enumerate(laws.bans) for kind in named_kinds(ruleset, ban)}
    for board in takewhile(lambda _: any(held[one] < ENOUGH for one in wanted), scenes_of(ruleset)):
        for token in board.on_board():
            for place, ban in enumerate(laws.bans):
                kinds = [kind for kind in named_kinds(ruleset, ban) if held[place, kind] < ENOUGH]
                if not kinds:
                    continue
                scene = under(board, token, ban.condition)
                banned = scene.token(token.id)
                offers = ruleset.offers(scene, banned)
                for kind in kinds:
                    for act in acts_of(offers, scene, banned, kind):
                        if ban.when(scene, banned, act):
                            held[place, kind] += 1
                            check_refused(ruleset, laws, scene, banned, act, offers)
    assert laws.bans
    assert wanted - held.keys() == set()


def check_refused(ruleset, laws, scene, token, act, offers):
    """Check that the law is the reason, in the procedure, in the offers, and in the ruling on a move."""
    law = laws.refusal(scene, act, ruleset.acts[act.kind].tags)
    assert law is not None
    if act.kind == "move":
        assert not ruleset.judge(scene, token, act.waypoints, None).allowed
        return
    refused = refusal(scene, ruleset.acts[act.kind].procedure, act)
    assert refused is not None
    assert (refused.rule, refused.sentence) == (law.rule, law.sentence)
    same = [offer for offer in offers if offer.act == act]
    assert all((offer.rule, offer.why) == (law.rule, law.sentence) for offer in same)


# Forced moves: walls across the whole board part it, so that who crosses one changes its side


class RandomAnswers(Answers):
    """Answers that decide each choice at random."""

    def __init__(self, chance):
        super().__init__(dice=SeededDice(chance.randrange(1 << 30)), overrides=True)
        self._chance = chance

    def decision(self, choice):
        if hasattr(choice, "answers"):
            return self._chance.choice(choice.answers).key, False
        return super().decision(choice)


def parts(chance, unit):
    """Return walls across a board of 12 cells at random places, as (axis, place) and as walls."""
    found = [(axis, chance.randrange(3 * 64, 9 * 64, unit)) for axis in (0, 1) if chance.randrange(3)]
    walls = []
    for axis, at in found:
        line = (at, 0, at, 12 * 64) if axis == 0 else (0, at, 12 * 64, at)
        walls.append(Wall(id=f"w{axis}", line=line, sight="none" if chance.randrange(2) else "normal"))
    return found, tuple(walls)


def check_uncrossed(board, after, found, center, free=()):
    closed = {cell for patch in board.terrain for cell in patch.cells}
    for token in after.on_board():
        before = board.token(token.id)
        if before.at is None or before.at == token.at or token.id in free:
            continue
        was, now = center(before), center(token)
        for axis, place in found:
            if was[axis] != place:  # one that stands on a wall is on no side of it
                crossed = (was[axis] - place) * (now[axis] - place) < 0
                assert not crossed, f"{token.id} crossed {axis, place}: {was, now}"
        assert all(0 <= value <= 12 * 64 for value in now), f"{token.id} left the board: {now}"
        cell = (int(now[0] // 64), int(now[1] // 64))
        assert cell not in closed or (int(was[0] // 64), int(was[1] // 64)) == cell


SIDES = (Side(id="a", name="A"), Side(id="b", name="B"))


def resolved(board, procedure, act, chance):
    """Return the scene after an act with random faces and answers; None if these tokens cannot do it."""
    try:
        return resolve(board, procedure, (act,), RandomAnswers(chance)).scene
    except EnfiladeError:
        return None


def models(chance):
    """Return a crowd of models close to one another near the middle or an edge, on either side."""
    (x, y), spread = chance.choice([(6, 6), (1, 6), (11, 11), (6, 1)]), chance.choice([100, 100, 250])
    tokens = []
    for i in range(7):
        at = (
            max(32, min(736, x * 64 + chance.randrange(-spread, spread))),
            max(32, min(736, y * 64 + chance.randrange(-spread, spread))),
        )
        sheet = {"level": chance.randrange(1, 4), "two_handed": True, "minion": bool(i % 2)}
        sheet["weapon"] = chance.choice(["basic", "pole"])
        tokens.append(Token(id=f"m{i}", name=f"M{i}", side="ab"[i % 2], at=at, profile=sheet))
    return tokens


def inches_scene(chance):
    found, walls = parts(chance, 1)
    cells = tuple((chance.randrange(12), chance.randrange(12)) for _ in range(chance.randrange(6)))
    tokens = []
    for token in models(chance):
        ready = MINIATURES_COMBAT.prepare_token(token)
        conditions = {"active": "", "defended": " ".join(f"m{i}=ok" for i in range(7))}
        if token.id in ("m5", "m6"):
            conditions = {"captured": "ab"[token.id == "m5"], "carried": "m0" if token.id == "m5" else "m1"}
        tokens.append(replace(ready, conditions=conditions, tracks={**ready.tracks, "dice": 3}))
    board = Scene(
        ruleset="miniatures_combat",
        grid=Grid(chance.choice(["gridless", "gridless", "square"]), 12, 12, distance=1, units="inches"),
        sides=SIDES,
        tokens=tuple(tokens),
        walls=walls,
        terrain=(Terrain(id="t", name="T", kind="rock", cells=cells, cost=0),) if cells else (),
        conditions={"side": "a", "activated": "engaged", "rolled": ""},
        tracks={"round": 1},
    )
    if board.grid.kind == "square":
        placed = [replace(one, at=(one.at[0] // 64, one.at[1] // 64)) for one in board.tokens]
        board = replace(board, tokens=tuple(placed))
    return board, found


def inches_act(chance, board):
    kind = chance.choice(["push", "sweep", "lunge", "lunge", "fall_back", "move"])
    body = MINIATURES_COMBAT.acts[kind].body
    token, target = chance.choice(["m0", "m2", "m4"]), chance.choice(["m1", "m3"])
    near = board.token("m0" if kind == "move" else target).at
    unit = 1 if board.grid.kind == "square" else 64
    at = tuple(max(0, near[i] + chance.randrange(-3 * unit, 3 * unit + 1)) for i in (0, 1))
    at = tuple(min(value, 11 * unit) for value in at)
    if kind == "move":
        return Act(kind=kind, token="m0", at=at)
    has_place = kind == "push" and chance.randrange(2)
    return Act(kind=kind, token=token, target=target, at=at if has_place else None, body=body())


def test_no_forced_move_of_miniatures_combat_crosses_a_wall_closed_ground_or_the_edge():
    moved = Counter()
    for seed in range(AIMED * 4):
        chance = random.Random(seed)
        board, found = inches_scene(chance)
        act = inches_act(chance, board)
        scale = scale_of(board.grid)

        def center(token, scale=scale):
            return scale.center(token.size, token.at)

        after = resolved(board, MINIATURES_COMBAT.acts[act.kind].procedure, act, chance)
        if after is None:
            continue
        free = {act.token} if act.kind == "move" else set()
        check_uncrossed(board, after, found, center, free)
        moved[act.kind] += sum(
            one.at not in (None, board.token(one.id).at) for one in after.tokens if one.id not in free
        )
    assert all(moved[kind] > 5 for kind in ("push", "sweep", "lunge", "fall_back", "move")), moved


def test_no_flight_crosses_a_wall_closed_ground_or_the_edge():
    moved = 0
    for seed in range(AIMED):
        chance = random.Random(seed)
        board, found = inches_scene(chance)

        scale = scale_of(board.grid)

        def center(token, scale=scale):
            return scale.center(token.size, token.at)

        def flight(scene):
            return (yield from minions_flee(scene, "a"))

        after = resolve(board, flight, (), RandomAnswers(chance)).scene
        check_uncrossed(board, after, found, center)
        moved += sum(one.at != board.token(one.id).at for one in after.tokens)
    assert moved > AIMED // 4


KINDS = {"hammer": "melee", "fist": "melee", "grappling hook": "ranged", "pistol": "ranged"}
HANDS = [
    ("hammer", "hammer"),
    ("hammer", "entangling weapon"),
    ("grappling hook", "fist"),
    ("blast staff", "fist"),
    ("mage claw", "fist"),
    ("air staff",),
    ("force orb", "fist"),
    ("pistol", "fist"),
]


def cells_scene(chance):
    found, walls = parts(chance, 64)
    grid = chance.choice(["square", "square", "hex_odd_r", "hex_even_q"])
    if grid != "square":
        found, walls = [], ()
    cells = tuple((chance.randrange(12), chance.randrange(12)) for _ in range(chance.randrange(20)))
    x, y = chance.choice([(5, 5), (0, 5), (10, 10), (5, 0)])
    places = [(x + dx, y + dy) for dx in range(2) for dy in range(2)] + [(x, (y + 5) % 12)]
    tokens = []
    first, second = chance.choice([(0, 2), (2, 0), (1, 3), (3, 1)])  # side by side, face to face
    others = chance.sample([place for i, place in enumerate(places) if i not in (first, second)], 2)
    for i, at in enumerate([places[first], places[second], *others]):
        profile = {"armor": "light", "race": "human", "hands": list(chance.choice(HANDS))}
        conditions = {"entangled": "m0"} if i == 1 and chance.randrange(2) else {}
        tokens.append(
            Token(
                id=f"m{i}",
                name=f"M{i}",
                side="ab"[i % 2],
                at=at,
                facing=90 if at[0] == x else 270,
                profile=profile,
                conditions=conditions,
            )
        )
    board = Scene(
        ruleset="coup_de_grace",
        grid=Grid(grid, 12, 12),
        sides=SIDES,
        tokens=tuple(COUP_DE_GRACE.prepare_token(one) for one in tokens),
        walls=walls,
        terrain=(Terrain(id="t", name="T", kind="pit", cells=cells, cost=0),) if cells else (),
    )
    return board, found


def test_no_forced_move_of_coup_de_grace_crosses_a_wall_closed_ground_or_the_edge():
    moved = Counter()
    for seed in range(AIMED * 6):
        chance = random.Random(seed)
        board, found = cells_scene(chance)
        weapon = chance.choice(board.token("m0").profile["hands"])
        kind = KINDS.get(weapon, "spell") if chance.randrange(4) else "move"
        x, y = board.token("m1").at
        act = Act(
            kind=kind,
            token="m0",
            target="m1",
            weapon=weapon,
            at=(min(11, max(0, x + chance.randrange(-2, 3))), min(11, max(0, y + chance.randrange(-2, 3)))),
            facing=chance.choice([0, 90, 180, 270]),
        )
        after = resolved(board, COUP_DE_GRACE.acts[kind].procedure, act, chance)
        if after is None:
            continue

        def center(token):
            return token.at[0] * 64 + 32, token.at[1] * 64 + 32

        free = {act.token} if kind == "move" else set()
        check_uncrossed(board, after, found, center, free)
        moved[kind] += sum(
            one.at not in (None, board.token(one.id).at) for one in after.tokens if one.id not in free
        )
    assert all(moved[kind] > 3 for kind in ("melee", "ranged", "spell", "move")), moved
