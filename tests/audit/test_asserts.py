"""Python leaves asserts out with `-O`, so that no check of the server may be one."""

from __future__ import annotations

import ast
from pathlib import Path

SERVER = Path(__file__).parents[2] / "server" / "enfilade"
CONFORMANCE = SERVER / "rules" / "conformance"
"""The suite for rulesets: its checks are asserts."""


def narrows_a_type(condition):
    """Tell whether the type checker learns something, and the next line would fail by itself otherwise."""
    match condition:
        case ast.Compare(ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return True
        case ast.Call(func=ast.Name(id="isinstance")):
            return True
    return False


def checks_by_assert(path):
    tree = ast.parse(path.read_text("utf-8"))
    asserts = (node for node in ast.walk(tree) if isinstance(node, ast.Assert))
    return [f"{path.name}:{one.lineno}" for one in asserts if not narrows_a_type(one.test)]


def test_an_assert_of_the_server_does_no_more_than_narrow_a_type():
    files = [path for path in SERVER.rglob("*.py") if CONFORMANCE not in path.parents]
    assert [found for path in files for found in checks_by_assert(path)] == []


def test_a_check_by_assert_is_found(tmp_path):
    (tmp_path / "one.py").write_text("assert token is not None\nassert token.at\n", "utf-8")
    assert checks_by_assert(tmp_path / "one.py") == ["one.py:2"]
