"""The ruleset interface: what a ruleset is, and how the engine runs its procedures."""
