"""The facts of log entries: what the rules of each game say about an act, beside its sentences.

An entry carries them as a plain dictionary, so that a log with facts that this version does not know still
opens. These shapes are their published form.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from enfilade.geometry.board.base import Cell
from enfilade.rules.ruleset import PathStep
from enfilade.rules.values import Modifier


class RulingFacts(TypedDict):
    """The ruling on a move, as the log keeps it."""

    allowed: bool
    cost: int | None
    """Null without a path."""
    budget: int
    reasons: list[str]
    path: NotRequired[list[Cell]]
    """The cells from the start to the end."""
    steps: NotRequired[list[PathStep]]


class MoveFacts(TypedDict, total=False):
    """A judged move. Costs and budgets are in the game's own unit of movement, which `unit` may name."""

    allowed: bool
    """The rules allow the move."""
    cost: int | None
    """Null without a path."""
    budget: int
    unit: str
    reasons: list[str]
    """The reasons against the move."""


class TornFacts(TypedDict, total=False):
    """Facts of Torn: a roll's pool by its sources, what became of its successes, and effects."""

    pool: dict[str, int]
    successes: int
    criticals: int
    by_critical: bool
    on_criticals: int
    skill: int
    skill_used: int
    dealt: int
    returned: int
    evades: bool
    ethereal: bool
    wounds: int
    effect: str
    type: str
    passes: bool
    moved: bool
    hexes: int


class InitiativeFacts(TypedDict):
    """A creature's place in the order of a round: its initiative, and by how much it lowered it."""

    token: str
    initiative: int
    lowered: int


class KnightsOfValourFacts(TypedDict, total=False):
    """Facts of Knights of Valour: an attack's die and modifiers, a round's order, a move's sub-actions."""

    sub_actions: list[tuple[str, int]]
    """In order: how (`walk`, `vault`, `leap`, `climb`, `descend`), and the cost in feet."""
    order: list[InitiativeFacts]
    next: str
    natural: int
    defense: int
    modifier: int
    damage_modifiers: list[Modifier]
    disadvantage: str
    is_hit: bool
    intent: str
    wins: bool


class MiniaturesCombatFacts(TypedDict, total=False):
    """Facts of Miniatures combat: the dice of pools, rolls, story points, what is owed."""

    pools: list[dict[str, Any]]
    shifted: list[str]
    state: str
    owed: list[str]
    bonus: int
    hits: int
    is_success: bool
    inches: int
    length: int
    """The distance that a push or a sweep moved a model, in 64ths of an inch."""
    slowest: str
    distance: int
    fleeing: list[str]
    negated: list[str]
    toughness: int
    minion: bool
    incapacitated: bool
    targets: list[str]
    archers: list[str]
    """The IDs of those who shoot the arrows of a volley."""
    points: int
    gained: int
    event: str
    rule: str
    text: str


class PlanFacts(TypedDict):
    """A plan that Double Life reveals: a unit's stance, place, targets, weapon, and whom it guards."""

    token: str
    side: str
    """The side of its body (such as "left") that a defender guards; empty otherwise."""
    stance: str
    text: str
    place: Cell | None
    facing: int | None
    targets: list[str]
    guarded: str
    weapon: str


class DoubleLifeFacts(TypedDict, total=False):
    """Facts of Double Life: the plans of a round, tests with their score, what a battle leaves."""

    plans: list[PlanFacts]
    part: str
    test: str
    mark: str
    throw: int
    value: int
    score: int
    difference: int
    band: str
    easy: bool
    change: int
    defenders: list[str]
    flight: bool
    facing: int | None
    wanted: Cell | None
    """The cell that a unit meant to reach."""
    weapon_damage: str
    is_kept: bool
    is_up: bool
    dead: list[str]
    loss: int
    winner: str


class FifthEditionFacts(TypedDict, total=False):
    """Facts of the fifth edition: what gave advantage and disadvantage, and whom an area catches."""

    weapon: str
    caught: list[str]
    advantages: list[str]
    disadvantages: list[str]
    feet: int
    """The height or the length of a fall, a rise or a jump."""
    hands: int


class ReportedPart(TypedDict):
    """A part of a roll of damage or healing that the tabletop's system made."""

    amount: int
    type: str


class ReportedOutcome(TypedDict):
    """One target of an act of the tabletop's system, and the result; what a seat may not know is empty."""

    token: str
    name: str
    defense: int | None
    result: str
    amount: int | None


class ReportFacts(TypedDict, total=False):
    """Facts that the tabletop's system reported: its message, the kind of act, and what came of it."""

    source: str
    """A later entry of the same source counts instead of this one."""
    reported: str
    parts: list[ReportedPart]
    outcomes: list[ReportedOutcome]


class TokenChange(TypedDict):
    """A miniature after a step: its place, facing, tracks and conditions."""

    token: str
    at: Cell | None
    facing: int | None
    tracks: dict[str, int]
    conditions: dict[str, str]


class ActStep(TypedDict):
    """A step of an act that pages play: its sentences, who acts on whom, and the miniatures that it changes.

    The first step has no text, and the miniatures as they were before the act.
    """

    text: str
    detail: NotRequired[str]
    """The arithmetic behind the sentences, which pages fold away."""
    token: str
    target: str
    changes: list[TokenChange]


class Roll(TypedDict):
    """A roll: the die, all faces in order, and whether a person typed them."""

    label: str
    die: str
    faces: list[int | str]
    typed: bool
    die_faces: NotRequired[list[int | str]]
    """All faces of the die, if its name does not imply them (a d6 has 1 to 6)."""


class AttackRoll(TypedDict):
    """The dice of a blow."""

    die: str
    faces: list[int | str]


class AttackPart(TypedDict):
    """A blow of an act on several units; what its result says is as in the facts of an entry."""

    token: str
    target: str
    rolls: list[AttackRoll]
    """Dice for several are with the first alone."""
    chance: NotRequired[tuple[int, int]]
    """The chance to hit, part and whole."""
    act: NotRequired[str]
    weapon: NotRequired[str]
    needed: NotRequired[int]
    result: NotRequired[str]
    is_hit: NotRequired[bool]
    damage: NotRequired[int]
    dealt: NotRequired[int]
    hit_points: NotRequired[tuple[int, int]]
    hits: NotRequired[int]
    negated: NotRequired[list[str]]


class EntryFacts(
    MoveFacts,
    TornFacts,
    KnightsOfValourFacts,
    MiniaturesCombatFacts,
    DoubleLifeFacts,
    FifthEditionFacts,
    ReportFacts,
    total=False,
):
    """The facts that the log shows beside an entry's sentences. Each part is optional."""

    token: str
    target: str
    act: str
    ruling: RulingFacts
    rolls: list[Roll]
    modifiers: list[Modifier]
    defenses: list[Modifier]
    total: int
    """The die with all modifiers."""
    needed: int
    """The face that the die needed."""
    result: str
    damage: int
    hit_points: tuple[int, int]
    """Before and after."""
    override: str
    """The GM's reason for overruling the rules."""
    counts: dict[str, int]
    steps: list[ActStep]
    """The act step by step."""
    blows: list[AttackPart]
    """Each attack of an act with several, as a volley or the clashes of a secret round."""
    detail: str
    """The arithmetic behind the sentences, which pages fold away."""
    round: int
    side: str
    weapon: str
    reason: str
    dice: Any
    """A number of dice, or a die such as "d4"."""
    to: Any
    """A cell, or a word for the effect that a unit is immune to."""
    left: Any
    """A number, or a list: what an attack leaves, at the end of a battle the units that are left."""
