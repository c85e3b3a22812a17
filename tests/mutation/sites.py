"""Find the places of a module that can be mutated, and write the module with one of them changed.

A site is a comparison, an arithmetic operator, a number or boolean, an `and` or `or`, or a branch.
Annotations and docstrings hold no sites: they are not run, and the limits of fields are published as schemas.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
BRANCHES = (ast.If, ast.IfExp, ast.While)


class Site(NamedTuple):
    """One place to mutate: a file, its line, the kind, and the number of the site in the file."""

    path: Path
    line: int
    kind: str
    number: int


class Mutation(NamedTuple):
    """A change of one node of a syntax tree."""

    line: int
    kind: str
    apply: Callable[[], None]


def find_sites(path: Path) -> list[Site]:
    """Return the sites of a module, in the order of the syntax tree."""
    found = list(_mutations(ast.parse(path.read_text(encoding="utf-8"))))
    return [Site(path, mutation.line, mutation.kind, number) for number, mutation in enumerate(found)]


def mutate(site: Site) -> str:
    """Return the text of a site's module with that site changed."""
    tree = ast.parse(site.path.read_text(encoding="utf-8"))
    list(_mutations(tree))[site.number].apply()
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _mutations(node: ast.AST) -> Iterator[Mutation]:
    yield from _mutations_of(node)
    for child in _children(node):
        yield from _mutations(child)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what is run: no annotations, no `Annotated`, no docstrings."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_type(child) and not _is_docstring(child):
                yield child


def _is_type(node: ast.AST) -> bool:
    return isinstance(node, ast.Subscript) and getattr(node.value, "id", "") in ("Annotated", "Literal")


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _mutations_of(node: ast.AST) -> Iterator[Mutation]:
    line = getattr(node, "lineno", 0)
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            yield Mutation(line, "comparison", _setter(node.ops, place, COMPARISONS[type(operator)]()))
    elif isinstance(node, ast.comprehension):
        for place, condition in enumerate(node.ifs):
            yield Mutation(condition.lineno, "branch", _setter(node.ifs, place, _negated(condition)))
    elif isinstance(node, BRANCHES):
        yield Mutation(line, "branch", lambda: setattr(node, "test", _negated(node.test)))
    else:
        yield from _changes_of_values(node, line)


def _changes_of_values(node: ast.AST, line: int) -> Iterator[Mutation]:
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        operator = ARITHMETIC[type(node.op)]()
        yield Mutation(line, "arithmetic", lambda: setattr(node, "op", operator))
    elif isinstance(node, ast.BoolOp):
        junction = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield Mutation(line, "boolean", lambda: setattr(node, "op", junction))
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        value = not node.value if isinstance(node.value, bool) else node.value + 1
        yield Mutation(line, "constant", lambda: setattr(node, "value", value))


def _negated(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def _setter(items: list, place: int, value: ast.AST) -> Callable[[], None]:
    def change() -> None:
        items[place] = value

    return change
