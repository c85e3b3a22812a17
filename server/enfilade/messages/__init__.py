"""The wire contract's one source: what may be sent either way, as marshmallow schemas.

Everything in the repository's `schemas/` folder is generated from here (`publish`) and compared in a test.
Knows shapes, not rules: whether an act is legal is not said here. Shapes only, no hooks, so that the
generated JSON Schema says all that is checked.

Lengths are whole 64ths of a cell (on hexes of its own width across and of its own height down), facings
whole compass degrees (0 up the board, clockwise), cells
[column, row] from [0, 0] at the top left.
"""
