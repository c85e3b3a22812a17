"""Build small battlefields of Knights of Valour, and resolve acts on them with given faces."""

from __future__ import annotations

from msgspec.structs import replace

from enfilade.errors import IllegalAct
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import Answers, refusal, resolve
from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from enfilade.rulesets.knights_of_valour.offers import ACTS
from enfilade.rulesets.knights_of_valour.profiles import read_creature
from enfilade.rulesets.knights_of_valour.turn import Intent
from enfilade.scene.events import ChoiceMade, DiceRolled, Explained, TokenMoved
from enfilade.scene.model import Grid, Scene, Side, Terrain, Token

HEROES, MONSTERS = Side(id="heroes", name="Heroes"), Side(id="monsters", name="Monsters")
ALL = {"Sword": 1, "Dagger": 1, "Spear": 1, "Long bow": 1, "Throwing spear": 1, "Staff": 1}


def hero(token_id, at=None, side="heroes", **sheet):
    """Build a player's fighter with a sword, proficiency 1 in it, and stats of 0."""
    sheet = {"role": "fighter", "hands": ["Sword"], "proficiency": ALL, "damage_points": 20, **sheet}
    return Token(id=token_id, name=token_id.capitalize(), side=side, at=at, profile=sheet)


def monster(token_id, at=None, side="monsters", **sheet):
    """Build a monster with a dagger, proficiency 1 in it, and stats of 0."""
    return hero(token_id, at, side, **{"role": "monster", "hands": ["Dagger"], **sheet})


def scene(*tokens, terrain=(), walls=(), house_rules=None, size=(16, 12), sides=(HEROES, MONSTERS)):
    """Build a battlefield before the first round."""
    rules = {f"knights_of_valour.{key}": value for key, value in (house_rules or {}).items()}
    return Scene(
        ruleset="knights_of_valour",
        grid=Grid("square", *size, distance=5, units="feet"),
        house_rules=rules,
        sides=sides,
        terrain=tuple(terrain),
        walls=tuple(walls),
        tokens=tuple(KNIGHTS_OF_VALOUR.prepare_token(token) for token in tokens),
    )


def in_round(board, *order, number=1):
    """Return the battlefield in a round; the tokens named come first in the order of turns."""
    rest = [token.id for token in board.tokens if token.id not in order]
    places = {token: place for place, token in enumerate([*order, *rest], 1)}
    for token in board.tokens:
        agility = read_creature(token).profile.agility
        board = with_tracks(board, token.id, order=places[token.id], initiative=agility)
    return replace(board, tracks={**board.tracks, "round": number})


def with_tracks(board, token_id, **tracks):
    """Return the battlefield with tracks of a creature set; `_` in a name stands for a space."""
    named = {name.replace("_", " "): value for name, value in tracks.items()}
    return with_token(board, token_id, tracks={**board.token(token_id).tracks, **named})


def with_condition(board, token_id, condition, note=""):
    conditions = {**board.token(token_id).conditions, condition: note}
    return with_token(board, token_id, conditions=conditions)


def with_token(board, token_id, **changes):
    changed = replace(board.token(token_id), **changes)
    return replace(board, tokens=tuple(changed if t.id == token_id else t for t in board.tokens))


def patch(kind, *cells, height=0, cost=1, **more):
    """Build terrain of a kind."""
    return Terrain(
        id=kind or "rough",
        name=kind or "rough",
        cells=tuple(cells),
        kind=kind,
        height=height,
        cost=cost,
        **more,
    )


def column(x, rows=12):
    """Return the squares of a whole column."""
    return tuple((x, y) for y in range(rows))


def melee(token, target, weapon="Sword"):
    return Act(kind="melee", token=token, target=target, weapon=weapon)


def shoot(token, target, weapon="Long bow"):
    return Act(kind="ranged", token=token, target=target, weapon=weapon)


def go(token, *at):
    return Act(kind="move", token=token, at=at)


def act(kind, token, target=""):
    return Act(kind=kind, token=token, target=target)


def announce(token, text):
    return Act(kind="intent", token=token, body=Intent(text))


def do(board, asked, faces=(), decisions=(), **answers):
    """Resolve an act with given faces and decisions, and defaults for the rest."""
    given = Answers(faces=tuple(faces), decisions=decisions, **answers)
    return resolve(board, ACTS[asked.kind].procedure, (asked,), given)


def facts(done, kind):
    """Return the facts of each explanation of a kind."""
    return [e.facts for e in done.events if isinstance(e, Explained) and e.kind == kind]


def questions(done):
    return [(e.question, e.answer) for e in done.events if isinstance(e, ChoiceMade)]


def squares(done, token_id):
    """Return the squares that a token moved to, in order."""
    return [e.at for e in done.events if isinstance(e, TokenMoved) and e.token == token_id]


def dice(done):
    return [(e.label, e.die, list(e.faces)) for e in done.events if isinstance(e, DiceRolled)]


def points(done, token_id):
    return read_creature(done.scene.token(token_id)).points


def refused(board, asked):
    """Return the ID of the rule that refuses an act; empty for a legal act."""
    found = refusal(board, ACTS[asked.kind].procedure, asked)
    return found.rule if isinstance(found, IllegalAct) else ""


def judged(board, token_id, *path):
    return KNIGHTS_OF_VALOUR.judge(board, board.token(token_id), path, None)


def reach(board, token_id):
    found = KNIGHTS_OF_VALOUR.reach(board, board.token(token_id))
    return {(x, y): cost for x, y, cost in found.cells} if found else None


def card(board, token_id):
    return {line.label: line.value for line in KNIGHTS_OF_VALOUR.card(board, board.token(token_id))}


def text_of(board, done):
    return KNIGHTS_OF_VALOUR.narrate(board, done.events)
