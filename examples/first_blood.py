"""First Blood: a game of eight rules that writes every part of its ruleset itself.

docs/adding-a-ruleset.md builds a game of ready-made parts. This file shows what stands behind such parts, so
that a game can replace any of them. The tests of the repository play it.

- FBL-001: the sides take turns. A side moves one miniature, strikes with one, or passes.
- FBL-002: a miniature moves to a free square within its speed. A diagonal step counts as one.
- FBL-003: it strikes an adjacent enemy. A six-sided die hits on 4 or more and takes one hit point. With the
  house rule *second chance* the striker may reroll a miss once.
- FBL-004: a miniature at 0 hit points is out and leaves the board. The last side on the board wins.
- FBL-005: with the house rule *parting blows* an enemy may strike at a miniature that leaves an adjacent
  square.
- FBL-006: instead of a strike it may feint. Both choose high or low at the same time. If they differ, the
  enemy loses one hit point.
- FBL-007: with the house rule *grenades* it may throw one at an enemy within four squares. Two dice are its
  power. Each miniature at most one square from the enemy that rolls less than the power minus 3 on one die
  loses one hit point.
- FBL-008: with the house rule *initiative* each miniature has its own turn. Before the first round a die is
  rolled for each, and the highest goes first.
"""

from collections.abc import Sequence
from operator import add
from typing import Annotated

import msgspec
from msgspec.structs import replace

from enfilade.errors import IllegalAct, OutOfReach, OutOfTurn
from enfilade.geometry.board.base import Cell
from enfilade.rules.dice import D6
from enfilade.rules.house_rules import HouseRules, is_on
from enfilade.rules.procedures import (
    Act,
    Answer,
    Call,
    Change,
    Choose,
    ChooseAll,
    Each,
    Outcome,
    Require,
    Rest,
    Roll,
    Settled,
    Step,
    Steps,
    remove_token,
    set_condition,
    set_track,
    yes_or_no,
)
from enfilade.rules.profiles import read_profile
from enfilade.rules.resolve import refusal
from enfilade.rules.ruleset import ActKind, Area, Bar, CardLine, Offer, Reach, Ruleset, Ruling, Turn, Unit
from enfilade.scene.events import TABLE, AnyEvent, ConditionSet, Explained
from enfilade.scene.model import Scene, Token

NEEDED = 4
"""The face on which a strike hits (FBL-003)."""


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A duelist: its speed and its hit points."""

    speed: Annotated[int, msgspec.Meta(ge=1, le=6, title="Speed", description="In squares.")] = 3
    hit_points: Annotated[int, msgspec.Meta(ge=1, le=9, title="Hit points")] = 2


def profile(token: Token) -> Profile:
    """The profile of a token, checked."""
    return read_profile(token.profile, Profile)


def prepare_token(token: Token) -> Token:
    """Give a token its hit points when it enters the scene."""
    return replace(token, tracks={"hp": profile(token).hit_points, **token.tracks})


def card(scene: Scene, token: Token) -> tuple[CardLine, ...]:
    """The numbers of a token's card."""
    del scene
    mine = profile(token)
    return (
        CardLine("Speed", str(mine.speed)),
        CardLine("Hit points", str(token.track("hp")), f"of {mine.hit_points}"),
    )


RULES = HouseRules("fbl")
SECOND_CHANCE = RULES.option(
    "second_chance", "FBL-003", True, False, sentence="A striker may reroll a miss once."
)
PARTING_BLOWS = RULES.option(
    "parting_blows",
    "FBL-005",
    False,
    True,
    sentence="An enemy may strike at a miniature that leaves an adjacent square.",
)
GRENADES = RULES.option(
    "grenades", "FBL-007", False, True, sentence="A miniature may throw a grenade instead of a strike."
)
INITIATIVE = RULES.option(
    "initiative",
    "FBL-008",
    False,
    True,
    sentence="Each miniature has its own turn, in the order of its initiative.",
)


def alive(scene: Scene) -> list[str]:
    """The sides with a miniature that is not out, by ID."""
    return [s.id for s in scene.sides if any(t.side == s.id and not t.has("out") for t in scene.tokens)]


