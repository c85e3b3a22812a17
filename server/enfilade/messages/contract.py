"""The contract: every message that is sent and every one that is loaded, under its published name.

`sent()` and `loaded()` are JSON Schemas, `types()` is the same as TypeScript for the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from marshmallow import Schema

from enfilade.analysis.branches import BranchInfo
from enfilade.analysis.statistics import BattleStatistics
from enfilade.analysis.timeline import ReplayPage
from enfilade.messages import dump, typescript
from enfilade.messages.acts import ActSchema, OpenBranchSchema, ShowBranchSchema, TryRulesSchema
from enfilade.messages.commands import BODIES, CommandSchema, PartSchema
from enfilade.messages.fields import DIALECT
from enfilade.messages.json_schema import Document, Shapes, loaded_schema, sent_schemas
from enfilade.messages.log_facts import EntryFacts, Roll
from enfilade.messages.members import (
    ApproveSchema,
    AskSchema,
    ConnectSchema,
    CreateTableSchema,
    DeleteTableSchema,
    InviteSchema,
    ReplaceKeySchema,
)
from enfilade.messages.scene import SceneSchema
from enfilade.play.command import Choice, Entries, RulesetInfo, Snapshot, form_of
from enfilade.play.facts import Facts
from enfilade.play.members import NewInvitation
from enfilade.play.tables import Links
from enfilade.rules.values import Modifier
from enfilade.scene.entry import RedactedEntry
from enfilade.scene.events import AnyEvent
from enfilade.tactics.advice import DecisionMap
from enfilade.tactics.focus_fire import FocusFire
from enfilade.tactics.forecast import Forecast
from enfilade.tactics.matchups import MatchupTable
from enfilade.tactics.overlays import Overlay
from enfilade.tactics.verdicts import DrawnArea, PathCost, Verdict

UPDATES: Mapping[str, Any] = {
    "snapshot": Snapshot,
    "entries": Entries,
    "overlay": Overlay,
    "hello": dump.Hello,
    "players": dump.Players,
    "ping": dump.Pinged,
    "branch": dump.BranchNews,
}
"""The body of each kind of update."""

SENT: Mapping[str, Any] = {
    "update": dump.Update,
    "ack": dump.Ack,
    "error": dump.Problem,
    "events": AnyEvent,
    "choice": Choice,
    "roll": Roll,
    "verdict": Verdict,
    "area": DrawnArea,
    "path": PathCost,
    "matchups": MatchupTable,
    "decision-map": DecisionMap,
    "facts": Facts,
    "focus-fire": FocusFire,
    "forecast": Forecast,
    "log-entry": RedactedEntry,
    "statistics": BattleStatistics,
    "replay-page": ReplayPage,
    "rules-diff": dump.RulesDiffJob,
    "branch": BranchInfo,
    "branch-comparison": dump.BranchComparison,
    "http/created-table": Links,
    "http/ticket": dump.TicketInfo,
    "http/replaced-key": dump.ReplacedKey,
    "http/invitation": NewInvitation,
    "http/joined": dump.Joined,
    "http/seat": dump.SeatInfo,
    "http/players": dump.Players,
    **{f"updates/{kind}": body for kind, body in UPDATES.items()},
}
"""Every message that is sent."""

LOADED: Mapping[str, type[Schema]] = {
    "scene": SceneSchema,
    "connect": ConnectSchema,
    "command": CommandSchema,
    "part": PartSchema,
    "act": ActSchema,
    "http/create-table": CreateTableSchema,
    "http/delete-table": DeleteTableSchema,
    "http/replace-key": ReplaceKeySchema,
    "http/invite": InviteSchema,
    "http/ask": AskSchema,
    "http/approve": ApproveSchema,
    "http/open-branch": OpenBranchSchema,
    "http/show-branch": ShowBranchSchema,
    "http/try-rules": TryRulesSchema,
    **{f"commands/{kind}": body for kind, body in BODIES.items()},
}
"""Every message that is loaded. A scene file is one; a scene is sent within others."""

_NAMES = {
    "RedactedEntry": "LogEntry",
    "Preview": "Target",
    "Answer": "ChoiceOption",
    "Turn": "TurnState",
    "MatchupTable": "Matchups",
    "Facts": "TableFacts",
    "EntryFacts": "Facts",
    "RulesetInfo": "Ruleset",
    "Links": "CreatedTable",
    "MemberInfo": "Member",
    "InvitationInfo": "Invitation",
}
"""The published names of types that the code calls otherwise."""

_SHAPES: Shapes = {
    ("Act", "body"): dict[str, Any] | None,
    ("RedactedEntry", "facts"): EntryFacts,
    ("Choice", "facts"): EntryFacts,
    ("Preview", "modifiers"): tuple[Modifier, ...],
    ("Preview", "defenses"): tuple[Modifier, ...],
    ("Snapshot", "ruleset"): RulesetInfo,
}
"""Fields that are plain dictionaries in the code: a decoder of a shape would drop what it does not know."""


@cache
def sent() -> Mapping[str, Document]:
    """Return the JSON Schema of each message that is sent, by its published name."""
    return sent_schemas(SENT, _NAMES, _SHAPES)


@cache
def loaded() -> Mapping[str, Document]:
    """Return the JSON Schema of each message that is loaded, by its published name."""
    return {name: loaded_schema(schema) for name, schema in LOADED.items()}


def profile_schema(profile: type) -> Document:
    """Return the JSON Schema of the profiles of a ruleset."""
    return {"$schema": DIALECT, **form_of(profile)}


def types() -> str:
    """Return the contract as TypeScript; what the page sends stands in the namespace `Sent`."""
    updates = {kind: sent()[f"updates/{kind}"] for kind in UPDATES}
    bodies = {kind: loaded()[f"commands/{kind}"] for kind in BODIES}
    parts = [
        "// Written by `make schemas` from the types of the server's messages.",
        typescript.interfaces(sent()[name] for name in SENT if name != "update"),
        typescript.alias("TableEvent", sent()["events"]),
        typescript.tagged_union("Update", updates, _ENVELOPE, "kind", "body"),
        "/** Messages of the page: a field with a default may be left out. */",
        "export namespace Sent {",
        typescript.indented(typescript.interfaces(loaded().values())),
        typescript.indented(typescript.by_name("Commands", bodies)) + "}\n",
    ]
    return "\n".join(parts)


_ENVELOPE = "{ v: 1; table: string; epoch: string; seq: number }"
