"""Random procedures with `Each`: their odds equal those of the plain loop, and samples."""

from __future__ import annotations

import random
from fractions import Fraction
from math import sqrt
from typing import Any

import msgspec
import pytest

from enfilade.errors import EnfiladeError, IllegalAct
from enfilade.rules.cache import identity_cache
from enfilade.rules.changes import move_token, set_condition, set_track
from enfilade.rules.dice import Die, numbered
from enfilade.rules.each import EachWalk, aftermath, expanded_act
from enfilade.rules.odds import Allowance, _default_answer, _Walk, odds
from enfilade.rules.procedures import (
    Call,
    CallEach,
    Change,
    Each,
    Require,
    Rest,
    Roll,
    Settled,
    Steps,
    TailCall,
    yes_or_no,
)
from enfilade.rules.sampling import sample
from enfilade.rules.worlds import Memory
from enfilade.scene.events import TABLE, ConditionSet, TokenPlaced, TokenRemoved, TrackSet
from enfilade.scene.model import Grid, Scene, Side, Token

IDS = ("a", "b", "c", "d")
COIN, THREE, ODD = numbered(2), numbered(3), Die("odd", (0, 0, 1))
Program = tuple[Any, ...]


def start() -> Scene:
    tokens = tuple(
        Token(id=one, name=one, side="red" if one < "c" else "blue", at=(i, i), tracks={"hp": 3 + i})
        for i, one in enumerate(IDS)
    )
    sides = (Side(id="red", name="Red"), Side(id="blue", name="Blue"))
    return Scene(ruleset="", grid=Grid("square", 9, 9), sides=sides, tokens=tokens)


def callee(faces: int, more: int) -> Steps:
    rolled = yield Roll("inner", numbered(faces), 1)
    if rolled[0] == 1:
        return (yield TailCall(other_callee, (more,)))
    return rolled[0] + more


def other_callee(more: int) -> Steps:
    return sum((yield Roll("other", COIN, 2))) + more


def refuse(scene: Scene, one: str, least: int) -> None:
    if scene.token(one).track("hp") < least:
        raise IllegalAct("Too weak.", "X")


def total(scene: Scene) -> int:
    return sum(token.track("hp") for token in scene.tokens)


@identity_cache(16)
def cached_total(scene: Scene) -> int:
    return total(scene)


@identity_cache(16)
def cached_wounds(token: Token, least: int) -> int:
    return max(least, token.track("hp"))


def play(scene: Scene, item: str, program: Program, x: int = 0) -> Steps:
    """Run a program for an item; it returns a small number, or nothing."""
    old, y = scene, 0
    held = scene.token(item) if any(one.id == item for one in scene.tokens) else None
    for op in program:
        kind, *rest = op
        if held is None and kind not in ("roll", "table", "return", "add", "place"):
            continue
        other = (
            rest[0] if rest and rest[0] in IDS and any(one.id == rest[0] for one in scene.tokens) else item
        )
        if kind == "roll":
            faces = yield Roll("roll", rest[0], rest[1], rest[2])
            x += faces if isinstance(faces, int) else sum(faces)
        elif kind == "call":
            x += yield Call(callee, (rest[0], x % 3), (lambda found: found % 2) if rest[1] else None)
        elif kind == "calls":
            x += yield CallEach((Call(callee, (2, 1)), Call(other_callee, (x % 2,))), 0, lambda a, b: a + b)
        elif kind == "choose":
            x += 1 if (yield yes_or_no("red", "well?", bool(rest[0]))) == "yes" else 0
        elif kind == "hit":
            scene = yield set_track(scene, other, "hp", max(0, scene.token(other).track("hp") - x % 4))
        elif kind == "mark":
            scene = yield set_condition(scene, other, "mark", "" if x % 2 else None)
        elif kind == "raw":
            scene = yield Change(TrackSet(holder=other, track="raw", value=x % 3, was=None))
        elif kind == "raw_mark":
            scene = yield Change(ConditionSet(holder=other, condition="raw", note=str(x % 2), was=None))
        elif kind == "read":
            x += scene.token(other).track("hp") + 2 * scene.token(other).has("mark")
        elif kind == "move":
            token = scene.token(other)
            scene = yield move_token(token, None if x % 3 == 0 else (x % 5, 1), None)
        elif kind == "table":
            scene = yield set_track(scene, TABLE, "count", scene.track("count") + x % 2)
        elif kind == "side":
            scene = yield set_track(scene, "side:red", "morale", x % 2)
        elif kind == "all":
            x += total(scene)
        elif kind == "board":
            x += len(scene.on_board())
        elif kind == "cached":
            x += cached_total(scene)
        elif kind == "cached_token":
            x += cached_wounds(scene.token(other), x % 4)
        elif kind == "old":
            x += old.token(item).track("hp")
        elif kind == "held" and held is not None:
            x += held.track("hp")
        elif kind == "caught":
            try:
                x += scene.token(other).track("hp")
            except BaseException as error:
                if isinstance(error, GeneratorExit):
                    raise
                x += 100
        elif kind == "equal":
            x += scene.token(other) == scene.token(item)
        elif kind == "same":
            x += scene.token(other) is old.token(other)
        elif kind == "scenes":
            x += old == scene
        elif kind == "encode":
            x += len(msgspec.json.encode(scene)) % 3
        elif kind == "swap":
            mine, its = scene.token(item).track("hp"), scene.token(other).track("hp")
            scene = yield set_track(scene, item, "hp", its)
            scene = yield set_track(scene, other, "hp", mine)
        elif kind == "both":
            for one in (item, other):
                scene = yield set_track(scene, one, "hp", scene.token(one).track("hp") + x % 2)
        elif kind == "if":
            if x % 2:
                x = yield from part(scene, item, rest[0], x)
                scene = yield set_condition(scene, TABLE, "seen", None)
        elif kind == "require":
            yield Require(refuse, (scene, other, rest[1]))
        elif kind == "each":
            scene, more = yield Each(rest[0], play, (rest[1], x % 3), rest[2], ADDS[rest[3]])
            x += hash_of(more)
        elif kind == "remove":
            if len(scene.tokens) > 3 and x % 2:
                scene = yield Change(TokenRemoved(was=scene.token(other)))
                held = held if other != item else None
        elif kind == "place":
            scene = yield Change(TokenPlaced(token=Token(id="e", name="e", side="red", tracks={"hp": x % 3})))
        elif kind == "rest":
            return (yield Rest(ending, (item, rest[0], x % 4)))
        elif kind == "tail":
            return (yield TailCall(callee, (2, x % 3)))
        elif kind == "return":
            return x % rest[0]
    return x % 5


