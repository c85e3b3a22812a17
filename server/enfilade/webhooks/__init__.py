"""What the server sends out by itself: a table's log, posted to a webhook like Discord's. Off by default.

Knows tables and their words, no rule and no wire. Nothing else in the program opens a connection to a host
that somebody at a table named.

`words` makes messages, `addresses` decides where a connection may go, `poster` sends one message, `posts`
sees to it that every entry is sent.
"""
