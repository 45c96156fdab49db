"""`search` from the command line."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.makers import bench_at, session_id_of, transcript
from tests.terminal import CHECKOUT, read_to_end

Recall = Callable[..., Any]
TALKS = [
    [("user", "Why did we pick JWT over sessions?"), ("assistant", "Because the API is stateless.")],
    [("user", "Fix the token refresh race"), ("assistant", "A lock guards the refresh of the JWT now.")],
]


def filled(environment: Environment) -> Any:
    bench = bench_at(environment)
    for number, talk in enumerate(TALKS, 1):
        bench.capture(transcript(environment, number, talk))
    bench.layout.memory_file.write_text("# Memory\n\n## Auth\n\n- JWT keys rotate weekly\n")
    return bench


def test_lines_are_grouped_by_file_with_their_numbers(recall: Recall, environment: Environment) -> None:
    bench = filled(environment)
    said = recall("search", "--lines", "stateless")
    assert said.code == 0
    path = bench.archive.entries()[0].path
    number = next(n for n, line in enumerate(path.read_text().splitlines(), 1) if "stateless" in line)
    lines = said.out.splitlines()
    lines = lines[lines.index("memory/conversations/conversation-001.md") + 1 :]
    assert any(line.split()[0].rstrip(":") == str(number) and "stateless" in line for line in lines)


def test_line_search_is_one_json_document(recall: Recall, environment: Environment) -> None:
    filled(environment)
    said = recall("search", "lock guards", "-C", "1", "--json").json
    assert said["matches"] >= 1 and said["query"] == "lock guards"
    (found,) = [one for one in said["files"] if one["document"] == "memory/conversations/conversation-002.md"]
    assert any(row["is_hit"] and "lock guards" in row["text"] for row in found["lines"])
    assert any(not row["is_hit"] for row in found["lines"])


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_plain_search_is_ranked_and_lines_are_of_every_document(
    recall: Recall, environment: Environment, name: str
) -> None:
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    layout = bench.layout
    day = layout.days / "2026-03-05.md"
    for path in (
        layout.memory_file,
        layout.topics / "data.md",
        layout.wiki / "data.md",
        layout.master,
        layout.wisdom,
        day,
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# Data\n\nMetabase runs on the heron host, says {path.stem}.\n")
    said = recall(root, "search", "Metabase", "heron", "--max-results", "5", "--results", "5")
    assert said.code == 0 and " @1 " in said.out and "passages of" in said.err
    hits = recall(root, "search", "Metabase", "--json", "--max-chunks", "1").json["hits"]
    assert hits and hits[0]["chunks"]
    found = recall(root, "search", "--lines", "metabase runs", "--json").json
    assert {Path(one["document"]).name for one in found["files"]} >= {"MEMORY.md", "data.md", "master.md", "WISDOM.md"}
    assert len(found["files"]) >= 5
    assert recall(root, "search", "Metabase", "-C", "1", "--json").json["files"], "lines around are of line search"
    assert recall(root, "search", "--lines", "--ranked", "metabase runs", "--json").json == found


@pytest.mark.parametrize("words", [["xylophone"], ["--ranked", "xylophone"], ["--lines", "xylophone"]])
def test_whoever_finds_nothing_is_told_what_was_searched(
    words: list[str], recall: Recall, environment: Environment
) -> None:
    filled(environment)
    said = recall("search", *words)
    assert (said.code, said.out) == (1, "")
    assert "nothing found" in said.err and str(environment.cwd) in said.err


@pytest.mark.parametrize("words", [[], ["  "], ["--lines"], ["--lines", " "], ["--ranked", ""]])
def test_an_empty_query_is_a_usage_error(words: list[str], recall: Recall, environment: Environment) -> None:
    filled(environment)
    assert recall("search", *words).code == 2


def test_ranked_search_syncs_and_answers_in_the_promised_keys(recall: Recall, environment: Environment) -> None:
    filled(environment)
    said = recall("search", "--ranked", "why did we pick jwt", "--json").json
    assert list(said) == ["query", "rung", "took_ms", "total", "searched", "hits"]
    assert set(said["searched"]) == {"passages", "sources", "failed"}
    assert list(said["hits"][0]) == [
        "id", "document", "kind", "result_type", "session_id", "project", "title", "date", "lines", "heading",
        "score", "matches", "snippet", "why",
    ]  # fmt: skip
    first = said["hits"][0]
    assert Path(first["document"]).name == f"{session_id_of(1)}.jsonl", "the words are those of the conversation"
    assert first["session_id"] == session_id_of(1)
    assert first["result_type"] in ("raw", "summary") and len(first["lines"]) == 2
    assert first["date"].endswith("Z")


def test_ranked_search_is_readable_and_explains_itself(recall: Recall, environment: Environment) -> None:
    filled(environment)
    said = recall("search", "--ranked", "jwt keys", "--explain", "--limit", 2)
    assert said.out.splitlines()[0].startswith("  @1 ")
    assert "memory/MEMORY.md:" in said.out and "why: " in said.out
    assert "passages of" in said.err


def test_a_claim_that_holds_no_longer_says_so_in_one_line(recall: Recall, environment: Environment) -> None:
    days = filled(environment).layout.days
    days.mkdir(parents=True, exist_ok=True)
    for day, value in (("2026-01-12", "100 requests"), ("2026-03-01", "250 requests")):
        (days / f"{day}.md").write_text(f"## {day}\n\n- The rate limit of the public API is {value}.\n")
    lines = recall("search", "--ranked", "rate limit of the public API").out.splitlines()
    assert "     held until 2026-03-01, then: memory/days/2026-03-01.md:3" in lines
    assert "     holds since 2026-03-01" in lines
    hits = recall("search", "--ranked", "--json", "rate limit of the public API in January").json["hits"]
    assert hits[0]["why"]["validity"]["until"] == "2026-03-01"


def test_a_session_without_a_title_is_called_by_its_first_words(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    transcript(environment, 1, TALKS[0])
    (hit,) = recall("search", "--ranked", "stateless", "--json").json["hits"]
    assert (hit["kind"], hit["title"]) == ("transcript", "Why did we pick JWT over sessions?")
    assert "Why did we pick JWT over sessions?" in recall("search", "--ranked", "stateless").out
    assert "@1 Why did we pick JWT over sessions?" in recall("recall", "stateless").out


def test_a_passage_is_shown_by_the_id_that_a_search_gave(recall: Recall, environment: Environment) -> None:
    bench = filled(environment)
    hit = next(
        hit for hit in recall("search", "--ranked", "weekly", "--json").json["hits"] if "MEMORY" in hit["document"]
    )
    assert "JWT keys rotate weekly" in recall("show", hit["id"]).out
    assert recall("show", hit["id"], "--json").json["lines"] == hit["lines"]
    bench.layout.memory_file.unlink()
    assert "JWT keys rotate weekly" in recall("show", hit["id"]).out
    assert recall("show", "0123456789abcdef.7").code == 1


def test_without_a_sync_the_index_answers_as_it_is(recall: Recall, environment: Environment) -> None:
    bench = filled(environment)
    assert recall("search", "--ranked", "--no-sync", "jwt").code == 1
    recall("sync")
    bench.layout.memory_file.write_text("# Memory\n\n- zebra\n")
    assert recall("search", "--ranked", "--no-sync", "zebra").code == 1
    assert recall("search", "--ranked", "zebra").code == 0


def test_filters_are_options_or_words(recall: Recall, environment: Environment) -> None:
    filled(environment)
    for words in (["--kind", "memory", "jwt"], ["kind:memory jwt"]):
        hits = recall("search", "--ranked", "--json", *words).json["hits"]
        assert {hit["document"] for hit in hits} == {"memory/MEMORY.md"}
    assert recall("search", "--ranked", "--kind", "novel", "jwt").code == 2
    assert recall("search", "--ranked", "--since", "whenever", "jwt").code == 2


def test_a_folder_that_was_moved_is_named_once_and_found_everywhere(recall: Recall, environment: Environment) -> None:
    bench_at(environment, "hierarchical")
    old = environment.home / "old"
    said = [("user", "why zebra"), ("assistant", "because")]
    path = transcript(environment, 1, said, cwd=str(old))
    transcript(environment, 2, said, cwd="/gone/other")
    assert recall("search", "--ranked", "zebra").code == 1
    assert recall("archive", "--all-unarchived", "--json").json["counts"] == {}
    done = recall("config", "set", "transcripts.aliases", f"{old} = {environment.cwd}, /gone/else")
    assert done.code == 0 and f"transcripts.aliases = {old} = {environment.cwd}, /gone/else" in done.out
    assert recall("config", "get", "transcripts.aliases").out == f"{old} = {environment.cwd}, /gone/else\n"
    assert [hit["session_id"] for hit in recall("search", "--ranked", "zebra", "--json").json["hits"]] == [path.stem]
    assert recall("search", "--ranked", f"project:{environment.cwd.name} zebra").code == 0
    recall("config", "set", "transcripts.projects", "all")
    assert len(recall("search", "--ranked", "zebra", "--json").json["hits"]) == 2
    assert len(recall("search", "--ranked", "zebra", "--project", environment.cwd, "--json").json["hits"]) == 1
    recall("config", "set", "transcripts.projects", "here")
    assert recall("archive", "--all-unarchived", "--json").json["counts"] == {"archived": 1}
    (archive,) = (environment.cwd / "memory" / "conversations").glob("*.md")
    assert f'project: "{environment.cwd.name}"' in archive.read_text() and f'cwd: "{old}"' in archive.read_text()
    for project, code in ((environment.cwd.name, 0), (old, 0), ("other", 1)):
        assert recall("search", "zebra", "--project", project).code == code
    assert recall("config", "set", "transcripts.aliases", "= nowhere").code == 2


def test_a_batch_answers_each_line_with_one_document(recall: Recall, environment: Environment) -> None:
    filled(environment)
    said = recall("search", "--ranked", "--json", "--batch", "-", stdin='jwt\n\nlock "unclosed\nxylophone\n')
    rows = [json.loads(line) for line in said.out.splitlines()]
    assert [row["query"] for row in rows] == ["jwt", "", 'lock "unclosed', "xylophone"]
    assert rows[0]["hits"] and "error" not in rows[0]
    assert rows[1]["error"] and rows[1]["hits"] == []
    assert rows[2]["hits"] and rows[3]["hits"] == []
    assert said.code == 1


def test_a_batch_is_read_from_a_file(recall: Recall, environment: Environment, tmp_path: Path) -> None:
    filled(environment)
    (tmp_path / "queries").write_text("jwt\r\nlock")
    said = recall("search", "--ranked", "--json", "--batch", tmp_path / "queries")
    assert [json.loads(line)["query"] for line in said.out.splitlines()] == ["jwt", "lock"]
    assert recall("search", "--ranked", "--json", "--batch", "nowhere").code == 2
    assert recall("search", "--batch", tmp_path / "queries").code == 2


@pytest.mark.long
def test_hits_from_disk_cannot_steer_a_terminal(environment: Environment) -> None:
    bench = bench_at(environment)
    bench.capture(
        transcript(environment, 1, [("user", "evil \x1b]0;owned\x07 \x1b[2J [bold]jwt[/bold]"), ("assistant", "ok")])
    )
    for words in (["search", "jwt"], ["search", "--ranked", "jwt"]):
        text = _on_terminal(environment, *words)
        assert "jwt" in text and "owned\x07" not in text and "\x1b]0" not in text and "\x1b[2J" not in text


def _on_terminal(environment: Environment, *words: str) -> str:
    """What the command prints on a terminal without colour."""
    main, side = pty.openpty()
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(CHECKOUT), **environment.env, "NO_COLOR": "1"}
    line = [sys.executable, "-P", "-m", "recall_tui", *words]
    process = subprocess.Popen(line, env=env, cwd=environment.cwd, stdout=side, stderr=subprocess.DEVNULL)
    os.close(side)
    text = read_to_end(main)
    process.wait()
    return text


def test_a_days_line_of_a_hit_is_not_counted_as_another_hit(recall: Recall, environment: Environment) -> None:
    bench = filled(environment)
    days = bench.layout.days
    assert days is not None and any("token refresh" in path.read_text() for path in days.glob("*.md"))
    said = recall("search", "token refresh race")
    hits = sum(line.lstrip().startswith("@") for line in said.out.splitlines())
    assert said.code == 0 and f": {hits} of {hits} hit" in said.err, said.err
