"""Verify the dice of an exported log: `python verify.py LOG`, or `enfilade verify LOG`.

The file needs only the standard library and shares no code with the server: it computes every die from the
scheme in docs/fair-dice.md. The board's verify-dice.js does the same and prints the same.
"""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

FORMAT = "enfilade-log/1"
WORDS = 1 << 32
MAX_LINKS = 1 << 24


class Wrong(Exception):
    """A failed check, as a sentence."""


@dataclass
class Report:
    """The result: `holds`, the counts, and the first failure (entry 0: the file)."""

    holds: bool = True
    entries: int = 0
    chains: int = 0
    rolled: int = 0
    typed: int = 0
    void: int = 0
    dice: int = 0
    without_client: int = 0
    with_players: int = 0
    withheld: int = 0
    hidden: int = 0
    shown: int = 0
    answers: int = 0
    entry: int = 0
    why: str = ""

    def in_words(self) -> str:
        """Return the report as sentences."""
        if not self.holds:
            return f"The log does NOT hold. {f'Entry {self.entry}' if self.entry else 'The file'}: {self.why}"
        return (
            f"The log holds: {self.entries} entries, {self.dice} dice of {self.rolled} rolled acts proven, "
            f"{self.typed} acts with typed dice (nothing proven), {self.void} void, {self.chains} chains, "
            f"{self.without_client} acts without bytes of a client. {self.with_players} acts had players' "
            f"parts in them, {self.withheld} parts were committed to and not given. {self.hidden} acts were "
            f"hidden, {self.shown} of them shown to all. {self.answers} sealed answers match "
            f"their commitments."
        )


@dataclass
class Chain:
    """A committed chain, and the last of its links that was shown."""

    epoch: str
    links: int
    link: str
    index: int = 0

    def follow(self, note: dict[str, Any]) -> bytes:
        """Return the next link, as a note shows it. Raises Wrong."""
        must(note["epoch"] == self.epoch, "the chain was not committed to first.")
        must(note["index"] == self.index + 1 <= self.links, "a link is missing, repeated or out of range.")
        must(is_hex(note["link"], 32), "the link is malformed.")
        link = bytes.fromhex(note["link"])
        must(hashlib.sha256(link).hexdigest() == self.link, "the link does not match the commitment.")
        self.index, self.link = note["index"], note["link"]
        return link


NO_CHAIN = Chain("", 0, "")


