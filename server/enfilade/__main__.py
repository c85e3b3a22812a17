"""The shell command's first lines: a process that serves is patched by gevent before it imports anything.

Patched later, locks and sockets of modules imported before would block every connection at once. The other
commands run unpatched, and nothing else in Enfilade patches anything.
"""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType
from typing import Any

_OF_CLIENTS = ("requests", "websocket")
"""What Engine.IO imports for its client, which a server has no use for: a tenth of its time to start."""


def main() -> None:
    """Runs the shell command `enfilade`."""
    if sys.argv[1:2] in (["serve"], ["work"]):
        prepare_to_serve()
    from enfilade.cli import main as command

    command(prog_name="enfilade")


def prepare_to_serve() -> None:
    """Patches this process, and has it be quick to start."""
    gc.disable()  # until the server listens: there is nothing to collect among what is imported
    from gevent import events, monkey

    # Else gevent asks everything installed 25 times for plugins to be told of each module it patches.
    events.notify_and_call_entry_points = events.notify
    monkey.patch_all()
    sys.meta_path.insert(0, _WhenUsed())
    _import_without_patterns("marshmallow.validate")


def _import_without_patterns(name: str) -> None:
    """Imports a module whose longest patterns are compiled when they are first used.

    The one by which marshmallow knows an e-mail address takes 60 ms, and nobody here is asked for one.
    """
    re.compile = _compiled_late
    try:
        import_module(name)
    finally:
        re.compile = _compile


_compile = re.compile
_LONG = 150


def _compiled_late(pattern: Any, flags: int = 0) -> Any:
    return _LatePattern(pattern, flags) if len(pattern) > _LONG else _compile(pattern, flags)


class _LatePattern:
    """A pattern that is compiled when it is first used."""

    def __init__(self, *given: Any) -> None:
        self._given = given

    @cached_property
    def _whole(self) -> Any:
        return _compile(*self._given)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what a class asks of everything in it
            raise AttributeError(name)
        return getattr(self._whole, name)


class _WhenUsed(MetaPathFinder):
    """Has a module of clients be read when something of it is first used, and not when it is named."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Finds a module of clients; of others it knows nothing."""
        spec = PathFinder.find_spec(fullname, path, target) if fullname in _OF_CLIENTS else None
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
        return spec


if __name__ == "__main__":
    main()