def turn(scene: Scene) -> Turn:
    """The state of the turn order (FBL-001), and the end of the battle (FBL-004)."""
    sides, number = alive(scene), scene.track("round", 1)
    if all(scene.side(sides[0]).is_ally(scene.side(side)) for side in sides):
        return Turn(round=number, is_over=True, winners=tuple(sides))
    if is_on(scene, INITIATIVE):
        return initiative_turn(scene)
    return Turn(round=number, sides=(scene.conditions.get("next", sides[0]),))


def may_act(scene: Scene, token: Token) -> bool:
    """Return whether a token may act now."""
    now = turn(scene)
    return token.side in now.sides and now.token in ("", token.id)


def require_turn(scene: Scene, token: Token) -> None:
    """Refuse an act out of turn (FBL-001), or after the battle (FBL-004)."""
    if turn(scene).is_over:
        raise IllegalAct("The duel is over.", "FBL-004")
    if not may_act(scene, token):
        raise OutOfTurn(not_its_turn(scene, token), "FBL-001")


def not_its_turn(scene: Scene, token: Token) -> str:
    """The sentence that refuses an act out of turn."""
    one = token if is_on(scene, INITIATIVE) else scene.side(token.side)
    return f"Not {one.name}'s turn."


def end_turn(scene: Scene, side: str) -> Steps:
    """Give the turn to the next side on the board; after the last side a new round starts."""
    if is_on(scene, INITIATIVE):
        return (yield from next_in_order(scene))
    ids = [one.id for one in scene.sides]
    place = ids.index(side) + 1
    following = next(one for one in [*ids[place:], *ids[:place]] if one == side or one in alive(scene))
    if ids.index(following) < place:
        yield set_track(scene, TABLE, "round", scene.track("round", 1) + 1)
    yield set_condition(scene, TABLE, "next", following)


def reach(scene: Scene, token: Token) -> Reach | None:
    """The free squares within a token's speed, each with its cost (FBL-002)."""
    if token.at is None:
        return None
    budget = profile(token).speed if may_act(scene, token) else 0
    taken = {other.at for other in scene.on_board() if other.id != token.id}
    cells = [(x, y) for x in range(scene.grid.columns) for y in range(scene.grid.rows)]
    costs = [(x, y, distance(token.at, (x, y))) for x, y in cells if (x, y) not in taken]
    return Reach(budget, tuple(cell for cell in costs if cell[2] <= budget))


