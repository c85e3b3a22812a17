"""Double Life: all characters choose in secret, and act at the same time.

The rules are those of the wiki page RPG Combat Rules of Double Life; docs/rulesets/double-life.md says how
each rule is read, and which values are house values.
"""

from __future__ import annotations

from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets.double_life.battlefield import may_share
from enfilade.rulesets.double_life.catalog import UNITS
from enfilade.rulesets.double_life.combat.attack_rolls import SUCCESSES
from enfilade.rulesets.double_life.combat.odds import played_attacks
from enfilade.rulesets.double_life.house_rules import HOUSE_RULES
from enfilade.rulesets.double_life.laws import contradictions
from enfilade.rulesets.double_life.movement import judge, reach
from enfilade.rulesets.double_life.offers import ACTS, offers, settle
from enfilade.rulesets.double_life.outlook import OUTLOOK
from enfilade.rulesets.double_life.overlays import areas, engagements
from enfilade.rulesets.double_life.profiles import CONDITIONS, TRACKS, Profile, bar, prepare_token
from enfilade.rulesets.double_life.sight import sight
from enfilade.rulesets.double_life.tell import card, narrate
from enfilade.rulesets.double_life.turn import turn

DOUBLE_LIFE = Ruleset(
    key="double_life",
    title="Double Life",
    summary="All plan in secret, then all act at once.",
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
    successes=frozenset(SUCCESSES),
    narrate=narrate,
    layers=("arc", "ranges", "defense", "reactions", "threat", "engagement"),
    may_share=may_share,
    sight=sight,
    engagements=engagements,
    contradictions=contradictions,
    outlook=OUTLOOK,
    played_attacks=played_attacks,
)
