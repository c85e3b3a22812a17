"""The migrations of the schema, step by step; the effect of a released step never changes."""
