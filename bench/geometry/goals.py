"""The goals of the races. A missed goal is reported; it fails no build."""

from __future__ import annotations

from dataclasses import dataclass

Results = dict[str, dict[str, dict[str, float]]]


@dataclass(frozen=True)
class Goal:
    """The ratio of two runners' times: at least `times`, or at most with `at_most`."""

    sentence: str
    job: str
    scale: str
    slower: str
    faster: str
    times: float
    at_most: bool = False

    def judge(self, results: Results) -> str:
        """Return the verdict in a few words."""
        row = results.get(self.job, {}).get(self.scale, {})
        slower, faster = row.get(f"{self.slower}_ms"), row.get(f"{self.faster}_ms")
        if slower is None or faster is None:
            return "not measured"
        ratio = slower / faster
        is_met = ratio <= self.times if self.at_most else ratio >= self.times
        return f"{'yes' if is_met else 'no'}, {ratio:.1f} times"


@dataclass(frozen=True)
class Below:
    """The greatest time of one runner in milliseconds."""

    sentence: str
    job: str
    scale: str
    runner: str
    limit: float

    def judge(self, results: Results) -> str:
        """Return the verdict in a few words."""
        found = results.get(self.job, {}).get(self.scale, {}).get(f"{self.runner}_ms")
        if found is None:
            return "not measured"
        return f"{'yes' if found < self.limit else 'no'}, {found:.1f} ms"


@dataclass(frozen=True)
class AtMost:
    """The greatest value of one measure of a job that has no scales."""

    sentence: str
    job: str
    measure: str
    limit: float
    unit: str = "ms"

    def judge(self, results: Results) -> str:
        """Return the verdict in a few words."""
        found = results.get(self.job, {}).get(self.measure)
        if not isinstance(found, float | int):
            return "not measured"
        return f"{'yes' if found <= self.limit else 'no'}, {found:.1f} {self.unit}"


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


def _full(scale: str, peer: str, times: float) -> Goal:
    names = peer.replace("_", " + ")
    sentence = f"full job, {scale}: at least {times:g} times as fast as {names}"
    return Goal(sentence, "full_job", scale, slower=peer, faster="enfilade_c", times=times)


GAMES = ("coup_de_grace", "torn", "miniatures_combat", "double_life", "knights_of_valour")

GOALS: tuple[Goal | Below | AtMost, ...] = (
    _full("typical", "tcod_shapely", 15),
    _full("typical", "scipy_shapely", 15),
    _full("large", "tcod_shapely", 40),
    _full("large", "scipy_shapely", 40),
    *(
        Goal(
            f"full job, {scale}: at most 1.3 times the prototype kernel",
            "full_job",
            scale,
            slower="enfilade_c",
            faster="prototype",
            times=1.3,
            at_most=True,
        )
        for scale in ("typical", "large")
    ),
    Below("full job, typical: under 8 ms in Python alone", "full_job", "typical", "enfilade_python", 8),
    *(
        Goal(
            f"{name}, {scale}: at least {times} times as fast as {rival}",
            job,
            scale,
            peer,
            "enfilade_c",
            times,
        )
        for name, job, peer, rival, times in (
            ("visibility", "visibility", "shapely", "shapely", 50),
            ("blind zones on hexes", "hex_blind_zone", "honeycomb_grid", "honeycomb-grid", 100),
            ("field of view", "field_of_view", "tcod", "tcod", 1),
        )
        for scale in ("typical", "large")
    ),
    Goal(
        "one move, large: an update takes at most a fifth of a rebuild",
        "one_move",
        "large",
        slower="rebuild",
        faster="update",
        times=5,
    ),
    *_field("typical"),
    *_field("large"),
    Below(
        "outline of a group of 8: under 20 ms, no kernel", "group_outline", "typical", "enfilade_python", 20
    ),
    Below("outline of a group of 8: under 3 ms, kernel", "group_outline", "typical", "enfilade_c", 3),
    Below("previews at 40 targets, typical: under 20 ms", "previews", "typical", "enfilade", 20),
    Below("previews without walls: under 20 ms", "previews", "typical, no walls", "enfilade", 20),
    Below("overlay of an archer, typical: at most 4 ms", "overlay", "coup_de_grace", "all", 4),
    Below("its threat: at most 2.5 ms", "overlay", "coup_de_grace", "threat", 2.5),
    Below("its targets: at most 1.5 ms", "overlay", "coup_de_grace", "targets", 1.5),
    Below("overlays of Torn's demo battle, median: at most 4 ms", "overlay", "torn", "median", 4),
    Below("the slowest of them: at most 10 ms", "overlay", "torn", "worst", 10),
    Below("threat among them, median: at most 2 ms", "overlay", "torn", "threat", 2),
    Below("ten watched overlays after one move: at most 5 ms", "overlay", "watched", "update", 5),
    *(
        Below(f"overlay of {units} units, {game}: at most {limit} ms", "overlay", game, size, limit)
        for game in GAMES
        for units, size, limit in ((40, "typical", 4), (100, "large", 16))
    ),
    *(
        AtMost(f"{what}: {limit} ms", "area_act", f"{measure}_ms", limit)
        for what, measure, limit in (
            ("a fireball at eight creatures", "fireball_8", 50),
            ("one of eight dice", "eight_dice_8", 60),
            ("three attacks with advantage on 60 hit points", "multiattack", 100),
            ("the overlay of an outside author's wizard", "overlay", 150),
            ("first colors of its decision map", "map_first", 150),
            ("its whole map", "map", 1_500),
        )
    ),
    *(
        Below(f"longest slice at the largest scene, {game}: at most 10 ms", "slices", game, "longest", 10)
        for game in GAMES
    ),
    *(
        AtMost(f"{what} of a decision map, {game}: {limit} ms", "decision_map", f"{game}_{measure}", limit)
        for game in ("coup_de_grace", "torn")
        for what, measure, limit in (("all", "ms", 150), ("first colors", "first_ms", 50))
    ),
    *(AtMost(f"focus fire of five, {game}: 20 ms", "focus_fire", f"{game}_ms", 20) for game in GAMES),
    AtMost("1,000 forecasts of the demo battle: 30 s", "forecast", "demo_battle_1000_seconds", 30, "s"),
    AtMost("first page of a log of 100,000 entries: 200 ms", "replay", "first_page_ms", 200),
)
