"""Ready-made parts for rulesets: turns, moves, targets, hit points, offers, and the log's sentences.

`build_ruleset` puts them together for a game on squares or hexes. Each part is also used alone, next to the
ruleset's own functions. docs/adding-a-ruleset.md builds a game of four rules with them.
"""

from enfilade.rules.kit.activations import (
    active_token,
    clear_round,
    finish_activation,
    in_battle,
    not_activated,
    side_after,
    side_from,
    win_initiative,
)
from enfilade.rules.kit.board import (
    Hiding,
    best_line,
    blockers_of,
    board_of,
    cells_of,
    distance,
    distance_text,
    gap,
    hiding_terrain,
    terrain_costs,
)
from enfilade.rules.kit.build import Narrator, build_ruleset, profile_card
from enfilade.rules.kit.health import OUT, HitPoints, remove
from enfilade.rules.kit.moves import Walk
from enfilade.rules.kit.offers import offer, offers_of
from enfilade.rules.kit.targets import Targets
from enfilade.rules.kit.turns import AlternateTurns, SideTurns, TurnOrder
from enfilade.rules.tell import Step, narrate_steps

__all__ = [
    "OUT",
    "AlternateTurns",
    "Hiding",
    "HitPoints",
    "Narrator",
    "SideTurns",
    "Step",
    "Targets",
    "TurnOrder",
    "Walk",
    "active_token",
    "best_line",
    "blockers_of",
    "board_of",
    "build_ruleset",
    "cells_of",
    "clear_round",
    "distance",
    "distance_text",
    "finish_activation",
    "gap",
    "hiding_terrain",
    "in_battle",
    "narrate_steps",
    "not_activated",
    "offer",
    "offers_of",
    "profile_card",
    "remove",
    "side_after",
    "side_from",
    "terrain_costs",
    "win_initiative",
]
