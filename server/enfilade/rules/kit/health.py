"""Hit points: a track with a maximum, wounds, and the removal of a miniature at 0."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from enfilade.i18n import localize
from enfilade.rules.procedures import Steps, remove_token, set_condition, set_track
from enfilade.rules.ruleset import Bar, CardLine
from enfilade.scene.model import Scene, Token

OUT = "out"
"""The condition of a miniature that has left the battle."""


@dataclass(frozen=True)
class HitPoints:
    """The hit points of a game; `most` returns the maximum of a miniature, from its profile."""

    most: Callable[[Token], int]
    track: str = "hp"

    def prepare(self, token: Token) -> Token:
        """Return a token with its hit points; known ones stay, up to the maximum."""
        left = min(token.track(self.track, self.most(token)), self.most(token))
        return replace(token, tracks={**token.tracks, self.track: left})

    def bar(self, token: Token) -> Bar:
        """Return the bar for a virtual tabletop."""
        return Bar(self.track, self.most(token))

    def card_line(self, token: Token) -> CardLine:
        """Return the line of a miniature's card."""
        most = localize("kit.of_most", most=self.most(token))
        return CardLine(localize("kit.hit_points"), str(token.track(self.track)), most)

    def wound(self, scene: Scene, token_id: str, damage: int = 1) -> Steps:
        """Take hit points; at 0 a miniature is out and leaves the board. Returns the scene."""
        token = scene.token(token_id)
        left = max(0, token.track(self.track) - damage)
        scene = yield set_track(scene, token.id, self.track, left)
        if left == 0:
            scene = yield from remove(scene, token.id)
        return scene

    def heal(self, scene: Scene, token_id: str, points: int = 1) -> Steps:
        """Give hit points back, up to the maximum. Returns the scene."""
        token = scene.token(token_id)
        left = min(token.track(self.track) + points, self.most(token))
        return (yield set_track(scene, token.id, self.track, left))

    def tracks(self) -> Mapping[str, str]:
        """Return the track, with a sentence."""
        return {self.track: localize("kit.track_hit_points")}

    def conditions(self) -> Mapping[str, str]:
        """Return the condition of miniatures that are out, with a sentence."""
        return {OUT: localize("kit.condition_out")}


def remove(scene: Scene, token_id: str) -> Steps:
    """Take a miniature off the board for good. Returns the scene."""
    yield remove_token(scene.token(token_id))
    return (yield set_condition(scene, token_id, OUT))