def part(scene: Scene, item: str, program: Program, x: int) -> Steps:
    return (yield from play(scene, item, program, x))


def ending(scene: Scene, item: str, program: Program, x: int) -> Steps:
    return (yield from play(scene, item, program, x))


def hash_of(more: Any) -> int:
    return (
        sum((i + 1) * hash_of(one) for i, one in enumerate(more))
        if isinstance(more, tuple)
        else int(more or 0)
    )


ADDS: dict[str, Any] = {
    "none": None,
    "sum": lambda a, b: a + b,
    "order": lambda a, b: (2 * a + b) % 7,
    "list": lambda a, b: (*a, b),
    "most": max,
}


def act(scene: Scene, program: Program, ending: Program, reads: tuple[str, ...], settles: bool) -> Steps:
    x = 0
    for op in program:
        if op[0] == "each":
            scene, more = yield Each(op[1], play, (op[2], x % 3), op[3], ADDS[op[4]])
            x += hash_of(more)
        else:
            rolled = yield Roll("first", op[1], op[2], op[3])
            x += rolled if isinstance(rolled, int) else rolled[0]
    for op in ending:
        if op[0] == "all":
            x += total(scene)
        elif op[0] == "board":
            x += len(scene.on_board())
        elif op[0] == "hit":
            known = {one.id for one in scene.tokens}
            if op[1] in known:
                scene = yield set_track(scene, op[1], "hp", scene.token(op[1]).track("hp") + x % 3)
    found = [x % 7]
    known = {one.id for one in scene.tokens}
    for one in reads:
        if one in known:
            token = scene.token(one)
            found.append(
                (tuple(sorted(token.tracks.items())), tuple(sorted(token.conditions.items())), token.at)
            )
    found.append(scene.track("count"))
    if settles:
        yield Settled(tuple(found))
        for one in list(scene.tokens):
            (yield Roll("after", COIN))
            scene = yield set_track(scene, one.id, "hp", 0)
    return tuple(found)


def random_program(chance: random.Random, depth: int, wild: bool) -> Program:
    ops: list[Any] = []
    kinds = [
        "roll",
        "roll",
        "call",
        "hit",
        "hit",
        "mark",
        "read",
        "raw",
        "raw_mark",
        "choose",
        "if",
        "both",
        "swap",
        "return",
    ]
    if wild:
        kinds += [
            "move",
            "table",
            "side",
            "all",
            "board",
            "old",
            "held",
            "caught",
            "equal",
            "same",
            "scenes",
            "encode",
            "cached",
            "cached_token",
        ]
        kinds += ["remove", "place", "calls", "tail"]
    if depth:
        kinds += ["each", "rest"]
    rolls = 0
    for _ in range(chance.randint(2, 5)):
        kind = chance.choice(kinds)
        if kind in ("roll", "call", "calls", "tail"):
            rolls += 1
            if rolls > 2:
                continue
        if kind == "roll":
            ops.append(
                (
                    kind,
                    chance.choice((COIN, THREE, ODD)),
                    chance.choice((1, 1, 2)),
                    chance.choice((None, sum, max)),
                )
            )
        elif kind == "call":
            ops.append((kind, chance.choice((2, 3)), chance.random() < 0.3))
        elif kind == "if" or kind == "rest":
            ops.append((kind, random_program(chance, 0, wild)))
        elif kind == "each":
            start, add = chance.choice((((), "list"), (0, "sum"), (0, "order"), (0, "most"), (None, "none")))
            items = tuple(chance.choices(IDS, k=chance.choice((1, 2))))
            ops.append((kind, items, random_program(chance, depth - 1, wild), start, add))
        elif kind == "return":
            ops.append((kind, chance.choice((1, 2, 3))))
        elif kind == "choose":
            ops.append((kind, chance.random() < 0.5))
        else:
            ops.append((kind, chance.choice(IDS), chance.choice((0, 1, 3))))
    return tuple(ops)


