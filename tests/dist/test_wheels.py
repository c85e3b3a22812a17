"""The check of a wheel's contents names what is missing, and what should not be there."""

from __future__ import annotations

import zipfile

import pytest

from tests.dist import wheels

PURE, PLATFORM = "enfilade-1-py3-none-any.whl", "enfilade-1-py3-none-linux_x86_64.whl"
LICENSE = "enfilade-1.dist-info/licenses/LICENSE"
KERNEL = f"{wheels.KERNEL}so"


@pytest.fixture
def wheel(tmp_path):
    """Return a function that writes a wheel of all expected files, without some and with others."""

    def write(name=PURE, without="", plus=()):
        path = tmp_path / name
        with zipfile.ZipFile(path, "w") as archive:
            for inside in {*wheels._expected(), LICENSE, *plus}:
                if not without or without not in inside:
                    archive.writestr(inside, "")
        return path

    return write


def test_a_whole_wheel_has_nothing_wrong(wheel):
    assert wheels.wrong_contents(wheel()) == []
    assert wheels.wrong_contents(wheel(PLATFORM, plus=[KERNEL])) == []


@pytest.mark.parametrize(
    "part",
    [
        "board.html",
        "vendor/pixi.min.js",
        "vendor/foundry.min.js",
        "vendor/LICENSES.txt",
        "schemas/openapi.json",
        "maps/tavern-and-yard.uvtt",
        "lang/en.json",
        "kit/template/ruleset.py.txt",
        "licenses/LICENSE",
    ],
)
def test_a_missing_part_is_named(wheel, part):
    wrong = wheels.wrong_contents(wheel(without=part))
    assert len(wrong) >= 1
    assert any(part.rpartition("/")[2] in sentence or "license" in sentence for sentence in wrong)


def test_a_kernel_in_a_wheel_for_all_platforms_is_wrong(wheel):
    assert wheels.wrong_contents(wheel(plus=[KERNEL]))
    assert wheels.wrong_contents(wheel(PLATFORM))


@pytest.mark.parametrize("name", ["tests/unit/cli/test_main.py", "enfilade/geometry/kernel/fields.c"])
def test_what_no_user_needs_is_wrong(wheel, name):
    assert wheels.wrong_contents(wheel(plus=[name])) == [f"{name} should not be in it."]


def test_a_wheel_for_one_version_of_python_is_wrong(wheel):
    assert wheels.wrong_contents(wheel("enfilade-1-cp311-cp311-linux_x86_64.whl", plus=[KERNEL]))
