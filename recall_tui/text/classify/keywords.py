"""Extract the topics of a conversation.

Deterministic; tool names and shell commands never become topics.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath

from recall_tui.text.classify.stopwords import STOP_WORDS
from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.markup import prose_lines
from recall_tui.text.redaction_marks import MARK_PATTERN

_MAX_PROMPTS = 5
_MAX_PROMPT_CHARS = 4_000
"""The rest of a prompt is ignored: a pasted log says less than the text before it."""
_FILE_WEIGHT = 2
"""A file counts twice as much as a word."""
_KEPT_FACTOR = 1.5
_MIN_WORD_CHARS, _MAX_WORD_CHARS = 3, 40
_MAX_SCRIPT_RUN_CHARS = 12
"""A longer run in a script without spaces is a sentence, not a word."""

_COMBINING_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u109f\u1ab0-\u1aff"
)
_WORD = lazy_pattern(rf"[\w{_COMBINING_MARKS}\u200d](?:[\w{_COMBINING_MARKS}\u200d'’-]*[\w{_COMBINING_MARKS}])?")
_CONTRACTION = lazy_pattern(r"(.*?)['’](s|t|ll|re|ve|d|m)?$")
_EXTENSION = lazy_pattern(r"[\w@+~-][\w.@+~-]*\.[a-z][a-z0-9]{0,5}", re.IGNORECASE)
_HEXADECIMAL = lazy_pattern(r"(?=.*\d)(?:0x)?[0-9a-f]{6,}(?:-[0-9a-f]+)*", re.IGNORECASE)
_SCRIPT_WITHOUT_SPACES = lazy_pattern(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_ATTACHMENT = lazy_pattern(r"\[(?:image|file)(?:[ #:][^\]\n]{0,200})?\]", re.IGNORECASE)
"""The mark of a picture or a file that a person handed over."""
_TEST_AFFIX = lazy_pattern(r"^tests?[_-](?=.{3})|(?<=.{3})[_-](?:tests?|spec)$")
_EMPTY_STEMS = frozenset(
    """
    index init main mod lib app readme src utils util types constants common helpers
    """.split()  # noqa: SIM905
)


def find_topics(
    prompts: Sequence[str],
    files: Sequence[str],
    rarity: Callable[[str], float] = lambda _: 1.0,
    limit: int = 5,
    *,
    kept: str = "",
) -> tuple[str, ...]:
    """Return the `limit` top-scoring terms of the first prompts and of the paths in `files` (one entry per use).

    The score of a term is (1 + ln count) × `rarity` in the archive (tf-idf, Salton & Buckley 1988); ties are in
    alphabetical order. Terms that `kept`, what is worth keeping of the conversation, names count half as much again.
    """
    counts: Counter[str] = Counter()
    for prompt in prompts[:_MAX_PROMPTS]:
        counts.update(topic_terms(prompt[:_MAX_PROMPT_CHARS]))
    weights = {term: 1 + math.log(count) for term, count in counts.items()}
    for stem, count in Counter(filter(None, map(path_stem, files))).items():
        weights[stem] = weights.get(stem, 0.0) + _FILE_WEIGHT * (1 + math.log(count))
    for term in weights.keys() & set(topic_terms(kept)):
        weights[term] *= _KEPT_FACTOR
    scores = {term: weight * rarity(term) for term, weight in weights.items()}
    ranked = sorted((term for term, score in scores.items() if score > 0), key=lambda term: (-scores[term], term))
    return tuple(ranked[: max(limit, 0)])


def topic_terms(text: str) -> Iterator[str]:
    """Yield the words of `text` that can be topics, in lower case and in order.

    A path yields its stem; a URL, an attachment and a redaction mark yield nothing.
    """
    for line in prose_lines(_ATTACHMENT.sub(" ", MARK_PATTERN.sub(" ", text))):
        if line.lstrip().startswith("$ "):
            continue
        for token in line.split():
            yield from _token_terms(token)


def path_stem(path: str) -> str:
    """Return the significant part of a path, or "": `/repo/src/date_parser.py` → `date_parser`, `auth/index.ts` →
    `auth`.
    """
    path = MARK_PATTERN.sub("", path)
    parts = [part for part in PurePosixPath(path.replace("\\", "/")).parts if part not in ("/", ".", "..")]
    for part in reversed(parts[-2:]):
        stem = unicodedata.normalize("NFC", _TEST_AFFIX.sub("", part.lstrip(".").partition(".")[0].strip("_-").lower()))
        if stem not in _EMPTY_STEMS and _is_term(stem) and _WORD.fullmatch(stem):
            return stem
    return ""


def _token_terms(token: str) -> Iterator[str]:
    token = token.strip("\"'“”‘’«»()[]{}<>,;:!?.*`…")
    if "://" in token or token.startswith("www.") or len(token) > 4 * _MAX_WORD_CHARS:
        return
    token = token.removeprefix("@")
    if "@" in token:
        return
    if _is_path(token):
        if stem := path_stem(token.split(":")[0].split("#")[0]):
            yield stem
        return
    for match in _WORD.finditer(unicodedata.normalize("NFC", token.lower())):
        word = _without_contraction(match[0]).strip("_-")
        if _is_term(word):
            yield word


def _is_path(token: str) -> bool:
    last = token.rsplit("/", 1)[-1].split(":")[0].split("#")[0]
    if "/" in token and (token[0] in "/~." or token.count("/") > 1):
        return True
    return _EXTENSION.fullmatch(last) is not None


def _without_contraction(word: str) -> str:
    match = _CONTRACTION.match(word)
    if match is None:
        return max(re.split("['’]", word), key=len)
    return match[1] if match[2] in (None, "s") else ""


def _is_term(word: str) -> bool:
    if word in STOP_WORDS or not any(char.isalpha() for char in word):
        return False
    if _SCRIPT_WITHOUT_SPACES.search(word):
        return 2 <= len(word) <= _MAX_SCRIPT_RUN_CHARS
    if not _MIN_WORD_CHARS <= len(word) <= _MAX_WORD_CHARS or _HEXADECIMAL.fullmatch(word):
        return False
    digits = sum(char.isdigit() for char in word)
    return digits * 3 < len(word) if len(word) >= 12 else digits * 2 <= len(word)
