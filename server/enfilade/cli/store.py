"""The shell commands that look after a server's store: check, back up, restore, export a log and verify it.

SQLAlchemy is slow to import, so the commands that need it import it themselves.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import click

from enfilade.cli.broken_store import naming_backups, note_backup
from enfilade.cli.output import data_option, json_option, print_result, report_errors
from enfilade.cli.verify import verify_lines
from enfilade.errors import BadFile, NotFound
from enfilade.i18n import localize
from enfilade.play.log import export_log
from enfilade.runtime.config import load_config, lock_folder
from enfilade.store.integrity import Finding


@click.command("check")
@click.argument("data", required=False, type=click.Path(path_type=Path))
@report_errors
def check_store(data: Path | None) -> None:
    """Check every log entry of every table in DATA; exit status 1 if any is damaged.

    The check changes nothing, and the server may be running. ENFILADE_STORE may name another store.
    """
    from enfilade.store import maintenance

    config = load_config(data=data)
    with naming_backups(config):
        findings = maintenance.check(config.store_url)
    _print_findings(findings)
    sys.exit(1 if any(finding.wrong for finding in findings) else 0)


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@data_option
@report_errors
def backup(file: Path, data: Path | None) -> None:
    """Copy all tables to one FILE while the server runs, and check the copy."""
    from enfilade.store import maintenance

    config = load_config(data=data)
    with naming_backups(config):
        findings = maintenance.backup(config.store_url, file)
    _print_findings(findings)
    if not any(finding.wrong for finding in findings):
        note_backup(config, file)


@click.command("restore")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@data_option
@report_errors
def restore(file: Path | None, data: Path | None) -> None:
    """Replace all tables by a backup; the server must not be running. The old tables are kept in a file.

    Without FILE nothing is replaced. Use that after you restored PostgreSQL with its own tools: clients then
    drop what they remember.
    """
    from enfilade.store import maintenance

    config = load_config(data=data)
    with lock_folder(config.data):
        if file is None:
            click.echo(localize("cli.new_epoch", epoch=maintenance.begin_epoch(config.store_url)))
            return
        restored = maintenance.restore(config.store_url, file)
    _print_findings(restored.findings)
    before = " " + localize("cli.kept_before", file=restored.before) if restored.before else ""
    click.echo(localize("cli.new_epoch", epoch=restored.epoch) + before)


@click.command("export")
@data_option
@click.option("--table", required=True, help="The ID of the table, as in its link.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The log file.")
@report_errors
def export_table(data: Path | None, table: str, out: Path) -> None:
    """Write a table's whole log to a file, for `enfilade verify`; the server may be running."""
    from enfilade.store.sql.tables import SqlStore

    config = load_config(data=data)
    if not (config.store or config.store_file.is_file()):
        raise BadFile(localize("cli.not_a_data_folder", folder=config.data))
    with closing(SqlStore(config.store_url, migrates=False)) as store:
        if store.load(table) is None:
            raise NotFound(localize("cli.no_such_table", table=table))
        try:
            with out.open("w", encoding="utf-8", newline="") as file:
                file.writelines(export_log(store, table))
        except OSError as problem:
            raise BadFile(localize("cli.cannot_write", file=out, reason=problem.strerror)) from None


@click.command("verify")
@click.argument("log", type=click.Path(path_type=Path))
@json_option
@report_errors
def verify_log(log: Path, as_json: bool) -> None:
    """Verify every die of an exported log; exit status 1 if one is wrong."""
    try:
        with log.open("rb") as lines:
            report = verify_lines(lines)
    except OSError as problem:
        raise BadFile(localize("cli.cannot_read", file=log.name, reason=problem.strerror)) from None
    print_result(asdict(report), report.in_words(), as_json)
    sys.exit(0 if report.holds else 1)


def _print_findings(findings: Sequence[Finding]) -> None:
    damages = [finding.wrong for finding in findings if finding.wrong]
    for sentence in damages:
        click.echo(sentence, err=True)
    tables = localize("cli.tables", count=len(findings))
    entries = localize("cli.entries", count=sum(finding.entries for finding in findings))
    state = localize("cli.damaged", count=len(damages)) if damages else localize("cli.intact")
    click.echo(f"{tables}, {entries}: {state}")


COMMANDS = (check_store, backup, restore, export_table, verify_log)
