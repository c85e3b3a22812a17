"""Needed by any process: its settings, its budget of time, and properties computed once."""
