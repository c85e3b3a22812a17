"""Durations: the sources of a condition and the end of each, kept in its note.

A condition is had once, with any number of sources. A note lists them, each as `source; part; part`: who
brought it, then `start ID` or `end ID` for the start or the end of that creature's turn, `next ID` for the
end of the one after this, `held` while the source concentrates, `wis 13` for a save that its bearer repeats
at the end of its turns, and `by NAME` for the effect. A note without parts is the source alone, and lasts
until something else ends it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from enfilade.rules.procedures import Steps, set_condition
from enfilade.scene.model import Scene, Token

_BETWEEN, _PART = "|", ";"


class Lasting(NamedTuple):
    """One source of a condition, and its end.

    moment, whose: "start", "end" or "next" (the end of the next), and whose turn. is_held: it ends with its
    source's concentration. save, difficulty: the save that the bearer repeats; 0 for none. effect: the name
    of what brought it.
    """

    source: str = ""
    moment: str = ""
    whose: str = ""
    is_held: bool = False
    save: str = ""
    difficulty: int = 0
    effect: str = ""

    def text(self) -> str:
        """Return it as a part of a note."""
        parts = [self.source]
        if self.moment:
            parts.append(f"{self.moment} {self.whose}")
        if self.is_held:
            parts.append("held")
        if self.difficulty:
            parts.append(f"{self.save} {self.difficulty}")
        if self.effect:
            parts.append(f"by {self.effect.replace(_BETWEEN, ' ').replace(_PART, ' ')}")
        return f"{_PART} ".join(parts)


def lasting(note: str) -> tuple[Lasting, ...]:
    """Return the sources of a note; a note that a person wrote is a source of that name without an end."""
    return tuple([_one(text) for text in note.split(_BETWEEN)])


def _one(text: str) -> Lasting:
    source, *parts = [part.strip() for part in text.split(_PART)]
    found = Lasting(source)
    for part in parts:
        key, _, value = part.partition(" ")
        if key in ("start", "end", "next"):
            found = found._replace(moment=key, whose=value)
        elif key == "held":
            found = found._replace(is_held=True)
        elif key == "by":
            found = found._replace(effect=value)
        elif value.isdecimal():
            found = found._replace(save=key, difficulty=int(value))
    return found


def note_of(found: tuple[Lasting, ...]) -> str:
    """Return the note of some sources."""
    return _BETWEEN.join([one.text() for one in found])


def sources(token: Token, condition: str) -> tuple[str, ...]:
    """Return the IDs of those who brought a condition on a token; none if it does not have it."""
    note = token.conditions.get(condition)
    return () if note is None else tuple([one.source for one in lasting(note)])


def bring(scene: Scene, key: str, condition: str, new: Lasting) -> Steps:
    """Bring a condition on a token, beside what it has of others; return the scene.

    Of the same effect twice the one that is harder to save against counts, of equal ones the latest.
    """
    note = scene.token(key).conditions.get(condition)
    if note is not None and new == Lasting():
        return scene
    known = () if note is None else lasting(note)
    same = [one for one in known if new.effect and one.effect == new.effect]
    if any(one.difficulty > new.difficulty for one in same):
        return scene
    kept = tuple([one for one in known if one not in same and one != new])
    return (yield set_condition(scene, key, condition, note_of((*kept, new))))


def cease(scene: Scene, ends: Callable[[Token, Lasting], bool]) -> Steps:
    """End each source of a condition that `ends` names, and a condition without any; return the scene."""
    for token in scene.tokens:
        for condition, note in token.conditions.items():
            if _PART not in note:
                continue  # without an end
            found = lasting(note)
            kept = tuple([one for one in found if not ends(token, one)])
            if len(kept) < len(found):
                left = note_of(kept) if kept else None
                scene = yield set_condition(scene, token.id, condition, left)
    return scene


def cease_at(scene: Scene, moment: str, whose: str) -> Steps:
    """End what lasts to the start or the end of a creature's turn; return the scene."""
    scene = yield from cease(scene, lambda _, one: (one.moment, one.whose) == (moment, whose))
    if moment == "end":
        for token in scene.tokens:
            for condition, note in token.conditions.items():
                if f"{_PART} next {whose}" in note:
                    found = tuple([_nearer(one, whose) for one in lasting(note)])
                    scene = yield set_condition(scene, token.id, condition, note_of(found))
    return scene


def _nearer(one: Lasting, whose: str) -> Lasting:
    return one._replace(moment="end") if (one.moment, one.whose) == ("next", whose) else one


def cease_held(scene: Scene, source: str) -> Steps:
    """End what hangs on the concentration of a creature; return the scene."""
    return (yield from cease(scene, lambda _, one: one.is_held and one.source == source))
