"""House-rule diff: run a recorded battle again under other house rules, and list each verdict that changes.

The battle runs from its start on a scene of its own, which follows the other rules. A recorded roll answers a
roll with the same label and die; a recorded decision answers the same question. If the recorded dice or
decisions do not answer an act, the diff says so, and the battle goes on as it was recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from enfilade.errors import BadFile, EnfiladeError, IllegalAct, NotFound
from enfilade.i18n import localize
from enfilade.play.context import ActRequest, automatic_sides, automatic_tokens, read_request
from enfilade.play.log import log_text
from enfilade.play.redaction.acts import manual_choices
from enfilade.rules.allocations import encode_split, problem_with, read_split
from enfilade.rules.dice import Faces
from enfilade.rules.house_rules import Setting, check_settings
from enfilade.rules.procedures import Allocate, Choose, ChooseAll, ProcedureError, Roll
from enfilade.rules.registry import MOVE, Rulesets, ruleset_for
from enfilade.rules.resolve import Answers, ChoicePending, WrongAnswer, resolve
from enfilade.rules.ruleset import Ruleset, refused_move
from enfilade.scene.apply import fold, fold_all, inverse
from enfilade.scene.entry import Entry
from enfilade.scene.events import AnyEvent, DiceRolled, SceneSet
from enfilade.scene.model import Scene, Value

Kind = Literal["changed", "refused", "unanswered", "unrepeatable"]


class ChangedVerdict(Value, frozen=True, kw_only=True):
    """An entry whose verdict is another under the changed rules, or is not known.

    `was` is the recorded sentence, `now` the new one: of the act, of its refusal (`refused`, with the ID of
    the `rule`), or of what the recorded dice and decisions do not answer (`unanswered`). An `unrepeatable`
    entry does not come to its recorded result under its own rules either, so nothing can be said of it.
    `is_direct` tells a change on the recorded scene from one that only follows from earlier changes.
    """

    seq: int
    kind: Kind
    was: str
    now: str
    rule: str = ""
    is_direct: bool = True


class RulesDiff(Value, frozen=True, kw_only=True):
    """The verdicts of a battle that change under other house rules.

    Of all `entries`, `acts` were resolved again, and `same` of them came to the same verdict.
    """

    house_rules: dict[str, Setting]
    entries: int
    acts: int
    same: int
    verdicts: tuple[ChangedVerdict, ...]


class Verdict(Value, frozen=True, kw_only=True):
    """The verdict on one act: its kind, its sentence, its facts, and the events that it causes."""

    kind: Literal["resolved", "refused", "unanswered"]
    text: str
    rule: str = ""
    outcome: Any = None
    ruling: Any = None
    events: tuple[AnyEvent, ...] = ()

    def is_same(self, other: Verdict) -> bool:
        """Return whether two verdicts say the same, though their events may differ."""
        mine, others = ((one.kind, one.text, one.rule, one.outcome, one.ruling) for one in (self, other))
        return mine == others


Progress = Callable[[int], None]


def rules_diff(
    rulesets: Rulesets,
    start: Scene,
    entries: Iterable[Entry],
    house_rules: Mapping[str, Setting],
    progress: Progress = lambda _done: None,
) -> RulesDiff:
    """Return the verdicts of a battle that change under house rules, from the scene before its first entry.

    `progress` is called with the number of entries done. Raises BadMessage for unknown settings.
    """
    check_settings(house_rules, ruleset_for(rulesets, start).house_rules)
    run = _Run(rulesets, start, dict(house_rules))
    count = 0
    for entry in entries:
        run.take(entry)
        count += 1
        progress(count)
    return RulesDiff(
        house_rules=dict(house_rules),
        entries=count,
        acts=run.acts,
        same=run.acts - len(run.found),
        verdicts=tuple(run.found),
    )


def first_scene(entries: Sequence[Entry]) -> tuple[Scene, Sequence[Entry]]:
    """Return the scene that a log sets first, and the entries after that. Raises BadFile without one."""
    for place, entry in enumerate(entries):
        if any(isinstance(event, SceneSet) for event in entry.events):
            sets = [event for event in entry.events if isinstance(event, SceneSet)]
            start = fold_all(sets[0].scene, entry.events)
            return start, entries[place + 1 :]
    raise BadFile(localize("play.no_first_scene"))


@dataclass
class _Run:
    """The battle under the changed rules so far, beside the recorded one."""

    rulesets: Rulesets
    recorded: Scene
    house_rules: dict[str, Setting]
    acts: int = 0
    found: list[ChangedVerdict] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.scene = self._changed(self.recorded)
        self._done: dict[int, tuple[AnyEvent, ...]] = {}

    def take(self, entry: Entry) -> None:
        """Take the next entry of the log."""
        before, self.recorded = self.recorded, fold_all(self.recorded, entry.events)
        if entry.undoes is not None:
            applied: tuple[AnyEvent, ...] = tuple(inverse(self._done.get(entry.undoes, ())))
        elif entry.request is not None and entry.events:
            applied = self._act(entry, before)
        else:
            applied = entry.events
        self._apply(applied)
        self._done[entry.seq] = applied

    def _act(self, entry: Entry, before: Scene) -> tuple[AnyEvent, ...]:
        """Resolve an act again, and return the events that it now has."""
        self.acts += 1
        ruleset = ruleset_for(self.rulesets, before)
        request = read_request(ruleset, entry.request or {})
        recorded = verdict_of(ruleset, before, request, entry.events)
        if recorded.kind != "resolved" or recorded.text != _with_detail(entry.text, entry.facts):
            self._note(entry, "unrepeatable", localize("play.unrepeatable"))
            return entry.events
        now = verdict_of(ruleset, self.scene, request, entry.events)
        if now.is_same(recorded):
            # A move that met something unseen was recorded with the costs that its player saw.
            return entry.events if now.events == recorded.events else now.events
        is_direct = self._is_direct(ruleset, entry, before, recorded)
        if now.kind == "unanswered":
            self._note(entry, "unanswered", now.text, is_direct=is_direct)
            return entry.events
        kind: Kind = "refused" if now.kind == "refused" else "changed"
        self._note(entry, kind, now.text, now.rule, is_direct)
        return now.events

    def _is_direct(self, ruleset: Ruleset, entry: Entry, before: Scene, recorded: Verdict) -> bool:
        """Return whether the verdict changes on the recorded scene too, by the rules alone."""
        alone = self._changed(before)
        if alone == self.scene:
            return True
        request = read_request(ruleset, entry.request or {})
        return not verdict_of(ruleset, alone, request, entry.events).is_same(recorded)

    def _note(self, entry: Entry, kind: Kind, now: str, rule: str = "", is_direct: bool = True) -> None:
        was = _with_detail(entry.text, entry.facts)
        self.found.append(
            ChangedVerdict(seq=entry.seq, kind=kind, was=was, now=now, rule=rule, is_direct=is_direct)
        )

    def _apply(self, events: Sequence[AnyEvent]) -> None:
        """Apply recorded facts; what they are about may be gone here."""
        for event in events:
            try:
                self.scene = fold(self.scene, event)
            except NotFound:
                continue
        self.scene = self._changed(self.scene)

    def _changed(self, scene: Scene) -> Scene:
        house_rules = {**scene.house_rules, **self.house_rules}
        return scene if house_rules == scene.house_rules else replace(scene, house_rules=house_rules)


def verdict_of(ruleset: Ruleset, scene: Scene, request: ActRequest, recorded: Sequence[AnyEvent]) -> Verdict:
    """Return the verdict on an act in a scene, with the recorded dice and decisions."""
    try:
        _require_allowed_move(ruleset, scene, request)
        answers = _Recorded(scene, request, recorded)
        done = resolve(scene, ruleset.acts[request.act.kind].procedure, (request.act,), answers)
    except IllegalAct as refused:
        return Verdict(kind="refused", text=refused.sentence, rule=refused.rule)
    except WrongAnswer as missing:
        return Verdict(kind="unanswered", text=missing.sentence)
    except ChoicePending as waiting:
        choice = waiting.choice
        asked = choice.choices if isinstance(choice, ChooseAll) else (choice,)
        text = " ".join(one.question for one in asked)
        return Verdict(kind="unanswered", text=localize("play.no_recorded_answer", question=text))
    except ProcedureError:
        raise
    except EnfiladeError as refused:
        return Verdict(kind="refused", text=refused.sentence)
    said = log_text(ruleset, scene, request, done, answers.overridden)
    return Verdict(
        kind="resolved",
        text=_with_detail(said.text, said.facts),
        outcome=msgspec.to_builtins(done.result),
        ruling=said.facts.get("ruling"),
        events=tuple(done.events),
    )


def _with_detail(text: str, facts: Mapping[str, Any]) -> str:
    """Return the sentence of a log entry with its arithmetic, in which two verdicts may differ alone."""
    return " ".join(part for part in (text, facts.get("detail")) if part)


def _require_allowed_move(ruleset: Ruleset, scene: Scene, request: ActRequest) -> None:
    """Raise IllegalAct for a move that a table that enforces the rules refuses."""
    act = request.act
    if act.kind != MOVE or scene.enforcement != "enforce" or request.reason or act.at is None:
        return
    ruling = ruleset.judge(scene, scene.token(act.token), act.waypoints, act.facing)
    if not ruling.allowed:
        raise refused_move(ruling)


class _Recorded(Answers):
    """Answers from a record: each roll takes the faces of the same roll, each question its own answer."""

    def __init__(self, scene: Scene, request: ActRequest, events: Sequence[AnyEvent]) -> None:
        super().__init__(
            automatic=automatic_sides(scene, request),
            automatic_tokens=automatic_tokens(scene),
            overrides=request.reason != "",
        )
        self._rolls = [event for event in events if isinstance(event, DiceRolled)]
        self._choices = manual_choices(events)
        self._is_typed = request.is_typed

    @property
    def is_typed(self) -> bool:
        """Return whether the recorded faces are those of physical dice."""
        return self._is_typed

    def roll_faces(self, roll: Roll) -> Faces:
        """Return the recorded faces of the same roll. Raises WrongAnswer without enough of them."""
        for place, known in enumerate(self._rolls):
            is_same = known.label == roll.label and known.die == roll.die.name
            if is_same and set(known.faces) <= set(roll.die.faces) and len(known.faces) >= roll.number:
                del self._rolls[: place + 1]
                return tuple(known.faces[: roll.number])
        if not roll.number:
            return ()
        raise WrongAnswer(
            localize("play.no_recorded_roll", label=roll.label, number=roll.number, die=roll.die.name)
        )

    def decision(self, choice: Choose | Allocate) -> tuple[str, bool] | None:
        """Return the recorded answer to the same question, or the default of an automatic side."""
        is_automatic = self.automatic is not None and choice.side in self.automatic
        if is_automatic or choice.token in self.automatic_tokens:
            default = encode_split(choice.default) if isinstance(choice, Allocate) else choice.default
            return default, True
        for place, made in enumerate(self._choices):
            if made.question == choice.question and _is_offered(choice, made.answer):
                del self._choices[: place + 1]
                return made.answer, False
        return None

    def require_used_up(self) -> None:
        """Accept what is left over: other rules may need fewer dice."""


def _is_offered(choice: Choose | Allocate, answer: str) -> bool:
    if isinstance(choice, Allocate):
        split = read_split(answer)
        return split is not None and not problem_with(choice, split)
    return answer in [offered.key for offered in choice.answers]
