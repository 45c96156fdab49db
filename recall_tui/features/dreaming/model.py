"""A signal told by a model: a question with numbered lines and the pages that come near, an answer that is checked.

Nothing of the answer is believed: what has no line, names no page that it may, or is not held by what it cites is left
out, and said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from recall_tui.features.dreaming.history import LogHistory
from recall_tui.features.dreaming.operations import OperationContext, OperationSchema, parse_operations
from recall_tui.features.dreaming.signals import Signal, SignalKind
from recall_tui.features.dreaming.state import Insight, SignalAnalysis, WikiOperation
from recall_tui.features.grounding.evidence import (
    NumberedLine,
    clean_claim,
    document_day,
    fit_lines,
    number_lines,
    render_lines,
    select_lines,
)
from recall_tui.features.grounding.extractive_summary import SourceLine, to_source_line
from recall_tui.features.grounding.harness import Rejection, ask_over_evidence, check_claim
from recall_tui.features.grounding.verify import is_supported
from recall_tui.llm.client import LLMRequest, ModelClient
from recall_tui.llm.model import Failure
from recall_tui.llm.prompts import render_prompt
from recall_tui.resources import read_template
from recall_tui.storage.documents.identity import Identity
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import WikiPage, make_slug
from recall_tui.storage.files.atomic import content_digest, read_text
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.cut import one_line, shorten
from recall_tui.text.normalized_facts import unsupported_facts

ANSWER_TOKENS = 2_000
PROMPTS: Mapping[SignalKind, str] = {
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
_FORM_PROMPT = "prompts/dream-form.md"
MAX_PAGES = 4
_MAX_PAGE_CHARS, _MAX_FULL_PAGE_CHARS = 600, 4_000
"""Characters of a page that is shown; the whole of it where a claim on it may be out of date."""
_MIN_SHARED_WORDS, _MAX_EARLIER_LINES = 2, 20
"""Words that an earlier line shares with one of a signal's, and how many such lines are shown."""
_MAX_FINDINGS = 8
"""Insights, contradictions and gaps of one answer, each."""
_MIN_THEME_LINES = 2
"""Lines that a theme has."""


class FindingSchema(msgspec.Struct):
    """An insight, a contradiction or a gap."""

    text: str
    theme: str = ""
    lines: list[int] = []


class SignalAnswer(msgspec.Struct):
    """What a signal comes to."""

    insights: list[FindingSchema] = []
    contradictions: list[FindingSchema] = []
    gaps: list[FindingSchema] = []
    operations: list[OperationSchema] = []


class SignalPrompt(NamedTuple):
    """A signal as a model is shown it."""

    signal: Signal
    lines: tuple[NumberedLine, ...]
    pages: tuple[WikiPage, ...]

    @property
    def digest(self) -> str:
        """Of the signal and its lines, by which the same is not asked twice; pages change by what is made of it."""
        return content_digest("\n".join((self.signal.kind, self.signal.subject, render_lines(self.lines))))[:16]


def build_prompt(store: Store, signal: Signal, past: LogHistory, wiki: Wiki) -> SignalPrompt:
    """What a model is shown of a signal: its documents' words, what earlier days say of the same, the pages near it."""
    texts = {path: text for texts in past.days.values() for path, text in texts.items()}
    own = {path: texts.get(path) or _read_document(store, path) for path in signal.documents}
    lines = [one for path, text in own.items() for one in number_lines(path, text, document_day(path, text))]
    wanted = frozenset(topic_terms(signal.subject))
    if signal.kind in ("entity_cluster", "null_query") and wanted:
        lines.sort(key=lambda one: -len(wanted & frozenset(topic_terms(one.line.text))))
        near = [one for one in lines if wanted & frozenset(topic_terms(one.line.text))]
        lines = near or lines
    if signal.kind in ("supersession_signal", "stale_memory"):
        lines += _earlier_lines(lines or [_signal_line(signal)], past, own)
    chosen = sorted(fit_lines(dict.fromkeys(lines)), key=lambda one: (one.day, one.line.path, one.line.lines))
    words = f"{signal.subject} {' '.join(one.line.text for one in chosen)}"
    return SignalPrompt(signal, tuple(chosen), _similar_pages(wiki, signal, words))


