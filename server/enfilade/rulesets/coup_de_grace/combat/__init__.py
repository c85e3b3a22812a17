"""Attacks: their setup, dice, damage, and spells."""
