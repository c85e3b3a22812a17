"""Shell commands that write scene files: from a map, and from the ready-made battle of a game."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
import msgspec

from enfilade.cli.import_check import check_as_data, check_as_text, check_file
from enfilade.cli.output import json_option, print_result, read_bytes, report_errors, write_file
from enfilade.cli.scene import write_scene
from enfilade.errors import BadFile
from enfilade.i18n import localize
from enfilade.importers import Imported, SceneFile, read_map, without_cells
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
