"""Fighting: defenses, attacks, missiles, hits, the random events of story points, and flight."""