@dataclass
class Log:
    """The state of a check after some entries.

    `chains` are the chains in use: False for public rolls, True for hidden ones. `asked` are contributions
    that players have committed to and not yet revealed, `players` is the hash of the last revealed ones,
    `hidden` holds the hidden rolls by chain and number, and `closed` the commitments to sealed answers by
    question.
    """

    table: str
    report: Report = field(default_factory=Report)
    epochs: set[str] = field(default_factory=set)
    chains: dict[bool, Chain] = field(default_factory=dict)
    asked: list[dict[str, Any]] = field(default_factory=list)
    players: str = ""
    hidden: dict[tuple[str, int], tuple[dict[str, Any], Any]] = field(default_factory=dict)
    closed: dict[str, Any] = field(default_factory=dict)

    def check_all(self, values: Iterator[dict[str, Any]]) -> None:
        """Check a whole log: its head, its entries, its end. Raises Wrong."""
        first, has_ended = next(values, {}), False
        must(first.get("format") == FORMAT, f"the file format is not {FORMAT}.")
        self.table = first["table"]
        for value in values:
            must(not has_ended, "data follows the end of the log.")
            if "end" in value:
                is_right = canonical(value) == canonical({"end": self.report.entries})
                must(is_right, "the entry count at the end is wrong.")
                has_ended = True
            else:
                self.check_next(value)
        must(has_ended, "the end of the log is missing.")

    def check_next(self, entry: dict[str, Any]) -> None:
        """Check the next entry. Raises Wrong."""
        self.report.entry = self.report.entries + 1
        must(entry["seq"] == self.report.entry, "the entry number is not the next one.")
        is_shown = (entry["dice"] or {}).get("type") == "shown"
        must(is_shown or same_rolls(entry), "the dice do not match the events.")
        self.check(entry)
        self.check_sealed(entry)
        self.report.entries, self.report.entry = self.report.entry, 0

    def check(self, entry: dict[str, Any]) -> None:
        """Check one entry. Raises Wrong."""
        note, rolls = entry["dice"], [roll for roll in entry["facts"].get("rolls", []) if roll["faces"]]
        if note is None:
            must(all(roll["typed"] is True for roll in rolls), "the dice have no proof.")
            self.report.typed += bool(rolls)
        elif note["type"] == "used":
            self.used(note, rolls)
        elif note["type"] == "shown":
            self.shown(note, rolls)
        else:
            must(not rolls, "a chain note comes with dice.")
            must(note["type"] in ("opened", "committed", "given"), "a proof is hidden.")
            {"opened": self.opened, "committed": self.committed, "given": self.given}[note["type"]](note)

    def check_sealed(self, entry: dict[str, Any]) -> None:
        """Check commitments to answers, or that revealed answers match theirs and the act used them."""
        given: list[str] = []
        for note in entry.get("sealed", []):
            if not note["is_open"]:
                must(note["question"] not in self.closed, "a question is closed twice.")
                must(
                    all(is_hex(one["commitment"], 32) and not one["answer"] for one in note["answers"]),
                    "a commitment to an answer is malformed, or open before the reveal.",
                )
                self.closed[note["question"]] = [committed_part(one) for one in note["answers"]]
                continue
            is_closed = [committed_part(one) for one in note["answers"]] == self.closed.pop(
                note["question"], 0
            )
            must(is_closed, "the answers were not committed to first.")
            is_same = all(
                sealed_answer(self.table, note["question"], one) == one["commitment"]
                for one in note["answers"]
            )
            must(is_same, "an answer does not match its commitment.")
            given += [one["answer"] for one in note["answers"]]
        made = iter(event["answer"] for event in entry["events"] if is_given_choice(event))
        must(all(answer in made for answer in given), "the act used other answers than those revealed.")
        self.report.answers += len(given)

    def opened(self, note: dict[str, Any]) -> None:
        """Open a new chain, and one for hidden rolls; earlier contributions no longer count."""
        self.chains, self.asked, self.players = {}, [], ""
        self.open_chain(note, is_hidden=False)
        if note.get("hidden") is not None:
            self.open_chain(note["hidden"], is_hidden=True)
        self.report.chains += 1

    def open_chain(self, head: dict[str, Any], is_hidden: bool) -> None:
        """Open one chain from its head."""
        must(head["epoch"] not in self.epochs, "a chain is opened twice.")
        must(0 < head["links"] <= MAX_LINKS and is_hex(head["head"], 32), "a chain's head is malformed.")
        self.epochs.add(head["epoch"])
        self.chains[is_hidden] = Chain(head["epoch"], head["links"], head["head"])

    def committed(self, note: dict[str, Any]) -> None:
        """Check the players' commitments, made before any of them revealed."""
        must(note["epoch"] == self.epoch(), "the chain was not committed to first.")
        must(not self.asked, "contributions are committed to twice.")
        seats = [part["seat"] for part in note["parts"]]
        must(bool(seats) and seats == sorted(set(seats)), "a player contributes twice.")
        must(all(is_hex(part["commitment"], 32) for part in note["parts"]), "a commitment is malformed.")
        must(
            all(part["value"] == "" for part in note["parts"]),
            "a contribution is revealed before all players have committed.",
        )
        self.asked = note["parts"]

    def given(self, note: dict[str, Any]) -> None:
        """Check the revealed contributions against the commitments."""
        must(note["epoch"] == self.epoch(), "the chain was not committed to first.")
        must(
            [{**part, "value": ""} for part in note["parts"]] == self.asked != [],
            "the contributions do not match the commitments.",
        )
        must(
            all(is_part(self.table, part) for part in note["parts"]),
            "a contribution does not match its commitment.",
        )
        sent = [[part["seat"], part["commitment"], part["value"]] for part in note["parts"]]
        must(
            note["players"] == digest(["players/v1", self.table, note["epoch"], sent]),
            "the hash of the contributions is wrong.",
        )
        self.asked, self.players = [], note["players"]
        self.report.withheld += sum(part["value"] == "" for part in note["parts"])

    def epoch(self) -> str:
        """Return the epoch of the public chain; empty before there is one."""
        return self.chains.get(False, NO_CHAIN).epoch

    def used(self, note: dict[str, Any], rolls: list[dict[str, Any]]) -> None:
        """Check a used link, and the dice that follow from it."""
        is_hidden = note.get("is_hidden", False)
        link = self.chains.get(is_hidden, NO_CHAIN).follow(note)
        must(note["random"] == "" or is_hex(note["random"], 16), "the client's bytes are malformed.")
        must(note.get("players", "") == self.players, "the contributions are not those that were revealed.")
        self.count(note, is_hidden)
        if is_hidden:
            self.hidden[note["epoch"], note["index"]] = note, what_fell(rolls)
        if note["void"]:
            must(not rolls, "void dice are shown as valid.")
        else:
            self.rolled(key(link, self.table, note), rolls)

    def count(self, note: dict[str, Any], is_hidden: bool) -> None:
        """Count a used link."""
        self.report.without_client += note["random"] == ""
        self.report.with_players += note.get("players", "") != ""
        self.report.hidden += is_hidden
        self.report.void += note["void"] != ""

    def shown(self, note: dict[str, Any], rolls: list[dict[str, Any]]) -> None:
        """Check that a revealed roll shows the dice of the earlier hidden roll."""
        before, fell = self.hidden.get((note["epoch"], note["index"]), ({}, None))
        must(canonical({**note, "type": "used"}) == canonical(before), "no hidden roll matches.")
        must(canonical(what_fell(rolls)) == canonical(fell), "the revealed dice differ from the hidden roll.")
        self.report.shown += 1

    def rolled(self, secret: bytes, rolls: list[dict[str, Any]]) -> None:
        """Check that the dice show the faces that follow from a key."""
        number = 0
        for roll in rolls:
            must(roll["typed"] is False, "physical and server dice are mixed.")
            faces = faces_of(roll)
            for shown in roll["faces"]:
                fell = faces[place(secret, number, len(faces))]
                must(is_same(fell, shown), f"{roll['label']}: die {number + 1} rolled {fell}, not {shown}.")
                number += 1
        must(number > 0, "a link was used without dice.")
        self.report.rolled += 1
        self.report.dice += number


