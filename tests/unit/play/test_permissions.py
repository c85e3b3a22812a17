"""Permissions: each kind of command, for each role, each kind of token and each phase.

The rows below are the matrix. A kind of command without a row fails.
"""

from __future__ import annotations

import itertools
from types import NoneType

import pytest
from msgspec.structs import replace
from tests.unit.play.duel import SCENE, Duel
from tests.unit.play.redaction.secrets_table import SecretsTable

from enfilade.errors import Busy, EnfiladeError, Forbidden, IllegalAct, NotFound
from enfilade.messages import dump
from enfilade.messages.commands import BODIES
from enfilade.messages.load import load_command
from enfilade.play.commands.registry import COMMANDS
from enfilade.play.members import hash_secret
from enfilade.runtime.config import Limits
from enfilade.scene.model import GM, SPECTATOR, Seat, Token
from enfilade.store.members import Member
from enfilade.transport import strict_json
from enfilade.transport.activity import Activity
from enfilade.transport.forecasts import Forecasts
from enfilade.transport.limits.rate import RateLimiter
from enfilade.transport.metrics import Metrics
from enfilade.transport.overlay_scheduler import OverlayScheduler
from enfilade.transport.room_overlays import Connection
from enfilade.transport.rooms import Room

MIA, KIT = Seat("player", "mia"), Seat("player", "kit")
ROLES = {"gm": GM, "player": MIA, "spectator": SPECTATOR}

OWNERS = {"own": "ann", "own hidden": "eve", "another's": "orc", "hidden": "spy", "absent": "fog"}
"""A token of each sort, as Mia sees it; the spectator owns none."""

PHASES = ("idle", "own choice", "another's choice")

# One letter for each of OWNERS: Allowed (done, or refused by the rules alone), Forbidden, Not found, Busy.
# A preview says of what cannot be done that it cannot.
ANYTHING, NOTHING = "AAAAA", "FFFFF"
IDLE = {
    "act": ("AAAAN", "AAFNN", NOTHING),
    "act.preview": (ANYTHING, "AAFNN", ANYTHING),
    "token.move": ("AAAAN", "AAFNN", NOTHING),
    "overlay.show": ("AAAAN", "AAFNN", "ANANN"),
    "verdict.ask": ("AAAAN", "AAFNN", "ANANN"),
    "decision.ask": ("AAAAN", "AAFNN", NOTHING),
    "focus.ask": ("AAAAN", "AAFNN", NOTHING),
    "forecast.start": (ANYTHING, ANYTHING, NOTHING),
    "forecast.read": ("NNNNN", "NNNNN", NOTHING),
    "forecast.cancel": ("NNNNN", "NNNNN", NOTHING),
    "area.ask": (ANYTHING, ANYTHING, ANYTHING),
    "path.ask": ("AAAAN", "AAFNN", NOTHING),
    "matchup.ask": ("NNNNN", "NNNNN", NOTHING),
    "sync": (ANYTHING, ANYTHING, ANYTHING),
    "choice.answer": ("NNNNN", "NNNNN", NOTHING),
    "choice.close": ("NNNNN", NOTHING, NOTHING),
    "token.remove": ("AAAAN", NOTHING, NOTHING),
    "token.place": (ANYTHING, NOTHING, NOTHING),
    "tokens.assign": ("AAAAN", NOTHING, NOTHING),
    "door.set": (ANYTHING, NOTHING, NOTHING),
    "scene.set": (ANYTHING, NOTHING, NOTHING),
    "scene.sync": (ANYTHING, NOTHING, NOTHING),
    "bridge.claim": (ANYTHING, NOTHING, NOTHING),
    "sides.set": (ANYTHING, NOTHING, NOTHING),
    "rules.set": (ANYTHING, NOTHING, NOTHING),
    "undo": (ANYTHING, NOTHING, NOTHING),
    "note": (ANYTHING, NOTHING, NOTHING),
    "report": (ANYTHING, "AAFNN", NOTHING),
    "map.edit": (ANYTHING, NOTHING, NOTHING),
    "units.set": (ANYTHING, NOTHING, NOTHING),
    "ping": (ANYTHING, ANYTHING, NOTHING),
    "token.back": ("AAAAN", "AAFNN", NOTHING),
    "draw": (ANYTHING, ANYTHING, NOTHING),
    "erase": (ANYTHING, ANYTHING, NOTHING),
    "fog.set": (ANYTHING, NOTHING, NOTHING),
    "redo": (ANYTHING, NOTHING, NOTHING),
    "webhook.set": (ANYTHING, NOTHING, NOTHING),
    "webhook.test": (ANYTHING, NOTHING, NOTHING),
    "dice.reveal": ("NNNNN", NOTHING, NOTHING),
}
FORECAST = ("forecast.start", "forecast.read", "forecast.cancel")
ABOUT_A_TOKEN = [
    "act",
    "act.preview",
    "token.move",
    "token.back",
    "overlay.show",
    "verdict.ask",
    "path.ask",
    "decision.ask",
    "focus.ask",
]
LOOKING = {
    "act.preview",
    "area.ask",
    "ping",
    "overlay.show",
    "verdict.ask",
    "path.ask",
    "matchup.ask",
    "sync",
} | {
    "decision.ask",
    "focus.ask",
    *FORECAST,
}
UNTOUCHED_BY_WAITING = LOOKING | {
    "choice.close",
    "tokens.assign",
    "undo",
    "note",
    "draw",
    "erase",
    "report",
    "bridge.claim",
}
ANSWERS = {"own choice": (ANYTHING, ANYTHING, NOTHING), "another's choice": (ANYTHING, "NNNNN", NOTHING)}


