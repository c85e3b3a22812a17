"""Each act in each state, barrier and end of a turn: the verdicts of the tables, cell by cell."""

from tests.unit.rulesets.combination_tests import walks_of

(
    test_each_act_has_the_verdict_of_its_cell,
    test_each_act_that_is_not_refused_leaves_a_whole_state,
    test_each_cell_follows_from_a_rule_or_a_ruling_of_the_page,
) = walks_of("torn")