def random_act(seed: int) -> tuple[Any, ...]:
    chance = random.Random(seed)
    wild, program = chance.random() < 0.5, []
    for _ in range(chance.choice((1, 1, 2))):
        if chance.random() < 0.5:
            program.append(
                ("roll", chance.choice((COIN, THREE)), chance.choice((1, 2)), chance.choice((None, sum)))
            )
        start, add = chance.choice((((), "list"), (0, "sum"), (0, "order"), (0, "most"), (None, "none")))
        items = (
            tuple(chance.choices(IDS, k=chance.choice((1, 2, 3))))
            if chance.random() < 0.3
            else tuple(chance.sample(IDS, chance.choice((1, 2, 3))))
        )
        program.append(("each", items, random_program(chance, chance.choice((0, 0, 1)), wild), start, add))
    ending = tuple(
        (chance.choice(("hit", "all", "board", "nothing", "nothing")), chance.choice(IDS)) for _ in range(2)
    )
    reads = tuple(chance.sample(IDS, chance.choice((0, 1, 2, 4))))
    return tuple(program), ending, reads, chance.random() < 0.3


def _refused(run: Any) -> Any:
    try:
        return run()
    except EnfiladeError as error:
        return str(error)


def check(seed: int, samples: int = 0) -> str:
    arguments = random_act(seed)
    plain = _refused(
        lambda: odds(start(), expanded_act(act), arguments, budget=400_000, allowance=Allowance(10**9))
    )
    new = _refused(lambda: odds(start(), act, arguments, budget=200_000, allowance=Allowance(10**9)))
    if isinstance(plain, str) or isinstance(new, str):
        assert plain == new, seed
        return "refused"
    if not plain.is_exact or not new.is_exact:
        return "large"
    assert sum(new.chances.values()) == 1
    assert new.chances == plain.chances, seed
    if samples:
        counts = sample(start(), act, arguments, samples, seed)
        assert set(counts) <= set(new.chances), seed
        for result, p in new.chances.items():
            off = abs(counts[result] / samples - p)
            assert off <= 5.5 * sqrt(p * (1 - p) / samples) + 2 / samples, (
                seed,
                result,
                float(p),
                counts[result],
            )
    return "equal"


def _hp(token: Token) -> int:
    return token.track("hp")


def check_aftermath(seed: int) -> str:
    """The states of each token and the number of marked ones equal those of the loop."""
    program, ending, _, _ = random_act(seed)
    if any(word in repr(program) for word in ("'remove'", "'place'")):
        return "other tokens"
    plain = _refused(
        lambda: odds(start(), expanded_act(act), (program, ending, IDS, False), 400_000, Allowance(10**9))
    )
    if isinstance(plain, str) or not plain.is_exact:
        return "large"
    walk = _Walk(start(), 10**9, Allowance(10**9))
    found = EachWalk(start(), Memory(), walk._answers, _default_answer, walk._spend)
    try:
        leaves = found.act(act, (program, ending, (), False))
    except Exception:  # what the watch cannot follow: `odds` falls back to the loop
        return "expanded"
    after = aftermath(found.worlds, leaves)
    for i, one in enumerate(IDS):
        wanted: dict[Any, Fraction] = {}
        for result, p in plain.chances.items():
            wanted[result[1 + i]] = wanted.get(result[1 + i], Fraction(0)) + p
        got: dict[Any, Fraction] = {}
        for token, p in after.states(one):
            key = (tuple(sorted(token.tracks.items())), tuple(sorted(token.conditions.items())), token.at)
            got[key] = got.get(key, Fraction(0)) + p
        assert got == wanted, (seed, one)
    numbers: dict[int, Fraction] = {}
    for result, p in plain.chances.items():
        weak = sum(dict(result[1 + i][0])["hp"] < 3 for i in range(4))
        numbers[weak] = numbers.get(weak, Fraction(0)) + p
    assert after.number(lambda token: _hp(token) < 3) == dict(sorted(numbers.items())), seed
    return "equal"


@pytest.mark.parametrize("seed", range(40))
def test_the_aftermath_of_each_equals_that_of_the_loop(seed: int) -> None:
    check_aftermath(seed)


@pytest.mark.parametrize("seed", range(40))
def test_odds_with_each_equal_those_of_the_loop_and_samples(seed: int) -> None:
    check(seed, 4_000)
