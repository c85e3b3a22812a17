"""Build small gridless battlefields of Miniatures combat in inches, and resolve acts with given faces."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.errors import IllegalAct
from enfilade.rules.allocations import answer_text
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import Answers, ChoicePending, refusal, resolve
from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.miniatures_combat.offers import ACTS
from enfilade.rulesets.miniatures_combat.profiles import read_fighter
from enfilade.scene.events import ChoiceMade, DiceRolled, Explained
from enfilade.scene.model import Grid, Scene, Side, Token, Wall

HEROES, ORCS = Side(id="heroes", name="Heroes"), Side(id="orcs", name="Orcs")


def inches(*numbers):
    """Return inches in 64ths."""
    return tuple(round(number * 64) for number in numbers)


def model(token_id, at=None, side="heroes", **sheet):
    """Build a model on a base of an inch: average, with a basic weapon."""
    place = None if at is None else inches(*at)
    return Token(id=token_id, name=token_id.capitalize(), side=side, at=place, profile=sheet)


def hero(token_id, at=None, **sheet):
    """Build a good fighter of the heroes."""
    return model(token_id, at, **{"level": 3, **sheet})


def orc(token_id, at=None, **sheet):
    """Build a minion of the orcs."""
    return model(token_id, at, **{"side": "orcs", "level": 1, "minion": True, **sheet})


def scene(
    *tokens, turn="heroes", house_rules=None, walls=(), terrain=(), size=(60, 40), sides=(HEROES, ORCS)
):
    """Build a battlefield in inches at the start of a side's turn."""
    return Scene(
        ruleset="miniatures_combat",
        grid=Grid("gridless", *size, distance=1, units="inches"),
        house_rules={f"miniatures_combat.{key}": value for key, value in (house_rules or {}).items()},
        sides=sides,
        conditions={"side": turn},
        terrain=tuple(terrain),
        walls=tuple(walls),
        tokens=tuple(MINIATURES_COMBAT.prepare_token(token) for token in tokens),
    )


def wall(wall_id, *line):
    """Build a wall along a line in inches."""
    return Wall(id=wall_id, line=inches(*line))


def act(kind, token, target="", at=None, path=(), weapon="", **fields):
    """Build an act; `fields` are those of its body, `at` and `path` are in inches."""
    shape = ACTS[kind].body
    return Act(
        kind=kind,
        token=token,
        target=target,
        weapon=weapon,
        at=None if at is None else inches(*at),
        path=tuple(inches(*step) for step in path),
        body=shape(**fields) if shape else None,
    )


def go(board, asked, *faces, answers=(), overrides=False):
    """Resolve an act with these faces; choices beyond `answers` take their defaults."""
    given = Answers(
        faces=list(faces), decisions=[answer_text(answer) for answer in answers], overrides=overrides
    )
    return resolve(board, ACTS[asked.kind].procedure, (asked,), given)


def refused(board, asked):
    """Return the rule that refuses an act; None if it is legal."""
    found = refusal(board, ACTS[asked.kind].procedure, asked)
    return None if found is None else found.rule


def activated(board, *tokens):
    """Return the battlefield after the activation of a group."""
    return go(board, act("activate", tokens[0], members=tuple(tokens[1:]))).scene


def moved(board, token, at, path=()):
    """Return the battlefield after a move to a place in inches. Raises IllegalAct if it is not allowed."""
    ruling = judged(board, token, at, path)
    if not ruling.allowed:
        raise IllegalAct(" ".join(ruling.reasons))
    return go(board, act("move", token, at=at, path=path)).scene


def judged(board, token, at, path=()):
    """Return the ruling on a move to a place in inches."""
    way = tuple(inches(*step) for step in path) or (inches(*at),)
    return MINIATURES_COMBAT.judge(board, board.token(token), way, None)


def with_tracks(board, token_id, **tracks):
    """Return the battlefield with tracks of a token set; `_` in a name stands for a space."""
    named = {name.replace("_", " "): value for name, value in tracks.items()}
    token = board.token(token_id)
    return with_token(board, token_id, tracks={**token.tracks, **named})


def with_conditions(board, token_id, **conditions):
    """Return the battlefield with conditions of a token set."""
    named = {name.replace("_", " "): note for name, note in conditions.items()}
    token = board.token(token_id)
    return with_token(board, token_id, conditions={**token.conditions, **named})


def with_token(board, token_id, **fields):
    """Return the battlefield with fields of a token replaced."""
    tokens = [replace(token, **fields) if token.id == token_id else token for token in board.tokens]
    return replace(board, tokens=tuple(tokens))


def with_points(board, side_id, points):
    """Return the battlefield with the story points of a side."""
    sides = [
        replace(side, tracks={**side.tracks, "story": points}) if side.id == side_id else side
        for side in board.sides
    ]
    return replace(board, sides=tuple(sides))


def points(board, side_id):
    """Return the story points of a side."""
    return board.side(side_id).track("story")


def at_inches(board, token_id):
    """Return the place of a token in inches."""
    at = board.token(token_id).at
    return None if at is None else (at[0] / 64, at[1] / 64)


def facts(done, kind):
    """Return the facts of each explanation of a kind."""
    return [event.facts for event in done.events if isinstance(event, Explained) and event.kind == kind]


def rolled(done):
    """Return (label, faces) of each roll."""
    return [(event.label, event.faces) for event in done.events if isinstance(event, DiceRolled)]


def asked_of(done):
    """Return (side, answer) of each choice."""
    return [(event.side, event.answer) for event in done.events if isinstance(event, ChoiceMade)]


def fighter(board, key):
    """Return the fighter of a token."""
    return read_fighter(board.token(key))


def asks(board, asked, *faces, answers=()):
    """Return the question at which an act waits."""
    given = Answers(faces=list(faces), decisions=list(answers), automatic=())
    with pytest.raises(ChoicePending) as waiting:
        resolve(board, ACTS[asked.kind].procedure, (asked,), given)
    return waiting.value.choice
