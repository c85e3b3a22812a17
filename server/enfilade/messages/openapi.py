"""The HTTP routes as an OpenAPI 3.1 document with references to the published schemas."""

from __future__ import annotations

from typing import Any, NamedTuple

TABLE = "/api/tables/{table}"

Schema = dict[str, Any]
BINARY: Schema = {"type": "string", "format": "binary"}


class Route(NamedTuple):
    """A route: who may use it, its effect, and the schemas of its body, its answer and its query.

    A schema is the name of a published one, or a media type. `query` has each parameter with a sentence.
    """

    method: str
    path: str
    group: str
    allowed: str
    summary: str
    body: str = ""
    answer: str = ""
    status: int = 200
    query: tuple[tuple[str, str], ...] = ()


ROUTES = (
    Route(
        "post",
        "/api/tables",
        "Tables",
        "this machine, or the operator's key",
        "Create a table with an empty board. The answer alone has its keys.",
        "http/create-table",
        "http/created-table",
        201,
    ),
    Route(
        "get",
        "/api/games",
        "Tables",
        "anyone",
        "List the games of this server, and whether a new table needs the operator's key.",
        "",
        "application/json",
    ),
    Route(
        "post",
        f"{TABLE}/commands",
        "Play",
        "any seat",
        "Send a command, and get its acknowledgment.",
        "command",
        "ack",
    ),
    Route("get", f"{TABLE}/scene", "Play", "any seat", "Read the scene in the seat's view.", "", "scene"),
    Route(
        "get",
        f"{TABLE}/facts",
        "Play",
        "any seat",
        "Read the facts of the seat's view: places, hit points, turn, and the lines of a token.",
        "",
        "facts",
        200,
        (
            ("from", "The ID of an own token, for its line of sight and distance to each other."),
            ("log", "So many of the last log entries, up to 200."),
        ),
    ),
    Route(
        "get",
        f"{TABLE}/overlay",
        "Play",
        "any seat",
        "Read the overlay of a token.",
        "",
        "application/json",
        200,
        (("token", "The ID of the token."), ("layers", "Only these layers, separated by commas.")),
    ),
    Route(
        "get",
        f"{TABLE}/verdict",
        "Play",
        "any seat",
        "Read the verdict of one token on another: sight, cover, distance, odds.",
        "",
        "verdict",
        200,
        (("token", "The ID of the token that looks."), ("target", "The ID of its target.")),
    ),
    Route(
        "get",
        f"{TABLE}/decisions",
        "Play",
        "GM, and players for their own tokens",
        "Read the decision map of a token: what it could do and would suffer at each place in its reach.",
        "",
        "decision-map",
        200,
        (
            ("token", "The ID of the token."),
            ("at", "Only this cell with all its facings, like `4,7`."),
            ("most", "Only so many cells, those that cost least, and no advice."),
        ),
    ),
    Route(
        "get",
        f"{TABLE}/focus",
        "Play",
        "GM, and players for their own tokens",
        "Read the chance that attackers in order bring a target down, and their best order.",
        "",
        "focus-fire",
        200,
        (
            ("target", "The ID of the target."),
            ("attackers", "Their IDs in order, with commas."),
        ),
    ),
    Route(
        "get",
        f"{TABLE}/matchups",
        "Play",
        "any seat",
        "Read what the seat's answers to open questions would do against each opponent.",
        "",
        "matchups",
        200,
        (("answers", "JSON: the key of an answer for the ID of each choice."),),
    ),
    Route(
        "get",
        f"{TABLE}/statistics",
        "Play",
        "any seat",
        "Read attacks, hits, luck and damage of the battle so far; ask again until all entries are counted.",
        "",
        "statistics",
    ),
    Route(
        "get",
        f"{TABLE}/replay",
        "Play",
        "any seat",
        "Read a part of the battle as the seat was sent it; with `token` its `overlays` then.",
        "",
        "replay-page",
        200,
        (
            ("start", "The entry before the part; without it the part is the last one."),
            ("limit", "At most so many entries, up to 200; with `token` so many overlays, 1 to 20."),
            ("token", "The ID of a token whose overlays are wanted instead."),
            ("at", "With `token`: the entry after which the first overlay is wanted."),
            ("layers", "With `token`: only these layers, separated by commas."),
        ),
    ),
    Route(
        "post",
        f"{TABLE}/rules-diff",
        "Play",
        "GM",
        "Start to run the battle again under the `house_rules` of the body.",
        "application/json",
        "rules-diff",
        202,
    ),
    Route(
        "get",
        f"{TABLE}/rules-diff/{{job}}",
        "Play",
        "GM",
        "Read how far that run is, and the verdicts that change.",
        "",
        "rules-diff",
    ),
    Route("delete", f"{TABLE}/rules-diff/{{job}}", "Play", "GM", "Cancel that run.", status=204),
    Route(
        "post",
        f"{TABLE}/branches",
        "What if",
        "any seat",
        "Open a branch of the seat's view, now or after the entry `at` of the body. It is in no log.",
        "application/json",
        "branch",
        201,
    ),
    Route(
        "get",
        f"{TABLE}/branches",
        "What if",
        "any seat",
        "List own and shown branches.",
        "",
        "application/json",
    ),
    Route(
        "delete",
        f"{TABLE}/branches/{{branch}}",
        "What if",
        "its owner, or the GM",
        "Throw it away.",
        status=204,
    ),
    Route(
        "post",
        f"{TABLE}/branches/{{branch}}/show",
        "What if",
        "its owner",
        "Show it to all seats, or no longer, by `is_shown` of the body.",
        "application/json",
        "branch",
    ),
    Route(
        "post",
        f"{TABLE}/branches/{{branch}}/commands",
        "What if",
        "its owner; overlays anyone who may see it",
        "Send a command to the branch as its GM.",
        "command",
        "ack",
    ),
    Route(
        "get",
        f"{TABLE}/branches/{{branch}}/update",
        "What if",
        "its owner, and all if it is shown",
        "Read a snapshot of the branch, or its entries after `after`.",
        "",
        "update",
        200,
        (("after", "The number of the last entry that is known."),),
    ),
    Route(
        "get",
        f"{TABLE}/branches/{{branch}}/comparison",
        "What if",
        "its owner, and all if it is shown",
        "Read the units that the branch and the present have otherwise.",
        "",
        "branch-comparison",
    ),
    Route("get", f"{TABLE}/log", "Play", "GM", "Read the whole log as a verifiable file.", "", "text/plain"),
    Route(
        "post",
        f"{TABLE}/map",
        "Maps",
        "GM",
        "Set a file as the scene: Universal VTT, a Foundry scene, a saved battle, or a picture.",
        "application/octet-stream",
        "ack",
        200,
        (
            ("name", "The name of the file."),
            ("grid", "`gridless` for a squared map without its cells."),
            ("kind", "Of a picture: the kind of grid, such as `square`."),
            ("columns", "Of a picture: the cells across."),
            ("rows", "Of a picture: the cells down."),
            ("cell", "Of a picture: the width of a cell in pixels."),
            ("left", "Of a picture: the pixels to the left of the grid."),
            ("top", "Of a picture: the pixels above the grid."),
        ),
    ),
    Route(
        "post",
        f"{TABLE}/pictures",
        "Maps",
        "GM",
        "Store a picture for a unit; the answer has its address.",
        "application/octet-stream",
        "application/json",
        201,
    ),
    Route("get", f"{TABLE}/battle", "Maps", "GM", "Save the battle as a file.", "", "application/json"),
    Route(
        "post",
        f"{TABLE}/foundry",
        "Maps",
        "GM",
        "Synchronize with a live Foundry scene, whole or some of its tokens.",
        "application/json",
        "ack",
        200,
        (
            ("bridge", "The number of the page's claim."),
            ("part", "`tokens` for some of the scene's tokens."),
        ),
    ),
    Route(
        "get",
        f"{TABLE}/assets/{{asset}}",
        "Maps",
        "anyone who knows the ID",
        "Read an image of the table.",
        "",
        "image/*",
    ),
    Route(
        "post",
        f"{TABLE}/tickets",
        "Seats",
        "any seat",
        "Create a ticket for one connection of a socket.",
        "",
        "http/ticket",
        201,
    ),
    Route("get", f"{TABLE}/seat", "Seats", "any key", "Read the key's own member.", "", "http/seat"),
    Route(
        "post",
        f"{TABLE}/keys",
        "Seats",
        "GM",
        "Replace the key in the GM's or the spectators' link. The answer alone has the new one.",
        "http/replace-key",
        "http/replaced-key",
        201,
    ),
    Route(
        "post",
        f"{TABLE}/invitations",
        "Seats",
        "GM",
        "Create an invitation. The answer alone has its secret.",
        "http/invite",
        "http/invitation",
        201,
    ),
    Route(
        "delete", f"{TABLE}/invitations/{{invitation}}", "Seats", "GM", "Revoke an invitation.", "", "", 204
    ),
    Route(
        "post",
        f"{TABLE}/seats",
        "Seats",
        "a person with an invitation",
        "Ask for a seat under a name. The answer alone has its key.",
        "http/ask",
        "http/joined",
        201,
    ),
    Route("get", f"{TABLE}/seats", "Seats", "GM", "List members and waiting players.", "", "http/players"),
    Route(
        "post",
        f"{TABLE}/seats/{{member}}/approve",
        "Seats",
        "GM",
        "Approve a waiting player, with tokens.",
        "http/approve",
        "http/seat",
    ),
    Route(
        "delete",
        f"{TABLE}/seats/{{member}}",
        "Seats",
        "GM",
        "Reject a player, or remove a member. Keys, tickets and connections end at once.",
        "",
        "",
        204,
    ),
    Route("get", "/health", "Server", "anyone", "Ask whether the process is alive.", "", "application/json"),
    Route(
        "get",
        "/ready",
        "Server",
        "anyone",
        "Ask whether the server can execute commands; 503 with the code of the reason if not.",
        "",
        "application/json",
    ),
)
"""Every route of the API, in the order of the document."""

_ABOUT = (
    "The routes for programs without a socket, for maps and for seats. A key goes into the header "
    "`Authorization: Bearer KEY`."
)
_OPEN = ("anyone", "anyone who knows the ID", "a person with an invitation")


def openapi() -> dict[str, Any]:
    """Return the document; its references are relative to the folder of the schemas."""
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Enfilade", "version": "1", "description": _ABOUT},
        "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
        "paths": paths,
    }


def _operation(route: Route) -> dict[str, Any]:
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
        "security": [] if route.allowed in _OPEN else [{"key": []}],
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
