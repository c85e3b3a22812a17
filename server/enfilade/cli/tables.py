"""`enfilade tables` and `enfilade delete`: what the tables of a server take, and their end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import msgspec

from enfilade.cli.output import json_option, print_result, report_errors
from enfilade.errors import BadFile, Damaged, NotFound
from enfilade.i18n import localize
from enfilade.runtime.config import Config, load_config, lock_folder
from enfilade.store.backup import kept_copies

data_option = click.option("--data", type=click.Path(path_type=Path), help="The server's data folder.")


@click.command("tables")
@data_option
@json_option
@report_errors
def list_tables(data: Path | None, as_json: bool) -> None:
    """List all tables with their names, sizes and last acts; the server may be running."""
    from enfilade.store.maintenance import table_uses

    with _store(load_config(data=data)) as store:
        uses = list(table_uses(store))
    rows = [localize("cli.tables_none")] if not uses else [_row(use) for use in uses]
    print_result(msgspec.to_builtins(uses), "\n".join(rows), as_json)


@click.command("delete")
@click.argument("table")
@data_option
@click.option("--yes", is_flag=True, help="Do not ask.")
@report_errors
def delete_table(table: str, data: Path | None, yes: bool) -> None:
    """Delete a TABLE for good: its log, pictures, members and links. The server must not be running.

    While it runs, the table's GM deletes it on the board page.
    """
    config = load_config(data=data)
    with lock_folder(config.data), _store(config) as store:
        if table not in store.table_ids():
            raise NotFound(localize("cli.no_such_table", table=table))
        try:
            state = store.load(table)
            name = state.scene.name if state else ""
        except Damaged:
            name = ""
        if not yes:
            click.confirm(localize("cli.delete_ask", table=table, name=name), abort=True)
        store.delete(table)
    click.echo(localize("cli.deleted", table=table))
    copies = kept_copies(config.store_file)
    if copies:
        click.echo(localize("cli.deleted_copies", files=", ".join(path.name for path in copies)))


@contextmanager
def _store(config: Config) -> Iterator[Any]:
    """Open a store that exists. Raises BadFile, StoreDown, WrongVersion."""
    from enfilade.store.sql.tables import SqlStore

    if not (config.store or config.store_file.is_file()):
        raise BadFile(localize("cli.not_a_data_folder", folder=config.data))
    store = SqlStore(config.store_url, migrates=False)
    try:
        yield store
    finally:
        store.close()


def _row(use: Any) -> str:
    size = f"{use.size.bytes / 2**20:.1f} MiB"
    if use.wrong:
        return localize("cli.tables_damaged", table=use.size.table, size=size, problem=use.wrong)
    last = localize("cli.tables_never")
    if use.last_ms is not None:
        last = f"{datetime.fromtimestamp(use.last_ms / 1000, UTC):%Y-%m-%d}"
    return localize(
        "cli.tables_row",
        table=use.size.table,
        size=size,
        entries=use.size.entries,
        last=last,
        ruleset=use.ruleset,
        name=use.name,
    )


COMMANDS = (list_tables, delete_table)
