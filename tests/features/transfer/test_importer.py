"""Importing: a memory comes back byte for byte, nothing is doubled or written over, and nothing comes in by a trick."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recall_tui.environment import Environment
from recall_tui.errors import BrokenFileError, ConflictError, NotFoundError, RecallError, UsageError
from recall_tui.features.curation.remember import remember
from recall_tui.features.transfer import bundle as parcel
from recall_tui.features.transfer import importer as importing
from recall_tui.features.transfer.json_format import SCHEMA
from recall_tui.storage import inventory
from recall_tui.storage.layout import LAYOUT_NAMES, LocatedMemory, make_layout
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import bench_at, session_id_of, transcript, tree
from tests.storage.speaker_turns import parse_turns

TALK = [
    ("user", "Fix the token refresh race"),
    ("Edit", "/home/u/api/src/token.py"),
    ("assistant", "We use a lock around the refresh now."),
]
ODD = {
    "crlf.md": b"# Notes\r\n\r\n- one\r\n",
    "no-end.md": b"# Notes\n\n- no final newline",
    "odd.md": "\ufeff# \u202eé̂ 😀 \x00\x1b[31m \u2028 日本語\n".encode(),
    "latin.md": b"caf\xe9 \xff\xfe\n",
    "empty.md": b"",
    "naïve – ü.md": b"text\n",
}


def filled(environment: Environment, name: str = "entity") -> Workbench:
    """A memory with archives, topics and files of every odd kind."""
    bench = bench_at(environment, name)
    for number in (1, 2):
        bench.capture(transcript(environment, number, TALK, start=NOON - timedelta(days=9 - number)))
    bench.apply(remember, "The staging database is called heron")
    bench.layout.topics.mkdir(parents=True, exist_ok=True)
    for file, data in ODD.items():
        (bench.layout.topics / file).write_bytes(data)
    for folder in (bench.layout.weekly, bench.layout.wiki / "deep"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "2026-W09.md").write_text("a week\n")
    bench.layout.wisdom.write_text("# Wisdom\n")
    return bench


def empty_at(environment: Environment, root: Path, name: str) -> Workbench:
    """The workbench of a memory that is not there yet."""
    return Workbench.at(LocatedMemory(make_layout(root, name), "made for a test"), environment, lambda: NOON)  # type: ignore[arg-type]


def own_files(bench: Workbench) -> dict[str, bytes]:
    """The memory's files, without what an agent keeps beside them and what is about the place."""
    found = tree(bench.store.root)
    return {name: data for name, data in found.items() if not name.endswith((".jsonl", ".gitignore"))}


def take_in(bench: Workbench, path: Path, **options: Any) -> Any:
    return bench.apply(importing.import_bundle, importing.load_import(path), **options)


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_whole_memory_comes_back_with_the_same_bytes(name: str, environment: Environment, tmp_path: Path) -> None:
    bench = filled(environment, name)
    done = bench.export(None, tmp_path / "all.json")
    again = empty_at(environment, tmp_path / "new", name)
    assert take_in(again, done.path) is not None
    assert own_files(again) == own_files(bench)
    listed = {file["path"]: file["sha256"] for file in json.loads(done.path.read_text())["files"]}
    assert listed == {path: hashlib.sha256(data).hexdigest() for path, data in own_files(bench).items()}
    is_apart = again.layout.name not in ("user", "claude-project") or not again.store.root.is_relative_to(
        environment.claude
    )
    assert (again.layout.base / ".gitignore").is_file() == is_apart
    assert take_in(again, done.path) is None
    assert own_files(again) == own_files(bench)


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_settings_stay_where_they_are_and_it_is_said(name: str, environment: Environment, tmp_path: Path) -> None:
    bench = filled(environment, name)
    with bench.layout.config.open("a") as file:
        file.write("\n[ephemeral]\nmax_entries = 9\n")
    done = bench.export(None, tmp_path / "all.json")
    again = empty_at(environment, tmp_path / "new", name)
    plan = again.preview(importing.import_bundle, importing.load_import(done.path))
    shown = again.store.relative(again.layout.config)
    assert plan.facts["left_out"] == [{"path": shown, "reason": inventory.exclusion_reason(again.layout.config)}]
    assert any(shown in note and "settings never travel" in note for note in plan.notes)
    take_in(again, done.path)
    assert again.layout.config.read_text() == f'layout = "{name}"\n'
    assert again.config.whole("ephemeral.max_entries") == 5
    assert take_in(again, done.path, takes_theirs=True) is None
    assert again.layout.config.read_text() == f'layout = "{name}"\n'


