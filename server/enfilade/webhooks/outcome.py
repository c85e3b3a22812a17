"""What came of a message that was sent out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Outcome:
    """What came of a message: it is there, it may be tried later, or there is no use in trying again."""

    kind: Literal["posted", "later", "refused"]
    sentence: str
    wait_seconds: float = 0
