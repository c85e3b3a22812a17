"""Requests about a battle that was played: branches, and a run under other house rules."""

from __future__ import annotations

from marshmallow import fields

from enfilade.messages.fields import Strict, whole


class OpenBranchSchema(Strict):
    """Open a branch of the moment after the entry `at` of the sender's view; null for the present."""

    at = whole(0, 2**53, load_default=None, allow_none=True)


class ShowBranchSchema(Strict):
    """Show a branch to all seats of the table, or no longer."""

    is_shown = fields.Boolean(required=True)


class TryRulesSchema(Strict):
    """The house rules to try on the recorded battle, by key."""

    house_rules = fields.Dict(keys=fields.String(), required=True)
