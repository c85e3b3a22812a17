"""Tables of combinations: what each act does in each state, as tab-separated data beside the tests of a game.

`combinations.tsv` has the states of a game by its acts, `barriers.tsv` what stands between two units by their
distance, `ends.tsv` what is unfinished by the ways in which a turn ends. A row has a state, an act, the
verdict, the rule that a refusal names, what the verdict follows from, and, in the last two, what the act
leaves. It follows from a rule of the text, by its ID, or from a ruling of this house: a house rule by its
key, or a line of the page of the game.

`make combinations` counts the cells of all games, `make combinations RULESET=torn TABLE=ends` prints a table.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple

from enfilade.rules.dice import Die, Faces
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import Answers, ChoicePending, Resolution, refusal, resolve
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.model import Holder, Scene, Token

HERE = Path(__file__).parent
PAGES = Path(__file__).parents[3] / "docs" / "rulesets"
GAMES = sorted(path.parent.name for path in HERE.glob("*/combinations.py"))
MOST_FACES = 6
"""The dice of a walk all show the same face, one after the other of so many."""

Verdict = Literal["legal", "asks", "refused"]


class Cell(NamedTuple):
    """A cell of a table."""

    state: str
    act: str
    verdict: str
    rule: str
    follows: str
    leaves: str = ""


class Try(NamedTuple):
    """An act that is tried, in the scene as `arrange` changes it."""

    act: Act
    arrange: Callable[[Scene], Scene] = lambda scene: scene


class Combinations(NamedTuple):
    """The states of a game, each with the scene that it makes, and the acts that are tried in each."""

    ruleset: Ruleset
    states: Mapping[str, Callable[[], Scene]]
    acts: Mapping[str, Act | Try]
    face: int | None = None
    """The place of the face that all dice show for what an act leaves; None if the table does not tell."""


class SameFace:
    """Dice that all show one face of theirs."""

    def __init__(self, index: int) -> None:
        """`index` is the place of the face on its die; a smaller die shows its last."""
        self.index = index

    def roll(self, die: Die, count: int) -> Faces:
        """Return the same face for each die."""
        return (die.faces[min(self.index, len(die.faces) - 1)],) * count


def tables_of(game: str) -> Mapping[str, Combinations]:
    """Return the tables of a game by the name of their files."""
    module: Any = import_module(f"tests.unit.rulesets.{game}.combinations")
    return module.TABLES


def verdict_of(ruleset: Ruleset, scene: Scene, act: Act) -> tuple[Verdict, str]:
    """Return the verdict on an act, and the rule that refuses it.

    An act asks if a player may have to answer.
    """
    if act.kind == "move":
        ruling = ruleset.judge(scene, scene.token(act.token), act.waypoints, act.facing)
        if not ruling.allowed:
            return "refused", _rule_in(ruling.reasons[0])
    else:
        refused = refusal(scene, ruleset.acts[act.kind].procedure, act)
        if refused is not None:
            return "refused", getattr(refused, "rule", "")
    return ("asks" if asks(ruleset, scene, act) else "legal"), ""


def _rule_in(reason: str) -> str:
    """Return the ID of the rule at the end of a sentence; "-" if it names none."""
    return reason.rpartition("(")[2].rstrip(").") if reason.endswith((")", ").")) else "-"


def asks(ruleset: Ruleset, scene: Scene, act: Act) -> bool:
    """Return whether a side is asked as an act is done, with dice that all show the same face."""
    for index in range(MOST_FACES):
        try:
            resolve(
                scene,
                ruleset.acts[act.kind].procedure,
                (act,),
                Answers(dice=SameFace(index), automatic=()),
            )
        except ChoicePending:
            return True
    return False


def done_with(ruleset: Ruleset, scene: Scene, act: Act, face: int) -> Resolution:
    """Return an act as it is done with one face of all dice and the defaults of all choices."""
    return resolve(scene, ruleset.acts[act.kind].procedure, (act,), Answers(dice=SameFace(face)))


def played(ruleset: Ruleset, scene: Scene, act: Act) -> Iterator[Resolution]:
    """Yield an act as it is done with each face of the dice."""
    for face in range(MOST_FACES):
        yield done_with(ruleset, scene, act, face)


def what_is_left(before: Scene, after: Scene) -> str:
    """Return what changed of places, conditions and tracks: "ann: braced gone; table: priority red"."""
    changes = []
    for token in before.tokens:
        changed = [*_moved(token, after.token(token.id)), *_notes(token, after.token(token.id))]
        changes += [f"{token.id}: {', '.join(changed)}"] if changed else []
    for side in before.sides:
        notes = _notes(side, after.side(side.id))
        changes += [f"{side.id}: {', '.join(notes)}"] if notes else []
    table = _notes(before, after)
    return "; ".join([*changes, *([f"table: {', '.join(table)}"] if table else [])])


def _moved(before: Token, after: Token) -> list[str]:
    if before.at == after.at:
        return []
    return ["off the board" if after.at is None else f"at {after.at[0]},{after.at[1]}"]


def _notes(before: Holder, after: Holder) -> list[str]:
    pairs = (before.conditions, after.conditions), (before.tracks, after.tracks)
    return [
        f"{key} {now[key]}".strip() if key in now else f"{key} gone"
        for was, now in pairs
        for key in sorted({*was, *now})
        if was.get(key) != now.get(key)
    ]


def scene_of(made: Scene, tried: Act | Try) -> tuple[Scene, Act]:
    """Return the scene in which an act is tried, and the act."""
    return (tried.arrange(made), tried.act) if isinstance(tried, Try) else (made, tried)


def cells(table: Combinations) -> Iterator[Cell]:
    """Yield the cells of a table as the code has them now, without what they follow from."""
    for state, make in table.states.items():
        for name, tried in table.acts.items():
            scene, act = scene_of(make(), tried)
            verdict, rule = verdict_of(table.ruleset, scene, act)
            left = ""
            if table.face is not None and verdict != "refused":
                left = what_is_left(scene, done_with(table.ruleset, scene, act, table.face).scene)
            yield Cell(state, name, verdict, rule, "", left)


def file_of(game: str, table: str) -> Path:
    """Return the file of a table."""
    return HERE / game / f"{table}.tsv"


def read_table(game: str, table: str) -> list[Cell]:
    """Return the cells of a file; none if there is no file yet."""
    path = file_of(game, table)
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [Cell(*row) for row in rows][1:]


def is_rule(follows: str) -> bool:
    """Return whether a cell follows from a rule of the text, and not from a ruling of this house."""
    return re.fullmatch(r"[A-Z]{3}-\d{3}", follows) is not None


def rulings_of(ruleset: Ruleset) -> set[str]:
    """Return what a cell may follow from: the house rules, and the rules and rulings of the game's page."""
    page = (PAGES / f"{ruleset.key.replace('_', '-')}.md").read_text(encoding="utf-8")
    named = re.findall(r"\*\*([A-Z]{3}-\d{3})\*\*|^- ([CR]-\d+)[:,]", page, re.MULTILINE)
    return {rule.key for rule in ruleset.house_rules} | {one for pair in named for one in pair if one}
