"""House rules: each ruling and each gap of a rulebook as a documented option with a default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import force_setattr

from enfilade.errors import BadMessage
from enfilade.i18n import has_text, localize
from enfilade.scene.model import Scene, Value

Setting = bool | int | str


class HouseRule(Value, frozen=True, kw_only=True):
    """One option of a ruleset: its settings, the default first, and a sentence for the GM.

    Without a `sentence` it is the text of `house_rules.KEY` in the server's catalog. With `led_by` another
    option sets the default: its key, its setting, and what is the default then.
    """

    key: str
    default: Setting
    options: tuple[Setting, ...]
    sentence: str = ""
    rule: str = ""
    led_by: tuple[str, Setting, Setting] | None = None

    def __post_init__(self) -> None:
        if not self.sentence and has_text(f"house_rules.{self.key}"):
            force_setattr(self, "sentence", localize(f"house_rules.{self.key}"))


class HouseRules(list[HouseRule]):
    """The house rules of one game, in the order in which the GM reads them.

    `option` adds one and returns it, so that a module is one line for each:

        RULES = HouseRules("last_stand")
        REROLLS = RULES.option("rerolls", "LST-004", False, True)
        HOUSE_RULES = tuple(RULES)
    """

    def __init__(self, game: str) -> None:
        super().__init__()
        self._game = game

    def option(
        self, name: str, rule: str, *options: Setting, default: Setting | None = None, sentence: str = ""
    ) -> HouseRule:
        """Add an option with the key `GAME.name`; without a `default` the first of its settings is it."""
        first = options[0] if default is None else default
        key = f"{self._game}.{name}"
        self.append(HouseRule(key=key, default=first, options=options, sentence=sentence, rule=rule))
        return self[-1]


TABLE_RULES = HouseRules("table")
"""The options of every table, for all games."""
PLAYERS_TYPE_DICE = TABLE_RULES.option("players_type_dice", "", False, True)
ADVICE = TABLE_RULES.option("advice_for_players", "", True, False)


def setting(scene: Scene, house_rule: HouseRule) -> Setting:
    """Return the table's choice for a house rule, or its default."""
    chosen = scene.house_rules.get(house_rule.key)
    if chosen is not None:
        return chosen
    if house_rule.led_by:
        leader, its_setting, default = house_rule.led_by
        if scene.house_rules.get(leader) == its_setting:
            return default
    return house_rule.default


def is_on(scene: Scene, house_rule: HouseRule) -> bool:
    """Return whether a yes-or-no house rule is on."""
    return setting(scene, house_rule) is True


def check_settings(chosen: Mapping[str, Setting], offered: Iterable[HouseRule]) -> None:
    """Raise BadMessage with each setting that names an unknown house rule or value."""
    known = {house_rule.key: house_rule.options for house_rule in (*TABLE_RULES, *offered)}
    wrong = {
        f"house_rules.{key}": [_what_is_wrong(key, known)]
        for key, value in chosen.items()
        if not _is_offered(value, known.get(key, ()))
    }
    if wrong:
        raise BadMessage(wrong)


def _is_offered(value: Setting, options: tuple[Setting, ...]) -> bool:
    # True equals 1 in Python, but is another setting.
    return any(value == option and type(value) is type(option) for option in options)


def _what_is_wrong(key: str, known: Mapping[str, tuple[Setting, ...]]) -> str:
    if key not in known:
        return localize("rules.no_such_house_rule")
    return localize("rules.wrong_setting", options=", ".join(map(str, known[key])))
