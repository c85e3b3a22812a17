"""Attacks: setup, dice, damage and spells, and the effects of races, weapons and mage foci."""
