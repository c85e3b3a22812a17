"""Store tables: SQL for real games, memory for tests and samples.

The package stores entries and scenes as values; it knows no rule and no wire format.
"""