def expected(kind, role, owner, phase):
    column, letter = list(ROLES).index(role), list(OWNERS).index(owner)
    if kind == "choice.answer" and phase != "idle":
        return ANSWERS[phase][column][letter]
    idle = IDLE[kind][column][letter]
    if phase == "idle" or kind in UNTOUCHED_BY_WAITING:
        return idle
    return "B" if idle == "A" or role == "gm" else idle


def game():
    tokens = {token.id: token for token in SCENE.tokens}
    changed = [
        replace(tokens["ann"], owners=("mia",)),
        replace(tokens["orc"], owners=("kit",)),
        tokens["spy"],
        Token(id="eve", name="Eve Adamson", side="blue", at=(0, 7), hidden=True, owners=("mia",)),
    ]
    duel = Duel(scene=replace(SCENE, tokens=tuple(changed)))
    for seat in (MIA, KIT):
        member = Member(table=duel.table.id, id=seat.id, role="player", name=seat.id.title())
        duel.store.members.add_member(member, hash_secret(seat.id))
    return duel


def in_phase(phase):
    duel = game()
    if phase == "own choice":
        duel.strike("ann", "orc", faces=[2])
    elif phase == "another's choice":
        duel.do("act", act={"kind": "pass", "token": "ann"})
        duel.strike("orc", "ann", faces=[2])
    return duel


def as_sent(value):
    return strict_json.decode(strict_json.encode(dump.plain(value)))


def body(kind, token, duel):
    choice = duel.table.snapshot(GM).choice
    return {
        "act": {"act": {"kind": "pass", "token": token}},
        "act.preview": {"act": {"kind": "pass", "token": token}},
        "token.move": {"token": token, "at": [4, 4]},
        "choice.answer": {"choice": choice.id if choice else "none", "answer": "no"},
        "choice.close": {"choice": choice.id if choice else "none"},
        "token.place": {"token": {"id": token, "name": "New", "side": "blue"}},
        "token.remove": {"token": token},
        "tokens.assign": {"player": "mia", "tokens": [token]},
        "door.set": {"wall": "door", "state": "open"},
        "scene.set": {"scene": as_sent(replace(SCENE, tokens=()))},
        "scene.sync": {"scene": as_sent(replace(SCENE, tokens=()))},
        "bridge.claim": {"page": "p1"},
        "sides.set": {"sides": as_sent(SCENE.sides)},
        "rules.set": {"house_rules": {}, "enforcement": "warn"},
        "undo": {},
        "note": {"text": "Rain begins."},
        "report": {"source": "m1", "kind": "attack", "token": token},
        "map.edit": {"walls": [], "terrain": [], "remove": ["wall"]},
        "units.set": {"units": []},
        "ping": {"at": [64, 64]},
        "token.back": {"token": token},
        "draw": {"drawings": [{"points": [0, 0, 64, 64]}]},
        "erase": {"drawings": []},
        "fog.set": {"cover": [[0, 0, 0]]},
        "redo": {},
        "sync": {"why": "gap"},
        "webhook.set": {"url": ""},
        "webhook.test": {},
        "dice.reveal": {"seq": 1},
        "overlay.show": {"token": token, "layers": ["reach"]},
        "verdict.ask": {"token": token, "target": "orc"},
        "decision.ask": {"token": token},
        "focus.ask": {"target": "orc", "attackers": [token]},
        "forecast.start": {"count": 1},
        "forecast.read": {"forecast": "none"},
        "forecast.cancel": {"forecast": "none"},
        "area.ask": {"outline": [0, 0, 64, 0, 64, 64], "origin": [0, 0]},
        "path.ask": {"token": token, "path": [[1, 1], [2, 2]]},
        "matchup.ask": {"answers": {"unknown": "yes"}},
    }[kind]


