"""The parts of the product beside the code, and the licenses of what it contains."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from enfilade.product import linked_file, product_folder

ROOT = Path(__file__).parents[2]
ALLOWED = {"MIT", "ISC", "BSD-3-Clause", "OFL-1.1"}
"""OFL-1.1 is the license of the page's fonts, which lets a program ship them unchanged."""


def shipped_packages():
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    return {
        path.removeprefix("node_modules/"): found
        for path, found in packages.items()
        if path and not found.get("dev")
    }


def test_a_checkout_serves_its_own_folders():
    assert product_folder("plugin_manifest") == ROOT / "plugin_manifest"
    assert product_folder("schemas") == ROOT / "schemas"


def test_an_installed_package_serves_the_folders_inside_it(tmp_path, monkeypatch):
    for name in ("plugin_manifest", "schemas"):
        (tmp_path / "product" / name).mkdir(parents=True)
    monkeypatch.setattr("enfilade.product.resources.files", lambda _package: tmp_path)
    assert product_folder("schemas") == tmp_path / "product" / "schemas"


def test_the_texts_about_the_module_are_the_docs_own_or_those_of_the_package(tmp_path, monkeypatch):
    assert linked_file("foundry-readme.md") == ROOT / "docs" / "foundry.md"
    folder = tmp_path / "product" / "linked"
    folder.mkdir(parents=True)
    (folder / "CHANGELOG.md").write_text("# Changes")
    monkeypatch.setattr("enfilade.product.resources.files", lambda _package: tmp_path)
    assert linked_file("CHANGELOG.md") == folder / "CHANGELOG.md"


@pytest.mark.parametrize("name", sorted(shipped_packages()))
def test_the_license_of_a_library_in_the_page_is_shipped(name):
    found = shipped_packages()[name]
    # This one names no license in its manifest; its text is the MIT license.
    assert found.get("license", "MIT") in ALLOWED
    text = (ROOT / "plugin_manifest/vendor/LICENSES.txt").read_text(encoding="utf-8")
    assert f"{name} {found['version']}\n" in text
