"""Weights of a line's measures; made by `tests/qa/digest/measure.py --write`, not by hand."""

from __future__ import annotations

ITEM_WEIGHTS: tuple[float, ...] = (
    -1.9729,  # bias
    -0.9298,  # rarity
    0.3213,  # in_last_reply
    0.5929,  # in_closing_replies
    0.3367,  # in_prompts
    -0.1768,  # in_plan
    1.9632,  # centrality
    0.0547,  # log_length
    -0.3938,  # is_short
    -0.0530,  # narration
    0.9750,  # literals
    -0.6926,  # commit_hash
    0.2140,  # doubted
    -0.3967,  # routine_heading
    0.1337,  # has_heading
    0.1422,  # place
    0.0000,  # pasted
    0.0213,  # ratified
    0.0760,  # cause
    0.1035,  # contrast
    -0.1396,  # change
    -0.2010,  # checks
    -0.1103,  # tentative
    -0.2873,  # transient
    -0.5352,  # edit_list
    -0.0136,  # open
    -0.4229,  # open_heading
    0.5377,  # lesson
    2.2270,  # unticked
    0.1907,  # closing
    0.6220,  # last
    0.3146,  # first_of_reply
    0.0748,  # bullet
    -0.2238,  # is_plan
    0.7314,  # is_prompt
    -1.2363,  # is_request
    0.0515,  # is_commit
    1.1849,  # choice_in_prompt
    -0.0176,  # after_failure
    1.0689,  # cause_after_failure
)
"""Log-odds that a line is worth keeping: a bias, and one weight for each of `features.FEATURES`."""
