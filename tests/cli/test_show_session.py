"""`show SESSION` is the conversation in every layout; `show SESSION --summary` is what is written about it."""

from __future__ import annotations

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.makers import bench_at, records, session_id_of, transcript, write_transcript

SHORT = session_id_of(1)[:-1]
TALK = [
    ("user", "Fix the token refresh race in the auth module"),
    ("assistant", "We decided to use a lock around the refresh.\n\nFirst I looked at the heron queue."),
] * 6


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_session_is_its_conversation_before_and_after_its_summary(
    recall: Recall, environment: Environment, name: str
) -> None:
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    transcript(environment, 1, TALK, cwd=str(bench.store.root))
    before = recall(root, "show", session_id_of(1))
    assert before.out.count("heron queue") == 6
    assert recall(root, "summarize", session_id_of(1), "--yes").code == 0
    for reference in (session_id_of(1), SHORT):
        assert recall(root, "show", reference).out.count("heron queue") >= 6
    lines = recall(root, "show", f"{session_id_of(1)}:40-44")
    assert lines.code == 0 and len(lines.out.splitlines()) == 5
    about = recall(root, "show", session_id_of(1), "--summary")
    if name == "claude-project":
        assert about.code == 1 and "recall-tui summarize" in about.err
    else:
        assert about.code == 0 and "a lock around the refresh" in about.out and about.out.count("heron queue") < 6
        assert recall(root, "show", SHORT, "--summary", "--json").json["kind"] == "summary"


def test_pages_without_a_transcript_edited_ones_and_those_of_scopes_are_found(
    recall: Recall, environment: Environment
) -> None:
    bench = bench_at(environment, "project")
    pages = bench.store.root / "_memory"
    for place, number in (("conversations", 1), ("frontend/conversations", 2)):
        (pages / place).mkdir(parents=True, exist_ok=True)
        (pages / place / f"{session_id_of(number)}.md").write_text(f"# Page {number}\n\n## Context\n\nBy hand.\n")
        head = f"{number:08x}"
        (pages / place / f"{head}-aaaa-bbbb.md").write_text(f"# Other {number}\n\n## Context\n\nBy hand too.\n")
        assert f"# Page {number}" in recall("show", session_id_of(number)).out
        assert f"# Other {number}" in recall("show", head[:8] + "-aa").out
        assert f"# Other {number}" in recall("show", f"{head}-aaaa", "--summary").out
    assert recall("show", "nosuchsession").code == 1


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
@pytest.mark.parametrize("is_archived", [True, False])
@pytest.mark.parametrize(
    ("session", "reference", "is_found"),
    [
        ("abc", "abc", True),
        ("abc", "ab", False),
        ("7f", "7f", True),
        ("58210bd7-75c0-4610-8e14-089e984d6001", "5821", True),
        ("58210bd7-75c0-4610-8e14-089e984d6001", "582", False),
        ("58210bd7-75c0-4610-8e14-089e984d6001", "58210bd7", True),
    ],
)
def test_show_and_forget_know_a_session_by_the_same_references(
    recall: Recall,
    environment: Environment,
    layout: str,
    session: str,
    reference: str,
    is_found: bool,
    is_archived: bool,
) -> None:
    root = f"--root={bench_at(environment, layout).store.root}"
    turns = [("user", "Why did we pick JWT?"), ("assistant", "Because the API is stateless.")]
    path = environment.claude / "projects" / "-home-u-api" / f"{session}.jsonl"
    write_transcript(path, records(session, turns))
    if is_archived:
        assert recall(root, "archive", path).code == 0
    shown, forgotten = recall(root, "show", reference), recall(root, "forget", reference, "--dry-run")
    assert (shown.code == 0, forgotten.code == 0) == (is_found, is_found), (shown.err, forgotten.err)
    assert ("the API is stateless" in shown.out) == is_found
