"""Looks for planted secrets in all that was written and said.

Packed files are unpacked; of the index both the bytes of its files and the passages that it gives back are looked at.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import zstandard

from recall_tui.index.filing import BATCH
from recall_tui.index.ledger import batches_of
from recall_tui.workbench import Workbench
from tests.trust.planted import Plant
from tests.trust.secret_life import Life

_RUN = re.compile(r"[!-~]{8,}")
_FIRST = 8
"""Characters of a needle that are looked up at each place."""


class Leaks:
    """What was found of the plants."""

    def __init__(self, plants: Iterable[Plant]) -> None:
        self.found: list[str] = []
        self.looked = 0
        """Places that were looked at."""
        self._needles: dict[str, list[tuple[str, Plant]]] = {}
        for plant in plants:
            for needle in plant.needles:
                self._needles.setdefault(needle[:_FIRST], []).append((needle, plant))

    def look(self, where: str, text: str) -> None:
        """Look at a text."""
        self.looked += 1
        seen = set()
        for run in _RUN.finditer(text):
            word = run[0]
            for at in range(len(word) - _FIRST + 1):
                for needle, plant in self._needles.get(word[at : at + _FIRST], ()):
                    if word.startswith(needle, at):
                        seen.add(f"{plant.kind} ({plant.carrier}) in {where}")
        self.found += sorted(seen)

    def look_at_files(self, *folders: Path) -> None:
        """Look at the names and the contents of every file, packed or not."""
        for folder in folders:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    self.look(path.name, f"{path.relative_to(folder)}\n{_plain(path)}")

    def look_at_index(self, bench: Workbench) -> None:
        """Look at what the index gives back."""
        for source, text in _passages(bench):
            self.look(f"a passage of {source}", text)


def everything(plants: Iterable[Plant], life: Life) -> Leaks:
    """All that a life left behind, looked at."""
    leaks = Leaks(plants)
    for name, text in life.said.items():
        leaks.look(name, text)
    leaks.look_at_files(life.machine.places.state, life.machine.root, life.out)
    leaks.look_at_index(life.bench)
    return leaks


def _plain(path: Path) -> str:
    data = path.read_bytes()
    if path.suffix == ".zst":
        data = zstandard.ZstdDecompressor().decompressobj().decompress(data)
    elif path.suffix == ".gz":
        data = gzip.decompress(data)
    return data.decode("latin-1")


def _passages(bench: Workbench) -> Iterator[tuple[str, str]]:
    reader = bench.index.reader()
    with bench.index.facts() as facts:
        sources = facts.everything() if facts else []
    for _, known in sources if reader else ():
        for name in batches_of(known):
            for one in reader.of_batch(f"{known.key}:{name}", BATCH) if reader else ():
                yield Path(known.path).name, repr(one) + repr(one.passage)