def test_the_older_settings_file_stays_behind_too(environment: Environment, tmp_path: Path) -> None:
    bench = filled(environment, "user")
    bench.layout.config.unlink()
    (bench.store.root / ".recall-echo.json").write_text('{"ephemeral": {"max_entries": 9}}\n')
    done = bench.export(None, tmp_path / "all.json")
    again = empty_at(environment, tmp_path / "new", "user")
    take_in(again, done.path)
    assert set(own_files(bench)) - set(own_files(again)) == {".recall-echo.json"}
    assert again.config.whole("ephemeral.max_entries") == 5


def test_what_is_no_file_of_the_memory_stays_behind(environment: Environment, tmp_path: Path) -> None:
    bench = filled(environment, "user")
    (bench.store.root / "settings.json").write_text('{"hooks": {}}')
    (bench.layout.base / ".git").mkdir()
    (bench.layout.base / ".hidden.md").write_text("hidden")
    (tmp_path / "outside").write_text("not ours")
    (bench.layout.base / "link.md").symlink_to(tmp_path / "outside")
    (bench.layout.base / "beside.md").symlink_to(bench.store.root / "settings.json")
    (bench.layout.base / "alias.md").symlink_to(bench.layout.base / "crlf.md")
    (bench.layout.base / "loop").symlink_to(bench.layout.base)
    os.mkfifo(bench.layout.base / "pipe.md")
    done = bench.export(None, tmp_path / "all.json")
    text = done.path.read_text()
    assert "not ours" not in text and "hooks" not in text
    assert {one.path for one in done.left_out} == {
        f"memory/{name}" for name in (".git", ".hidden.md", "beside.md", "link.md", "loop", "pipe.md")
    }
    files = {file["path"]: file["text"] for file in json.loads(text)["files"] if "text" in file}
    assert files["memory/alias.md"] == files["memory/crlf.md"]


def test_undo_takes_an_import_back(environment: Environment, tmp_path: Path) -> None:
    done = filled(environment).export(None, tmp_path / "all.json")
    again = empty_at(environment, tmp_path / "new", "entity")
    take_in(again, done.path)
    assert again.undo() is not None
    assert tree(tmp_path / "new") == {}


def test_a_fresh_memory_takes_theirs_where_nobody_wrote(environment: Environment, tmp_path: Path) -> None:
    bench = filled(environment)
    done = bench.export(None, tmp_path / "all.json")
    fresh = bench_at(environment, root=tmp_path / "fresh")
    plan = fresh.preview(importing.import_bundle, importing.load_import(done.path))
    assert plan.facts["conflicts"] == []
    take_in(fresh, done.path)
    assert own_files(fresh) == own_files(bench)


def test_what_is_another_here_is_left_as_it_is(environment: Environment, tmp_path: Path) -> None:
    bench = filled(environment)
    done = bench.export(None, tmp_path / "all.json")
    bench.layout.memory_file.write_text("# Mine\n")
    (bench.layout.topics / "empty.md").unlink()
    plan = bench.preview(importing.import_bundle, importing.load_import(done.path))
    assert (plan.facts["conflicts"], plan.facts["added"]) == (["memory/MEMORY.md"], ["memory/empty.md"])
    take_in(bench, done.path)
    assert bench.layout.memory_file.read_text() == "# Mine\n"
    assert (bench.layout.topics / "empty.md").read_bytes() == b""
    take_in(bench, done.path, takes_theirs=True)
    assert "heron" in bench.layout.memory_file.read_text()
    assert bench.undo() and bench.layout.memory_file.read_text() == "# Mine\n"


