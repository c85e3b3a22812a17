"""The three Socket.IO events as an AsyncAPI 3 document with references to the published schemas."""

from __future__ import annotations

from typing import Any

_ABOUT = (
    "Commands to a table and updates from it, as Socket.IO events over WebSocket. A client connects with the "
    "auth of connect.json."
)


def asyncapi() -> dict[str, Any]:
    """Return the document; its references are relative to the folder of the schemas."""
    messages = {name: {"payload": _schema(f"{name}.json")} for name in ("command", "part", "ack", "update")}
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Enfilade", "version": "1", "description": _ABOUT},
        "defaultContentType": "application/json",
        "channels": {"table": {"address": "/socket.io/", "messages": messages}},
        "operations": {
            "command": _operation("receive", "command", "Asks something of the table; acknowledged.", "ack"),
            "part": _operation(
                "receive", "part", "A part of a command that is larger than a message; acknowledged.", "ack"
            ),
            "update": _operation("send", "update", "Tells a seat what has happened."),
        },
    }


def _schema(name: str) -> dict[str, Any]:
    """Return a payload in JSON Schema 2020-12; without a format AsyncAPI expects its own draft 7."""
    return {"schemaFormat": "application/schema+json;version=2020-12", "schema": {"$ref": name}}


def _operation(action: str, message: str, summary: str, reply: str = "") -> dict[str, Any]:
    channel = {"$ref": "#/channels/table"}
    operation = {
        "action": action,
        "channel": channel,
        "summary": summary,
        "messages": [{"$ref": f"#/channels/table/messages/{message}"}],
    }
    if reply:
        answer = {"channel": channel, "messages": [{"$ref": f"#/channels/table/messages/{reply}"}]}
        operation["reply"] = answer
    return operation
