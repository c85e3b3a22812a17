"""The shell command `enfilade new-ruleset`: write a package with a small ruleset and a test that conforms."""

from __future__ import annotations

import keyword
import re
import sys
from importlib import resources
from pathlib import Path
from string import Template

import click

from enfilade.cli.output import report_errors, write_file
from enfilade.errors import BadFile, BadInput
from enfilade.i18n import localize
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN

FILES = {
    "ruleset.py.txt": "{key}.py",
    "test_ruleset.py.txt": "test_{key}.py",
    "pyproject.toml.txt": "pyproject.toml",
    "README.md.txt": "README.md",
}
"""The templates, and the file that each one becomes."""

_NAME = re.compile(r"[a-z][a-z0-9]*([ _-][a-z0-9]+)*", re.I)
_MAX_NAME_LENGTH = 40


@click.command("new-ruleset")
@click.argument("name")
@click.option("--folder", type=click.Path(path_type=Path), help="The new folder; by default the name.")
@report_errors
def write_ruleset(name: str, folder: Path | None) -> None:
    """Write a package with a ruleset of four rules, to grow into a game called NAME."""
    texts = package_files(name)
    key = ruleset_key(name)
    target = folder or Path(key)
    try:
        target.mkdir(parents=True)
    except FileExistsError:
        raise BadInput(localize("cli.folder_exists", folder=target)) from None
    except OSError as problem:
        raise BadFile(localize("cli.cannot_write", file=target, reason=problem.strerror)) from None
    for file, text in texts.items():
        write_file(target / file, text.encode())
    click.echo(localize("cli.ruleset_written", folder=target, file=f"{key}.py"))


def ruleset_key(name: str) -> str:
    """Return the key of a new ruleset. Raises BadInput if the name cannot be one, or if the key is taken."""
    key = re.sub(r"[ -]", "_", name.strip().lower())
    is_name = _NAME.fullmatch(name.strip()) and len(name) <= _MAX_NAME_LENGTH
    if not is_name or keyword.iskeyword(key) or key in sys.stdlib_module_names or key == "enfilade":
        raise BadInput(localize("cli.bad_ruleset_name", name=name))
    if key in load_rulesets(BUILT_IN):
        raise BadInput(localize("cli.ruleset_exists", name=name))
    return key


def package_files(name: str) -> dict[str, str]:
    """Return the files of the package by name. Raises BadInput if the name cannot be one."""
    key = ruleset_key(name)
    values = {
        "key": key,
        "package": key.replace("_", "-"),
        "constant": key.upper(),
        "title": " ".join(word.capitalize() for word in key.split("_")),
        "prefix": re.sub(r"[^A-Z]", "", key.upper())[:3].ljust(3, "X"),
    }
    folder = resources.files("enfilade.rules.kit").joinpath("template")
    return {
        file.format(key=key): Template(folder.joinpath(template).read_text("utf-8")).substitute(values)
        for template, file in FILES.items()
    }


COMMANDS = (write_ruleset,)
