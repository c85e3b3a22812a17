"""Speed of the rules: previews of all attacks at once, and whole random games."""
