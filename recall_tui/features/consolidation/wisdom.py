"""Months become wisdom: what was learned, or said again and again, in the words it was said in.

An entry is drawn from the pages of weeks and months and cites the day it is from; what a person wrote or changed stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from recall_tui.domain import Create, Plan, Replace
from recall_tui.features.consolidation.period_model import (
    ANSWER_TOKENS,
    CHUNK_CHARS,
    LineSchema,
    PeriodWriter,
    supported_lines,
)
from recall_tui.features.documents.session_points import read_session_entries, read_session_points
from recall_tui.features.grounding.evidence import CitedLines
from recall_tui.features.grounding.extractive_summary import LESSON_WORDS, SourceLine, report_source, to_source_line
from recall_tui.features.grounding.joined_statements import log_statements
from recall_tui.features.grounding.session_report import entry_report
from recall_tui.llm.client import LLMRequest
from recall_tui.llm.prompts import render_prompt
from recall_tui.storage.documents import day_logs, identity, period_files, wisdom_file
from recall_tui.storage.documents.changing_facts import DatedStatement
from recall_tui.storage.documents.conflicts import conflict_note
from recall_tui.storage.documents.statements import page_statements
from recall_tui.storage.documents.wisdom_edit import update_wisdom
from recall_tui.storage.documents.wisdom_file import WisdomEntry, WisdomFile
from recall_tui.storage.files.atomic import content_digest, read_text
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import proposals
from recall_tui.text.classify.incomplete_lines import is_about_unnamed
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.lasting import find_flaw, is_explicit, weight
from recall_tui.text.classify.line_names import is_detail
from recall_tui.text.classify.passing_lines import (
    announces_event,
    is_request,
    lasts_until,
    names_schedule,
    names_this_season,
)
from recall_tui.text.classify.remedies import is_unsolved, states_cause_and_fix
from recall_tui.text.classify.report_lines import clean_line
from recall_tui.text.classify.similarity import near_duplicates
from recall_tui.text.classify.tags import decision_score
from recall_tui.text.secrets.redact import redact
from recall_tui.text.sentences import split_sentences

if TYPE_CHECKING:
    from recall_tui.features.grounding.session_texts import SessionTexts
    from recall_tui.storage.memory_context import Store

ChooseEntries = Callable[[Sequence[WisdomEntry], Sequence[SourceLine], int], Sequence[SourceLine] | None]
"""Gives the entries, of those that are kept, the lines that others may be from, and how many there may be."""
MIN_SCORE = 2.0
MIN_LESSON_WEIGHT = 3.0
"""The weight of a session's lesson that is an entry: a reason, and a rule, a finding or names."""
MAX_LESSON_CHARS = 480
_LESSON_SHARE = 0.25
"""The share of a lesson's further weight in its score."""
_NOTHING_LEARNED = "WISDOM.md is not made: no lesson stands with its fix or its reason, and nothing was said again"
_MIN_TERMS = 4
"""Words of content in what is an entry only because it was said again; a greeting has fewer."""
_RULE = re.compile(r"\b(?:always|never|lesson|rule|convention|from now on|must)\b", re.IGNORECASE)
_DIGEST_CHARS = 16
_ID_WORDS = 6
_ID_LABEL = re.compile(r"^(?:the )?(?:root )?cause(?:: | (?:is|was) (?:that )?)", re.IGNORECASE)
_MIN_ID_WORDS = 2
_ID_WORD = re.compile(r"[^\W_]+")


class _Candidate(NamedTuple):
    line: SourceLine
    score: float


