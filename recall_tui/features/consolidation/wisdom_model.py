"""WISDOM.md as a model tells it: which of the things that were learned it keeps, merges and puts first.

An entry that its lines do not bear out gives way to their own words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from recall_tui.features.consolidation.model import ANSWER_TOKENS, CHUNK, Said, Teller, lines_of
from recall_tui.features.grounding.source_line import Line
from recall_tui.features.grounding.verify import Cited
from recall_tui.llm.client import Asked
from recall_tui.llm.prompts import prompt
from recall_tui.storage.documents import identity

if TYPE_CHECKING:
    from recall_tui.storage.documents.wisdom_file import Entry
    from recall_tui.storage.memory_context import Store


class Wisdom(msgspec.Struct):
    """What holds, the weightiest first."""

    entries: list[Said] = []


def tell(store: Store, teller: Teller) -> Callable[[Sequence[Entry], Sequence[Line], int], list[Line] | None]:
    """What gives the entries, as the model tells them, of the lines that they may be from; None when it does not."""

    def told(kept: Sequence[Entry], lines: Sequence[Line], most: int) -> list[Line] | None:
        room = CHUNK
        given: list[Line] = []
        for line in lines:
            room -= len(line.text) + len(line.path) + 8
            if room < 0:
                break
            given.append(line)
        if not given:
            return None
        said = "\n".join(f"[{number}] {line.path}: {line.text}" for number, line in enumerate(given, 1))
        material = {
            "identity": identity.read(store).told,
            "wisdom": "\n".join(f"- {one.claim}" for one in kept) or "(nothing yet)",
            "statements": said,
        }
        asked = Asked(prompt(store, "wisdom", facts={"most": str(most)}, material=material), max_tokens=ANSWER_TOKENS)
        answer = teller.answer("wisdom", asked, Wisdom)
        if answer is None:
            return None
        return lines_of(answer.entries, dict(enumerate(given, 1)), Cited(store, {}))

    return told
