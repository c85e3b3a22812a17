"""The inner loops, in C where it was built and in Python where it was not, with the same answers.

`C` is the loaded library or None; each loop's own module binds its functions and chooses. Nothing outside
`geometry` imports this folder, and nothing outside this folder knows which of the two ran.
"""

from __future__ import annotations

from enfilade.geometry.kernel.library import load

C = load()


def engine() -> str:
    """Which kernel answers: "c" or "python"."""
    return "python" if C is None else "c"
