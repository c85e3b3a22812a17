"""What stands where and what has happened: the scene, the facts that change it, what one seat may know.

Counts and stores; knows no rule: a track is a named number, a condition a named flag, whatever they mean.
"""
