"""Properties that are computed once."""

from __future__ import annotations

from enfilade.runtime.lazy import lazy


class Circle:
    def __init__(self, radius):
        self.radius, self.asked = radius, 0

    @lazy
    def area(self):
        """The area, roughly."""
        self.asked += 1
        return 3 * self.radius**2


def test_a_value_is_computed_at_the_first_read_and_kept():
    circle = Circle(2)
    assert circle.asked == 0
    assert (circle.area, circle.area) == (12, 12)
    assert circle.asked == 1


def test_each_object_has_its_own_value():
    assert (Circle(1).area, Circle(2).area) == (3, 12)


def test_the_class_has_the_property_with_its_docstring():
    assert Circle.area.__doc__ == "The area, roughly."
