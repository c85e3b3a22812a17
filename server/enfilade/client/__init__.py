"""Clients of a table: plain HTTP, and a live connection with a replica."""
