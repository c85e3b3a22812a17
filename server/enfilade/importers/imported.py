"""What reading a map gives: a scene and its picture, or a scene file still to be decoded."""

from __future__ import annotations

import unicodedata
from itertools import islice
from pathlib import PurePosixPath
from typing import Any, Literal

import msgspec

from enfilade.importers import limits
from enfilade.scene.model import Scene

Objects = Literal["ignore", "sight", "solid"]
"""What the outlines of objects on a Universal VTT map stop: nothing, sight alone, or movement too."""

_UNSEEN = {"Cc", "Cs", "Zl", "Zp"}
_TURNS_TEXT = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class Origin(msgspec.Struct, frozen=True):
    """Where a board lies on another program's canvas, in pixels: its corner, and the width of a cell."""

    left: float
    top: float
    size: float


class Imported(msgspec.Struct, frozen=True):
    """A map as a scene, with the picture that came in the file and what the GM should know of it.

    `image_type` is the picture's media type, empty where there is none. Each of `notes` is a sentence
    on something that was left out, rounded or guessed. `origin` is where the board's corner lies on the
    canvas that it came from, and how wide a cell is there, in pixels.
    """

    kind: Literal["universal-vtt", "foundry", "enfilade"]
    scene: Scene
    image: bytes | None = None
    image_type: str = ""
    notes: tuple[str, ...] = ()
    origin: Origin | None = None


class SceneFile(msgspec.Struct, frozen=True):
    """One of our own scene files as plain data: JSON that is safe to hold, its shape not yet checked."""

    content: dict[str, Any]
    kind: Literal["enfilade"] = "enfilade"


def cleaned(text: str, longest: int = limits.NAME_LETTERS) -> str:
    """A text for people, without control characters and tricks of direction, and not too long."""
    seen = (c for c in text if unicodedata.category(c) not in _UNSEEN and c not in _TURNS_TEXT)
    return "".join(islice(seen, longest)).strip()


def title_of(file_name: str) -> str:
    """A map's title made from its file's name: no folders, no ending."""
    return cleaned(PurePosixPath(file_name.replace("\\", "/")).stem)


def how_many(count: int, one: str, many: str = "") -> str:
    """A number with its noun: 1 wall, 3 walls."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
