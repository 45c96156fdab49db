"""What memory has to say to a prompt: mostly nothing, and else a pointer or two to where it was dealt with before.

No model is asked, nothing is written but what the session was shown, and whatever state the index is in, the answer is
silence or whole.
"""

from __future__ import annotations

import math
import re
import time
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.domain.hook import Decision, HookAnswer, HookEvent
from recall_tui.errors import RecallError
from recall_tui.lifecycle import prompt_gates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recall_tui.domain import Hit
    from recall_tui.index.store import Index
    from recall_tui.lifecycle.prompt_gates import Asked
    from recall_tui.search.confidence import Held
    from recall_tui.storage.store import Store
    from recall_tui.text.framing import Quote

MOST_SHOWN = 2
LOOKED_AT = 4
"""Hits that are weighed, besides what may not be shown."""
ENOUGH = 0.52
"""The share of the prompt, by rarity, that passage and session must hold; measured with `tests/bench/prompts.py`."""
ENOUGH_OF_BEFORE = 0.46
"""The same for a prompt that speaks of what was done before, or names something that the session holds."""
TELLING = 1.4
"""How much must be said that few passages say, in shares of the rarity of a word that a single passage holds."""
NEXT_BEST = 0.8
"""The share of the best hit's score that a second one needs."""
PATIENCE_SECONDS = 0.8
"""A search that took longer comes too late: the person waits."""
IN_CONTEXT = frozenset(("window", "memory"))
"""Kinds of documents that an agent is given at its start anyway."""
_GIVEN_UP = re.compile(
    r"\b(?:status|verdict)\W{1,4}(?:orthogonal|incidental|irrelevant|rejected|superseded|deprecated|wontfix|invalid)\b",
    re.IGNORECASE,
)


class _Found(NamedTuple):
    """A hit that is worth showing."""

    hit: Hit
    share: float

    @property
    def name(self) -> str:
        """What it counts as: the session, or the document."""
        return _name(self.hit)


def prompt_recall(store: Store, index: Index, event: HookEvent) -> tuple[HookAnswer, Decision]:
    """The answer to a prompt, and why it is one or none; what the session was shown is remembered."""
    if event.is_child:
        return _silent("a sub-agent or a program asks")
    if not store.config.get("inject.tokens"):
        return _silent("inject.tokens is 0")
    if reason := prompt_gates.reason_to_skip(event.prompt):
        return HookAnswer(), Decision("skipped", reason)
    started = time.perf_counter()
    try:
        found, why = _found(store, index, event, prompt_gates.asked(event.prompt))
    except (RecallError, OSError, ValueError) as error:
        return _silent("the index cannot be read", error=str(error)[:200])
    took = round((time.perf_counter() - started) * 1000, 1)
    if took > PATIENCE_SECONDS * 1000:
        return _silent("the search took too long", took_ms=took)
    if not found:
        return _silent(why, took_ms=took)
    context = _framed(store, found)
    if not context:
        return _silent("nothing of it can be shown", took_ms=took)
    return HookAnswer(context), _handed(store, event, found, took)


def _found(store: Store, index: Index, event: HookEvent, what: Asked) -> tuple[list[_Found], str]:
    """What is worth showing, best first, and else why there is nothing."""
    from recall_tui.search.confidence import held
    from recall_tui.search.engine import search
    from recall_tui.storage import seen_hints

    if index.reader() is None:
        return [], "nothing is indexed yet"
    answer = search(index, store, what.words, limit=2 * LOOKED_AT, corrects=False)
    others = [hit for hit in answer.hits if hit.kind not in IN_CONTEXT and hit.session_id != (event.session_id or None)]
    if not others:
        return [], "nothing about it was found"
    hits = others[:LOOKED_AT]
    weighed = held(index, store, what.words, hits)
    least = TELLING * math.log(answer.searched["passages"] + 1)
    sure = [_Found(hit, one.share) for hit, one in zip(hits, weighed, strict=True) if _is_sure(what, one, least)]
    near = [one for one in sure if one.hit.score >= NEXT_BEST * hits[0].score and not _GIVEN_UP.search(one.hit.snippet)]
    if not near:
        best = max(one.share for one in weighed)
        return [], f"what was found holds too little of it ({best:.2f})"
    known = set(seen_hints.read(store, event.session_id)) if event.session_id else set()
    new = [one for one in near if one.name not in known][:MOST_SHOWN]
    return new, "the session was shown it before"


def _is_sure(what: Asked, one: Held, least: float) -> bool:
    """Whether a hit holds enough of what was asked, and enough that is rare."""
    if one.weight < least:
        return False
    named = [_holds(one, anchor) for anchor in what.anchors]
    if named and not any(named):
        return False
    return one.share >= (ENOUGH_OF_BEFORE if what.has_cue or any(named) else ENOUGH)


def _holds(one: Held, anchor: str) -> bool:
    """Whether the session holds all of what the prompt names."""
    pieces = set(re.findall(r"\w+", anchor.casefold()))
    return pieces.isdisjoint(piece for word in one.missing for piece in re.findall(r"\w+", word.casefold()))


def _framed(store: Store, found: Sequence[_Found]) -> str:
    from recall_tui.lifecycle.recall import CHARACTERS_PER_TOKEN
    from recall_tui.text.framing import MOST, framed

    tokens = store.config.get("inject.tokens")
    most = min(MOST, int(tokens if isinstance(tokens, int) else 0) * CHARACTERS_PER_TOKEN)
    return framed([_quote(store, one.hit) for one in found], about=_ABOUT, most=most)


_ABOUT = "These sessions and documents hold most of the words of the prompt. `recall-tui show` prints what is named here."


def _quote(store: Store, hit: Hit) -> Quote:
    from recall_tui.text.dates import local
    from recall_tui.text.framing import Quote

    date = f"{local(hit.date, store.now().tzinfo):%Y-%m-%d}" if hit.date else ""
    place = f"{hit.document}:{hit.lines[0]}-{hit.lines[1]}"
    return Quote(hit.snippet, hit.title, date, f"{place} · session {hit.session_id}" if hit.session_id else place)


def _handed(store: Store, event: HookEvent, found: Sequence[_Found], took: float) -> Decision:
    from recall_tui.storage import seen_hints

    names = tuple(one.name for one in found)
    facts: list[tuple[str, object]] = [("shown", names), ("share", round(found[0].share, 2)), ("took_ms", took)]
    try:
        if event.session_id:
            seen_hints.add(store, event.session_id, names, store.now())
    except OSError as error:
        facts.append(("error", f"what was shown cannot be remembered: {error}"))
    return Decision("handed", "it holds most of the prompt", tuple(facts))


def _name(hit: Hit) -> str:
    return hit.session_id or hit.document


def _silent(why: str, **facts: object) -> tuple[HookAnswer, Decision]:
    return HookAnswer(), Decision("silent", why, tuple(facts.items()))