def ask(duel, seat, kind, token):
    if kind == "overlay.show":
        duel.table.overlay(seat, token, ["reach"])
    elif kind in ("bridge.claim", "ping", "sync", *FORECAST):
        command = load_command({"v": 1, "id": "c", "kind": kind, "body": body(kind, token, duel)})
        limiter, metrics, forecasts = RateLimiter(Limits()), Metrics(), Forecasts()
        room = Room(
            duel.table, print, OverlayScheduler(Activity()), limiter, metrics, Activity(), forecasts=forecasts
        )
        try:
            room.answer(seat, command, Connection("sid", seat, None))
        finally:
            forecasts.close()  # before one starts its process
    else:
        duel.do(kind, seat=seat, **body(kind, token, duel))


def refusal_of(duel, seat, kind, token):
    try:
        ask(duel, seat, kind, token)
    except EnfiladeError as refusal:
        return refusal
    return None


LETTERS = {NoneType: "A", IllegalAct: "A", Forbidden: "F", NotFound: "N", Busy: "B"}


def outcome(duel, seat, kind, token):
    refusal = refusal_of(duel, seat, kind, token)
    return next(letter for error, letter in LETTERS.items() if isinstance(refusal, error))


def test_every_kind_of_command_has_its_row():
    assert set(IDLE) == set(BODIES) == set(COMMANDS)


@pytest.mark.parametrize(("kind", "phase"), [*itertools.product(sorted(BODIES), PHASES)])
def test_every_cell_of_the_matrix_is_as_it_is_written(kind, phase):
    for role, owner in itertools.product(ROLES, OWNERS):
        duel = in_phase(phase)
        if kind in ("undo", "redo") and phase == "idle":
            duel.do("door.set", wall="door", state="open")
        if kind == "redo" and phase == "idle":
            duel.do("undo")
        was = (duel.table.seq, duel.table.scene)
        found = outcome(duel, ROLES[role], kind, OWNERS[owner])
        assert found == expected(kind, role, owner, phase), (kind, phase, role, owner)
        if found != "A":
            assert (duel.table.seq, duel.table.scene) == was


@pytest.mark.parametrize("kind", ABOUT_A_TOKEN)
def test_a_hidden_token_is_refused_word_for_word_as_one_that_is_not_there(kind):
    entry = [str(dump.error(refusal_of(game(), MIA, kind, token))) for token in ("spy", "fog")]
    assert entry[0].replace("spy", "fog") == entry[1]


@pytest.mark.parametrize("kind", ABOUT_A_TOKEN)
def test_a_token_named_like_its_id_is_redacted_too(kind):
    lurker = Token(id="lurker", name="lurker", side="red", at=(7, 0), hidden=True)
    duel = Duel(scene=replace(SCENE, tokens=(*SCENE.tokens, lurker)))
    entry = [str(dump.error(refusal_of(duel, MIA, kind, token))) for token in ("lurker", "absent")]
    assert entry[0].replace("lurker", "absent") == entry[1]


