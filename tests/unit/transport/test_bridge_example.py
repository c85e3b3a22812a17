"""The example of docs/bridges.md as a process of its own, against the real server."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[3] / "examples" / "bridge_client.py"


def run(*arguments):
    command = [sys.executable, str(EXAMPLE), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_the_example_places_attacks_answers_and_reads_the_log(game):
    played = run(game.url, "6")
    assert played.returncode == 0, played.stderr
    reach, odds, question, *log = played.stdout.splitlines()
    assert "(3, 4): 2" in reach
    assert "(4, 3)" not in reach, "the orc stands there"
    assert odds == "hammer, melee: 1 in 3"
    assert question == "? Bran, hammer: push Orc back one square? ['Yes', 'No']"
    assert re.match(r"3 Bran hits Orc with the hammer: \d damage\.", log[2])


def test_the_example_lets_the_server_roll(game):
    played = run(game.url)
    assert played.returncode == 0, played.stderr
    assert re.search(r"Bran (hits|misses) Orc with the hammer", played.stdout)


def test_the_example_prints_the_sentence_of_a_refusal(game):
    refused = run(game.url, "6", "6", "6")
    assert refused.returncode == 1
    assert refused.stderr.strip().endswith("Too many dice: 3 given, 1 needed.")
