"""`enfilade mcp`: a server of the Model Context Protocol. Assistants ask a table instead of guessing.

It is a client of the table with one seat's key, so it can tell no more than that seat may know, and it
changes nothing. It speaks over standard input and output, as desktop assistants start such servers.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any

import click
import requests

from enfilade.cli.output import report_errors
from enfilade.client.http import Client
from enfilade.errors import BadInput, EnfiladeError, RateLimited
from enfilade.i18n import localize

INSTRUCTIONS = (
    "Facts about a miniatures battle, worked out by the rules of its game. Ask `facts` first: it names all "
    "tokens by ID. Cells are [column, row] from the upper left corner. Never guess a distance, a line of "
    "sight or a chance: ask for it. You see what one seat at the table may know, and change nothing."
)

TRIES, LONGEST_WAIT = 6, 5.0
"""The times that a question is asked if the table limits the rate, and the seconds between two at most."""

_KEY, _MAX_KEY_FILE = re.compile(r"[A-Za-z0-9_-]{1,200}"), 1_000
"""A seat's key, and the characters of a file that are read."""


@click.command("mcp")
@click.option("--url", required=True, help="The address of the server, like http://127.0.0.1:8090.")
@click.option("--table", required=True, help="The ID of the table, as in its link.")
@click.option(
    "--key-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file that holds the key of a seat and nothing else.",
)
@click.option("--key", help="The key of a seat. Other users of this computer can read it: see --key-file.")
@report_errors
def mcp(url: str, table: str, key_file: Path | None, key: str | None) -> None:
    """Answer an assistant's questions about a table over the Model Context Protocol, with one seat's view.

    The seat's key is read from the variable ENFILADE_KEY or from --key-file.
    """
    if key:
        click.echo(localize("cli.mcp_key_visible"), err=True)
    build_server(Client(url, table, key or _read_key(key_file))).run("stdio")


def _read_key(file: Path | None) -> str:
    """Return a seat's key from a file, else from the environment. Raises BadInput without one."""
    with suppress(UnicodeDecodeError):
        if file is None:
            key = os.environ.get("ENFILADE_KEY", "")
        else:
            with file.open(encoding="utf-8") as opened:
                key = opened.read(_MAX_KEY_FILE).strip()
        if _KEY.fullmatch(key):
            return key
    raise BadInput(localize("cli.mcp_no_key"))


def build_server(table: Client) -> Any:
    """Return the MCP server of a table. Raises BadInput without the extra `enfilade[mcp]`."""
    try:
        from mcp.server.mcpserver import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
    except ImportError:
        raise BadInput(localize("cli.mcp_missing")) from None
    server = MCPServer("enfilade", instructions=INSTRUCTIONS)
    tools = Tools(table)
    for name in NAMES:
        server.tool(structured_output=False)(_answer_with(getattr(tools, name), ToolError))
    return server


def _answer_with(
    tool: Callable[..., dict[str, Any]], failure: Callable[[str], Exception]
) -> Callable[..., dict[str, Any]]:
    """Return a tool that waits while the table limits the rate, and tells the assistant why it is refused.

    The SDK keeps the text of any exception but `failure` from the assistant.
    """

    @wraps(tool)
    def ask(*arguments: Any, **named: Any) -> dict[str, Any]:
        sentence = ""
        for _ in range(TRIES):
            try:
                return tool(*arguments, **named)
            except RateLimited as problem:
                sentence = problem.sentence
                time.sleep(min(LONGEST_WAIT, problem.retry_after_ms / 1000))
            except EnfiladeError as problem:
                raise failure(problem.sentence) from None
            except requests.RequestException:
                raise failure(localize("cli.mcp_unreachable")) from None
        raise failure(sentence)

    return ask


class Tools:
    """The tools; their docstrings are what the assistant reads about them."""

    def __init__(self, table: Client) -> None:
        self._table = table

    def facts(self) -> dict[str, Any]:
        """Name all tokens with their places, facings, hit points and conditions, and whose turn it is."""
        return self._table.facts()

    def distances(self, token: str) -> dict[str, Any]:
        """Say what a token of this seat sees, and how far each other token is, by the rules."""
        return {"sight": self._table.facts(token)["sight"]}

    def reach(self, token: str) -> dict[str, Any]:
        """List the cells [column, row, cost] that a token can move to now, and what the way provokes."""
        return {"reach": self._table.overlay(token, ["reach"])["reach"]}

    def verdict(self, token: str, target: str) -> dict[str, Any]:
        """Say whether a token sees another and why not, its cover, the distance, and the odds of each act."""
        return self._table.verdict(token, target)

    def odds(self, token: str) -> dict[str, Any]:
        """List the acts of a token at each target: legal or why not, modifiers, exact chances [n, of m]."""
        return {"acts": self._table.overlay(token, ["targets"])["targets"]}

    def threat(self, token: str) -> dict[str, Any]:
        """List the cells that enemies of a token can attack now, and after a move, as [row, first, last]."""
        return {"areas": self._table.overlay(token, ["threat"])["areas"]}

    def decision_map(self, token: str, at: list[int] | None = None) -> dict[str, Any]:
        """Say where a token should go: expected damage dealt and taken at each cell, and ranked advice.

        With `at` ([column, row]) all about one cell, for each facing.
        """
        place = None if at is None else (at[0], at[1])
        found = self._table.decisions(token, place)
        return found if place else {key: found[key] for key in ("is_next_turn", "here", "advice", "cells")}

    def focus_fire(self, target: str, attackers: list[str]) -> dict[str, Any]:
        """Say how likely attackers in order bring a target down, what is left over, and the best order."""
        return self._table.focus(target, attackers)

    def forecast(self, continuations: int = 200) -> dict[str, Any]:
        """Say how the battle goes on if both sides play plainly: chances to win, rounds left, who falls.

        It plays up to 1,000 continuations with dice; that takes seconds to minutes.
        """
        return self._table.forecast(max(1, min(continuations, 1_000)))

    def log(self, entries: int = 20) -> dict[str, Any]:
        """Read the last entries of the battle's log, up to 200."""
        return {"log": self._table.facts(log=entries)["log"]}


NAMES = (
    "facts",
    "distances",
    "reach",
    "verdict",
    "odds",
    "threat",
    "decision_map",
    "focus_fire",
    "forecast",
    "log",
)
"""The tools in the order of the list."""

COMMANDS = (mcp,)
