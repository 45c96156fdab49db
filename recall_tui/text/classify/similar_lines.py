"""The lines of a long text that may say the same as another line, found without reading each of them.

What is found is more than what `similarity` calls the same, and never less.
"""

from __future__ import annotations

from collections.abc import Iterator

from recall_tui.text.classify.similarity import (
    MAX_LINE_CHARS,
    compose_unicode,
    line_facts,
    normalize,
    significant_words,
)


def lines_containing(text: str, words: str) -> Iterator[int]:
    """The lines, from 0, in which `words` stand as they are; none for no words."""
    line, done, place = 0, 0, text.find(words) if words else -1
    while place >= 0:
        line += text.count("\n", done, place)
        yield line
        done = text.find("\n", place)
        if done < 0:
            return
        place = text.find(words, done)


def similar_line_numbers(text: str, line: str) -> Iterator[int]:
    """The lines, from 0, that may be near duplicates of `line`.

    Such a one has all its weighty words but one, in the form in which they are compared, and the same facts.
    """
    if len(line) > MAX_LINE_CHARS:
        return
    weighty = sorted(significant_words(normalize(line)), key=len, reverse=True)
    raw = compose_unicode(text)
    folded = raw.lower()
    if len(weighty) < 2:
        yield from range(folded.count("\n") + 1)
        return
    # Of a negation the fact is another word than the one that stands there.
    facts = {fact for fact in line_facts(line) if any(map(str.isdigit, fact))}
    lines, originals = folded.split("\n"), raw.split("\n")
    for at in sorted({*lines_containing(folded, weighty[0]), *lines_containing(folded, weighty[1])}):
        missing = sum(word not in lines[at] for word in weighty)
        if not missing or (missing == 1 and all(fact in originals[at] for fact in facts)):
            yield at
