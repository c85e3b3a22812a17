"""Post a table's log to a webhook such as Discord's. Off by default.

`queue` delivers every entry in order; `http` sends one message, to public addresses only. The package knows
tables and their log texts, no rule and no wire format. No other module connects to a host named by a client.
"""
