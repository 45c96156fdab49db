"""Calls that are run without click: which they are, and that they do what click's way does."""

from __future__ import annotations

import pytest

from recall_tui.cli.argv import PlainSearch, plain_search
from recall_tui.cli.main import run
from recall_tui.environment import Environment
from tests.makers import bench_at


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("search jwt expiry", PlainSearch("jwt expiry")),
        ("--root /m search jwt", PlainSearch("jwt", root="/m")),
        ("search jwt --dir /m --json --limit 3 --no-sync", PlainSearch("jwt", "/m", 3, json=True, no_sync=True)),
        ("search search", PlainSearch("search")),
        ("search -without jwt", None),
        ("search --limit 0 jwt", None),
        ("search --limit=3 jwt", None),
        ("search jwt --limit", None),
        ("search jwt --since 1w", None),
        ("search -- --json", None),
        ("search", None),
        ("search --help", None),
        ("recall jwt", None),
        ("--no-sync search jwt", None),
        ("", None),
    ],
)
def test_only_a_search_with_common_options_is_plain(line: str, found: PlainSearch | None) -> None:
    assert plain_search(line.split()) == found


@pytest.mark.parametrize(
    "line", ["search queue", "search queue --json", "search queue --limit 1", "search xyzzyq", "search ''"]
)
def test_both_ways_print_the_same(environment: Environment, capsys: pytest.CaptureFixture[str], line: str) -> None:
    bench = bench_at(environment)
    (bench.layout.root / "memory" / "MEMORY.md").write_text(
        "- queue: retries stop after five attempts\n- the queue is a list in Redis\n"
    )
    words = [*line.replace("''", " ").split(" "), "--root", str(bench.layout.root)]
    answers = []
    for more in ([], ["--ranked"]):
        code = run([*words, *more], environment=environment)
        printed = capsys.readouterr()
        answers.append((code, _untimed(printed.out), _untimed(printed.err)))
    assert answers[0] == answers[1]


def _untimed(text: str) -> list[str]:
    return [
        line.rpartition(",")[0] if line.endswith(" ms") else line for line in text.splitlines() if "took_ms" not in line
    ]
