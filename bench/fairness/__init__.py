"""Fairness: the answers of an honest player while other tables and strangers attack the server."""
