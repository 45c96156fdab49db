"""What memory has to say to a prompt: mostly nothing, and else a pointer or two to where it was dealt with before.

No model is asked unless `recall.synthesize_prompts` says so, nothing is written but what the session was shown, and
whatever state the index is in, the answer is silence or whole.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from recall_tui.domain.hook import Decision, HookAnswer, HookEvent
from recall_tui.errors import RecallError
from recall_tui.features.context import prompt_filter as prompt_gates

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recall_tui.domain import Hit
    from recall_tui.features.context.prompt_filter import Asked
    from recall_tui.index.opener import Index
    from recall_tui.search.ranking.confidence import Held
    from recall_tui.storage.memory_context import Store
    from recall_tui.text.framing import Quote

MOST_SHOWN = 2
ENOUGH = 0.4
"""How likely it must be right, of what passes the other gates; measured with `tests/bench/prompts.py`."""
OF_BEFORE = 0.6
"""What it adds to the odds that a prompt speaks of what was done before."""
LEAST_PASSAGE = 0.3
"""The share of the prompt, by rarity, that the passage alone must hold: a long session holds most words of anything."""
LEAST_WHOLE = 0.5
"""The share of the prompt, by rarity, that the whole session must hold: a prompt about something else says more."""
LEAST_WORDS = 2
"""Words of the prompt that the passage must hold."""
LEAST_WEIGHT = 1.2
"""How much must be said that few passages say, in rarities of a word that a single passage holds."""
NEXT_BEST = 0.8
"""The share of the first one's score that a second needs, which must also hold what the prompt names."""
PATIENCE_SECONDS = 0.8
"""A search that took longer comes too late: the person waits."""
IN_CONTEXT = frozenset(("window", "memory"))
"""Kinds of documents that an agent is given at its start anyway."""
NOT_SHOWN = 3
"""Hits that may be left out: the session itself, and what is in its context."""
QUESTION = 90
"""Characters of a question that was asked before, so that there is room for what was said to it."""
REPLIES = 4
"""Replies that are looked at for the one that says most."""
LEAST_REPLY = 0.15
"""The share of the prompt that a reply must hold to stand beside the question."""
ABOUT = "They hold most of the words of the prompt; `recall-tui show` prints the whole of each."
"""Why it is shown."""
_GIVEN_UP = re.compile(
    r"\b(?:status|verdict)\W{1,4}(?:orthogonal|incidental|irrelevant|rejected|superseded|deprecated|wontfix|invalid)\b",
    re.IGNORECASE,
)


def prompt_recall(
    store: Store, index: Index, event: HookEvent, *, patience: float = PATIENCE_SECONDS
) -> tuple[HookAnswer, Decision]:
    """The answer to a prompt, and why it is one or none; what the session was shown is remembered.

    What took longer than `patience`, in seconds, is not shown.
    """
    if event.is_child:
        return _silent("a sub-agent or a program asks")
    if not store.config.get("inject.tokens"):
        return _silent("inject.tokens is 0")
    if reason := prompt_gates.reason_to_skip(event.prompt):
        return HookAnswer(), Decision("skipped", reason)
    started = time.perf_counter()
    try:
        what = prompt_gates.asked(event.prompt)
        found, why = _found(store, index, event, what)
        quotes = [_quote(store, index, what, hit) for hit in found]
        context = _framed(store, quotes)
    except (RecallError, OSError, ValueError) as error:
        return _silent("the index cannot be read", error=str(error)[:200])
    took = round((time.perf_counter() - started) * 1000, 1)
    if took > patience * 1000:
        return _silent("the search took too long", took_ms=took)
    if not found:
        return _silent(why, took_ms=took)
    if not context:
        return _silent("nothing of it can be shown", took_ms=took)
    if claims := _in_claims(store, event, list(zip(found, quotes, strict=True)), started):
        context, why = claims, f"{why}, put into claims by a model"
    return HookAnswer(context), _handed(store, event, found, why, took)


def _found(store: Store, index: Index, event: HookEvent, what: Asked) -> tuple[list[Hit], str]:
    """What is worth showing, best first, and how sure that is, or why there is nothing."""
    from recall_tui.search.engine import search
    from recall_tui.search.ranking.confidence import CROWD, confidence, held
    from recall_tui.storage.state import shown_hints as seen_hints

    if index.reader() is None:
        return [], "nothing is indexed yet"
    answer = search(index, store, what.words, limit=CROWD + NOT_SHOWN, corrects=False)
    others = [hit for hit in answer.hits if hit.kind not in IN_CONTEXT and hit.session_id != (event.session_id or None)]
    if not others:
        return [], "nothing about it was found"
    holding = held(index, store, what.words, others[:MOST_SHOWN], what.names)
    sure = confidence(holding[0], [hit.score for hit in others], OF_BEFORE if what.has_cue else 0.0)
    if sure < ENOUGH or not _is_good(what, others[0], holding[0]):
        return [], f"what was found is not sure enough ({sure:.2f})"
    good = [others[0]]
    good += [
        hit
        for hit, one in zip(others[1:], holding[1:], strict=False)
        if one.names and hit.score >= NEXT_BEST * others[0].score and _is_good(what, hit, one)
    ]
    new = [hit for hit in good if not seen_hints.was_shown(store, event.session_id, _name(hit))]
    return new, f"it is sure enough ({sure:.2f})" if new else "the session was shown it before"


