"""Socket.IO and HTTP: carries commands in and updates out, keeps hostile clients harmless. Knows no rule.

`websocket` and `packets` harden what Flask-SocketIO stands on (docs/decisions/0002-transport.md says against
what), `server` puts them together, `rooms` tells every connection of a table what is new, `sockets` and
`http` are the two ways in.
"""
