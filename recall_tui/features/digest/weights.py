"""Weights of a line's measures; made by `tests/qa/digest/measure.py --write`, not by hand."""

from __future__ import annotations

ITEM_WEIGHTS: tuple[float, ...] = (
    -1.7266,  # bias
    -0.9174,  # rarity
    0.3963,  # in_last_reply
    0.5921,  # in_closing_replies
    0.3441,  # in_prompts
    -0.1809,  # in_plan
    1.9373,  # centrality
    0.0111,  # log_length
    -0.5514,  # is_short
    -0.0557,  # narration
    0.9231,  # literals
    -0.7190,  # commit_hash
    0.1410,  # doubted
    -0.4213,  # routine_heading
    0.0567,  # has_heading
    0.1184,  # place
    0.0000,  # pasted
    -0.0683,  # ratified
    0.0488,  # cause
    0.1758,  # contrast
    -0.1319,  # change
    -0.1707,  # checks
    -0.1018,  # tentative
    -0.2884,  # transient
    -0.4378,  # edit_list
    -0.0779,  # open
    -0.2806,  # open_heading
    0.4280,  # lesson
    2.2130,  # unticked
    0.2032,  # closing
    0.6452,  # last
    0.3363,  # first_of_reply
    0.0486,  # bullet
    -0.2264,  # is_plan
    0.7706,  # is_prompt
    -1.2084,  # is_request
    -0.1317,  # is_commit
    1.3721,  # choice_in_prompt
    -0.0356,  # after_failure
    1.0869,  # cause_after_failure
)
"""Log-odds that a line is worth keeping: a bias, and one weight for each of `features.FEATURES`."""
