"""The shell command `enfilade`: serve tables, import maps, and ask the rules about a scene file.

Whatever is wrong with what it is given ends with a sentence on standard error and exit status 2.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import wraps
from pathlib import Path
from typing import Any

import click
import msgspec

from enfilade.config import settings
from enfilade.errors import BadFile, BadMessage, EnfiladeError, NotFound
from enfilade.i18n import localize
from enfilade.importers import Imported, SceneFile, read_map
from enfilade.messages.commands import ActSchema
from enfilade.messages.load import checked, load_scene
from enfilade.play.log.replies import export_log
from enfilade.play.setup import prepare_scene
from enfilade.rules.coverage import counts, untested
from enfilade.rules.procedures import Act
from enfilade.rules.registry import load_rulesets, ruleset_for
from enfilade.rules.resolve import Answers, resolve
from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets import BUILT_IN
from enfilade.scene.entry import explanation_facts
from enfilade.scene.model import Scene
from enfilade.store.integrity import Finding
from enfilade.tactics.overlays import LAYERS, overlay
from enfilade.tactics.previews import OutcomeChance, act_odds, outcome_chances
from enfilade.transport.shards import Shard
from enfilade.verify import verify_lines

MOST_BYTES = 64 * 1024 * 1024

scene_argument = click.argument("scene", type=click.Path(path_type=Path))
data_option = click.option(
    "--data", type=click.Path(path_type=Path), help="The folder with the server's data."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of words.")
act_option = click.option("--act", required=True, help='The act as JSON: {"kind": "melee", "token": ...}.')


def answers_errors(command: Callable[..., None]) -> Callable[..., None]:
    """Has a command end with the error's sentence and exit status 2."""

    @wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
        except EnfiladeError as problem:
            click.echo(f"{problem.code}: {problem.sentence}", err=True)
            sys.exit(2)

    return wrapped


@click.group()
@click.version_option(package_name="enfilade")
def main() -> None:
    """The rules of miniatures battles, beside your virtual tabletop."""


@main.command()
@click.option("--host", help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), help="The port; 0 for any that is free.")
@data_option
@click.option("--open", "opens", is_flag=True, help="Open the board in a browser.")
@click.option(
    "--workers", type=click.IntRange(1, 64), help="How many processes share the tables out; usually 1."
)
@answers_errors
def serve(opens: bool, **given: Any) -> None:
    """Serve a table, and print the links that open it.

    What is not given here comes from the environment: ENFILADE_HOST, ENFILADE_PORT, ENFILADE_DATA,
    ENFILADE_WORKERS.
    """
    config = settings(**given)
    if config.workers > 1:
        from enfilade.cluster.workers import serve_together

        sys.exit(serve_together(config, opens))
    from enfilade.cluster.serve import (
        run,  # what serves is slow to import, and the other commands need none of it
    )

    run(config, opens)


@main.command(hidden=True)
@click.option("--host")
@click.option("--port", type=int)
@data_option
@click.option("--open", "opens", is_flag=True)
@click.option("--workers", type=int)
@click.option("--index", type=int)
@click.option("--front", type=int)
@answers_errors
def work(opens: bool, index: int, front: int, **given: Any) -> None:
    """One of the processes of `serve --workers`; `front` is the number of the socket it is spoken to by."""
    from enfilade.cluster.serve import run

    run(settings(**given), opens, Shard(index, given["workers"]), front)


