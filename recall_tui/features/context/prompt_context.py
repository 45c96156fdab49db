"""What memory has to say to a prompt: mostly nothing, and else a pointer or two to where it was dealt with before.

No model is asked unless `recall.synthesize_prompts` says so, nothing is written but what the session was shown, and
whatever state the index is in, the answer is silence or whole.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from recall_tui.domain.documents import HANDED_OVER_KINDS
from recall_tui.domain.hook import HookAnswer, HookDecision, HookEvent
from recall_tui.errors import RecallError
from recall_tui.features.context import prompt_filter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recall_tui.domain import Hit
    from recall_tui.features.context.prompt_filter import PromptQuery
    from recall_tui.index.opener import Index
    from recall_tui.index.text.reader import PassageReader
    from recall_tui.index.text.stored_passage import StoredPassage
    from recall_tui.search.ranking.confidence import MatchStats
    from recall_tui.storage.memory_context import Store
    from recall_tui.text.framing import QuotedBlock

MAX_HITS = 2
MIN_PROBABILITY = 0.4
"""How likely it must be right, of what passes the other gates; measured with `tests/qa/bench/prompts.py`."""
PAST_CUE_BONUS = 0.6
"""What it adds to the odds that a prompt speaks of what was done before."""
MIN_PASSAGE_OVERLAP = 0.3
"""The share of the prompt, by rarity, that the passage alone must hold: a long session holds most words of anything."""
MIN_SESSION_OVERLAP = 0.5
"""The share of the prompt, by rarity, that the whole session must hold: a prompt about something else says more."""
MIN_SHARED_WORDS = 2
"""Words of the prompt that the passage must hold."""
MIN_RARITY = 1.2
"""How much must be said that few passages say, in rarities of a word that a single passage holds."""
MIN_NAME_RARITY = 0.5
"""The same of a prompt that is looked up by a single name, such as that of an error."""
SMALL_MEMORY_PASSAGES = 64
"""In a memory of fewer, no word is rare: one that asks for what was done before is answered all the same."""
MIN_SECOND_SCORE = 0.8
"""The share of the first one's score that a second needs, which must also hold what the prompt names."""
"""Kinds of documents that an agent is given at its start anyway."""
MAX_SKIPPED_HITS = 3
"""Hits that may be left out: the session itself, and what is in its context."""
MAX_QUESTION_CHARS = 90
"""Characters of a question that was asked before, so that there is room for what was said to it."""
MAX_REPLIES = 4
"""Replies that are looked at for the one that says most."""
MAX_TURN_PASSAGES = 40
"""Passages behind a question in which its answer is looked for."""
MIN_REPLY_OVERLAP = 0.15
"""The share of the prompt that a reply must hold to stand beside the question."""
INTRODUCTION = "They hold most of the words of the prompt; `recall-tui show` prints the whole of each."
"""Why it is shown."""
MAX_VERDICTS = 4
"""Passages with a verdict that are looked at."""
_REJECTED_WORDS = "orthogonal|incidental|irrelevant|rejected|superseded|deprecated|wontfix|invalid"
_REJECTED_STATUS = re.compile(rf"\b(?:status|verdict)\W{{1,4}}(?:{_REJECTED_WORDS})\b", re.IGNORECASE)
_REJECTED_LINE = re.compile(rf"^\W{{0,6}}{_REJECTED_STATUS.pattern}", re.IGNORECASE | re.MULTILINE)


def recall_for_prompt(
    store: Store, index: Index, event: HookEvent, *, patience: float | None = None
) -> tuple[HookAnswer, HookDecision]:
    """The answer to a prompt, and why it is one or none; what the session was shown is remembered.

    What took longer than `patience`, in seconds, by default that of the setting, is not shown.
    """
    if event.is_child:
        return _no_answer("a sub-agent or a program asks")
    if not store.config.get("inject.tokens"):
        return _no_answer("inject.tokens is 0")
    if reason := prompt_filter.skip_reason(event.prompt):
        return HookAnswer(), HookDecision("skipped", reason)
    started = time.perf_counter()
    try:
        what = prompt_filter.parse_prompt(event.prompt)
        found, why = _find_hits(store, index, event, what)
        shown = [(hit, quote) for hit in found if (quote := _quote_hit(store, index, what, hit))]
        if found and not shown:
            why = "what was found was given up since"
        found, quotes = [hit for hit, _ in shown], [quote for _, quote in shown]
        context = _frame_hits(store, quotes)
    except (RecallError, OSError, ValueError) as error:
        return _no_answer("the index cannot be read", error=str(error)[:200])
    took = round((time.perf_counter() - started) * 1000, 1)
    most = store.config.get("recall.prompt_seconds") if patience is None else patience
    if isinstance(most, int | float) and took > most * 1000:
        return _no_answer("the search took too long", took_ms=took)
    if not found:
        return _no_answer(why, took_ms=took)
    if not context:
        return _no_answer("nothing of it can be shown", took_ms=took)
    if claims := _answer_in_claims(store, event, list(zip(found, quotes, strict=True)), started):
        context, why = claims, f"{why}, summarized by a model"
    return HookAnswer(context), _record_hits(store, event, found, why, took)