def test_a_players_text_cannot_probe_for_hidden_names():
    lurker = Token(id="x", name="lurker", side="red", at=(7, 0), hidden=True)
    tokens = tuple(replace(token, owners=("mia",)) for token in SCENE.tokens)
    duel = Duel(scene=replace(SCENE, tokens=(*tokens, lurker)))
    for kind in ("lurker", "absent"):
        with pytest.raises(NotFound, match=f"no act '{kind}'"):
            duel.do("act", seat=MIA, act={"kind": kind, "token": "ann"})


def test_a_hidden_target_is_refused_as_one_that_is_not_there():
    for target in ("spy", "fog"):
        with pytest.raises(NotFound, match=f"There is no token '{target}' at this table"):
            game().strike("ann", target, seat=MIA)
        with pytest.raises(NotFound, match=f"There is no token '{target}' at this table"):
            game().do("verdict.ask", seat=MIA, token="ann", target=target)


@pytest.mark.parametrize(
    "more", [{"override": "I say so"}, {"secret": True}, {"faces": [6]}], ids=["override", "secret", "faces"]
)
def test_a_player_overrules_nothing_hides_nothing_and_types_no_dice(more):
    duel = game()
    with pytest.raises(Forbidden):
        duel.do("act", seat=MIA, act={"kind": "strike", "token": "ann", "target": "orc"}, **more)
    assert duel.table.seq == 0


def test_players_type_dice_where_the_table_says_so():
    duel = game()
    duel.do("rules.set", house_rules={"table.players_type_dice": True}, enforcement="advise")
    assert duel.strike("ann", "orc", seat=MIA, faces=[6]).result["outcome"]["result"] == "hit"


def test_an_act_of_no_token_is_the_game_masters():
    with pytest.raises(Forbidden):
        game().do("act", seat=MIA, act={"kind": "pass"})


def test_a_player_is_asked_about_the_own_side_and_answers():
    duel = in_phase("own choice")
    assert duel.table.snapshot(MIA).choice == duel.table.snapshot(GM).choice
    assert duel.table.snapshot(KIT).choice is None
    assert duel.answer("no", seat=MIA).result["outcome"]["result"] == "miss"


def test_whom_a_question_does_not_ask_learns_nothing_of_it():
    duel = in_phase("another's choice")
    assert duel.table.snapshot(MIA).choice is None
    with pytest.raises(Busy) as refusal:
        duel.do("token.move", seat=MIA, token="ann", at=[4, 4])
    assert refusal.value.sentence == "The table waits for another player's answer."


def test_a_question_to_one_miniature_is_its_players_alone():
    duel = in_phase("own choice")
    pending = duel.table._state.pending
    named = replace(pending, choice={**pending.choice, "token": "eve"})
    scene = duel.table.scene
    other = replace(scene.token("ann"), owners=("kit",))
    tokens = tuple(other if token.id == "ann" else token for token in scene.tokens)
    duel.table._state = replace(duel.table._state, pending=named, scene=replace(scene, tokens=tokens))
    assert duel.table.snapshot(MIA).choice is not None
    assert duel.table.snapshot(KIT).choice is None


def test_another_seat_does_not_get_a_commands_result():
    """Under the same id it is a command of its own, and the table waits."""
    duel = game()
    duel.strike("ann", "orc", seat=MIA, command_id="once")
    with pytest.raises(Busy):
        duel.strike("ann", "orc", command_id="once")


def test_gm_acts_are_refused_and_not_offered_to_players():
    game = a_battle_with_a_scenario()
    declared = {"kind": "victory", "token": "bran"}
    with pytest.raises(Forbidden, match="Only the GM may do this"):
        game.do("act", seat=MIA, act=declared)
    with pytest.raises(Forbidden):
        game.do("act.preview", seat=MIA, act=declared)
    offered = {seat: game.table.overlay(seat, "bran", ["targets"]).targets for seat in (GM, MIA)}
    assert "victory" in [target.act.kind for target in offered[GM]]
    assert "victory" not in [target.act.kind for target in offered[MIA]]
    assert "Blue won" in game.do("act", seat=GM, act=declared).entry.text


def a_battle_with_a_scenario():
    game = SecretsTable()
    game.do("rules.set", seat=GM, house_rules={"cdg.victory": "scenario"}, enforcement="advise")
    game.do("act", seat=GM, act={"kind": "round", "token": "bran"})
    return game
