"""Attacks: their setup, dice, decisions, damage, and reactions to them."""
