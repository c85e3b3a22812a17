"""What a ruleset is: one frozen value of plain functions and data, and the small values they return."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from enfilade.geometry.board.mask import Run
from enfilade.geometry.board.units import Cell, Point, Segment
from enfilade.rules.house_rules import HouseRule
from enfilade.rules.procedures import Act, Procedure
from enfilade.scene.events import AnyEvent
from enfilade.scene.model import Scene, Token, Value


class Unit(Value, frozen=True):
    """A ready-made miniature of a ruleset's catalogue."""

    key: str
    name: str
    profile: dict[str, Any]


class CardLine(Value, frozen=True):
    """A line of a miniature's card: a name, a value, and where it comes from."""

    label: str
    value: str
    note: str = ""


class Reach(Value, frozen=True):
    """Where a token may go: what it may spend, and (column, row, cost) of every cell."""

    budget: int
    cells: tuple[tuple[int, int, int], ...]


class Ruling(Value, frozen=True):
    """The judgement of a move: allowed or not, its cost (None: no way there) out of the budget, why."""

    allowed: bool
    cost: int | None
    budget: int
    reasons: tuple[str, ...] = ()
    path: tuple[Cell, ...] = ()


class Area(Value, frozen=True):
    """Cells of one overlay layer under one label."""

    layer: str
    label: str
    runs: tuple[Run, ...]


class Blocker(Value, frozen=True):
    """What stops a line of sight: a thing of the scene by its id and its name, as people say it.

    Where it is nothing of the scene, as two bodies that touch, `id` is empty.
    """

    kind: Literal["wall", "door", "token", "terrain", "corner"]
    id: str = ""
    name: str = ""


class Sight(Value, frozen=True, kw_only=True):
    """Whether one miniature sees another, and what shows it.

    `line` is the line that is looked along, in 64ths of a cell as the scene's walls are, `at` where on it
    `blocker` stops it. `why` is a sentence that says why it is not seen, `cover` one that says what cover it
    has all the same, `distance` how far it is as the game counts, like "3 squares". Each is empty, or None,
    where there is nothing to say; `is_seen` is None where the game knows no lines of sight.
    """

    is_seen: bool | None = None
    why: str = ""
    cover: str = ""
    distance: str = ""
    line: Segment | None = None
    at: Point | None = None
    blocker: Blocker | None = None


class Engagement(Value, frozen=True):
    """Two miniatures that are locked with one another, as their ids, and what that means to them."""

    tokens: tuple[str, str]
    label: str


class Offer(Value, frozen=True):
    """An act that a token has: legal now, or refused with a sentence and the rule's ID."""

    act: Act
    label: str
    cost: int = 0
    why: str = ""
    rule: str = ""

    @property
    def is_legal(self) -> bool:
        """Whether the act may be done now."""
        return not self.why


class Turn(Value, frozen=True, kw_only=True):
    """Whose turn it is: the round (0: none has begun), the sides and the one token that may act now.

    `token` is empty where any of those sides may act. `winners` are the sides that have won; a battle that
    `is_over` without any is a draw.
    """

    round: int
    sides: tuple[str, ...] = ()
    token: str = ""
    is_over: bool = False
    winners: tuple[str, ...] = ()


class Bar(Value, frozen=True):
    """What a tabletop shows as a miniature's bar: a track, and the most it may be."""

    track: str
    most: int


def no_regions(scene: Scene) -> Sequence[Area]:
    """The regions of a board that has none."""
    del scene
    return ()


def body_by_size(scene: Scene, token: Token) -> Sequence[Run]:
    """The body of a token that fills no more than its size says: none of its own."""
    del scene, token
    return ()


def no_bar(token: Token) -> Bar | None:
    """The bar of a miniature that has none."""
    del token
    return None


def no_lines_of_sight(scene: Scene, viewer: Token, target: Token) -> Sight:
    """What one miniature sees of another in a game without lines of sight: it does not say."""
    del scene, viewer, target
    return Sight()


def no_engagements(scene: Scene) -> Sequence[Engagement]:
    """Who is locked with whom in a game that knows no such thing."""
    del scene
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """A game, as the engine may ask it. Functions are pure; positions and rules come in by the scene.

    Attributes:
        key: short name, as in scene files.
        title: the game's own name.
        grids: the kinds of grid it is played on.
        profile: the shape of a miniature's `profile`, a msgspec Struct.
        tracks: every track it uses, each with a sentence.
        conditions: every condition it uses, each with a sentence.
        house_rules: its options.
        catalogue: ready-made miniatures.
        acts: the kinds of act with the words on their buttons.
        gm_acts: those that only the game master does: what no miniature does by itself.
        entering: a token as it comes into the scene, its tracks set from its profile.
        card: a token's numbers and where they come from.
        reach: where a token may go now.
        judge: the ruling of a move to a cell with a facing.
        areas: the areas of an overlay layer ("arc", "ranges", "sight", "blind", "defence": from where attacks
            meet a better defence, "reactions": who may act against what this token does, "threat": where its
            enemies can strike, "cover": what cover others have from it).
        turn: whose turn it is, and whether the battle is over.
        offers: the acts a token has, at every target, legal or refused; the round's own acts too.
        procedures: the procedure of each kind of act, called with the scene and the act; "move" moves.
        successes: the results of an attack that count as a hit in a preview.
        narrate: one plain sentence or more for what happened, from the scene before and the events.
        layers: the overlay layers it offers, those that its `areas` may have and "engagement".
        faces: the words on its dice, where they show words and not numbers.
        regions: the parts that its board is divided into beyond cells, each with a label.
        body: the cells a token fills as runs, where its `at` and `size` do not say it.
        bar: the track that is a token's hit points, whatever it is called, and the most it may be.
        sight: whether a token sees another, along which line, and what stops it.
        engaged: who on the board is locked with whom, each pair once; the layer "engagement".
    """

    key: str
    title: str
    grids: frozenset[str]
    profile: type[msgspec.Struct]
    tracks: Mapping[str, str]
    conditions: Mapping[str, str]
    house_rules: tuple[HouseRule, ...]
    catalogue: tuple[Unit, ...]
    acts: Mapping[str, str]
    prepare_token: Callable[[Token], Token]
    card: Callable[[Scene, Token], tuple[CardLine, ...]]
    reach: Callable[[Scene, Token], Reach | None]
    judge: Callable[[Scene, Token, Cell, int | None], Ruling]
    areas: Callable[[Scene, Token, str], Sequence[Area]]
    turn: Callable[[Scene], Turn]
    offers: Callable[[Scene, Token], Sequence[Offer]]
    procedures: Mapping[str, Procedure]
    successes: frozenset[str]
    narrate: Callable[[Scene, Sequence[AnyEvent]], str]
    gm_acts: frozenset[str] = frozenset()
    layers: tuple[str, ...] = ("arc", "ranges", "sight", "blind")
    faces: tuple[str, ...] = ()
    regions: Callable[[Scene], Sequence[Area]] = no_regions
    body: Callable[[Scene, Token], Sequence[Run]] = body_by_size
    bar: Callable[[Token], Bar | None] = no_bar
    sight: Callable[[Scene, Token, Token], Sight] = no_lines_of_sight
    engagements: Callable[[Scene], Sequence[Engagement]] = no_engagements
