"""Score the digests of labelled sessions that a model wrote, after our parsing and checking.

    python -m tests.qa.digest.model_answers DATA FOLDER

DATA is as for `measure`. Without answers in FOLDER, each session's prompt is written to `FOLDER/NN.prompt`; with
`FOLDER/NN.answer` beside it, the answer is taken as the model's. Whoever answers sees nothing but the prompts. Printed:
the scorer's figures with the checks and without, the mean and greatest prompt in tokens (four characters each), and
each claim that was rejected.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

from recall_tui.domain import SkippedResult
from recall_tui.environment import Environment
from recall_tui.features.capture import model_summary
from recall_tui.features.digest.digest import Digest, read_digest
from recall_tui.transcripts.registry import read_transcript
from tests.makers import bench_at
from tests.qa.digest.measure import as_row, load_scorer, summed

_CHARS_PER_TOKEN = 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    scorer = load_scorer(options.data.parent / "score.py")
    with tempfile.TemporaryDirectory() as home:
        (Path(home) / "project").mkdir()
        store = bench_at(Environment(Path(home), Path(home) / "project", {"HOME": home})).store
        sizes, checked, raw = [], [], []
        for path in sorted((options.data / "sessions").glob("*.jsonl")):
            conversation = read_transcript(path)
            assert not isinstance(conversation, SkippedResult), path
            view = model_summary.read_view(store, conversation)
            prompt = model_summary.build_request(store, view)
            sizes.append(len(prompt) / _CHARS_PER_TOKEN)
            (options.folder / f"{path.stem}.prompt").write_text(prompt, encoding="utf-8")
            answer = options.folder / f"{path.stem}.answer"
            if not answer.is_file():
                continue
            gold = json.loads((options.data / "gold" / f"{path.stem}.json").read_text(encoding="utf-8"))
            said = model_summary.parse_response(answer.read_text(encoding="utf-8"))
            own = read_digest(conversation)
            told = model_summary.check_digest(said, view)
            checked.append((gold, model_summary.model_digest(told, own)))
            raw.append((gold, _without_citations(model_summary.model_digest(said, own))))
            if told.rejected:
                print(f"{path.stem}: {told.rejected}")
    print(f"prompts: {sum(sizes) / len(sizes):,.0f} tokens on average, {max(sizes):,.0f} at most")
    if checked:
        print("as the model said it")
        print(json.dumps(summed([scorer.score(gold, as_row(made)) for gold, made in raw])))
        print("checked")
        print(json.dumps(summed([scorer.score(gold, as_row(made)) for gold, made in checked])))


def _without_citations(digest: Digest) -> Digest:
    items = tuple(item._replace(text=model_summary.split_citation(item.text)[0]) for item in digest.items)
    return digest._replace(items=items)


if __name__ == "__main__":
    main()