def analyze_signal(
    store: Store, calls: ModelClient, asked: SignalPrompt, wiki: Wiki, who: Identity
) -> SignalAnalysis | Failure:
    """What the model says of a signal, as far as it is held."""
    signal = asked.signal
    material = {
        "identity": who.told,
        "signal": f"{signal.kind}: {signal.subject}\n{signal.description}",
        "pages": "\n\n".join(_render_page(page, _max_page_chars(signal)) for page in asked.pages) or "(none)",
        "lines": render_lines(asked.lines),
    }
    text = render_prompt(
        store, PROMPTS[signal.kind], facts={"form": read_template(_FORM_PROMPT).rstrip()}, material=material
    )
    request = LLMRequest(text, max_tokens=ANSWER_TOKENS)
    said = ask_over_evidence(calls, "dream", request, SignalAnswer, asked.lines, wiki.pages)
    return said if isinstance(said, Failure) else check_answer(said.answer, asked, wiki)


def check_answer(answer: SignalAnswer, asked: SignalPrompt, wiki: Wiki) -> SignalAnalysis:
    """What of the answer is held by the lines that were shown."""
    why = f"a model was asked about {asked.signal.subject}: {asked.signal.description}"
    rejected: list[Rejection] = []
    reading = OperationContext(asked.lines, wiki, one_line(why), rejected)
    operations, notes = parse_operations(answer.operations, reading)
    insights = tuple(_supported_insights(answer.insights, asked, wiki, rejected))
    operations += [one for insight in answer.insights[:_MAX_FINDINGS] for one in _theme_operation(insight, asked, wiki)]
    dropped = sum(len(rows) for rows in (answer.insights[:_MAX_FINDINGS], answer.contradictions[:_MAX_FINDINGS]))
    contradictions = tuple(_supported_insights(answer.contradictions, asked, wiki, rejected))
    dropped -= len(insights) + len(contradictions)
    if dropped:
        notes.append(f"{dropped} of its findings are in no line")
    if rejected:
        notes.append(f"{len(rejected)} of its claims gave way to the words of the lines they cite")
    return SignalAnalysis(
        tuple(operations),
        insights,
        contradictions,
        tuple(_supported_gaps(answer.gaps, asked, wiki)),
        notes=tuple(notes),
        is_told=True,
        digest=asked.digest,
    )


def _supported_insights(
    said: Iterable[FindingSchema], asked: SignalPrompt, wiki: Wiki, rejected: list[Rejection]
) -> Iterator[Insight]:
    """Findings with their evidence; one that all its lines together do not hold is said in their words, or left out."""
    for one in list(said)[:_MAX_FINDINGS]:
        text, theme = clean_claim(one.text, wiki.pages), clean_claim(one.theme)[:60]
        cited = _lines_sharing_words(text, select_lines(asked.lines, one.lines))
        checked = check_claim(one.text, cited, wiki.pages)
        if checked.rejection is not None and cited and is_supported(text, _joined_text(cited)):
            yield Insight(text, tuple(said.line.citation for said in cited), theme)
            continue
        if checked.rejection is not None and checked.lines:
            rejected.append(checked.rejection)
        for line in checked.lines:
            yield Insight(line.text, (line.citation,), theme)


def _supported_gaps(said: Iterable[FindingSchema], asked: SignalPrompt, wiki: Wiki) -> Iterator[Insight]:
    """What is missing; it cannot be held by a line, but it names nothing that was not shown."""
    known = " ".join((asked.signal.subject, asked.signal.description, *(one.line.text for one in asked.lines)))
    for one in list(said)[:_MAX_FINDINGS]:
        text = clean_claim(one.text, wiki.pages)
        if text and not unsupported_facts(text, known):
            yield Insight(text, tuple(said.line.citation for said in select_lines(asked.lines, one.lines)))


