"""Weights of a line's measures; made by `tests/qa/digest/measure.py --write`, not by hand."""

from __future__ import annotations

ITEM_WEIGHTS: tuple[float, ...] = (
    -1.7335,  # bias
    -0.9151,  # rarity
    0.3956,  # in_last_reply
    0.5922,  # in_closing_replies
    0.3444,  # in_prompts
    -0.1807,  # in_plan
    1.9390,  # centrality
    0.0122,  # log_length
    -0.5508,  # is_short
    -0.0402,  # narration
    0.9241,  # literals
    -0.7190,  # commit_hash
    0.1410,  # doubted
    -0.4211,  # routine_heading
    0.0567,  # has_heading
    0.1179,  # place
    0.0000,  # pasted
    -0.0683,  # ratified
    0.0478,  # cause
    0.1754,  # contrast
    -0.1316,  # change
    -0.1707,  # checks
    -0.1027,  # tentative
    -0.2885,  # transient
    -0.4381,  # edit_list
    -0.0783,  # open
    -0.2811,  # open_heading
    0.4273,  # lesson
    2.2138,  # unticked
    0.2031,  # closing
    0.6447,  # last
    0.3362,  # first_of_reply
    0.0489,  # bullet
    -0.2265,  # is_plan
    0.7713,  # is_prompt
    -1.2006,  # is_request
    -0.1314,  # is_commit
    1.3696,  # choice_in_prompt
    -0.0358,  # after_failure
    1.0877,  # cause_after_failure
)
"""Log-odds that a line is worth keeping: a bias, and one weight for each of `features.FEATURES`."""
