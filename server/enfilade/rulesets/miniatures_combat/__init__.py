"""Miniatures combat: a narrative skirmish in inches, with groups, dice pools and story points.

The rules are those of "Miniatures combat" by Malcolm McCallum. Its tables of stature, lunge, push and
movement are pictures that are lost; docs/rulesets/miniatures-combat.md says how each rule is read, and which
values are house values.
"""

from __future__ import annotations

from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets.miniatures_combat.catalog import UNITS
from enfilade.rulesets.miniatures_combat.house_rules import HOUSE_RULES
from enfilade.rulesets.miniatures_combat.movement import judge, reach
from enfilade.rulesets.miniatures_combat.offers import ACTS, offers, settle
from enfilade.rulesets.miniatures_combat.outlook import OUTLOOK
from enfilade.rulesets.miniatures_combat.overlays import areas, engagements
from enfilade.rulesets.miniatures_combat.profiles import CONDITIONS, TRACKS, Profile, bar, prepare_token
from enfilade.rulesets.miniatures_combat.sight import sight
from enfilade.rulesets.miniatures_combat.tell import card, narrate
from enfilade.rulesets.miniatures_combat.turn import turn

MINIATURES_COMBAT = Ruleset(
    key="miniatures_combat",
    title="Miniatures combat",
    summary="A table in inches without a grid, with groups, captives and story points.",
    grids=frozenset({"gridless", "square"}),
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
    successes=frozenset(
        {"hit", "slain", "endangered", "incapacitated", "defended", "fell back", "pushed", "swept"}
    ),
    narrate=narrate,
    layers=("ranges", "sight", "threat", "defense", "engagement"),
    sight=sight,
    engagements=engagements,
    outlook=OUTLOOK,
)
