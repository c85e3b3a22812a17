"""Attacks: their numbers and dice, damage, and Attacks of Opportunity."""
