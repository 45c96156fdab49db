"""From candidates to hits: their last order, the passage that stands for each, and why it is there.

Only what is shown, and a margin beside it, is read; evidence is never crowded out by what was made from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from recall_tui.domain import Hit
from recall_tui.domain.documents import DERIVED_KINDS, FACT_KINDS, SESSION_KINDS
from recall_tui.index.text import schema
from recall_tui.index.text.passage import SIDECHAIN, SPEECH, TOOLS
from recall_tui.search import filters as constraint
from recall_tui.search.ranking import fusion, lexical, snippet
from recall_tui.search.ranking.candidates import RankedPassage
from recall_tui.search.ranking.explain import MatchReasons, find_reasons
from recall_tui.search.ranking.fusion import SearchCandidate

if TYPE_CHECKING:
    import tantivy

    from recall_tui.domain.search_result import HitReasons
    from recall_tui.index.text.reader import PassageAddress
    from recall_tui.index.text.stored_passage import StoredPassage
    from recall_tui.search.bound_query import BoundQuery
    from recall_tui.search.ranking.by_time import Time
    from recall_tui.search.ranking.lexical import WeightedTerm

EXACT, ALL_WORDS, ANY_WORD, PARTS, SPELLING, TITLE, FILTERS, VECTORS, PARENT, CATALOG = (
    "exact",
    "all-words",
    "any-word",
    "parts",
    "spelling",
    "title",
    "filters",
    "vectors",
    "parent",
    "catalog",
)
MARGIN_CANDIDATES = 10
"""Candidates beyond the limit whose kind is looked at before the order is final."""
MAX_WIDENING = 4
"""How many times as far evidence is looked for when derived documents crowd the first places."""
MAX_PASSAGES = 6
"""Passages of a hit that are looked at for the one that stands for it."""
MAX_DOCUMENT_PASSAGES = 3
"""Passages of a document that is no session that are looked at."""
MIN_SPOKEN_SHARE = 0.5
"""The share of the question that a spoken passage must hold, of what the best passage of its session holds."""
SPOKEN_ROLES = ("prompt", "reply")
HISTORY_SUFFIX = "-trajectory.md"
"""How the page of a subject's history ends, beside the subject's own."""
MIN_MATCH_RATIO = 0.34
"""The share of the question, by rarity, that lets a passage stand for a hit without looking further."""


def build_hits(
    question: BoundQuery, candidates: list[SearchCandidate], limit: int, time: Time | None, *, is_title: bool
) -> tuple[tuple[Hit, ...], int]:
    """Return the hits in their final order, each with its reasons, and the number of candidates that repeat a hit.

    `time` is what the question says of time. A copy of a session and a day's line of it repeat the session's hit.
    """
    found = _rank_passages(question, candidates, limit)
    claims = None
    if any(one.passage.kind in FACT_KINDS for one in found) and question.weighed:
        from recall_tui.search.ranking.claim_validity import ClaimValidity

        claims = ClaimValidity(question, found)
        if _asks_for_present(question.query.text, time):
            from recall_tui.search.ranking.present_order import present_first

            found = present_first(claims, found)
        else:
            found = claims.holding_first(found) if time is None else claims.ordered(found, time)
    if question.options.max_chunks:
        from recall_tui.search.ranking.hit_text import with_text
    asks_for_past = time is not None and (time[0] is not None or time[1] == "first")
    selected, repeated = _select_hits(question, found, limit, asks_for_past=asks_for_past)
    hits = []
    for one, why in (_with_better_passage(question, one) for one in selected):
        hit = _build_hit(one, why, _match_tier(question.weighed, one, why, is_title), question.weighed)
        held = claims.validity(one.passage) if claims else {}
        hit = hit._replace(why={**hit.why, "validity": held}) if held else hit
        hits.append(with_text(question, hit, one.candidate) if question.options.max_chunks else hit)
    return tuple(hits), repeated


def _put_pages_before_history(found: list[RankedPassage]) -> None:
    """Put a page of the wiki above the page of its history, which tells what held before, unless that is asked for."""
    from recall_tui.search.ranking.claim_validity import raise_above

    pages = {one.passage.document: one for one in found if one.passage.kind == "wiki"}
    for document, one in pages.items():
        if document.endswith(HISTORY_SUFFIX) and (page := pages.get(f"{document.removesuffix(HISTORY_SUFFIX)}.md")):
            raise_above(found, page.passage.id, one.passage.id)


def _asks_for_present(text: str, time: Time | None) -> bool:
    named, leaning = time or (None, None)
    if named is not None or leaning == "first":
        return False
    from recall_tui.search.time.present import asks_for_present

    return leaning == "latest" or asks_for_present(text)


def _rank_passages(question: BoundQuery, candidates: list[SearchCandidate], limit: int) -> list[RankedPassage]:
    """The candidates that may be shown, each with its passage, best first."""
    wiki = _wiki_weight(question)
    found: list[RankedPassage] = []
    evidence = 0
    for place, candidate in enumerate(candidates):
        # Where pages crowd the first places, evidence is looked for beyond them.
        if place >= limit + MARGIN_CANDIDATES and (
            evidence >= limit - _derived_limit(limit) or place >= MAX_WIDENING * (limit + MARGIN_CANDIDATES)
        ):
            break
        passage = _best_passage(question, candidate)
        if passage is not None:
            weight = max(1.0 if candidate.is_named else 0.0, fusion.kind_weight(passage.kind, wiki))
            found.append(RankedPassage(candidate, passage, weight, candidate.score * weight))
            evidence += not found[-1].is_derived
    return sorted(found, key=_rank_key)


def _rank_key(one: RankedPassage) -> tuple[bool, float, float, str, tuple[int, int]]:
    """What is called so first, then by score; of what says the same, the newest first."""
    passage = one.passage
    age = -passage.date.timestamp() if passage.date else 0.0
    return not one.candidate.is_named, -round(one.score, 9), age, passage.document, passage.lines


def _wiki_weight(question: BoundQuery) -> float:
    """What a page of the wiki weighs in this search."""
    if question.options.wiki_boost is not None:
        return question.options.wiki_boost
    boost = question.store.config.get("wiki.score_boost")
    return float(boost) if isinstance(boost, int | float) else fusion.DERIVED_WEIGHT


def _select_hits(
    question: BoundQuery, found: list[RankedPassage], limit: int, *, asks_for_past: bool
) -> tuple[list[RankedPassage], int]:
    """The hits: no page above evidence that it cites and that answers as well, and evidence never crowded out.

    With them the number of what was found that repeats another hit.
    """
    all_found = len(found)
    found = list(_without_copies(found))
    if any(one.is_derived for one in found) and len({one.passage.kind for one in found}) > 1:
        from recall_tui.search.ranking.prefer_sources import place_evidence_first

        found = place_evidence_first(question, found)
        if not asks_for_past:
            _put_pages_before_history(found)
    if (
        not question.is_single
        and any(one.passage.kind == "daily" for one in found)
        and any(one.passage.session_id for one in found)
    ):
        from recall_tui.search.ranking.day_lines import drop_day_lines

        found = drop_day_lines(question, found)
    repeated = all_found - len(found)
    kept, derived = [], 0
    for one in found:
        derived += one.is_derived
        if not one.is_derived or derived <= _derived_limit(limit):
            kept.append(one)
    return kept[:limit], repeated


def _without_copies(found: Iterable[RankedPassage]) -> Iterator[RankedPassage]:
    """The passages, each once: a fork lies beside its session and begins with the same words of the same time."""
    seen: dict[tuple[object, ...], str] = {}
    for one in found:
        passage = one.passage
        if passage.session_id and passage.date and passage.kind in SESSION_KINDS:
            folder = passage.document.rpartition("/")[0]
            first = seen.setdefault((passage.date, passage.body, passage.project, folder), passage.session_id)
            if first != passage.session_id:
                continue
        yield one


def _derived_limit(limit: int) -> int:
    """How many of the hits may be derived."""
    return max(1, limit // 2)


def _best_passage(question: BoundQuery, candidate: SearchCandidate) -> StoredPassage | None:
    """The passage that stands for a candidate: of a session the best that was spoken, else what is told of it.

    Facts about a session, such as its tags, make it a candidate and never stand for it; alone they are no hit.
    """
    reader = question.reader
    addresses = [address for _, address in candidate.passages]
    if not addresses and not candidate.is_near:
        addresses = _best_inside(question, candidate.key)
    near = [address for _, address in candidate.near[:1]]
    addresses = [*near, *addresses] if candidate.is_near else [*addresses, *near]
    spoken: list[StoredPassage] = []
    told: list[StoredPassage] = []
    session = ""
    for address in addresses[:MAX_PASSAGES]:
        passage = reader.stored(address)
        if passage.is_spoken and not told:
            return passage
        session = passage.session_id
        if not passage.is_metadata:
            (spoken if passage.is_spoken else told).append(passage)
        if not session and (len(told) == MAX_DOCUMENT_PASSAGES or passage.kind not in DERIVED_KINDS):
            break
    if session and candidate.key == schema.count_number(schema.clean_text(session)):
        spoken = spoken or [*map(reader.stored, _best_inside(question, candidate.key, SPOKEN_ROLES))]
        told = told or [reader.stored(address) for address in _opening_inside(question, candidate.key)]
    if spoken:
        return _prefer_spoken(question, spoken, told)
    return next((one for one in told if one.kind not in DERIVED_KINDS), told[0] if told else None)


def _prefer_spoken(
    question: BoundQuery, spoken: Sequence[StoredPassage], told: Sequence[StoredPassage]
) -> StoredPassage:
    """What was spoken, unless what is told of the session holds far more of the question."""
    best = next((one for one in told if one.kind != "window"), None)
    if not question.weighed:
        return best if best is not None and "summary" in best.roles else spoken[0]
    shares = [_match_ratio(find_reasons(one, question.weighed)) for one in spoken]
    most = _match_ratio(find_reasons(best, question.weighed)) if best is not None else 0.0
    return best if best is not None and max(shares) < MIN_SPOKEN_SHARE * most else spoken[shares.index(max(shares))]


def _best_inside(question: BoundQuery, counted: int, roles: Sequence[str] = ()) -> list[PassageAddress]:
    """The best passage of a session or document that was found as a whole; with `roles` one that has any of them."""
    reader, own = question.reader, _query_inside(question, counted, roles)
    for shelf in (SPEECH, TOOLS) if question.weighed else ():
        if found := reader.top(
            constraint.and_query(own, lexical.build_query(reader, question.weighed, (), shelf)), 1, shelf
        ):
            return [address for _, address in found]
    return [] if roles and question.weighed else [address for _, address in reader.top(own, 1)]


def _opening_inside(question: BoundQuery, counted: int) -> list[PassageAddress]:
    """The summary of a session, or a prompt of it, whether they hold a word of the question or not."""
    for roles in (("summary",), ("prompt",)):
        if found := question.reader.top(_query_inside(question, counted, roles), 1):
            return [address for _, address in found]
    return []


def _query_inside(question: BoundQuery, counted: int, roles: Sequence[str]) -> tantivy.Query:
    """The query for what a search may show of a session or document; with `roles` only of its main conversation."""
    reader, own = question.reader, [constraint.unscored(question.reader.counted(counted))]
    if roles:
        named = constraint.any_of([reader.term("role", role) for role in roles])
        own.append(constraint.unscored(constraint.all_of([named], [reader.term("role", SIDECHAIN)])))
    return constraint.and_query(question.wanted, constraint.all_of(own))


def _with_better_passage(question: BoundQuery, found: RankedPassage) -> tuple[RankedPassage, MatchReasons]:
    """The hit with a passage that shows enough of the question, or else with the one of its best that shows most.

    A passage is also found by the turns beside it, so that the best one need not hold a word of the question itself.
    One that was found for lying near gives way only to one that shows enough, and one that was spoken to another.
    """
    why = find_reasons(found.passage, question.weighed)
    is_near, passages = found.candidate.is_near, found.candidate.passages
    for _, address in passages[0 if is_near else 1 : MAX_PASSAGES] if question.weighed else ():
        if _match_ratio(why) >= MIN_MATCH_RATIO:
            break
        passage = question.reader.stored(address)
        if passage.is_metadata or (found.passage.is_spoken and not passage.is_spoken and why.words):
            continue
        if passage.id != found.passage.id and (passage.kind in DERIVED_KINDS) == found.is_derived:
            other = find_reasons(passage, question.weighed)
            if _match_ratio(other) > _match_ratio(why) and (not is_near or _match_ratio(other) >= MIN_MATCH_RATIO):
                found, why = found._replace(passage=passage), other
    return found, why


def _match_ratio(why: MatchReasons) -> float:
    return sum(why.words.values())


def _match_tier(weighed: Sequence[WeightedTerm], found: RankedPassage, why: MatchReasons, is_title: bool) -> str:
    if is_title:
        return TITLE
    if not weighed:
        return FILTERS
    if not why.words and (beside := _non_lexical_reason(found.candidate)):
        return beside
    if any(one.unit.corrected_from and one.unit.word in why.words for one in weighed):
        return SPELLING
    if len(why.words) < len(weighed):
        return ANY_WORD
    if why.fields == ("parts",):
        return PARTS
    return EXACT if why.pairs == 1.0 else ALL_WORDS


def _non_lexical_reason(candidate: SearchCandidate) -> str:
    """What brought a candidate here that holds no word of the question; empty when its neighbours did."""
    if candidate.near:
        return VECTORS
    if candidate.catalog:
        return CATALOG
    return PARENT if candidate.through else ""


def _build_hit(one: RankedPassage, why: MatchReasons, rung: str, weighed: Sequence[WeightedTerm]) -> Hit:
    passage = one.passage
    stems = {term for each in weighed for term in (each.unit.stem, *each.unit.parts)}
    grams = {gram for each in weighed for gram in each.unit.grams}
    is_derived = one.is_derived or "summary" in passage.roles or "compact_summary" in passage.roles
    result_type: Literal["raw", "summary"] = "summary" if is_derived else "raw"
    return Hit(
        id=passage.id,
        document=passage.document,
        kind=passage.kind,
        result_type=result_type,
        title=passage.title,
        score=round(min(one.score, 1.0), 4),
        snippet=snippet.extract_snippet(passage, stems, grams),
        lines=passage.lines,
        session_id=passage.session_id,
        project=passage.project,
        date=passage.date,
        # Its lines are those of a file of its own.
        heading=passage.heading or ("sub-agent" if SIDECHAIN in passage.roles else ""),
        why=_reasons(one, why, rung, weighed),
        matches=len(one.candidate.passages),
    )


def _reasons(one: RankedPassage, why: MatchReasons, rung: str, weighed: Sequence[WeightedTerm]) -> HitReasons:
    """The reasons of a hit, under the names that are promised."""
    corrected = {
        each.unit.corrected_from: each.unit.word
        for each in weighed
        if each.unit.corrected_from and each.unit.word in why.words
    }
    candidate = one.candidate
    parts = {"passage": round(candidate.passage, 4), "whole": round(candidate.whole, 4)}
    if candidate.near:
        parts["embedding"] = round(candidate.embedding, 4)
    if candidate.through:
        parts["parent"] = round(candidate.parent, 4)
    if candidate.catalog:
        parts["catalog"] = round(candidate.catalog, 4)
    if candidate.coverage < 1:
        parts["coverage"] = round(candidate.coverage, 4)
    more: HitReasons = {"through": candidate.through} if candidate.through else {}
    return {
        **more,
        "rung": rung,
        "words": list(why.words),
        "shares": {word: round(share, 4) for word, share in why.words.items()},
        "fields": list(why.fields),
        "corrected": corrected,
        "phrase": round(why.pairs * lexical.PAIR_WEIGHTS[SPEECH], 4),
        "kind_weight": one.weight,
        "when": round(candidate.factors.get("when", 1.0), 4),
        "lean": round(candidate.factors.get("lean", 1.0), 4),
        "parts": parts,
    }
