"""Find the names in a text: people, companies, tools and identifiers in code.

A name counts once per text; a word capitalized only because it starts a sentence is not a name.
"""

from __future__ import annotations

import re

from recall_tui.text.classify.stopwords import STOP_WORDS

_CODE = re.compile(
    r"(?<![\w-])(?:[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+|[a-z0-9]+(?:-[a-z0-9]+){2,}"
    r"|HTTP [45](?:\d\d|xx)|[A-Z][A-Z0-9]{3,}|(?:#|ticket )\d{1,6}|@[A-Za-z][\w-]{1,40})(?![\w-])"
)
BARE_NUMBER = re.compile(r"#?\d+|(?=[^\d]*\d)[0-9a-f]+(?:-[0-9a-f]+)+", re.IGNORECASE)
"""A number, a date or an id: it is not a name."""
_NAME = re.compile(
    r"(?<![\w.])[A-Z][a-zà-öø-ÿ]{1,30}(?:[ -](?:(?:de|van|von|der|&) )?[A-Z][a-zà-öø-ÿ]{1,30}){0,3}(?!\w)"
)
_START = re.compile(r"(?:[.!?:…]\s+|(?:^|\n)\s*(?:[-*+>#]+\s*|\d+[.)]\s+)?(?:\*\*)?)$")


def find_names(text: str) -> frozenset[str]:
    """Return the names in the text as written."""
    found = {match[0] for match in _CODE.finditer(text)}
    lower = set(re.findall(r"\b[a-z]{2,}\b", text))
    for match in _NAME.finditer(text):
        name = match[0]
        if _START.search(text[max(0, match.start() - 12) : match.start()]):
            # At a start every word is capitalized: only the words after it, or one never written in lower case, are a
            # name.
            first, _, rest = name.partition(" ")
            name = name if rest and first.lower() not in lower and first.lower() not in STOP_WORDS else rest
        if name and name.lower() not in STOP_WORDS and name.lower() not in lower:
            found.add(name)
    return frozenset(found)
