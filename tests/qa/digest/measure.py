"""Score the offline digests of labelled sessions, fold by fold, and make the table of weights.

    python -m tests.qa.digest.measure DATA [--held-out 5,8,11,14] [--final] [--write]

DATA holds `gold/NN.json` and `sessions/NN.jsonl`, and beside it lies the scorer, `score.py`. Each session is digested
with weights that were fitted on the others; those held out are scored only with `--final`, with weights that were
fitted on the rest. Random lines of the same sessions stand beside them. `--write` fits the table on all sessions and
writes `recall_tui/features/digest/weights.py`.

The model is logistic regression on standardised measures, ridge of 1 / STRENGTH, each line of a session weighing one by
the root of their number; a line counts as right when the scorer says that it states a labelled item.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from recall_tui.domain import Conversation, SkippedResult
from recall_tui.features.digest import weights
from recall_tui.features.digest.collector import Candidate, DigestCollector
from recall_tui.features.digest.digest import Digest, make_digest
from recall_tui.features.digest.features import FEATURES, measure
from recall_tui.features.digest.overturned import drop_overturned
from recall_tui.features.digest.selection import MAX_ITEMS
from recall_tui.transcripts.registry import read_transcript

STRENGTH = 0.1
"""Variance that a weight of a standardised measure may have."""
_STEPS = 12
_RANDOM_ROUNDS = 20
_MAX_SCORED_CHARS = 300
_DIGITS = 4


class Session(NamedTuple):
    """A labelled session, heard once."""

    gold: dict[str, Any]
    conversation: Conversation
    heard: DigestCollector
    candidates: list[Candidate]
    rows: Any
    is_right: Any


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--held-out", default="5,8,11,14", help="numbers of the sessions of the test fold")
    parser.add_argument("--final", action="store_true", help="score the test fold, too")
    parser.add_argument("--write", action="store_true", help="fit on all sessions, and write the table")
    options = parser.parse_args()
    scorer = load_scorer(options.data.parent / "score.py")
    held_out = {int(number) for number in options.held_out.split(",") if number}
    numbers = sorted(int(path.stem) for path in (options.data / "gold").glob("*.json"))
    training = [number for number in numbers if number not in held_out]
    read = numbers if options.final or options.write else training
    sessions = {number: read_session(options.data, number, scorer) for number in read}
    print("training folds, each session by the others' weights")
    _report(scorer, [(sessions[one], fit(sessions[k] for k in training if k != one)) for one in training])
    if options.final:
        print("held-out fold, by the training folds' weights")
        table = fit(sessions[one] for one in training)
        _report(scorer, [(sessions[one], table) for one in numbers if one in held_out])
        print("all sessions, each by the others' weights")
        _report(scorer, [(sessions[one], fit(sessions[k] for k in numbers if k != one)) for one in numbers])
    if options.write:
        table = fit(sessions.values())
        Path(weights.__file__).write_text(_render(table), encoding="utf-8")
        print("all sessions, by weights fitted on themselves (does not count)")
        _report(scorer, [(one, table) for one in sessions.values()])


def read_session(data: Path, number: int, scorer: Any) -> Session:
    """The session with its labels; every candidate is marked by whether it states a labelled item."""
    gold = json.loads((data / "gold" / f"{number:02d}.json").read_text(encoding="utf-8"))
    conversation = read_transcript(data / "sessions" / f"{number:02d}.jsonl")
    assert conversation is not None
    assert not isinstance(conversation, SkippedResult)
    heard = DigestCollector()
    for message in conversation.messages():
        heard.hear(message)
    candidates = drop_overturned(heard, heard.candidates())
    right = [
        any(scorer.matches(one.line.text[:_MAX_SCORED_CHARS], item) for item in gold["items"]) for one in candidates
    ]
    rows = np.array(measure(heard, candidates)).reshape(len(candidates), len(FEATURES))
    return Session(gold, conversation, heard, candidates, rows, np.array(right, float))


def fit(sessions: Iterable[Session]) -> tuple[float, ...]:
    """The table of weights: a bias, and one for each measure as it stands."""
    chosen = list(sessions)
    is_item = np.array([not line.line.is_lead_in for one in chosen for line in one.candidates])
    rows = np.concatenate([one.rows for one in chosen])[is_item]
    right = np.concatenate([one.is_right for one in chosen])[is_item]
    sizes = [len(one.candidates) for one in chosen]
    share = np.concatenate([np.full(size, 1 / math.sqrt(max(1, size))) for size in sizes])[is_item]
    mean, spread = rows.mean(0), rows.std(0)
    spread[spread < 1e-6] = math.inf
    data = np.concatenate([np.ones((len(rows), 1)), (rows - mean) / spread], 1)
    ridge = np.eye(data.shape[1]) / STRENGTH
    ridge[0, 0] = 1e-6
    found = np.zeros(data.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-data @ found))
        slope = data.T @ (share * (chance - right)) + ridge @ found
        bend = (data * (share * chance * (1 - chance))[:, None]).T @ data + ridge
        found -= np.linalg.solve(bend, slope)
    plain = found[1:] / spread
    return (float(found[0] - plain @ mean), *map(float, plain))


def _report(scorer: Any, pairs: Sequence[tuple[Session, Sequence[float]]]) -> None:
    digests = [make_digest(one.heard, one.conversation.head, table) for one, table in pairs]
    dice = random.Random(1)
    rows = {
        "digest": [scorer.score(one.gold, as_row(made)) for (one, _), made in zip(pairs, digests, strict=True)],
        "random lines": [
            scorer.score(one.gold, _random_row(one, dice)) for one, _ in pairs for _ in range(_RANDOM_ROUNDS)
        ],
    }
    for name, scores in rows.items():
        print(f"  {name:20s}", json.dumps(summed(scores)))


def summed(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    def total(key: str) -> float:
        return sum(row[key] for row in rows)

    shares = {
        "title": total("title") / len(rows),
        "outcome": total("outcome") / len(rows),
        "recall": total("recalled") / max(1, total("wanted")),
        "precision": total("right") / max(1, total("items")),
        "noise": total("noise") / max(1, total("lines")),
        "kind": total("kind") / max(1, total("right")),
        "status": total("status") / len(rows),
        "items": total("items") / len(rows),
    }
    return {"sessions": len(rows), **{name: round(share, 3) for name, share in shares.items()}}


def as_row(made: Digest) -> dict[str, object]:
    items = [{"kind": one.kind, "text": one.text} for one in made.items]
    return {"title": made.title, "outcome": made.outcome, "status": made.status, "items": items}


def _random_row(one: Session, dice: random.Random) -> dict[str, object]:
    lines = dice.sample(one.candidates, min(MAX_ITEMS, len(one.candidates)))
    return {"items": [{"kind": "decision", "text": line.line.text} for line in lines]}


def _render(table: Sequence[float]) -> str:
    lines = [f"    {value:.{_DIGITS}f},  # {name}" for name, value in zip(("bias", *FEATURES), table, strict=True)]
    return (
        '"""Weights of a line\'s measures; made by `tests/qa/digest/measure.py --write`, not by hand."""\n\n'
        "from __future__ import annotations\n\nITEM_WEIGHTS: tuple[float, ...] = (\n"
        + "\n".join(lines)
        + '\n)\n"""Log-odds that a line is worth keeping: a bias, and one weight for each of `features.FEATURES`."""\n'
    )


def load_scorer(path: Path) -> Any:
    found = importlib.util.spec_from_file_location("digest_score", path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
