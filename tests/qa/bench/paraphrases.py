"""Questions that say what their evidence says in other words, as a person does who does not remember the words.

They stand in `paraphrases.toml`; the evidence stays in the data sets, in the form that `retrieval.py` reads, and is
named by its records. No question shares a word with its evidence, as the search compares words.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from recall_tui.index.text import schema
from recall_tui.search.ranking.lexical import STOP_WORDS, query_terms

PARAPHRASES = Path(__file__).with_name("paraphrases.toml")
EVERY = 3
"""Of so many questions one is kept out of tuning."""


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """A question, and where it is answered."""

    data: str
    """The folder of its data set."""
    sort: str
    """`talk` between people, or `coding` with an agent."""
    text: str
    gold: frozenset[str]
    """The sessions that hold an answer."""
    turns: tuple[str, ...]
    """The records that are the answer."""
    is_kept_out: bool


def paraphrases() -> list[Paraphrase]:
    """All questions, in the order of the file."""
    rows = tomllib.loads(PARAPHRASES.read_text(encoding="utf-8"))["question"]
    return [
        Paraphrase(
            row["data"], row["sort"], row["text"], frozenset(row["gold"]), tuple(row["turns"]), number % EVERY == 2
        )
        for number, row in enumerate(rows)
    ]


def evidence(data: Path, one: Paraphrase) -> Iterator[tuple[str, str]]:
    """Session and text of each record that answers the question, from the transcripts of the data sets below `data`."""
    for path in sorted((data / one.data / "home").rglob("*.jsonl")):
        if path.stem not in one.gold:
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            if any(turn in line for turn in one.turns) and (record := json.loads(line))["uuid"] in one.turns:
                yield path.stem, _said(record["message"]["content"])


def _said(content: str | list[dict[str, str]]) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(block["text"] for block in content if block["type"] == "text")


def shared_words(question: str, text: str) -> set[str]:
    """The stems, of words and of the pieces of names, that stand in both; words of every text are none."""
    asked = {term for unit in query_terms(question.split()) for term in (unit.stem, *unit.parts)}
    return asked & {*_stems(text), *_stems(schema.identifier_parts(text))} - set(_stems(" ".join(STOP_WORDS)))


def _stems(text: str) -> list[str]:
    return schema.terms(schema.STEMMED, text)
