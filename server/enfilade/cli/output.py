"""The things that all shell commands do alike: errors as sentences, results as text or JSON, and files.

Nothing of the rules is imported here: a process that only starts those that serve has no use for them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from enfilade.errors import BadFile, BadMessage, EnfiladeError, IllegalAct
from enfilade.i18n import localize

MAX_FILE_BYTES = 64 * 1024 * 1024

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
data_option = click.option("--data", type=click.Path(path_type=Path), help="The server's data folder.")


class ErrorWithMore:
    """An error that has further facts for JSON, and the same as lines of text."""

    more_facts: dict[str, Any]
    more_text: str


def report_errors(command: Callable[..., None]) -> Callable[..., None]:
    """Decorate a command: an EnfiladeError prints its sentence and ends with exit status 2.

    With --json it is printed as JSON on standard output.
    """

    @wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
        except EnfiladeError as problem:
            if kwargs.get("as_json"):
                print_result({"error": _error_facts(problem)}, "", as_json=True)
            else:
                click.echo(f"{problem.code}: {problem.sentence}", err=True)
                if isinstance(problem, ErrorWithMore):
                    click.echo(problem.more_text, err=True)
            sys.exit(2)

    return wrapped


def _error_facts(problem: EnfiladeError) -> dict[str, Any]:
    """Return an error as JSON: its code and sentence, and its rule, wrong fields or further facts."""
    facts: dict[str, Any] = {"code": problem.code, "sentence": problem.sentence}
    if isinstance(problem, IllegalAct):
        facts["rule"] = problem.rule
    if isinstance(problem, BadMessage):
        facts["fields"] = problem.fields
    if isinstance(problem, ErrorWithMore):
        facts |= problem.more_facts
    return facts


def print_result(result: Any, text: str, as_json: bool) -> None:
    """Print a command's result, as JSON or as text."""
    click.echo(json.dumps(result, indent=2, ensure_ascii=False) if as_json else text)


def read_bytes(path: Path) -> bytes:
    """Return a file's bytes. Raises BadFile if it cannot be read or is too large."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise BadFile(localize("cli.file_too_large", file=path.name, size=MAX_FILE_BYTES // 2**20))
        return path.read_bytes()
    except OSError as problem:
        raise BadFile(localize("cli.cannot_read", file=path.name, reason=problem.strerror)) from None


def write_file(path: Path, data: bytes) -> None:
    """Write a file. Raises BadFile if that fails."""
    try:
        path.write_bytes(data)
    except OSError as problem:
        raise BadFile(localize("cli.cannot_write", file=path, reason=problem.strerror)) from None
