"""What is built on the seam without knowing any ruleset: overlays and previews of acts.

Asks a ruleset and a scene; never names a game, never changes anything.
"""
