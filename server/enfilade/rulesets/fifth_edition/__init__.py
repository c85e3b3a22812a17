"""The fifth edition: tactical combat of the System Reference Document 5.2, as far as it is built.

This work includes material from the System Reference Document 5.2 ("SRD 5.2") by Wizards of the Coast LLC,
available at https://www.dndbeyond.com/srd. The SRD 5.2 is licensed under the Creative Commons Attribution 4.0
International License, available at https://creativecommons.org/licenses/by/4.0/legalcode. Facts and figures
only, in our own words.
docs/rulesets/fifth-edition.md lists the rules that are built, and those that are missing.
"""

from __future__ import annotations

from enfilade.i18n import localize
from enfilade.rules.kit.board import LAYOUTS
from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets.fifth_edition.battlefield import contacts, may_provoke, may_share, outlined, sight
from enfilade.rulesets.fifth_edition.catalog import UNITS
from enfilade.rulesets.fifth_edition.combat import SUCCESSES
from enfilade.rulesets.fifth_edition.damage import settle
from enfilade.rulesets.fifth_edition.house_rules import HOUSE_RULES, is_assistant
from enfilade.rulesets.fifth_edition.movement import judge, reach
from enfilade.rulesets.fifth_edition.offers import ACTS, caught, offers
from enfilade.rulesets.fifth_edition.outlook import OUTLOOK
from enfilade.rulesets.fifth_edition.overlays import LAYERS, areas
from enfilade.rulesets.fifth_edition.profiles import CONDITIONS, TRACKS, Profile, bar, prepare_token
from enfilade.rulesets.fifth_edition.tell import budgets, card, narrate, states
from enfilade.rulesets.fifth_edition.turn import turn

FIFTH_EDITION = Ruleset(
    key="fifth_edition",
    title=localize("fifth_edition.title"),
    summary=localize("fifth_edition.summary"),
    grids=frozenset({"square", *LAYOUTS}),
    profile=Profile,
    reads_actors=True,
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
    areas=areas,
    turn=turn,
    offers=offers,
    successes=frozenset(SUCCESSES),
    narrate=narrate,
    layers=LAYERS,
    body=lambda scene, token: contacts(scene).screens.spaces.runs(token),
    may_share=may_share,
    may_provoke=may_provoke,
    sight=sight,
    outlined=outlined,
    budgets=budgets,
    states=states,
    engagements=lambda scene: contacts(scene).engagements(),
    caught=caught,
    done_elsewhere=lambda scene: "SRD-042" if is_assistant(scene) else "",
    settle=settle,
    outlook=OUTLOOK,
)
