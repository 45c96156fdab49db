"""Whether a prompt is worth a look into memory, told from its words alone.

Nothing is opened or imported for it: most prompts are confirmations, orders and remarks, and cost nothing.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MIN_PROMPT_CHARS = 15
"""Characters; less is a confirmation or a fragment."""
CONFIRMATIONS = frozenset(
    (
        *(
            "yes",
            "no",
            "y",
            "n",
            "ok",
            "okay",
            "sure",
            "continue",
            "go ahead",
            "lgtm",
            "looks good",
            "do it",
            "proceed",
        ),
        *("thanks", "thank you", "done", "sounds good", "go for it"),
    )
)
MAX_PROMPT_CHARS = 2_000
"""Characters of a prompt that are looked at: of a longer one those of its beginning and its end."""
MAX_QUERY_WORDS = 48
MIN_CONTENT_WORDS = 2
"""Words that say something, in a prompt that names nothing."""

_PASTED_TEXT = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)"
    r"|<(system-reminder|ide_\w+|local-command-\w+|command-\w+|bash-\w+|task-notification)>.*?(?:</\1>|\Z)",
    re.DOTALL,
)
_FILTER_SYNTAX = re.compile(r"(?<!\S)([A-Za-z]{4,7}):(?=\S)")
_QUERY_SYNTAX = re.compile('["“”„«»`]|(?<!\\S)[-+]+(?=\\S)')
_FILE_SUFFIXES = (
    "c|cc|cfg|cpp|css|csv|go|h|html|ini|java|js|json|jsonl|jsx|kt|lock|log|md|mdc|php|py|rb|rs|scss|sh|sql|swift"
)
_NAMED_THING = re.compile(
    r"`(?P<code>[^`\n]{2,80})`"
    r"|[\"“«](?P<quoted>[^\"”»\n]{4,120})[\"”»]"
    r"|(?<![\w/])(?P<path>(?:~?/|\.{1,2}/)?(?:[\w.@-]+/)+[\w.@-]+"
    rf"|[\w-]+(?:\.[\w-]+)*\.(?:{_FILE_SUFFIXES}|toml|ts|tsx|txt|xml|ya?ml))\b"
    r"|(?<!\S)(?P<flag>--[a-z][\w-]+)"
    r"|\b(?P<name>[A-Za-z0-9]*[a-z][A-Z]\w*|[A-Z]+[a-z]+[A-Z]\w*|[A-Z]{2,}[a-z]{2,}\w*|[A-Za-z]\w*_\w+|[A-Z]{2,}-\d+)\b"
)
_PAST_CUE = re.compile(
    r"\b(?:(?:how|why|what|where|when|which|who)\b[^.?!\n]{0,24}?\b(?:did|have|had) (?:we|i|you)\b"
    r"|(?:did|have|had)(?:n['’]?t)? (?:we|i|you)\b|last (?:time|week|month|year|session)|again\b|back then|earlier"
    r"|previous|remember|remind me|used to\b|we (?:decide|agree|chose|pick|talk|discuss|said|tried|saw)"
    r"|\b(?:what|how|why|where|when|which|who|whether|that) (?:we|i)"
    r" (?:\w+ed|found|did|had|made|chose|set|built|wrote|kept|know)\b"
    r"|is (?:this|it) known|already|when (?:was|did)|what was|yesterday|20\d\d-\d\d"
    r"|(?:in|on|since) (?:january|february|march|april|may|june|july|august|september|october|november|december)\b)"
)
"""In small letters; to fold the text costs less than to look for both."""
_LOOKUP = re.compile(
    r"\A\W*(?:(?:please|hey|hi|ok|okay|so|now|also|and|then)[,\s]+)*(?:(?:can|could|would|will) you\s+)?(?:please\s+)?"
    r"(?:(?:look up|recall|remind me(?: of)?|search (?:(?:the|your|our) )?(?:memory|archives?|history)(?: for)?)\b"
    r"|(?:check|find(?: out)?|look|see|search|tell me|show me|say)\b"
    r"(?=[^.?!\n]{0,40}\b(?:what|how|why|where|when|which|who) (?:we|i|you|was|were|did|the)\b))",
    re.IGNORECASE,
)
"""How a prompt begins that asks for what is remembered, though in the form of an order."""
_TALK = re.compile(
    r"\b(?:what|how|why|where|when|which|who) (?:we|i|you) (?:(?:had|have) )?"
    r"(?:found(?: out)?|decided|handled|agreed|settled|said|chose|learn(?:ed|t)|discussed|concluded|kn[eo]w)\b",
    re.IGNORECASE,
)
"""Words about what was said, and not of it."""


class PromptQuery(NamedTuple):
    """What a prompt asks for."""

    words: str
    """What to look for, as plain words: nothing in it is a filter, a phrase or a word to leave out."""
    names: tuple[str, ...]
    """What it names: identifiers, paths, options, what stands between back-ticks or quotation marks."""
    has_cue: bool
    """It speaks of what was done before."""
    is_lookup: bool = False
    """It asks to have something looked up."""


def parse_prompt(prompt: str) -> PromptQuery:
    """What a prompt asks for, without what was only pasted into it."""
    text = _PASTED_TEXT.sub(" ", prompt)
    if len(text) > MAX_PROMPT_CHARS:
        text = f"{text[: MAX_PROMPT_CHARS * 2 // 3]} {text[-MAX_PROMPT_CHARS // 3 :]}"
    found = (next(filter(None, match.groups())) for match in _NAMED_THING.finditer(text))
    has_cue = _PAST_CUE.search(text.casefold()) is not None
    is_lookup = _LOOKUP.match(text) is not None
    said = _TALK.sub(" ", _LOOKUP.sub(" ", text)) if is_lookup else text
    words = _FILTER_SYNTAX.sub(r"\1 ", _QUERY_SYNTAX.sub(" ", said)).split()
    names = tuple(dict.fromkeys(found))
    return PromptQuery(" ".join(words[:MAX_QUERY_WORDS]), names, has_cue or is_lookup, is_lookup)


def skip_reason(prompt: str) -> str:
    """Why memory is not asked for this prompt; empty when it is."""
    text = prompt.strip()
    if text.startswith("/"):
        return "it is a command"
    if len(text) < MIN_PROMPT_CHARS or text.rstrip(".!").casefold() in CONFIRMATIONS:
        return "it is too short to be about something"
    what = parse_prompt(text)
    if what.names:
        return ""
    if "?" not in text and not what.has_cue and _is_order(text):
        return "it is an order that names nothing"
    return "" if _count_content_words(what.words) >= MIN_CONTENT_WORDS else "it says too little about its subject"


def _is_order(text: str) -> bool:
    from recall_tui.text.classify.imperatives import is_imperative

    return is_imperative(text)


def _count_content_words(words: str) -> int:
    """How many different words say what it is about."""
    from recall_tui.text.classify.stopwords import STOP_WORDS

    found = {word for word in re.findall(r"[^\W\d_]{3,}", words.casefold()) if word not in STOP_WORDS}
    if words.isascii():  # compiling the pattern below costs as much as the rest of this module
        return len(found)
    unspaced = re.findall("[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", words)
    return len(found) + len(unspaced) // MIN_CONTENT_WORDS
