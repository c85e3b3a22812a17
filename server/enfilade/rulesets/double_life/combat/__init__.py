"""Combat: tests, defenses, the phase of attacks, falls and deaths."""
