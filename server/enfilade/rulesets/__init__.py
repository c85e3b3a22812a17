"""The games: one folder each, the same file names in every one. They never import each other."""

from __future__ import annotations

from enfilade.rulesets.any_system import ANY_SYSTEM
from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.rulesets.double_life import DOUBLE_LIFE
from enfilade.rulesets.fifth_edition import FIFTH_EDITION
from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.torn import TORN

BUILT_IN = (COUP_DE_GRACE, TORN, KNIGHTS_OF_VALOUR, MINIATURES_COMBAT, DOUBLE_LIFE, ANY_SYSTEM, FIFTH_EDITION)
"""The rulesets this package brings, listed by hand."""

GAMES = tuple(ruleset for ruleset in BUILT_IN if not ruleset.only_moves)
"""Those with turns and dice of their own; the others are companions of a tabletop's system."""
