"""Manipulated logs: one bit of the file, or one value in it with all hashes recomputed."""

from __future__ import annotations

import hashlib
import json


def with_flipped_bit(log, chance):
    """A log with one bit flipped somewhere."""
    place = chance.randrange(8 * len(log))
    changed = bytearray(log)
    changed[place // 8] ^= 1 << place % 8
    return bytes(changed)


def resealed(values):
    """A log of these values, with hashes that fit."""
    sealed, lines = "", []
    for value in values:
        text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
        sealed = hashlib.sha256(f"{sealed} {text}".encode()).hexdigest()
        lines.append(f"{sealed} {text}\n")
    return "".join(lines).encode()


def values_of(log):
    return [json.loads(line.partition(" ")[2]) for line in log.decode().splitlines()]


def another_face(entry, chance):
    rolls, events = entry["facts"]["rolls"], [e for e in entry["events"] if e["type"] == "dice_rolled"]
    which = chance.randrange(len(rolls))
    rolls[which]["faces"][0] = events[which]["faces"][0] = rolls[which]["faces"][0] % 6 + 1


def another_link(entry, chance):
    digits = list(entry["dice"]["link"])
    place = chance.randrange(len(digits))
    digits[place] = f"{int(digits[place], 16) ^ 1 << chance.randrange(4):x}"
    entry["dice"]["link"] = "".join(digits)


def another_index(entry, chance):
    entry["dice"]["index"] ^= 1 << chance.randrange(8)


def no_proof(entry, chance):
    entry["dice"] = None


def called_void(entry, chance):
    entry["dice"]["void"] = "It did not please."


def said_to_be_typed(entry, chance):
    for roll in entry["facts"]["rolls"]:
        roll["typed"] = True


def words_against_events(entry, chance):
    entry["facts"]["rolls"][0]["faces"][0] ^= 1


def other_players_hash(entry, chance):
    entry["dice"]["players"] = "0" * 64


def of_the_other_chain(entry, chance):
    entry["dice"]["is_hidden"] = not entry["dice"]["is_hidden"]


CHANGES = (
    another_face,
    another_link,
    another_index,
    no_proof,
    called_void,
    said_to_be_typed,
    words_against_events,
    other_players_hash,
    of_the_other_chain,
)


def with_one_change(log, chance):
    """A log with one thing about one roll changed and the hashes made anew; and what was changed."""
    values = values_of(log)
    rolled = [value for value in values if (value.get("dice") or {}).get("type") == "used"]
    change = chance.choice(CHANGES)
    change(chance.choice(rolled), chance)
    return resealed(values), change.__name__
