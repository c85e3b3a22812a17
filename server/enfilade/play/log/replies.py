"""What the sender of a command is answered, and answered again."""

from __future__ import annotations

from typing import Any

import msgspec

from enfilade.errors import IdReused
from enfilade.play.command import Command, Done, fingerprint
from enfilade.play.commands.edits import Draft
from enfilade.play.redaction.choices import choice_for
from enfilade.play.redaction.scene import may_read
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.entry import Entry
from enfilade.scene.model import Scene
from enfilade.scene.seat import Seat
from enfilade.store.protocol import StoredReply, TableState


def answer_to(
    seat: Seat, command: Command, draft: Draft, entry: Entry | None, kept: TableState, ruleset: Ruleset
) -> StoredReply:
    """The answer to a command, to be stored with what it did; `kept` is the table's row after it."""
    return StoredReply(
        seat=seat.key,
        id=command.id,
        fingerprint=fingerprint(command, seat),
        seq=kept.view_seq.of(seat, kept.seq),
        result=_as_stored(_result(seat, draft, entry, kept.scene, ruleset)),
    )


def given_before(known: StoredReply, command: Command, seat: Seat) -> Done:
    """The answer that a command got when it was done; raises IdReused where that was another command."""
    if known.fingerprint != fingerprint(command, seat):
        raise IdReused("That command id was used for something else.")
    return Done(seq=known.seq, result=known.result, is_again=True)


def _result(seat: Seat, draft: Draft, entry: Entry | None, after: Scene, ruleset: Ruleset) -> dict[str, Any]:
    """Nothing of an entry of which the sender may read no words."""
    if draft.pending and not draft.events:
        return {"waiting": msgspec.to_builtins(choice_for(draft.pending, after, seat, ruleset))}
    return draft.result if entry is None or entry.plain or may_read(entry, seat) else {}


def _as_stored(result: dict[str, Any]) -> dict[str, Any]:
    """A result as it comes back from the store, so that it is the same byte for byte the second time."""
    return dict(msgspec.json.decode(msgspec.json.encode(result, order="sorted")))
