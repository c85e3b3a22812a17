"""The shell command `enfilade rules-diff`: a recorded battle under other house rules.

The server runs the same command in a process of its own for the board.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from enfilade.analysis.rules_diff import RulesDiff, first_scene, rules_diff
from enfilade.cli.output import json_option, print_result, report_errors
from enfilade.errors import BadFile, BadInput
from enfilade.i18n import localize
from enfilade.messages import dump
from enfilade.messages.load import load_scene
from enfilade.rules.house_rules import TABLE_RULES, Setting
from enfilade.rules.registry import load_rulesets, ruleset_for
from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets import BUILT_IN
from enfilade.scene.entry import Entry
from enfilade.scene.model import Scene

MAX_LINE = 32 * 1024 * 1024
"""The longest line of a log: a whole scene of the largest board takes a few megabytes."""

PROGRESS_EVERY = 20
"""The number of entries between two lines of progress."""

MEMORY_BYTES = 2 * 1024**3
"""The most memory of the process with --worker."""


_KINDS = {
    "changed": "cli.rules_diff_kind_changed",
    "refused": "cli.rules_diff_kind_refused",
    "unanswered": "cli.rules_diff_kind_unanswered",
    "unrepeatable": "cli.rules_diff_kind_unrepeatable",
}
"""The texts of the kinds of changed verdicts."""


@click.command("rules-diff")
@click.argument("log", type=click.File("r", encoding="utf-8"))
@click.option("--set", "settings", multiple=True, help="A house rule, like KEY=VALUE; may be repeated.")
@click.option("--scene", type=click.Path(path_type=Path), help="The scene before the first entry of the log.")
@click.option("--worker", is_flag=True, hidden=True, help="Report progress, and limit the memory.")
@json_option
@report_errors
def show_rules_diff(
    log: Any, settings: Sequence[str], scene: Path | None, worker: bool, as_json: bool
) -> None:
    """Run the battle in a saved LOG again under other house rules; list each verdict that changes.

    LOG is the file that the log panel exports, or - for standard input. The recorded dice answer the same
    rolls; where they do not, the list says so.
    """
    if worker:
        _limit_memory()
    start, entries = read_battle(log)
    if scene is not None:
        start = load_scene(json.loads(scene.read_text("utf-8")))
    if start is None:
        start, entries = first_scene(entries)
    rulesets = load_rulesets(BUILT_IN)
    chosen = read_settings(ruleset_for(rulesets, start), settings)
    progress = _report(len(entries)) if worker else _say_nothing
    found = rules_diff(rulesets, start, entries, chosen, progress)
    if worker:
        click.echo(msgspec.json.encode({"result": found}).decode())
        return
    print_result(dump.plain(found), in_words(found), as_json)


def read_battle(lines: Iterable[str]) -> tuple[Scene | None, Sequence[Entry]]:
    """Return the scene of a battle's first line, if it has one, and the entries. Raises BadFile."""
    start: Scene | None = None
    entries: list[Entry] = []
    try:
        for line in lines:
            if len(line) > MAX_LINE:
                raise BadFile(localize("play.no_first_scene"))
            text = line.strip()
            value = json.loads(text if text.startswith("{") else text.partition(" ")[2])
            if "scene" in value and "seq" not in value:
                start = msgspec.convert(value["scene"], Scene)
            elif "seq" in value:
                entries.append(msgspec.convert(value, Entry))
    except (ValueError, TypeError, AttributeError) as problem:
        raise BadFile(localize("cli.not_a_log", reason=problem)) from None
    return start, entries


def read_settings(ruleset: Ruleset, texts: Sequence[str]) -> Mapping[str, Setting]:
    """Return the settings of KEY=VALUE texts; a value is one of the rule's options. Raises BadInput.

    What is no option stays a text, which the check of settings refuses.
    """
    known = {rule.key: rule.options for rule in (*ruleset.house_rules, *TABLE_RULES)}
    chosen: dict[str, Setting] = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign:
            raise BadInput(localize("cli.rules_diff_setting", text=text))
        options = known.get(key, ())
        chosen[key] = next((one for one in options if str(one).lower() == value.lower()), value)
    return chosen


def in_words(found: RulesDiff) -> str:
    """Return a diff as lines for people."""
    counts = {"acts": found.acts, "entries": found.entries, "same": found.same}
    lines = [localize("cli.rules_diff_summary", **counts)]
    for one in found.verdicts:
        kind = localize(_KINDS[one.kind])
        follows = "" if one.is_direct else localize("cli.rules_diff_follows")
        now = f"{one.now} ({one.rule})" if one.rule else one.now
        values = {"seq": one.seq, "kind": kind, "follows": follows, "was": one.was, "now": now}
        lines.append(localize("cli.rules_diff_line", **values))
    return "\n".join(lines)


def _say_nothing(done: int) -> None:
    """Report no progress."""


def _report(of: int) -> Any:
    def report(done: int) -> None:
        if done % PROGRESS_EVERY == 0:
            sys.stdout.write(json.dumps({"done": done, "of": of}) + "\n")
            sys.stdout.flush()

    return report


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:
        return  # not on Windows
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


COMMANDS = (show_rules_diff,)
