"""The picture inside a map file: taken out of its base64 and recognised by its first bytes, never opened."""

from __future__ import annotations

import base64
import binascii

from enfilade.errors import BadFile


def picture(text: str, place: str) -> tuple[bytes | None, str]:
    """A picture and its media type; None and an empty type where there is no text. Raises BadFile."""
    if not text:
        return None, ""
    _, _, encoded = text.rpartition(",") if text.startswith("data:") else ("", "", text)
    try:
        data = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        raise BadFile("the picture is not base64", place) from None
    return data, _media_type(data, place)


def _media_type(data: bytes, place: str) -> str:
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    raise BadFile("the picture is neither PNG, WebP nor JPEG", place)
