"""The HTTP routes as an OpenAPI 3.1 document and the Socket.IO events as an AsyncAPI 3 one.

Both refer to the published schemas.
"""

from __future__ import annotations

from typing import Any

from enfilade.messages.fields import DIALECT
from enfilade.messages.http_routes import BINARY, ROUTES, Route

_ABOUT_ROUTES = (
    "The routes for programs without a socket, for maps and for seats. A key goes into the header "
    "`Authorization: Bearer KEY`."
)
_WITHOUT_KEY = ("anyone", "anyone who knows the ID", "a person with an invitation")


def openapi() -> dict[str, Any]:
    """Return the document; its references are relative to the folder of the schemas."""
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method] = _route(route)
    return {
        "openapi": "3.1.0",
        "jsonSchemaDialect": DIALECT,
        "info": {"title": "Enfilade", "version": "1", "description": _ABOUT_ROUTES},
        "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
        "paths": paths,
    }


def _route(route: Route) -> dict[str, Any]:
    names = [part[1:-1] for part in route.path.split("/") if part.startswith("{")]
    parameters = [_parameter(name, "path", f"The ID of the {name}.") for name in names]
    parameters += [_parameter(name, "query", text) for name, text in route.query]
    success: dict[str, Any] = {"description": "Done."}
    if route.answer:
        success["content"] = _content(route.answer)
    refusal = {"description": "Refused, with a code and a sentence.", "content": _content("ack")}
    operation: dict[str, Any] = {
        "operationId": f"{route.method}_{'_'.join(part.strip('{}') for part in route.path.split('/')[1:])}",
        "tags": [route.group],
        "summary": route.summary,
        "description": f"Allowed for: {route.allowed}.",
        "parameters": parameters,
        "security": [] if route.allowed in _WITHOUT_KEY else [{"key": []}],
        "responses": {str(route.status): success, "default": refusal},
    }
    if route.body:
        operation["requestBody"] = {"required": True, "content": _content(route.body)}
    return operation


def _parameter(name: str, place: str, text: str) -> dict[str, Any]:
    is_required = place == "path" or name in ("token", "target")
    return {
        "name": name,
        "in": place,
        "required": is_required,
        "description": text,
        "schema": {"type": "string"},
    }


def _content(schema: str) -> dict[str, Any]:
    """Return the content of a published schema by its name, or of a media type."""
    is_media_type = schema.split("/")[0] in ("application", "image", "text")
    if not is_media_type:
        return {"application/json": {"schema": {"$ref": f"{schema}.json"}}}
    is_json = schema == "application/json"
    return {schema: {"schema": {"type": "object"} if is_json else BINARY}}


_ABOUT_EVENTS = (
    "Commands to a table and updates from it, as Socket.IO events over WebSocket. A client connects with the "
    "auth of connect.json."
)


def asyncapi() -> dict[str, Any]:
    """Return the document; its references are relative to the folder of the schemas."""
    messages = {name: {"payload": _schema(f"{name}.json")} for name in ("command", "part", "ack", "update")}
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Enfilade", "version": "1", "description": _ABOUT_EVENTS},
        "defaultContentType": "application/json",
        "channels": {"table": {"address": "/socket.io/", "messages": messages}},
        "operations": {
            "command": _event("receive", "command", "Asks something of the table; acknowledged.", "ack"),
            "part": _event(
                "receive", "part", "A part of a command that is larger than a message; acknowledged.", "ack"
            ),
            "update": _event("send", "update", "Tells a seat what has happened."),
        },
    }


def _schema(name: str) -> dict[str, Any]:
    """Return a payload in JSON Schema 2020-12; without a format AsyncAPI expects its own draft 7."""
    return {"schemaFormat": "application/schema+json;version=2020-12", "schema": {"$ref": name}}


def _event(action: str, message: str, summary: str, reply: str = "") -> dict[str, Any]:
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
