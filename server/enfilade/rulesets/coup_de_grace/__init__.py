"""Coup-de-Grace: skirmishes with facing and alternate activation, on squares or hexes.

The rules are those of 000 Coup-De-Grace by Asklepios, published on the RPGnet wiki. docs/rulesets/coup-de-
grace.md says how each rule is read.
"""

from __future__ import annotations

from enfilade.i18n import localize
from enfilade.rules.group_moves import GROUP_MOVE, GroupMove, group_move
from enfilade.rules.ruleset import ActKind, Ruleset
from enfilade.rulesets.coup_de_grace.battlefield import GRIDS, contradictions
from enfilade.rulesets.coup_de_grace.card import card
from enfilade.rulesets.coup_de_grace.catalog import UNITS
from enfilade.rulesets.coup_de_grace.combat.attack import attack
from enfilade.rulesets.coup_de_grace.combat.spells import cast, caught
from enfilade.rulesets.coup_de_grace.house_rules import HOUSE_RULES
from enfilade.rulesets.coup_de_grace.movement import judge, move, reach
from enfilade.rulesets.coup_de_grace.narrate import narrate
from enfilade.rulesets.coup_de_grace.offers import offers
from enfilade.rulesets.coup_de_grace.outlook import OUTLOOK
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
        "melee": ActKind(localize("coup_de_grace.act_melee"), attack),
        "ranged": ActKind(localize("coup_de_grace.act_ranged"), attack),
        "spell": ActKind(localize("coup_de_grace.act_spell"), cast),
        "move": ActKind(localize("coup_de_grace.act_move"), move),
        GROUP_MOVE: ActKind(
            localize("rules.act_move_group"), group_move(judge, move, "CDG-033"), body=GroupMove
        ),
        "brace": ActKind(localize("coup_de_grace.act_brace"), brace),
        "entangle": ActKind(localize("coup_de_grace.act_entangle"), entangle),
        "activate": ActKind(localize("coup_de_grace.act_activate"), activate),
        "end": ActKind(localize("coup_de_grace.act_end"), end_activation),
        "round": ActKind(localize("coup_de_grace.act_round"), start_round, is_gm_only=True),
        "crawl": ActKind(localize("coup_de_grace.act_crawl"), crawl),
        "recover": ActKind(localize("coup_de_grace.act_recover"), recover),
        "victory": ActKind(localize("coup_de_grace.act_victory"), declare_victory, is_gm_only=True),
    },
    prepare_token=prepare_token,
    bar=bar,
    card=card,
    reach=reach,
    judge=judge,
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
