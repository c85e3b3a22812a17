"""Any system: what a board tells for every game, without turns and dice of its own.

The rules are the tabletop's. docs/rulesets/any-system.md says what is shown and how it is worked out.
"""

from __future__ import annotations

from enfilade.i18n import localize
from enfilade.rules.group_moves import GROUP_MOVE, GroupMove, group_move
from enfilade.rules.kit.board import LAYOUTS
from enfilade.rules.kit.offers import no_offers
from enfilade.rules.kit.turns import no_turns
from enfilade.rules.ruleset import ActKind, Ruleset
from enfilade.rulesets.any_system.battlefield import contacts, outlined, sight
from enfilade.rulesets.any_system.card import UNITS, card, narrate
from enfilade.rulesets.any_system.house_rules import HOUSE_RULES
from enfilade.rulesets.any_system.movement import LAYERS, areas, judge, move, reach
from enfilade.rulesets.any_system.profiles import CONDITIONS, TRACKS, Profile, bar, prepare_token

ANY_SYSTEM = Ruleset(
    key="any_system",
    title=localize("any_system.title"),
    summary=localize("any_system.summary"),
    grids=frozenset({"square", *LAYOUTS, "gridless"}),
    profile=Profile,
    reads_actors=True,
    tracks=TRACKS,
    conditions=CONDITIONS,
    house_rules=HOUSE_RULES,
    catalog=UNITS,
    acts={
        "move": ActKind(localize("any_system.act_move"), move, tags=frozenset({"moves"})),
        GROUP_MOVE: ActKind(
            localize("rules.act_move_group"), group_move(judge, move, "ANY-005"), body=GroupMove
        ),
    },
    prepare_token=prepare_token,
    bar=bar,
    card=card,
    reach=reach,
    judge=judge,
    areas=areas,
    turn=no_turns,
    offers=no_offers,
    successes=frozenset(),
    narrate=narrate,
    layers=LAYERS,
    body=lambda scene, token: contacts(scene).screens.spaces.runs(token),
    sight=sight,
    outlined=outlined,
    engagements=lambda scene: contacts(scene).engagements(),
)
