"""Limits: token buckets, the quotas of seats, tables and addresses, and connections per address."""