def _is_good(what: Asked, hit: Hit, one: Held) -> bool:
    """Whether a hit may be shown at all: it holds enough itself, and what the prompt names, and was not given up."""
    words = hit.why.get("words")
    return (
        one.weight >= LEAST_WEIGHT
        and one.passage >= LEAST_PASSAGE
        and one.whole >= LEAST_WHOLE
        and isinstance(words, list)
        and len(words) >= LEAST_WORDS
        and bool(one.names or not what.names)
        and not _GIVEN_UP.search(hit.snippet)
    )


def _name(hit: Hit) -> str:
    """What a hit counts as: its session, or its document."""
    return hit.session_id or hit.document


def _in_claims(store: Store, event: HookEvent, found: Sequence[tuple[Hit, Quote]], started: float) -> str:
    """What a model makes of it in time, framed; empty without that, for whatever reason."""
    if not store.config.get("recall.synthesize_prompts"):
        return ""
    from recall_tui.features.context import prompt_answer

    try:
        quotes = prompt_answer.in_claims(store, event, found, started)
    except (RecallError, OSError, ValueError):
        return ""
    return _framed(store, quotes, prompt_answer.ABOUT, prompt_answer.CHARACTERS)


def _framed(store: Store, quotes: Sequence[Quote], about: str = ABOUT, limit: int = 0) -> str:
    from recall_tui.features.context.passages import CHARACTERS_PER_TOKEN
    from recall_tui.text.framing import EXCERPT, MOST, framed

    tokens = store.config.get("inject.tokens")
    most = min(MOST, (tokens if isinstance(tokens, int) else 0) * CHARACTERS_PER_TOKEN)
    return framed(quotes, about=about, limit=limit or EXCERPT, most=most)


def _quote(store: Store, index: Index, what: Asked, hit: Hit) -> Quote:
    from recall_tui.text.dates import told_day
    from recall_tui.text.framing import Quote
    from recall_tui.text.source_ref import place

    date = told_day(hit.date, store.now().tzinfo).isoformat() if hit.date else ""
    cited = place(hit.document, *hit.lines)
    where = f"session {hit.session_id} · {cited}" if hit.session_id else cited
    return Quote("\n".join(_said(store, index, what, hit)), hit.title, date, where)


def _said(store: Store, index: Index, what: Asked, hit: Hit) -> Iterator[str]:
    """What a hit says; of a question that was asked before its beginning, and what the agent said to it."""
    from recall_tui.index.opener import memory_key
    from recall_tui.search.engine import search
    from recall_tui.search.query import Filters
    from recall_tui.search.ranking.confidence import share
    from recall_tui.text.cut import cut

    reader = index.reader()
    passage = reader.by_id(memory_key(store), hit.id) if reader and hit.session_id else None
    replies: Sequence[Hit] = ()
    if passage is not None and "prompt" in passage.roles:
        only = Filters(kinds=("reply",), session=hit.session_id)
        answer = search(index, store, what.words, limit=REPLIES, passages=True, filters=only, corrects=False)
        replies = [reply for reply in answer.hits if share(reply) >= LEAST_REPLY]
    # A reply is found by the question beside it, too; what it says itself counts here.
    best = max(replies, key=share, default=None)
    yield cut(hit.snippet, QUESTION) if best else hit.snippet
    if best:
        yield best.snippet


def _handed(store: Store, event: HookEvent, found: Sequence[Hit], why: str, took: float) -> Decision:
    from recall_tui.storage.state import shown_hints as seen_hints

    names = tuple(map(_name, found))
    facts: list[tuple[str, object]] = [("shown", names), ("took_ms", took)]
    try:
        if event.session_id:
            seen_hints.add(store, event.session_id, names, store.now())
    except OSError as error:
        facts.append(("error", f"what was shown cannot be remembered: {error}"))
    return Decision("handed", why, tuple(facts))


def _silent(why: str, **facts: object) -> tuple[HookAnswer, Decision]:
    return HookAnswer(), Decision("silent", why, tuple(facts.items()))