def distance(a: Cell, b: Cell) -> int:
    """The distance of two squares; a diagonal step counts as one."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def judge(scene: Scene, token: Token, path: Sequence[Cell], facing: int | None) -> Ruling:
    """The ruling on a move, with a reason for each rule that it breaks."""
    del facing
    at, reasons, budget = path[-1], [], profile(token).speed
    cost = sum(distance(a, b) for a, b in zip([token.at or path[0], *path], path, strict=False))
    if token.has("out"):
        reasons.append(f"{token.name} is out (FBL-004).")
    if not may_act(scene, token):
        reasons.append(f"{not_its_turn(scene, token)[:-1]} (FBL-001).")
    if any(other.at == at for other in scene.on_board() if other.id != token.id):
        reasons.append("The square is occupied (FBL-002).")
    if cost > budget:
        reasons.append(f"The square is {cost} squares away; {token.name} moves {budget} (FBL-002).")
    return Ruling(not reasons, cost, budget, tuple(reasons))


def move(scene: Scene, act: Act) -> Steps:
    """Move, and ask each enemy that a step leaves for its blow (FBL-005).

    The table judges moves, so that this refuses only what is no square of the board.
    """
    token = scene.token(act.token)
    at = act.at or token.at
    if at is None or not (0 <= at[0] < scene.grid.columns and 0 <= at[1] < scene.grid.rows):
        raise IllegalAct(f"{token.name} can only move to a square of the board.", "FBL-002")
    yield Change(Explained(kind="move", facts={"token": token.id}))
    for step in act.waypoints or (at,):
        for enemy in leaving(scene, scene.token(token.id), step) if is_on(scene, PARTING_BLOWS) else ():
            answer = yield yes_or_no(enemy.side, f"{enemy.name} strikes at {token.name}?", True, enemy.id)
            if answer == "yes" and (yield Call(hit, (enemy.side, False))):
                scene = yield from wound(scene, token.id)
            if scene.token(token.id).at is None:
                yield from end_turn(scene, token.side)
                return Outcome("stopped")
        scene = yield Step(token.id, step, token.facing)
    yield from end_turn(scene, token.side)
    return Outcome("moved")


def leaving(scene: Scene, token: Token, step: Cell) -> list[Token]:
    """The adjacent enemies that a step leaves."""
    enemies = [one for one in scene.on_board() if not scene.are_allies(token, one)]
    return [one for one in enemies if token.at and distance(token.at, one.at) == 1 < distance(step, one.at)]


def wound(scene: Scene, token_id: str) -> Steps:
    """Take one hit point; at 0 the miniature is out and leaves the board. Returns the scene."""
    token = scene.token(token_id)
    left = token.track("hp") - 1
    scene = yield set_track(scene, token.id, "hp", left)
    if left <= 0:
        yield remove_token(token)
        scene = yield set_condition(scene, token.id, "out")
    return scene


def strike(scene: Scene, act: Act) -> Steps:
    """Strike an adjacent enemy (FBL-003)."""
    striker, target = scene.token(act.token), scene.token(act.target)
    if striker.at is None or target.at is None:
        raise OutOfReach("Only miniatures on the board can fight.", "FBL-003")
    yield Require(require_strike, (scene, striker, target))
    yield Change(Explained(kind="strike", facts={"token": striker.id, "target": target.id, "needed": NEEDED}))
    is_hit = yield Call(hit, (striker.side, is_on(scene, SECOND_CHANCE)))
    scene = (yield from wound(scene, target.id)) if is_hit else scene
    yield Change(Explained(kind="struck", facts={"result": "hit" if is_hit else "miss"}))
    yield from end_turn(scene, striker.side)
    is_out = scene.token(target.id).has("out")
    return Outcome("hit" if is_hit else "miss", damage=int(is_hit), leaves="out" if is_out else "")


def require_strike(scene: Scene, striker: Token, target: Token) -> None:
    """Refuse a strike at an ally or at one that is not adjacent (FBL-003)."""
    require_turn(scene, striker)
    if scene.are_allies(striker, target):
        raise IllegalAct(f"{target.name} is not an enemy.", "FBL-003")
    if distance(striker.at, target.at) != 1:
        raise OutOfReach(f"{target.name} is not adjacent to {striker.name}.", "FBL-003")


def hit(side: str, has_second_chance: bool) -> Steps:
    """Return whether the die hits, rerolled with a second chance."""
    (face,) = yield Roll("strike", D6)
    is_miss = face < NEEDED
    if is_miss and has_second_chance and (yield yes_or_no(side, "Reroll the miss?", default=True)) == "yes":
        (face,) = yield Roll("strike, rerolled", D6)
    return face >= NEEDED


def pass_turn(scene: Scene, act: Act) -> Steps:
    """Pass the side's turn (FBL-001)."""
    token = scene.token(act.token)
    yield Require(require_turn, (scene, token))
    yield Change(Explained(kind="pass", facts={"token": token.id}))
    yield from end_turn(scene, token.side)
    return Outcome("passed")


def feint(scene: Scene, act: Act) -> Steps:
    """Let both choose in secret; different answers hit (FBL-006)."""
    one, target = scene.token(act.token), scene.token(act.target)
    if one.at is None or target.at is None:
        raise OutOfReach("Only miniatures on the board can fight.", "FBL-003")
    yield Require(require_strike, (scene, one, target))
    yield Change(Explained(kind="feint", facts={"token": one.id, "target": target.id}))
    answers = (Answer("high", "High"), Answer("low", "Low"))
    both = tuple(Choose(t.side, f"{t.name}: high or low?", answers, "high", t.id) for t in (one, target))
    mine, other = yield ChooseAll(both)
    result = "hit" if mine != other else "miss"
    scene = (yield from wound(scene, target.id)) if result == "hit" else scene
    yield Change(Explained(kind="struck", facts={"result": result}))
    yield from end_turn(scene, one.side)
    return Outcome(result, damage=int(result == "hit"))