def other(environment: Environment, root: Path, numbers: tuple[int, ...]) -> Workbench:
    """Another memory in layout entity with archives of these sessions."""
    bench = bench_at(environment, root=root)
    for number in numbers:
        talk = [("user", f"Question {number} about zebras"), ("assistant", f"Answer {number}.")]
        bench.capture(transcript(environment, number, talk, start=NOON - timedelta(days=number)))
    return bench


def test_an_archive_whose_number_is_taken_gets_the_next_one(environment: Environment, tmp_path: Path) -> None:
    theirs = other(environment, tmp_path / "theirs", (11, 12, 2))
    mine = other(environment, tmp_path / "mine", (1, 2))
    done = theirs.export(None, tmp_path / "all.json")
    plan = mine.preview(importing.import_bundle, importing.load_import(done.path))
    assert plan.facts["renumbered"] == {
        "conversation-001.md": "conversation-004.md",
        "conversation-002.md": "conversation-005.md",
    }
    take_in(mine, done.path)
    sessions = [entry.session_id for entry in mine.archive.entries()]
    assert sessions == [session_id_of(number) for number in (1, 2, 11, 12)]
    text = (mine.layout.archives[0].folder / "conversation-004.md").read_text()
    assert "log: 4\n" in text and "# Conversation 004\n" in text and "Question 11" in text
    assert [row.session_id for row in mine.rows] == sessions
    assert [row.number for row in mine.rows] == [1, 2, 4, 5]
    before = tree(tmp_path / "mine")
    assert take_in(mine, done.path) is None
    assert tree(tmp_path / "mine") == before
    assert not [one for one in mine.check() if one.kind in ("rows", "numbers", "sessions")]


def test_a_session_that_grew_elsewhere_is_a_conflict_and_comes_when_asked(
    environment: Environment, tmp_path: Path
) -> None:
    mine = other(environment, tmp_path / "mine", (1,))
    theirs = other(environment, tmp_path / "theirs", (5, 1))
    archive = theirs.archive.entries()[1].path
    archive.write_text(archive.read_text().replace("Answer 1.", "Answer 1, and more."))
    done = theirs.export(None, tmp_path / "all.json")
    plan = mine.preview(importing.import_bundle, importing.load_import(done.path))
    assert "memory/conversations/conversation-001.md" in plan.facts["conflicts"]  # type: ignore[operator]
    take_in(mine, done.path, takes_theirs=True)
    text = (mine.layout.archives[0].folder / "conversation-001.md").read_text()
    assert "and more" in text and "log: 1\n" in text
    assert [row.session_id for row in mine.rows] == [session_id_of(1), session_id_of(5)]


@pytest.mark.long
@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_two_memories_of_a_layout_become_one(name: str, environment: Environment, tmp_path: Path) -> None:
    bench = filled(environment, name)
    done = bench.export(None, tmp_path / "all.json")
    here = empty_at(environment, tmp_path / "here", name)
    here.initialise()
    here.capture(transcript(environment, 3, [("user", "Why zebras?"), ("assistant", "Because.")]))
    take_in(here, done.path)
    assert {row.session_id for row in here.rows} == {session_id_of(number) for number in (1, 2, 3)}
    numbers = [row.number for row in here.rows]
    assert len(set(numbers)) == len(numbers) == 3
    assert not [one for one in here.check() if one.kind in ("rows", "numbers", "sessions")]
    before = tree(tmp_path / "here")
    assert take_in(here, done.path) is None
    assert tree(tmp_path / "here") == before


def test_a_log_of_another_stretch_comes_beside_the_first(environment: Environment, tmp_path: Path) -> None:
    mine = empty_at(environment, tmp_path / "mine", "user")
    mine.initialise()
    path = transcript(environment, 1, TALK)
    mine.capture(path)
    theirs = empty_at(environment, tmp_path / "theirs", "user")
    theirs.initialise()
    theirs.capture(path)
    theirs.capture(transcript(environment, 1, [*TALK, ("user", "And the other race?"), ("assistant", "Fixed too.")]))
    done = theirs.export(None, tmp_path / "all.json")
    take_in(mine, done.path)
    assert [entry.name for entry in mine.archive.entries()] == ["archive-log-001", "archive-log-002"]
    assert take_in(mine, done.path) is None


