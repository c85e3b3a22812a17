"""The use cases: what a seat can do at a table, one method an act, readable from top to bottom.

Knows rulesets by the seam and stores by what they can do; knows no wire and no connection.
"""
