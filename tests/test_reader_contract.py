"""The contract that packages run over their readers: it passes what is right, and says what is wrong."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from recall_tui.domain import Conversation, Message, SkippedResult
from recall_tui.testing import ExpectedSession, check_reader
from recall_tui.transcripts.registry import own_reader
from tests.processes import CHECKOUT
from tests.transcripts.agent_samples import NEEDS_SAMPLES, READ, copied_home, expected

PLUGIN = Path(__file__).parent / "fixtures" / "plugin"
PAGE = CHECKOUT / "docs" / "add-an-agent.md"
SESSIONS = {"monday": ExpectedSession(prompts=1, first_prompt="which colour is the shed?", title="")}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    toy = tmp_path / "home" / ".toy"
    toy.mkdir(parents=True)
    (toy / "monday.log").write_text("#toy\nwhich colour is the shed?\nThe shed is vermilion.\n", encoding="utf-8")
    return toy.parent


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The reader of the toy package."""
    monkeypatch.syspath_prepend(str(PLUGIN))
    import toy_recall  # type: ignore[import-not-found]

    return toy_recall.ToyReader


def test_a_reader_that_keeps_it_passes(home: Path, toy: Any) -> None:
    before = (home / ".toy" / "monday.log").read_bytes()
    check_reader(toy(), home, SESSIONS)
    assert (home / ".toy" / "monday.log").read_bytes() == before


def changed(reader: Any, **methods: Any) -> Any:
    return type("Changed", (reader,), methods)()


def test_each_fault_is_told(home: Path, toy: Any) -> None:
    (home / ".toy" / "auth.txt").write_text("zzqtoken", encoding="utf-8")

    def twice(self: Any, environment: Any) -> Iterator[Any]:
        yield from [*toy.discover(self, environment)] * 2

    def without_offset(self: Any, environment: Any) -> Iterator[Any]:
        for file in toy.discover(self, environment):
            yield file._replace(modified=datetime(2026, 3, 1))

    def of_another(self: Any, environment: Any) -> Iterator[Any]:
        for file in toy.discover(self, environment):
            yield file._replace(agent="other")

    def renamed(self: Any, path: Path) -> Any:
        read = toy.read(self, path)
        return replace(read, head=replace(read.head, session_id="other")) if isinstance(read, Conversation) else read

    def with_message(**values: Any) -> Any:
        def read(self: Any, path: Path) -> Any:
            found = toy.read(self, path)
            if not isinstance(found, Conversation):
                return found
            return Conversation(found.head, lambda: (replace(one, **values) for one in found.messages()))

        return read

    def once(self: Any, path: Path) -> Any:
        found = toy.read(self, path)
        stream = found.messages() if isinstance(found, Conversation) else iter(())
        return Conversation(found.head, lambda: stream) if isinstance(found, Conversation) else found

    def writing(self: Any, path: Path) -> Any:
        (path.parent / "lock").touch()
        return toy.read(self, path)

    def strict(self: Any, path: Path) -> Any:
        path.read_text(encoding="utf-8")
        return toy.read(self, path)

    def miscounting(self: Any, path: Path) -> Any:
        read = toy.read(self, path)
        return replace(read, head=replace(read.head, replies=7)) if isinstance(read, Conversation) else read

    def endless(self: Any, path: Path) -> Any:
        found = toy.read(self, path)
        ticks = iter(lambda: time.sleep(0.1), 1)
        return replace(found, messages=lambda: ticks) if isinstance(found, Conversation) else found

    def telling(self: Any, path: Path) -> Any:
        """Tell what lies beside the session, too."""
        found = toy.read(self, path)
        if not isinstance(found, Conversation):
            return found
        secret = (path.parent / "auth.txt").read_text(encoding="utf-8")
        last = Message("tool_result", secret)
        return replace(found, messages=lambda: chain(found.messages(), (last,)))

    cache: dict[Path, Any] = {}

    def keeping(self: Any, path: Path) -> Any:
        """Keep the first reading of a half file."""
        found = toy.read(self, path)
        is_half = path.read_bytes().count(b"\n") == 1
        return cache.setdefault(path, found) if is_half or path in cache else found

    wrong = {
        "takes a page of notes": {"claims": lambda *_: True},
        "grown, it reads otherwise": {"read": keeping},
        "yields a session twice": {"discover": twice},
        "time without an offset": {"discover": without_offset},
        "must name the agent 'toy'": {"discover": of_another},
        "`claims` refuses": {"claims": lambda *_: False},
        "`read` skips the sample: asleep": {"read": lambda *_: SkippedResult("asleep")},
        "says that the session is 'other'": {"read": renamed},
        "no kind 'shout'": {"read": with_message(kind="shout")},
        "its time has no offset": {"read": with_message(at=datetime(2026, 3, 1))},
        "half a character": {"read": with_message(text="\ud800")},
        "the same messages at each call": {"read": once},
        "changed a file": {"read": writing},
        "raises UnicodeDecodeError": {"read": strict},
        "counts 1 prompts of 0": {"read": with_message(is_off_chain=True)},
        "counts 7 replies of 1": {"read": miscounting},
        "`read` takes longer than 0.5 seconds": {"read": lambda *_: time.sleep(60)},
        "`messages` takes longer": {"read": endless},
        "what is stored has 'zzqtoken'": {"read": telling},
    }
    for sentence, methods in wrong.items():
        try:
            check_reader(changed(toy, **methods), home, SESSIONS, secrets=("zzqtoken",), seconds=0.5)
        except AssertionError as error:
            told = str(error)
        else:
            told = "nothing"
        assert sentence in told


