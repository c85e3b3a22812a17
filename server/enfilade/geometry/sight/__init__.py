"""Sight: blockers, shadows, visible cells, cover and blind zones."""
