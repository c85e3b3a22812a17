"""How fast the rules answer: previews of every attack at once, and whole random games."""
