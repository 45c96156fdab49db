"""Whatever a session, a page, a topic or a file is called, nothing outside of the memory and its state is touched."""

from __future__ import annotations

import json
import shutil
import unicodedata
from pathlib import Path

import pytest

from recall_tui.domain import Conversation, LayoutName
from recall_tui.environment import Environment
from recall_tui.storage.documents.topic_files import is_device
from recall_tui.storage.files.atomic import content_digest
from recall_tui.transcripts.registry import read_transcript
from recall_tui.workbench import Workbench
from tests.makers import bench_at
from tests.models import FakeModel
from tests.qa.trust import hostile
from tests.qa.trust.calling import called
from tests.qa.trust.hostile_memory import WORD, claude, codex, gemini, planted, put
from tests.qa.trust.hostile_paths import NAMED, outside, run


@pytest.fixture
def around(tmp_path: Path) -> Path:
    """A folder beside the memory that is somebody else's, with a document in it."""
    put(tmp_path / "outside" / "secret.md", f"# A secret\n\n{WORD} outside of the memory\n")
    return tmp_path


def names_in(bench: Workbench) -> list[str]:
    """The names of all files of the memory."""
    return [path.name for path in bench.layout.root.rglob("*") if path.is_file()]


KINDS = list(hostile.NAMES)


@pytest.mark.long
@pytest.mark.parametrize("name", ["entity", *(pytest.param(x, marks=pytest.mark.soak) for x in ("project", "user"))])
@pytest.mark.parametrize("kind", KINDS)
def test_a_session_may_be_called_anything(environment: Environment, around: Path, name: LayoutName, kind: str) -> None:
    bench = bench_at(environment, name)
    session = dict(hostile.names(str(around / "outside")))[kind]
    for one in (
        claude(environment, 1, "we use a lock", session=session),
        codex(environment, "a lock", session=session),
    ):
        assert one.is_file()
    gemini(environment, "a lock", session=session)
    before = outside(around, bench)
    told = {"session_id": session, "transcript_path": session, "cwd": session}
    for event in ("Stop", "PreCompact", "SessionEnd", "UserPromptSubmit"):
        assert run(bench, "hook", stdin=json.dumps(told | {"hook_event_name": event}).encode()) == 0
    run(bench, "archive-session", stdin=json.dumps(told).encode())
    assert run(bench, "archive", "--all-unarchived") == 0
    files = names_in(bench)
    assert run(bench, "archive", "--all-unarchived") == 0
    assert names_in(bench) == files
    assert outside(around, bench) == before
    assert not any(is_device(one.casefold()) for one in files)
    assert len({one.casefold() for one in files}) == len(files)


@pytest.mark.long
@pytest.mark.parametrize("kind", [kind for kind in KINDS if "\0" not in hostile.NAMES[kind]])
def test_a_name_that_is_given_may_be_any(environment: Environment, around: Path, kind: str) -> None:
    bench = planted(environment, "the lock in the cache")
    name = dict(hostile.names(str(around / "outside")))[kind]
    before = outside(around, bench)
    for words in NAMED:
        run(bench, *(name if word == "{}" else word for word in words))
    run(bench, "undo")
    run(bench, "redo")
    assert outside(around, bench) == before
    assert not any(is_device(one.casefold()) for one in names_in(bench))


@pytest.mark.long
def test_names_that_some_file_systems_take_for_one_are_one(environment: Environment) -> None:
    bench = bench_at(environment)
    names = (
        "Foo",
        "foo",
        "FOO. . .",
        "foo ",
        "ré\u0301sumé",
        "r\u00e9\u0301sume\u0301",
        "\u00e9" * 200,
        "\u00e9" * 300,
    )
    for name in (*names, *(name for _, name in hostile.names("/nowhere") if "\0" not in name)):
        run(bench, "remember", f"the fact of {len(name)} {ascii(name)[:40]}", "--topic", name)
        run(bench, "wiki", "stub", name, "--description", "d", "--category", "concept")
    made = names_in(bench)
    paths = [path.relative_to(bench.layout.root).as_posix() for path in bench.layout.root.rglob("*")]
    assert len({unicodedata.normalize("NFKC", one).casefold() for one in paths}) == len(paths)
    assert not [one for one in made if len(one.encode()) > 255 or one != one.rstrip(". ")]
    assert not any(is_device(one.casefold()) for one in made)
    assert not set('\\/:*?"<>|') & set("".join(made))


@pytest.mark.parametrize("name", ["n" * 300, "\U0001f41f" * 100, "n" * 5000])
def test_a_name_that_no_file_can_have_is_of_nothing_that_is_there(environment: Environment, name: str) -> None:
    bench = planted(environment, "the lock in the cache")
    for verb in ("show", "read"):
        came = called(bench.store.environment, "--root", str(bench.layout.root), verb, name)
        assert came.code == 1 and "recall-tui list" in came.err, came.err
    for words in (("import", name), ("add", name), ("export", "memory", "--to", f"{name}.md")):
        came = called(bench.store.environment, "--root", str(bench.layout.root), *words)
        assert came.code == 1 and "a shorter name" in came.err, came.err


def test_an_id_of_white_space_is_that_of_the_file(environment: Environment) -> None:
    for path in (
        claude(environment, 1, "a", session=" \n"),
        codex(environment, "a", session="  "),
        gemini(environment, "a", session=" "),
    ):
        found = read_transcript(path)
        assert isinstance(found, Conversation)
        assert found.head.session_id and found.head.session_id in path.name


