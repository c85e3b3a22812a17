"""Fair dice of a table: the chains, and the links that acts take."""
