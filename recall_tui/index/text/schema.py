"""The fields of a passage in the text index, and how words become terms in them.

Text goes through the same analyzer when it is stored and when it is asked for; a change here needs a new
`SCHEMA_VERSION`.
"""

from __future__ import annotations

import os
import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from recall_tui.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    import tantivy

SCHEMA_VERSION = 4
"""The number of this set of fields and analyzers; an index with another number is made anew."""
STEMMED, PLAIN, GRAM = "recall_stemmed", "recall_plain", "recall_gram"
MAX_TERM_BYTES = 96

WORD_FIELDS = ("window", "whole", "prompt", "thought", "tool", "head", "title", "branch", "parts")
"""Fields of words, stemmed. `window`: the passage's speech with that of the turns beside it, for a turn alone lacks the
words of its question; `whole`: a long stretch of a conversation, or a whole document, in the passages of kind `whole`;
`prompt`: what the person said in it; `thought` and `tool`: what the agent thought, what tools were told; `head`: the
date in words, headings, topics; `parts`: the pieces of identifiers."""
POSITION_FIELDS = frozenset(("window", "whole", "title", "branch"))
"""Of these, the fields in which words side by side can be looked for."""
KEY_FIELDS = (
    *("id", "key", "batch", "memory", "document", "kind", "role", "session", "agent", "origin", "used", "topic"),
    "project",
)
"""Fields that are compared whole. `key` names a source, `batch` the passages of it that are replaced together."""
_STORED_KEYS = frozenset(("id", "key", "document", "kind", "session"))
COUNT_FIELD = "counted"
"""What a passage is counted with, as a number that costs no look at what is stored: see `count_number`."""
STORED_FIELDS = ("body", "facts", "head_facts")
"""What a passage is given back from: its text, what is known of it alone, and what is known of its whole document."""
WHOLE = "whole"
"""The kind of passages that stand for a long stretch: they route a question and are never shown."""

IDENTIFIER = lazy_pattern(r"[A-Za-z0-9]*[a-z][A-Z][A-Za-z0-9]*|[A-Z]{2,}[a-z][A-Za-z0-9]*")
"""A name written in humps, such as `createTestApp` or `HTTPServer`."""
_CANDIDATE = lazy_pattern(r"(?<![A-Za-z0-9])[A-Z]?+[a-z0-9]*+[A-Z][A-Za-z0-9]*")
"""A run of letters with a capital after its beginning: a quick look for what may be an identifier."""
_HUMP = lazy_pattern(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_UNSPACED_SCRIPT = "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+"
_MAX_KNOWN_NAMES = 1 << 14
"""Names whose pieces are remembered; a text has few that those before it had not."""
_SURROGATES = lazy_pattern("[\ud800-\udfff]")


def build_schema() -> tantivy.Schema:
    """The schema of the text index."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    for name in WORD_FIELDS:
        option = "position" if name in POSITION_FIELDS else "freq"
        builder.add_text_field(name, tokenizer_name=STEMMED, index_option=option)
    builder.add_text_field("plain", tokenizer_name=PLAIN, index_option="position")
    builder.add_text_field("paths", tokenizer_name=PLAIN, index_option="position")
    builder.add_text_field("place", tokenizer_name=PLAIN, index_option="position")
    builder.add_text_field("gram", tokenizer_name=GRAM, index_option="freq")
    for name in KEY_FIELDS:
        is_stored = name in _STORED_KEYS
        builder.add_text_field(name, stored=is_stored, tokenizer_name="raw", index_option="basic")
    builder.add_integer_field("date", stored=True, indexed=True, fast=True)
    builder.add_unsigned_field(COUNT_FIELD, indexed=True, fast=True)
    builder.add_integer_field("line_from", stored=True)
    builder.add_integer_field("line_to", stored=True)
    for name in STORED_FIELDS:
        builder.add_bytes_field(name, stored=True)
    return builder.build()


@cache
def analyzers() -> dict[str, tantivy.TextAnalyzer]:
    """Our analyzers by name, to be registered once with each opened index."""
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    def folded() -> TextAnalyzerBuilder:
        # Accents go before case: lower-casing İ first would leave a dot behind that nobody types.
        return (
            TextAnalyzerBuilder(Tokenizer.simple())
            .filter(Filter.remove_long(MAX_TERM_BYTES))
            .filter(Filter.ascii_fold())
            .filter(Filter.lowercase())
        )

    return {
        STEMMED: folded().filter(Filter.stemmer("english")).build(),
        PLAIN: folded().build(),
        GRAM: TextAnalyzerBuilder(Tokenizer.ngram(1, 2, False)).build(),
    }


def count_number(name: str) -> int:
    """The number of a session, or of a source without one."""
    import hashlib

    return int.from_bytes(hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=8).digest())


def clean_text(text: str) -> str:
    """`text` as the analyzers can take it: composed letters, and U+FFFD for bytes that were no UTF-8."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        text = _SURROGATES.sub("\ufffd", text)
    return unicodedata.normalize("NFC", text)


def printable_path(path: str) -> str:
    """A path as text that every file format takes: bytes that are no UTF-8 become escapes."""
    return path if path.isascii() else os.fsencode(path).decode("utf-8", "backslashreplace")


def identifier_parts(text: str) -> str:
    """The pieces of the identifiers in `text` that are written in humps, such as `create Test App`."""
    return " ".join(filter(None, map(_name_parts, dict.fromkeys(_CANDIDATE.findall(text)))))


@lru_cache(maxsize=_MAX_KNOWN_NAMES)
def _name_parts(name: str) -> str:
    """The pieces of a name that is written in humps; empty for another."""
    return _HUMP.sub(" ", name) if IDENTIFIER.fullmatch(name) else ""


def unspaced_runs(text: str) -> list[str]:
    """The stretches of `text` in scripts that are written without spaces between words."""
    return [] if text.isascii() else re.findall(_UNSPACED_SCRIPT, text)


def terms(analyzer: str, text: str) -> list[str]:
    """The terms that `text` becomes in a field of this analyzer."""
    return analyzers()[analyzer].analyze(clean_text(text))
