"""How sure an answer is: how much of a question stands in the passage that was found, and in all of its session.

A word that is nowhere in the memory counts the most, so that a question about something else is never mistaken.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.index import schema
from recall_tui.index.passage import WHOLE
from recall_tui.search import constraint, lexical
from recall_tui.search.query import parse

if TYPE_CHECKING:
    import tantivy

    from recall_tui.domain import Hit
    from recall_tui.index.passages import PassageReader
    from recall_tui.index.store import Index
    from recall_tui.search.lexical import Weighed
    from recall_tui.storage.store import Store

_STEMMED = ("whole", "prompt", "head", "thought", "tool", "title", "parts")
_UNSTEMMED = "paths"


class Held(NamedTuple):
    """What a hit holds of a question."""

    passage: float
    """The share of the question, by rarity, that its passage holds, from 0 to 1."""
    whole: float
    """The share that all of its session or document holds."""
    weight: float
    """The rarities of what its session holds, together: how much was said that few passages say."""
    names: tuple[str, ...]
    """What the question names that the session holds as it was named."""

    @property
    def share(self) -> float:
        """How much of the question it holds, its passage and its session alike, from 0 to 1."""
        return (self.passage + self.whole) / 2


def held(index: Index, store: Store, question: str, hits: Sequence[Hit], names: Sequence[str] = ()) -> list[Held]:
    """What each of the hits holds of the question that found them, and which of `names`. Empty without an index.

    A name is held where its words stand side by side; nothing is corrected.
    """
    reader = index.reader()
    if reader is None:
        return []
    total = index.totals(store).passages
    units = lexical.units_of(parse(question, store.now()).words)
    weighed = [lexical.weigh(unit, lexical.frequency(reader, unit), total) for unit in units]
    return [_held(reader, weighed, hit, names) for hit in hits]


def _held(reader: PassageReader, weighed: Sequence[Weighed], hit: Hit, names: Sequence[str]) -> Held:
    own = reader.counted(schema.number_of(hit.session_id or hit.id.rpartition(".")[0]))
    found = [one for one in weighed if reader.count(constraint.all_of([own, _anywhere(reader, one)]), WHOLE)]
    weight, asked = (sum(one.rarity for one in each) for each in (found, weighed))
    there = tuple(name for name in names if reader.count(constraint.all_of([own, constraint.phrase(reader, name)])))
    shares = hit.why.get("shares")
    passage = sum(shares.values()) if isinstance(shares, dict) else 0.0
    return Held(passage, weight / (asked or 1.0), weight, there)


def _anywhere(reader: PassageReader, one: Weighed) -> tantivy.Query:
    """The query for a unit in any field of a stretch."""
    unit = one.unit
    fields = [reader.term(field, unit.stem) for field in _STEMMED]
    if unit.parts:
        fields.append(constraint.all_of([reader.term("parts", part) for part in unit.parts]))
    if unit.grams:
        fields.append(constraint.all_of([reader.term("gram", gram) for gram in unit.grams]))
    return constraint.any_of([*fields, reader.term(_UNSTEMMED, unit.plain)])
