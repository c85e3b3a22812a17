"""The inner loops, in C if it was built and in Python if not, with identical answers.

`fields`, `gridless`, `outlines` and `sight` are each one module or the other. Only `geometry` imports this
package, and only this package knows which engine runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enfilade.geometry.kernel.library import LIBRARY

if TYPE_CHECKING or LIBRARY is None:
    from enfilade.geometry.kernel import python_fields as fields
    from enfilade.geometry.kernel import python_gridless as gridless
    from enfilade.geometry.kernel import python_outlines as outlines
    from enfilade.geometry.kernel import python_sight as sight
else:
    from enfilade.geometry.kernel import c_fields as fields
    from enfilade.geometry.kernel import c_gridless as gridless
    from enfilade.geometry.kernel import c_outlines as outlines
    from enfilade.geometry.kernel import c_sight as sight

__all__ = ["engine", "fields", "gridless", "outlines", "sight"]


def engine() -> str:
    """Return the engine that answers: "c" or "python"."""
    return "python" if LIBRARY is None else "c"
