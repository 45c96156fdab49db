"""How well `search --ranked` finds the evidence for questions whose answers are known.

A data set is a folder with `queries.jsonl` (`query`, `gold`, `category`) beside `home/`, whose transcripts are indexed,
or beside a memory; `gold` names sessions by id or documents by path. The program itself answers, as one process.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from recall_tui.storage.layout import detect_layout
from tests.generate import table
from tests.qa.bench.measure import Ran, fail, heading, percentile, process_env, run
from tests.qa.bench.typos import mistyped

COMMAND = (sys.executable, "-m", "recall_tui")
DEPTH = 10
"""Places that recall, nDCG and the deepest hit rate look at."""
COLUMNS = ("hit@1", "hit@5", "hit@10", "recall@10", "nDCG@10", "MRR", "unanswered")
ALL = "all"


@dataclass(frozen=True, slots=True)
class Question:
    """A question and where its evidence is."""

    text: str
    gold: frozenset[str]
    """Ids of sessions, or paths of documents."""
    category: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where the program works: the memory, the person's home and a folder for the rest."""

    root: Path
    home: Path
    folder: Path

    def run(self, *words: str, stdin: str = "") -> Ran:
        """Run a command of the program; whatever is broken ends the script."""
        line = [*COMMAND, "--root", str(self.root), *words]
        done = run(line, process_env(self.home, self.folder), self.folder, stdin)
        fail(words[0], done)
        return done


def questions_of(data: Path, every: int = 1, typos: int | None = None) -> list[Question]:
    """Every `every`-th question of the data set, with a typing error in each when there is a seed for them."""
    lines = (data / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    found = []
    for row in [json.loads(line) for line in lines if line.strip()][::every]:
        text = " ".join(row["query"].split())
        gold = frozenset(map(str, row["gold"]))
        found.append(Question(text if typos is None else mistyped(text, typos), gold, row.get("category") or ALL))
    return found


def place_of(data: Path, folder: Path) -> Place:
    """A new memory in `folder` that covers the transcripts of `data/home`; else the memory in `data` as it is."""
    home = data / "home"
    if home.is_dir():
        root = folder / "agent"
        place = Place(root, home, folder)
        root.mkdir()
        (root / "memory").mkdir()
        (root / "memory" / ".recall-echo.toml").write_text('layout = "entity"\n', encoding="utf-8")
        return place
    for root in (data, *sorted(one for one in data.iterdir() if one.is_dir())):
        if detect_layout(root):
            (folder / "home").mkdir()
            return Place(root, folder / "home", folder)
    sys.exit(f"{data} holds neither home/ nor a memory")


def ranking(answer: Mapping[str, Any], root: Path, data: Path) -> list[set[str]]:
    """For each place of the answer the names that gold may use; a session or document counts once."""
    places: list[set[str]] = []
    seen: set[str] = set()
    for hit in answer["hits"]:
        path = root / hit["document"]
        near = {path.relative_to(base).as_posix() for base in (root, data) if path.is_relative_to(base)}
        key = hit.get("session_id") or hit["document"]
        if key not in seen:
            seen.add(key)
            places.append({key, str(path), *near})
    return places


def scores(places: Sequence[set[str]], gold: frozenset[str]) -> dict[str, float]:
    """What one answer is worth in each column; binary relevance, nDCG of Järvelin & Kekäläinen 2002."""
    open_gold, hits = set(gold), list[int]()
    for number, names in enumerate(places):
        if found := names & open_gold:
            open_gold -= found
            hits.append(number)
    ideal = sum(1 / math.log2(number + 2) for number in range(min(len(gold), DEPTH)))
    gained = sum(1 / math.log2(number + 2) for number in hits if number < DEPTH)
    top = [number for number in hits if number < DEPTH]
    row = {f"hit@{depth}": float(any(number < depth for number in hits)) for depth in (1, 5, 10)}
    row["recall@10"] = len(top) / len(gold) if gold else 0.0
    row["nDCG@10"] = gained / ideal if ideal else 0.0
    row["MRR"] = 1 / (hits[0] + 1) if hits else 0.0
    return row | {"unanswered": float(not places)}


def judged(questions: Sequence[Question], rankings: Sequence[Sequence[set[str]]]) -> dict[str, Any]:
    """The mean of every column by category, and over all questions; with the number of them."""
    groups: dict[str, list[dict[str, float]]] = {}
    for question, places in zip(questions, rankings, strict=True):
        row = scores(places, question.gold)
        for category in dict.fromkeys((question.category, ALL)):
            groups.setdefault(category, []).append(row)
    means: dict[str, Any] = {}
    for category in sorted(groups, key=lambda name: (name == ALL, name)):
        rows = groups[category]
        means[category] = {"questions": len(rows)} | {name: sum(r[name] for r in rows) / len(rows) for name in COLUMNS}
    return means


def measure(data: Path, limit: int = DEPTH, every: int = 1, typos: int | None = None) -> dict[str, Any]:
    """Index the data set, ask everything in one process, and judge the answers."""
    questions = questions_of(data, every, typos)
    with tempfile.TemporaryDirectory() as name:
        place = place_of(data, Path(name))
        synced = place.run("sync", "--json")
        asked = place.run(
            *("search", "--ranked", "--json", "--no-sync", "--limit", str(limit), "--batch", "-"),
            stdin="".join(question.text + "\n" for question in questions),
        )
        answers = [json.loads(line) for line in asked.out.splitlines()]
        if len(answers) != len(questions):
            sys.exit(f"{len(questions)} questions, {len(answers)} answers\n{asked.err.strip()}")
        means = judged(questions, [ranking(answer, place.root, data) for answer in answers])
    took = [float(answer["took_ms"]) for answer in answers if "took_ms" in answer]
    return {
        "sync": json.loads(synced.out) | {"seconds": round(synced.seconds, 2)},
        "answer": {
            "seconds": round(asked.seconds, 2),
            "p50_ms": percentile(took, 0.5),
            "p95_ms": percentile(took, 0.95),
            "errors": sum("error" in answer for answer in answers),
        },
        "searched": next((answer["searched"] for answer in answers if "searched" in answer), {}),
        "scores": means,
    }


def report(result: Mapping[str, Any]) -> str:
    """The result as markdown."""
    sync, answer, searched = result["sync"], result["answer"], result["searched"]
    rows = [
        (name, str(row["questions"]), *(f"{row[column]:.3f}" for column in COLUMNS))
        for name, row in result["scores"].items()
    ]
    first = (
        f"indexed {searched.get('passages', 0):,} passages of {searched.get('sources', 0):,} sources "
        f"({sync['failed']} failed) in {sync['seconds']} s; {result['scores'][ALL]['questions']} questions "
        f"({answer['errors']} errors) in {answer['seconds']} s, each {answer['p50_ms']} ms (p95 {answer['p95_ms']} ms)"
    )
    return f"{heading()}\n\n{first}\n\n{table(('category', 'questions', *COLUMNS), rows)}"


def main() -> int:
    """Print the table, or with --json the same for programs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the data set")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    parser.add_argument("--limit", type=int, default=DEPTH, help="hits asked for with each question (10)")
    parser.add_argument("--typos", type=int, metavar="SEED", help="put a typing error into each question")
    parser.add_argument("--every", type=int, default=1, metavar="K", help="ask only every K-th question")
    options = parser.parse_args()
    result = measure(options.data.resolve(), options.limit, options.every, options.typos)
    print(json.dumps({"made": heading(), **result}, indent=2) if options.json else report(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
