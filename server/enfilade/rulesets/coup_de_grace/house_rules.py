"""The house rules of Coup-de-Grace: the open questions of the text, each with its default."""

from __future__ import annotations

from enfilade.rules.house_rules import HouseRules

RULES = HouseRules("cdg")


ADJACENCY = RULES.option("adjacency", "CDG-012", "edges", "edges and corners")
DOUBLING = RULES.option("doubling", "CDG-040", "per enemy", "once")
RANGE = RULES.option("range", "CDG-017", "straight", "path")
INCREMENT = RULES.option("range_increment", "CDG-059", 6, 3)
CORNERS = RULES.option("corners", "CDG-051", True, False)
REAR = RULES.option("rear", "CDG-054", "straight behind", "rear three")
NATURALS = RULES.option("naturals", "CDG-047", False, True)
TIE = RULES.option("tied_initiative", "CDG-023", "roll off", "stay")
VICTORY = RULES.option("victory", "CDG-079", "last team standing", "scenario")
DOWNED_DOUBLE = RULES.option("downed_double_costs", "CDG-040", True, False)
DOWNED_IN_THE_WAY = RULES.option("downed_in_the_way", "CDG-058", True, False)
DOWNED_HIDE = RULES.option("downed_block_sight", "CDG-051", True, False)
DOWNED_NEED_SIGHT = RULES.option("downed_need_sight", "CDG-074", True, False)
ATTACK_ALLIES = RULES.option("attack_team_mates", "CDG-052", False, True)
CRAWL_DIAGONALLY = RULES.option("crawl_diagonally", "CDG-072", False, True)
BLOCKED_PUSH = RULES.option("blocked_push", "CDG-064", "turn", "damage")

DOWNED_AGAIN = RULES.option("downed_attack_again", "CDG-071", True, False)
DOWNED_FEED = RULES.option("downed_feed", "CDG-063", "vampires", "both", "none")
DOWNED_CAST = RULES.option("downed_cast", "CDG-070", False, True)
DOWNED_PUSHED = RULES.option("downed_pushed", "CDG-064", True, False)
CAPTOR_FALLS = RULES.option("captor_falls", "CDG-063", "stays entangled", "freed")
HOOK_DAMAGE = RULES.option("hook_damage", "CDG-063", True, False)

HOUSE_RULES = tuple(RULES)
