"""Hits on a terminal: numbered `@1`, `@2`, …, wrapped between words, the words of the query highlighted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from recall_tui.cli.output import one_line
from recall_tui.domain.documents import SourceRef

if TYPE_CHECKING:
    from datetime import datetime

    from recall_tui.cli.output import Output
    from recall_tui.domain import Hit
    from recall_tui.features.documents.excerpt import Excerpt
    from recall_tui.storage.memory_context import Store

_INDENT = "     "
_MIN_TITLE_CHARS = 40
"""The shortest cut title that shares its line with the facts; a shorter title is whole."""
_MIN_WRAP_CHARS = 24


def print_hit(out: Output, place: int, hit: Hit, now: datetime, *, is_explained: bool) -> None:
    """Print a hit: title, the facts about its session or document, and score, then its place, then its snippet."""
    from recall_tui.text.session_line import SEPARATOR, session_date, session_facts

    where = _shorten_path(str(SourceRef(one_line(hit.document), *hit.lines)), out.columns)
    if hit.label is not None:
        facts = session_facts(hit.label, now)
    else:
        facts = SEPARATOR.join(filter(None, (hit.kind, session_date(hit.date, now))))
    many = f"  {hit.matches} passages" if hit.matches > 1 else ""
    print_title(out, place, hit.title, f"{f'{SEPARATOR}{one_line(facts)}' * bool(facts)}  {hit.score:.2f}{many}")
    out.line(f"{_INDENT}{out.style(where, fg='cyan')}" + (f"  {out.style(one_line(hit.heading))}" * bool(hit.heading)))
    print_text(out, one_line(hit.snippet), matched_words([hit]))
    if "validity" in hit.why:
        from recall_tui.search.ranking.claim_validity import validity_text

        out.line(f"{_INDENT}{out.style(validity_text(hit.why), dim=True)}")
    if is_explained:
        why = " · ".join(f"{name.replace('_', ' ')} {_reason_text(value)}" for name, value in hit.why.items() if value)
        out.line(f"{_INDENT}{out.style('why: ' + one_line(why), dim=True)}")
        out.line(f"{_INDENT}{out.style('id: ' + one_line(hit.id), dim=True)}")


def print_title(out: Output, place: int, title: str, facts: str = "") -> None:
    """Print the number and title of a hit; on a terminal in one line, with the facts about it."""
    from recall_tui.text.cut import shorten_at_word

    number, title = f"@{place}".rjust(len(_INDENT) - 1) + " ", one_line(title)
    room = None if out.columns is None else out.columns - len(number)
    if room is None or room - len(facts) >= min(len(title), _MIN_TITLE_CHARS):
        title = title if room is None else shorten_at_word(title, room - len(facts))
        out.line(f"{number}{out.style(title, bold=True)}{facts}")
        return
    out.line(f"{number}{out.style(shorten_at_word(title, room), bold=True)}")
    print_text(out, facts.strip(" ·"), ())


def print_text(out: Output, text: str, words: Collection[str]) -> None:
    """Print text below a hit's title: on a terminal wrapped between words, with the words of the query highlighted."""
    for line in text.split("\n"):
        for part in _wrapped(line, out.columns):
            out.line(f"{_INDENT}{_highlighted(out, part, words)}".rstrip())


def matched_words(hits: Iterable[Hit]) -> frozenset[str]:
    """Return the words of the query that the hits hold, as they were corrected."""
    found = {word for hit in hits for word in hit.why.get("words", ())}
    return frozenset(found.union(word for hit in hits for word in hit.why.get("corrected", {}).values()))


def highlight(out: Output, text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return the text with these character ranges highlighted."""
    pieces, at = [], 0
    for start, end in spans:
        pieces += [out.style(text[at:start]) if start > at else "", out.style(text[start:end], fg="yellow", bold=True)]
        at = end
    return "".join(pieces) + (out.style(text[at:]) if at < len(text) else "")


def whole_document_hint(store: Store, shown: Excerpt) -> str:
    """Say which lines are shown of which document, and how to print all of it."""
    import shlex

    document = shown.document
    name = document.head.session_id if document.head else store.relative(document.path)
    first, last = shown.lines
    return one_line(f"lines {first}-{last} of {document.title}; all of it: recall-tui show {shlex.quote(name)}")


def _highlighted(out: Output, text: str, words: Collection[str]) -> str:
    if not (words and out.has_color):
        return out.style(text)
    from recall_tui.cli.output import strip_controls
    from recall_tui.search.ranking.snippet import term_spans

    text = strip_controls(text)
    return highlight(out, text, term_spans(text, words))


def _shorten_path(where: str, columns: int | None) -> str:
    """Return the place without its first folders when a terminal of this width would break it."""
    if columns is None or len(where) <= columns - len(_INDENT):
        return where
    start = where.find("/", len(where) - (columns - len(_INDENT) - 1))
    return "…" + where[start if start >= 0 else max(where.rfind("/"), 0) :]


def _wrapped(line: str, columns: int | None) -> Iterator[str]:
    if columns is None or len(line) <= columns - len(_INDENT):
        yield line
        return
    import textwrap

    yield from textwrap.wrap(
        line,
        max(columns - len(_INDENT), _MIN_WRAP_CHARS),
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
    ) or [line]


def _reason_text(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_reason_text(part)}" for name, part in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_reason_text(part) for part in value)
    return f"{value:.3g}" if isinstance(value, float) else str(value)