@main.command("import")
@click.argument("map_file", metavar="MAP", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Where the scene goes; else it is printed.")
@click.option("--ruleset", default="coup_de_grace", help="The rules the scene is to be played by.")
@answers_errors
def import_map(map_file: Path, out: Path | None, ruleset: str) -> None:
    """Turn a Universal VTT map or a Foundry scene into a scene file, with its picture beside it."""
    found = read_map(_bytes_of(map_file), map_file.name, ruleset=ruleset)
    if isinstance(found, SceneFile):
        raise BadFile(f"{map_file.name} is a scene file already.")
    text = json.dumps(msgspec.to_builtins(found.scene), indent=2, ensure_ascii=False)
    if out is None:
        click.echo(text)
    else:
        _write(out, text + "\n")
    picture_notes = [_save_picture(found, out)] if found.image else []
    for note in (*found.notes, *picture_notes):
        click.echo(note, err=True)


def _save_picture(found: Imported, out: Path | None) -> str:
    """Save the picture of a map beside its scene file; return a note about it."""
    kind = found.image_type.removeprefix("image/")
    if out is None:
        return localize("import.picture_left_out", kind=kind.upper())
    file = out.with_suffix("." + {"jpeg": "jpg"}.get(kind, kind))
    _write(file, found.image or b"")
    return localize("import.picture_saved", file=file)


@main.command("overlay")
@scene_argument
@click.option("--token", required=True, help="The id of the token.")
@click.option("--layers", help=f"Only these, with commas between: {', '.join(LAYERS)}.")
@json_option
@answers_errors
def show_overlay(scene: Path, token: str, layers: str | None, as_json: bool) -> None:
    """Where a token may go, what it sees, and whom it can hit."""
    ruleset, board = _read_scene(scene)
    wanted = layers.split(",") if layers else None
    unknown = set(wanted or ()) - set(LAYERS)
    if unknown:
        raise BadMessage({"layers": [f"There is no layer {', '.join(sorted(unknown))}."]})
    found = msgspec.to_builtins(overlay(ruleset, board, token, 0, wanted))
    _say(found, _overlay_in_words(found), as_json)


@main.command("odds")
@scene_argument
@act_option
@json_option
@answers_errors
def show_odds(scene: Path, act: str, as_json: bool) -> None:
    """The exact chance of everything an act may come to."""
    ruleset, board = _read_scene(scene)
    found = act_odds(ruleset, board, _read_act(act))
    chances = outcome_chances(found)
    lines = [_chance_in_words(c) for c in chances]
    answer = {
        "exact": found.is_exact,
        "chance": found.chance(*ruleset.successes).as_integer_ratio(),
        "outcomes": msgspec.to_builtins(chances),
        **explanation_facts(found.declared),
    }
    _say(answer, "\n".join(lines if found.is_exact else ["(sampled)", *lines]), as_json)


@main.command("resolve")
@scene_argument
@act_option
@click.option("--faces", default="", help="The faces that fell, with commas between.")
@click.option("--answers", default="[]", help='Answers to choices, as JSON: ["yes"]; then the defaults.')
@json_option
@answers_errors
def resolve_act(scene: Path, act: str, faces: str, answers: str, as_json: bool) -> None:
    """Resolves an act with given dice, and says everything that happens."""
    ruleset, board = _read_scene(scene)
    asked = _read_act(act)
    if asked.kind not in ruleset.procedures:
        raise BadMessage({"act.kind": [f"{ruleset.title} has no act '{asked.kind}'."]})
    given = Answers(_read_faces(faces), _read_answers(answers))
    done = resolve(board, ruleset.procedures[asked.kind], (asked,), given)
    text = ruleset.narrate(board, done.events)
    answer = {
        "outcome": done.result,
        "text": text,
        "facts": explanation_facts(done.events),
        "events": done.events,
        "scene": done.scene,
    }
    _say(msgspec.to_builtins(answer), text, as_json)


@main.command("check")
@click.argument("data", required=False, type=click.Path(path_type=Path))
@answers_errors
def check_store(data: Path | None) -> None:
    """Checks every log entry of every table in DATA; exit status 1 where one is not what was written.

    Changes nothing, and a server may go on meanwhile. The environment may name another store: ENFILADE_STORE.
    """
    from enfilade.store import maintenance  # SQLAlchemy is slow to import

    findings = maintenance.check(settings(data=data).store_url)
    _say_findings(findings)
    sys.exit(1 if any(finding.wrong for finding in findings) else 0)


@main.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@data_option
@answers_errors
def back_up(file: Path, data: Path | None) -> None:
    """Copies all tables to one FILE, while the server goes on, and checks the copy."""
    from enfilade.store import maintenance

    _say_findings(maintenance.backup(settings(data=data).store_url, file))


@main.command("restore")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@data_option
@answers_errors
def restore(file: Path | None, data: Path | None) -> None:
    """Puts a backup in the place of all tables; the server must not run. What was there is kept.

    Without FILE nothing is replaced: it only tells everybody that PostgreSQL was restored by its own tools.
    """
    from enfilade.store import maintenance

    url = settings(data=data).store_url
    if file is None:
        click.echo(f"Epoch {maintenance.begin_epoch(url)} begins.")
        return
    done = maintenance.restore(url, file)
    _say_findings(done.findings)
    click.echo(f"Epoch {done.epoch} begins." + (f" Before: {done.before}" if done.before else ""))


@main.command("export")
@data_option
@click.option("--table", required=True, help="The id of the table, as in its link.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Where the log goes.")
@answers_errors
def export_table(data: Path | None, table: str, out: Path) -> None:
    """Writes a table's whole log to a file, for `enfilade verify`; the server may be running."""
    from enfilade.store.sql.tables import SqlStore  # slow to import, and the other commands need none of it

    where = settings(data=data)
    if not (where.store or where.store_file.is_file()):
        raise BadFile(f"{where.data} is not the data folder of a server.")
    store = SqlStore(where.store_url, migrates=False)
    if store.load(table) is None:
        raise NotFound(f"There is no table '{table}' here.")
    try:
        with out.open("w", encoding="utf-8", newline="") as file:
            file.writelines(export_log(store, table))
    except OSError as problem:
        raise BadFile(f"{out} cannot be written: {problem.strerror}.") from None


@main.command("verify")
@click.argument("log", type=click.Path(path_type=Path))
@json_option
@answers_errors
def verify_log(log: Path, as_json: bool) -> None:
    """Checks every die of an exported log; exit status 1 where it does not hold."""
    try:
        with log.open("rb") as lines:
            report = verify_lines(lines)
    except OSError as problem:
        raise BadFile(f"{log.name} cannot be read: {problem.strerror}.") from None
    _say(asdict(report), report.in_words(), as_json)
    sys.exit(0 if report.holds else 1)


@main.command("rules")
@json_option
def show_rules(as_json: bool) -> None:
    """How many rules each ruleset has in its catalogue, and how many a passing test names."""
    found, missing = counts(), untested()
    lines = [f"{key}: {count['tested']} of {count['rules']} rules tested" for key, count in found.items()]
    lines += [f"{key}: not tested: {', '.join(rules)}" for key, rules in missing.items()]
    _say(found, "\n".join(lines), as_json)


def _say_findings(findings: Sequence[Finding]) -> None:
    wrong = [finding.wrong for finding in findings if finding.wrong]
    for sentence in wrong:
        click.echo(sentence, err=True)
    entries = sum(finding.entries for finding in findings)
    click.echo(
        f"{len(findings)} tables, {entries} entries: " + (f"{len(wrong)} damaged" if wrong else "whole")
    )


def _read_scene(path: Path) -> tuple[Ruleset, Scene]:
    scene = load_scene(_read_json(path.name, _bytes_of(path)))
    ruleset = ruleset_for(load_rulesets(BUILT_IN), scene)
    return ruleset, prepare_scene(ruleset, scene)


def _bytes_of(path: Path) -> bytes:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadFile(f"{path.name} is larger than 64 MiB.")
        return path.read_bytes()
    except OSError as problem:
        raise BadFile(f"{path.name} cannot be read: {problem.strerror}.") from None


def _write(path: Path, content: str | bytes) -> None:
    try:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as problem:
        raise BadFile(f"{path} cannot be written: {problem.strerror}.") from None


def _read_json(name: str, data: bytes | str) -> Any:
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as problem:
        raise BadFile(f"{name} is not JSON: {problem}") from None


def _read_act(text: str) -> Act:
    return msgspec.convert(checked(ActSchema(), _read_json("the act", text), "act."), Act)


def _read_faces(text: str) -> list[int | str]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not all(len(word) <= 20 for word in words):
        raise BadMessage({"faces": ["Faces with commas between: numbers like 6,3, or names like S,C,-."]})
    return [int(word) if word.isdecimal() else word for word in words]


def _read_answers(text: str) -> list[str]:
    answers = _read_json("the answers", text)
    if not isinstance(answers, list) or not all(isinstance(answer, str) for answer in answers):
        raise BadMessage({"answers": ['A list of words, like ["yes"].']})
    return answers


def _chance_in_words(found: OutcomeChance) -> str:
    top, bottom = found.chance
    return f"{top / bottom:7.2%}  {top}/{bottom}  {found.outcome}"


def _say(answer: Any, words: str, as_json: bool) -> None:
    click.echo(json.dumps(answer, indent=2, ensure_ascii=False) if as_json else words)


def _overlay_in_words(found: dict[str, Any]) -> str:
    lines = [f"{line['label']}: {line['value']} {line['note']}".rstrip() for line in found["card"]]
    if found["reach"]:
        lines.append(f"Reach: {len(found['reach']['cells'])} cells within {found['reach']['budget']} points")
    for area in found["areas"]:
        count = sum(last - first + 1 for _, first, last in area["runs"])
        lines.append(f"{area['label']}: {count} cells")
    lines += [_target_in_words(target) for target in found["targets"]]
    return "\n".join(lines)


def _target_in_words(target: dict[str, Any]) -> str:
    whom = f" at {target['target']}" if target["target"] else ""
    if not target["legal"]:
        return f"{target['label']}{whom}: {target['why']}"
    if not target["target"]:
        return f"{target['label']}: possible"
    added = "".join(f", {m['value']:+d} {m['reason']}" for m in target["modifiers"])
    top, bottom = target["chance"]
    return f"{target['label']}{whom}: {top / bottom:.1%} ({top}/{bottom}), needs {target['needed']}{added}"
