"""WISDOM.md as a model tells it: which of the things that were learned it keeps, merges and puts first.

An entry that its lines do not bear out gives way to their own words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from recall_tui.features.consolidation.period_model import (
    ANSWER_TOKENS,
    CHUNK_CHARS,
    LineSchema,
    PeriodWriter,
    supported_lines,
)
from recall_tui.features.grounding.extractive_summary import SourceLine
from recall_tui.features.grounding.line_support import CitedLines
from recall_tui.llm.client import LLMRequest
from recall_tui.llm.prompts import render_prompt
from recall_tui.storage.documents import identity

if TYPE_CHECKING:
    from recall_tui.storage.documents.wisdom_file import WisdomEntry
    from recall_tui.storage.memory_context import Store


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
        return supported_lines(answer.entries, dict(enumerate(given, 1)), CitedLines(store, {}))

    return told
