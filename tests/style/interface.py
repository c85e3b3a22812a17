"""Write docs/ruleset-interface.md: what the guide to rulesets leaves to look up, from the docstrings.

`python -m tests.style.measure --write` (`make figures`) writes it; a test compares. A fact that the page
lacks belongs into a docstring.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import enfilade

SERVER = Path(enfilade.__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "ruleset-interface.md"

HEAD = """# The ruleset interface

What a ruleset states, yields and returns, and the ready-made parts.
[Adding a ruleset](adding-a-ruleset.md) uses them. `make figures` writes this page from the docstrings.
"""

ALL = "all of it"
PARTS = {
    "kit": ALL,
    "battle/battle": "Battle BattleRules Unit known_scene",
    "battle/laws": "Ban Duty Ended Laws",
    "battle/displace": "displace Landing",
    "battle/causes": "barred ruling walled_off off_board occupied",
    "battle/memo": "per_scene per_token per_map per_profile recent large",
    "battle/search": "Search steps_to",
    "battle/spaces": "spaces_of opposite",
    "battle/corners": "Screens",
    "battle/contacts": "Contacts",
    "battle/travel": "Travel told_move",
    "battle/drawing": "around seen_areas threat_areas cover_areas tokens_in",
    "battle/lasting": "Lasting bring cease",
    "d20": "Edge edge attack_roll passes Part Defenses settled",
    "procedures": "set_track set_condition remove_token yes_or_no",
    "house_rules": "HouseRules is_on",
    "tell": "LogText narrate_steps told by either CardRow card_lines",
    "profiles": "read_profile",
    "resolve": "resolve refusal",
    "conformance": "check_conformance",
}
"""The ready-made parts that an author imports, by module of `enfilade.rules`."""

Definition = ast.ClassDef | ast.FunctionDef


@cache
def definitions(module: str) -> dict[str, Definition]:
    """The classes and functions of a module, by name; a package has those that its `__init__` imports too."""
    path = SERVER / "rules" / module
    tree = ast.parse((path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text("utf-8"))
    found = {node.name: node for node in tree.body if isinstance(node, Definition)}
    for node in tree.body if path.is_dir() else ():
        if isinstance(node, ast.ImportFrom):
            other = (node.module or "").removeprefix("enfilade.rules.").replace(".", "/")
            own = {name.name for name in node.names}
            found |= {name: one for name, one in _others(other).items() if name in own}
    return found


def _others(module: str) -> dict[str, Definition]:
    is_known = (SERVER / "rules" / f"{module}.py").is_file()
    return definitions(module) if is_known else {}


def text_of(node: Definition) -> str:
    """The docstring, without the sections of a function's errors."""
    return (ast.get_docstring(node) or "").partition("\nRaises:\n")[0]


def first_paragraph(module: str, name: str) -> str:
    """The first paragraph about a name on one line, with the signs of a table's cell escaped."""
    known = definitions(module).get(name)
    said = (text_of(known) if known else text_below(module, name)).removeprefix("Return ")
    return " ".join((said[:1].upper() + said[1:]).partition("\n\n")[0].split()).replace("|", "\\|")


def text_below(module: str, name: str) -> str:
    """The text below a constant of a module."""
    source = (SERVER / "rules" / f"{module}.py").read_text("utf-8")
    found = re.search(rf'^{name} = [^\n]*\n"""([^"]*)"""$', source, re.M)
    return found[1] if found else ""


def parameters(node: Definition) -> str:
    """The names of the fields or arguments, with their defaults."""
    if isinstance(node, ast.FunctionDef):
        pairs = [(one.arg, None) for one in node.args.args + node.args.kwonlyargs]
    else:
        fields = [one for one in node.body if isinstance(one, ast.AnnAssign)]
        pairs = [(ast.unparse(one.target), one.value) for one in fields if _is_field(one)]
    return ", ".join(name if value is None else f"{name}={ast.unparse(value)}" for name, value in pairs)


def _is_field(node: ast.AnnAssign) -> bool:
    return "ClassVar" not in ast.unparse(node.annotation)


def attributes(node: Definition) -> Iterator[str]:
    """The rows of a docstring's section of attributes; a field in italics has a default."""
    section = text_of(node).partition("Attributes:\n")[2]
    optional = {ast.unparse(one.target) for one in node.body if isinstance(one, ast.AnnAssign) and one.value}
    yield from ["| field | contents |", "|---|---|"]
    for name, said in re.findall(r"^    (\w+): (.*(?:\n     +.*)*)", section, re.M):
        shown = f"`{name}`, optional" if name in optional else f"`{name}`"
        yield f"| {shown} | {' '.join(said.split())} |"


def described(module: str, *left_out: str) -> Iterator[str]:
    """A heading and the docstring of each public class of a module."""
    for name, node in definitions(module).items():
        if isinstance(node, ast.ClassDef) and not name.startswith("_") and name not in left_out:
            yield from [f"### `{name}({parameters(node)})`", "", text_of(node), ""]


def parts() -> Iterator[str]:
    """A table of the ready-made parts for each module that has some."""
    for module, wanted in PARTS.items():
        found = definitions(module)
        names = sorted(found, key=str.lower) if wanted == ALL else wanted.split()
        yield from [f"### `enfilade.rules.{module.replace('/', '.')}`", "", "| part | gives |", "|---|---|"]
        for name in names:
            is_function = isinstance(found.get(name), ast.FunctionDef)
            shown = f"{name}({parameters(found[name])})" if is_function else name
            yield f"| `{shown}` | {first_paragraph(module, name)} |"
        yield ""


def page() -> str:
    """The page."""
    ruleset, outlook = definitions("ruleset")["Ruleset"], definitions("outlook")["Outlook"]
    lines = [HEAD, "## `Ruleset`", "", *attributes(ruleset), ""]
    lines += [
        "## Values that a ruleset states and returns",
        "",
        *described("ruleset", "Ruleset"),
        *described("values"),
    ]
    lines += ["## Requests of a procedure", "", *described("procedures", "ProcedureError")]
    lines += ["## `Outlook`, for advice", "", *attributes(outlook), ""]
    lines += ["## Ready-made parts", "", *parts()]
    return "\n".join(lines).rstrip() + "\n"


def published() -> str:
    """The page as it is."""
    return PAGE.read_text(encoding="utf-8")


def write() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")
