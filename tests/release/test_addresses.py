"""Files, paths and commands in the pages are found, and compared with what there is."""

from __future__ import annotations

import pytest
from click import Context
from click.testing import CliRunner

from enfilade.cli.main import main
from enfilade.product import LINKED
from tests.release import addresses
from tests.release.__main__ import ROOT


@pytest.fixture
def page(tmp_path):
    """Return a function that writes a page of the docs, and returns its repository."""

    def write(text):
        (tmp_path / "docs").mkdir()
        (tmp_path / "docs" / "page.md").write_text(text)
        return tmp_path

    return write


def test_release_files_are_found_by_their_endings_with_the_version_filled_in(page):
    root = page("Get `enfilade-VERSION-*.whl`, enfilade.pam and `enfilade-owlbear-VERSION.zip`.")
    named = addresses.named_files(root, "1.2.3")
    assert named == dict.fromkeys(
        ["enfilade-1.2.3-*.whl", "enfilade.pam", "enfilade-owlbear-1.2.3.zip"], "docs/page.md"
    )
    built = ["enfilade-1.2.3-py3-none-any.whl", "enfilade.pam", "module.json"]
    assert list(addresses.missing_files(named, built)) == [
        "docs/page.md names enfilade-owlbear-1.2.3.zip, which the release has not."
    ]
    assert list(addresses.unnamed_files(named, built)) == ["No page says what module.json is for."]


def test_the_pages_name_each_file_that_the_module_is_released_with():
    built = ["module.json", "enfilade-1.2.3.zip", *LINKED]
    assert list(addresses.unnamed_files(addresses.named_files(ROOT, "1.2.3"), built)) == []


def test_paths_of_a_server_are_found_and_those_of_other_sites_are_not(page):
    root = page("`http://127.0.0.1:8090/foundry/module.json`, https://YOUR-SERVER/owlbear/manifest.json. "
                "http://127.0.0.1:8090, https://example.org/nothing")  # fmt: skip
    assert list(addresses.server_paths(root)) == ["/foundry/module.json", "/owlbear/manifest.json", "/"]


def test_commands_are_found_in_blocks_and_in_lines(page):
    root = page(
        "```\nENFILADE_HOST=x enfilade serve --open\n/opt/enfilade/bin/enfilade doctor\n```\n"
        "Run `uvx enfilade tables`; `pipx inject enfilade first-blood` is another, "
        "and so is `systemctl restart enfilade`."
    )
    assert list(addresses.commands(root)) == ["serve", "doctor", "tables"]


def test_every_command_that_a_page_names_exists():
    known = main.list_commands(Context(main))
    missing = {name: page for name, page in addresses.commands(ROOT).items() if name not in known}
    assert missing == {}
    assert len(addresses.commands(ROOT)) > 10
    assert CliRunner().invoke(main, ["--help"]).exit_code == 0
