"""Marks in all secrets, and random games of each ruleset: no mark may reach another seat.

The marks are the ids, names, images, conditions and notes of hidden miniatures, and the reasons for which the
game master overrules the rules for them. The board's own tools place what is hidden and give it its ids.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec.structs import replace

from enfilade.play import view as views
from enfilade.play.view import view
from enfilade.rules.conformance.games import choose_act
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rules.procedures import Act
from enfilade.rules.registry import load_rulesets
from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import AUTOMATIC, GM, SPECTATOR, OwnUnit, Scene, Seat, Terrain, Token, Wall
from tests.fault.assistant import question
from tests.fault.board_tools import gesture
from tests.fault.scenario import Figures, Pool, Verdict
from tests.fault.table_harness import TableHarness, command_for

MARK = "CANARY"
ANN = Seat("player", "ann")
OTHERS = (ANN, SPECTATOR)
_LONGEST = 60
"""So many steps of each game."""

_MUTANT_FRAMES = 2_000


def run(frames: int) -> Verdict:
    """Plays until so many frames were sent to players and spectators, then every mutant build."""
    with Pool() as pool:
        figures = pool.run_parallel(play, "frames", frames)
        caught = {
            name: pool.run_parallel(play, "frames", _MUTANT_FRAMES, name, stop="marks")["marks"]
            for name in MUTANTS
        }
    return Verdict("secrets", {"marks": figures.pop("marks")}, caught, dict(figures))


def play(seeds: range, mutant: str) -> Figures:
    """The figures of some games: how many frames went to players and spectators, how many with a mark."""
    rulesets = list(load_rulesets(BUILT_IN).values())
    figures: Figures = Counter(games=len(seeds), marks=0)
    with MUTANTS[mutant]() if mutant else nullcontext():
        for seed in seeds:
            hall = played(rulesets[seed % len(rulesets)], seed)
            frames = [frame for seat in OTHERS for frame in hall.frames[seat]]
            marks = sum(MARK.lower().encode() in frame.lower() for frame in frames)
            figures.update(frames=len(frames), bytes=sum(map(len, frames)), marks=marks)
    return figures


def played(ruleset: Ruleset, seed: int) -> TableHarness:
    """Play a random game in which all seats watch and ask questions."""
    chance = random.Random(f"secrets {seed}")
    hall = TableHarness(ruleset, marked(ruleset, skirmish(ruleset, seed, strength=3), chance), seed, OTHERS)
    for number in range(_LONGEST):
        if ruleset.turn(hall.table.scene).is_over:
            break
        step = chance.choices((_act, _edit, _look, _undo, _come_again), (8, 3, 6, 1, 1))[0]
        step(hall, f"c{number}", chance)
    return hall


def marked(ruleset: Ruleset, scene: Scene, chance: random.Random) -> Scene:
    """A scene of which a part is hidden with the board's tools, and marked wherever text may stand."""
    first = scene.sides[0].id
    unseen = [token for token in scene.tokens if token.side != first and chance.randrange(2)]
    shown = [
        replace(token, owners=("ann",) if token.side == first else ())
        for token in scene.tokens
        if token not in unseen
    ]
    sides = tuple(
        replace(side, conditions={AUTOMATIC: ""} if chance.randrange(2) else {}) for side in scene.sides
    )
    left = replace(scene, tokens=tuple(shown), sides=sides)
    for number, token in enumerate(unseen):
        left = replace(left, tokens=(*left.tokens, _hidden(ruleset, left, token, number, chance)))
    for number in range(chance.randrange(3)):
        left = _with_hidden_map(ruleset, left, f"map {number}", chance)
    secret = [token.id for token in left.tokens if token.hidden]
    noted = tuple(
        token if token.hidden or not secret or chance.randrange(3) else _noting(token, chance.choice(secret))
        for token in left.tokens
    )
    return replace(left, tokens=noted)


def _hidden(ruleset: Ruleset, scene: Scene, token: Token, number: int, chance: random.Random) -> Token:
    """A miniature as the board places it, hidden, from the table's own catalog."""
    unit = OwnUnit(key="mark", name=MARK, profile=token.profile)
    placing = {"unit": "own:mark", "side": token.side, "hidden": True, "at": list(token.at or (0, 0))}
    with_unit = replace(scene, units=(unit,))
    ((_, body),) = gesture(ruleset, with_unit, f"{scene.name} {number}", "place", **placing)
    placed, mark = body["token"], f"{MARK}-{number}"
    return replace(
        token,
        id=placed["id"],
        name=placed["name"],
        image=f"https://example.org/{mark}.png",
        hidden=True,
        conditions={f"{mark}-note": f"{mark} is the traitor"},
        owners=("mia",) if chance.randrange(2) else (),
    )


