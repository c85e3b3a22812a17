"""A broken database in words: what is broken, where the newest good backup lies, what restores it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from enfilade.errors import BadFile, EnfiladeError, StoreBroken
from enfilade.i18n import localize
from enfilade.runtime.config import Config
from enfilade.store.backup import kept_copies

_LAST = "last-backup"
_MAX_PATH = 5_000


def note_backup(config: Config, backup: Path) -> None:
    """Note in the data folder where the last good backup lies."""
    with suppress(OSError):  # the backup is good without the note
        (config.data / _LAST).write_text(str(backup.resolve()), encoding="utf-8")


@contextmanager
def naming_backups(config: Config) -> Iterator[None]:
    """Tell an operator how to go on if the block finds the database broken. Raises BadFile then."""
    try:
        yield
    except StoreBroken as problem:
        cause = getattr(problem.__cause__, "orig", None) or problem.__cause__
        reason = str(cause or problem.sentence).splitlines()[0].rstrip(".")
        broken = localize("cli.broken", file=config.store_file, reason=reason)
        raise BadFile(f"{broken} {_way_back(config)}") from None


def _way_back(config: Config) -> str:
    for backup in _known_backups(config):
        try:
            if _is_good(backup):
                day = datetime.fromtimestamp(backup.stat().st_mtime, UTC)
                return localize("cli.broken_restore", backup=backup, day=f"{day:%Y-%m-%d}", data=config.data)
        except (OSError, EnfiladeError):
            continue
    return localize("cli.broken_no_backup", data=config.data)


def _is_good(backup: Path) -> bool:
    from enfilade.store import maintenance

    return not any(finding.wrong for finding in maintenance.check_copy(backup))


def _known_backups(config: Config) -> list[Path]:
    """Return the backups that are known here, the newest first: the last one, and copies by upgrades."""
    found = kept_copies(config.store_file)
    with suppress(OSError, UnicodeDecodeError), (config.data / _LAST).open(encoding="utf-8") as note:
        found.append(Path(note.read(_MAX_PATH).strip()))
    return sorted((path for path in found if path.is_file()), key=os.path.getmtime, reverse=True)
