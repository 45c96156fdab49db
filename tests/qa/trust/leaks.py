"""Looks for what was planted in all that was written and said.

Whatever is packed is unpacked, and what is packed in that too; of the index both the bytes of its files and the
passages that it gives back are looked at. Only the agents' own transcripts, which are not ours, are passed over.
"""

from __future__ import annotations

import gzip
import io
import re
import tarfile
import zipfile
import zlib
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import zstandard

from recall_tui.index.text.batching import BATCH_PASSAGES
from recall_tui.index.text.commit_batch import recorded_batches
from recall_tui.workbench import Workbench
from tests.qa.trust.planted import Plant
from tests.qa.trust.secret_life import Life

_RUN = re.compile(r"[!-~]{8,}")
_ZSTD, _GZIP, _ZIP, _TAR = b"\x28\xb5\x2f\xfd", b"\x1f\x8b", b"PK\x03\x04", b"ustar"
"""What packed bytes begin with; of a tar it stands at _TAR_AT."""
_TAR_AT = 257
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

    def look_at_files(self, *folders: Path, but: Collection[Path] = ()) -> None:
        """Look at the names and the contents of every file, packed or not."""
        for path in dict.fromkeys(path for folder in folders for path in sorted(folder.rglob("*"))):
            if path.is_file() and path not in but:
                self.look(path.name, f"{path}\n")
                for data in unpacked(path.read_bytes()):
                    self.look(path.name, data.decode("latin-1"))

    def look_at_index(self, bench: Workbench) -> None:
        """Look at what the index gives back."""
        for source, text in _passages(bench):
            self.look(f"a passage of {source}", text)


def everything(plants: Iterable[Plant], life: Life, *, is_with_exports: bool = True) -> Leaks:
    """All that a life left behind, looked at; exports made before something was forgotten are the person's."""
    leaks = Leaks(plants)
    for name, text in life.said.items():
        leaks.look(name, text)
    folders = [life.machine.environment.state, life.machine.root, *([life.out] if is_with_exports else [])]
    leaks.look_at_files(*folders, but=life.transcripts)
    leaks.look_at_index(life.bench)
    return leaks


def unpacked(data: bytes) -> Iterator[bytes]:
    """The bytes as they are, and what is packed in them, however deep."""
    yield data
    try:
        for inner in _inside(data):
            yield from unpacked(inner)
    except (OSError, EOFError, zlib.error, zstandard.ZstdError, tarfile.TarError, zipfile.BadZipFile):
        return


def _inside(data: bytes) -> Iterator[bytes]:
    if data.startswith(_ZSTD):
        yield zstandard.ZstdDecompressor().decompressobj().decompress(data)
    elif data.startswith(_GZIP):
        yield gzip.decompress(data)
    elif data.startswith(_ZIP):
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            yield from map(packed.read, packed.namelist())
    elif data[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR:
        with tarfile.open(fileobj=io.BytesIO(data)) as packed_as_tar:
            members = [packed_as_tar.extractfile(one) for one in packed_as_tar if one.isfile()]
            yield from (member.read() for member in members if member)


def _passages(bench: Workbench) -> Iterator[tuple[str, str]]:
    reader = bench.index.reader()
    with bench.index.facts() as facts:
        sources = facts.everything() if facts else []
    for _, known in sources if reader else ():
        for name in recorded_batches(known):
            for one in reader.of_batch(f"{known.key}:{name}", BATCH_PASSAGES) if reader else ():
                yield Path(known.path).name, repr(one) + repr(one.passage)
