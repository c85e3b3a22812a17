"""A property that is computed once, at a third of the cost of `functools.cached_property`.

Before Python 3.12 that one takes a lock for each first read, and a battlefield has dozens of properties for
each scene. Two threads at once may compute a value twice here, which does no harm to a pure function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

from enfilade.runtime.time_budget import checkpoint

T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801 - used like `property`
    """Compute the value at the first read, after a checkpoint, and keep it in the object's `__dict__`."""

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self.compute = compute
        self.name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, instance: None, owner: Any) -> lazy[T]: ...

    @overload
    def __get__(self, instance: object, owner: Any) -> T: ...

    def __get__(self, instance: object | None, owner: Any) -> T | lazy[T]:
        """Return the value; from then on the object has it under the same name."""
        if instance is None:
            return self
        checkpoint()
        value: T = self.compute(instance)
        instance.__dict__[self.name] = value
        return value
