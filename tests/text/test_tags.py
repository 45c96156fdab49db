"""Tags: files and tools of a conversation, and the sentences that decide or leave something to do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.domain import Tags, ToolCall
from recall_tui.text.classify.tags import TagCollector, action_score, decision_score


def used(*calls: ToolCall, cwd: str = "/repo") -> Tags:
    collector = TagCollector()
    for call in calls:
        collector.use(call)
    return collector.tags(cwd)


def file(path: str, name: str = "Edit") -> ToolCall:
    return ToolCall("1", name, path, is_file=True)


@pytest.mark.parametrize(
    "sentence",
    [
        "DECISION: the cache stays in memory", "We’ll go with plan B for now", "Let's use SQLite for the catalogue",
        "We agreed on weekly releases", "I switched to pnpm in all packages", "The approach is to stream everything",
        "We use Postgres instead of MySQL here", "Going with option 2 for the store",
    ],
)  # fmt: skip
def test_every_way_to_decide_is_a_cue(sentence: str) -> None:
    assert decision_score(sentence) > 0


@pytest.mark.parametrize(
    "sentence",
    [
        "Action item: rotate the keys", "TODO: write the docs", "todo - tidy the tests",
        "The docs still need an example",
        "Make sure to bump the version", "Remember to tag the release",
        "Follow up with the infra team",
        "The parser needs to handle commas", "The limit should be raised to fifty", "We will need a second reviewer",
    ],
)  # fmt: skip
def test_every_way_to_leave_work_is_a_cue(sentence: str) -> None:
    assert action_score(sentence) > 0


@pytest.mark.parametrize(
    "sentence",
    [
        "Now I need to read the file.", "You don't need to do anything else.", "If you need to stop it, press q.",
        "Everything should be fine now.", "There is no need to hurry with this.",
    ],
)  # fmt: skip
def test_narration_and_what_need_not_be_done_leave_nothing_to_do(sentence: str) -> None:
    assert (decision_score(sentence), action_score(sentence)) == (0, 0)


def test_files_come_from_file_tools_only_relative_to_the_project_and_by_use() -> None:
    tags = used(
        file("/repo/src/a.py"),
        file("src/b.py", "Read"),
        file("/repo/src/b.py"),
        file("./src/b.py"),
        file("/elsewhere/c.py"),
        file("/repository/d.py"),
        ToolCall("2", "Bash", "cat src/a.py | grep x"),
        ToolCall("3", "Grep", "needle in /repo/src"),
    )
    assert tags.files == ("src/b.py", "/elsewhere/c.py", "/repository/d.py", "src/a.py")
    assert tags.tools == ("Bash", "Edit", "Grep", "Read")


def test_there_are_ten_files_at_most() -> None:
    assert len(used(*(file(f"f{n}.py") for n in range(50))).files) == 10


@pytest.mark.parametrize(
    ("cwd", "project"),
    [("/home/me/app", "app"), ("/home/me/app/", "app"), ("C:\\work\\app", "app"), ("/", ""), ("", "")],
)
def test_the_project_is_the_name_of_the_working_folder(cwd: str, project: str) -> None:
    assert used(cwd=cwd).project == project


@pytest.mark.long
def test_what_is_kept_is_bounded() -> None:
    collector = TagCollector()
    for number in range(20_000):
        collector.use(file(f"f{number}.py", f"tool{number}"))
        collector.use(file("hot.py"))
    tags = collector.tags("")
    assert tags.files[0] == "hot.py" and len(tags.tools) <= 600


@given(st.lists(st.text(), max_size=5), st.text())
def test_no_text_breaks_the_collector(texts: list[str], cwd: str) -> None:
    collector = TagCollector()
    for text in texts:
        collector.use(file(text, text))
        decision_score(text)
        action_score(text)
    assert all("\n" not in words for words in (*collector.tags(cwd).files, *collector.tags(cwd).tools))
