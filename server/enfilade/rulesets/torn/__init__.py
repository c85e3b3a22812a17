"""Torn: skirmishes on Hexes and Hexons, with cover by Hexon Lines and nested reactions.

The rules are those of the chapter Combat of the Torn rulebook (the game is published as Tornscape).
docs/rulesets/torn.md says how each rule is read.
"""

from __future__ import annotations

from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets.torn.battlefield import regions
from enfilade.rulesets.torn.catalog import UNITS
from enfilade.rulesets.torn.dice import BLANK, CRITICAL, SUCCESS
from enfilade.rulesets.torn.house_rules import HOUSE_RULES
from enfilade.rulesets.torn.laws import contradictions
from enfilade.rulesets.torn.movement import judge, reach
from enfilade.rulesets.torn.offers import ACTS, caught, offers, settle
from enfilade.rulesets.torn.outlook import OUTLOOK
from enfilade.rulesets.torn.overlays import areas, engagements
from enfilade.rulesets.torn.positions import body
from enfilade.rulesets.torn.profiles import CONDITIONS, TRACKS, Profile, bar, prepare_token
from enfilade.rulesets.torn.sight import sight
from enfilade.rulesets.torn.tell import card, narrate
from enfilade.rulesets.torn.turn import turn

TORN = Ruleset(
    key="torn",
    title="Torn",
    summary="Heroes against the Doomed on hexes, with dice of symbols and reactions.",
    grids=frozenset({"hex_odd_r", "hex_even_r", "hex_odd_q", "hex_even_q"}),
    profile=Profile,
    tracks=TRACKS,
    conditions=CONDITIONS,
    house_rules=HOUSE_RULES,
    catalog=UNITS,
    acts=ACTS,
    prepare_token=prepare_token,
    bar=bar,
    card=card,
    reach=reach,
    judge=judge,
    settle=settle,
    areas=areas,
    turn=turn,
    offers=offers,
    successes=frozenset({"hit", "effect"}),
    narrate=narrate,
    layers=("ranges", "sight", "blind", "defense", "reactions", "threat", "cover", "engagement"),
    faces=(SUCCESS, CRITICAL, BLANK),
    regions=regions,
    body=body,
    sight=sight,
    engagements=engagements,
    caught=caught,
    contradictions=contradictions,
    outlook=OUTLOOK,
)
