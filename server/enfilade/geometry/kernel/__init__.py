"""The inner loops, in C where it was built and in Python where it was not, with the same answers.

`fields` and `sight` are the one or the other module each. Nothing outside `geometry` imports this folder, and
nothing outside this folder knows which of the two ran.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enfilade.geometry.kernel.library import LIBRARY

if TYPE_CHECKING or LIBRARY is None:
    from enfilade.geometry.kernel import python_fields as fields
    from enfilade.geometry.kernel import python_sight as sight
else:
    from enfilade.geometry.kernel import c_fields as fields
    from enfilade.geometry.kernel import c_sight as sight

__all__ = ["engine", "fields", "sight"]


def engine() -> str:
    """Which kernel answers: "c" or "python"."""
    return "python" if LIBRARY is None else "c"
