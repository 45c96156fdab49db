"""Judge titles of sessions: which name what was done so well that they can stand in a report."""

from __future__ import annotations

import re

from recall_tui.text.classify.imperatives import is_imperative
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.lasting import gives_reason, is_cut
from recall_tui.text.classify.line_names import names_for_users, names_of
from recall_tui.text.classify.report_lines import (
    MAX_LINE_CHARS,
    MIN_LINE_CHARS,
    is_about_work,
    is_talk,
    is_vague,
    mentions_change,
)

_ORDER = re.compile(
    r"(?:completely |fully )?(?:show|prevent|preserve|support|allow|invert|use|make|detect|handle|fix(?:ed)?|simplify"
    r"|consolidate|track|configure|remove|add|update|change|replace|rename|move|increase|implement|optimize"
    r"|invert) \S",
    re.IGNORECASE,
)
_VAGUE_ORDER = re.compile(r"(?:update|improve|enhance|simplify|refactor|clean)\b", re.IGNORECASE)
"""Verbs of a title that need a name to say anything."""
_POINTS_INSIDE = re.compile(
    r"(?<![\w-])(?:it|this|that|them|these|those|both|there|something|things?|stuff|one)(?![\w-])", re.IGNORECASE
)
_DONE = re.compile(r"\b(?:complete[d]?|done|finished|implemented|working|resolved|successfully)\b", re.IGNORECASE)
_MIN_TITLE_TERMS = 3
_EFFECT = re.compile(r"this (?:removes|replaces|drops|adds|lets|makes|keeps|avoids|prevents|means) ", re.IGNORECASE)
"""The effect of the change that the title names."""
_QUOTED_PART = re.compile(r"`([^`]+)`|\"([^\"]+)\"")
_PLAN = re.compile(r"\s*[-—:]?\s*(?:implementation )?plan$", re.IGNORECASE)
_TICKET = re.compile(r"^[A-Z]{2,}-\d+: ")


def completes_title(words: str) -> bool:
    """Return whether a line says what was changed for a title that names its subject."""
    return (
        mentions_change(words)
        and MIN_LINE_CHARS <= len(words) <= MAX_LINE_CHARS
        and not (is_imperative(words) or is_talk(words) or is_about_work(words) or is_cut(words) or is_vague(words))
    )


def explains_title(words: str, title: str) -> bool:
    """Return whether a line about `this` tells what comes of a title that quotes its subject, and why."""
    quoted = " ".join(one or other for one, other in _QUOTED_PART.findall(title)).lower()
    shares = any(re.search(rf"\b{re.escape(name)}", words.lower()) for name in re.findall(r"[a-z]{4,}", quoted))
    is_whole = bool(_EFFECT.match(words)) and len(title) + len(words) < MAX_LINE_CHARS
    return is_whole and shares and gives_reason(words) and not is_talk(words)


def names_task(title: str) -> bool:
    """Return whether a title says what was to be done, such as `ENT-4: Replace the queue` or `Fixed the lease leak`."""
    words = _TICKET.sub("", bare_title(title))
    is_order = is_imperative(words) or bool(_ORDER.match(words))
    return is_order and _is_title(words)


def names_work(title: str) -> bool:
    """Return whether a title names what was worked on so well that it can stand in a report."""
    words = _TICKET.sub("", bare_title(title))
    capitals = sum(word[0].isupper() for word in words.split())
    is_headline = (
        len(words.split()) > 2 and capitals > 1 and capitals > 0.6 * sum(word[0].isalpha() for word in words.split())
    )
    has_names = bool(names_of(words) or names_for_users(words))
    is_specific = has_names or (is_headline and names_task(title) and not _VAGUE_ORDER.match(words))
    is_named = names_task(title) or (is_headline and _is_title(words))
    return is_named and is_specific and len(set(topic_terms(words))) >= _MIN_TITLE_TERMS


def bare_title(title: str) -> str:
    """Return a title without saying that it is a plan."""
    return _PLAN.sub("", title)


def _is_title(words: str) -> bool:
    is_open = words.endswith(("…", "?")) or _POINTS_INSIDE.search(words) or is_vague(words)
    return not (is_open or is_talk(words) or is_about_work(words) or is_cut(words))


def mentions_end(outcome: str) -> bool:
    """Return whether an outcome says that something was done."""
    return mentions_change(outcome) or bool(_DONE.search(outcome))
