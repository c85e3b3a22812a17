"""The seam every ruleset is written against: what a ruleset is, and how its procedures are run.

Knows procedures, dice, odds, modifiers and house rules; knows no game in particular, no wire, no store.
"""