def offers(scene: Scene, token: Token) -> list[Offer]:
    """Each act of a token, legal or refused."""
    if turn(scene).round == 0:  # only a battle with initiative has it, before the first round
        return [offer(scene, Act(kind="begin", token=token.id))]
    enemies = [other for other in scene.on_board() if not scene.are_allies(token, other)]
    kinds = ["strike", "feint", *(["grenade"] if is_on(scene, GRENADES) else [])] if token.at else []
    acts = [Act(kind=kind, token=token.id, target=enemy.id) for kind in kinds for enemy in enemies]
    return [offer(scene, act) for act in [*acts, Act(kind="pass", token=token.id)]]


def offer(scene: Scene, act: Act) -> Offer:
    """The offer of an act, as its own procedure allows or refuses it."""
    refused = refusal(scene, FIRST_BLOOD.acts[act.kind].procedure, act)
    label = FIRST_BLOOD.acts[act.kind].label
    return Offer(act, label, 0, refused.sentence, refused.rule) if refused else Offer(act, label)


def grenade(scene: Scene, act: Act) -> Steps:
    """Throw a grenade at an enemy (FBL-007)."""
    thrower, target = scene.token(act.token), scene.token(act.target)
    if thrower.at is None or target.at is None:
        raise OutOfReach("Only miniatures on the board can fight.", "FBL-007")
    yield Require(require_throw, (scene, thrower, target))
    yield Change(Explained(kind="grenade", facts={"token": thrower.id, "target": target.id}))
    return (yield Rest(explode, (blast(scene, target), thrower.side)))


def require_throw(scene: Scene, thrower: Token, target: Token) -> None:
    """Refuse a throw without the house rule, at an ally, or too far (FBL-007)."""
    require_turn(scene, thrower)
    if not is_on(scene, GRENADES):
        raise IllegalAct("Nobody has grenades.", "FBL-007")
    if scene.are_allies(thrower, target):
        raise IllegalAct(f"{target.name} is not an enemy.", "FBL-007")
    if distance(thrower.at, target.at) > 4:
        raise OutOfReach(f"{target.name} is more than 4 squares away.", "FBL-007")


def blast(scene: Scene, target: Token) -> tuple[str, ...]:
    """Those at most one square from the target, by ID."""
    return tuple(one.id for one in scene.on_board() if distance(one.at, target.at) <= 1)


def explode(scene: Scene, struck: tuple[str, ...], side: str) -> Steps:
    """Roll the power, then let each of the struck roll against it (FBL-007)."""
    power = yield Roll("power", D6, 2, read=sum)
    scene, hurt = yield Each(struck, shake, (power,), start=0, add=add)
    yield Settled(outcome := Outcome("hit" if hurt else "miss", hurt))
    yield Change(Explained(kind="struck", facts={"result": outcome.result}))
    yield from end_turn(scene, side)
    return outcome


def shake(scene: Scene, one: str, power: int) -> Steps:
    """Wound one who fails against the power; return 1 for a wound."""
    is_hurt = yield Call(fails, (power,))
    if is_hurt:
        yield from wound(scene, one)
    return int(is_hurt)


def fails(power: int) -> Steps:
    """Return whether a die is less than the power minus 3."""
    return (yield Roll("dodge", D6, read=sum)) < power - 3


def flurry(scene: Scene, act: Act) -> Steps:
    """Strike three times at one enemy: not an act of the game, but the plainest `Each`."""
    striker, target = scene.token(act.token), scene.token(act.target)
    yield Require(require_strike, (scene, striker, target))
    yield Change(Explained(kind="strike", facts={"token": striker.id, "target": target.id}))
    scene, hits = yield Each((target.id,) * 3, blow, (striker.side,), start=0, add=add)
    yield from end_turn(scene, striker.side)
    return Outcome("hit" if hits else "miss", hits)


def blow(scene: Scene, target: str, side: str) -> Steps:
    """Strike once, unless the target is out; return 1 for a hit."""
    if scene.token(target).has("out") or not (yield Call(hit, (side, False))):
        return 0
    yield from wound(scene, target)
    return 1


def caught(scene: Scene, act: Act) -> tuple[str, ...]:
    """Those that a grenade catches beside its target, by ID."""
    target = scene.token(act.target) if act.kind == "grenade" else None
    if target is None or target.at is None:
        return ()
    return tuple(one for one in blast(scene, target) if one != target.id)


