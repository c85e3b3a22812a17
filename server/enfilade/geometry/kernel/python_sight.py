"""Shadows on a board in Python: the reference for sight.c, and what answers where there is no C."""

from __future__ import annotations

from enfilade.geometry.blockers import Blockers
from enfilade.geometry.casting import add_thin, cast, edge_on, thin_ones
from enfilade.geometry.kernel.python_cover import blocked_lines, clear_pairs
from enfilade.geometry.raster import Darkness, Lattice
from enfilade.geometry.shadows import Heights
from enfilade.geometry.units import Point

__all__ = ["blocked_lines", "clear_pairs", "darkness"]


def darkness(lattice: Lattice, eye: Point, heights: Heights, blockers: Blockers) -> Darkness:
    """The cells of a lattice whose centre the eye does not see."""
    dark = Darkness(lattice, eye)
    holding = {number for number, body in enumerate(blockers.all_bodies) if body.holds(eye)}
    for shadow in cast(eye, heights, blockers, holding):
        dark.add_shadow(shadow)
    for thin in thin_ones(eye, blockers, edge_on(eye, blockers), holding):
        add_thin(dark, heights, thin)
    return dark