def test_counts_are_compared(home: Path, toy: Any) -> None:
    with pytest.raises(AssertionError, match="prompts is 1, and the sample has 2"):
        check_reader(toy(), home, {"monday": ExpectedSession(prompts=2)})
    with pytest.raises(AssertionError, match="off_chain is 0, and the sample has 2"):
        check_reader(toy(), home, {"monday": ExpectedSession(off_chain=2)})
    with pytest.raises(AssertionError, match="tokens is 0, and the sample has 9"):
        check_reader(toy(), home, {"monday": ExpectedSession(tokens=9)})
    with pytest.raises(AssertionError, match="sidechain is 0, and the sample has 3"):
        check_reader(toy(), home, {"monday": ExpectedSession(sidechain=3)})
    with pytest.raises(AssertionError, match=r"yields \['monday'\], and the samples are \['tuesday'\]"):
        check_reader(toy(), home, {"tuesday": ExpectedSession()})


def test_a_sub_agent_is_in_one_session(home: Path, toy: Any) -> None:
    (home / ".toy" / "tuesday.log").write_text("#toy\nlook aside\nIt is dark.\n", encoding="utf-8")

    def calling(self: Any, path: Path) -> Any:
        found = toy.read(self, path)
        sides = (path.with_name("tuesday.log"),) if path.stem == "monday" else ()
        return replace(found, head=replace(found.head, side_files=sides)) if isinstance(found, Conversation) else found

    sessions: dict[str, ExpectedSession | None] = {**SESSIONS, "tuesday": ExpectedSession()}
    with pytest.raises(AssertionError, match=r"tuesday.log is read with it, and as a session of its own too"):
        check_reader(changed(toy, read=calling), home, sessions)


def test_a_file_that_is_another_agents_is_told(home: Path, toy: Any) -> None:
    record = {"type": "user", "uuid": "1", "sessionId": "s", "cwd": "/", "message": {"role": "user", "content": "#toy"}}
    (home / ".toy" / "monday.log").write_text(json.dumps(record) + "\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="are those of Claude Code"):
        check_reader(changed(toy, claims=lambda _, path, head: path.suffix == ".log"), home, SESSIONS)


@NEEDS_SAMPLES
@pytest.mark.parametrize("agent", [one for one in READ if one != "aider"])
def test_our_own_readers_keep_it(agent: str, tmp_path: Path) -> None:
    """Aider's history lies in a project that others name, so no home alone leads to it."""
    sessions: dict[str, ExpectedSession | None] = {
        one["id"]: ExpectedSession(
            one["user_prompts"],
            one["assistant_replies"],
            title=one["title"],
            cwd=one["cwd"],
            tokens=one["tokens_in"] + one["tokens_out"],
        )
        for one in expected(agent)["sessions"]
        if one["kind"] == "main"
    }
    if agent == "codex":
        sessions |= {one["id"]: None for one in expected(agent)["sessions"] if one["kind"] != "main"}
    if agent == "continue":
        # What it calls every session is no title.
        sessions = {id: one._replace(title=None) for id, one in sessions.items() if one}
    if agent == "gemini":
        sessions = {id: one._replace(cwd=None) for id, one in sessions.items() if one}
    check_reader(own_reader(agent), copied_home(agent, tmp_path / "home"), sessions, mutations=20)


def test_the_example_of_the_page_keeps_it(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    (lines,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    reader, check = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    sample = tmp_path / "samples" / "home" / ".acorn" / "build.jsonl"
    sample.parent.mkdir(parents=True)
    sample.write_text(lines, encoding="utf-8")
    names: dict[str, Any] = {"__name__": "acorn_recall"}
    exec(compile(reader, "acorn_recall.py", "exec"), names)
    exec(compile(check.replace("samples/home", str(tmp_path / "samples/home")), "test_acorn.py", "exec"), names)
    names["test_reader"]()
    assert "acorn_recall" not in sys.modules
