"""A ruleset: one frozen value of plain functions and data, and the small values that they return."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, NamedTuple

import msgspec

from enfilade.errors import Cause, IllegalAct
from enfilade.geometry.board.mask import Run
from enfilade.geometry.board.units import Cell, Point, Segment
from enfilade.rules.house_rules import HouseRule
from enfilade.rules.outlook import PLAIN_OUTLOOK, Outlook
from enfilade.rules.procedures import Act, Procedure, Steps
from enfilade.scene.events import AnyEvent
from enfilade.scene.model import Scene, Token, Value


class ActKind(NamedTuple):
    """A kind of act: the label of its button, its procedure, and whether only the GM may use it.

    `planned` is the ID of the rule by which an act is chosen at the start of a round together with those of
    others, and not by itself. Previews show its odds; the table refuses it, unless the GM overrides the rule.
    No token does an act of the GM, such as the start of a round. `body` is the shape of what only acts of
    this kind say, such as a text or a number. Pages show a form for it. Its fields need defaults and limits,
    and hashable types; an act that is offered has the defaults. `steps` are the kinds of explanations that
    begin a step, if pages play the act step by step. `tags` say what the act does, as laws name it
    (`rules.battle.laws.Tag`): a new act gets the bans and duties of its game with them. One that `is_placed`
    may be aimed at any cell: an offer of it without a target has a first one, and pages let people choose.
    """

    label: str
    procedure: Procedure
    is_gm_only: bool = False
    body: type[Value] | None = None
    planned: str = ""
    steps: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    is_placed: bool = False


class Unit(Value, frozen=True):
    """A ready-made miniature of a ruleset's catalog."""

    key: str
    name: str
    profile: dict[str, Any]


class CardLine(Value, frozen=True):
    """A line of a miniature's card: a label, a value, and its source."""

    label: str
    value: str
    note: str = ""


class Provocation(Value, frozen=True):
    """An enemy that a move provokes, by ID, and the attack that it may make.

    `chance` is the chance of harm and `damage` the expected damage, both as (numerator, denominator), from
    the situation before the move; they are None if the game does not work them out.
    """

    token: str
    act: str
    chance: tuple[int, int] | None = None
    damage: tuple[int, int] | None = None


class Area(Value, frozen=True):
    """A part of the board in one overlay layer under one label: cells, or an outline on a gridless board.

    `rings` and `lines` are x, y, x, y, ... in 64ths of an inch. A point is in the area if a ring goes around
    it; rings may overlap, and all go clockwise on the board. The lines are the border where no wall makes it.
    """

    layer: str
    label: str
    runs: tuple[Run, ...] = ()
    rings: tuple[tuple[int, ...], ...] = ()
    lines: tuple[tuple[int, ...], ...] = ()


class Reach(Value, frozen=True):
    """The cells that a token can move to: its budget, and (column, row, cost) of each cell.

    `provokes` has (column, row, indices in `provocations`) of each cell whose cheapest path provokes enemies.
    `safe` has (column, row, cost) of the cheapest path that provokes none, for those of these cells that have
    one within the budget. On a gridless board the cells are some of the places in reach, in 64ths of an inch,
    and `bands` have the outline of all; several if dice are still to be rolled, the smallest first.
    """

    budget: int
    cells: tuple[tuple[int, int, int], ...]
    provocations: tuple[Provocation, ...] = ()
    provokes: tuple[tuple[int, int, tuple[int, ...]], ...] = ()
    safe: tuple[tuple[int, int, int], ...] = ()
    bands: tuple[Area, ...] = ()


class PathStep(Value, frozen=True):
    """A step of a path: the cell where it ends, how the token moves, the cost, and what it provokes."""

    at: Cell
    how: str
    cost: int
    provokes: tuple[Provocation, ...] = ()


class Ruling(Value, frozen=True):
    """The judgment of a move: allowed or not, its cost (None: no path) out of the budget, and the reasons.

    `path` has the cells from the start to the end. `steps` has them with what each step provokes, in a game
    whose moves are chains of steps. `causes` has the causes of the reasons that refuse the move.
    """

    allowed: bool
    cost: int | None
    budget: int
    reasons: tuple[str, ...] = ()
    path: tuple[Cell, ...] = ()
    steps: tuple[PathStep, ...] = ()
    causes: tuple[Cause, ...] = ()