def plan_wisdom(
    store: Store, pages: Mapping[str, str] | None = None, tell: ChooseEntries | None = None, made_by: str = ""
) -> Plan:
    """The plan that brings WISDOM.md up to date from the weeks and months as they are, or as `pages` has them.

    `pages` holds texts by path relative to the root; `tell` is asked for the entries, once for the same lines, and
    `made_by` names who answers. Without anything to read the file stays as it is.
    """
    held = read_text(store.layout.wisdom)
    now = wisdom_file.parse_wisdom(held)
    most = store.config.whole("wisdom.max_entries")
    kept = _person_entries(store, now)
    lines = _present_lines(store, _page_lines(store, {**_read_pages(store), **(pages or {})}))
    lessons = tuple(_present_lines(store, _session_lessons(store)))
    found = _rank_candidates(lines, lessons, [entry.claim for entry in kept])
    of = _input_digest(kept, found, most)
    if now.made_from == of and now.is_sealed:
        return Plan("Nothing new for WISDOM.md")
    new = _proposed_entries(store, held, of) or _written_entries(
        now, kept, found, most, tell, replace(now, made_from=of, made_by=made_by)
    )
    new = new or replace(now, entries=tuple(_choose_entries(now, kept, found, most)), made_from="", made_by="")
    if not new.entries and not held:
        return Plan("Nothing for WISDOM.md", notes=(_NOTHING_LEARNED,))
    if new.entries == now.entries and not new.made_from:
        return Plan("Nothing new for WISDOM.md")
    text = _render_file(store, held, new)
    if text == held:
        return Plan("Nothing new for WISDOM.md")
    if note := conflict_note("wisdom", held):
        return Plan("Nothing was changed in WISDOM.md", notes=(f"WISDOM.md: {note}",))
    edit = Replace(store.layout.wisdom, content_digest(held), text) if held else Create(store.layout.wisdom, text)
    count, added = len(new.entries), len({entry.id for entry in new.entries} - {entry.id for entry in now.entries})
    return Plan(
        f"Distilled {count} {'entry' if count == 1 else 'entries'} into WISDOM.md, {added} of them new", (edit,)
    )


def _person_entries(store: Store, now: WisdomFile) -> list[WisdomEntry]:
    """The entries that are a person's: those that cite nothing, and those that say it otherwise than what they cite."""
    if now.is_sealed:
        return [entry for entry in now.entries if not entry.source]
    texts: dict[str, frozenset[str]] = {}

    def is_quoted(entry: WisdomEntry) -> bool:
        path = entry.source.partition(":")[0]
        if path not in texts:
            texts[path] = frozenset(one.text.rstrip(".") for one in page_statements(read_text(store.root / path)))
        return entry.claim.rstrip(".") in texts[path] or texts[path].issuperset(
            one.rstrip(".") for one in split_sentences(entry.claim)
        )

    return [entry for entry in now.entries if not entry.source or not is_quoted(entry)]


def _input_digest(kept: Sequence[WisdomEntry], found: Sequence[_Candidate], most: int) -> str:
    """What a model is given, as a digest."""
    lines = (f"{one.line.text}\t{one.line.citation}" for one in found)
    return content_digest("\n".join((str(most), *(entry.claim for entry in kept), "", *lines)))[:_DIGEST_CHARS]


def _proposed_entries(store: Store, held: str, of: str) -> WisdomFile | None:
    """What a model told of the same lines before, and was proposed."""
    for one in proposals.list_all(store):
        if one.kind == "wisdom" and one.changes:
            made = wisdom_file.parse_wisdom(one.changes[0].text or "")
            if made.made_from == of and made.is_sealed:
                return replace(wisdom_file.parse_wisdom(held), entries=made.entries, made_from=of, made_by=made.made_by)
    return None


def _written_entries(
    now: WisdomFile,
    kept: list[WisdomEntry],
    found: Sequence[_Candidate],
    most: int,
    tell: ChooseEntries | None,
    new: WisdomFile,
) -> WisdomFile | None:
    """The entries as they are told, and after them those that are not, while there is room."""
    room = most - len(kept)
    told = tell(kept, [one.line for one in found], room) if tell and found and room > 0 else None
    if not told:
        return None
    twins = {later for _, later in near_duplicates([*(entry.claim for entry in kept), *(line.text for line in told)])}
    lines = [line for place, line in enumerate(told, len(kept)) if place not in twins]
    places = {place for line in lines for place in line.places}
    lines += [one.line for one in found if not places & set(one.line.places)]
    return replace(new, entries=tuple(_lines_as_entries(now, kept, lines, most)))


def _render_file(store: Store, held: str, new: WisdomFile) -> str:
    """The file; as it was proposed before, when that says the same of the same file."""
    for one in proposals.list_all(store):
        if one.kind == "wisdom" and one.changes and one.changes[0].was == (content_digest(held) if held else ""):
            text = one.changes[0].text or ""
            made = wisdom_file.parse_wisdom(text)
            if (made.entries, made.made_from, made.others) == (new.entries, new.made_from, new.others):
                return text
    return update_wisdom(held, new, store.now().date(), identity.read_identity(store).name)


