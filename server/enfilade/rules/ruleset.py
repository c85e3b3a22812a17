"""A ruleset: one frozen value of plain functions and data.

Authors import from here what their functions return too; `values` has it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from enfilade.errors import IllegalAct
from enfilade.geometry.board.mask import Run
from enfilade.geometry.board.units import Cell, Point
from enfilade.rules.house_rules import HouseRule
from enfilade.rules.outlook import PLAIN_OUTLOOK, Outlook
from enfilade.rules.procedures import Act, Procedure, Steps
from enfilade.rules.values import (
    MOVES,
    Area,
    Bar,
    Blocker,
    Budget,
    CardLine,
    Caught,
    CoverLevel,
    Engagement,
    Offer,
    PathStep,
    PlayedAttack,
    Provocation,
    Reach,
    Ruling,
    Sight,
    State,
    Turn,
    TurnPlace,
    Unit,
    refused_move,
)
from enfilade.scene.events import AnyEvent
from enfilade.scene.model import Scene, Token, Value

__all__ = [
    "MOVES",
    "ActKind",
    "Area",
    "Bar",
    "Blocker",
    "Budget",
    "CardLine",
    "Caught",
    "CoverLevel",
    "Engagement",
    "Offer",
    "PathStep",
    "PlayedAttack",
    "Provocation",
    "QuickRefusal",
    "Reach",
    "RefusalNow",
    "Ruleset",
    "Ruling",
    "Sight",
    "State",
    "Turn",
    "TurnPlace",
    "Unit",
    "refused_move",
]


QuickRefusal = Callable[[Scene, Act], IllegalAct | None]
"""Returns the error that refuses an act, or None to ask its procedure."""

RefusalNow = Callable[[Scene, str], QuickRefusal | None]
"""Returns the quick answer at each target of a token, by its ID; None if nothing is left to ask there."""


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
    `refusal` is a quick answer for offers, of which most are refused in a crowd: the error that the checks of
    the procedure raise, or None to ask the procedure itself. `refusal_now` is better where much is the same
    at all targets: offers ask it once, with the scene and the token's ID, and it returns what is left to ask
    at each target, as a `refusal`; None if nothing is.
    """

    label: str
    procedure: Procedure
    is_gm_only: bool = False
    body: type[Value] | None = None
    planned: str = ""
    steps: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    is_placed: bool = False
    refusal: QuickRefusal | None = None
    refusal_now: RefusalNow | None = None

    def quick_refusal(self, scene: Scene, token_id: str) -> QuickRefusal | None:
        """Return the quick answer at each target of a token's acts of this kind; None without one."""
        return self.refusal if self.refusal_now is None else self.refusal_now(scene, token_id)


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


def enemies_provoked(scene: Scene, mover: Token, other: Token) -> bool:
    """Return whether two tokens are enemies: the default for whom a move may provoke."""
    return not scene.are_allies(mover, other)


def no_contradictions(scene: Scene) -> Mapping[str, str]:
    """Return no contradictions: the default for a game without rules about states of its own."""
    del scene
    return {}


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
            meet a better defense), "reactions" (those that may react), "threat" (cells that enemies can
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
        may_provoke: whether a move of one token may provoke another: an enemy, unless the game says else.
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
    may_provoke: Callable[[Scene, Token, Token], bool] = enemies_provoked
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