def test_a_file_whose_secrets_were_masked_is_the_same_as_with_them(environment: Environment, tmp_path: Path) -> None:
    bench = bench_at(environment)
    bench.layout.memory_file.write_text("# Memory\n\n- password = hunter2-Zq9x7Lm3\n")
    done = bench.export(None, tmp_path / "all.json")
    assert done.masked == 1 and "hunter2" not in done.path.read_text()
    plan = bench.preview(importing.import_bundle, importing.load_import(done.path), takes_theirs=True)
    assert plan.edits == () and plan.facts["conflicts"] == []


def test_a_layout_of_another_design_is_refused(environment: Environment, tmp_path: Path) -> None:
    done = bench_at(environment).export(None, tmp_path / "all.json")
    with pytest.raises(UsageError, match="layout entity"):
        take_in(empty_at(environment, tmp_path / "new", "project"), done.path)


@pytest.mark.parametrize("name", ["entity", "user", "hierarchical", "project"])
def test_sessions_go_from_one_memory_into_another(name: str, environment: Environment, tmp_path: Path) -> None:
    bench = filled(environment)
    gone = transcript(environment, 9, [("user", "Only a transcript says zebra"), ("assistant", "It does.")])
    bench.export(["1", "conversation-002", "1", gone.stem], tmp_path / "some.json")
    there = empty_at(environment, tmp_path / "there", name)
    there.initialise()
    take_in(there, tmp_path / "some.json")
    assert {row.session_id for row in there.rows} == {session_id_of(number) for number in (1, 2, 9)}
    assert len(there.archive.entries()) == 3
    assert "zebra" in there.document(gone.stem).text
    before = tree(tmp_path / "there")
    assert take_in(there, tmp_path / "some.json") is None
    assert tree(tmp_path / "there") == before
    assert not [one for one in there.check() if one.kind in ("rows", "numbers", "sessions")]


def test_a_transcript_that_speaks_of_archives_comes_whole(environment: Environment, tmp_path: Path) -> None:
    bench = bench_at(environment)
    code = "Look:\n\n```\n# Conversation 007\n\n---\n\n### User\n\nfake\n```\n\ndone"
    path = transcript(environment, 1, [("user", "first zebra"), ("assistant", code), ("user", "second zebra")])
    bench.export([path.stem], tmp_path / "one.json")
    told = json.loads((tmp_path / "one.json").read_text())["items"][0]["messages"]
    assert [one["text"] for one in told] == ["first zebra", code, "second zebra"]
    there = bench_at(environment, root=tmp_path / "there")
    take_in(there, tmp_path / "one.json")
    (entry,) = there.archive.entries()
    assert (entry.messages, entry.title, entry.agent) == (3, "first zebra", "claude")
    assert [turn.text for turn in parse_turns(entry.path.read_text())] == ["first zebra", code, "second zebra"]


def test_a_day_goes_to_the_days(environment: Environment, tmp_path: Path) -> None:
    bench = bench_at(environment, "hierarchical")
    (bench.layout.days / "2026-03-06.md").write_text("a day\n")
    bench.export(["memory/2026-03-06.md"], tmp_path / "day.json")
    there = bench_at(environment, "hierarchical", tmp_path / "there")
    take_in(there, tmp_path / "day.json")
    assert (there.layout.days / "2026-03-06.md").read_text() == "a day\n"


def test_a_summary_goes_where_there_are_summaries(environment: Environment, tmp_path: Path) -> None:
    filled(environment, "project").export(["1", "2"], tmp_path / "two.json")
    there = empty_at(environment, tmp_path / "there", "project")
    there.initialise()
    there.capture(transcript(environment, 3, [("user", "Why zebras?"), ("assistant", "Because.")]))
    take_in(there, tmp_path / "two.json")
    assert {row.session_id for row in there.rows} == {session_id_of(number) for number in (1, 2, 3)}
    assert take_in(there, tmp_path / "two.json") is None
    with pytest.raises(RecallError, match="no summaries"):
        take_in(bench_at(environment, "entity", tmp_path / "entity"), tmp_path / "two.json")