def _read_pages(store: Store) -> dict[str, str]:
    months = period_files.list_monthlies(store.layout).values()
    weeks = period_files.list_weeklies(store.layout).values()
    return {store.relative(path): read_text(path) for path in (*weeks, *months)}


def _choose_entries(
    now: WisdomFile, kept: list[WisdomEntry], found: Iterable[_Candidate], most: int
) -> list[WisdomEntry]:
    """The entries there shall be: a person's, then the weightiest, each thing once."""
    return _lines_as_entries(now, kept, [one.line for one in found], most)


def _lines_as_entries(
    now: WisdomFile, kept: list[WisdomEntry], lines: Iterable[SourceLine], most: int
) -> list[WisdomEntry]:
    """The lines as entries after those that are kept; each has the id that it had."""
    known = {(entry.claim, entry.source): entry for entry in now.entries if entry.source}
    found: list[WisdomEntry] = []
    ids = [entry.id for entry in kept]
    for line in lines:
        if len(kept) + len(found) >= most:
            break
        same = known.get((line.text, line.citation))
        id = same.id if same and same.id not in ids else wisdom_file.unique_id(_id_words(line.text), ids)
        ids.append(id)
        found.append(WisdomEntry(id, line.text, line.citation))
    return [*kept, *found]


def _page_lines(store: Store, pages: Mapping[str, str]) -> Iterator[SourceLine]:
    """Yield what pages of weeks and months cite, without lines of sessions, which are read where they stand."""
    logs: dict[str, list[str]] = {}
    for text in pages.values():
        for one in page_statements(text):
            if one.cited is None or redact(one.text) != one.text:
                continue
            line = to_source_line("", one)
            if line.path not in logs:
                logs[line.path] = read_text(store.root / line.path).split("\n")
            said = "\n".join(logs[line.path][line.lines[0] - 1 : line.lines[1]])
            if not day_logs.entry_text(said):
                yield line


def _present_lines(store: Store, lines: Iterable[SourceLine]) -> Iterator[SourceLine]:
    """Yield the lines that no later day overtakes."""
    from recall_tui.features.grounding.session_texts import SessionTexts
    from recall_tui.features.grounding.superseded import Overtaken
    from recall_tui.features.wiki.revisions import find_revisions

    logs = sorted(period_files.list_day_logs(store.layout).items())
    texts = {store.relative(path): read_text(path) for _, paths in logs for path in paths}
    overtaken = Overtaken(texts, SessionTexts(store).removals)
    said = [
        DatedStatement(day, store.relative(path), one)
        for day, paths in logs
        for path in paths
        for one in log_statements(texts[store.relative(path)])
    ]
    gone = {(one.before.path, one.before.said.lines) for one in find_revisions(said)}
    return (
        line
        for line in lines
        if (line.path, line.lines) not in gone and overtaken.holds(line.text, line.path, line.lines[0])
    )


def _session_lessons(store: Store) -> Iterator[SourceLine]:
    """Yield what sessions' digests say was learned, each cause with its fix, and lasting wishes."""
    from recall_tui.features.grounding.session_texts import SessionTexts

    told: set[str] = set()
    texts = SessionTexts(store)
    for paths in period_files.list_day_logs(store.layout).values():
        for path in paths:
            for entry in day_logs.session_entries(read_text(path)):
                if entry.points:
                    told.add(entry.archive)
                    yield from _learned_lines(store.relative(path), entry, texts)
    for name, _, entry in read_session_entries(store):
        if entry.archive not in told:
            yield from _learned_lines(name, entry, texts)
    for documents in read_session_points(store, lessons_only=True).values():
        for document, text in documents.items():
            for lines, said in groupby(page_statements(text), key=lambda one: one.lines):
                whole = " ".join(one.text for one in said)
                is_short = len(whole) <= MAX_LESSON_CHARS and redact(whole) == whole
                if is_short and is_explicit(whole) and not find_flaw(whole) and weight(whole) >= MIN_LESSON_WEIGHT:
                    yield SourceLine(whole, document, lines)


