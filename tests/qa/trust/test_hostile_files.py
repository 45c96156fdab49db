"""Whatever lies where a document is looked for: nothing private is handed on, nobody waits, and doctor says so."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from recall_tui.domain import LayoutName
from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from recall_tui.workbench import Workbench
from tests.makers import tree
from tests.opening import heard
from tests.qa.trust.calling import Came, called
from tests.qa.trust.hostile_files import (
    PRIVATE,
    THINGS,
    Laid,
    beside,
    cloned,
    documents_of,
    fixed_of,
    folders_of,
)

SECONDS = 200
"""After which somebody waits for a pipe."""
MOST_BYTES = 2 << 30
"""Of memory, for a process that reads what has no end."""
READERS: tuple[tuple[str, ...], ...] = (
    ("status",), ("doctor",), ("list", "all"), ("sync",), ("search", PRIVATE), ("search", "--ranked", PRIVATE),
    ("recall",), ("recall", "--raw", PRIVATE), ("synthesize", "--yes"), ("synthesize", "--dry-run"),
    ("show", "topic"), ("show", "7"), ("show", "{at}"), ("read", "evil"), ("read", "2026-03-05"), ("read", "2026-W10"),
    ("read", "2026-02"), ("read", "{at}"), ("wiki", "list"), ("wiki", "show", "evil"), ("wiki", "lint"),
    ("distill",), ("consume",), ("compact", "all", "--dry-run"), ("dream", "--dry-run"), ("dashboard",), ("agents",),
    ("migrate", "--dry-run"), ("redact", "--check"), ("export", "--all", "--to", "{out}/all.json"),
    ("export", "--all", "--to", "{out}/all.md"), ("export", "{at}", "--to", "{out}/at.html"), ("config", "show"),
    ("add", "{at}"), ("log", "--file", "{at}"), ("import", "{at}", "--yes"), ("summarize", "7", "--yes"),
    ("doctor", "--fix"), ("doctor", "--restore"), ("index",), ("search", "--batch", "{at}"),
)  # fmt: skip
FEW = (
    ("status",), ("doctor",), ("sync",), ("search", "--ranked", PRIVATE), ("recall",), ("synthesize", "--yes"),
    ("export", "--all", "--to", "{out}/all.json"), ("show", "{at}"), ("log", "--file", "{at}"),
)  # fmt: skip
"""With every change; all of them take too long for that."""


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """Whoever waits for what never comes is called back."""
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)


def run(bench: Workbench, out: Path, at: Path, words: Iterable[str], **more: bytes) -> Came:
    given = [word.replace("{out}", str(out)).replace("{at}", str(at)) for word in words]
    came = called(bench.store.environment, "--root", str(bench.layout.root), *given, **more)  # type: ignore[arg-type]
    assert "Traceback" not in came.err and "--verbose" not in came.err, (given, came.err[-2000:])
    return came


def hooked(bench: Workbench, out: Path) -> Iterator[str]:
    for event, more in (("SessionStart", {"source": "startup"}), ("UserPromptSubmit", {"prompt": f"the {PRIVATE}"})):
        told = {"hook_event_name": event, "session_id": "new", "cwd": str(bench.layout.root), **more}
        came = run(bench, out, out, ("hook",), stdin=json.dumps(told).encode())
        assert came.code == 0 and came.err == ""
        yield came.out


def leaked(
    bench: Workbench, around: Path, laid: Laid, readers: Iterable[tuple[str, ...]], ats: list[Path]
) -> list[str]:
    """Call everybody, and say who handed on what."""
    out = around / "out"
    out.mkdir()
    before = tree(laid.outside) if laid.outside.exists() else {}
    found = []
    for words in readers:
        for at in ats if any("{at}" in word for word in words) else ats[:1]:
            came = run(bench, out, at, words)
            found += [f"{words} {at} hands on {one}" for one in laid.found_in(came.raw + came.err.encode())]
    for said in hooked(bench, out):
        found += [f"a hook hands on {one}" for one in laid.found_in(said.encode())]
    for folder in (bench.store.environment.state, out, bench.layout.root):
        for path in folder.rglob("*"):
            if path.is_file() and not path.is_symlink() and path not in laid.sparse:
                if laid.outside in path.resolve().parents:
                    continue
                # A database's own files go when nobody reads it any more.
                with suppress(FileNotFoundError):
                    found += [f"{path} holds {one}" for one in laid.found_in(path.read_bytes())]
    return found + ["changed outside"] * (before != (tree(laid.outside) if laid.outside.exists() else {}))


def _marked(cases: Iterable[tuple[LayoutName, str]], often: set[tuple[str, str]]) -> list[object]:
    return [pytest.param(*case, marks=() if case in often else pytest.mark.long) for case in cases]


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "thing"),
    _marked(((one, thing) for one in LAYOUT_NAMES for thing in THINGS), {("project", "link"), ("entity", "zeros")}),
)
def test_what_is_no_document_of_the_memory_is_handed_on_by_nobody(
    environment: Environment, tmp_path: Path, name: LayoutName, thing: str, request: pytest.FixtureRequest
) -> None:
    bench = cloned(environment, name)
    laid = Laid(tmp_path / "outside")
    paths = [*documents_of(bench.layout), *beside(bench.layout)]
    for path in paths:
        laid.lay(path, thing)
    is_long = request.node.get_closest_marker("long") is not None
    ats = [paths[0], bench.layout.root / "PLAN.md"]
    assert leaked(bench, tmp_path, laid, READERS if is_long else FEW, ats) == []


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=() if one == "project" else pytest.mark.long) for one in LAYOUT_NAMES]
)
def test_what_folders_bring_in_is_handed_on_by_nobody(
    environment: Environment, tmp_path: Path, name: LayoutName
) -> None:
    bench = cloned(environment, name)
    laid = Laid(tmp_path / "outside")
    for folder in folders_of(bench.layout):
        laid.lay_folder(folder)
    ats = [folders_of(bench.layout)[0] / "topic.md"]
    assert leaked(bench, tmp_path, laid, FEW if name == "project" else READERS, ats) == []


@pytest.mark.long
@pytest.mark.parametrize("thing", [one for one in THINGS if one != "dangling"])
@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_what_is_no_fixed_document_is_handed_on_by_nobody(
    environment: Environment, tmp_path: Path, name: LayoutName, thing: str
) -> None:
    for number, place in enumerate(range(len(fixed_of(cloned(environment, name).layout)))):
        around = tmp_path / str(number)
        (around / "work").mkdir(parents=True)
        own = Environment(environment.home, around / "work", environment.env)
        bench = cloned(own, name)
        laid = Laid(around / "outside")
        path = fixed_of(bench.layout)[place]
        laid.lay(path, thing)
        assert leaked(bench, around, laid, FEW, [path]) == []


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=() if one == "project" else pytest.mark.long) for one in LAYOUT_NAMES]
)
def test_doctor_names_every_link_that_leads_out(environment: Environment, tmp_path: Path, name: LayoutName) -> None:
    bench = cloned(environment, name)
    laid = Laid(tmp_path / "outside")
    for path in documents_of(bench.layout):
        laid.lay(path, "link")
    said = run(bench, tmp_path, tmp_path, ("doctor", "--json")).out
    missing = [path for path in documents_of(bench.layout) if str(bench.store.relative(path)) not in said]
    assert missing == []


@pytest.mark.long
@pytest.mark.skipif(not hasattr(resource, "RLIMIT_AS"), reason="limits the memory of a process")
@pytest.mark.parametrize(
    "thing", [pytest.param("zeros"), *(pytest.param(one, marks=pytest.mark.long) for one in ("pipe", "sparse"))]
)
def test_no_process_reads_without_end(environment: Environment, tmp_path: Path, thing: str) -> None:
    """The program as a process, with little memory."""
    bench = cloned(environment, "project")
    own = Workbench.open(bench.layout.root, environment=environment)
    laid = Laid(tmp_path / "outside")
    for path in (*documents_of(bench.layout), *beside(bench.layout)):
        laid.lay(path, thing)
    env = {"PATH": os.environ["PATH"], **heard(environment), **environment.env}
    line = [sys.executable, "-P", "-c", "from recall_tui.__main__ import main; main()", "--root", str(own.layout.root)]
    told = {"hook_event_name": "SessionStart", "session_id": "s1", "cwd": str(own.layout.root), "source": "startup"}
    for words in (("hook",), ("recall",), ("synthesize", "--dry-run"), ("status",)):
        done = subprocess.run(
            [*line[:4], *words, *line[4:]] if words == ("hook",) else [*line, *words],
            env=env, cwd=environment.cwd, input=json.dumps(told).encode(), capture_output=True, timeout=SECONDS,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES)),
        )  # fmt: skip
        assert b"MemoryError" not in done.stderr and b"Traceback" not in done.stderr, done.stderr
        assert words != ("hook",) or (done.returncode, done.stderr) == (0, b"")


@pytest.mark.long
@pytest.mark.parametrize("name", ["project", "entity"])
@pytest.mark.parametrize("place", ["_docs", "memory", "conversations", "wiki"])
def test_a_link_to_a_whole_disk_is_not_walked(
    environment: Environment, tmp_path: Path, name: LayoutName, place: str
) -> None:
    bench = cloned(environment, name)
    layout = bench.layout
    folder = {"_docs": layout.root / "_docs", "memory": layout.base, "wiki": layout.wiki}.get(
        place, layout.base / "conversations"
    )
    (tmp_path / "disk" / "deep" / "deeper").mkdir(parents=True)
    (tmp_path / "disk" / "MEMORY.md").write_text("# Theirs\n")
    if folder.is_dir():
        folder.rename(tmp_path / "was")
    folder.symlink_to(tmp_path / "disk")
    walked: list[str] = []
    is_over = False

    def hear(event: str, given: tuple[object, ...]) -> None:
        if not is_over and event in ("os.scandir", "os.listdir") and str(given[0]).endswith(("/deep", "/deeper")):
            walked.append(str(given[0]))

    sys.addaudithook(hear)
    out = tmp_path / "out"
    out.mkdir()
    for words in (*FEW, ("doctor", "--fix"), ("list", "all"), ("status",)):
        run(bench, out, layout.root / "x.md", words)
    is_over = True
    assert walked == []