def test_a_layout_without_archives_says_so(environment: Environment, tmp_path: Path) -> None:
    filled(environment).export(["1"], tmp_path / "one.json")
    there = empty_at(environment, tmp_path / "there", "claude-project")
    with pytest.raises(RecallError, match="keeps no archives"):
        take_in(there, tmp_path / "one.json")


def test_documents_come_to_the_place_of_their_kind(environment: Environment, tmp_path: Path) -> None:
    bench = filled(environment)
    (bench.layout.topics / "debugging.md").write_text("# Debugging\n")
    bench.export(["debugging", "memory", "memory/weekly/2026-W09.md", "memory:1-2", "archive"], tmp_path / "some.json")
    there = empty_at(environment, tmp_path / "there", "project")
    plan = there.preview(importing.import_bundle, importing.load_import(tmp_path / "some.json"))
    assert plan.facts["added"] == [
        "_memory/topics/debugging.md",
        "_memory/MEMORY.md",
        "_memory/weekly/2026-W09.md",
    ]
    assert len(plan.facts["left_out"]) == 2  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("file", "topic"),
    [("API & Auth.md", "api-auth.md"), ("MEMORY.md", "memory-2.md")],
)
def test_a_markdown_file_comes_as_a_topic(file: str, topic: str, environment: Environment, tmp_path: Path) -> None:
    bench = bench_at(environment)
    before = bench.layout.memory_file.read_bytes()
    (tmp_path / file).write_text("# Title\r\n\r\n- no end", newline="")
    assert take_in(bench, tmp_path / file) is not None
    assert (bench.layout.topics / topic).read_bytes() == b"# Title\r\n\r\n- no end"
    assert bench.layout.memory_file.read_bytes() == before
    assert take_in(bench, tmp_path / file) is None
    (tmp_path / file).write_text("another")
    assert bench.preview(importing.import_bundle, importing.load_import(tmp_path / file)).facts["conflicts"] == [
        f"memory/{topic}"
    ]
    assert bench.undo() and not (bench.layout.topics / topic).exists()


def test_secrets_of_a_markdown_file_stay_out(environment: Environment, tmp_path: Path) -> None:
    bench = bench_at(environment)
    (tmp_path / "keys.md").write_text("password = hunter2-Zq9x7Lm3\n")
    plan = bench.preview(importing.import_bundle, importing.load_import(tmp_path / "keys.md"))
    take_in(bench, tmp_path / "keys.md")
    assert "hunter2" not in (bench.layout.topics / "keys.md").read_text()
    assert plan.facts["masked"] == 1


# What follows comes from somebody who means harm.


