"""Socket.IO: handlers, the WebSocket driver, frames and the outbox."""
