"""What the races are expected to show. A goal that is missed is said, not hidden; it fails nothing."""

from __future__ import annotations

from dataclasses import dataclass

Results = dict[str, dict[str, dict[str, float]]]


@dataclass(frozen=True)
class Goal:
    """One runner's time over another's: at least (or, with `at_most`, at most) so many times."""

    sentence: str
    job: str
    scale: str
    slower: str
    faster: str
    times: float
    at_most: bool = False

    def judge(self, results: Results) -> str:
        """What was measured, in a few words."""
        row = results.get(self.job, {}).get(self.scale, {})
        slower, faster = row.get(f"{self.slower}_ms"), row.get(f"{self.faster}_ms")
        if slower is None or faster is None:
            return "not measured"
        ratio = slower / faster
        is_met = ratio <= self.times if self.at_most else ratio >= self.times
        return f"{'yes' if is_met else 'no'}, {ratio:.1f} times"


def _field(scale: str) -> list[Goal]:
    return [
        Goal(
            f"movement field, {scale}: at least 8 times as fast as tcod",
            "movement_field",
            scale,
            slower="tcod",
            faster="enfilade_c",
            times=8,
        ),
        Goal(
            f"movement field, {scale}: at most 1.3 times the prototype kernel",
            "movement_field",
            scale,
            slower="enfilade_c",
            faster="prototype",
            times=1.3,
            at_most=True,
        ),
    ]


def _at_least(times: float, job: str, scale: str, slower: str) -> Goal:
    sentence = f"{job.replace('_', ' ')}, {scale}: at least {times:g} times as fast as {slower}"
    return Goal(sentence.replace("_shapely", " + shapely"), job, scale, slower, "enfilade_c", times)


def _near_prototype(job: str, scale: str) -> Goal:
    sentence = f"{job.replace('_', ' ')}, {scale}: at most 1.3 times the prototype kernel"
    return Goal(sentence, job, scale, "enfilade_c", "prototype", 1.3, at_most=True)


SIGHT = (
    *(_at_least(15, "full_job", "typical", f"{peer}_shapely") for peer in ("tcod", "scipy")),
    *(_at_least(40, "full_job", "large", f"{peer}_shapely") for peer in ("tcod", "scipy")),
    *(_near_prototype("full_job", scale) for scale in ("typical", "large")),
    *(_near_prototype("visibility", scale) for scale in ("typical", "large")),
    *(_at_least(50, "visibility", scale, "shapely") for scale in ("typical", "large")),
    _at_least(100, "hex_blind_zone", "typical", "honeycomb_grid"),
    *(_at_least(1, "cell_view", scale, "tcod") for scale in ("typical", "large")),
    Goal("overlays, large: a move costs at most a fifth", "overlays", "large", "enfilade_c", "from_nothing", 0.2, True),
)

GOALS: tuple[Goal, ...] = (*_field("typical"), *_field("large"), *SIGHT)
