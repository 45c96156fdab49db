"""What vectors add to words: hit rates by words alone and with vectors, in one run over the same index.

The questions are those of labelled data sets in the form that `retrieval.py` reads, and those of `paraphrases.toml`.
Two embedders make the vectors: one fitted on the words of the data set, and the model in the folder that
`RECALL_TEST_MODEL` names. With `--check` the run fails when a data set loses a first place or the model gains too
little.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from recall_tui.environment import Environment
from recall_tui.index.text.passage import SPEECH
from recall_tui.index.vectors.file import embedding_texts
from recall_tui.search.engine import search
from recall_tui.workbench import Workbench
from tests.embedders import FittedWords
from tests.generate import table
from tests.qa.bench.measure import heading, percentile
from tests.qa.bench.paraphrases import paraphrases
from tests.qa.bench.retrieval import Question, place_of, questions_of, scores

if TYPE_CHECKING:
    from recall_tui.domain.embedding import Embedder, Nearest, Vectors

DATA_SETS = ("locomo-dev", "agent-dev")
WORDS, FITTED, MODEL = "words", "fitted", "model"
TUNED, KEPT_OUT, OTHER_WORDS = "in other words, tuned", "in other words, kept out", "in other words"
SHOWN = ("hit@1", "hit@5", "MRR")
LEAST_GAIN = 0.2
"""What the model must add to the hit rate at five of questions in other words."""
EXTENT = "dialogue"


class Kept:
    """An embedder that remembers in a file what it made, by its name and the text."""

    def __init__(self, embedder: Embedder, folder: Path | None) -> None:
        self.name, self.dimensions = embedder.name, embedder.dimensions
        self._embedder = embedder
        name = hashlib.blake2b(embedder.name.encode(), digest_size=8).hexdigest()
        self._path = folder / f"{name}.npz" if folder else None
        self._known: dict[str, Vectors] = {}
        if self._path and self._path.is_file():
            import numpy as np

            with np.load(self._path) as saved:
                self._known = dict(zip(saved["hashes"].tolist(), saved["rows"], strict=True))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """A row for each text, those that are new from the embedder itself."""
        import numpy as np

        hashes = [hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=12).hexdigest() for text in texts]
        new = {one: text for one, text in zip(hashes, texts, strict=True) if one not in self._known}
        self._known.update(zip(new, self._embedder.embed(list(new.values())), strict=True))
        return np.stack([self._known[one] for one in hashes])

    def keep(self) -> None:
        """Write down what is known."""
        import numpy as np

        if self._path and self._known:
            np.savez(self._path, hashes=np.array(list(self._known)), rows=np.stack(list(self._known.values())))


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of the questions of a group, by one way to answer them."""

    group: str
    way: str
    rows: tuple[Mapping[str, float], ...]
    took: tuple[float, ...]
    """Milliseconds of each."""

    def mean(self, column: str) -> float:
        """What the answers are worth together."""
        return sum(row[column] for row in self.rows) / len(self.rows)


def model_of(folder: str) -> Embedder:
    """The model in the folder; whatever is wrong with it ends the script."""
    from recall_tui.llm.embedders.local import LocalEmbedder
    from recall_tui.llm.embedders.model_folder import ModelFolder, open_model_folder

    found = open_model_folder(Path(folder))
    return LocalEmbedder(found) if isinstance(found, ModelFolder) else sys.exit(found.reason)


def fitted_on(bench: Workbench) -> FittedWords:
    """An embedder that knows what is indexed, and nothing else."""
    import tantivy

    reader = bench.index.reader()
    assert reader is not None
    found = reader.top(tantivy.Query.all_query(), bench.index.totals(bench.store).passages, SPEECH)
    texts = [text for _, at in found for text in embedding_texts(reader.stored(at).passage, EXTENT)]
    return FittedWords(sorted(texts))


def nearest_by(bench: Workbench, embedder: Embedder) -> Nearest:
    """What lies near a question by the vectors of the embedder, which are made first."""
    from recall_tui.index.vectors import coverage as vectors
    from recall_tui.index.vectors.build import build_vectors
    from recall_tui.index.vectors.scan import VectorReader, find_nearest

    built = build_vectors(bench.index, bench.store, embedder, EXTENT)
    rows = VectorReader(vectors.vector_folder(bench.index, embedder.name)).rows()
    if rows is None or built.missing:
        sys.exit(f"{embedder.name}: {built}")

    def near(text: str, within: Any, most: int) -> list[tuple[float, Any]]:
        return list(find_nearest(bench.index, rows, embedder.embed([text])[0], EXTENT, within, most))

    return near


