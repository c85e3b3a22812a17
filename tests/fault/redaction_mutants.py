"""The mutants of the scenario `noninterference`: builds broken on purpose that reveal hidden things."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from enfilade.analysis import branches, timeline
from enfilade.analysis.timeline import Timeline
from enfilade.play import commit as entries
from enfilade.play import dice, permissions
from enfilade.play import view as scene_view
from enfilade.play.commands import acts, scene_sync
from enfilade.play.redaction.seat_tactics import SeatTactics
from enfilade.play.table import Table
from enfilade.play.view import hidden_tokens_in, view
from enfilade.rules.registry import ruleset_for
from enfilade.scene.entry import ViewSeq
from enfilade.scene.model import Scene, Seat
from enfilade.tactics.advice import decision_map, place_outlooks
from enfilade.tactics.overlays import overlay
from enfilade.tactics.verdicts import verdict
from tests.fault import secrets


def _numbered_by_table() -> Any:
    """A build that numbers entries for the table and not for each view."""
    return patch.object(ViewSeq, "of", lambda _self, _seat, seq: seq)


def _overlay_of_truth() -> Any:
    """A build whose overlays are worked out from all there is."""

    def of_truth(tactics: Any, kept: Any, seat: Seat, token: str, layers: Any) -> Any:
        view(kept.scene, seat).token(token)
        number = kept.view_seq.of(seat, kept.seq)
        return overlay(ruleset_for(tactics._rulesets, kept.scene), kept.scene, token, number, layers)

    return patch.object(SeatTactics, "overlay", of_truth)


def _verdict_of_truth() -> Any:
    """A build whose verdicts are worked out from all there is."""
    told = SeatTactics.verdict

    def of_truth(tactics: Any, kept: Any, seat: Seat, token: str, target: str, at: Any, to: Any) -> Any:
        if at is not None or to is not None:
            return told(tactics, kept, seat, token, target, at, to)
        seen = view(kept.scene, seat)
        seen.token(token), seen.token(target)
        number = kept.view_seq.of(seat, kept.seq)
        return verdict(ruleset_for(tactics._rulesets, kept.scene), kept.scene, token, target, number)

    return patch.object(SeatTactics, "verdict", of_truth)


def _advice_of_truth() -> Any:
    """A build whose decision maps are worked out from all there is."""

    def of_truth(tactics: Any, kept: Any, seat: Seat, token: str, at: Any, most: Any) -> Any:
        view(kept.scene, seat).token(token)
        number = kept.view_seq.of(seat, kept.seq)
        ruleset = ruleset_for(tactics._rulesets, kept.scene)
        if at is not None:
            return place_outlooks(ruleset, kept.scene, token, number, at)
        return decision_map(ruleset, kept.scene, token, number, most)

    return patch.object(SeatTactics, "decisions", of_truth)


def _forecast_of_truth() -> Any:
    """A build whose forecasts play on from all there is."""
    return patch.object(Table, "forecast_scene", lambda table, _seat: table.scene)


def _branch_of_truth() -> Any:
    """A build whose branches start from all there is."""
    return patch.object(branches, "view", lambda scene, _seat: scene)


def _replay_of_truth() -> Any:
    """A build that replays the scenes as they were."""
    return patch.object(timeline, "view", lambda scene, _seat: scene)


def _counted_in_the_log() -> Any:
    """A build whose statistics count their progress in entries of the log."""
    return patch.object(Timeline, "number_at", lambda _timeline, _seat, seq: seq)


def _rolled_in_the_open() -> Any:
    """A build whose hidden rolls take links of the chain that all see."""
    return patch.object(dice, "is_hidden_roll", lambda _kept, _command: False)


def _words_of_truth() -> Any:
    """A build in which a walk's costs and words are those of the scene as it is."""

    def of_truth(_done: Any, draft: Any) -> Any:
        return replace(draft, plain=None, is_unseen=False)

    return patch.multiple(acts, redact_move=of_truth, with_redacted_text=of_truth)


def _ids_of_the_log() -> Any:
    """A build in which what the table says of its dice has the log's own numbers."""
    return patch.object(scene_view, "_redacted_id", lambda entry, _number, _seat: entry.id)


def _names_alone() -> Any:
    """A build that hides a text only if it contains the name of a hidden token."""

    def by_names(before: Scene, after: Scene, draft: Any) -> bool:
        return not hidden_tokens_in(before, after, draft.events, draft.text)

    return patch.object(entries, "_is_for_all", by_names)


def _notes_of_gone() -> Any:
    """A build that leaves the notes of whom a tabletop has no more."""
    return patch.object(scene_sync, "_without_notes_of_gone", lambda _before, after: after)


def _reactions_to_hidden() -> Any:
    """A build that asks players for reactions to the move of a hidden token."""
    return patch.object(permissions, "_parties", lambda choice, _pending: {choice.token})


MUTANTS: dict[str, Callable[[], Any]] = {
    "numbered-by-table": _numbered_by_table,
    "overlay-of-truth": _overlay_of_truth,
    "verdict-of-truth": _verdict_of_truth,
    "advice-of-truth": _advice_of_truth,
    "forecast-of-truth": _forecast_of_truth,
    "branch-of-truth": _branch_of_truth,
    "replay-of-truth": _replay_of_truth,
    "counted-in-the-log": _counted_in_the_log,
    "rolled-in-the-open": _rolled_in_the_open,
    "words-of-truth": _words_of_truth,
    "notes-left": secrets.MUTANTS["notes-left"],
    "ids-of-the-log": _ids_of_the_log,
    "names-alone": _names_alone,
    "notes-of-gone": _notes_of_gone,
    "reactions-to-hidden": _reactions_to_hidden,
}
