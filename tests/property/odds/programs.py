"""Random procedures with `Each` and `Rest`: what items read, write, swap, refuse, keep and swallow."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec

from enfilade.errors import IllegalAct
from enfilade.rules.battle.memo import identity_cache
from enfilade.rules.dice import Die, numbered
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
    move_token,
    set_condition,
    set_track,
    yes_or_no,
)
from enfilade.scene.events import TABLE, ConditionSet, TokenPlaced, TokenRemoved, TrackSet
from enfilade.scene.model import Grid, Scene, Side, Token

IDS = ("a", "b", "c", "d")
COIN, THREE, ODD = numbered(2), numbered(3), Die("odd", (0, 0, 1))
Program = tuple[Any, ...]


@cache
def start() -> Scene:
    """Return a scene of four tokens of two sides, which all acts share, as those of one answer do."""
    tokens = tuple(
        Token(id=one, name=one, side="red" if one < "c" else "blue", at=(i, i), tracks={"hp": 3 + i})
        for i, one in enumerate(IDS)
    )
    sides = (Side(id="red", name="Red"), Side(id="blue", name="Blue"))
    return Scene(ruleset="", grid=Grid("square", 9, 9), sides=sides, tokens=tokens)


class Moment:
    """A running program: its item, the scene now and at its start, and a small number."""

    def __init__(self, scene: Scene, item: str, x: int) -> None:
        self.scene = self.old = scene
        self.item, self.x = item, x
        self.held = scene.token(item) if self.has(item) else None

    def has(self, one: str) -> bool:
        return any(token.id == one for token in self.scene.tokens)

    def hp(self, one: str) -> int:
        return self.scene.token(one).track("hp")

    def other(self, rest: Program) -> str:
        return rest[0] if rest and rest[0] in IDS and self.has(rest[0]) else self.item


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


# Steps that ask for something


def roll(now: Moment, die: Die, number: int, read: Any) -> Steps:
    faces = yield Roll("roll", die, number, read)
    now.x += faces if isinstance(faces, int) else sum(faces)


def call(now: Moment, faces: int, is_read: bool) -> Steps:
    now.x += yield Call(callee, (faces, now.x % 3), (lambda found: found % 2) if is_read else None)


def calls(now: Moment, *_: Any) -> Steps:
    both = (Call(callee, (2, 1)), Call(other_callee, (now.x % 2,)))
    now.x += yield CallEach(both, 0, lambda a, b: a + b)


def choose(now: Moment, default: bool) -> Steps:
    now.x += 1 if (yield yes_or_no("red", "well?", default)) == "yes" else 0


def hit(now: Moment, *rest: Any) -> Steps:
    one = now.other(rest)
    now.scene = yield set_track(now.scene, one, "hp", max(0, now.hp(one) - now.x % 4))


def mark(now: Moment, *rest: Any) -> Steps:
    now.scene = yield set_condition(now.scene, now.other(rest), "mark", "" if now.x % 2 else None)


def raw(now: Moment, *rest: Any) -> Steps:
    now.scene = yield Change(TrackSet(holder=now.other(rest), track="raw", value=now.x % 3, was=None))


def raw_mark(now: Moment, *rest: Any) -> Steps:
    event = ConditionSet(holder=now.other(rest), condition="raw", note=str(now.x % 2), was=None)
    now.scene = yield Change(event)


def move(now: Moment, *rest: Any) -> Steps:
    token = now.scene.token(now.other(rest))
    now.scene = yield move_token(token, None if now.x % 3 == 0 else (now.x % 5, 1), None)


def table(now: Moment, *_: Any) -> Steps:
    now.scene = yield set_track(now.scene, TABLE, "count", now.scene.track("count") + now.x % 2)


def side(now: Moment, *_: Any) -> Steps:
    now.scene = yield set_track(now.scene, "side:red", "morale", now.x % 2)


def swap(now: Moment, *rest: Any) -> Steps:
    other = now.other(rest)
    mine, its = now.hp(now.item), now.hp(other)
    now.scene = yield set_track(now.scene, now.item, "hp", its)
    now.scene = yield set_track(now.scene, other, "hp", mine)


def both(now: Moment, *rest: Any) -> Steps:
    for one in (now.item, now.other(rest)):
        now.scene = yield set_track(now.scene, one, "hp", now.hp(one) + now.x % 2)


def branch(now: Moment, program: Program) -> Steps:
    if now.x % 2:
        now.x = yield from play(now.scene, now.item, program, now.x)
        now.scene = yield set_condition(now.scene, TABLE, "seen", None)


def require(now: Moment, *rest: Any) -> Steps:
    yield Require(refuse, (now.scene, now.other(rest), rest[1] + 2))


def each(now: Moment, items: Program, program: Program, first: Any, add: str) -> Steps:
    now.scene, more = yield Each(items, play, (program, now.x % 3), first, ADDS[add])
    now.x += small(more)


def remove(now: Moment, *rest: Any) -> Steps:
    if len(now.scene.tokens) > 3 and now.x % 2:
        other = now.other(rest)
        now.scene = yield Change(TokenRemoved(was=now.scene.token(other)))
        now.held = now.held if other != now.item else None


def place(now: Moment, *_: Any) -> Steps:
    token = Token(id="e", name="e", side="red", tracks={"hp": now.x % 3})
    now.scene = yield Change(TokenPlaced(token=token))


# Steps that read


def caught(now: Moment, other: str) -> int:
    try:
        return now.hp(other)
    except BaseException as error:
        if isinstance(error, GeneratorExit):
            raise
        return 100


READS: dict[str, Callable[[Moment, str], int]] = {
    "read": lambda now, other: now.hp(other) + 2 * now.scene.token(other).has("mark"),
    "all": lambda now, _: total(now.scene),
    "board": lambda now, _: len(now.scene.on_board()),
    "cached": lambda now, _: cached_total(now.scene),
    "cached_token": lambda now, other: cached_wounds(now.scene.token(other), now.x % 4),
    "old": lambda now, _: now.old.token(now.item).track("hp"),
    "held": lambda now, _: now.held.track("hp") if now.held else 0,
    "caught": caught,
    "equal": lambda now, other: now.scene.token(other) == now.scene.token(now.item),
    "same": lambda now, other: now.scene.token(other) is now.old.token(other),
    "scenes": lambda now, _: now.old == now.scene,
    "encode": lambda now, _: len(msgspec.json.encode(now.scene)) % 3,
}
ASKS: dict[str, Callable[..., Steps]] = {
    **{one.__name__: one for one in (roll, call, calls, choose, hit, mark, raw, raw_mark, move, table, side)},
    **{one.__name__: one for one in (swap, both, require, each, remove, place)},
    "if": branch,
}
TAME = (
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
)
WILD = (*READS, "move", "table", "side", "remove", "place", "calls", "tail", "require", "return")
ALWAYS = ("roll", "table", "return", "place")


def play(scene: Scene, item: str, program: Program, x: int = 0) -> Steps:
    """Run a program for an item; it returns a small number."""
    now = Moment(scene, item, x)
    for kind, *rest in program:
        if now.held is None and kind not in ALWAYS:
            continue
        if kind in READS:
            now.x += READS[kind](now, now.other(tuple(rest)))
        elif kind in ASKS:
            yield from ASKS[kind](now, *rest)
        elif kind == "rest":
            return (yield Rest(play, (item, rest[0], now.x % 4)))
        elif kind == "tail":
            return (yield TailCall(callee, (2, now.x % 3)))
        elif kind == "return":
            return now.x % rest[0]
    return now.x % 5


def small(more: Any) -> int:
    if isinstance(more, tuple):
        return sum((i + 1) * small(one) for i, one in enumerate(more))
    return int(more or 0)


ADDS: dict[str, Any] = {
    "none": None,
    "sum": lambda a, b: a + b,
    "order": lambda a, b: (2 * a + b) % 7,
    "list": lambda a, b: (*a, b),
    "most": max,
}


def act(scene: Scene, program: Program, ending: Program, reads: tuple[str, ...], settles: bool) -> Steps:
    """Run a program of rolls and loops; the result is what some tokens are in the end."""
    now = Moment(scene, "", 0)
    for op in (*program, *ending):
        if op[0] in READS:
            now.x += READS[op[0]](now, "")
        elif op[0] == "each":
            yield from each(now, *op[1:])
        elif op[0] == "roll":
            rolled = yield Roll("first", op[1], op[2], op[3])
            now.x += rolled if isinstance(rolled, int) else rolled[0]
        elif op[0] == "hit" and now.has(op[1]):
            now.scene = yield set_track(now.scene, op[1], "hp", now.hp(op[1]) + now.x % 3)
    found = (now.x % 7, *[state_of(now.scene.token(one)) for one in reads if now.has(one)])
    if settles:
        yield Settled((*found, now.scene.track("count")))
        for one in now.scene.tokens:
            yield Roll("after", COIN)
            yield set_track(now.scene, one.id, "hp", 0)
    return (*found, now.scene.track("count"))


def state_of(token: Token) -> tuple[Any, ...]:
    return tuple(sorted(token.tracks.items())), tuple(sorted(token.conditions.items())), token.at


def random_loop(chance: random.Random, items: Program, program: Program) -> Program:
    first, add = chance.choice((((), "list"), (0, "sum"), (0, "order"), (0, "most"), (None, "none")))
    return ("each", items, program, first, add)


def random_program(chance: random.Random, depth: int, wild: bool) -> Program:
    kinds = [*TAME, *(WILD if wild else ()), *(("each", "rest") if depth else ())]
    ops: list[Any] = []
    rolls = 0
    for _ in range(chance.randint(2, 5)):
        kind = chance.choice(kinds)
        rolls += kind in ("roll", "call", "calls", "tail")
        if rolls < 3 or kind not in ("roll", "call", "calls", "tail"):
            ops.append((kind, *_random_rest(chance, kind, depth, wild)))
    return tuple(ops)


def _random_rest(chance: random.Random, kind: str, depth: int, wild: bool) -> Program:
    if kind == "roll":
        return (
            chance.choice((COIN, THREE, ODD)),
            chance.choice((1, 1, 2)),
            chance.choice((None, sum, max)),
        )
    if kind in ("if", "rest"):
        return (random_program(chance, 0, wild),)
    if kind == "each":
        items = tuple(chance.choices(IDS, k=chance.choice((1, 2))))
        return random_loop(chance, items, random_program(chance, depth - 1, wild))[1:]
    simple: dict[str, Program] = {
        "call": (chance.choice((2, 3)), chance.random() < 0.3),
        "return": (chance.choice((1, 2, 3)),),
        "choose": (chance.random() < 0.5,),
    }
    return simple.get(kind, (chance.choice(IDS), chance.choice((0, 1, 3))))


def random_act(seed: int) -> tuple[Program, Program, tuple[str, ...], bool]:
    """Return the arguments of `act` for a seed."""
    chance = random.Random(seed)
    wild, program = chance.random() < 0.5, list[Any]()
    for _ in range(chance.choice((1, 1, 2))):
        if chance.random() < 0.5:
            dice = chance.choice((COIN, THREE)), chance.choice((1, 2)), chance.choice((None, sum))
            program.append(("roll", *dice))
        items = chance.sample(IDS, chance.choice((1, 2, 3)))
        if chance.random() < 0.3:
            items = chance.choices(IDS, k=chance.choice((1, 2, 3)))
        program.append(
            random_loop(chance, tuple(items), random_program(chance, chance.choice((0, 0, 1)), wild))
        )
    last = ("hit", "all", "board", "nothing", "nothing")
    ending = tuple((chance.choice(last), chance.choice(IDS)) for _ in range(2))
    return (
        tuple(program),
        ending,
        tuple(chance.sample(IDS, chance.choice((0, 1, 2, 4)))),
        chance.random() < 0.3,
    )