def groups_of(data: Path, name: str) -> dict[str, list[Question]]:
    """The questions that are asked of a data set: its own, and those in other words, tuned and kept out."""
    groups = {name: questions_of(data / name)}
    for one in paraphrases():
        if one.data == name:
            group = KEPT_OUT if one.is_kept_out else TUNED
            groups.setdefault(group, []).append(Question(one.text, one.gold, one.sort))
    return groups


def answered(bench: Workbench, groups: Mapping[str, Sequence[Question]], way: str, near: Nearest | None) -> list[Asked]:
    """Ask every question, in this process."""
    found = []
    for group, questions in groups.items():
        rows, took = [], []
        for question in questions:
            answer = search(bench.index, bench.store, question.text, near=near)
            places = [{session} for session in dict.fromkeys(hit.session_id for hit in answer.hits)]
            rows.append(scores(places, question.gold))
            took.append(answer.took_ms)
        found.append(Asked(group, way, tuple(rows), tuple(took)))
    return found


def measure(data: Path, name: str, model: str = "", keep: Path | None = None) -> Iterator[Asked]:
    """Index a data set below `data` and ask its questions in each way."""
    groups = groups_of(data, name)
    with tempfile.TemporaryDirectory() as folder:
        place = place_of(data / name, Path(folder))
        place.run("sync")
        bench = Workbench.open(
            place.root, places=Environment(place.home, place.folder, {"RECALL_STATE": f"{folder}/state"})
        )
        yield from answered(bench, groups, WORDS, None)
        yield from answered(bench, groups, FITTED, nearest_by(bench, fitted_on(bench)))
        if model:
            kept = Kept(model_of(model), keep)
            near = nearest_by(bench, kept)
            yield from answered(bench, groups, MODEL, near)
            kept.keep()


def together(found: Sequence[Asked]) -> list[Asked]:
    """The answers by group and way, those in other words of all data sets together, and once more whether kept out."""
    made: dict[tuple[str, str], Asked] = {}
    for one in found:
        for group in (one.group, OTHER_WORDS) if one.group in (TUNED, KEPT_OUT) else (one.group,):
            before = made.get((group, one.way), Asked(group, one.way, (), ()))
            made[group, one.way] = Asked(group, one.way, before.rows + one.rows, before.took + one.took)
    order = (*DATA_SETS, TUNED, KEPT_OUT, OTHER_WORDS)
    return sorted(made.values(), key=lambda one: order.index(one.group) if one.group in order else -1)


def gain(found: Sequence[Asked], one: Asked, column: str) -> float:
    """What the way adds to words alone."""
    words = next(other for other in found if other.group == one.group and other.way == WORDS)
    return one.mean(column) - words.mean(column)


def faults(found: Sequence[Asked]) -> list[str]:
    """What does not hold: a first place that was lost, too small a gain."""
    told = []
    for one in found:
        lost = gain(found, one, "hit@1")
        if one.group in DATA_SETS and lost < 0:
            told.append(f"{one.group}, {one.way}: hit@1 falls by {-lost:.3f}")
        if one.group == OTHER_WORDS and one.way == MODEL and (more := gain(found, one, "hit@5")) < LEAST_GAIN:
            told.append(f"{one.group}, {one.way}: hit@5 gains {more:.3f}, wanted {LEAST_GAIN}")
    return told


def report(found: Sequence[Asked]) -> str:
    """The result as markdown."""
    rows = []
    for one in found:
        cells = [
            f"{one.mean(name):.3f}" + (f" ({gain(found, one, name):+.3f})" if one.way != WORDS else "")
            for name in SHOWN
        ]
        took = f"{percentile(one.took, 0.5):.1f} ms"
        rows.append((one.group, str(len(one.rows)), one.way, *cells, took))
    return f"{heading()}\n\n{table(('questions', 'of them', 'by', *SHOWN, 'each'), rows)}"


def as_json(found: Sequence[Asked]) -> str:
    """The result for programs."""
    rows = [
        {"group": one.group, "questions": len(one.rows), "by": one.way}
        | {name: one.mean(name) for name in SHOWN}
        | {f"{name} gain": gain(found, one, name) for name in SHOWN}
        for one in found
    ]
    return json.dumps({"made": heading(), "rows": rows, "faults": faults(found)}, indent=2)


def main() -> int:
    """Print the table, or with --json the same for programs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder that holds the data sets")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="remember the model's vectors in this folder")
    parser.add_argument("--check", action="store_true", help="fail when a first place is lost or the gain is too small")
    options = parser.parse_args()
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    model = os.environ.get("RECALL_TEST_MODEL", "")
    found = together([one for name in DATA_SETS for one in measure(options.data.resolve(), name, model, options.keep)])
    print(as_json(found) if options.json else report(found))
    wrong = faults(found)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if options.check and wrong else 0


if __name__ == "__main__":
    sys.exit(main())