MOVES = frozenset({"move", "move_group"})
"""The kinds of act that move tokens by their own will, one or a group."""

_RULE_ID = re.compile(r"\b[A-Z]{3}-\d{3}\b")


def refused_move(ruling: Ruling) -> IllegalAct:
    """Return the error that refuses a move, with the first rule that its reasons name (none if none does)."""
    sentence = " ".join(ruling.reasons)
    named = _RULE_ID.search(sentence)
    return IllegalAct(sentence, named.group() if named else "", ruling.causes[0] if ruling.causes else "")


class PlayedAttack(NamedTuple):
    """An attack that was made: attacker, target, result, and the expected result.

    `chance` is the chance to hit, `expected` the mean damage; None if the rules have no odds for it.
    """

    token: str
    target: str
    is_hit: bool
    damage: int
    chance: Fraction | None
    expected: Fraction | None


def no_contradictions(scene: Scene) -> Mapping[str, str]:
    """Return no contradictions: the default for a game without rules about states of its own."""
    del scene
    return {}


class Blocker(Value, frozen=True):
    """A thing that blocks a line of sight, by its ID and its name.

    `id` is empty if it is not a thing of the scene, such as the corner between two bodies.
    """

    kind: Literal["wall", "door", "token", "terrain", "corner"]
    id: str = ""
    name: str = ""


CoverLevel = Literal["", "lesser", "half", "three_quarters", "total"]
"""A kind of cover, whatever the game calls it; empty without any."""


class Sight(Value, frozen=True, kw_only=True):
    """The line of sight between two tokens.

    `line` is the line in 64ths of a cell, as walls are; `at` is the point where `blocker` stops it. `why`
    says in a sentence why the target is not seen, `cover` which cover it has, `distance` the distance in the
    game's unit, like "3 squares". A field without content is empty or None. `is_seen` is None in a game
    without lines of sight. `cover_level` and `cover_bonus` are the cover for programs: its kind, and what it
    adds to the target's defense; None behind total cover, which no attack passes.
    """

    is_seen: bool | None = None
    why: str = ""
    cover: str = ""
    cover_level: CoverLevel = ""
    cover_bonus: int | None = 0
    distance: str = ""
    line: Segment | None = None
    at: Point | None = None
    blocker: Blocker | None = None


class Caught(Value, frozen=True, kw_only=True):
    """A token in a drawn area, by ID, and its cover from the area's origin; spared behind total cover."""

    token: str
    cover: str = ""
    cover_level: CoverLevel = ""
    cover_bonus: int | None = 0
    is_spared: bool = False


class Engagement(Value, frozen=True):
    """Two tokens that are engaged with each other, by ID, and the effect."""

    tokens: tuple[str, str]
    label: str


class Offer(Value, frozen=True):
    """An act of a token: legal now, or refused with a sentence, the rule's ID and the cause."""

    act: Act
    label: str
    cost: int = 0
    why: str = ""
    rule: str = ""
    cause: Cause | Literal[""] = ""

    @property
    def is_legal(self) -> bool:
        """Return whether the act is legal now."""
        return not self.why


class TurnPlace(Value, frozen=True):
    """A token in the order of turns, by ID, and the number that gave it its place; None without one."""

    token: str
    number: int | None = None


class Budget(Value, frozen=True):
    """A part of a turn that a token may still spend: its name, how much is left, and of how much."""

    label: str
    left: int
    of: int


class State(Value, frozen=True, kw_only=True):
    """A condition of a token for people: its name among the game's conditions, its source, and its end."""

    condition: str
    source: str = ""
    ends: str = ""


class Turn(Value, frozen=True, kw_only=True):
    """The state of the turn order: the round (0: not started), and the sides or the one token that may act.

    `token` is empty if any token of `sides` may act. `order` has the tokens in their order, in a game in
    which each has its own turn. `opening` is the kind of the GM's act that begins the battle, before it, in a
    game without one that starts each round. `winners` are the sides that have won; a battle that `is_over`
    without winners is a draw.
    """

    round: int
    sides: tuple[str, ...] = ()
    token: str = ""
    order: tuple[TurnPlace, ...] = ()
    opening: str = ""
    is_over: bool = False
    winners: tuple[str, ...] = ()