def must(holds: bool, why: str) -> None:
    """Raise Wrong unless `holds`."""
    if not holds:
        raise Wrong(why)


def is_hex(text: Any, size: int) -> bool:
    """Return whether a text is `size` bytes in lowercase hexadecimal."""
    return isinstance(text, str) and re.fullmatch(rf"[0-9a-f]{{{2 * size}}}", text) is not None


def is_same(a: Any, b: Any) -> bool:
    """Return whether two faces are equal and of the same type."""
    return type(a) is type(b) and bool(a == b)


def same_rolls(entry: dict[str, Any]) -> bool:
    """Return whether the dice in an entry's facts are those of its events."""
    fell = [event for event in entry["events"] if event["type"] == "dice_rolled"]
    sent = entry["facts"].get("rolls", [])
    return fell == [{"type": "dice_rolled", "die_faces": [], **roll} for roll in sent]


def canonical(value: Any) -> bytes:
    """Return a value as canonical JSON."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(value: Any) -> str:
    """Return the SHA-256 of a value's canonical JSON."""
    return hashlib.sha256(canonical(value)).hexdigest()


def is_part(table: str, part: dict[str, Any]) -> bool:
    """Return whether a contribution is absent or matches its commitment."""
    value, said = part["value"], ["part/v1", table, part["seat"], part["value"]]
    return value == "" or (is_hex(value, 16) and digest(said) == part["commitment"])


