"""Two verifiers that share no code agree: honest logs hold, and nothing can be changed in one."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from tests.property.fair_dice.logs import RecordedGame, honest_log
from tests.property.fair_dice.tamper import CHANGES, resealed, values_of, with_flipped_bit, with_one_change

from enfilade.cli import verify as module
from enfilade.cli.verify import verify
from enfilade.play.command import Command
from enfilade.play.dice import Chains, take_link
from enfilade.rules.dice import Die
from enfilade.rules.fair import FairDice
from enfilade.scene.model import GM

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "plugin_manifest" / "scripts" / "core" / "dice" / "verify-dice.js"
SAMPLE = honest_log(12)


def told_by_node(folder, log):
    """The report of the other verifier, on node."""
    path = folder / "log"
    path.write_bytes(log)
    run = subprocess.run(["node", SCRIPT, path], capture_output=True, text=True, check=False)
    report = json.loads(run.stdout)
    assert run.returncode == (0 if report["holds"] else 1)
    return report


needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not here")


def test_six_hundred_rolls_verify():
    report = verify(honest_log(600))
    assert report.holds, report.why
    assert (report.rolled, report.typed, report.void, report.chains) == (600, 1, 0, 3)


def test_every_flipped_bit_is_caught():
    chance = random.Random(5)
    assert not [n for n in range(500) if verify(with_flipped_bit(SAMPLE, chance)).holds]


def test_every_change_to_a_roll_is_caught_even_with_new_hashes():
    chance, tried = random.Random(6), Counter()
    for _ in range(500):
        log, change = with_one_change(SAMPLE, chance)
        tried[change] += 1
        assert not verify(log).holds, change
    assert set(tried) == {change.__name__ for change in CHANGES}


def test_the_same_changes_pass_a_verifier_without_the_dice_check(monkeypatch):
    """The control: what catches a changed face is the die worked out anew."""
    values = values_of(SAMPLE)
    notes = [value for value in values if (value.get("dice") or {}).get("type") == "used"]
    rolled = next(value for value in notes if not value["dice"]["is_hidden"])
    rolled["facts"]["rolls"][0]["faces"][0] = rolled["events"][1]["faces"][0] = 7
    assert not verify(resealed(values)).holds
    monkeypatch.setattr(module, "is_same", lambda *_: True)
    assert verify(resealed(values)).holds


@pytest.mark.parametrize("broken", [b"", b"\n", b"{}\n", SAMPLE[:-1], b"\xff" * 100, SAMPLE * 2])
def test_a_file_that_is_not_a_log_is_refused(broken):
    assert not verify(broken).holds


def test_removed_or_swapped_entries_are_caught():
    values = values_of(SAMPLE)
    for i in range(2, len(values) - 2):
        shorter = [*values[:i], *values[i + 1 : -1], {"end": len(values) - 3}]
        assert not verify(resealed(shorter)).holds
        swapped = [*values[:i], values[i + 1], values[i], *values[i + 2 :]]
        assert not verify(resealed(swapped)).holds


@needs_node
def test_both_verifiers_print_the_same(tmp_path):
    chance = random.Random(7)
    logs = [SAMPLE, b"", b"nonsense\n", *(with_one_change(SAMPLE, chance)[0] for _ in range(12))]
    logs += [with_flipped_bit(SAMPLE, chance) for _ in range(6)]
    expected = [json.loads(json.dumps(vars(verify(log)))) for log in logs]
    assert told_of_each(tmp_path, logs) == expected
    assert told_by_node(tmp_path, SAMPLE) == expected[0]


def told_of_each(folder, logs):
    """Return what the program of the page says of logs, from one process."""
    files = [folder / f"log-{number}" for number in range(len(logs))]
    for file, log in zip(files, logs, strict=True):
        file.write_bytes(log)
    script = (
        'import { readFileSync } from "node:fs";'
        f"import {{ verifyFile }} from {json.dumps(SCRIPT.as_uri())};"
        f"const files = {json.dumps(list(map(str, files)))};"
        "console.log(JSON.stringify(files.map((file) => verifyFile(readFileSync(file)))));"
    )
    run = subprocess.run(["node", "--input-type=module", "-e", script], capture_output=True, check=True)
    return json.loads(run.stdout)


@needs_node
def test_both_verifiers_support_dice_with_text_and_unicode_house_rules(tmp_path, monkeypatch):
    die = Die("hit die", ("ﬀ", "crit", 3, "🎲", "é", 10, 2))
    game = RecordedGame()
    chained = game.table._state.dice
    used = {}
    chains = Chains(game.seeds)

    def key():
        scene = game.table.scene
        after = take_link(chained, scene, Command(id="c", kind="act", random="0" * 32), GM, "")
        used["note"] = chains.used(game.table.id, after, after.pending, "", False)
        return chains.key(game.table.id, after, after.pending)

    faces = FairDice(key).roll(die, 40)
    values = values_of(game.log())
    roll = {"label": "hit", "die": die.name, "faces": faces, "typed": False, "die_faces": die.faces}
    entry = {**values[1], "seq": 2, "dice": msgspec.to_builtins(used["note"]), "facts": {"rolls": [roll]}}
    entry["events"] = [{"type": "dice_rolled", **roll}]
    log = resealed([*values[:2], entry, {"end": 2}])
    assert verify(log).holds, verify(log).why
    assert verify(log).dice == 40
    assert told_by_node(tmp_path, log) == vars(verify(log))


@needs_node
def test_both_verifiers_reject_the_same_words(tmp_path):
    """Dice of so many faces that a quarter of all words is rejected; a log never has one."""
    sides, key = 3 << 30, bytes(range(32))
    script = (
        f"import {{faceIndex}} from {json.dumps(SCRIPT.with_name('hashing.js').as_uri())};"
        f"const key = Uint8Array.from({list(key)});"
        f"console.log(JSON.stringify(Array.from({{length: 200}}, (_, i) => faceIndex(key, i, {sides}))));"
    )
    run = subprocess.run(["node", "--input-type=module", "-e", script], capture_output=True, check=True)
    assert json.loads(run.stdout) == [module.place(key, number, sides) for number in range(200)]


def test_the_verifier_runs_alone(tmp_path):
    """As a file by itself, with a Python that knows nothing of the server."""
    alone, log = tmp_path / "verify.py", tmp_path / "log"
    alone.write_bytes(Path(module.__file__).read_bytes())
    log.write_bytes(SAMPLE)
    run = subprocess.run([sys.executable, "-I", "-S", alone, log], capture_output=True, text=True, check=True)
    assert run.stdout.startswith("The log holds: ")
