"""Pages that a project's team shares carry no path of the machine on which they were made."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.archives import summary_file
from tests.cli.conftest import Recall
from tests.makers import Turn, bench_at, session_id_of, transcript

ONE = session_id_of(1)


def talk(environment: Environment) -> list[Turn]:
    return [
        ("user", f"Which cache does the basket in {environment.cwd}/src/basket.py use?"),
        ("Edit", str(environment.cwd / "src/basket.py")),
        ("Edit", str(environment.home / "notes/cache.md")),
        ("assistant", "We decided to use Valkey for the basket, because Redis changed its licence."),
        ("user", f"From now on keep the notes of caches in {environment.home}/notes/cache.md."),
        ("assistant", f"Done: {environment.home}/notes/cache.md holds the decision, and {environment.home} no other."),
    ]


@pytest.mark.parametrize("words", [("summarize", ONE, "--yes"), ("archive", "--session", ONE)])
@pytest.mark.parametrize("below", ["", "src"])
def test_no_page_names_a_folder_of_the_machine(
    recall: Recall, environment: Environment, words: tuple[str, ...], below: str
) -> None:
    bench = bench_at(environment, "project")
    folder = environment.cwd / below
    transcript(environment, 1, talk(environment), cwd=str(folder))
    assert recall(*words).code == 0
    page = environment.cwd / f"_memory/conversations/{ONE}.md"
    said = page.read_text(encoding="utf-8")
    for one in (page, bench.layout.master):
        text = one.read_text(encoding="utf-8") if one.exists() else ""
        assert str(environment.home) not in text and str(environment.cwd) not in text, text
    assert "basket.py" in said and "- ~/notes/cache.md" in said and f'"{ONE}.jsonl"' in said
    entry = summary_file.read_head(page)
    assert entry is not None and entry.cwd == str(folder)
    again = recall(*words)
    assert again.code == 0 and page.read_text(encoding="utf-8") == said


def test_a_page_of_another_place_is_read_where_it_is_now(recall: Recall, environment: Environment) -> None:
    bench_at(environment, "project")
    transcript(environment, 1, talk(environment), cwd=str(environment.cwd))
    recall("summarize", ONE, "--yes")
    clone = environment.home / "elsewhere/basket"
    shutil.copytree(environment.cwd, clone)
    entry = summary_file.read_head(clone / f"_memory/conversations/{ONE}.md")
    assert entry is not None and entry.cwd == str(clone)


def test_a_page_with_whole_paths_is_read_as_before(recall: Recall, environment: Environment) -> None:
    bench_at(environment, "project")
    path = transcript(environment, 1, talk(environment), cwd=str(environment.cwd))
    recall("summarize", ONE, "--yes")
    page = environment.cwd / f"_memory/conversations/{ONE}.md"
    text = page.read_text(encoding="utf-8").replace('"cwd": "."', '"cwd": "/srv/basket"')
    page.write_text(text.replace(f'["{ONE}.jsonl"]', f'["{path}"]'), encoding="utf-8")
    entry = summary_file.read_head(page)
    assert entry is not None and (entry.cwd, entry.transcripts) == ("/srv/basket", (str(path),))
    far = replace(entry, cwd="/srv/basket")
    assert "/srv" not in summary_file.with_checksum("# A\n", far) and str(path) not in summary_file.with_checksum(
        "# A\n", far
    )
