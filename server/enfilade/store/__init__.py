"""Keeps tables: SQL for real games, memory for throw-away ones.

Knows entries and scenes as values to be kept whole; knows no rule and no wire.
"""
