"""The texts of a game for people: the log text of an act, and the card of a unit, each from a table.

A log text has short sentences, and the arithmetic behind them as a detail that pages fold away.

A narrator returns one text: its first line has the sentences, a second one the detail, if there is any. A
game states a table with a row for each kind of explained step: `told` names the texts of a row, `by` and
`either` choose among rows by a fact, and a function writes what no text of the catalog can. A card is a table
of `CardRow`s, and of functions for what has several lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.ruleset import CardLine
from enfilade.scene.events import AnyEvent, DiceRolled, Explained, TokenMoved
from enfilade.scene.model import Scene


def cell_name(cell: Cell) -> str:
    """Return the name of a cell as players say it: column letters and a row from 1. (2, 6) is C7."""
    letters, rest = "", cell[0] + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{cell[1] + 1}"


class LogText(NamedTuple):
    """The words for a step of an act: a sentence for the log, and the numbers behind it, in sentences too."""

    text: str
    detail: str = ""


def log_text(parts: Iterable[LogText | str]) -> str:
    """Return the text of steps: their sentences, then their details on a line of their own."""
    told = [LogText(part) if isinstance(part, str) else part for part in parts]
    lines = [" ".join(filter(None, line)) for line in zip(*told, strict=True)] if told else []
    return "\n".join(filter(None, lines))


def split_detail(text: str) -> LogText:
    """Return the sentences and the detail of a log text."""
    sentences, _, detail = text.partition("\n")
    return LogText(sentences, detail)


class Step(NamedTuple):
    """An explained step of an act: its facts, the names of tokens and sides, and the dice rolled for it.

    A token's name stands under its ID, and a side's under "side " and its ID. `dice` are those in `rolled` as
    the game writes them. `later` are the events of the act after it, `earlier` those before it, and `scene`
    is the one before the act.
    """

    facts: Mapping[str, Any]
    names: Mapping[str, str]
    dice: str
    later: Sequence[AnyEvent]
    earlier: Sequence[AnyEvent]
    rolled: Sequence[DiceRolled]
    scene: Scene

    @property
    def name(self) -> str:
        """Return the name of the token that acts or is affected."""
        return self.names.get(self.facts.get("token", ""), "")

    @property
    def target(self) -> str:
        """Return the name of the target."""
        return self.names.get(self.facts.get("target", ""), "")

    @property
    def side(self) -> str:
        """Return the name of the side."""
        return self.names.get(f"side {self.facts.get('side', '')}", "")

    @property
    def fields(self) -> dict[str, Any]:
        """Return what a text of the catalog may name: the facts, and these names and dice in place of IDs."""
        named = {"name": self.name, "target": self.target, "side": self.side, "dice": self.dice}
        return {**self.facts, **named}

    @property
    def faces(self) -> list[int | str]:
        """Return the faces of all dice rolled for the step."""
        return [face for roll in self.rolled for face in roll.faces]

    @property
    def way(self) -> list[TokenMoved]:
        """Return the moves of the token over the board later in the act; empty if it stays or is removed."""
        key = self.facts.get("token", "")
        moved = [event for event in self.later if isinstance(event, TokenMoved) and event.token == key]
        return [event for event in moved if event.at not in (None, event.was_at)]

    @property
    def following(self) -> str:
        """Return the kind of the next explained step; empty for the last one."""
        return next((event.kind for event in self.later if isinstance(event, Explained)), "")

    def listed(self, keys: Sequence[str]) -> str:
        """Return the names of some tokens."""
        return ", ".join([self.names.get(key, key) for key in keys])


Row = Callable[[Step], LogText | str]
"""What a table has for a kind of step: the function that writes its text."""


def told(text: str, detail: str = "", *, dice: str = "", **renamed: str) -> Row:
    """Return a row with the catalog's keys of a sentence and of its detail; each may be "".

    The fields of the texts are those of `Step.fields`. `renamed` says which fact a field stands for:
    `told("torn.log_destroyed", count="hexes")`. `dice` is the key of a detail that is left out if the step
    has no dice.
    """

    def row(step: Step) -> LogText:
        fields = {**step.fields, **{field: step.facts[fact] for field, fact in renamed.items()}}
        below = detail or (dice if step.dice else "")
        return LogText(localize(text, **fields) if text else "", localize(below, **fields) if below else "")

    return row


def with_reasons(text: str) -> Row:
    """Return a row with the catalog's key of a sentence, and the reasons of a ruling after it."""
    return lambda step: " ".join([localize(text, **step.fields), *step.facts["reasons"]])


def by(fact: str, rows: Mapping[Any, Row], otherwise: Row | None = None) -> Row:
    """Return the row for the value of a fact, such as `by("act", {"stand": told(...), ...})`."""
    return lambda step: (rows.get(step.facts[fact]) or otherwise or rows[step.facts[fact]])(step)


def either(fact: str, row: Row, otherwise: Row) -> Row:
    """Return a row for steps with a fact that is true, positive or not empty, and another for the rest."""
    return lambda step: (row if step.facts[fact] else otherwise)(step)


def narrate_steps(
    scene: Scene,
    events: Sequence[AnyEvent],
    sentences: Mapping[str, Row],
    show_dice: Callable[[Sequence[DiceRolled]], str],
    other: Callable[[Mapping[str, str], AnyEvent], LogText | str],
    begins: frozenset[str] = frozenset(),
) -> str:
    """Return a sentence for each step of an act, and its detail, from the scene before it and its events.

    `sentences` has a row for each kind of step. A step has the dice since the step before it, as `show_dice`
    writes them. `other` returns a sentence for another event, from the names, or "". With `begins`, the kinds
    of step with which an account begins, a step also has the facts of the steps since then.
    """
    names = {token.id: token.name for token in scene.tokens}
    names |= {f"side {side.id}": side.name for side in scene.sides}
    rolled: list[DiceRolled] = []
    found: list[LogText | str] = []
    facts: Mapping[str, Any] = {}
    for place, event in enumerate(events):
        if isinstance(event, DiceRolled):
            rolled.append(event)
            continue
        if not isinstance(event, Explained):
            found.append(other(names, event))
            continue
        if event.kind in begins:
            rolled.clear()
        is_apart = not begins or event.kind in begins
        facts = event.facts if is_apart else {**facts, **event.facts}
        if event.kind in sentences:
            step = Step(
                facts, names, show_dice(rolled), events[place + 1 :], events[:place], tuple(rolled), scene
            )
            found.append(sentences[event.kind](step))
            rolled.clear()
    return log_text(found)


U = TypeVar("U")


class CardRow(NamedTuple, Generic[U]):
    """A line of a card: the catalog's key of its label, its value, and its note or where that comes from.

    A line whose value is an empty text is left out.
    """

    label: str
    value: Callable[[Scene, U], object]
    note: Callable[[Scene, U], str] | str = ""


CardTable = Sequence[CardRow[U] | Callable[[Scene, U], Iterable[CardLine]]]
"""The lines of a game's card in order; a function gives as many lines as a unit has."""


def card_lines(table: CardTable[U], scene: Scene, one: U) -> tuple[CardLine, ...]:
    """Return the lines of a unit's card."""
    return tuple(_card_lines(table, scene, one))


def _card_lines(table: CardTable[U], scene: Scene, one: U) -> Iterator[CardLine]:
    for row in table:
        if not isinstance(row, CardRow):
            yield from row(scene, one)
        elif value := str(row.value(scene, one)):
            note = row.note if isinstance(row.note, str) else row.note(scene, one)
            yield CardLine(localize(row.label), value, note)
