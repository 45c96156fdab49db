"""What is forgotten, or a secret, is in no second copy of a file either, whoever left that beside it."""

from __future__ import annotations

import pytest

from recall_tui.environment import Environment
from recall_tui.features.curation.remember import remember
from recall_tui.features.erasure.forget import forget
from recall_tui.storage.layout import LAYOUT_NAMES
from recall_tui.workbench import Workbench
from tests.features.erasure.erasure_samples import CERTAIN, LIKELY, ONE, OTHER, TALK, TWO, WORD, copied, of_memory
from tests.makers import bench_at, transcript
from tests.traces import traces

SECRET = "ghp_" + "Zq3" * 12


def begun(environment: Environment, layout: str) -> Workbench:
    """A memory of two sessions."""
    bench = bench_at(environment, layout)
    bench.capture(transcript(environment, 1, TALK))
    bench.capture(transcript(environment, 2, OTHER))
    return bench


@pytest.mark.long
@pytest.mark.parametrize("name", (*CERTAIN, *LIKELY))
@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_a_session_leaves_no_trace_in_second_copies(environment: Environment, layout: str, name: str) -> None:
    bench = begun(environment, layout)
    copies = [copied(path, name) for path in of_memory(bench)]
    assert copies and (layout == "claude-project" or any(WORD in copy.read_text() for copy in copies))
    bench.sync()
    bench.eraser.forget(ONE)
    assert traces(bench, WORD) == []
    assert not [path for path in bench.store.root.rglob("*") if ONE in path.name and "projects" not in path.parts]
    bench.sync()
    assert traces(bench, WORD) == []


@pytest.mark.long
@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_a_copy_that_is_of_another_session_stays(environment: Environment, layout: str) -> None:
    bench = begun(environment, layout)
    other = next((path for path in of_memory(bench) if TWO in path.read_text() and path != bench.layout.rows), None)
    archives = [entry.path for entry in bench.archive.entries()]
    if archives:
        first = archives[0].with_name(f"{archives[0].stem} (conflicted copy){archives[0].suffix}")
        first.write_bytes(archives[-1].read_bytes())
        bench.eraser.forget(ONE)
        assert "token refresh" in first.read_text()
    assert other is None or "token refresh" in other.read_text() or WORD not in other.read_text()


def test_a_session_that_only_a_second_copy_holds_is_forgotten(environment: Environment) -> None:
    bench = begun(environment, "entity")
    archive = bench.archive.get(1).path
    copy = copied(bench.archive.get(2).path, CERTAIN[0])
    copy.write_bytes(archive.read_bytes())
    archive.unlink()
    bench.layout.rows.write_text("")
    bench.layout.window.write_text("")
    for reference in (str(copy), ONE):
        plan = bench.preview(forget, (reference,))
        assert copy in [edit.path for edit in plan.edits], reference


def test_copies_of_a_topic_go_with_it_and_what_may_be_none_is_named(environment: Environment) -> None:
    bench = bench_at(environment)
    topic = bench.layout.topics / "party.md"
    topic.write_text(f"# Party\n\nThe {WORD} is in the park.\n")
    certain = [copied(topic, name) for name in CERTAIN]
    likely = copied(topic, LIKELY[0])
    plan = bench.preview(forget, ("party.md",))
    assert any(likely.name in note for note in plan.notes)
    bench.eraser.forget("party.md")
    assert not topic.exists() and not any(copy.exists() for copy in certain) and likely.exists()


def test_what_a_copy_of_a_window_held_is_not_brought_back_by_undo(environment: Environment) -> None:
    bench = begun(environment, "entity")
    copied(bench.layout.window, CERTAIN[1])
    bench.apply(remember, "The shop is settled.")
    from recall_tui.features.health import doctor

    assert bench.apply(doctor.plan_fixes) is not None
    bench.eraser.forget(ONE)
    assert traces(bench, WORD) == []


@pytest.mark.long
@pytest.mark.parametrize("name", (*CERTAIN, *LIKELY))
@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_a_secret_is_found_in_second_copies_and_taken_out(environment: Environment, layout: str, name: str) -> None:
    bench = begun(environment, layout)
    for path in of_memory(bench):
        copy = copied(path, name)
        copy.write_text(copy.read_text() + f"\nThe key is {SECRET}\n")
    assert len({one.place for one in bench.eraser.secrets()}) >= len(of_memory(bench)) // 2
    bench.eraser.redact()
    assert traces(bench, SECRET) == [] and list(bench.eraser.secrets()) == []
