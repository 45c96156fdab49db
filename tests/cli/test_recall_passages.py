"""`recall` without a model: passages that state something, as many as were asked for, each whole sentences."""

from __future__ import annotations

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.makers import bench_at, transcript


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_headings_and_questions_are_no_answers(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    bench.layout.topics.mkdir(parents=True, exist_ok=True)
    for number, said in ((9, "memcached"), (3, "Redis 7"), (1, "Valkey")):
        page = (
            f"# Cache {number}\n\n## Which cache do we use\n\n### Since March\n\nIt is {said}, in front of the API.\n"
        )
        (bench.layout.topics / f"cache-{number}.md").write_text(page)
    ask = [("user", "who owns the orders schema"), ("assistant", "Dana owns the orders schema. Ask her first.")]
    transcript(environment, 1, ask, cwd=str(environment.cwd))
    transcript(environment, 2, [("user", "Who owns the orders schema, and why?")], cwd=str(environment.cwd))
    root = f"--root={bench.store.root}"
    found = recall(root, "recall", "which cache do we use", "--json").json["extracts"]
    assert {word for one in found for word in ("memcached", "Redis 7", "Valkey") if word in one["text"]} == {
        "memcached",
        "Redis 7",
        "Valkey",
    }
    assert not [one for one in found if one["text"].strip().splitlines()[-1].startswith("#")]
    said = recall(root, "recall", "who owns the orders schema", "--json").json["extracts"]
    assert "Dana owns the orders schema" in said[0]["text"] and said[0]["lines"] == [2, 2]
    assert not [one for one in said if "and why?" in one["text"]]
    raw = recall(root, "recall", "who owns the orders schema", "--raw", "--json").json["extracts"]
    assert [one for one in raw if "and why?" in one["text"]], "--raw prints what was found"


def test_so_many_passages_as_asked_for_share_the_budget_and_end_with_a_sentence(
    recall: Recall, environment: Environment
) -> None:
    bench = bench_at(environment)
    for number in range(7):
        said = " ".join(f"The release train {number} left station {place} with the parcel." for place in range(60))
        (bench.layout.topics / f"train-{number}.md").write_text(f"# Train {number}\n\n{said}\n")
    for tokens in (400, 1500):
        found = recall("recall", "release train", "--limit", "5", "--tokens", str(tokens), "--json").json["extracts"]
        assert len(found) == 5
        assert sum(len(one["text"]) for one in found) <= tokens * 4
        assert all(one["text"].endswith("parcel. […]") for one in found)


def test_one_document_gives_several_passages(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    sections = "".join(f"## Part {part}\n\nThe release train of part {part} is slow.\n\n" for part in range(8))
    (bench.layout.topics / "train.md").write_text(f"# Train\n\n{sections}")
    found = recall("recall", "release train", "--limit", "5", "--json").json["extracts"]
    assert len({tuple(one["lines"]) for one in found}) == 5


def test_each_passage_has_the_title_of_its_session_and_the_count_is_of_passages(
    recall: Recall, environment: Environment
) -> None:
    bench_at(environment)
    for number, name in enumerate(("heron", "gannet"), 1):
        turns = [
            ("user", f"where does the {name} harbour crane stand?"),
            ("assistant", f"The {name} harbour crane is out."),
        ]
        transcript(environment, number, turns)
    said = recall("recall", "harbour crane")
    titles = [line for line in said.out.splitlines() if line.startswith("  @")]
    assert titles and all("harbour crane stand" in line for line in titles)
    assert f": {len(titles)} passages of 2 documents, in " in said.err
