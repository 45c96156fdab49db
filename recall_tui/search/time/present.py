"""Whether a question asks for how things are now.

"When is standup" and "which queue do we use" do; "who fixed the alert", "what was the limit" and words alone do not.
"""

from __future__ import annotations

import re

from recall_tui.text.lazy_pattern import lazy_pattern

MAX_QUERY_CHARS = 4_000
"""Characters that are looked at; a question that is longer is a text that was pasted."""
_ASKS = lazy_pattern(
    r"\A\W*(?:(?:and|so|but|hey|ok)\W+)?"
    r"(?:(?:at|on|in|from|to|until|till|since|by|for|with|through|above|below|under|over|of)\s+)?"
    r"(?:what|when|where|which|who|whom|whose|how|is|are|do|does|can|may|must)(?:'s|'re)?\b|"
    r"\b(?:current(?:ly)?|now)\b",
    re.IGNORECASE,
)
_PAST = lazy_pattern(
    r"\b(?:was|were|did|had|been|used to|ago|yesterday|why|previous(?:ly)?|former(?:ly)?|earlier|back then|at first|"
    r"first|original(?:ly)?|initial(?:ly)?|last (?:week|month|year|time|\w+day)|ever|history|wrote|broke|won|went|left|"
    r"made|got|found|took|gave|said|told|came|saw|ran|began|became|sent|built|brought|chose|felt|held|kept|knew|lost|"
    r"met|paid)\b",
    re.IGNORECASE,
)
_PARTICIPLE = lazy_pattern(r"\b\w{2,}[^\We]ed\b", re.IGNORECASE)
_AUXILIARY = lazy_pattern(r"\b(?:is|are|be|can|may|must|do|does|gets?)\b", re.IGNORECASE)


def asks_for_present(text: str) -> bool:
    """Whether `text` is a question about how things are now."""
    text = text[:MAX_QUERY_CHARS]
    if not _ASKS.search(text) or _PAST.search(text):
        return False
    return not _PARTICIPLE.search(text) or _AUXILIARY.search(text) is not None
