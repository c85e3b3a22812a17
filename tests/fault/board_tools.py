"""The board's own tools in a process of their own: a gesture of the GM gives the commands of the page."""

from __future__ import annotations

import atexit
import json
import subprocess
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from enfilade.rules.ruleset import Ruleset
from enfilade.scene.model import Scene

_SCRIPT = Path(__file__).with_suffix(".mjs")


def gesture(
    ruleset: Ruleset, scene: Scene, seed: str, kind: str, **more: Any
) -> list[tuple[str, dict[str, Any]]]:
    """Return the commands, as kinds and bodies, that the board sends for a gesture of its GM.

    The kinds of gestures are those of `GESTURES` in the script. Random IDs follow from `seed`.
    """
    catalog = [msgspec.to_builtins(unit) for unit in ruleset.catalog]
    asked = {"kind": kind, "seed": seed, "scene": msgspec.to_builtins(scene), "catalog": catalog, **more}
    process = _process()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(asked) + "\n")
    process.stdin.flush()
    return [(kind, body) for kind, body in json.loads(process.stdout.readline())]


@lru_cache(maxsize=1)
def _process() -> subprocess.Popen[str]:
    """Start the tools once in this process. Raises FileNotFoundError without Node.js."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(["node", str(_SCRIPT)], stdin=pipe, stdout=pipe, text=True)
    atexit.register(process.kill)
    return process
