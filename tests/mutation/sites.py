"""Find the places of a module that can be mutated, and write the module with one of them changed.

A site is a comparison, an arithmetic operator, a number or boolean, an `and` or `or`, or a branch.
Annotations and docstrings hold no sites: they are not run, and the limits of fields are published as schemas.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

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
    """One place to mutate: its file, line and text, the change, and the number of the site in the file."""

    path: Path
    line: int
    text: str
    change: str
    number: int


class Mutation(NamedTuple):
    """A change of one node of a syntax tree."""

    line: int
    change: str
    apply: Callable[[], None]


def find_sites(path: Path) -> list[Site]:
    """Return the sites of a module, in the order of the syntax tree."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    return [
        Site(path, mutation.line, lines[mutation.line - 1].strip(), mutation.change, number)
        for number, mutation in enumerate(_mutations(ast.parse(text)))
    ]


def mutate(site: Site) -> ast.Module:
    """Return the syntax tree of a site's module with that site changed."""
    tree = ast.parse(site.path.read_text(encoding="utf-8"))
    list(_mutations(tree))[site.number].apply()
    return ast.fix_missing_locations(tree)


def functions_of(path: Path) -> list[range]:
    """Return the lines of each function of a module, decorators included, inner functions last."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [
        range(min([node.lineno, *(one.lineno for one in node.decorator_list)]), (node.end_lineno or 0) + 1)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    return sorted(found, key=lambda lines: (lines.start, -lines.stop))


def _mutations(node: ast.AST) -> Iterator[Mutation]:
    yield from _mutations_of(node)
    for child in _children(node):
        yield from _mutations(child)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what is run: no annotations, no `Annotated`, no docstrings.

    Decorators are left out, as other tools do: here they hold nothing but the sizes of caches.
    """
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
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
            other = COMPARISONS[type(operator)]
            change = f"{type(operator).__name__} to {other.__name__}"
            yield Mutation(line, change, _setter(node.ops, place, other()))
    elif isinstance(node, ast.comprehension):
        for place, condition in enumerate(node.ifs):
            yield Mutation(condition.lineno, "branch negated", _setter(node.ifs, place, _negated(condition)))
    elif isinstance(node, BRANCHES):
        yield Mutation(line, "branch negated", lambda: setattr(node, "test", _negated(node.test)))
    else:
        yield from _changes_of_values(node, line)


def _changes_of_values(node: ast.AST, line: int) -> Iterator[Mutation]:
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        operator = ARITHMETIC[type(node.op)]
        change = f"{type(node.op).__name__} to {operator.__name__}"
        yield Mutation(line, change, lambda: setattr(node, "op", operator()))
    elif isinstance(node, ast.BoolOp):
        junction = ast.Or if isinstance(node.op, ast.And) else ast.And
        change = f"{type(node.op).__name__} to {junction.__name__}"
        yield Mutation(line, change, lambda: setattr(node, "op", junction()))
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        value = not node.value if isinstance(node.value, bool) else node.value + 1
        yield Mutation(line, f"{node.value} to {value}", lambda: setattr(node, "value", value))


def _negated(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def _setter(items: list[Any], place: int, value: ast.AST) -> Callable[[], None]:
    def change() -> None:
        items[place] = value

    return change