def committed_part(one: dict[str, Any]) -> list[Any]:
    """Return the parts of a sealed answer that the log has before the reveal."""
    return [one["choice"], one["token"], one["seat"], one["commitment"]]


def sealed_answer(table: str, question: str, one: dict[str, Any]) -> str:
    """Return the commitment to a revealed answer."""
    must(is_hex(one["salt"], 16), "the salt of an answer is malformed.")
    return digest(["answer/v1", table, question, one["choice"], one["seat"], one["answer"], one["salt"]])


def is_given_choice(event: dict[str, Any]) -> bool:
    """Return whether an event is a choice that a seat made."""
    return event["type"] == "choice_made" and not event["automatic"]


def what_fell(rolls: list[dict[str, Any]]) -> list[Any]:
    """Return the parts of rolls that must stay the same when they are revealed: all but the text."""
    return [[roll["die"], roll.get("die_faces", []), roll["faces"], roll["typed"]] for roll in rolls]


def key(link: bytes, table: str, note: dict[str, Any]) -> bytes:
    """Return the key of all dice of an act."""
    rules, players = note["rules"], note.get("players", "")
    scheme, parts = ("dice/v2", [players]) if players else ("dice/v1", [])
    used_for = [scheme, table, note["epoch"], note["index"], note["command"], note["random"], *parts]
    used_for.append(digest([rules["ruleset"], rules["house_rules"]]))
    return hmac.new(link, canonical(used_for), hashlib.sha256).digest()


def place(secret: bytes, number: int, sides: int) -> int:
    """Return the index of the face that a die shows."""
    attempt = 0
    while True:
        counters = number.to_bytes(4, "big") + attempt.to_bytes(4, "big")
        word = int.from_bytes(hmac.new(secret, b"dice/v1" + counters, hashlib.sha256).digest()[:4], "big")
        if word < WORDS // sides * sides:
            return word % sides
        attempt += 1


def faces_of(roll: dict[str, Any]) -> list[int | str]:
    """Return all faces of a die, by its name or as listed: numbers first, then text."""
    listed = roll.get("die_faces", [])
    if not listed:
        if named := re.fullmatch(r"d([1-9][0-9]{0,4})", roll["die"]):
            return list(range(1, int(named[1]) + 1))
        raise Wrong(f"the faces of a {roll['die']} are unknown.")
    numbers = sorted(face for face in listed if isinstance(face, int))
    texts = sorted((face for face in listed if isinstance(face, str)), key=lambda f: f.encode("utf-16-be"))
    return [*numbers, *texts]


def values_of(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """Yield the values of a log's lines. Raises Wrong at a line that does not match its hash."""
    sealed = ""
    for number, line in enumerate(lines, 1):
        must(line.endswith(b"\n"), "the log does not end with a newline.")
        said, _, text = line[:-1].partition(b" ")
        sealed = hashlib.sha256(sealed.encode() + b" " + text).hexdigest()
        must(said == sealed.encode(), f"line {number} was changed.")
        try:
            yield json.loads(text)
        except (ValueError, RecursionError):
            raise Wrong(f"line {number} is not JSON.") from None


def verify(log: bytes) -> Report:
    """Verify a log; the report has the counts, or the first failure."""
    return verify_lines(io.BytesIO(log))


def verify_lines(lines: Iterable[bytes]) -> Report:
    """Verify a log of any length line by line; lines keep their ends."""
    log = Log("")
    try:
        log.check_all(values_of(lines))
    except Wrong as wrong:
        log.report.holds, log.report.why = False, str(wrong)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        log.report.holds, log.report.why = False, "a field is missing or has the wrong type."
    return log.report


def main(path: str, as_json: bool = False) -> int:
    """Verify a file and print the report; return 0 if it holds, else 1."""
    with open(path, "rb") as file:
        report = verify_lines(file)
    print(json.dumps(asdict(report)) if as_json else report.in_words())
    return 0 if report.holds else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--json" in sys.argv[2:]))
