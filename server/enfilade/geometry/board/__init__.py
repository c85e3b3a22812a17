"""Boards of squares and hexes: cells, arcs, footprints, masks, walls, bodies and exact predicates."""
