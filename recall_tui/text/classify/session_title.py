"""A session's title from its stored title or the words that it began with.

A greeting, a bare command, an id or the heading of a pasted plan names nothing; the plan's own title does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from recall_tui.text.cut import one_line, shorten, strip_controls
from recall_tui.text.lazy_pattern import lazy_pattern

MAX_TITLE_CHARS = 90
_MAX_READ_CHARS = 4_000
_MAX_SENTENCES = 3
"""Sentences of a prompt to look at; a request comes early."""
_MIN_WORDS = 3

PLAN_PROMPT = lazy_pattern(r"\s*(?:please )?implement the following plan:?\s*", re.IGNORECASE)
PLAN_SECTION = lazy_pattern(
    r"(?:context|overview|summary|background|goals?|problem|plan|approach|changes)\W*$", re.IGNORECASE
)
"""A heading of a plan that is not its title."""
PREFIX = lazy_pattern(r"^(?:implementation )?plan\s*[:—–-]\s*|^(?:\w+(?:\([^)]*\))?!?):\s+(?=\S)", re.IGNORECASE)
"""The prefix of a plan's title or a commit's subject, such as `Plan:` or `fix(api):`."""
GENERIC = lazy_pattern(
    r"^(?:look(?:ing)? (?:at|into|through)|take a look|have a look|check|read|review this|see|continue"
    r"|resume|go (?:on|back)|do it|fix (?:it|this)|help|start|yes|no|one more|do (?:it|this|that)|show|explain|tell"
    r"|give|link|hi|hello|test|warmup|i got|i've noticed|here(?:'s| is)|okay|implement (?:the|this)|when running"
    r"|commit|push)\b",
    re.IGNORECASE,
)
"""The beginning of a request that says little about its subject."""
ASKING = lazy_pattern(r"(?:explain|tell|show|describe)\b", re.IGNORECASE)
"""The beginning of a request to be told something: all that a session may be about."""
_POLITE = lazy_pattern(
    r"^(?:(?:hi|hey|hello|ok|okay|so|now|thanks|great|please|and|also|yes|yeah|alright|right|like)[,!.:\s]+)*"
    r"(?:(?:could|can|would|will) (?:you|we) (?:please |also |just |maybe )*"
    r"|please |i(?:'d| would) like (?:you |us )?to |i (?:want|need) (?:you |us )?to |i think (?:we|you) should "
    r"|let's (?:also |just )?|we (?:need|want|should|have) (?:to )?(?:also )?|help me (?:to )?)*",
    re.IGNORECASE,
)
MARKS = lazy_pattern(r"^[^\w`\"'«“<(\[/]+")
"""Signs of lists and of a shell, in front of a request."""
_AFTER_GENERIC = lazy_pattern(r"(?:\band\b|[,;:–—-]\s|\s[\"“](?=\w))\s*(?:then |also )?(?=\w)")
_EMPTY_TITLE = lazy_pattern(
    r"(?:hi|hey|hello|hallo|ok(?:ay)?|yes|no|thanks|test|warmup|continue|untitled|new (?:chat|session|conversation)"
    r"|no prompt|session)?[\s.!?…]*$|(?:please )?implement the following plan\b|/[\w:-]+$|<[a-z]|\[request interrupted"
    r"|caveat:|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}$|(?:conversation|archive-log)-\d+$|Session [0-9a-f]{8}$",
    re.IGNORECASE,
)
_NOT_A_REQUEST = lazy_pattern(r"\s*(?:<[a-z]+-[a-z-]+>|\[image|\[request interrupted|caveat:)", re.IGNORECASE)
_QUESTION = lazy_pattern(
    r"(?:what|why|how|where|when|who|which|is|are|was|were|does|did|do|has|have|should|any)\b", re.IGNORECASE
)
_HEADING = lazy_pattern(r"^#{1,3}\s+(.+)$", re.MULTILINE)
_WORD = lazy_pattern(r"\w+")


def is_telling(title: str) -> bool:
    """Return whether a title names its session: no greeting, id, bare command or heading of a pasted plan."""
    return not _EMPTY_TITLE.match(one_line(title))


def session_title(stored: str, prompts: Iterable[str]) -> str:
    """Return the stored title if it is telling, else the first real request, condensed; empty when there is none.

    `prompts` are the session's first ones, in order; no more of them are taken than needed.
    """
    if stored.strip() and is_telling(stored):
        return one_line(strip_controls(stored))
    fallback = ""
    for prompt in prompts:
        text = strip_controls(prompt[:_MAX_READ_CHARS])
        if _NOT_A_REQUEST.match(text):
            continue
        if title := _plan_title(text) or next(requests_in(text), ""):
            # What is left of a polite question is a request.
            title = title if _QUESTION.match(title) else title.rstrip("?？ ")
            return shorten(capitalize(title), MAX_TITLE_CHARS)
        words = strip_request(text)
        fallback = fallback or (words if is_telling(words) else "")
    return shorten(capitalize(fallback), MAX_TITLE_CHARS)


def strip_request(text: str) -> str:
    """Return a request on one line, without list marks and politeness."""
    return MARKS.sub("", _POLITE.sub("", MARKS.sub("", one_line(text))))


def requests_in(text: str, strip: Callable[[str], str] = strip_request) -> Iterator[str]:
    """Yield the requests in a prompt, without politeness; of `look at this and do that` the second part."""
    from recall_tui.text.classify.imperatives import is_imperative
    from recall_tui.text.classify.summary import strip_banner
    from recall_tui.text.sentences import split_sentences

    for sentence in split_sentences(strip_controls(strip_banner(text)))[:_MAX_SENTENCES]:
        words = strip(sentence)
        if GENERIC.match(words) and (rest := _AFTER_GENERIC.search(words)):
            after = strip(words[rest.end() :])
            # `explain the login and the store` is one request, of which `the store` says nothing.
            words = words if ASKING.match(words) and not is_imperative(after) else after
        is_long = len(_WORD.findall(words)) >= _MIN_WORDS or not words.isascii()
        is_generic = GENERIC.match(words) and not ASKING.match(words)
        if words and is_long and not is_generic and not _EMPTY_TITLE.match(words):
            yield words


def capitalize(text: str) -> str:
    """Return a title with a capital letter and without a full stop, or the mark of what is no question."""
    return text[:1].upper() + text[1:].rstrip(".!:?？ " if ASKING.match(text) else ".!: ")


def _plan_title(text: str) -> str:
    """Return the title of a plan that was pasted to be implemented; empty for any other prompt."""
    if (start := PLAN_PROMPT.match(text)) is None:
        return ""
    plan = text[start.end() :]
    headings = (one_line(heading) for heading in _HEADING.findall(plan))
    title = next((heading for heading in headings if not PLAN_SECTION.match(heading)), "")
    return PREFIX.sub("", title).strip() or next(requests_in(plan), "")
