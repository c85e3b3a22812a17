"""Coup-de-Grace: skirmishes on squares with facing, alternate activation and doubling movement costs.

After 000 Coup-De-Grace by Asklepios, published on the RPGnet wiki;
docs/rulesets/coup-de-grace.md says how each rule is read.
"""

from __future__ import annotations

from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets.coup_de_grace.attack import attack
from enfilade.rulesets.coup_de_grace.catalogue import UNITS
from enfilade.rulesets.coup_de_grace.movement import judge, move, reach
from enfilade.rulesets.coup_de_grace.narrate import narrate
from enfilade.rulesets.coup_de_grace.offers import offers
from enfilade.rulesets.coup_de_grace.profiles import CONDITIONS, TRACKS, Profile, card, entering
from enfilade.rulesets.coup_de_grace.rulings import HOUSE_RULES
from enfilade.rulesets.coup_de_grace.sight import areas
from enfilade.rulesets.coup_de_grace.turn import activate, crawl, end_activation, recover, start_round, turn

COUP_DE_GRACE = Ruleset(
    key="coup_de_grace",
    title="Coup-de-Grace",
    grids=frozenset({"square"}),
    profile=Profile,
    tracks=TRACKS,
    conditions=CONDITIONS,
    house_rules=HOUSE_RULES,
    catalogue=UNITS,
    acts={
        "melee": "Melee attack",
        "ranged": "Ranged attack",
        "move": "Move",
        "activate": "Activate",
        "end": "End activation",
        "round": "Start the next round",
        "crawl": "Crawl",
        "recover": "Dramatic recovery",
    },
    entering=entering,
    card=card,
    reach=reach,
    judge=judge,
    areas=areas,
    turn=turn,
    offers=offers,
    procedures={
        "melee": attack,
        "ranged": attack,
        "move": move,
        "activate": activate,
        "end": end_activation,
        "round": start_round,
        "crawl": crawl,
        "recover": recover,
    },
    successes=frozenset({"hit", "recovered"}),
    narrate=narrate,
)
