"""Ready-made models: those of the text's examples, and one for each kind of gear."""

from __future__ import annotations

from typing import Any

import msgspec

from enfilade.rules.ruleset import Unit
from enfilade.rulesets.miniatures_combat.profiles import Profile


def _unit(key: str, name: str, **sheet: Any) -> Unit:
    return Unit(key, name, msgspec.to_builtins(Profile(**sheet)))


UNITS: tuple[Unit, ...] = (
    _unit("captain", "Captain", level=3, shield="shield", athletic=True),
    _unit("halfling", "Halfling", level=1, short=True, story_protected=True),
    _unit("orc_swordsman", "Orc swordsman", level=1, minion=True, shield="shield", athletic=True),
    _unit("orc_bowman", "Orc bowman", level=1, minion=True, missiles=True, athletic=True),
    _unit("orc_spearman", "Orc spearman", level=1, minion=True, weapon="pole", athletic=True),
    _unit("orc_captain", "Orc captain", level=2, shield="buckler", heavy_armor=True, athletic=True),
    _unit("ranger", "Ranger", level=3, missiles=True, athletic=True),
    _unit("knight", "Knight", level=2, shield="shield", heavy_armor=True, mounted=True),
    _unit("axeman", "Axeman", level=2, two_handed=True, heavy_armor=True, short=True),
    _unit("man_at_arms", "Man-at-arms", level=2, weapon="pole"),
    _unit("bandit", "Bandit", level=1, minion=True),
    _unit("brawler", "Brawler", level=1, weapon="close"),
    _unit("cave_troll", "Cave troll", level=4, two_handed=True),
    _unit("dragon", "Dragon", level=5, weapon="pole", heavy_armor=True),
)
"""The ready-made models."""