def initiative_turn(scene: Scene) -> Turn:
    """The state of the order by initiative (FBL-008)."""
    active = scene.conditions.get("active", "")
    return Turn(round=scene.track("round"), sides=(scene.token(active).side,) if active else (), token=active)


def in_order(scene: Scene) -> list[Token]:
    """All miniatures, the highest initiative first; of equals, the first that came to the table."""
    return sorted(scene.tokens, key=lambda token: -token.track("initiative"))


def begin(scene: Scene, act: Act) -> Steps:
    """Roll for each miniature, and give the first of them its turn (FBL-008)."""
    yield Require(require_new_battle, (scene,))
    yield Change(Explained(kind="begin", facts={"token": act.token}))
    for one in scene.tokens:
        (face,) = yield Roll(f"initiative of {one.name}", D6)
        scene = yield set_track(scene, one.id, "initiative", face)
    scene = yield set_track(scene, TABLE, "round", 1)
    yield from give_turn(scene, next(one for one in in_order(scene) if not one.has("out")))
    return Outcome("begun")


def require_new_battle(scene: Scene) -> None:
    """Refuse a second roll for initiative (FBL-008)."""
    if not is_on(scene, INITIATIVE) or turn(scene).round or turn(scene).is_over:
        raise IllegalAct("Initiative is rolled once, before the first round.", "FBL-008")


def next_in_order(scene: Scene) -> Steps:
    """Give the turn to the next miniature that is not out; after the last one a new round starts."""
    order, active = in_order(scene), scene.conditions["active"]
    place = [one.id for one in order].index(active) + 1
    following = [one for one in [*order[place:], *order[:place]] if not one.has("out")]
    if not following:
        return scene
    if following[0] in order[:place]:
        scene = yield set_track(scene, TABLE, "round", scene.track("round") + 1)
    return (yield from give_turn(scene, following[0]))


def give_turn(scene: Scene, token: Token) -> Steps:
    """Record whose turn it is; return the scene."""
    return (yield set_condition(scene, TABLE, "active", token.id))


def narrate(scene: Scene, events: Sequence[AnyEvent]) -> str:
    """The log's sentence for the events of an act."""
    facts = {key: fact for e in events if isinstance(e, Explained) for key, fact in e.facts.items()}
    kinds = [e.kind for e in events if isinstance(e, Explained)]
    name = scene.token(facts["token"]).name
    out = " and is out" if any(isinstance(e, ConditionSet) and e.condition == "out" for e in events) else ""
    if "target" not in facts:
        said = {"move": "moves", "begin": "calls for initiative"}
        return f"{name} {said.get(kinds[0], 'passes')}{out}."
    verb = {"strike": "strikes", "feint": "feints", "grenade": "throws a grenade"}[kinds[0]]
    return f"{name} {verb} at {scene.token(facts['target']).name}: {facts['result']}{out}."


def no_areas(scene: Scene, token: Token, layer: str) -> Sequence[Area]:
    """No layers: the game draws its reach alone."""
    del scene, token, layer
    return ()


FIRST_BLOOD = Ruleset(
    key="first_blood",
    title="First Blood",
    grids=frozenset({"square"}),
    profile=Profile,
    tracks={
        "hp": "Hit points; at 0 a miniature is out.",
        "round": "The round, on the table.",
        "initiative": "The place in the order of turns.",
    },
    conditions={
        "out": "Off the board for good.",
        "next": "The side whose turn it is, on the table.",
        "active": "The miniature whose turn it is, on the table.",
    },
    house_rules=tuple(RULES),
    catalog=(Unit("fencer", "Fencer", {"speed": 4, "hit_points": 1}), Unit("brawler", "Brawler", {})),
    acts={
        "move": ActKind("Move", move),
        "strike": ActKind("Strike", strike),
        "feint": ActKind("Feint", feint),
        "grenade": ActKind("Throw a grenade", grenade),
        "begin": ActKind("Roll initiative", begin),
        "pass": ActKind("Pass", pass_turn),
    },
    prepare_token=prepare_token,
    bar=lambda token: Bar("hp", profile(token).hit_points),
    card=card,
    reach=reach,
    judge=judge,
    areas=no_areas,
    turn=turn,
    offers=offers,
    successes=frozenset({"hit"}),
    caught=caught,
    narrate=narrate,
)
