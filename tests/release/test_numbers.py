"""One version: written in one place, copied everywhere, and with a section in the changelog."""

from __future__ import annotations

import shutil

import pytest

from tests.release import numbers
from tests.release.__main__ import ROOT


@pytest.fixture
def copy(tmp_path):
    """A folder with only the files that have the version, and the changelog."""
    for name in (numbers.SOURCE[0], *numbers.COPIES, "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def in_changelog(folder, heading, text="- A change."):
    (folder / "CHANGELOG.md").write_text(
        f"# Changes\n\n## {heading}\n\n{text}\n\n## 0.0.1 (2020-01-01)\n\n- Old.\n"
    )


def test_this_checkout_has_one_version():
    assert list(numbers.wrong_numbers(ROOT)) == []


def test_a_new_version_is_written_everywhere(copy):
    numbers.write_version(copy, "7.8.9rc1")
    in_changelog(copy, "7.8.9rc1 (2030-02-03)")
    assert numbers.version_of(copy) == "7.8.9rc1"
    assert list(numbers.wrong_numbers(copy, "v7.8.9rc1")) == []
    assert (copy / "package-lock.json").read_text().count("7.8.9rc1") == 2


@pytest.mark.parametrize("wrong", ["", "7", "7.8", "v7.8.9", "7.8.9\n", "7.8.9-dev"])
def test_what_is_no_version_is_not_written(copy, wrong):
    with pytest.raises(SystemExit, match="no version"):
        numbers.write_version(copy, wrong)
    assert list(numbers.wrong_numbers(copy)) == []


@pytest.mark.parametrize("name", numbers.COPIES)
def test_a_copy_that_is_behind_is_named(copy, name):
    path = copy / name
    old = path.read_text()
    path.write_text(old.replace(numbers.version_of(copy), "0.0.1"))
    assert path.read_text() != old
    (sentence,) = numbers.wrong_numbers(copy)
    assert sentence.startswith(f"{name} says 0.0.1")


def test_a_tag_needs_its_version_and_a_day_in_the_changelog(copy):
    numbers.write_version(copy, "1.2.3")
    in_changelog(copy, "1.2.3 (not yet released)")
    assert list(numbers.wrong_numbers(copy)) == []
    assert "has no day" in " ".join(numbers.wrong_numbers(copy, "v1.2.3"))
    in_changelog(copy, "1.2.3 (2030-02-03)")
    assert list(numbers.wrong_numbers(copy, "v1.2.3")) == []
    assert "The tag is v1.2.4" in " ".join(numbers.wrong_numbers(copy, "v1.2.4"))


@pytest.mark.parametrize(
    ("heading", "text"), [("9.9.9 (2030-02-03)", "- A change."), ("1.2.3 (2030-02-03)", "None.")]
)
def test_a_changelog_of_another_version_or_without_changes_is_refused(copy, heading, text):
    numbers.write_version(copy, "1.2.3")
    in_changelog(copy, heading, text)
    assert len(list(numbers.wrong_numbers(copy, "v1.2.3"))) == 1


def test_the_notes_of_a_release_are_its_section_alone(copy):
    in_changelog(copy, "1.2.3 (2030-02-03)")
    assert numbers.newest_section(copy) == ("1.2.3", "2030-02-03", "- A change.")
