"""The registry of commands: one line for each kind, which all other parts of the server read.

The wire contract takes the body's schema from it, the limits its weight, the permissions its roles, and the
table its handler. A new command needs one handler in this package, one schema in messages/commands.py, and
one line here (docs/decisions/0060-command-registry.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from enfilade.play.command import Command
from enfilade.play.commands import (
    acts,
    dice,
    drawings,
    edits,
    history,
    reports,
    scene_sync,
)
from enfilade.play.context import CommandContext, Decision
from enfilade.play.permissions import (
    GM_ONLY,
    PLAYERS,
    Check,
    check_act,
    check_answer,
    check_move,
    check_report,
)
from enfilade.scene.model import ROLES as EVERYONE
from enfilade.scene.model import Role

Handler = Callable[[CommandContext, Command], Decision]


@dataclass(frozen=True)
class CommandSpec:
    """A kind of command.

    Attributes:
        kind: the kind on the wire.
        schema: the class in messages/commands.py that describes its body.
        roles: the roles that may send it.
        handler: computes its decision; None if it changes nothing, and a connection or a question answers it.
        weight: how many commands it counts as against the sender's limits.
        needs_base: whether it is refused if the sender decided on an older scene.
        is_attack: whether it rolls dice, and so counts against the lower limit of attacks.
        is_allowed_while_pending: whether it is allowed while an act waits for a choice.
        check: further permissions of players.
    """

    kind: str
    schema: str
    roles: frozenset[Role]
    handler: Handler | None = None
    weight: int = 1
    needs_base: bool = True
    is_attack: bool = False
    is_allowed_while_pending: bool = False
    check: Check | None = None


_SPECS = (
    CommandSpec("scene.set", "SetSceneSchema", GM_ONLY, edits.set_scene, weight=10),
    CommandSpec("scene.sync", "SyncSceneSchema", GM_ONLY, scene_sync.sync_scene, weight=10),
    CommandSpec("sides.set", "SetSidesSchema", GM_ONLY, edits.set_sides),
    CommandSpec("units.set", "SetUnitsSchema", GM_ONLY, edits.set_units, needs_base=False),
    CommandSpec("map.edit", "EditMapSchema", GM_ONLY, edits.edit_map, weight=2, needs_base=False),
    CommandSpec(
        "draw", "DrawSchema", PLAYERS, drawings.draw, needs_base=False, is_allowed_while_pending=True
    ),
    CommandSpec(
        "erase", "EraseSchema", PLAYERS, drawings.erase, needs_base=False, is_allowed_while_pending=True
    ),
    CommandSpec("fog.set", "SetFogSchema", GM_ONLY, drawings.set_fog, weight=2, needs_base=False),
    CommandSpec("ping", "PingSchema", PLAYERS, weight=2, needs_base=False),
    CommandSpec("rules.set", "SetRulesSchema", GM_ONLY, edits.set_rules),
    CommandSpec("token.place", "PlaceTokenSchema", GM_ONLY, edits.place_token),
    CommandSpec("token.remove", "RemoveTokenSchema", GM_ONLY, edits.remove_token),
    CommandSpec("token.back", "TurnBackSchema", PLAYERS, history.turn_back, check=check_move),
    CommandSpec("token.move", "MoveTokenSchema", PLAYERS, acts.move_token, check=check_move),
    CommandSpec(
        "tokens.assign", "AssignTokensSchema", GM_ONLY, edits.assign_tokens, is_allowed_while_pending=True
    ),
    CommandSpec("door.set", "SetDoorSchema", GM_ONLY, edits.set_door),
    CommandSpec("act", "DoActSchema", PLAYERS, acts.do_act, is_attack=True, check=check_act),
    CommandSpec("act.preview", "PreviewActSchema", EVERYONE, weight=2, needs_base=False),
    CommandSpec(
        "choice.answer",
        "AnswerSchema",
        PLAYERS,
        acts.answer_choice,
        is_allowed_while_pending=True,
        check=check_answer,
    ),
    CommandSpec(
        "choice.close", "CloseChoicesSchema", GM_ONLY, acts.close_choices, is_allowed_while_pending=True
    ),
    CommandSpec("overlay.show", "ShowOverlaySchema", EVERYONE, weight=2, needs_base=False),
    CommandSpec("verdict.ask", "AskVerdictSchema", EVERYONE, weight=2, needs_base=False),
    CommandSpec("decision.ask", "AskDecisionSchema", PLAYERS, weight=4, needs_base=False),
    CommandSpec("focus.ask", "AskFocusSchema", PLAYERS, weight=4, needs_base=False),
    CommandSpec("forecast.start", "StartForecastSchema", PLAYERS, weight=20, needs_base=False),
    CommandSpec("forecast.read", "ReadForecastSchema", PLAYERS, needs_base=False),
    CommandSpec("forecast.cancel", "CancelForecastSchema", PLAYERS, needs_base=False),
    CommandSpec("area.ask", "AskAreaSchema", EVERYONE, weight=2, needs_base=False),
    CommandSpec("path.ask", "AskPathSchema", PLAYERS, weight=2, needs_base=False),
    CommandSpec("matchup.ask", "AskMatchupSchema", PLAYERS, weight=2, needs_base=False),
    CommandSpec("sync", "SyncSchema", EVERYONE, weight=5, needs_base=False),
    CommandSpec("bridge.claim", "ClaimBridgeSchema", GM_ONLY, needs_base=False),
    CommandSpec("dice.reveal", "RevealRollSchema", GM_ONLY, dice.reveal),
    CommandSpec("undo", "UndoSchema", GM_ONLY, history.undo, is_allowed_while_pending=True),
    CommandSpec("redo", "RedoSchema", GM_ONLY, history.redo),
    CommandSpec(
        "note", "NoteSchema", GM_ONLY, edits.add_note, needs_base=False, is_allowed_while_pending=True
    ),
    CommandSpec(
        "report",
        "ReportSchema",
        PLAYERS,
        reports.report,
        needs_base=False,
        is_allowed_while_pending=True,
        check=check_report,
    ),
    CommandSpec("webhook.set", "SetWebhookSchema", GM_ONLY, edits.set_webhook),
    CommandSpec("webhook.test", "TestWebhookSchema", GM_ONLY, edits.test_webhook),
)

COMMANDS: Mapping[str, CommandSpec] = {spec.kind: spec for spec in _SPECS}
"""Every kind of command, by its kind on the wire."""