def _find_hits(store: Store, index: Index, event: HookEvent, what: PromptQuery) -> tuple[list[Hit], str]:
    """What is worth showing, best first, and how sure that is, or why there is nothing."""
    from recall_tui.search.engine import search
    from recall_tui.search.query import SearchOptions
    from recall_tui.search.ranking.confidence import COMPARED_CANDIDATES, estimate_confidence, match_stats
    from recall_tui.storage.state import hint_log

    if index.reader() is None:
        return [], "nothing is indexed yet"
    answer = search(
        index,
        store,
        what.words,
        limit=COMPARED_CANDIDATES + MAX_SKIPPED_HITS,
        corrects=False,
        options=SearchOptions(is_unasked=True),
    )
    others = [
        hit for hit in answer.hits if hit.kind not in HANDED_OVER_KINDS and hit.session_id != (event.session_id or None)
    ]
    if not others:
        return [], "nothing about it was found"
    least = SMALL_MEMORY_PASSAGES if what.has_cue else 0
    holding = match_stats(index, store, what.words, others[:MAX_HITS], what.names, least_passages=least)
    sure = estimate_confidence(holding[0], [hit.score for hit in others], PAST_CUE_BONUS if what.has_cue else 0.0)
    if sure < MIN_PROBABILITY or not _is_relevant(what, others[0], holding[0]):
        return [], f"what was found is not sure enough ({sure:.2f})"
    good = [others[0]]
    good += [
        hit
        for hit, one in zip(others[1:], holding[1:], strict=False)
        if one.names and hit.score >= MIN_SECOND_SCORE * others[0].score and _is_relevant(what, hit, one)
    ]
    new = [hit for hit in good if not hint_log.has_hint(store, event.session_id, _hit_identity(hit))]
    if new:
        from recall_tui.search.session_labels import label_hits

        new = list(label_hits(index, store, new))
    return new, f"it is sure enough ({sure:.2f})" if new else "the session was shown it before"


def _is_relevant(what: PromptQuery, hit: Hit, one: MatchStats) -> bool:
    """Whether a hit may be shown at all: it holds enough itself, and what the prompt names, and was not given up."""
    terms = _count_terms(what)
    # Of a question about a name, the session may say the other words in another turn.
    is_whole = bool(one.names) and one.whole >= 1.0
    least = 1 if is_whole else min(MIN_SHARED_WORDS, terms)
    return (
        one.weight >= (MIN_RARITY if terms >= MIN_SHARED_WORDS else MIN_NAME_RARITY)
        and one.passage >= MIN_PASSAGE_OVERLAP
        and one.whole >= MIN_SESSION_OVERLAP
        and len(hit.why.get("words", ())) >= least
        and bool(one.names or not what.names)
        and not _REJECTED_STATUS.search(hit.snippet)
    )


def _count_terms(what: PromptQuery) -> int:
    """How many words the prompt is looked up by: of one that only asks about an error, its name alone."""
    from recall_tui.search.ranking.lexical import query_terms

    return len(query_terms(what.words.split()))


def _hit_identity(hit: Hit) -> str:
    """What a hit counts as: its session, or its document."""
    return hit.session_id or hit.document


def _answer_in_claims(store: Store, event: HookEvent, found: Sequence[tuple[Hit, QuotedBlock]], started: float) -> str:
    """What a model makes of it in time, framed; empty without that, for whatever reason."""
    if not store.config.get("recall.synthesize_prompts"):
        return ""
    from recall_tui.features.context import prompt_answer

    try:
        quotes = prompt_answer.answer_in_claims(store, event, found, started)
    except (RecallError, OSError, ValueError):
        return ""
    return _frame_hits(store, quotes, prompt_answer.INTRODUCTION, prompt_answer.MAX_ANSWER_CHARS)


def _frame_hits(store: Store, quotes: Sequence[QuotedBlock], about: str = INTRODUCTION, limit: int = 0) -> str:
    from recall_tui.features.context.passages import CHARS_PER_TOKEN
    from recall_tui.text.framing import MAX_EXCERPT_CHARS, MAX_FRAME_CHARS, frame_quotes

    tokens = store.config.get("inject.tokens")
    most = min(MAX_FRAME_CHARS, (tokens if isinstance(tokens, int) else 0) * CHARS_PER_TOKEN)
    return frame_quotes(quotes, about=about, limit=limit or MAX_EXCERPT_CHARS, most=most)


