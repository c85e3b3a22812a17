"""Build small battlefields of Double Life, and play rounds on them with given plans and dice."""

from __future__ import annotations

from msgspec.structs import replace

from enfilade.errors import IllegalAct
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import Answers, refusal, resolve
from enfilade.rulesets.double_life import DOUBLE_LIFE
from enfilade.rulesets.double_life.battlefield import battlefield
from enfilade.rulesets.double_life.combat.attack import AgainstStance
from enfilade.rulesets.double_life.offers import ACTS
from enfilade.rulesets.double_life.plans import is_able
from enfilade.rulesets.double_life.profiles import read_character
from enfilade.scene.events import DiceRolled, Explained, TokenMoved
from enfilade.scene.model import Grid, Scene, Side, Token

BLUE, RED = Side(id="blue", name="Blue"), Side(id="red", name="Red")
SWORD = {"name": "Sword", "dice": 1, "sides": 6}

NORTH, EAST, SOUTH, WEST = 0, 90, 180, 270


def fighter(token_id, at=None, facing=NORTH, side="blue", **sheet):
    """Build a character without a race, who throws a D20, with a sword, 10 in all values and 20 Health."""
    conditions = sheet.pop("conditions", {})
    tracks = sheet.pop("tracks", {})
    hidden = sheet.pop("hidden", False)
    values = dict.fromkeys(("strength", "agility", "perception", "will", "focus", "stamina"), 10)
    sheet = {"attack": 10, "defense": 10, "health": 20, "weapons": [SWORD], **values, **sheet}
    return Token(
        id=token_id,
        name=token_id.capitalize(),
        side=side,
        at=at,
        facing=facing,
        profile=sheet,
        conditions=conditions,
        tracks=tracks,
        hidden=hidden,
    )


def foe(token_id, at=None, facing=SOUTH, **sheet):
    return fighter(token_id, at, facing, "red", **sheet)


def scene(*tokens, house_rules=None, size=(12, 10), walls=(), terrain=(), sides=(BLUE, RED), number=0):
    """Build a battlefield after some rounds."""
    return Scene(
        ruleset="double_life",
        grid=Grid("square", *size, units="cases"),
        house_rules={f"double_life.{key}": value for key, value in (house_rules or {}).items()},
        sides=sides,
        walls=tuple(walls),
        terrain=tuple(terrain),
        tracks={"round": number} if number else {},
        tokens=tuple(sorted(map(DOUBLE_LIFE.prepare_token, tokens), key=lambda token: token.id)),
    )


def plan(stance="defend front", place="stay", facing="keep"):
    return stance, place, facing


def answers_to(board, plans):
    """Return the answers of all characters that are asked, in their order; without a plan one defends."""
    given = [plans.get(one.id, plan()) for one in battlefield(board).units if is_able(one)]
    flat = [(one,) if isinstance(one, str) else one for one in given]
    return [answer for one in flat for answer in (*one, *plan()[len(one) :])]


def play(board, plans, faces=(), extra=()):
    """Play a round with plans by token, such as "attack 1 orc", or one with a place and a facing."""
    decisions = [*answers_to(board, plans), *extra]
    given = Answers(faces=tuple(faces), decisions=decisions)
    return resolve(board, ACTS["round"].procedure, (Act(kind="round"),), given)


def do(board, act, faces=(), **answers):
    return resolve(board, ACTS[act.kind].procedure, (act,), Answers(faces=tuple(faces), **answers))


def attack(token, target, weapon="Sword", stance="defends the front"):
    return Act(kind="attack", token=token, target=target, weapon=weapon, body=AgainstStance(stance))


def second_life(token, target):
    return Act(kind="second-life", token=token, target=target)


def go(token, *at, facing=None):
    return Act(kind="move", token=token, at=at, facing=facing)


def facts(done, kind):
    """Return the facts of each explanation of a kind."""
    return [e.facts for e in done.events if isinstance(e, Explained) and e.kind == kind]


def outcomes(done):
    """Return the band of each attack with its attacker, in order."""
    return [(one["token"], one["band"]) for one in facts(done, "outcome")]


def acts_in(done):
    """Return who attacked whom and how, in order."""
    return [(one["act"], one["token"], one["target"]) for one in facts(done, "attack")]


def dice(done):
    return [(e.die, list(e.faces)) for e in done.events if isinstance(e, DiceRolled)]


def poise(board, token_id):
    return read_character(board.token(token_id)).poise


def health(board, token_id):
    return read_character(board.token(token_id)).health


def at(board, token_id):
    return board.token(token_id).at


def steps(done, token_id):
    return [e.at for e in done.events if isinstance(e, TokenMoved) and e.token == token_id]


def character(board, token_id):
    return read_character(board.token(token_id))


def with_token(board, token_id, **changes):
    changed = replace(board.token(token_id), **changes)
    return replace(board, tokens=tuple(changed if t.id == token_id else t for t in board.tokens))


def refused(board, act):
    """Return the ID of the rule that refuses an act; empty for a legal act."""
    found = refusal(board, ACTS[act.kind].procedure, act)
    return found.rule if isinstance(found, IllegalAct) else ""


def card(board, token_id):
    return {line.label: line.value for line in DOUBLE_LIFE.card(board, board.token(token_id))}


def areas(board, token_id, layer):
    """Return the cells of each area of a layer by its label."""
    found = DOUBLE_LIFE.areas(board, board.token(token_id), layer)
    return {
        area.label: {(x, row) for row, first, last in area.runs for x in range(first, last + 1)}
        for area in found
    }


def text_of(board, done):
    return DOUBLE_LIFE.narrate(board, done.events)
