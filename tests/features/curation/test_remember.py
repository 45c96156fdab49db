"""Remembering adds one line where it belongs, once."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from recall_tui.domain import Append, Create, Plan
from recall_tui.environment import Environment
from recall_tui.errors import UsageError
from recall_tui.features.curation.distill import plan_suggestions
from recall_tui.features.curation.remember import remember
from recall_tui.memory import Memory
from recall_tui.resources import read_template
from recall_tui.storage.documents.memory_file import read_memory
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.layout import make_layout
from recall_tui.storage.markdown.outline import line_kinds
from recall_tui.storage.memory_context import Store


@pytest.fixture
def store(tmp_path: Path, environment: Environment, now: Callable[[], datetime]) -> Store:
    layout = make_layout(tmp_path / "mind", "entity")
    layout.base.mkdir(parents=True)
    return Memory(layout, environment, now)


def commit(store: Store, text: str, topic: str | None = None) -> Plan:
    plan = remember(store, text, topic)
    Journal(store.state, store.now).commit(lambda: remember(store, text, topic), seen=plan)
    return plan


def test_a_missing_memory_is_made_from_the_template(store: Store) -> None:
    plan = commit(store, "we deploy on Fridays")
    assert isinstance(plan.edits[0], Create)
    assert read_memory(store).text == read_template("memory/MEMORY.md") + "\n## Notes\n\n- we deploy on Fridays\n"
    assert plan.title == "Remembered in memory/MEMORY.md: we deploy on Fridays"
    assert plan.facts == {"file": "memory/MEMORY.md", "text": "we deploy on Fridays", "added": True}


def test_lines_follow_each_other_under_notes(store: Store) -> None:
    store.layout.memory_file.write_text("# Memory\n\n## Notes\n\n- first\n\n### Deeper\n\nwords\n\n## Other\n\nend\n")
    commit(store, "second")
    commit(store, "third")
    assert read_memory(store).text == (
        "# Memory\n\n## Notes\n\n- first\n- second\n- third\n\n### Deeper\n\nwords\n\n## Other\n\nend\n"
    )


def test_notes_come_at_the_end_when_there_are_none(store: Store) -> None:
    store.layout.memory_file.write_text("# Memory\n\n## Other\n\nno newline at the end")
    commit(store, "a fact")
    assert read_memory(store).text == "# Memory\n\n## Other\n\nno newline at the end\n\n## Notes\n\n- a fact\n"


def test_notes_that_were_extracted_go_on_under_their_pointer(store: Store) -> None:
    store.layout.memory_file.write_text("# Memory\n\n## Notes\nSee memory/notes.md for details.\n\n## B\n\nx\n")
    commit(store, "a fact")
    assert "See memory/notes.md for details.\n\n- a fact\n\n## B" in read_memory(store).text


def test_an_open_fence_does_not_swallow_the_line(store: Store) -> None:
    for text in (
        "# M\n\n## Notes\n\n- a\n\n```\ncode\n",
        "# M\n\n## Notes\n```\ncode\n",
        "# M\n\n## Code\n\n```\ncode\n",
        "```\n",
    ):
        store.layout.memory_file.write_text(text)
        commit(store, "a fact")
        memory = read_memory(store)
        assert memory.kinds[memory.lines.index("- a fact\n")] == "text"
        assert "Notes" in [section.title for section in memory.sections]


def test_windows_line_ends_stay(store: Store) -> None:
    store.layout.memory_file.write_bytes(b"# Memory\r\n\r\nwords\r\n")
    commit(store, "a fact")
    assert store.layout.memory_file.read_bytes() == b"# Memory\r\n\r\nwords\r\n\r\n## Notes\r\n\r\n- a fact\r\n"


def test_a_text_becomes_one_line(store: Store) -> None:
    commit(store, "  - several\nlines\u2028and\ttabs\r\n")
    assert "- several lines and tabs\n" in read_memory(store).lines


def test_nothing_is_refused(store: Store) -> None:
    for text in ("", " \n", "- "):
        with pytest.raises(UsageError, match="nothing to remember"):
            remember(store, text)
    with pytest.raises(UsageError, match="topic has no name"):
        remember(store, "x", " ")


def test_what_is_there_already_is_named_and_not_written(store: Store) -> None:
    store.layout.memory_file.write_text("# Memory\n\n- We deploy on Fridays, after the review.\n- use uv\n")
    plan = remember(store, "we deploy on Fridays after the review")
    assert plan.edits == ()
    assert plan.title == "Already there: line 3 of memory/MEMORY.md says nearly the same"
    assert plan.facts["line"] == 3
    assert remember(store, "use uv").facts["line"] == 4
    assert remember(store, "use pip").edits
    assert remember(store, "never deploy on fridays after the review").edits


def test_a_topic_gets_a_file_of_its_own(store: Store) -> None:
    plan = commit(store, "restart with -9", "API & Auth")
    path = store.layout.topics / "api-auth.md"
    assert path.read_text() == "# API & Auth\n\n- restart with -9\n"
    assert plan.facts["file"] == "memory/api-auth.md"
    assert isinstance(commit(store, "and twice", "api-auth.md").edits[0], Append)
    commit(store, "thrice", "Api & auth")
    assert path.read_text() == "# API & Auth\n\n- restart with -9\n- and twice\n- thrice\n"
    assert not store.layout.memory_file.exists()


def test_a_topic_is_never_a_fixed_file(store: Store) -> None:
    store.layout.memory_file.write_text("# Memory\n")
    commit(store, "a fact", "Memory")
    assert store.layout.memory_file.read_text() == "# Memory\n"
    assert (store.layout.topics / "memory-2.md").exists()
    commit(store, "another one", "Memory")
    assert (store.layout.topics / "memory-2.md").read_text().endswith("- a fact\n- another one\n")


def test_a_topic_file_keeps_its_line_ends_and_gets_the_missing_one(store: Store) -> None:
    (store.layout.topics / "ops.md").write_bytes(b"# Ops\r\n\r\nwords")
    commit(store, "a fact", "ops")
    assert (store.layout.topics / "ops.md").read_bytes() == b"# Ops\r\n\r\nwords\r\n\r\n- a fact\r\n"


def test_secrets_are_not_written(store: Store) -> None:
    secret = "sk-ant-api03-" + "Ab1" * 30
    plan = commit(store, f"the key is {secret}")
    assert secret not in read_memory(store).text
    assert secret not in plan.title


def test_a_full_memory_says_so(store: Store) -> None:
    store.layout.memory_file.write_text("# Memory\n\n" + "".join(f"- fact {number}\n" for number in range(185)))
    assert remember(store, "one more").notes == ("MEMORY.md is at 96 % of its budget; run: recall-tui distill",)


def test_what_was_remembered_is_taken_back_whole(store: Store) -> None:
    store.layout.memory_file.write_bytes(b"# Memory\r\n\r\n\r\nodd \xff end\n\n\n")
    before = store.layout.memory_file.read_bytes()
    commit(store, "a fact")
    assert Journal(store.state, store.now).undo()
    assert store.layout.memory_file.read_bytes() == before


def test_notes_go_on_after_distilling(store: Store) -> None:
    lines = "".join(f"- fact {number} of thing {number}\n" for number in range(40))
    store.layout.memory_file.write_text(f"# Memory\n\n## Notes\n\n{lines}")
    Journal(store.state, store.now).commit(lambda: plan_suggestions(store))
    commit(store, "a new fact")
    assert read_memory(store).text == "# Memory\n\n## Notes\nSee memory/notes.md for details.\n\n- a new fact\n"


DOCUMENTS = st.lists(
    st.sampled_from(
        [
            "# A",
            "## Notes",
            "## Notes",
            "### C",
            "```",
            "~~~",
            "<!--",
            "-->",
            "",
            "- item",
            "words",
            "  more",
            "<div>",
            "1. x",
        ]
    ),
    max_size=12,
)


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(DOCUMENTS, st.sampled_from(["\n", "\r\n"]))
def test_the_line_is_added_and_nothing_else_changes(document: list[str], newline: str) -> None:
    assume("".join(document))
    with tempfile.TemporaryDirectory() as folder:
        layout = make_layout(Path(folder), "entity")
        layout.base.mkdir()
        store = Memory(layout, Environment(Path(folder), Path(folder), {}), lambda: datetime.now().astimezone())
        text = newline.join(document)
        layout.memory_file.write_bytes(text.encode())
        edit = remember(store, "a new fact").edits[0]
        assert not isinstance(edit, Append) and hasattr(edit, "text")
        new = edit.text.replace("\r\n", "\n").split("\n")
        assert "- a new fact" in new
        rest = [line for line in new if line and line not in ("- a new fact", "## Notes")]
        assert rest == [line for line in document if line and line != "## Notes"]
        assert new.count("## Notes") - document.count("## Notes") in (0, 1)
        if not {"<!--", "```", "~~~", "<div>"} & set(document):
            lines = [line + "\n" for line in new]
            assert line_kinds(lines)[new.index("- a new fact")] == "text"
