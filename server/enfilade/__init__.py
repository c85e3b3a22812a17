"""Enfilade: the rules of miniatures battles beside a virtual tabletop.

The virtual tabletop (VTT) keeps the map and the tokens; this package knows the rules. Rooms, from the
ground up: geometry, scene, rules, rulesets and store, tactics, play, messages and importers, transport.
"""