def parcel_of(files: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    head = {"schema": SCHEMA, "version": 1, "content": "memory", "layout": "entity"}
    return {**head, "files": files, **more}


def file_of(path: str, text: str = "harm\n") -> dict[str, Any]:
    return {"path": path, "text": text, "sha256": hashlib.sha256(text.encode()).hexdigest()}


@pytest.mark.parametrize(
    "path",
    [
        "../evil.md",
        "memory/../../evil.md",
        "memory/./x.md",
        "memory//x.md",
        "memory/",
        "/etc/evil.md",
        "",
        ".",
        "memory",
        "settings.json",
        "CLAUDE.md",
        "commands/evil.md",
        "memory/.git/config",
        ".recall-echo.json",
        "memory/\0.md",
        f"memory/{'x' * 300}.md",
        f"memory/{'x/' * 600}y.md",
    ],
)
@pytest.mark.parametrize("layout", ["entity", "user"])
def test_a_path_that_no_memory_has_brings_in_nothing(
    layout: str, path: str, environment: Environment, tmp_path: Path
) -> None:
    if (layout, path) == ("user", ".recall-echo.json"):
        return  # a file of such a memory, which is left out and said
    source = tmp_path / "harm.json"
    source.write_text(json.dumps(parcel_of([file_of("memory/good.md"), file_of(path)], layout=layout)))
    bench = empty_at(environment, tmp_path / "new", layout)
    with pytest.raises(BrokenFileError, match=r"files\[1\]"):
        take_in(bench, source)
    assert not (tmp_path / "new").exists()


SETTINGS = 'layout = "{}"\n[llm]\nprovider = "command"\ncommand = "touch pwned"\n'
PATHS = '{"paths": {"memory": "../.bashrc", "ephemeral": "/etc/passwd"}}'
BROUGHT = (
    (".recall-echo.json", PATHS), ("{config}", SETTINGS), ("{config}", "not = [toml"), ("{base}CLAUDE.md", "obey"),
    ("{base}deep/AGENTS.md", "obey"), ("{base}wiki/claude.local.MD", "obey"), ("{base}Gemini.md", "obey"),
)  # fmt: skip


@pytest.mark.parametrize("name", LAYOUT_NAMES)
@pytest.mark.parametrize(("path", "text"), BROUGHT)
@pytest.mark.parametrize("form", ["memory", "items", "item of settings", "markdown"])
def test_no_form_of_an_import_brings_in_settings_or_orders(
    name: str, path: str, text: str, form: str, environment: Environment, tmp_path: Path
) -> None:
    bench = empty_at(environment, tmp_path / "new", name)
    base = f"{bench.store.relative(bench.layout.base)}/"
    path = path.format(config=bench.store.relative(bench.layout.config), base=base)
    file = file_of(path, text.replace("{}", name))
    source = tmp_path / "harm.json"
    kinds = {"items": "file", "item of settings": "config"}
    match form:
        case "memory":
            source.write_text(json.dumps(parcel_of([file_of(f"{base}wiki/good.md"), file], layout=name)))
        case "markdown":
            source = tmp_path / Path(path).name
            if source.suffix.lower() != ".md":
                return
            source.write_text(text)
        case _:
            document = {**file, "type": "document", "kind": kinds[form], "title": Path(path).name}
            source.write_text(json.dumps(parcel_of([], content="items", items=[document])))
    for takes_theirs in (False, True):
        with suppress(RecallError):
            take_in(bench, source, takes_theirs=takes_theirs)
    made = {Path(one).name.casefold(): data for one, data in tree(tmp_path / "new").items()}
    assert not {*made} & {"claude.md", "agents.md", "claude.local.md", "gemini.md", ".recall-echo.json"}
    assert made.get(".recall-echo.toml", b"") in (b"", f'layout = "{name}"\n'.encode())
    assert not bench.config.values.keys() - {"layout"}


def test_settings_that_come_along_open_no_further_places(environment: Environment, tmp_path: Path) -> None:
    config = file_of(".recall-echo.json", '{"paths": {"memories": "commands", "memory": "CLAUDE.md"}}')
    for path in ("commands/archive-log-001.md", "CLAUDE.md", "skills.md"):
        source = tmp_path / "harm.json"
        source.write_text(json.dumps(parcel_of([config, file_of(path)], layout="user")))
        with pytest.raises(BrokenFileError):
            take_in(empty_at(environment, tmp_path / "new", "user"), source)
    assert not (tmp_path / "new").exists()


def test_links_that_lead_out_are_not_followed(environment: Environment, tmp_path: Path) -> None:
    bench = bench_at(environment)
    (tmp_path / "elsewhere").mkdir()
    bench.layout.wiki.symlink_to(tmp_path / "elsewhere")
    source = tmp_path / "harm.json"
    source.write_text(json.dumps(parcel_of([file_of("memory/wiki/evil.md")])))
    with pytest.raises(BrokenFileError, match="links there point outside"):
        take_in(bench, source)
    assert list((tmp_path / "elsewhere").iterdir()) == []

    document = {**file_of("memory/wiki/evil.md"), "type": "document", "kind": "wiki", "title": "evil"}
    source.write_text(json.dumps(parcel_of([], content="items", items=[document])))
    with pytest.raises(ConflictError, match="links there point outside"):
        take_in(bench, source)
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("paths", [["memory/a.md", "memory/a.md"], ["memory/a", "memory/a/b.md"]])
def test_files_that_stand_in_each_others_way_are_refused(
    paths: list[str], environment: Environment, tmp_path: Path
) -> None:
    source = tmp_path / "harm.json"
    source.write_text(json.dumps(parcel_of([file_of(path) for path in paths])))
    with pytest.raises(BrokenFileError):
        take_in(empty_at(environment, tmp_path / "new", "entity"), source)


@pytest.mark.parametrize(
    "file",
    [
        file_of("memory/conversations/conversation-999999999.md", "---\nlog: 1\n---\n"),
        file_of("memory/ARCHIVE.md", "| 999999999 | 2026-03-06 | s | — | 1 | 1m |\n"),
    ],
)
def test_a_number_that_leaves_none_for_the_next_is_refused(
    file: dict[str, Any], environment: Environment, tmp_path: Path
) -> None:
    source = tmp_path / "harm.json"
    source.write_text(json.dumps(parcel_of([file_of("memory/a.md"), file])))
    with pytest.raises(BrokenFileError, match="999999999"):
        take_in(empty_at(environment, tmp_path / "new", "entity"), source)


def test_archives_that_are_alike_all_come_back(environment: Environment, tmp_path: Path) -> None:
    bench = bench_at(environment)
    for number in (1, 2, 10):
        text = f"---\nlog: {number}\n---\n\n# Conversation {number:03d}\n\nthe same\n"
        (bench.layout.archives[0].folder / f"conversation-{number:03d}.md").write_text(text)
    done = bench.export(None, tmp_path / "all.json")
    again = empty_at(environment, tmp_path / "new", "entity")
    take_in(again, done.path)
    assert own_files(again) == own_files(bench)
    assert take_in(again, done.path) is None


def test_a_folder_where_a_file_should_go_is_a_conflict(environment: Environment, tmp_path: Path) -> None:
    bench = bench_at(environment)
    (bench.layout.topics / "a.md").mkdir()
    source = tmp_path / "a.json"
    source.write_text(json.dumps(parcel_of([file_of("memory/a.md"), file_of("memory/b.md")])))
    with pytest.raises(ConflictError):
        take_in(bench, source)
    assert not (bench.layout.topics / "b.md").exists()


GOOD = json.dumps(parcel_of([file_of("memory/good.md")]))


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (GOOD[:-20], ":1:"),
        (GOOD.replace(", ", ",\n")[:-20], ":"),
        ("{}", "schema"),
        ("[]", "array"),
        ("", ":1:"),
        ("\xff", ":1:"),
        ('{"schema": "other", "version": 1, "content": "memory"}', "schema"),
        (GOOD.replace('"version": 1', '"version": 2'), "version"),
        (GOOD.replace('"version": 1', '"version": -1'), "version"),
        (GOOD.replace('"version": 1', f'"version": 1{"0" * 400}'), "version"),
        (GOOD.replace('"version": 1', f'"version": 1{"0" * 9000}'), "version"),
        (GOOD.replace('"version": 1', '"version": 1e999'), "version"),
        (GOOD.replace('"version": 1', '"version": NaN'), ":1:"),
        (GOOD.replace('"memory"', '"moon"', 1), "content"),
        (GOOD.replace('"entity"', '"moon"'), "layout"),
        (GOOD.replace("harm", "harmless"), "files[0]"),
        (GOOD.replace('"text"', '"base64"'), "files[0]"),
        (GOOD.replace('"text": ', '"base64": "aGFybQo=", "text": '), "files[0]"),
        (GOOD.replace('"text"', '"words"'), "files[0]"),
        (GOOD.replace('"memory/good.md"', "7"), "files[0].path"),
        (GOOD.replace('"path"', '"masked": -1, "path"'), "files[0].masked"),
        (GOOD.replace('"path"', '"bytes": 99999999999999999999, "path"'), "files[0]"),
        (GOOD.replace('"memory/good.md"', '"memory/\\ud800.md"'), ":1:"),
        ('{"schema": ' + "[" * 100_000, ":"),
    ],
    ids=lambda value: value[:40] if len(value) < 400 else f"{len(value)} characters",
)
def test_a_broken_export_says_where_it_is_broken(
    text: str, where: str, environment: Environment, tmp_path: Path
) -> None:
    source = tmp_path / "broken.json"
    source.write_bytes(text.encode("latin-1") if text == "\xff" else text.encode())
    with pytest.raises(RecallError) as error:
        take_in(empty_at(environment, tmp_path / "new", "entity"), source)
    assert str(source) in error.value.message and where in error.value.message.removeprefix(str(source))
    assert error.value.hint
    assert not (tmp_path / "new").exists()


