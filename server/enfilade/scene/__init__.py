"""The scene: what stands on the board, the events that change it, entries, seats, and hashes.

This package knows no rule: a track is a named number, a condition a named flag.
"""
