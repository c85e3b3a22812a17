"""Shapes in, shapes out: boards, arcs, movement fields and sight, in exact integers.

Knows no token and no rule: it is told what blocks and what a step costs.

Lengths are integers in 64ths of a cell (`units.CELL`), x to the right and y down, the board's top left
corner at (0, 0). Angles are compass degrees: 0 is up the board (north), clockwise.
"""
