"""Limits for each seat, table and address."""