def test_what_is_no_export_is_refused(environment: Environment, tmp_path: Path) -> None:
    for name, error in (("gone.json", NotFoundError), (".", UsageError), ("page.html", UsageError)):
        with pytest.raises(error):
            importing.load_import(tmp_path / name)
    (tmp_path / "latin.md").write_bytes(b"one\ncaf\xe9\n")
    with pytest.raises(BrokenFileError, match=r"latin\.md:2:"):
        importing.load_import(tmp_path / "latin.md")
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(UsageError):
        importing.load_import(tmp_path / "pipe.json")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def _mutated(value: Any, draw: Callable[[Any], Any]) -> Any:
    """The value with one place in it changed to anything, or taken away."""
    if isinstance(value, dict) and value and draw(st.booleans()):
        key = draw(st.sampled_from(sorted(value)))
        rest = {name: one for name, one in value.items() if name != key}
        return rest if draw(st.integers(0, 4)) == 0 else {**rest, key: _mutated(value[key], draw)}
    if isinstance(value, list) and value and draw(st.booleans()):
        at = draw(st.integers(0, len(value) - 1))
        return [*value[:at], _mutated(value[at], draw), *value[at + 1 :]]
    return draw(_JSON)


@pytest.mark.long
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_change_of_an_export_is_read_or_refused_and_never_leaves_the_folder(
    data: st.DataObject, environment: Environment, tmp_path: Path
) -> None:
    kind = data.draw(st.sampled_from(["memory", "items"]))
    session = {
        "type": "session",
        "title": "t",
        "path": "p",
        "session_id": "s",
        "topics": ["a"],
        "ended_at": "2026-03-06",
    }
    whole = {**file_of("memory/a.md"), "type": "document", "kind": "topic", "title": "a"}
    value = parcel_of([file_of("memory/a.md"), file_of("memory/conversations/conversation-001.md")])
    if kind == "items":
        value = parcel_of([], content="items", items=[{**file_of("p"), **session}, whole])
    source, root = tmp_path / "any.json", tmp_path / "new"
    source.write_text(json.dumps(_mutated(value, data.draw)))
    before = {path for path in tmp_path.rglob("*") if not path.is_relative_to(root)}
    bench = empty_at(environment, root, "entity")
    try:
        plan = bench.preview(importing.import_bundle, importing.load_import(source))
    except RecallError as error:
        assert error.message
    else:
        assert all(edit.path.is_relative_to(root / "memory") for edit in plan.edits)
        assert all(edit.path.resolve().is_relative_to(root / "memory") for edit in plan.edits)
    assert {path for path in tmp_path.rglob("*") if not path.is_relative_to(root)} == before


