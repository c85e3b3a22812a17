"""Everything that one seat may not know, in one place."""
