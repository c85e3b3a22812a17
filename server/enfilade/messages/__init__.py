"""The wire contract: all messages of both directions as marshmallow schemas.

`publish` generates the repository's folder `schemas/` from them, and a test compares the two. The schemas
define shapes only: they do not judge whether an act is legal, and they have no hooks, so that the generated
JSON Schema states every check.

Lengths are whole 64ths of a cell (on hexes: of its width across and of its height down). Facings are whole
compass degrees (0 points up the board, clockwise). Cells are [column, row], with [0, 0] at the top left.
"""
