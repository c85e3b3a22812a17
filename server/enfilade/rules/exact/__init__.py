"""Exact odds: distributions of dice, callees once for their arguments, and two walks over an act.

`plain` runs an act again for each sequence of answers. `each` is the walk over an act with `Each` or `Rest`:
it runs each part once for all situations that agree on what the part reads.
"""
