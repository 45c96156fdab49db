"""A signal told by a model: a question with numbered lines and the pages that come near, an answer that is checked.

Nothing of the answer is believed: what has no line, names no page that it may, or is not held by what it cites is left
out, and said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from recall_tui.features.dreaming.offline import Past
from recall_tui.features.dreaming.operations import Op, Reading, read
from recall_tui.features.dreaming.signals import Kind, Signal
from recall_tui.features.dreaming.state import Analysis, Insight, Operation
from recall_tui.features.grounding.evidence import Numbered, clean, day_of, drawn, fitting, held, is_held, picked, shown
from recall_tui.features.grounding.source_line import Line, line_of
from recall_tui.llm.client import Asked, Calls
from recall_tui.llm.model import Failure
from recall_tui.llm.prompts import prompt
from recall_tui.resources import template
from recall_tui.storage.documents.identity import Identity
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import WikiPage, slug_of
from recall_tui.storage.files.atomic import digest, read_text
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.keywords import terms
from recall_tui.text.cut import cut, one_line
from recall_tui.text.unsupported_facts import ungrounded

ANSWER_TOKENS = 2_000
PROMPTS: Mapping[Kind, str] = {
    "high_frequency": "dream-cross-reference",
    "entity_cluster": "dream-cross-reference",
    "null_query": "dream-gap",
    "temporal_gap": "dream-gap",
    "wisdom_drift": "dream-contradiction",
    "supersession_signal": "dream-contradiction",
    "stale_memory": "dream-contradiction",
    "temporal_cluster": "dream-theme",
}
"""What is asked about each kind of signal."""
_FORM = "prompts/dream-form.md"
MOST_PAGES = 4
_OF_PAGE, _OF_PAGE_WHOLE = 600, 4_000
"""Characters of a page that is shown; the whole of it where a claim on it may be out of date."""
_LEAST_SHARED, _MOST_EARLIER = 2, 20
"""Words that an earlier line shares with one of a signal's, and how many such lines are shown."""
_MOST_SAID = 8
"""Insights, contradictions and gaps of one answer, each."""
_SHARE = 0.5
"""Of a finding's words that its lines have together; it says what no single one does."""
_LEAST_OF_THEME = 2
"""Lines that a theme has."""


class Finding(msgspec.Struct):
    """An insight, a contradiction or a gap."""

    text: str
    theme: str = ""
    lines: list[int] = []


class Answer(msgspec.Struct):
    """What a signal comes to."""

    insights: list[Finding] = []
    contradictions: list[Finding] = []
    gaps: list[Finding] = []
    operations: list[Op] = []


class Question(NamedTuple):
    """A signal as a model is shown it."""

    signal: Signal
    lines: tuple[Numbered, ...]
    pages: tuple[WikiPage, ...]

    @property
    def digest(self) -> str:
        """Of the signal and its lines, by which the same is not asked twice; pages change by what is made of it."""
        return digest("\n".join((self.signal.kind, self.signal.subject, shown(self.lines))))[:16]


def question(store: Store, signal: Signal, past: Past, wiki: Wiki) -> Question:
    """What a model is shown of a signal: its documents' words, what earlier days say of the same, the pages near it."""
    texts = {path: text for texts in past.days.values() for path, text in texts.items()}
    own = {path: texts.get(path) or _text(store, path) for path in signal.documents}
    lines = [one for path, text in own.items() for one in drawn(path, text, day_of(path, text))]
    wanted = frozenset(terms(signal.subject))
    if signal.kind in ("entity_cluster", "null_query") and wanted:
        lines.sort(key=lambda one: -len(wanted & frozenset(terms(one.line.text))))
        near = [one for one in lines if wanted & frozenset(terms(one.line.text))]
        lines = near or lines
    if signal.kind in ("supersession_signal", "stale_memory"):
        lines += _earlier(lines or [_as_line(signal)], past, own)
    chosen = sorted(fitting(dict.fromkeys(lines)), key=lambda one: (one.day, one.line.path, one.line.lines))
    words = f"{signal.subject} {' '.join(one.line.text for one in chosen)}"
    return Question(signal, tuple(chosen), _pages(wiki, signal, words))


def analysis(store: Store, calls: Calls, asked: Question, wiki: Wiki, who: Identity) -> Analysis | Failure:
    """What the model says of a signal, as far as it is held."""
    signal = asked.signal
    material = {
        "identity": who.told,
        "signal": f"{signal.kind}: {signal.subject}\n{signal.description}",
        "pages": "\n\n".join(_shown(page, _room(signal)) for page in asked.pages) or "(none)",
        "lines": shown(asked.lines),
    }
    text = prompt(store, PROMPTS[signal.kind], facts={"form": template(_FORM).rstrip()}, material=material)
    answer = calls.answer("dream", Asked(text, max_tokens=ANSWER_TOKENS), Answer)
    return answer if isinstance(answer, Failure) else checked(answer, asked, wiki)


