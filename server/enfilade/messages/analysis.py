"""Messages about a battle that was played: its statistics, and pages of its replay."""

from __future__ import annotations

from marshmallow import fields

from enfilade.messages.fields import Strict, identifier, one_of, whole
from enfilade.messages.overlays import AreaSchema, run
from enfilade.messages.scene import SceneSchema, TokenSchema
from enfilade.messages.updates import LogEntrySchema


class AttackRecordSchema(Strict):
    """One attack: who rolled against whom, what came of it, and what was to be expected.

    `chance` is the chance to hit as [numerator, denominator], `expected` the mean damage; null without odds.
    """

    seq = whole(1, 2**53, required=True)
    token = identifier(required=True)
    target = identifier(required=True)
    side = identifier(required=True)
    is_hit = fields.Boolean(required=True)
    damage = fields.Integer(required=True)
    chance = fields.Tuple((fields.Integer(), fields.Integer()), required=True, allow_none=True)
    expected = fields.Float(required=True, allow_none=True)


class TotalsSchema(Strict):
    """The numbers of one unit, or of one side.

    The fields from `known` to `expected_damage` are about attacks with known odds. `at_least` is the chance
    of as many hits or more in these, `at_most` of as many or fewer. `dealt` and `taken` are hit points,
    `downed` the tokens put out of the fight, `lost` its own ones that were.
    """

    id = identifier(required=True)
    name = fields.String(required=True)
    side = identifier(required=True)
    attacks = whole(0, 2**53, required=True)
    hits = whole(0, 2**53, required=True)
    known = whole(0, 2**53, required=True)
    known_hits = whole(0, 2**53, required=True)
    expected_hits = fields.Float(required=True)
    at_least = fields.Float(required=True)
    at_most = fields.Float(required=True)
    known_damage = fields.Integer(required=True)
    expected_damage = fields.Float(required=True)
    dealt = whole(0, 2**53, required=True)
    taken = whole(0, 2**53, required=True)
    downed = whole(0, 2**53, required=True)
    lost = whole(0, 2**53, required=True)


class StatisticsSchema(Strict):
    """The statistics of a battle as the asking seat may know them; `done` of `of` entries are counted.

    Ask again until all are counted.
    """

    done = whole(0, 2**53, required=True)
    of = whole(0, 2**53, required=True)
    units = fields.List(fields.Nested(TotalsSchema), required=True)
    sides = fields.List(fields.Nested(TotalsSchema), required=True)
    attacks = fields.List(fields.Nested(AttackRecordSchema), required=True)


class ReplayPageSchema(Strict):
    """A part of a battle: the scene after the entry `start` in the seat's view, and the entries after it.

    `last` is the number of the table's last entry. `bodies` and `rounds` are about the scene and the scene
    after each entry: the cells of tokens whose body differs from their size (null: as before), and the round.
    """

    start = whole(0, 2**53, required=True)
    last = whole(0, 2**53, required=True)
    scene = fields.Nested(SceneSchema, required=True)
    entries = fields.List(fields.Nested(LogEntrySchema), required=True)
    bodies = fields.List(
        fields.Dict(keys=fields.String(), values=fields.List(run()), allow_none=True), required=True
    )
    rounds = fields.List(fields.Integer(), required=True)
    regions = fields.List(fields.Nested(AreaSchema), required=True)


class OpenBranchSchema(Strict):
    """Open a branch of the moment after the entry `at` of the sender's view; null for the present."""

    at = whole(0, 2**53, load_default=None, allow_none=True)


class ShowBranchSchema(Strict):
    """Show a branch to all seats of the table, or no longer."""

    is_shown = fields.Boolean(required=True)


class BranchSchema(Strict):
    """A branch: its ID, the name of its player ("" for the GM), and its number of entries.

    `at` is the entry of the table that it starts after; 0 for all but its owner.
    """

    branch = identifier(required=True)
    owner = fields.String(required=True)
    is_own = fields.Boolean(required=True)
    is_shown = fields.Boolean(required=True)
    at = whole(0, 2**53, required=True)
    entries = whole(0, 2**53, required=True)


class DifferenceSchema(Strict):
    """A unit as it is `now` at the table and `then` in the branch; null where it is missing."""

    token = identifier(required=True)
    name = fields.String(required=True)
    now = fields.Nested(TokenSchema, required=True, allow_none=True)
    then = fields.Nested(TokenSchema, required=True, allow_none=True)


class ComparisonSchema(BranchSchema):
    """A branch with the units that it has otherwise than the table now."""

    differences = fields.List(fields.Nested(DifferenceSchema), required=True)


class ChangedVerdictSchema(Strict):
    """An entry whose verdict is another under other house rules: its sentence as it `was` and `now`.

    `refused`: the rules no longer allow it (`rule` is the ID). `unanswered`: the recorded dice or decisions
    do not say. `unrepeatable`: this version of the rules does not come to the recorded result. `is_direct`
    is false for a change that only follows from an earlier one.
    """

    seq = whole(1, 2**53, required=True)
    kind = one_of("changed", "refused", "unanswered", "unrepeatable", required=True)
    was = fields.String(required=True)
    now = fields.String(required=True)
    rule = fields.String(required=True)
    is_direct = fields.Boolean(required=True)


class RulesDiffSchema(Strict):
    """The verdicts of a battle that change; of its `acts`, `same` come to the same verdict."""

    house_rules = fields.Dict(required=True)
    entries = whole(0, 2**53, required=True)
    acts = whole(0, 2**53, required=True)
    same = whole(0, 2**53, required=True)
    verdicts = fields.List(fields.Nested(ChangedVerdictSchema), required=True)


class RulesDiffJobSchema(Strict):
    """A run under other house rules: `done` of `of` entries, the result or null, and why it failed or ""."""

    job = identifier(required=True)
    done = whole(0, 2**53, required=True)
    of = whole(0, 2**53, required=True)
    result = fields.Nested(RulesDiffSchema, required=True, allow_none=True)
    failed = fields.String(required=True)


class TryRulesSchema(Strict):
    """The house rules to try on the recorded battle, by key."""

    house_rules = fields.Dict(keys=fields.String(), required=True)
