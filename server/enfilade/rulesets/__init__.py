"""The games: one folder each, the same file names in every one. They never import each other."""

from __future__ import annotations

from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.rulesets.double_life import DOUBLE_LIFE
from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.torn import TORN

BUILT_IN = (COUP_DE_GRACE, TORN, KNIGHTS_OF_VALOUR, MINIATURES_COMBAT, DOUBLE_LIFE)
"""The rulesets this package brings, listed by hand."""
