"""Tactics for any ruleset: overlays, previews of acts, verdicts.

This package asks a ruleset about a scene. It names no game and changes nothing.
"""
