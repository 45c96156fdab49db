"""Pair what went wrong with the line that says how it was fixed: apart, each says half a thing."""

from __future__ import annotations

import re

from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.line_names import names_of
from recall_tui.text.classify.report_lines import (
    MAX_LINE_CHARS,
    is_bare_cause,
    is_code_edit,
    is_plain,
    mentions_change,
    report_kind,
)

_MIN_COMMON_TERMS = 3
"""Words that a cause and its fix have in common when they name nothing together."""
_MIN_FIX_WORDS = 7
"""Words of a fix that says what was done; `Fixed the check in apply.go` says nothing to a later reader."""
_THE_FIX = re.compile(r"the fix was (?:to )?(?!(?:in|on|at|not|never|here|simple|right)\b)(?=\w)", re.IGNORECASE)
"""Words in front of a fix that say that it is one."""
_TELLS_CHANGE = re.compile(r"\bthis (?:change|fix|commit|patch|pr)\b", re.IGNORECASE)
"""A cause that says itself what is done about it."""


def is_cause(text: str) -> bool:
    """Return whether a clean line says what went wrong."""
    return report_kind(text) == "cause" or is_bare_cause(text)


def may_fix(text: str) -> bool:
    """Return whether a clean line says what was changed so fully that it can stand behind a cause."""
    is_fix = bool(_THE_FIX.match(text)) or mentions_change(text)
    return is_fix and is_plain(_THE_FIX.sub("", text)) and ";" not in text and len(text.split()) >= _MIN_FIX_WORDS


def kinship(cause: str, fix: str) -> float:
    """Return how much a cause and a fix have in common; 0 when they may be about different things or are too long."""
    if _TELLS_CHANGE.search(cause):
        return 0.0
    names, terms = names_of(cause) & names_of(fix), frozenset(topic_terms(cause)) & frozenset(topic_terms(fix))
    if (not names and len(terms) < _MIN_COMMON_TERMS) or len(cause) + len(fix) >= MAX_LINE_CHARS:
        return 0.0
    verb = 2.0 * fix.lower().startswith(("fixed", "changed", "removed", "now", "the fix")) - 3.0 * is_code_edit(fix)
    return 2.0 * len(names) + len(terms) + verb
