"""Weights of a line's measures; made by `tests/qa/digest/measure.py --write`, not by hand."""

from __future__ import annotations

ITEM_WEIGHTS: tuple[float, ...] = (
    -1.5964,  # bias
    -1.0446,  # rarity
    0.3931,  # in_last_reply
    0.6013,  # in_closing_replies
    0.3846,  # in_prompts
    -0.2183,  # in_plan
    1.9141,  # centrality
    -0.0059,  # log_length
    -0.5031,  # is_short
    -0.0632,  # narration
    0.9397,  # literals
    -0.7096,  # commit_hash
    0.1333,  # doubted
    -0.4379,  # routine_heading
    0.1055,  # has_heading
    0.1806,  # place
    0.0000,  # pasted
    -0.0486,  # ratified
    0.0597,  # cause
    0.1362,  # contrast
    -0.1469,  # change
    -0.1634,  # checks
    -0.1123,  # tentative
    -0.2835,  # transient
    -0.4368,  # edit_list
    -0.0683,  # open
    -0.2679,  # open_heading
    0.4705,  # lesson
    2.1804,  # unticked
    0.1796,  # closing
    0.6475,  # last
    0.2886,  # first_of_reply
    0.0151,  # bullet
    -0.2374,  # is_plan
    0.7834,  # is_prompt
    -1.2020,  # is_request
    0.0029,  # is_commit
    1.3796,  # choice_in_prompt
    -0.0255,  # after_failure
    1.1069,  # cause_after_failure
)
"""Log-odds that a line is worth keeping: a bias, and one weight for each of `features.FEATURES`."""
