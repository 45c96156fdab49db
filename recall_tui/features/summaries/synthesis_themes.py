"""Themes of a master: names of parts of the project, never words that any line may have.

A part is named by the folders and files that sessions worked on, or by a name in the lines themselves; where no session
says which files it worked on, by a word that several lines share.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from functools import lru_cache
from pathlib import PurePosixPath

from recall_tui.text.classify.generic_words import GENERIC_WORDS, TYPES_AND_TOOLS
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.mentions import find_names

_COMMON_FOLDERS = frozenset(
    """
    src lib libs cmd app apps pkg packages internal cli test tests testing spec doc docs scripts script tools main index
    init utils util helpers helper common shared types type core server client api assets public static dist build
    config configs settings example examples fixtures tmp home users workspace github workflows readme claude changelog
    makefile license
    """.split()  # noqa: SIM905
)
_AGENT_NAMES = frozenset(("claude", "codex", "gemini", "cursor", "copilot", "windsurf", "aider"))
"""Agents may be parts of a project that works with them."""
_MAX_PART_CHARS = 24
_MAX_NOUN_CHARS = 7
"""Characters of a word that ends like `feed` and is no participle."""
_PART = re.compile(r"[a-z][a-z0-9-]{2,}")


def part_names(files: Iterable[str]) -> frozenset[str]:
    """Return the names of parts in the paths: folders, and files named by a single word."""
    found: set[str] = set()
    for file in files:
        *folders, name = PurePosixPath(file.strip("` ").lower()).parts or ("",)
        for part in (*folders, name.partition(".")[0]):
            if _PART.fullmatch(part) and len(part) <= _MAX_PART_CHARS and part not in _COMMON_FOLDERS:
                found.add(part)
    return frozenset(found)


@lru_cache(maxsize=8_192)
def proper_names(text: str) -> frozenset[str]:
    """Return the terms of names in prose, such as of products; identifiers of code are none."""
    names = (one for one in find_names(text) if one.istitle() or one.isupper() or " " in one)
    return frozenset(word for one in names for word in topic_terms(one))


def allowed_terms(texts: Collection[str], parts: Iterable[frozenset[str]]) -> frozenset[str] | None:
    """Return the words that may head a theme of these lines; None where nothing tells, and any but a common word"
    " may."""
    known = frozenset(name for some in parts for name in some)
    if not known:
        return None
    counts = Counter(word for text in texts for word in proper_names(text))
    return known | {word for word, count in counts.items() if count > 1}


def is_theme(word: str, allowed: frozenset[str] | None) -> bool:
    """Tell whether a word may head a theme."""
    # A fallback of words that lines share has names of tools too; among names of parts they are formats of files.
    if (
        word in GENERIC_WORDS
        or (allowed is not None and word in TYPES_AND_TOOLS - _AGENT_NAMES)
        or word.isdigit()
        or (allowed is None and word.endswith(("ed", "ly")))
        or (word.endswith("ed") and len(word) > _MAX_NOUN_CHARS)
    ):
        return False
    return allowed is None or word in allowed
