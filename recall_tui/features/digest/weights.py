"""Weights of a line's measures; made by `tests/qa/digest/measure.py --write`, not by hand."""

from __future__ import annotations

ITEM_WEIGHTS: tuple[float, ...] = (
    -1.6411,  # bias
    -0.9903,  # rarity
    0.3879,  # in_last_reply
    0.6106,  # in_closing_replies
    0.3881,  # in_prompts
    -0.2284,  # in_plan
    1.9568,  # centrality
    -0.0095,  # log_length
    -0.4963,  # is_short
    -0.0579,  # narration
    0.9405,  # literals
    -0.7133,  # commit_hash
    0.1170,  # doubted
    -0.4149,  # routine_heading
    0.1198,  # has_heading
    0.1968,  # place
    0.0000,  # pasted
    -0.0808,  # ratified
    0.0565,  # cause
    0.1281,  # contrast
    -0.1437,  # change
    -0.1763,  # checks
    -0.1274,  # tentative
    -0.2845,  # transient
    -0.4768,  # edit_list
    -0.0321,  # open
    -0.2673,  # open_heading
    0.4780,  # lesson
    2.1706,  # unticked
    0.1894,  # closing
    0.6244,  # last
    0.2884,  # first_of_reply
    0.0182,  # bullet
    -0.2467,  # is_plan
    0.8172,  # is_prompt
    -1.2101,  # is_request
    -0.0065,  # is_commit
    1.3545,  # choice_in_prompt
    -0.0286,  # after_failure
    1.1149,  # cause_after_failure
)
"""Log-odds that a line is worth keeping: a bias, and one weight for each of `features.FEATURES`."""
