"""Boards of squares and hexes: cells, arcs, footprints, masks, walls, and exact predicates."""