def test_every_export_of_ours_is_read_back(environment: Environment, tmp_path: Path) -> None:
    bench = filled(environment)
    bench.export(None, tmp_path / "all.json")
    bench.export(["1", "memory"], tmp_path / "some.json")
    assert isinstance(parcel.load_bundle(tmp_path / "all.json"), parcel.BundledMemory)
    assert isinstance(parcel.load_bundle(tmp_path / "some.json"), parcel.BundledItems)


@pytest.mark.long
@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_what_was_forgotten_stays_out(name: str, environment: Environment, tmp_path: Path) -> None:
    bench = filled(environment, name)
    bench.apply(remember, "Herons nest in the staging database", topic="herons")
    done = bench.export(None, tmp_path / "all.json")
    bench.eraser.forget(session_id_of(2), "herons.md")
    again = empty_at(environment, tmp_path / "new", name)
    plan = again.preview(importing.import_bundle, importing.load_import(done.path))
    assert any("forgotten on" in note and "forget --undo" in note for note in plan.notes)
    again.apply(importing.import_bundle, importing.load_import(done.path))
    files = own_files(again)
    assert not any(session_id_of(2).encode() in data or b"Herons nest" in data for data in files.values())
    assert any(session_id_of(1).encode() in data for data in files.values()) or name == "claude-project"
    assert take_in(again, done.path) is None
    bench.eraser.unforget(session_id_of(2))
    take_in(again, done.path)
    assert any(session_id_of(2).encode() in data for data in own_files(again).values()) or name == "claude-project"
