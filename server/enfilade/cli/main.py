"""The shell command `enfilade`: serve tables, and find the command that was asked for.

Each other command is imported when it is called. A process that serves, or that only starts those that do,
then holds nothing in memory that it has no use for.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import click

from enfilade.cli.broken_store import naming_backups
from enfilade.cli.output import data_option, report_errors
from enfilade.errors import BadInput
from enfilade.i18n import localize
from enfilade.runtime.config import load_config, lock_folder

MODULES = {
    "backup": "store",
    "check": "store",
    "delete": "tables",
    "demo": "maps",
    "deploy": "deploy",
    "doctor": "doctor",
    "export": "store",
    "import": "maps",
    "mcp": "mcp",
    "new-ruleset": "ruleset",
    "odds": "scene",
    "overlay": "scene",
    "resolve": "scene",
    "restore": "store",
    "rules": "scene",
    "rules-diff": "analysis",
    "tables": "tables",
    "verify": "store",
}
"""The module in this folder that has a command."""


class Commands(click.Group):
    """A group whose commands are imported when they are called or listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        del ctx
        return sorted({*self.commands, *MODULES})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; None if there is none of that name."""
        if cmd_name in MODULES and cmd_name not in self.commands:
            for command in import_module(f"enfilade.cli.{MODULES[cmd_name]}").COMMANDS:
                self.add_command(command)
        return super().get_command(ctx, cmd_name)


@click.group(cls=Commands)
@click.version_option(package_name="enfilade")
def main() -> None:
    """Rules of miniatures battles beside your virtual tabletop."""


@main.command()
@click.option("--host", help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), help="The port; 0 for any free one.")
@data_option
@click.option("--open", "opens", is_flag=True, help="Open the board in a browser.")
@click.option("--workers", type=click.IntRange(1, 64), help="The number of processes; 1 by default.")
@click.option(
    "--strict",
    is_flag=True,
    default=None,
    help="Do not start if a ruleset of another package cannot be used.",
)
@report_errors
def serve(opens: bool, **options: Any) -> None:
    """Serve tables, and print the links that open the demo tables.

    Options that are not given come from the environment: ENFILADE_HOST, ENFILADE_PORT, ENFILADE_DATA,
    ENFILADE_WORKERS, ENFILADE_STRICT.
    """
    config = load_config(**options)
    if config.process and config.workers > 1:
        raise BadInput(localize("cli.process_alone"))
    with lock_folder(config.data), naming_backups(config):
        if config.workers == 1:
            from enfilade.cluster.serve import run

            run(config, opens)
            return
        from enfilade.cluster.workers import serve_with_workers

        sys.exit(serve_with_workers(config, opens))


@main.command(hidden=True)
@click.option("--host")
@click.option("--port", type=int)
@data_option
@click.option("--open", "opens", is_flag=True)
@click.option("--workers", type=int)
@click.option("--strict", is_flag=True, default=None)
@click.option("--index", type=int)
@click.option("--dispatcher-fd", type=int)
@report_errors
def work(opens: bool, index: int, dispatcher_fd: int, **options: Any) -> None:
    """Run one of the processes of `serve --workers`; the dispatcher's socket is a file descriptor."""
    from enfilade.cluster.serve import run
    from enfilade.transport.shards import Shard

    config = load_config(**options)
    with naming_backups(config):
        run(config, opens, Shard(index, options["workers"]), dispatcher_fd)
