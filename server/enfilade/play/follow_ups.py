"""Consequences of a change on the map: units lift the fog, and drawings of a past round go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from enfilade.play.fog import lift_by_sight
from enfilade.rules.ruleset import Ruleset
from enfilade.scene import events as ev
from enfilade.scene.model import Scene


def follow_ups(
    ruleset: Ruleset, before: Scene, after: Scene, events: Sequence[ev.AnyEvent]
) -> Iterator[ev.AnyEvent]:
    """Yield the events that follow from others: they belong to the same entry, and undo takes back both."""
    yield from lift_by_sight(before, after, events)
    if after.drawings and any(drawing.round for drawing in after.drawings):
        now = ruleset.turn(after).round
        past = tuple(one for one in after.drawings if one.round and one.round < now)
        if past and ruleset.turn(before).round != now:
            yield ev.DrawingsSet(erased=past)
