"""Odds of acts with Each: the stranger's fireball, his multiattack, and maps."""
