"""Knights of Valour: the D20 game on squares of 5 feet, with moves as chains of sub-actions.

The rules are those of the chapter Combat Rules of "Knights of Valour - Days of Thunder". The other manuals
are missing; docs/rulesets/knights-of-valour.md says how each rule is read, and which values are house values.
"""

from __future__ import annotations

from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets.knights_of_valour.catalog import UNITS
from enfilade.rulesets.knights_of_valour.house_rules import HOUSE_RULES
from enfilade.rulesets.knights_of_valour.laws import contradictions
from enfilade.rulesets.knights_of_valour.movement import judge, reach
from enfilade.rulesets.knights_of_valour.offers import ACTS, offers, settle
from enfilade.rulesets.knights_of_valour.outlook import OUTLOOK
from enfilade.rulesets.knights_of_valour.overlays import areas, engagements
from enfilade.rulesets.knights_of_valour.profiles import CONDITIONS, TRACKS, Profile, bar, prepare_token
from enfilade.rulesets.knights_of_valour.sight import sight
from enfilade.rulesets.knights_of_valour.tell import card, narrate
from enfilade.rulesets.knights_of_valour.turn import turn

KNIGHTS_OF_VALOUR = Ruleset(
    key="knights_of_valour",
    title="Knights of Valour",
    summary="A party of heroes on five-foot squares, with a d20 and reactions to every step.",
    grids=frozenset({"square"}),
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
    layers=("ranges", "sight", "reactions", "threat", "engagement"),
    sight=sight,
    engagements=engagements,
    contradictions=contradictions,
    outlook=OUTLOOK,
)
