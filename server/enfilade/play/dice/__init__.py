"""Fair dice of a table: chains, contributions of players, and reveals."""
