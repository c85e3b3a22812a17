"""Pages that MkDocs makes of files outside docs/: the start page, the changes, and the contract.

The links of a page name files of the repository, so that they work in a checkout too. They become links of
the site here.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
SCHEMAS = ROOT / "schemas"
EXAMPLES = ROOT / "examples"
PAGES = {"README.md": "index.md", "CHANGELOG.md": "changes.md", "CONTRIBUTING.md": "contributing.md"}
"""The files at the top of the repository, and the page that each becomes."""

LISTED = ("schemas", "schemas/examples", "schemas/http", "schemas/profiles")
"""The folders that pages link to, which get a page that lists their files."""

LOOKS = {
    "enfilade.css": ROOT / "docs" / "site" / "enfilade.css",
    "mark.svg": ROOT / "plugin_manifest" / "owlbear" / "icon.svg",
    "inter.woff2": ROOT / "plugin_manifest" / "vendor" / "inter.woff2",
    "alegreya.woff2": ROOT / "plugin_manifest" / "vendor" / "alegreya.woff2",
}
"""The site looks like the product: its colors, its sign and its fonts."""

_LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)\s]*)?\))")


def on_config(config: Any) -> Any:
    """List the pages of the games in the navigation, by their titles."""
    pages = sorted((ROOT / "docs" / "rulesets").glob("*.md"))
    games = [{_title(path): f"rulesets/{path.name}"} for path in pages]
    config.nav = [{"Games": games} if "Games" in part else part for part in config.nav]
    return config


def _title(path: Path) -> str:
    return path.read_text("utf-8").partition("\n")[0].removeprefix("# ")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages, and the schemas and examples that they link to."""
    for source, page in PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text("utf-8")))
    files.append(File.generated(config, "contract.md", content="\n".join(_contract())))
    files.append(File.generated(config, "http.md", content=_HTTP))
    for path in sorted(SCHEMAS.rglob("*.json")):
        name = f"schemas/{path.relative_to(SCHEMAS).as_posix()}"
        files.append(File.generated(config, name, content=path.read_text("utf-8")))
    for path in sorted(EXAMPLES.glob("*.py")):
        files.append(File.generated(config, f"examples/{path.name}", content=path.read_text("utf-8")))
    for folder in LISTED:
        files.append(File.generated(config, f"{folder}/index.md", content=_listing(Path(folder))))
    files.append(File.generated(config, "decisions/index.md", content=_decisions()))
    for name, path in LOOKS.items():
        files.append(File.generated(config, f"assets/{name}", content=path.read_bytes()))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Return a page with its links turned into links of the site."""
    place = page.file.src_uri
    source = next((name for name, made in PAGES.items() if made == place), f"docs/{place}")
    return _LINK.sub(lambda found: f"{found[1]}{_turned(found[2], source, place)}{found[3]}", markdown)


def _turned(link: str, source: str, place: str) -> str:
    """Return a link of a file of the repository as a link between two pages of the site."""
    if "://" in link or link.startswith(("/", "mailto:")):
        return link
    target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link))
    if target in PAGES:
        target = PAGES[target]
    elif target.startswith("docs/") or target == "docs":
        target = target.removeprefix("docs/")
    if target in (*LISTED, "decisions"):
        target += "/index.md"
    return posixpath.relpath(target, posixpath.dirname(place) or ".")


def _listing(folder: Path) -> str:
    """Return a page that lists the published schemas of a folder."""
    inside = SCHEMAS.parent / folder
    names = [path.relative_to(inside).as_posix() for path in sorted(inside.rglob("*.json"))]
    return "\n".join([f"# {folder.as_posix()}", "", *(f"- [{name}]({name})" for name in names)])


def _decisions() -> str:
    pages = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    titles = [f"- [{_title(path)}]({path.name})" for path in pages]
    return "\n".join(["# Design decisions", "", *titles])


_HTTP = """# HTTP routes

The routes for programs without a socket, for maps and for seats, from [openapi.json](schemas/openapi.json).
[Connect another tabletop](bridges.md) says how they belong together.

<swagger-ui src="schemas/openapi.json"/>
"""


def _contract() -> Iterator[str]:
    """Yield the page of the socket's messages, from asyncapi.json and the schemas."""
    document = json.loads((SCHEMAS / "asyncapi.json").read_text("utf-8"))
    yield "# Socket messages"
    yield ""
    yield f"{document['info']['description']} From [asyncapi.json](schemas/asyncapi.json)."
    for name, operation in document["operations"].items():
        direction = "to the server" if operation["action"] == "receive" else "from the server"
        yield f"\n## The event `{name}`, {direction}\n\n{operation['summary']}\n"
        yield from _fields(SCHEMAS / f"{name}.json")
        if "reply" in operation:
            yield "\n### Its answer\n"
            yield from _fields(SCHEMAS / "ack.json")
    for folder, title in (("commands", "Kinds of commands"), ("updates", "Kinds of updates")):
        yield f"\n## {title}"
        for path in sorted((SCHEMAS / folder).glob("*.json")):
            yield f"\n### `{path.stem}`\n\n[Schema](schemas/{folder}/{path.name})\n"
            yield from _fields(path)
            example = SCHEMAS / "examples" / folder / path.name
            if example.is_file() and len(example.read_text("utf-8")) < _MAX_EXAMPLE:
                yield f"\n```json\n{example.read_text('utf-8')}```"


_MAX_EXAMPLE = 3_000


def _fields(path: Path) -> Iterator[str]:
    """Yield a table of the fields of a schema."""
    document = json.loads(path.read_text("utf-8"))
    schema = document["$defs"][document["$ref"].rpartition("/")[2]] if "$ref" in document else document
    fields = schema.get("properties", {})
    if not fields:
        yield "No fields."
        return
    yield "| Field | Type | Required |"
    yield "| --- | --- | --- |"
    for name, field in fields.items():
        required = "yes" if name in schema.get("required", []) else ""
        yield f"| `{name}` | {_type(field)} | {required} |"


def _type(field: dict[str, Any]) -> str:
    if "$ref" in field:
        return field["$ref"].rpartition("/")[2].removesuffix("Schema")
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    kind = field.get("type", "any")
    text = " or ".join(kind) if isinstance(kind, list) else kind
    items = field.get("items")
    return f"{text} of {_type(items)}" if isinstance(items, dict) and items else text
