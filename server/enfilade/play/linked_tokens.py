"""Tokens that are one figure at the tabletop: they share their hit points.

What one of them loses, the others lose in the same entry, and an undo gives it back to all.
"""

from __future__ import annotations

from collections.abc import Iterator

from enfilade.play.fog import shade
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.events import TrackSet
from enfilade.scene.model import Scene, Token

Links = tuple[frozenset[str], ...]
"""Groups of tokens that share hit points, by their IDs."""


def share_hit_points(ruleset: Ruleset, before: Scene, after: Scene, links: Links) -> tuple[TrackSet, ...]:
    """Return the events that give the tokens of each group the same hit points after a change.

    Hidden tokens share with hidden ones only: an entry that names a hidden token is secret.
    """
    return tuple(
        event
        for group in links
        for is_hidden in (False, True)
        for event in _equalize(ruleset, _members(before, group, is_hidden), _members(after, group, is_hidden))
    )


def _members(scene: Scene, group: frozenset[str], is_hidden: bool) -> dict[str, Token]:
    return {
        token.id: token for token in shade(scene).tokens if token.id in group and token.hidden == is_hidden
    }


def _equalize(ruleset: Ruleset, before: dict[str, Token], after: dict[str, Token]) -> Iterator[TrackSet]:
    """Yield the events that give all the number that has changed, the lowest if several have.

    A token that comes gets the number of those that are there.
    """
    if len(after) < 2:
        return
    bars = {name: bar for name, token in after.items() if (bar := ruleset.bar(token))}
    now = {name: after[name].track(bar.track, bar.most) for name, bar in bars.items()}
    was = {name: before[name].track(bars[name].track, bars[name].most) for name in now if name in before}
    if len(set(now.values())) < 2:
        return
    changed = [now[name] for name in was if now[name] != was[name]]
    points = min(changed or [now[name] for name in was] or now.values())
    for name, bar in bars.items():
        if now[name] != points and points <= bar.most:
            yield TrackSet(holder=name, track=bar.track, value=points, was=after[name].tracks.get(bar.track))
