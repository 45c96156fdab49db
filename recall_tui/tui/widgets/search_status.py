"""Text about a search result: its match tier, the reasons for a hit's rank, the next steps without hits.

Pure functions of values; all text in them is data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from textual.content import Content

from recall_tui.domain import Hit, SearchResult
from recall_tui.domain.search_result import HitReasons
from recall_tui.tui.messages import SearchFiltered
from recall_tui.tui.text import plain_line

_SPACE, _HARD_SPACE = " ", "\N{NO-BREAK SPACE}"
_FILTER_HINT = "since: kind: …"
_TIME_EXAMPLES = "; such as 2d, 1w, today, 2026-03"
_MIN_FULL_RATIO = 0.995
"""The share of a question that counts as all of it, since shares are rounded."""


def rung_label(rung: str) -> str:
    """Return the label of a match tier: `any word`."""
    return plain_line(rung).replace("-", " ")


def status_line(answer: SearchResult, took_ms: float, unused: str = "") -> Content:
    """Render `any word · 23 hits · 8 ms · jtw → jwt`; `unused` is typed text that is not searched yet.

    Without a filter and notes it adds a hint about filters.
    """
    from recall_tui.search.query import FILTER_NAMES

    hits = f"{answer.total} hit{'' if answer.total == 1 else 's'}"
    found = [rung_label(answer.rung), hits] if answer.hits else ["nothing found"]
    notes = [plain_line(note) for note in (*answer.notes, unused_text(unused)) if note]
    hint = [] if notes or any(f"{name}:" in answer.query for name in FILTER_NAMES) else [_FILTER_HINT]
    return Content(" · ".join([*found, f"{took_ms:.0f} ms", *notes, *hint]))


def unused_text(typed: str) -> str:
    """Say what a filter that is being typed may become, as long as it is not searched; empty for nothing typed."""
    from recall_tui.search.query import KINDS

    name, mark, value = plain_line(typed).partition(":")
    if not mark or (not value and name != "kind"):
        return ""
    if name != "kind":
        examples = _TIME_EXAMPLES if name in ("since", "until") else ""
        return f"{name}:{value} not used yet{examples}"
    *before, last = value.lower().split(",")
    kinds = [kind for kind in sorted(KINDS) if kind.startswith(last) and kind not in before]
    return f"kind: {', '.join(kinds)}" if kinds else f"no kind {last}; kind: {', '.join(sorted(KINDS))}"


def reason_lines(hit: Hit) -> Content:
    """Render the reasons for a hit's rank: matched words and shares, additions, parts of the score."""
    return Content(
        "\n".join(
            filter(
                None,
                (_join_parts(_matched_words(hit.why)), _join_parts(_score_extras(hit)), _join_parts(_score_parts(hit))),
            )
        )
    )


def no_hits_text(
    answer: SearchResult, sifted: SearchFiltered, *, is_indexing: bool, again: str = "r", back: str = "esc"
) -> Content:
    """Explain an empty result: the searched amount, the filters, the next steps; `again` and `back` are the keys."""
    passages, sources = (answer.searched.get(name, 0) for name in ("passages", "sources"))
    lines = [f"Nothing found in {_count(passages, 'passage')} of {_count(sources, 'source')}."]
    if not passages:
        lines = ["Nothing is indexed yet."]
    if sifted.filters:
        without = f"; without filters: {_count(sifted.without, 'hit')}" if sifted.without else ""
        lines.append(f"Only results for {plain_line(' '.join(sifted.filters))} were searched{without}.")
    lines += [f"{plain_line(note)[:1].upper()}{plain_line(note)[1:]}." for note in answer.notes]
    lines += ["", *_next_steps(answer, sifted, is_indexing, again), f"{back} shows all sessions again."]
    return Content("\n".join(lines))


def _next_steps(answer: SearchResult, sifted: SearchFiltered, is_indexing: bool, again: str) -> Iterator[str]:
    if is_indexing:
        yield "The index is being updated; the search repeats when it is done."
    elif not answer.searched.get("passages"):
        yield f"{again} brings the index up to date."
    if failed := answer.searched.get("failed", 0):
        yield f"{_count(failed, 'source')} could not be read: recall-tui doctor says why."
    if sifted.without:
        yield "Remove or widen a filter."
    elif answer.searched.get("passages"):
        yield "Try fewer or different words."


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _matched_words(why: HitReasons) -> list[str]:
    """Return the matched words of the question, each with its share of the question, and the fields they are in."""
    shares = why.get("shares", {})
    found = sorted(why.get("words", ()), key=lambda word: -shares.get(word, 0.0))
    words = [f"{plain_line(word)} {shares[word]:.0%}" if word in shares else plain_line(word) for word in found]
    if not words:
        return []
    whole = sum(shares.values())
    covered = (
        "" if not shares else "all of the question" if whole >= _MIN_FULL_RATIO else f"{whole:.0%} of the question"
    )
    fields = ", ".join(map(plain_line, why.get("fields", ())))
    words[0] = f"words {words[0]}"
    return [*words, *filter(None, (covered, f"in {fields}" if fields else ""))]


def _score_extras(hit: Hit) -> list[str]:
    """Return the corrections, bonuses and factors of the score."""
    why = hit.why
    extras = [f"{plain_line(wrong)} → {plain_line(right)}" for wrong, right in why.get("corrected", {}).items()]
    if phrase := why.get("phrase"):
        extras.append(f"phrase +{phrase:.2g}")
    factors = (why.get("kind_weight", 1.0), why.get("when", 1.0), why.get("lean", 1.0))
    for factor, label in zip(factors, (f"kind {plain_line(hit.kind)}", "time", "latest or first"), strict=True):
        if factor != 1:
            extras.append(f"{label} ×{factor:.2g}")
    if through := why.get("through"):
        extras.append(f"through {plain_line(through)}")
    if "validity" in why:
        from recall_tui.search.ranking.claim_validity import validity_text

        extras.insert(0, plain_line(validity_text(why)))
    return extras


def _score_parts(hit: Hit) -> list[str]:
    return [
        *(f"{plain_line(name)} {value:.2f}" for name, value in hit.why.get("parts", {}).items()),
        f"score {hit.score:.2f}",
    ]


def _join_parts(parts: Iterable[str]) -> str:
    """Join the parts on a line that breaks only between them."""
    return f"{_HARD_SPACE}· ".join(part.replace(_SPACE, _HARD_SPACE) for part in parts)
