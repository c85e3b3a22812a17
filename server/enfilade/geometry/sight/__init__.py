"""Sight: blockers, shadows, lines of sight, visible cells, cover, blind zones and low visibility."""
