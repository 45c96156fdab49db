"""Which passages have vectors, and the text that is embedded of them.

Nothing of a passage's prose is left off: one that is longer than a model reads has several rows, and its best counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from recall_tui.index.text.schema import clean_text, count_number
from recall_tui.text.cut import one_line, shorten, split_text

if TYPE_CHECKING:
    from recall_tui.index.text.passage import Passage

TEXT_VERSION = 1
"""The number of this way to make texts; rows of another are made again where the text differs."""
MAX_TEXT_CHARS = 1100
"""About 256 tokens of English, less the words that stand before them: what a small sentence model reads."""
MAX_TITLE_CHARS = 120
"""What of a title and of headings stands before each text."""
_SPOKEN_KINDS = ("prompt", "reply", "command", "plan")
VectorScope = Literal["dialogue", "all"]
"""What has vectors: what a person and an agent said to each other, or every passage of speech."""


def batch_version(digest: str, extent: VectorScope) -> str:
    """What a batch of passages is known by among vectors, when its passages are known by `digest`."""
    return f"{TEXT_VERSION}.{extent}.{digest}"


def embedding_texts(passage: Passage, extent: VectorScope) -> Iterator[str]:
    """What is embedded of the passage; nothing of one that has no vectors."""
    if extent == "dialogue" and not is_dialogue(passage):
        return
    before = _context_prefix(passage)
    for piece in filter(str.strip, split_text(clean_text(passage.prose), MAX_TEXT_CHARS)):
        yield f"{before}\n\n{piece.strip()}" if before else piece.strip()


def is_dialogue(passage: Passage) -> bool:
    """Whether it is a turn of a conversation; a summary of turns, what sub-agents said and curated text is none."""
    return passage.is_turn and any(role in _SPOKEN_KINDS for role in passage.roles)


def text_hash(text: str) -> int:
    """What a text that was embedded is known by."""
    return count_number(text)


def _context_prefix(passage: Passage) -> str:
    """The day, the title and the headings, for a turn alone says neither when it was said nor of what."""
    day = f"[as of {passage.date:%Y-%m-%d}]" if passage.date else ""
    where = " › ".join(filter(None, (one_line(passage.head.title), one_line(passage.heading))))
    return " ".join(filter(None, (day, clean_text(shorten(where, MAX_TITLE_CHARS)))))