def checked(answer: Answer, asked: Question, wiki: Wiki) -> Analysis:
    """What of the answer is held by the lines that were shown."""
    why = f"a model was asked about {asked.signal.subject}: {asked.signal.description}"
    reading = Reading(asked.lines, wiki, one_line(why))
    operations, notes = read(answer.operations, reading)
    insights = tuple(_found(answer.insights, asked, wiki))
    operations += [one for insight in answer.insights[:_MOST_SAID] for one in _theme(insight, asked, wiki)]
    dropped = sum(len(rows) for rows in (answer.insights[:_MOST_SAID], answer.contradictions[:_MOST_SAID]))
    contradictions = tuple(_found(answer.contradictions, asked, wiki))
    dropped -= len(insights) + len(contradictions)
    if dropped:
        notes.append(f"{dropped} of its findings are in no line")
    return Analysis(
        tuple(operations),
        insights,
        contradictions,
        tuple(_gaps(answer.gaps, asked, wiki)),
        notes=tuple(notes),
        is_told=True,
        digest=asked.digest,
    )


def _found(said: Iterable[Finding], asked: Question, wiki: Wiki) -> Iterator[Insight]:
    """Findings with their evidence; one that all its lines together do not hold is said in their words, or left out."""
    for one in list(said)[:_MOST_SAID]:
        text, theme = clean(one.text, wiki.pages), clean(one.theme)[:60]
        cited = _near(text, picked(asked.lines, one.lines))
        lines = held(one.text, cited, wiki.pages)
        if [line.text for line in lines] != [text] and cited and is_held(text, _said(cited), _SHARE):
            yield Insight(text, tuple(said.line.citation for said in cited), theme)
            continue
        for line in lines:
            yield Insight(line.text, (line.citation,), theme)


def _gaps(said: Iterable[Finding], asked: Question, wiki: Wiki) -> Iterator[Insight]:
    """What is missing; it cannot be held by a line, but it names nothing that was not shown."""
    known = " ".join((asked.signal.subject, asked.signal.description, *(one.line.text for one in asked.lines)))
    for one in list(said)[:_MOST_SAID]:
        text = clean(one.text, wiki.pages)
        if text and not ungrounded(text, known):
            yield Insight(text, tuple(said.line.citation for said in picked(asked.lines, one.lines)))


def _theme(insight: Finding, asked: Question, wiki: Wiki) -> Iterator[Operation]:
    """A page for the theme of an insight that several lines carry."""
    cited = _near(f"{insight.text} {insight.theme}", picked(asked.lines, insight.lines))
    name = clean(insight.theme)[:60]
    slug = slug_of(name)
    if not slug or len({one.line.citation for one in cited}) < _LEAST_OF_THEME:
        return
    text = clean(insight.text, wiki.pages)
    description = cut(text, 160) if is_held(text, _said(cited), _SHARE) else ""
    lines = tuple(one.line for one in cited)
    why = f"a model read it out of {len(lines)} lines; {one_line(asked.signal.description)}"
    yield Operation(slug, "theme", name, why, lines, description=description, is_told=True)


def _near(text: str, cited: tuple[Numbered, ...]) -> tuple[Numbered, ...]:
    """Of the lines that are cited, those that have a word of it at all."""
    words = frozenset(terms(text))
    return tuple(one for one in cited if words & frozenset(terms(one.line.text)))


def _said(cited: Iterable[Numbered]) -> str:
    return " ".join(one.line.text for one in cited)


def _earlier(said: list[Numbered], past: Past, own: Mapping[str, str]) -> list[Numbered]:
    """What earlier days say with most of the words of one of the lines: the value that may have changed."""
    first = min((one.day for one in said if one.day), default="9999")
    lines = [frozenset(terms(one.line.text)) for one in said]
    found: list[tuple[int, Numbered]] = []
    for one, words in zip(past.said, past.words, strict=True):
        if one.path in own or one.day.isoformat() > first:
            continue
        shared = max((len(words & those) for those in lines), default=0)
        if shared >= _LEAST_SHARED:
            found.append((shared, Numbered(line_of(one.path, one.said), one.day.isoformat())))
    return [one for _, one in sorted(found, key=lambda pair: (-pair[0], pair[1].day))[:_MOST_EARLIER]]


def _as_line(signal: Signal) -> Numbered:
    return Numbered(Line(signal.subject.replace("-", " "), "", (0, 0)))


def _pages(wiki: Wiki, signal: Signal, words: str) -> tuple[WikiPage, ...]:
    """The pages that come nearest, by how many of their name's words the signal has."""
    there = frozenset(terms(words))
    found: list[tuple[float, WikiPage]] = []
    for page in wiki.own:
        name = frozenset(terms(f"{page.name} {page.slug.replace('-', ' ')}"))
        share = 2.0 if page.slug == signal.subject else len(name & there) / max(1, len(name))
        if share >= 0.5:
            found.append((share, page))
    return tuple(page for _, page in sorted(found, key=lambda pair: (-pair[0], pair[1].slug))[:MOST_PAGES])


def _room(signal: Signal) -> int:
    return _OF_PAGE_WHOLE if PROMPTS[signal.kind] == "dream-contradiction" else _OF_PAGE


def _shown(page: WikiPage, room: int) -> str:
    past = "".join(f"\n(held until {one.on}: {one.fact})" for one in page.supersedes if one.fact)
    return f"[[{page.slug}]] {page.name}, {page.category}: {page.description}\n{cut(page.body.strip(), room)}{past}"


def _text(store: Store, path: str) -> str:
    """A document's text; empty for one that is none of the memory's."""
    place = store.root / path
    try:
        is_ours = place.resolve().is_relative_to(store.root.resolve()) and place.is_file()
    except (OSError, ValueError):
        return ""
    return read_text(place) if is_ours else ""
