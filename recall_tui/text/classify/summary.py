"""Summarize a conversation in one line of its own words, without a model.

The request comes first, the outcome last.
"""

from __future__ import annotations

import re

from recall_tui.text.cut import one_line, shorten, strip_controls
from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.markup import prose_text
from recall_tui.text.sentences import split_sentences

ARROW = " → "
"""Separates the request from the outcome."""
_REQUEST_RATIO = 0.45
"""The request's share of the characters when the outcome needs the rest."""
_MAX_READ_CHARS = 20_000

_BANNER = lazy_pattern(
    r"\s*(?:\[(?:channel|chat|room|thread|dm)\s*:[^\]\n]{0,200}\]|\[image(?: #?\d+)?\]|user message:)\s*", re.IGNORECASE
)
_GREETING = (
    r"(?:hi|hello|hey|hiya|greetings|good (?:morning|afternoon|evening)|thanks(?: a lot| so much)?"
    r"|thank you(?: so much)?|ok|okay|great|perfect|excellent|awesome|nice|cool|sure|yes|yep|yeah|no problem|of course"
    r"|certainly|absolutely|alright|all right|all done|done|got it|sounds good|wonderful|fantastic|good|right|well|so"
    r"|now|you're (?:absolutely )?right)\b"
)
_ADDRESSEE = r"(?:there|all|everyone|team|claude|codex|gemini)\b"
_FILLER = lazy_pattern(
    rf"{_GREETING}(?:[ ,]++(?:{_GREETING}|{_ADDRESSEE}|again\b|and\b))*+[\s,.!:;—–-]*+", re.IGNORECASE
)
_OPENING = lazy_pattern(
    rf"{_GREETING}(?: {_ADDRESSEE})?[,!.:—–-]+\s+"
    r"|(?:(?:could|can|would|will) you(?: please| kindly)?|please(?: can you)?|i(?:'d| would) like you to"
    r"|i (?:want|need) you to|let's)\s+",
    re.IGNORECASE,
)
_POLITE_REQUEST = lazy_pattern(r"(?:could|can|would|will) you", re.IGNORECASE)
_PLAIN_WORD = lazy_pattern(r"[a-z]+(?=[\s,.!?;:]|$)")
_SENTENCE_ENDS = ".!?…:;。！？)\"'”’"
_WORD = lazy_pattern(r"\w+")


def summarize(first_prompt: str, last_reply: str, limit: int = 300) -> str:
    """Return `request → outcome` in at most `limit` characters; only the part that exists, or empty."""
    return join_summary(_gist(first_prompt), _gist(last_reply), limit)


def join_summary(request: str, outcome: str, limit: int = 300) -> str:
    """Join what was asked, or a title, and what came of it as `request → outcome` in at most `limit` characters."""
    if not (request and outcome):
        return shorten(request or outcome, limit)
    room = limit - len(ARROW)
    asked = shorten(request, max(int(room * _REQUEST_RATIO), room - len(outcome)))
    return shorten(asked + ARROW + outcome, limit)


def strip_banner(text: str) -> str:
    """Remove the prefix that a chat bridge adds, such as `[Channel: dev]`; `[WIP]` stays."""
    start = 0
    while match := _BANNER.match(text, start):
        start = match.end()
    return text[start:]


def _gist(text: str) -> str:
    """Return the first two informative sentences, without greetings."""
    text = strip_controls(strip_banner(text[:_MAX_READ_CHARS]))
    said = [words for sentence in split_sentences(text) if (words := _strip_opening(prose_text(sentence)))]
    telling = [words for words in said if _is_informative(words)]
    telling = [words for words in telling if not words.endswith(":")] or telling or said
    if not telling:
        return one_line(text.replace("`", "").replace("~~~", ""))
    first, *more = telling[:2]
    if not more:
        return first
    return f"{first} {more[0]}" if first[-1] in _SENTENCE_ENDS else f"{first}; {more[0]}"


def _strip_opening(sentence: str) -> str:
    if _FILLER.fullmatch(sentence):
        return ""
    asking = False
    while match := _OPENING.match(sentence):
        asking = asking or _POLITE_REQUEST.match(match[0]) is not None
        sentence = sentence[match.end() :]
    if asking and sentence.endswith("?"):
        sentence = sentence[:-1].rstrip() + "."
    return sentence[:1].upper() + sentence[1:] if _PLAIN_WORD.match(sentence) else sentence


def _is_informative(sentence: str) -> bool:
    return not sentence.isascii() or len(_WORD.findall(sentence)) >= 3
