"""The schemas of the add-ons' manifests accept ours, and refuse what a host would refuse."""

from __future__ import annotations

import io
import json
import tomllib
import zipfile

import pytest

from enfilade.runtime.config import Config
from enfilade.transport.http import module_package, owlbear, planarally
from tests.release import manifests, numbers
from tests.release.__main__ import ROOT

PLUGIN = Config().plugin
VERSION = numbers.version_of(ROOT)
OURS = {
    "foundry-module": json.loads((PLUGIN / "module.json").read_text("utf-8")),
    "owlbear-extension": json.loads((PLUGIN / "owlbear/manifest.json").read_text("utf-8")),
    "planarally-mod": tomllib.loads((PLUGIN / "planarally/mod.toml").read_text("utf-8")),
}


@pytest.mark.parametrize("kind", OURS)
def test_our_manifest_fits_its_schema(kind):
    assert list(manifests.wrong_fields(kind, OURS[kind])) == []


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        ("foundry-module", {"version": "one"}),
        ("foundry-module", {"name": "an old field"}),
        ("foundry-module", {"compatibility": {"minimum": 12}}),
        ("owlbear-extension", {"manifest_version": 2}),
        ("owlbear-extension", {"description": "x" * 129}),
        ("owlbear-extension", {"action": {"title": "Enfilade"}}),
        ("planarally-mod", {"mod": {**OURS["planarally-mod"]["mod"], "apiSchema": "2"}}),
        ("planarally-mod", {"mod": {"tag": "enfilade"}}),
    ],
)
def test_a_wrong_field_is_named(kind, wrong):
    (field,) = wrong
    assert field in " ".join(manifests.wrong_fields(kind, {**OURS[kind], **wrong}))


def test_what_a_release_holds_of_the_add_ons_is_whole(tmp_path):
    if not (PLUGIN / "vendor").exists():
        pytest.skip("the page's libraries are missing: make install")
    url = "https://example.org/releases"
    archive = module_package.write_release(PLUGIN, tmp_path, f"{url}/download/v1", url).read_bytes()
    module = (tmp_path / "module.json").read_bytes()
    assert list(manifests.wrong_module(module, archive, VERSION)) == []
    assert list(manifests.wrong_mod(planarally.write_release(PLUGIN, tmp_path).read_bytes(), VERSION)) == []
    extension = owlbear.write_release(PLUGIN, tmp_path).read_bytes()
    assert list(manifests.wrong_extension(extension, VERSION)) == []
    with zipfile.ZipFile(io.BytesIO(extension)) as packed:
        pages = [packed.read(name).decode() for name in packed.namelist() if name.endswith(".html")]
        names = {f"/{name}" for name in packed.namelist()}
    loaded = {part for page in pages for part in page.split('"') if part.startswith("/plugin/")}
    assert loaded <= names, "the pages load what is not in the zip"


def test_an_archive_without_a_file_or_of_another_version_is_refused(tmp_path):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("owlbear/manifest.json", json.dumps(OURS["owlbear-extension"]))
    sentences = " ".join(manifests.wrong_extension(data.getvalue(), "9.9.9"))
    assert "another version" in sentences
    assert "no /owlbear/icon.svg" in sentences
