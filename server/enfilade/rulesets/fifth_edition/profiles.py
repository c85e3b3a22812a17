"""Profiles: the numbers of a creature, its attacks and effects, and its states (SRD-145 to SRD-160)."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from enfilade.i18n import localize
from enfilade.rules.battle.battle import Unit, profile_of
from enfilade.rules.battle.memo import per_profile, per_token
from enfilade.rules.d20 import Defenses
from enfilade.rules.house_rules import setting
from enfilade.rules.ruleset import Bar
from enfilade.rules.sheets import Attack, Damage, Mode, Size, prepared
from enfilade.rulesets.fifth_edition import house_rules
from enfilade.rulesets.fifth_edition.weapons import WEAPONS, Training, attack_with, common_attacks, hands_for
from enfilade.runtime.lazy import lazy
from enfilade.scene.model import Scene, Token

Ability = Literal["str", "dex", "con", "int", "wis", "cha"]
Shape = Literal["sphere", "cylinder", "cone", "cube", "line", "emanation", "single", "teleport"]
Material = Literal["", "cloth", "glass", "wood", "stone", "iron"]
ARMOR_OF = {"cloth": 11, "glass": 13, "wood": 15, "stone": 17, "iron": 19}
"""The armor class of objects (SRD-144)."""
ABILITY_OF: dict[str, Ability] = {"athletics": "str", "acrobatics": "dex", "stealth": "dex"}
"""The abilities of skills; those of Perception and Medicine are Wisdom."""
_Score = Annotated[int, Meta(ge=1, le=30)]
_Bonus = Annotated[int, Meta(ge=-10, le=30)]
_Feet = Annotated[float, Meta(ge=0, le=1_000)]
_Word = Annotated[str, Meta(min_length=1, max_length=40)]
_Name = Annotated[str, Meta(min_length=1, max_length=60)]
_Weapon = Annotated[str, Meta(pattern=f"^({'|'.join(WEAPONS)})$")]
_Types = Annotated[tuple[_Word, ...], Meta(max_length=40)]

STATES = (
    *("blinded", "charmed", "deafened", "exhaustion", "frightened", "grappled", "incapacitated", "invisible"),
    *("paralyzed", "petrified", "poisoned", "prone", "restrained", "stunned", "unconscious"),
)
"""The 15 conditions (SRD-145 to SRD-158)."""
NAMED_COVER = {
    **{"half cover": "half", "three-quarters cover": "three_quarters", "total cover": "total"},
    **{"coverHalf": "half", "coverThreeQuarters": "three_quarters", "coverTotal": "total"},
}
"""The cover that a condition names, the table's own and the status of an actor (SRD-100)."""
HELPLESS = ("paralyzed", "petrified", "stunned", "unconscious")
"""Those that bring Incapacitated with them (SRD-151 to SRD-157)."""
IDLE = ("incapacitated", "out", "surprised")
"""Those in which a creature takes no actions and no reactions (SRD-046, SRD-149)."""
NO_STATES: frozenset[str] = frozenset()
AVERAGE = 10
"""The score of an ability without a modifier."""
DEADLY = 6
"""The level of exhaustion that kills (SRD-158)."""
NO_SPEED = ("grappled", "paralyzed", "petrified", "restrained", "unconscious")
OF_TURN = ("acted", "bonus", "cleaved", "disengaged", "interacted", "lightly", "nicked", "used", "cast")
"""What a creature has done in its turn; the notes of "lightly" and "used" name attacks (SRD-117, SRD-057)."""
OF_ROUND = ("reacted", "dodging", "readied")
"""What lasts to the start of its own next turn (SRD-051, SRD-060, SRD-068)."""
BY_OTHERS = ("aided", "helped", "sapped", "slowed", "vexed")
"""What lasts to the next turn of the creature in the note (SRD-061, SRD-128, SRD-129, SRD-131)."""
TRACKS = {
    name.replace("_", " "): localize(f"fifth_edition.track_{name}")
    for name in (
        *("hp", "temp", "initiative", "moved", "extra", "run", "attacks", "successes", "failures", "round"),
        *("exhaustion", "used", "resisted", "legendary", "hidden", "tie"),
    )
}
CONDITIONS = {
    name: localize(f"fifth_edition.condition_{name}")
    for name in (
        *(*STATES, *OF_TURN, *OF_ROUND, *BY_OTHERS),
        *("burning", "burnt", "concentrating", "dying", "grappling", "inspired", "led", "out", "ridden"),
        *("riding", "spent", "stable", "shots", "surprised", "turn", "wielding"),
    )
} | {
    name: localize(f"fifth_edition.condition_{kind}")
    for name, kind in NAMED_COVER.items()
    if name.endswith("cover")
}


