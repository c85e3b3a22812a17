"""Verdicts: one token's view of another: seen or not and why, cover, distance, odds."""

from __future__ import annotations

from enfilade.i18n import localize
from enfilade.rules.ruleset import Ruleset, Sight
from enfilade.scene.model import Scene, Token, Value
from enfilade.tactics.previews import Preview, previews


class Verdict(Value, frozen=True, kw_only=True):
    """One token's view of a target at one entry of a table (`seq`), in a sentence and in parts."""

    token: str
    target: str
    seq: int
    sentence: str
    sight: Sight
    acts: tuple[Preview, ...]


def verdict(ruleset: Ruleset, scene: Scene, token_id: str, target_id: str, seq: int) -> Verdict:
    """Return the verdict on a target in a seat's view of the scene. Raises NotFound."""
    token, target = scene.token(token_id), scene.token(target_id)
    sight = ruleset.sight(scene, token, target)
    engaged = [
        f"{one.label}." for one in ruleset.engagements(scene) if {*one.tokens} == {token_id, target_id}
    ]
    offers = [offer for offer in ruleset.offers(scene, token) if offer.act.target == target_id]
    return Verdict(
        token=token_id,
        target=target_id,
        seq=seq,
        sentence=" ".join(part for part in (sight_text(token, target, sight), *engaged) if part),
        sight=sight,
        acts=previews(ruleset, scene, offers),
    )


def sight_text(token: Token, target: Token, sight: Sight) -> str:
    """Return a line of sight in words: "Bran sees Orc 3, 4 squares away", for example."""
    for each in (token, target):
        if each.at is None:
            return localize("tactics.off_board", name=each.name)
    names = {"token": token.name, "target": target.name, "distance": sight.distance}
    if sight.is_seen is None:
        return localize("tactics.distance_only", **names) if sight.distance else ""
    key = "tactics.sees" if sight.is_seen else "tactics.does_not_see"
    first = localize(f"{key}_at" if sight.distance else key, **names)
    return " ".join(part for part in (first, sight.why, sight.cover) if part)
