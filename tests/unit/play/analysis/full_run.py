"""A full run of a recorded battle at a real table under other house rules, as an oracle for the diff.

It plays each recorded act by commands. A roll gets the recorded faces of the roll with the same label and
die; a question its recorded answer. So it shares with the diff only what "the recorded dice answer" means.
"""

from __future__ import annotations

import itertools

from msgspec.structs import replace

from enfilade.errors import EnfiladeError, IllegalAct, NotFound
from enfilade.messages.load import load_command
from enfilade.play.table import Table
from enfilade.rules.allocations import read_split
from enfilade.rules.resolve import Answers, WrongAnswer
from enfilade.scene.apply import fold, fold_all
from enfilade.scene.events import ChoiceMade, DiceRolled
from enfilade.scene.model import GM
from enfilade.store.memory import MemoryStore
from enfilade.store.protocol import TableState

NEW_IDS = itertools.count()


class RecordedDice:
    """Dice that show the recorded faces; a test patches `Answers.roll_faces` to tell them each label."""

    def __init__(self):
        self.rolls, self.label = [], ""

    def for_command(self, _table, _command):
        return self

    def roll(self, die, count):
        """Return the faces of the first roll left with the label and the die, and drop those before it."""
        while self.rolls:
            known = self.rolls.pop(0)
            is_same = (known.label, known.die) == (self.label, die.name) and len(known.faces) >= count
            if is_same and all(face in die.faces for face in known.faces):
                return tuple(known.faces[:count])
        raise WrongAnswer("no recorded dice")


def told(entry):
    """The sentence of an entry with its arithmetic."""
    return " ".join(part for part in (entry.text, entry.facts.get("detail")) if part)


class FullRun:
    """The battle at tables under other rules; a new table starts where the record has to go on."""

    def __init__(self, rulesets, start, house_rules, monkeypatch):
        self.rulesets, self.house_rules = rulesets, house_rules
        self.dice = RecordedDice()
        original = Answers.roll_faces

        def with_label(answers, roll):
            self.dice.label = roll.label
            return original(answers, roll)

        monkeypatch.setattr(Answers, "roll_faces", with_label)
        self.recorded = start
        self.begin(start)

    def begin(self, scene):
        """Start a new table with a scene under the other rules."""
        scene = replace(scene, house_rules={**scene.house_rules, **self.house_rules})
        store, state = MemoryStore(), TableState(id="run", seq=0, scene=scene)
        store.create(state, {})
        self.table = Table(state, store, self.rulesets, self.dice)

    def do(self, kind, **body):
        raw = {"v": 1, "id": f"f{next(NEW_IDS)}", "kind": kind, "base": None, "body": body}
        return self.table.execute(GM, load_command(raw))

    def changed(self, entries):
        """Yield (number, kind, sentence) of each entry whose verdict differs from the record."""
        for entry in entries:
            before, self.recorded = self.recorded, fold_all(self.recorded, entry.events)
            if entry.request is None or not entry.events:
                continue
            kind, text, outcome, ruling = self.play(entry)
            if kind == "unanswered":
                self.begin(self.with_record(entry.events))
                yield entry.seq, kind, ""
            elif kind == "refused":
                yield entry.seq, kind, text
            elif (text, ruling) != (told(entry), entry.facts.get("ruling")) or outcome != self.outcome_of(
                before, entry
            ):
                yield entry.seq, "changed", text

    def with_record(self, events):
        """Return the scene with recorded facts, as far as they fit."""
        scene = self.table.scene
        for event in events:
            try:
                scene = fold(scene, event)
            except NotFound:
                continue
        return scene

    def outcome_of(self, before, entry):
        """Return the recorded outcome: by the record at a table under its own rules."""
        other = FullRun.__new__(FullRun)
        other.rulesets, other.house_rules, other.dice = self.rulesets, {}, self.dice
        other.begin(before)
        return other.play(entry)[2]

    def play(self, entry):
        """Return the kind of the verdict, its sentence, the outcome and the ruling."""
        self.dice.rolls = [event for event in entry.events if isinstance(event, DiceRolled)]
        made = [e for e in entry.events if isinstance(e, ChoiceMade) and not e.automatic]
        start = self.table.scene
        try:
            done = self.command(entry.request)
            while "waiting" in done.result:
                done = self.answer(made)
        except IllegalAct as refused:
            return "refused", refused.sentence, None, None
        except (WrongAnswer, LookupError):
            self.begin(start)
            return "unanswered", "", None, None
        except EnfiladeError as refused:
            return "refused", refused.sentence, None, None
        last = done.entry
        return "resolved", told(last), done.result["outcome"], last.facts.get("ruling")

    def command(self, request):
        act = {key: value for key, value in request["act"].items() if value is not None}
        if act["kind"] != "move":
            return self.do("act", act=act, override=request["reason"])
        moves = {"path": act["path"]} if act.get("path") else {}
        body = {"token": act["token"], "at": act["at"], "facing": act.get("facing"), **moves}
        return self.do("token.move", **body, override=request["reason"])

    def answer(self, made):
        """Answer the open choices by the record. Raises LookupError without an answer."""
        choice = self.table.snapshot(GM).choice
        answers = {}
        for one in (choice, *choice.others):
            known = next(each for each in [*made, None] if each is None or each.question == one.question)
            if known is None:
                raise LookupError(one.question)
            del made[: made.index(known) + 1]
            keys = [option.key for option in one.options]
            if one.allocation is None and known.answer not in keys:
                raise LookupError(one.question)
            answers[one.id] = known.answer if one.allocation is None else read_split(known.answer)
        first, *others = answers
        more = {"also": {key: answers[key] for key in others}} if others else {}
        return self.do("choice.answer", choice=first, answer=answers[first], **more)
