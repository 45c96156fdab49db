"""Lines that look like secrets and are none: they must stay readable."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.qa.trust.corpus_values import SEED, expand


@dataclass(frozen=True, slots=True)
class Harmless:
    idea: str
    text: str


def harmless(seed: str = SEED, part: str = "") -> list[Harmless]:
    """Return every line of the common file, or of the part that has its own, with its identifiers and hashes drawn.

    `↵` in the file is a line break.
    """
    found: list[Harmless] = []
    idea = ""
    for line in (Path(__file__).parent / "corpus" / part / "harmless.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("§ "):
            idea = line.removeprefix("§ ")
            continue
        text = expand(line.replace("↵", "\n"), Random(f"{seed}/harmless/{len(found)}"))
        found.append(Harmless(idea, text))
    return found