def _learned_lines(path: str, entry: day_logs.SessionEntry, texts: SessionTexts) -> Iterator[SourceLine]:
    """Yield what a session learned that is of use outside of the code that it worked on."""
    for one in entry_report(entry):
        is_short = len(one.text) <= MAX_LESSON_CHARS
        is_inside = is_detail(one.text) or is_detail(next(iter(split_sentences(one.text)), ""))
        is_lasting = not is_inside or bool(_RULE.search(one.text))
        if one.is_learned and is_short and is_lasting and not texts.lost_sight_of(one.text, entry.archive):
            yield report_source(path, one)


def _rank_candidates(
    said: Iterable[SourceLine], lessons: Sequence[SourceLine], known: Iterable[str]
) -> list[_Candidate]:
    """What may be an entry, the weightiest first; what is said again weighs more, and counts as it was said last."""
    solved = (line for line in said if not is_unsolved(line.text))
    lines = {
        (line.text, line.citation): line
        for line in (*solved, *lessons)
        if not (announces_event(line.text) or lasts_until(line.text) or is_request(line.text))
        and not names_this_season(line.text)
        and not (names_schedule(line.text) or is_about_unnamed(line.text))
    }
    learned = {line.text for line in lessons}
    ordered = sorted(lines.values(), key=lambda line: (line.path, line.lines))
    there = list(known)
    pairs = near_duplicates([*there, *(line.text for line in ordered)])
    first_of = {later: earlier for earlier, later in pairs}
    groups: dict[int, list[int]] = {}
    for place in range(len(there) + len(ordered)):
        groups.setdefault(first_of.get(place, place), []).append(place)
    found = []
    for first, places in groups.items():
        if first < len(there):
            continue
        same = [ordered[place - len(there)] for place in places]
        score = _score_lines(same)
        if same[-1].text in learned:
            score = max(score, MIN_SCORE + _LESSON_SHARE * max(0.0, weight(same[-1].text) - MIN_LESSON_WEIGHT))
        if score >= MIN_SCORE:
            found.append(_Candidate(same[-1], score))
    return sorted(found, key=lambda one: (-one.score, one.line.path, one.line.lines))


def _score_lines(said: Sequence[SourceLine]) -> float:
    """What a thing is worth that was said in these lines, the newest last."""
    text = said[-1].text
    worth = _line_weight(text)
    days = len({place[0] for line in said for place in line.places})
    is_talk = text.endswith(("!", "?")) or len(set(topic_terms(text))) < _MIN_TERMS
    return worth if is_talk else worth + 0.8 * (days - 1)


def _line_weight(text: str) -> float:
    lesson = 2.0 if LESSON_WORDS.search(text) or states_cause_and_fix(text) else 0.0
    return lesson + 0.5 * decision_score(text)


def _id_words(text: str) -> list[str]:
    """The first words of a claim without its label, up to one that means something."""
    words = _ID_WORD.findall(re.sub("['’]", "", _ID_LABEL.sub("", clean_line(text))).lower())[:_ID_WORDS]
    ends = [at for at, word in enumerate(words) if at >= _MIN_ID_WORDS and topic_terms(word)]
    return words[: max(ends, default=len(words)) + 1]


class WisdomSchema(msgspec.Struct):
    """What holds, the weightiest first."""

    entries: list[LineSchema] = []


def entry_chooser(
    store: Store, teller: PeriodWriter
) -> Callable[[Sequence[WisdomEntry], Sequence[SourceLine], int], list[SourceLine] | None]:
    """What gives the entries, as the model tells them, of the lines that they may be from; None when it does not."""

    def told(kept: Sequence[WisdomEntry], lines: Sequence[SourceLine], most: int) -> list[SourceLine] | None:
        room = CHUNK_CHARS
        given: list[SourceLine] = []
        for line in lines:
            room -= len(line.text) + len(line.path) + 8
            if room < 0:
                break
            given.append(line)
        if not given:
            return None
        said = "\n".join(f"[{number}] {line.path}: {line.text}" for number, line in enumerate(given, 1))
        material = {
            "identity": identity.read_identity(store).told,
            "wisdom": "\n".join(f"- {one.claim}" for one in kept) or "(nothing yet)",
            "statements": said,
        }
        asked = LLMRequest(
            render_prompt(store, "wisdom", facts={"most": str(most)}, material=material), max_tokens=ANSWER_TOKENS
        )
        answer = teller.answer("wisdom", asked, WisdomSchema)
        if answer is None:
            return None
        return supported_lines(answer.entries, dict(enumerate(given, 1)), CitedLines(store, {}), teller.rejected)

    return told
