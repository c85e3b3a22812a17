"""The installed packages are the pinned ones, and no pin is older than a known vulnerability."""

from __future__ import annotations

from configparser import ConfigParser
from importlib.metadata import requires, version
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name as named
from packaging.version import Version

ROOT = Path(__file__).parent.parent.parent
FLOORS = {"python-socketio": "5.18.1", "python-engineio": "4.15.1", "werkzeug": "3.1.6", "flask": "3.1.3"}
"""Below these there are published weaknesses that matter to a server of tables (docs/security.md)."""


def pins():
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line]
    return {named(name): Version(number) for name, number in (line.split("==") for line in lines)}


def needed(name, extras=("",), seen=None):
    """Every package that one needs, and what those need."""
    seen = {} if seen is None else seen
    for line in requires(name) or ():
        need = Requirement(line)
        wanted = (
            any(need.marker.evaluate({**default_environment(), "extra": extra}) for extra in extras)
            if (need.marker)
            else True
        )
        if wanted and named(need.name) not in seen:
            seen[named(need.name)] = version(need.name)
            needed(need.name, tuple(need.extras) or ("",), seen)
    return seen


def test_every_installed_package_is_pinned():
    pinned = pins()
    found = needed("enfilade", ("", "dev", "postgres"))
    assert len(found) > 40
    assert {name: number for name, number in found.items() if pinned.get(name) != Version(number)} == {}


@pytest.mark.parametrize("name", FLOORS)
def test_no_vulnerable_version_can_be_installed(name):
    config = ConfigParser()
    config.read(ROOT / "setup.cfg")
    wanted = [Requirement(line) for line in config["options"]["install_requires"].split("\n") if line.strip()]
    floor = next(need.specifier for need in wanted if need.name == name)
    assert pins()[name] >= Version(FLOORS[name])
    assert floor.contains(FLOORS[name])
    assert not floor.contains(f"{FLOORS[name]}.dev0", prereleases=True)
