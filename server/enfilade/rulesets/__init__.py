"""The games: one folder each, the same file names in every one. They never import each other."""

from __future__ import annotations

from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.rulesets.torn import TORN

BUILT_IN = (COUP_DE_GRACE, TORN)
"""The rulesets this package brings, listed by hand."""
