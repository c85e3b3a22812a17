"""The facts of log entries by game: what the rules of each game say about an act, beside its sentences."""

from __future__ import annotations

from marshmallow import fields

from enfilade.messages.fields import Strict, cell, identifier, identifier_or_none
from enfilade.messages.overlays import ModifierSchema


class MoveFactsSchema(Strict):
    """A judged move: whether the rules allow it, its cost of the budget, and the reasons against it.

    Costs and budgets are in the game's own unit of movement, which `unit` may name. A cost is null without
    a path.
    """

    allowed = fields.Boolean()
    cost = fields.Integer(allow_none=True)
    budget = fields.Integer()
    unit = fields.String()
    reasons = fields.List(fields.String())


class TornFactsSchema(Strict):
    """Facts of Torn: a roll's pool by its sources, what became of its successes, and effects."""

    pool = fields.Dict(keys=fields.String(), values=fields.Integer())
    successes = fields.Integer()
    criticals = fields.Integer()
    by_critical = fields.Boolean()
    on_criticals = fields.Integer()
    skill = fields.Integer()
    skill_used = fields.Integer()
    dealt = fields.Integer()
    returned = fields.Integer()
    evades = fields.Boolean()
    ethereal = fields.Boolean()
    wounds = fields.Integer()
    effect = fields.String()
    type = fields.String()
    passes = fields.Boolean()
    moved = fields.Boolean()
    hexes = fields.Integer()


class InitiativeSchema(Strict):
    """A creature's place in the order of a round: its initiative, and by how much it lowered it."""

    token = identifier(required=True)
    initiative = fields.Integer(required=True)
    lowered = fields.Integer(required=True)


class KnightsOfValourFactsSchema(Strict):
    """Facts of Knights of Valour: an attack's die and modifiers, a round's order, a move's sub-actions.

    `sub_actions` are those of a move in order: how (`walk`, `vault`, `leap`, `climb`, `descend`) and its cost
    in feet.
    """

    sub_actions = fields.List(fields.Tuple((fields.String(), fields.Integer())))
    order = fields.List(fields.Nested(InitiativeSchema))
    next = fields.String()
    natural = fields.Integer()
    defense = fields.Integer()
    modifier = fields.Integer()
    damage_modifiers = fields.List(fields.Nested(ModifierSchema))
    disadvantage = fields.String()
    is_hit = fields.Boolean()
    intent = fields.String()
    wins = fields.Boolean()


class MiniaturesCombatFactsSchema(Strict):
    """Facts of Miniatures combat: the dice of pools, rolls, story points, what is owed."""

    pools = fields.List(fields.Dict(keys=fields.String(), values=fields.Raw()))
    shifted = fields.List(fields.String())
    state = fields.String()
    owed = fields.List(fields.String())
    bonus = fields.Integer()
    hits = fields.Integer()
    is_success = fields.Boolean()
    inches = fields.Integer()
    slowest = fields.String()
    distance = fields.Integer()
    fleeing = fields.List(fields.String())
    negated = fields.List(fields.String())
    toughness = fields.Integer()
    minion = fields.Boolean()
    incapacitated = fields.Boolean()
    targets = fields.List(fields.String())
    points = fields.Integer()
    gained = fields.Integer()
    event = fields.String()
    rule = fields.String()
    text = fields.String()


class PlanSchema(Strict):
    """A plan that Double Life reveals: a unit's stance, place, targets, weapon, and whom it guards.

    `side` is the side of its body (such as "left") that a defender guards; it is empty otherwise.
    """

    token = identifier_or_none(required=True)
    side = fields.String(required=True)
    stance = fields.String(required=True)
    text = fields.String(required=True)
    place = cell(required=True, allow_none=True)
    facing = fields.Integer(required=True, allow_none=True)
    targets = fields.List(fields.String(), required=True)
    guarded = fields.String(required=True)
    weapon = fields.String(required=True)


class DoubleLifeFactsSchema(Strict):
    """Facts of Double Life: the plans of a round, tests with their score, what a battle leaves.

    `wanted` is the cell that a unit meant to reach. `left` counts what an attack leaves; at the end of a
    battle it lists the units that are left.
    """

    plans = fields.List(fields.Nested(PlanSchema))
    part = fields.String()
    test = fields.String()
    mark = fields.String()
    throw = fields.Integer()
    value = fields.Integer()
    score = fields.Integer()
    difference = fields.Integer()
    band = fields.String()
    easy = fields.Boolean()
    change = fields.Integer()
    defenders = fields.List(fields.String())
    flight = fields.Boolean()
    facing = fields.Integer(allow_none=True)
    wanted = cell(allow_none=True)
    weapon_damage = fields.String()
    is_kept = fields.Boolean()
    is_up = fields.Boolean()
    dead = fields.List(fields.String())
    loss = fields.Integer()
    winner = fields.String()


class GameFactsSchema(
    MoveFactsSchema,
    TornFactsSchema,
    KnightsOfValourFactsSchema,
    MiniaturesCombatFactsSchema,
    DoubleLifeFactsSchema,
):
    """The facts of all games. Those here have more than one meaning or belong to several games.

    `dice` is a number of dice, or a die such as "d4". `to` is a cell, or a word for the effect that a unit is
    immune to. `left` is a number or a list.
    """

    round = fields.Integer()
    side = fields.String()
    weapon = fields.String()
    reason = fields.String()
    dice = fields.Raw()
    to = fields.Raw()
    left = fields.Raw()