class Bar(Value, frozen=True):
    """A token's bar on a tabletop: a track and its maximum."""

    track: str
    most: int


def no_regions(scene: Scene) -> Sequence[Area]:
    """Return no regions: the default for boards without them."""
    del scene
    return ()


def body_by_size(scene: Scene, token: Token) -> Sequence[Run]:
    """Return no cells: the token's size determines its body."""
    del scene, token
    return ()


def no_bar(token: Token) -> Bar | None:
    """Return no bar."""
    del token
    return None


def no_lines_of_sight(scene: Scene, viewer: Token, target: Token) -> Sight:
    """Return an empty Sight, for a game without lines of sight."""
    del scene, viewer, target
    return Sight()


def no_engagements(scene: Scene) -> Sequence[Engagement]:
    """Return no engagements."""
    del scene
    return ()


def no_sharing(scene: Scene, a: Token, b: Token) -> bool:
    """Return that two tokens may not be on one cell: the default."""
    del scene, a, b
    return False


def settles_nothing(scene: Scene, before: Scene) -> Steps:
    """Change nothing: the default for a game in which nothing follows from a change by hand."""
    del before
    yield from ()
    return scene


def done_here(scene: Scene) -> str:
    """Return that the table does its acts: the default."""
    del scene
    return ""


def catches_none(scene: Scene, act: Act) -> Sequence[str]:
    """Return that an act catches no other token: the default for a game without areas of effect."""
    del scene, act
    return ()


def no_budgets(scene: Scene, token: Token) -> Sequence[Budget]:
    """Return no budgets: the default for a game whose acts alone say what a turn has left."""
    del scene, token
    return ()


def bare_states(scene: Scene, token: Token) -> Sequence[State] | None:
    """Return None: the default for a game whose conditions and their notes are shown as they are."""
    del scene, token
    return None


def outlines_none(scene: Scene, outline: Sequence[Point], origin: Point) -> Sequence[Caught]:
    """Return that no token is in a drawn area: the default for a game that does not judge them."""
    del scene, outline, origin
    return ()


