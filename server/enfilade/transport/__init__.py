"""Socket.IO and HTTP transport: receive commands, broadcast updates, and limit what clients can cost.

It knows no game rule. `socketio` and `http` are the entry points. `rooms` broadcasts each table's updates.
`limits` meters clients. docs/decisions/0002-transport.md lists what the Socket.IO driver defends against.
"""