@pytest.mark.parametrize("session", ["../../elsewhere", "..", "x/../../../elsewhere", "n" * 300, "a\0b"])
def test_chats_of_sub_agents_are_sought_beside_the_chat_alone(environment: Environment, session: str) -> None:
    path = gemini(environment, "what was said", session=session)
    for folder in (
        environment.gemini / "tmp" / "elsewhere",
        environment.gemini / "tmp" / "00ff",
        environment.gemini / "elsewhere",
    ):
        put(
            folder / "session-1.json",
            json.dumps({"sessionId": "s", "messages": [{"type": "user", "content": "STOLEN"}]}),
        )
    found = read_transcript(path)
    assert isinstance(found, Conversation)
    assert found.head.side_files == ()
    assert "STOLEN" not in "".join(message.text for message in found.messages())


@pytest.mark.long
def test_an_import_brings_nothing_to_a_place_outside(environment: Environment, around: Path) -> None:
    bench = bench_at(environment)
    before, own = outside(around, bench), names_in(bench)
    assert run(bench, "export", "--all", "--to", str(bench.layout.root / "all.json")) == 0
    parcel = json.loads((bench.layout.root / "all.json").read_text())
    assert parcel["files"]
    for _, name in hostile.names(str(around / "outside")):
        for path in (name, f"memory/../../{name}", f"memory/{name}/../../../x.md", f"/{name}"):
            file = parcel["files"][0] | {"path": path}
            put(bench.layout.root / "evil.json", json.dumps(parcel | {"files": [file], "lines": []}))
            run(bench, "import", str(bench.layout.root / "evil.json"), "--yes", "--theirs")
    assert outside(around, bench) == before
    assert set(own) <= set(names_in(bench))


def test_links_in_an_import_lead_nowhere(environment: Environment, around: Path) -> None:
    bench = bench_at(environment)
    (bench.layout.base / "gone").symlink_to(around / "outside")
    before = outside(around, bench)
    assert run(bench, "export", "--all", "--to", str(bench.layout.root / "all.json")) == 0
    parcel = json.loads((bench.layout.root / "all.json").read_text())
    file = parcel["files"][0] | {"path": "memory/gone/secret.md"}
    put(bench.layout.root / "evil.json", json.dumps(parcel | {"files": [file], "lines": []}))
    assert run(bench, "import", str(bench.layout.root / "evil.json"), "--yes", "--theirs") == 1
    assert outside(around, bench) == before


def test_an_import_that_names_a_file_twice_or_in_two_cases_brings_in_nothing_half(
    environment: Environment, around: Path
) -> None:
    bench = bench_at(environment)
    put(bench.layout.base / "topic.md", "# Topic\n\nours\n")
    assert run(bench, "export", "--all", "--to", str(bench.layout.root / "all.json")) == 0
    parcel = json.loads((bench.layout.root / "all.json").read_text())
    before = outside(around, bench)
    for paths in (
        ("memory/t.md", "memory/t.md"),
        ("memory/t.md", "memory/./t.md"),
        ("memory/t.md", "memory/t.md/u.md"),
    ):
        texts = ("# One\n", "# Other\n")
        files = [
            {"path": path, "kind": "topic", "text": text, "sha256": content_digest(text), "bytes": len(text)}
            for path, text in zip(paths, texts, strict=True)
        ]
        put(bench.layout.root / "evil.json", json.dumps(parcel | {"files": files, "lines": []}))
        run(bench, "import", str(bench.layout.root / "evil.json"), "--yes", "--theirs")
        there = bench.layout.base / "t.md"
        assert not there.exists() or (there.is_file() and there.read_text() in texts)
        assert bench.journal.is_clean() and outside(around, bench) == before


def test_proposals_that_name_places_outside_change_nothing_there(environment: Environment, around: Path) -> None:
    bench = planted(environment, "the lock in the cache")
    before = outside(around, bench)
    run(bench, "review", "accept", "--safe")
    assert outside(around, bench) == before
    assert not (environment.cwd.parent.parent / "outside.md").exists()


def test_a_whole_memory_goes_out_without_what_links_bring_in(
    environment: Environment, around: Path, tmp_path: Path
) -> None:
    bench = planted(environment, "the lock in the cache")
    (bench.layout.base / "linked.md").symlink_to(around / "outside" / "secret.md")
    shutil.move(bench.layout.weekly, around / "outside" / "weekly")
    bench.layout.weekly.symlink_to(around / "outside" / "weekly")
    assert run(bench, "export", "--all", "--to", str(bench.layout.root / "all.json")) == 0
    assert "outside of the memory" not in (bench.layout.root / "all.json").read_text()


@pytest.mark.long
def test_a_model_writes_no_page_outside(environment: Environment, around: Path, tmp_path: Path) -> None:
    text = hostile.every_text().encode("utf-8", "replace").decode()
    slugs = [name for _, name in hostile.names(str(around / "outside")) if name.isprintable()]
    pages = [{"slug": one, "name": one, "action": "page", "category": "concept", "body": text} for one in slugs]
    answer = {"summary": text, "title": text, "topics": slugs, "operations": pages, "pages": pages, "entries": pages}
    model = FakeModel(tmp_path / "model", json.dumps(answer), text, json.dumps(pages))
    bench = planted(
        Environment(environment.home, environment.cwd, {**environment.env, **model.env}), "the lock in the cache"
    )
    before = {path: held for path, held in outside(around, bench).items() if "/model/" not in path}
    for words in (
        ("summarize", "1", "--yes", "--force"),
        ("compact", "all", "--yes"),
        ("dream",),
        ("wiki", "rebuild", "evil"),
    ):
        run(bench, *words)
    run(bench, "review", "accept", "--safe")
    assert model.asked
    assert {path: held for path, held in outside(around, bench).items() if "/model/" not in path} == before