class Effect(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A spell or a feature with an area or a save: where it works, and what it does (SRD-170, SRD-180).

    Lengths are in feet. "single" is at one creature, "teleport" moves its caster so far. A `difficulty` of 0
    is that of the caster's spells (SRD-177). `level` is that of the slot that it takes, and each slot above
    it adds `higher`. `condition` lasts until the start or the end of the caster's next turn, or while the
    caster concentrates; with `repeats` its bearer saves again at the end of its turns. `healing` is for those
    of the caster's side, without a save.
    """

    name: _Word
    shape: Shape
    size: _Feet = 0
    width: _Feet = 5
    height: _Feet = 0
    range: _Feet = 0
    save: Ability = "dex"
    difficulty: Annotated[int, Meta(ge=0, le=40)] = 13
    damage: Annotated[tuple[Damage, ...], Meta(max_length=4)] = ()
    healing: Annotated[tuple[Damage, ...], Meta(max_length=4)] = ()
    half: bool = True
    condition: Annotated[str, Meta(max_length=20)] = ""
    until: Literal["", "start", "end"] = ""
    repeats: bool = False
    concentrates: bool = False
    level: Annotated[int, Meta(ge=0, le=9)] = 0
    higher: Annotated[tuple[Damage, ...], Meta(max_length=4)] = ()
    is_bonus: bool = False
    is_verbal: bool = False
    needs_sight: bool = False
    ignores_cover: bool = False
    spares_allies: bool = False
    uses: Annotated[int, Meta(ge=0, le=99)] = 0
    recharge: Annotated[int, Meta(ge=0, le=6)] = 0


class Profile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A creature's numbers; lengths are in feet."""

    size: Annotated[Size, Meta(title="Size")] = "medium"
    armor_class: Annotated[int, Meta(ge=1, le=40, title="Armor class")] = 10
    hit_points: Annotated[int, Meta(ge=1, le=2_000, title="Hit points")] = 4
    speeds: Annotated[dict[Mode, _Feet], Meta(title="Speeds")] = field(default_factory=lambda: {"walk": 30.0})
    senses: Annotated[dict[_Word, _Feet], Meta(title="Senses", max_length=10)] = {}
    abilities: Annotated[dict[Ability, _Score], Meta(title="Ability scores")] = {}
    saves: Annotated[dict[Ability, _Bonus], Meta(title="Saves", description="Else the modifier.")] = {}
    proficiency: Annotated[int, Meta(ge=0, le=12, title="Proficiency bonus")] = 2
    skills: Annotated[dict[_Word, _Bonus], Meta(title="Skills", max_length=20)] = {}
    casting: Annotated[Ability, Meta(title="Ability of spells")] = "int"
    attacks: Annotated[tuple[Attack, ...], Meta(title="Attacks", max_length=20)] = ()
    multiattack: Annotated[int, Meta(ge=1, le=6, title="Attacks of an action")] = 1
    effects: Annotated[tuple[Effect, ...], Meta(title="Effects", max_length=10)] = ()
    resistances: Annotated[_Types, Meta(title="Resistances")] = ()
    vulnerabilities: Annotated[_Types, Meta(title="Vulnerabilities")] = ()
    immunities: Annotated[_Types, Meta(title="Immunities")] = ()
    initiative: Annotated[int, Meta(ge=-20, le=20, title="Initiative", description="Beside Dexterity.")] = 0
    weapons: Annotated[tuple[_Weapon, ...], Meta(title="Weapons", max_length=12)] = ()
    training: Annotated[Training, Meta(title="Proficient with")] = "martial"
    has_mastery: Annotated[bool, Meta(title="Uses masteries")] = False
    hands: Annotated[int, Meta(ge=0, le=8, title="Hands")] = 2
    ammunition: Annotated[int, Meta(ge=0, le=999, title="Ammunition", description="Of each weapon.")] = 20
    bonus_actions: Annotated[tuple[_Word, ...], Meta(title="Acts as bonus actions", max_length=10)] = ()
    routine: Annotated[tuple[_Word, ...], Meta(title="Attacks of a Multiattack", max_length=8)] = ()
    threshold: Annotated[int, Meta(ge=0, le=100, title="Damage threshold")] = 0
    material: Annotated[Material, Meta(title="Material", description="Of an object.")] = ""
    legendary_resistance: Annotated[int, Meta(ge=0, le=10, title="Legendary resistance")] = 0
    legendary_actions: Annotated[int, Meta(ge=0, le=10, title="Legendary actions")] = 0
    regeneration: Annotated[int, Meta(ge=0, le=100, title="Regeneration")] = 0
    unhealing: Annotated[_Types, Meta(title="Stops regeneration")] = ()
    parry: Annotated[int, Meta(ge=0, le=10, title="Parry")] = 0
    has_frenzy: Annotated[bool, Meta(title="Bloodied Frenzy")] = False
    hovers: Annotated[bool, Meta(title="Hovers")] = False
    is_character: Annotated[bool, Meta(title="Makes death saves")] = False
    has_pack_tactics: Annotated[bool, Meta(title="Pack Tactics")] = False
    has_undead_fortitude: Annotated[bool, Meta(title="Undead Fortitude")] = False
    critical: Annotated[int, Meta(ge=15, le=20, title="Critical from")] = 20
    conditions: Annotated[tuple[_Name, ...], Meta(title="Conditions", max_length=60)] = ()
    exhaustion: Annotated[int, Meta(ge=0, le=6, title="Exhaustion")] = 0
    is_prepared: Annotated[
        bool, Meta(title="Prepared by a system", description="Speeds and attacks have exhaustion in them.")
    ] = False


SEPARATOR = "|"
"""What is between the parts of a note that lists several."""
RANKS: tuple[Size, ...] = ("tiny", "small", "medium", "large", "huge", "gargantuan")


class Creature(Unit, frozen=True):
    """A token with its parsed profile, and what its states make of it.

    has_ladder, is_rooted: the older rules of exhaustion, and of the stunned, hold (SRD-156, SRD-158).
    """

    profile: Profile
    has_ladder: bool = False
    is_rooted: bool = False

    @lazy
    def states(self) -> frozenset[str]:
        """Return its conditions, those of its actor too, with what they bring (SRD-149, SRD-157)."""
        own = {*self.token.conditions, *self.profile.conditions}
        if not own and not self.profile.is_prepared and self.exhaustion < DEADLY:
            return NO_STATES
        if self.exhaustion >= DEADLY:
            own.add("dead")
        if "dead" in own or (self.profile.is_prepared and self.hit_points <= 0):
            own.add("unconscious" if self.profile.is_character and "dead" not in own else "out")
        if own.intersection(HELPLESS):
            own.add("incapacitated")
        if "unconscious" in own:
            own.add("prone")
        return frozenset(own)

    @lazy
    def can_act(self) -> bool:
        """Return whether it can take actions and reactions (SRD-149)."""
        return self.states.isdisjoint(IDLE) and not self.is_object

    @property
    def is_object(self) -> bool:
        """Return whether it is a thing, which does nothing and fails its saves (SRD-144)."""
        return bool(self.profile.material)

    @property
    def armor_class(self) -> int:
        """Return its armor class; that of an object is its material's (SRD-144)."""
        return ARMOR_OF.get(self.profile.material, self.profile.armor_class)

    @property
    def is_frenzied(self) -> bool:
        """Return whether it attacks and saves with advantage because it is Bloodied (SRD-138, SRD-184)."""
        return self.profile.has_frenzy and self.is_bloodied

    @property
    def is_hurt(self) -> bool:
        """Return whether it has fewer hit points than it may have, and at least 1."""
        return 0 < self.hit_points < self.maximum

    @property
    def is_bloodied(self) -> bool:
        """Return whether it has half of its hit points or fewer (SRD-138)."""
        return 0 < self.hit_points <= self.maximum // 2

    def listed(self, condition: str) -> tuple[str, ...]:
        """Return what the note of a condition lists: IDs, or names of attacks."""
        return tuple(filter(None, self.token.conditions.get(condition, "").split(SEPARATOR)))

    @property
    def shots(self) -> Counter[str]:
        """Return the pieces of ammunition spent by weapon: the note lists "3 Longbow" (SRD-114)."""
        parts = [one.partition(" ") for one in self.listed("shots")]
        return Counter({name: int(count) for count, _, name in parts if count.isdecimal()})

    @lazy
    def hit_points(self) -> int:
        """Return the hit points left."""
        return min(self.maximum, self.token.track("hp", self.maximum))

    @property
    def maximum(self) -> int:
        """Return the most hit points that it may have; on the ladder of exhaustion half (SRD-158)."""
        return self.profile.hit_points // (2 if self.is_worn(4) and not self.profile.is_prepared else 1)

    def modifier(self, ability: Ability) -> int:
        """Return an ability's modifier."""
        return _modifier(self.profile, ability)

    def score(self, ability: Ability) -> int:
        """Return an ability's score; one that its profile does not name is average."""
        return _score(self.profile, ability)

    def save(self, ability: Ability) -> int:
        """Return the bonus of a save (SRD-161), with the levels of exhaustion (SRD-158)."""
        return self.profile.saves.get(ability, self.modifier(ability)) - self.tired

    def skill(self, name: str) -> int:
        """Return the bonus of a skill; without one of its own that of its ability."""
        return self.profile.skills.get(name, self.modifier(ABILITY_OF.get(name, "wis")))

    def agility(self) -> int:
        """Return the better of its Athletics and its Acrobatics (SRD-032, SRD-075)."""
        return max(self.skill("athletics"), self.skill("acrobatics"))

    def difficulty(self, effect: Effect) -> int:
        """Return the difficulty of an effect's save; that of a spell is 8 and its bonuses (SRD-177)."""
        return effect.difficulty or 8 + self.modifier(self.profile.casting) + self.profile.proficiency

    @property
    def tired(self) -> int:
        """Return what exhaustion takes from each save and check (SRD-158)."""
        return 0 if self.has_ladder else 2 * self.exhaustion

    def is_worn(self, level: int) -> bool:
        """Return whether it is at a level of the older ladder of exhaustion (SRD-158)."""
        return self.has_ladder and self.exhaustion >= level

    @property
    def exhaustion(self) -> int:
        """Return its level of exhaustion: that of its actor, or the track's (SRD-158)."""
        return max(self.profile.exhaustion, self.token.track("exhaustion"))

    @lazy
    def speeds(self) -> dict[Mode, float]:
        """Return its speeds in feet after states, which change all of them alike (SRD-011, SRD-014)."""
        held = not self.states.isdisjoint((*NO_SPEED, "stunned") if self.is_rooted else NO_SPEED)
        less, part = 10 if "slowed" in self.states else 0, 1
        if not self.profile.is_prepared:  # else exhaustion is in its speeds
            held, part = held or self.is_worn(5), 2 if self.is_worn(2) else 1
            less += 5 * self.tired // 2
        is_still = held or self.is_object
        own = {mode: feet for mode, feet in self.profile.speeds.items() if feet}
        return {mode: 0 if is_still else max(0, feet - less) // part for mode, feet in own.items()}

    @lazy
    def is_aloft(self) -> bool:
        """Return whether it flies (SRD-022)."""
        return self.token.elevation > 0 and "fly" in self.profile.speeds

    @lazy
    def speed(self) -> float:
        """Return its Speed in feet: walking, in the air flying, and without legs the best of all."""
        own = self.speeds.get("fly" if self.is_aloft else "walk")
        return max(self.speeds.values(), default=0) if own is None else own

    @lazy
    def attacks(self) -> dict[str, Attack]:
        """Return its attacks by name: those of its profile and of its weapons, and the unarmed strike."""
        return {} if self.is_object else _attacks_of(self.profile)

    @lazy
    def threats(self) -> list[Attack]:
        """Return the melee attacks that it can make in the turn of others (SRD-079, SRD-080)."""
        if self.token.conditions.keys().isdisjoint(("wielding", "grappling")):
            return [] if self.is_object else _threats_of(self.profile)
        return [one for one in self.attacks.values() if one.kind != "ranged" and self.has_at_hand(one)]

    def has_at_hand(self, attack: Attack) -> bool:
        """Return whether an attack needs nothing to be drawn; before the first all weapons are ready."""
        needed, held = hands_for(attack), self.listed("wielding")
        is_held = attack.name in held or not self.token.has("wielding")
        return not needed or (is_held and needed + len(self.listed("grappling")) <= self.profile.hands)

    @lazy
    def reach(self) -> float:
        """Return the longest reach of its melee attacks at hand in feet (SRD-080)."""
        if self.token.conditions.keys().isdisjoint(("wielding", "grappling")):
            return 0 if self.is_object else _reach_of(self.profile)
        return max([one.reach for one in self.threats], default=0)

    @lazy
    def defenses(self) -> Defenses:
        """Return what it resists (SRD-134, SRD-152)."""
        one = self.profile
        return Defenses(
            frozenset(one.resistances),
            frozenset(one.vulnerabilities),
            frozenset((*one.immunities, *(("poison", "psychic") if self.is_object else ()))),
            "petrified" in self.states,
            one.threshold,
        )

    @property
    def is_dodging(self) -> bool:
        """Return whether it dodges, which it does not at Speed 0 or without actions (SRD-060)."""
        return "dodging" in self.states and self.can_act and bool(self.speed)

    @property
    def rank(self) -> int:
        """Return the place of its size among all sizes."""
        return RANKS.index(self.profile.size)


def _score(profile: Profile, ability: Ability) -> int:
    return profile.abilities.get(ability, AVERAGE)


def _modifier(profile: Profile, ability: Ability) -> int:
    return (_score(profile, ability) - AVERAGE) // 2


@per_profile
def _attacks_of(profile: Profile) -> dict[str, Attack]:
    """Return the attacks of all creatures with a profile by name."""
    modifier, bonus = partial(_modifier, profile), profile.proficiency
    own = [attack_with(name, modifier, bonus, profile.training) for name in profile.weapons]
    common = common_attacks(modifier, bonus, has_hands=bool(profile.hands and profile.weapons))
    return {attack.name: attack for attack in (*own, *profile.attacks, *common)}


@per_profile
def _threats_of(profile: Profile) -> list[Attack]:
    """Return the melee attacks of all creatures with a profile whose hands are free."""
    own = _attacks_of(profile).values()
    return [one for one in own if one.kind != "ranged" and hands_for(one) <= profile.hands]


@per_profile
def _reach_of(profile: Profile) -> float:
    """Return the longest reach of all creatures with a profile whose hands are free."""
    return max([one.reach for one in _threats_of(profile)], default=0)


@per_token
def read_creature(token: Token) -> Creature:
    """Return a token with its parsed profile. Raises BadMessage if the profile is invalid."""
    return Creature(token, profile_of(token.profile, Profile))


def creature_in(scene: Scene, token: Token) -> Creature:
    """Return a token as the options of its table take exhaustion and the stunned (SRD-156, SRD-158)."""
    ladder, rooted = setting(scene, house_rules.EXHAUSTION), setting(scene, house_rules.STUNNED)
    if ladder == "minus two" and rooted == "may move":
        return read_creature(token)
    return _older(token, ladder == "ladder", rooted == "speed 0")


@per_token
def _older(token: Token, has_ladder: bool, is_rooted: bool) -> Creature:
    return Creature(token, read_creature(token).profile, has_ladder, is_rooted)


def bar(token: Token) -> Bar:
    """Return the bar with a creature's hit points (SRD-138)."""
    return Bar("hp", read_creature(token).profile.hit_points)


def prepare_token(token: Token) -> Token:
    """Return a token as it enters the battle: its hit points, and its space by size (SRD-005)."""
    profile = read_creature(token).profile
    return prepared(token, profile.size, profile.hit_points)
