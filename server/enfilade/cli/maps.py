"""Shell commands that write scene files: from a map, or a list of what it gives; from demo battles."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from enfilade.cli.output import json_option, print_result, read_bytes, report_errors, write_file
from enfilade.cli.scene import write_scene
from enfilade.errors import BadFile, EnfiladeError
from enfilade.i18n import localize
from enfilade.importers import Imported, SceneFile, SeveralScenes, read_map, without_cells
from enfilade.importers.demo import BATTLES, demo_battle
from enfilade.play.setup import prepare_scene
from enfilade.rules.registry import find_ruleset, load_rulesets
from enfilade.rulesets import BUILT_IN


@click.command("import")
@click.argument("map_files", metavar="MAP...", type=click.Path(path_type=Path), nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path), help="The scene file; without it, print the scene.")
@click.option("--ruleset", default="coup_de_grace", help="The ruleset of the scene.")
@click.option("--gridless", is_flag=True, help="Use a squared map without its cells.")
@click.option("--scene", default="", help="The scene of a compendium, an adventure or a list, by its name.")
@click.option("--level", default="", help="The level of a scene of Foundry 14, by its name.")
@click.option(
    "--check", is_flag=True, help="Write nothing; show what each file gives. Status 1 if one is refused."
)
@json_option
@report_errors
def import_map(
    map_files: tuple[Path, ...],
    out: Path | None,
    ruleset: str,
    gridless: bool,
    scene: str,
    level: str,
    check: bool,
    as_json: bool,
) -> None:
    """Turn a Universal VTT map or a Foundry scene into a scene file, with its picture beside it."""
    if check:
        maps = [one for file in map_files for one in check_file(file, ruleset, scene, level)]
        print_result(check_as_data(maps), check_as_text(maps), as_json)
        sys.exit(int(any(one.error for one in maps)))
    if len(map_files) > 1:
        raise BadFile(localize("cli.one_map"))
    map_file = map_files[0]
    imported = read_map(read_bytes(map_file), map_file.name, ruleset=ruleset, scene=scene, level=level)
    if isinstance(imported, SceneFile):
        raise BadFile(localize("cli.already_a_scene", file=map_file.name))
    imported = without_cells(imported) if gridless else imported
    if out is None:
        click.echo(json.dumps(msgspec.to_builtins(imported.scene), indent=2, ensure_ascii=False))
    else:
        write_scene(out, imported.scene)
    picture_notes = [_save_picture(imported, out)] if imported.image else []
    for note in (*imported.notes, *picture_notes):
        click.echo(note, err=True)


def _save_picture(imported: Imported, out: Path | None) -> str:
    """Save the picture of a map beside its scene file; return a note about it."""
    kind = imported.image_type.removeprefix("image/")
    if out is None:
        return localize("import.picture_left_out", kind=kind.upper())
    file = out.with_suffix("." + {"jpeg": "jpg"}.get(kind, kind))
    write_file(file, imported.image or b"")
    return localize("import.picture_saved", file=file)


@click.command("demo")
@click.argument("ruleset", type=click.Choice(sorted(BATTLES)))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The scene file.")
@report_errors
def write_demo(ruleset: str, out: Path) -> None:
    """Write the ready-made battle of a game as a scene file, for the other commands."""
    game = find_ruleset(load_rulesets(BUILT_IN), ruleset)
    scene = prepare_scene(game, demo_battle(game).scene)
    write_scene(out, scene)
    tokens = ", ".join(token.id for token in scene.tokens)
    click.echo(localize("cli.demo_written", file=out, title=scene.name, tokens=tokens))


COMMANDS = (import_map, write_demo)


class CheckedMap(msgspec.Struct, frozen=True):
    """A map of a file, as the importer reads it; with an `error` it is refused.

    `board` is its size and kind, such as "11 x 6 square". `notes` are the importer's remarks.
    """

    file: str
    scene: str = ""
    kind: str = ""
    board: str = ""
    walls: int = 0
    doors: int = 0
    tokens: int = 0
    terrain: int = 0
    picture: bool = False
    notes: tuple[str, ...] = ()
    error: str = ""


def check_file(file: Path, ruleset: str, scene: str = "", level: str = "") -> Iterator[CheckedMap]:
    """Yield the maps of a file: one, or each of its scenes if it has several and none is named."""
    try:
        data = read_bytes(file)
        found = read_map(data, file.name, ruleset=ruleset, scene=scene, level=level)
    except SeveralScenes as several:
        for entry in several.scenes:
            yield from check_file(file, ruleset, entry.name, level)
    except EnfiladeError as problem:
        yield CheckedMap(str(file), scene, error=problem.sentence)
    else:
        yield _checked(str(file), scene, found)


def _checked(file: str, scene: str, found: Imported | SceneFile) -> CheckedMap:
    if not isinstance(found, Imported):
        return CheckedMap(file, scene, kind=found.kind)
    walls, grid = found.scene.walls, found.scene.grid
    doors = sum(wall.door != "none" for wall in walls)
    return CheckedMap(
        file=file,
        scene=scene,
        kind=found.kind,
        board=f"{grid.columns} x {grid.rows} {grid.kind}",
        walls=len(walls) - doors,
        doors=doors,
        tokens=len(found.scene.tokens),
        terrain=len(found.scene.terrain),
        picture=found.image is not None,
        notes=found.notes,
    )


def check_as_data(maps: list[CheckedMap]) -> dict[str, Any]:
    """Return checked maps as plain data, with the number of those that are refused."""
    return {"refused": sum(bool(one.error) for one in maps), "maps": msgspec.to_builtins(maps)}


def check_as_text(maps: list[CheckedMap]) -> str:
    """Return checked maps as a table, each with its remarks or its error below it."""
    heads = [localize(text) for text in _COLUMNS.values()]
    rows = [heads, *([_name(one), *(str(getattr(one, key)) for key in list(_COLUMNS)[1:])] for one in maps)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    lines: list[str] = []
    for row, one in zip(rows, [None, *maps], strict=True):
        lines.append("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
        if one is not None:
            error = [localize("cli.check_refused", why=one.error)] if one.error else []
            lines += [f"    {sentence}" for sentence in (*error, *one.notes)]
    refused = sum(bool(one.error) for one in maps)
    return "\n".join([*lines, localize("cli.check_sum", count=len(maps), refused=refused)])


_COLUMNS = {
    "file": "cli.check_file",
    "board": "cli.check_board",
    "walls": "cli.check_walls",
    "doors": "cli.check_doors",
    "tokens": "cli.check_tokens",
    "terrain": "cli.check_terrain",
}


def _name(one: CheckedMap) -> str:
    return f"{one.file}: {one.scene}" if one.scene else one.file
