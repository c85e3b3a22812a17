"""Acts, and the questions about them: previews, verdicts, areas, advice, overlays, and what was played."""

from __future__ import annotations

from marshmallow import fields

from enfilade.messages.fields import (
    Face,
    Named,
    Several,
    Strict,
    cell,
    coordinate,
    facing,
    identifier,
    identifier_or_none,
    line,
    one_of,
    text,
    whole,
)
from enfilade.tactics.focus_fire import MAX_ATTACKERS
from enfilade.tactics.forecast import MAX_CONTINUATIONS

LAYERS = (
    "reach",
    "arc",
    "ranges",
    "sight",
    "blind",
    "defense",
    "reactions",
    "targets",
    "threat",
    "cover",
    "engagement",
)


MAX_WAYPOINTS = 64
MAX_ASKED_WAYPOINTS = 16
"""The cells that one move may name on its way."""

MAX_ANSWERS = 64
"""The answers that one command may give."""

MAX_BODY_FIELDS = 16
"""The fields that the body of one act may have."""


class ActSchema(Strict):
    """An act of a token: its kind, weapon, target and place. The ruleset decides which parts it needs.

    `body` has what only acts of this kind say, by the schema in the snapshot's `ruleset.acts`. Without it
    the act has that schema's defaults.
    """

    kind = identifier(required=True)
    token = identifier_or_none(load_default="")
    target = identifier_or_none(load_default="")
    weapon = line(64, load_default="")
    at = cell(load_default=None, allow_none=True)
    facing = facing(load_default=None)
    path = Several(cell(), MAX_WAYPOINTS)
    body = Named(fields.Raw(allow_none=True), MAX_BODY_FIELDS, allow_none=True)


class DoActSchema(Strict):
    """Do an act. `faces` are the typed faces of real dice, in the order of the rolls.

    `override` is the GM's reason for an act against the rules; the log has it. It is empty otherwise. A
    `secret` act is the GM's: no other seat reads its result.
    """

    act = fields.Nested(ActSchema, required=True)
    faces = Several(Face(), 200, load_default=None)
    override = line(200, load_default="")
    secret = fields.Boolean()


class PreviewActSchema(Strict):
    """Ask for the cost and the odds of an act. Changes nothing."""

    act = fields.Nested(ActSchema, required=True)


class AskVerdictSchema(Strict):
    """Ask for the verdict of one token on another: sight, cover, distance, odds. Changes nothing.

    With `at` the token is taken to stand there. With `to` and no target it looks at what stands at that
    place, or at an enemy like itself: whether it would see one there. The shape of the result is
    `verdict.json`.
    """

    token = identifier(required=True)
    target = identifier_or_none(load_default="")
    at = cell(load_default=None, allow_none=True)
    to = cell(load_default=None, allow_none=True)


MAX_OUTLINE = 512
"""The numbers of an outline: two for each corner."""


class AskAreaSchema(Strict):
    """Ask who is in an area that a tabletop draws, and with what cover from its origin. Changes nothing.

    `outline` has x, y, x, y, ... of its corners, `origin` is where it comes from, both in 64ths of a cell.
    The shape of the result is `area.json`.
    """

    outline = Several(coordinate(), MAX_OUTLINE, required=True)
    origin = cell(required=True)


class AskDecisionSchema(Strict):
    """Ask for the decision map of a token: what it could do and would suffer at each place in its reach.

    With `at` the answer has the facings of one cell in `places`. With `most` it has at most that number of
    cells and no advice, for the first colors. The result is a `decision-map.json`. Changes nothing.
    """

    token = identifier(required=True)
    at = cell(load_default=None, allow_none=True)
    most = whole(1, 600, load_default=None, allow_none=True)


class AskFocusSchema(Strict):
    """Ask for the chance that attackers in order bring a target down, and for their best order.

    An attacker named twice attacks once. The shape of the result is `focus-fire.json`. Changes nothing.
    """

    target = identifier(required=True)
    attackers = Several(identifier(), MAX_ATTACKERS, required=True)


class StartForecastSchema(Strict):
    """Start a forecast: play the battle on from this moment a number of times, in the seat's view.

    It ends the seat's last one. The shape of the result is `forecast.json`. Changes nothing.
    """

    count = whole(1, MAX_CONTINUATIONS, required=True)


class ReadForecastSchema(Strict):
    """Ask how far the seat's forecast is. The shape of the result is `forecast.json`. Changes nothing."""

    forecast = identifier(required=True)


class CancelForecastSchema(Strict):
    """End the seat's forecast. The shape of the result is `forecast.json`. Changes nothing."""

    forecast = identifier(required=True)


class AskPathSchema(Strict):
    """Ask what a move through waypoints costs, leg by leg, and whether the rules allow it. Changes nothing.

    `path` has the cells that the move leads through in order, the last of them its end. The shape of the
    result is `path.json`.
    """

    token = identifier(required=True)
    path = Several(cell(), MAX_ASKED_WAYPOINTS, required=True)


class AskMatchupSchema(Strict):
    """Ask what answers to open choices would do against each likely answer of each opponent. Changes nothing.

    `answers` has the key of an answer for the IDs of choices of one token; a choice without one has the
    answer given so far, or its default. The shape of the result is `matchups.json`.
    """

    answers = Named(text(64), MAX_ANSWERS, required=True)


class ShowOverlaySchema(Strict):
    """Subscribe to a token's overlay; null ends the subscription. Changes nothing."""

    token = identifier(required=True, allow_none=True)
    layers = Several(one_of(*LAYERS), len(LAYERS), load_default=None, allow_none=True)


class OpenBranchSchema(Strict):
    """Open a branch of the moment after the entry `at` of the sender's view; null for the present."""

    at = whole(0, 2**53, load_default=None, allow_none=True)


class ShowBranchSchema(Strict):
    """Show a branch to all seats of the table, or no longer."""

    is_shown = fields.Boolean(required=True)


class TryRulesSchema(Strict):
    """The house rules to try on the recorded battle, by key."""

    house_rules = fields.Dict(keys=fields.String(), required=True)
