"""Socket.IO: the handlers, the servers, the WebSocket driver, and the outbox."""