def no_migration(profile: Mapping[str, Any], from_version: int) -> Mapping[str, Any]:
    """Return a profile as it is: the default for a ruleset whose profiles never changed."""
    del from_version
    return profile


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """A game, as the engine uses it. All functions are pure; the scene carries positions and house rules.

    Attributes:
        key: short name, as in scene files.
        title: the name of the game.
        reads_actors: whether a unit of its catalog can come from the actor of a tabletop's system: its
            profile has fields of a sheet (`rules.sheets`) by the same names.
        summary: one sentence for a person who chooses a game; may be empty.
        grids: the kinds of grid the game is played on.
        profile: the shape of a token's `profile`, a msgspec Struct.
        tracks: each track with a sentence.
        conditions: each condition with a sentence.
        house_rules: the options of the game.
        catalog: ready-made units.
        acts: each kind of act; "move" is required. Its procedure is called with the scene and the act.
        prepare_token: sets a token's tracks from its profile when it enters the scene.
        card: the numbers of a token, with their sources.
        reach: the cells a token can move to now.
        judge: the ruling on a move through waypoints, the last of them its end, with a facing. One waypoint
            means the cheapest path. A game in which the path changes nothing reads the last one only.
        areas: the areas of an overlay layer: "arc", "ranges", "sight", "blind", "defense" (attacks from there
            meet a better defense), "reactions" (enemies that may react), "threat" (cells that enemies can
            strike), "cover" (cover of cells against the token).
        turn: the turn order, and whether the battle is over.
        offers: the acts of a token at each target, legal or refused, and the acts of the round.
        successes: the results of an attack that count as a hit in a preview.
        narrate: the log text for events, from the scene before them; one sentence or more.
        layers: the overlay layers that the game offers: those of `areas`, and "engagement".
        faces: the words on the dice, if they show words instead of numbers.
        regions: the parts of the board beyond its cells, each with a label.
        body: the cells that a token fills as runs, if its `at` and `size` do not determine them.
        bar: the track with a token's hit points, and its maximum.
        may_share: whether two tokens may be on one cell.
        sight: the line of sight from one token to another, and its blocker.
        engagements: the pairs of engaged tokens, each once; the layer "engagement".
        caught: the IDs of the tokens that an act with an area of effect catches beside its target.
        outlined: the tokens in the outline of an area that a tabletop draws, and their cover from its origin.
        done_elsewhere: the ID of the rule by which the acts of a scene are only shown, with their odds: the
            system of the tabletop rolls and applies them, and the table refuses all but moves. Empty if the
            table does them.
        budgets: what a token's turn has left, such as its action.
        states: a token's conditions with their sources and ends, without those that only the rules need; None
            if they are to be shown as they are.
        contradictions: what cannot be true in a scene file, a sentence for each path of a field.
        outlook: what advice asks about moments to come.
        version: the version of the profiles' shape; raise it with each change that old profiles do not fit.
        migrate: turns a profile of an older version, given by its number, into today's shape.
        older_profiles: some profiles of each older version, which the conformance suite migrates.
        played_attacks: the attacks that an act made, from its events, for a game in which one act has attacks
            of many. None: an act at an enemy is one attack.
        settle: the procedure of what follows from a change by hand, from the scene after it and before it:
            who falls, stands or leaves, whose turn it is, who has won. It rolls no dice.
    """

    key: str
    title: str
    grids: frozenset[str]
    profile: type[msgspec.Struct]
    tracks: Mapping[str, str]
    conditions: Mapping[str, str]
    house_rules: tuple[HouseRule, ...]
    catalog: tuple[Unit, ...]
    acts: Mapping[str, ActKind]
    prepare_token: Callable[[Token], Token]
    card: Callable[[Scene, Token], tuple[CardLine, ...]]
    reach: Callable[[Scene, Token], Reach | None]
    judge: Callable[[Scene, Token, Sequence[Cell], int | None], Ruling]
    areas: Callable[[Scene, Token, str], Sequence[Area]]
    turn: Callable[[Scene], Turn]
    offers: Callable[[Scene, Token], Sequence[Offer]]
    successes: frozenset[str]
    narrate: Callable[[Scene, Sequence[AnyEvent]], str]
    summary: str = ""
    reads_actors: bool = False
    layers: tuple[str, ...] = ("arc", "ranges", "sight", "blind")
    faces: tuple[str, ...] = ()
    regions: Callable[[Scene], Sequence[Area]] = no_regions
    body: Callable[[Scene, Token], Sequence[Run]] = body_by_size
    bar: Callable[[Token], Bar | None] = no_bar
    may_share: Callable[[Scene, Token, Token], bool] = no_sharing
    sight: Callable[[Scene, Token, Token], Sight] = no_lines_of_sight
    engagements: Callable[[Scene], Sequence[Engagement]] = no_engagements
    caught: Callable[[Scene, Act], Sequence[str]] = catches_none
    outlined: Callable[[Scene, Sequence[Point], Point], Sequence[Caught]] = outlines_none
    done_elsewhere: Callable[[Scene], str] = done_here
    budgets: Callable[[Scene, Token], Sequence[Budget]] = no_budgets
    states: Callable[[Scene, Token], Sequence[State] | None] = bare_states
    contradictions: Callable[[Scene], Mapping[str, str]] = no_contradictions
    outlook: Outlook = PLAIN_OUTLOOK
    played_attacks: Callable[[Scene, Act, Sequence[AnyEvent]], Sequence[PlayedAttack]] | None = None
    settle: Callable[[Scene, Scene], Steps] = settles_nothing
    version: int = 1
    migrate: Callable[[Mapping[str, Any], int], Mapping[str, Any]] = no_migration
    older_profiles: Mapping[int, Sequence[Mapping[str, Any]]] = field(default_factory=dict)

    @property
    def only_moves(self) -> bool:
        """Return whether tokens only move: a companion of a game whose turns and dice the tabletop has."""
        return self.acts.keys() <= MOVES

    def moves_only(self, scene: Scene) -> bool:
        """Return whether the table does nothing but moves in a scene."""
        return self.only_moves or bool(self.done_elsewhere(scene))

    def is_gm_act(self, kind: str) -> bool:
        """Return whether only the GM may use a kind of act."""
        return kind in self.acts and self.acts[kind].is_gm_only
