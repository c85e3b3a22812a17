"""Commands of a table: the registry, and the handlers of all kinds."""