def _theme_operation(insight: FindingSchema, asked: SignalPrompt, wiki: Wiki) -> Iterator[WikiOperation]:
    """A page for the theme of an insight that several lines carry."""
    cited = _lines_sharing_words(f"{insight.text} {insight.theme}", select_lines(asked.lines, insight.lines))
    name = clean_claim(insight.theme)[:60]
    slug = make_slug(name)
    if not slug or len({one.line.citation for one in cited}) < _MIN_THEME_LINES:
        return
    text = clean_claim(insight.text, wiki.pages)
    description = shorten(text, 160) if is_supported(text, _joined_text(cited)) else ""
    lines = tuple(one.line for one in cited)
    why = f"a model read it out of {len(lines)} lines; {one_line(asked.signal.description)}"
    yield WikiOperation(slug, "theme", name, why, lines, description=description, is_told=True)


def _lines_sharing_words(text: str, cited: tuple[NumberedLine, ...]) -> tuple[NumberedLine, ...]:
    """Of the lines that are cited, those that have a word of it at all."""
    words = frozenset(topic_terms(text))
    return tuple(one for one in cited if words & frozenset(topic_terms(one.line.text)))


def _joined_text(cited: Iterable[NumberedLine]) -> str:
    return "\n".join(one.line.text for one in cited)


def _earlier_lines(said: list[NumberedLine], past: LogHistory, own: Mapping[str, str]) -> list[NumberedLine]:
    """What earlier days say with most of the words of one of the lines: the value that may have changed."""
    first = min((one.day for one in said if one.day), default="9999")
    lines = [frozenset(topic_terms(one.line.text)) for one in said]
    found: list[tuple[int, NumberedLine]] = []
    for one, words in zip(past.said, past.words, strict=True):
        if one.path in own or one.day.isoformat() > first:
            continue
        shared = max((len(words & those) for those in lines), default=0)
        if shared >= _MIN_SHARED_WORDS:
            found.append((shared, NumberedLine(to_source_line(one.path, one.said), one.day.isoformat())))
    return [one for _, one in sorted(found, key=lambda pair: (-pair[0], pair[1].day))[:_MAX_EARLIER_LINES]]


def _signal_line(signal: Signal) -> NumberedLine:
    return NumberedLine(SourceLine(signal.subject.replace("-", " "), "", (0, 0)))


def _similar_pages(wiki: Wiki, signal: Signal, words: str) -> tuple[WikiPage, ...]:
    """The pages that come nearest, by how many of their name's words the signal has."""
    there = frozenset(topic_terms(words))
    found: list[tuple[float, WikiPage]] = []
    for page in wiki.own:
        name = frozenset(topic_terms(f"{page.name} {page.slug.replace('-', ' ')}"))
        share = 2.0 if page.slug == signal.subject else len(name & there) / max(1, len(name))
        if share >= 0.5:
            found.append((share, page))
    return tuple(page for _, page in sorted(found, key=lambda pair: (-pair[0], pair[1].slug))[:MAX_PAGES])


def _max_page_chars(signal: Signal) -> int:
    return _MAX_FULL_PAGE_CHARS if PROMPTS[signal.kind] == "dream-contradiction" else _MAX_PAGE_CHARS


def _render_page(page: WikiPage, room: int) -> str:
    past = "".join(f"\n(held until {one.on}: {one.fact})" for one in page.supersedes if one.fact)
    return f"[[{page.slug}]] {page.name}, {page.category}: {page.description}\n{shorten(page.body.strip(), room)}{past}"


def _read_document(store: Store, path: str) -> str:
    """A document's text; empty for one that is none of the memory's."""
    place = store.root / path
    try:
        is_ours = place.resolve().is_relative_to(store.root.resolve()) and place.is_file()
    except (OSError, ValueError):
        return ""
    return read_text(place) if is_ours else ""
