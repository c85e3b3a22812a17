"""Kills, power cuts and broken disks: what was acknowledged is there afterwards, once and whole.

Every ordeal comes with controls, builds that are broken on purpose: one that it does not catch shows
that it proves nothing.
"""
