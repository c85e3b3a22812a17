"""The quick refusal of an act at an enemy is that of the act itself, with its sentence."""

from __future__ import annotations

import random

import pytest

from enfilade.rules.resolve import refusal
from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from enfilade.rulesets.knights_of_valour.offers import ACTS
from tests.seeds import seeds
from tests.unit.rulesets.knights_of_valour.test_shared_answers import random_board


def sentence(found):
    return found and (found.rule, found.cause, found.sentence)


@pytest.mark.parametrize("seed", seeds(30))
def test_each_act_at_an_enemy_is_refused_at_once_as_it_is_when_it_is_done(seed):
    board = random_board(random.Random(seed))
    for token in board.tokens:
        for asked in (offer.act for offer in KNIGHTS_OF_VALOUR.offers(board, token) if offer.act.target):
            kind = ACTS[asked.kind]
            assert sentence(kind.refusal(board, asked)) == sentence(refusal(board, kind.procedure, asked))