def _quote_hit(store: Store, index: Index, what: PromptQuery, hit: Hit) -> QuotedBlock | None:
    """A hit as it is shown; None when a line of what it is from says that it was rejected or superseded."""
    from recall_tui.domain.documents import SourceRef
    from recall_tui.text.dates import local_day
    from recall_tui.text.framing import QuotedBlock
    from recall_tui.text.session_line import session_facts

    texts = _hit_texts(store, index, what, hit)
    if not texts:
        return None
    day = local_day(hit.date, store.now().tzinfo).isoformat() if hit.date else ""
    date = session_facts(hit.label, store.now()) if hit.label is not None else day
    cited = str(SourceRef(hit.document, *hit.lines))
    where = f"session {hit.session_id} · {cited}" if hit.session_id else cited
    return QuotedBlock("\n".join(texts), hit.title, date, where)


def _hit_texts(store: Store, index: Index, what: PromptQuery, hit: Hit) -> tuple[str, ...]:
    """What a hit says; of a question that was asked before its beginning, and what the agent said to it.

    Nothing of what was given up: a snippet may leave out the line that says so.
    """
    from recall_tui.index.opener import memory_key
    from recall_tui.search.engine import search
    from recall_tui.search.query import Filters
    from recall_tui.search.ranking.confidence import match_ratio
    from recall_tui.text.cut import shorten

    reader = index.reader()
    passage = reader.by_id(memory_key(store), hit.id) if reader else None
    replies: Sequence[Hit] = ()
    if passage is not None and hit.session_id and "prompt" in passage.roles:
        only = Filters(kinds=("reply",), session=hit.session_id)
        answer = search(index, store, what.words, limit=MAX_REPLIES, passages=True, filters=only, corrects=False)
        replies = [reply for reply in answer.hits if match_ratio(reply) >= MIN_REPLY_OVERLAP]
    # A reply is found by the question beside it, too; what it says itself counts here.
    best = max(replies, key=match_ratio, default=None)
    bodies = [passage.body] if passage else []
    bodies += [one.body for one in [reader.by_id(memory_key(store), best.id) if reader and best else None] if one]
    said = best.snippet if best else ""
    if best is None and passage is not None:

        def look_up(id: str) -> StoredPassage | None:
            return reader.by_id(memory_key(store), id) if reader else None

        # An answer in other words than the question is told by its place, as a page's text is.
        said = _closing_reply(passage, look_up) if "prompt" in passage.roles else _text_below(passage, look_up)
        bodies += [said] if said else []
    # A page about a session is called by the session's id.
    session = hit.session_id or (hit.document.rpartition("/")[2].removesuffix(".md") if hit.kind == "summary" else "")
    if reader is not None and hit.result_type == "summary" and session:
        bodies += _verdicts(reader, session)
    if any(map(_REJECTED_LINE.search, bodies)):
        return ()
    return (shorten(hit.snippet, MAX_QUESTION_CHARS), said) if said else (hit.snippet,)


def _text_below(passage: StoredPassage, look_up: Callable[[str], StoredPassage | None]) -> str:
    """What stands below a passage that is a heading or a question alone; empty for any other."""
    from recall_tui.features.context.passages import find_answer

    found = find_answer(passage, look_up)
    return found.body if found is not None and found.id != passage.id else ""


def _closing_reply(passage: StoredPassage, look_up: Callable[[str], StoredPassage | None]) -> str:
    """What the agent said last before the next prompt; empty when it said nothing."""
    source, _, number = passage.id.rpartition(".")
    said = ""
    for step in range(1, MAX_TURN_PASSAGES + 1 if number.isdigit() else 0):
        place = look_up(f"{source}.{int(number) + step}")
        if place is None or place.session_id != passage.session_id or "prompt" in place.roles:
            break
        said = place.body if "reply" in place.roles else said
    return said


def _verdicts(reader: PassageReader, session: str) -> list[str]:
    """The passages of the session with a verdict: a summary of it may have left that out."""
    from recall_tui.index.text import schema
    from recall_tui.search import filters as constraint

    own = constraint.unscored(reader.counted(schema.count_number(schema.clean_text(session))))
    said = [f"{label} {word}" for label in ("status", "verdict") for word in _REJECTED_WORDS.split("|")]
    found = constraint.any_of([constraint.phrase_query(reader, words) for words in said])
    return [reader.stored(address).body for _, address in reader.top(constraint.and_query(own, found), MAX_VERDICTS)]


def _record_hits(store: Store, event: HookEvent, found: Sequence[Hit], why: str, took: float) -> HookDecision:
    from recall_tui.storage.state import hint_log

    names = tuple(map(_hit_identity, found))
    facts: list[tuple[str, object]] = [("shown", names), ("took_ms", took)]
    try:
        if event.session_id:
            hint_log.add_hints(store, event.session_id, names, store.now())
    except OSError as error:
        facts.append(("error", f"what was shown cannot be remembered: {error}"))
    return HookDecision("handed", why, tuple(facts))


def _no_answer(why: str, **facts: object) -> tuple[HookAnswer, HookDecision]:
    return HookAnswer(), HookDecision("silent", why, tuple(facts.items()))