def _with_hidden_map(ruleset: Ruleset, scene: Scene, seed: str, chance: random.Random) -> Scene:
    """The scene with a secret door in one of its walls, or with hidden terrain."""
    walls = [wall for wall in scene.walls if wall.door == "none"]
    if walls and chance.randrange(2):
        along = {"line": chance.choice(walls).line, "shares": chance.sample([0, 0.25, 0.5, 0.75, 1], 2)}
        sent = gesture(ruleset, scene, seed, "drawAlong", tool="secret", **along)
    else:
        terrain = {"name": f"{MARK} pit", "cost": 2, "hidden": True}
        points = [[chance.randrange(1, 5) * 64, chance.randrange(1, 5) * 64]]
        sent = gesture(ruleset, scene, seed, "paint", terrain=terrain, points=points)
    for _, body in sent:
        put = msgspec.convert(body, MapChange)
        known = {thing.id for thing in (*put.walls, *put.terrain)} | {*put.remove}
        scene = replace(
            scene,
            walls=(*(wall for wall in scene.walls if wall.id not in known), *put.walls),
            terrain=(*(ground for ground in scene.terrain if ground.id not in known), *put.terrain),
        )
    return scene


class MapChange(msgspec.Struct):
    """The body of the command that changes the map."""

    walls: tuple[Wall, ...]
    terrain: tuple[Terrain, ...]
    remove: tuple[str, ...]


def _is_marked(token: str) -> bool:
    return MARK.lower() in token.lower()


def _noting(token: Token, other: str) -> Token:
    return replace(token, conditions={**token.conditions, "marked-by": other})


def _act(hall: TableHarness, command_id: str, chance: random.Random) -> None:
    """Do an act of the active token, and answer its questions."""
    act = choose_act(hall.table.ruleset, hall.table.scene, chance)
    if act is None:
        return
    kind, body = command_for(msgspec.to_builtins(act))
    seat = ANN if ANN.id in hall.table.scene.token(act.token).owners and not _is_marked(act.target) else GM
    is_for_all = hall.table.ruleset.is_gm_act(act.kind)
    hidden = _in_secret(kind, act, is_for_all, chance) if seat == GM else {}
    hall.ask(seat, command_id, kind, **body, **hidden)
    while choice := hall.table.snapshot(GM).choice:
        _look(hall, f"{command_id}-look-{choice.id}", chance)
        answer = chance.choice(choice.options).key
        hall.ask(chance.choice((ANN, GM, GM)), choice.id, "choice.answer", choice=choice.id, answer=answer)


def _in_secret(kind: str, act: Act, is_for_all: bool, chance: random.Random) -> dict[str, Any]:
    """Return the fields that make an act secret. An act of the GM, such as the next round, is for all."""
    if _is_marked(act.token) and not is_for_all:
        return {"override": f"{MARK} he drank the potion"}
    return {"secret": True} if kind == "act" and not chance.randrange(4) else {}


def _edit(hall: TableHarness, command_id: str, chance: random.Random) -> None:
    """The game master's hand on something hidden, or bringing it to light."""
    hidden = [token for token in hall.table.scene.tokens if token.hidden]
    if not hidden:
        return
    token = chance.choice(hidden)
    grid = hall.table.scene.grid
    unit = 64 if grid.kind == "gridless" else 1
    at = [chance.randrange(grid.columns) * unit, chance.randrange(grid.rows) * unit]
    if chance.randrange(4):
        hall.ask(GM, command_id, "token.move", token=token.id, at=at)
    elif chance.randrange(2):
        noted = replace(token, conditions={**token.conditions, f"{MARK}-more": MARK})
        hall.ask(GM, command_id, "token.place", token=msgspec.json.decode(msgspec.json.encode(noted)))
    else:
        hall.ask(GM, command_id, "token.remove", token=token.id)


def _look(hall: TableHarness, command_id: str, chance: random.Random) -> None:
    """A player or a spectator asks the assistant, for an overlay, for a verdict, or what an act brings."""
    seat = chance.choice(OTHERS)
    seen = view(hall.table.scene, seat)
    if chance.randrange(2):
        question(hall, command_id, seat, (), chance)(hall)  # a refusal repeats the ID that it was asked for
        return
    token = chance.choice((*seen.tokens, Token(id="nobody", name="", side="")))
    offers = list(hall.table.ruleset.offers(seen, token)) if token in seen.tokens else []
    if not offers or chance.randrange(2):
        hall.ask(seat, command_id, "overlay.show", token=token.id)
    elif chance.randrange(2):
        hall.ask(seat, command_id, "verdict.ask", token=token.id, target=chance.choice(seen.tokens).id)
    else:
        act = msgspec.to_builtins(chance.choice(offers).act)
        hall.ask(seat, command_id, "act.preview", act=act)


def _undo(hall: TableHarness, command_id: str, _chance: random.Random) -> None:
    hall.ask(GM, command_id, "undo")


def _come_again(hall: TableHarness, _command_id: str, chance: random.Random) -> None:
    hall.enter(chance.choice(OTHERS))


def _notes_left() -> Any:
    """A build whose view leaves notes of hidden miniatures on those that are shown."""
    return patch.object(views, "without_notes_on", lambda _hidden, holder: holder)


def _one_shown() -> Any:
    """A build that forgets of one hidden miniature that it is."""
    return patch.object(views, "is_visible", lambda token: not token.hidden or token.name == f"{MARK} B")


MUTANTS: dict[str, Callable[[], Any]] = {"notes-left": _notes_left, "one-shown": _one_shown}
