"""Weights of a line's measures; made by `tests/qa/digest/measure.py --write`, not by hand."""

from __future__ import annotations

ITEM_WEIGHTS: tuple[float, ...] = (
    -1.9555,  # bias
    -0.9320,  # rarity
    0.3208,  # in_last_reply
    0.5908,  # in_closing_replies
    0.3367,  # in_prompts
    -0.1779,  # in_plan
    1.9590,  # centrality
    0.0527,  # log_length
    -0.3964,  # is_short
    -0.0532,  # narration
    0.9741,  # literals
    -0.6930,  # commit_hash
    0.2121,  # doubted
    -0.3966,  # routine_heading
    0.1352,  # has_heading
    0.1401,  # place
    0.0000,  # pasted
    0.0194,  # ratified
    0.0761,  # cause
    0.1031,  # contrast
    -0.1401,  # change
    -0.2065,  # checks
    -0.1099,  # tentative
    -0.2877,  # transient
    -0.5335,  # edit_list
    -0.0134,  # open
    -0.4227,  # open_heading
    0.5364,  # lesson
    2.2295,  # unticked
    0.1925,  # closing
    0.6203,  # last
    0.3134,  # first_of_reply
    0.0720,  # bullet
    -0.2249,  # is_plan
    0.7304,  # is_prompt
    -1.2368,  # is_request
    0.0528,  # is_commit
    1.1863,  # choice_in_prompt
    -0.0172,  # after_failure
    1.0690,  # cause_after_failure
)
"""Log-odds that a line is worth keeping: a bias, and one weight for each of `features.FEATURES`."""
