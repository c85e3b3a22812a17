"""Coup-de-Grace: skirmishes with facing and alternate activation, on squares or hexes.

The rules are those of 000 Coup-De-Grace by Asklepios, published on the RPGnet wiki. docs/rulesets/coup-de-
grace.md says how each rule is read.
"""

from __future__ import annotations

from enfilade.i18n import localize
from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets.coup_de_grace.battlefield import GRIDS
from enfilade.rulesets.coup_de_grace.card import card
from enfilade.rulesets.coup_de_grace.catalog import UNITS
from enfilade.rulesets.coup_de_grace.combat.attack import attack
from enfilade.rulesets.coup_de_grace.combat.spells import cast
from enfilade.rulesets.coup_de_grace.house_rules import HOUSE_RULES
from enfilade.rulesets.coup_de_grace.movement import judge, move, reach
from enfilade.rulesets.coup_de_grace.narrate import narrate
from enfilade.rulesets.coup_de_grace.offers import offers
from enfilade.rulesets.coup_de_grace.overlays import areas, engagements
from enfilade.rulesets.coup_de_grace.profiles import CONDITIONS, TRACKS, Profile, bar, prepare_token
from enfilade.rulesets.coup_de_grace.sight import sight
from enfilade.rulesets.coup_de_grace.special_acts import brace, crawl, entangle, recover
from enfilade.rulesets.coup_de_grace.turn import (
    activate,
    declare_victory,
    end_activation,
    start_round,
    turn,
)

COUP_DE_GRACE = Ruleset(
    key="coup_de_grace",
    title="Coup-de-Grace",
    grids=GRIDS,
    profile=Profile,
    tracks=TRACKS,
    conditions=CONDITIONS,
    house_rules=HOUSE_RULES,
    catalog=UNITS,
    acts={
        "melee": localize("coup_de_grace.act_melee"),
        "ranged": localize("coup_de_grace.act_ranged"),
        "spell": localize("coup_de_grace.act_spell"),
        "move": localize("coup_de_grace.act_move"),
        "brace": localize("coup_de_grace.act_brace"),
        "entangle": localize("coup_de_grace.act_entangle"),
        "activate": localize("coup_de_grace.act_activate"),
        "end": localize("coup_de_grace.act_end"),
        "round": localize("coup_de_grace.act_round"),
        "crawl": localize("coup_de_grace.act_crawl"),
        "recover": localize("coup_de_grace.act_recover"),
        "victory": localize("coup_de_grace.act_victory"),
    },
    gm_acts=frozenset({"round", "victory"}),
    prepare_token=prepare_token,
    bar=bar,
    card=card,
    reach=reach,
    judge=judge,
    areas=areas,
    turn=turn,
    offers=offers,
    procedures={
        "melee": attack,
        "ranged": attack,
        "spell": cast,
        "move": move,
        "brace": brace,
        "entangle": entangle,
        "activate": activate,
        "end": end_activation,
        "round": start_round,
        "crawl": crawl,
        "recover": recover,
        "victory": declare_victory,
    },
    successes=frozenset({"hit", "recovered", "entangled", "harmed", "healed", "hastened", "moved"}),
    narrate=narrate,
    layers=("arc", "ranges", "sight", "blind", "threat", "engagement"),
    sight=sight,
    engagements=engagements,
)
