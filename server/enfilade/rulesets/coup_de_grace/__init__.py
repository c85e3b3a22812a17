"""Coup-de-Grace: skirmishes with facing and alternate activation, on squares or hexes.

The rules are those of 000 Coup-De-Grace by Asklepios, published on the RPGnet wiki. docs/rulesets/coup-de-
grace.md says how each rule is read.
"""

from __future__ import annotations

from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets.coup_de_grace.battlefield import GRIDS
from enfilade.rulesets.coup_de_grace.catalog import UNITS
from enfilade.rulesets.coup_de_grace.house_rules import HOUSE_RULES
from enfilade.rulesets.coup_de_grace.laws import contradictions
from enfilade.rulesets.coup_de_grace.movement import judge, reach
from enfilade.rulesets.coup_de_grace.offers import ACTS, caught, offers, settle
from enfilade.rulesets.coup_de_grace.outlook import OUTLOOK
from enfilade.rulesets.coup_de_grace.overlays import areas, engagements
from enfilade.rulesets.coup_de_grace.profiles import CONDITIONS, TRACKS, Profile, bar, prepare_token
from enfilade.rulesets.coup_de_grace.sight import sight
from enfilade.rulesets.coup_de_grace.tell import card, narrate
from enfilade.rulesets.coup_de_grace.turn import turn

COUP_DE_GRACE = Ruleset(
    key="coup_de_grace",
    title="Coup-de-Grace",
    summary="Skirmishes of a few miniatures a side, on squares: one die, facing, and three hits.",
    grids=GRIDS,
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
    successes=frozenset({"hit", "recovered", "entangled", "harmed", "healed", "hastened", "moved"}),
    narrate=narrate,
    layers=("arc", "ranges", "sight", "blind", "threat", "engagement"),
    sight=sight,
    engagements=engagements,
    caught=caught,
    contradictions=contradictions,
    outlook=OUTLOOK,
)
