"""Pair what went wrong with the line that says how it was fixed: apart, each says half a thing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.line_names import names_of
from recall_tui.text.classify.report_lines import (
    MAX_LINE_CHARS,
    is_bare_cause,
    is_code_edit,
    is_plain,
    is_talk,
    mentions_change,
    report_kind,
)
from recall_tui.text.secrets.redact import redact
from recall_tui.text.sentences import split_sentences

_MIN_COMMON_TERMS = 3
"""Words that a cause and its fix have in common when they name nothing together, or it may happen only."""
_POSSIBILITY = re.compile(r"if\b", re.IGNORECASE)
"""A cause that says only what may go wrong; a change of the same function is often about something else."""
_MIN_FIX_WORDS = 7
"""Words of a fix that says what was done; `Fixed the check in apply.go` says nothing to a later reader."""
_MAX_SHARED = 0.6
"""Share of the longer one's words from which a fix only repeats the cause."""
_THE_FIX = re.compile(r"the fix was (?:to )?(?!(?:in|on|at|not|never|here|simple|right)\b)(?=\w)", re.IGNORECASE)
"""Words in front of a fix that say that it is one."""
_TWO_SUBJECTS = re.compile(r"(?:both )?`([^`(]+)[^`]*`(?: \([^()]*\))? and `([^`(]+)[^`]*`", re.IGNORECASE)
_NOW = re.compile(r"now\b", re.IGNORECASE)
_VALUE = re.compile(r"`[^`]{2,40}`|\"[^\"]{2,40}\"")
_MIN_SAME_VALUES = 2
_STATES_CHANGE = re.compile(r"\bthis (?:change|fix|commit|patch|pr)\b", re.IGNORECASE)
"""A cause that says itself what is done about it."""
_FIX_WORDS = (
    r"(?:fixed|solved|resolved|worked around)(?: it| this| that)? (?:by|with|in)\b"
    r"|(?:the |our |my )?(?:fix|solution|workaround) ?(?:is\b|was\b|:)"
)
_FIX_START = re.compile(_FIX_WORDS, re.IGNORECASE)
_FIX_BEHIND = re.compile(rf"\w\W{{0,3}}[;—–] ?(?:and |it was |this is |I |we )?(?:{_FIX_WORDS})", re.IGNORECASE)
"""A fix in the sentence of its cause, as in `two crons start at once; fixed by a lock file`."""


def begins_fix(sentence: str) -> bool:
    """Return whether a sentence says how what stands right before it was fixed."""
    return _FIX_START.match(sentence) is not None


def fixed_causes(text: str) -> Iterator[str]:
    """Yield each sentence that is followed by its fix, together with it, and each that tells a cause and its fix."""
    sentences = split_sentences(text)
    for cause, fix in pairwise((*sentences, "")):
        if begins_fix(cause):
            continue
        if begins_fix(fix):
            yield f"{cause} {fix}"
        elif _FIX_BEHIND.search(cause):
            yield cause


def is_cause(text: str) -> bool:
    """Return whether a clean line says what went wrong."""
    return report_kind(text) == "cause" or is_bare_cause(text)


def may_fix(text: str) -> bool:
    """Return whether a clean line says what was changed so fully that it can stand behind a cause."""
    is_fix = bool(_THE_FIX.match(text)) or mentions_change(text)
    return is_fix and is_plain(_THE_FIX.sub("", text)) and ";" not in text and len(text.split()) >= _MIN_FIX_WORDS


def kinship(cause: str, fix: str) -> float:
    """Return how much a cause and a fix have in common; 0 when they may be about different things or are too long."""
    if _STATES_CHANGE.search(cause) or not join_fix(cause, fix) or _fixes_half(cause, fix):
        return 0.0
    words, others = frozenset(topic_terms(cause)), frozenset(topic_terms(fix))
    names, terms = names_of(cause) & names_of(fix), words & others
    if len(terms) >= _MAX_SHARED * max(len(words), len(others)):
        return 0.0
    if len(terms) < _MIN_COMMON_TERMS and (not names or _POSSIBILITY.match(cause)):
        return 0.0
    verb = 2.0 * fix.lower().startswith(("fixed", "changed", "removed", "now", "the fix")) - 3.0 * is_code_edit(fix)
    return 2.0 * len(names) + len(terms) + verb


def _fixes_half(cause: str, fix: str) -> bool:
    """Return whether a fix is of one of two parts that a cause begins with: the other would read as broken."""
    found = _TWO_SUBJECTS.match(cause)
    return found is not None and len({name in fix for name in found.groups()}) > 1


def describes_previous(text: str, change: str) -> bool:
    """Return whether a line says what was wrong with what `now` is otherwise: both quote the same values."""
    if not _NOW.match(change) or text.endswith("?") or len(text) + len(change) >= MAX_LINE_CHARS:
        return False
    told = text.replace(" should ", " has to ")
    shared = _values(text) & _values(change)
    return len(shared) >= _MIN_SAME_VALUES and not (is_talk(told) or _NOW.match(text)) and redact(text) == text


def _values(text: str) -> set[str]:
    return {value.strip('`"') for value in _VALUE.findall(text)}


def join_fix(cause: str, fix: str) -> str:
    """Return a cause with its fix, of which the first sentence is enough where both are long; empty if they do not fit.

    Together they have fewer than `MAX_LINE_CHARS` characters.
    """
    first = next(iter(split_sentences(fix)), fix)
    for told in (fix, first):
        if len(cause) + len(told) < MAX_LINE_CHARS and may_fix(told):
            return f"{cause if cause.endswith(('.', '!')) else f'{cause}.'} {told}"
    return ""
