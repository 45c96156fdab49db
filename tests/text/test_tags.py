"""Tags: whole sentences, the telling ones, in the order they were said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.domain import Tags, ToolCall
from recall_tui.text.classify.tags import TagCollector


def heard(*texts: str, cwd: str = "") -> Tags:
    collector = TagCollector()
    for text in texts:
        collector.say(text)
    return collector.tags(cwd)


def used(*calls: ToolCall, cwd: str = "/repo") -> Tags:
    collector = TagCollector()
    for call in calls:
        collector.use(call)
    return collector.tags(cwd)


def file(path: str, name: str = "Edit") -> ToolCall:
    return ToolCall("1", name, path, is_file=True)


def test_a_decision_is_the_whole_sentence_and_the_project_is_not_guessed() -> None:
    tags = heard(
        "We looked at three caches. In the end we settled on Redis with a 5 minute TTL. "
        "Next step: write the eviction test"
    )
    assert tags.decisions == ("In the end we settled on Redis with a 5 minute TTL.",)
    assert tags.actions == ("Next step: write the eviction test",)
    assert tags.project == ""


def test_action_items_stand_in_the_order_of_the_text() -> None:
    assert heard("don't forget to rotate keys\nremaining: docs").actions == (
        "don't forget to rotate keys",
        "remaining: docs",
    )


def test_dots_in_names_and_versions_do_not_clip_a_decision() -> None:
    sentence = "We decided to use JWT tokens in auth.rs and v1.2 of the library instead of sessions."
    assert heard(f"So far so good.\n{sentence} It works.").decisions == (sentence,)


def test_several_decisions_with_one_cue_in_one_message_are_all_heard() -> None:
    tags = heard("We decided to use Rust. Later we decided to ship on Friday.")
    assert tags.decisions == ("We decided to use Rust.", "Later we decided to ship on Friday.")


@pytest.mark.parametrize(
    "sentence",
    [
        "DECISION: the cache stays in memory", "We’ll go with plan B for now", "Let's use SQLite for the catalogue",
        "We agreed on weekly releases", "I switched to pnpm in all packages", "The approach is to stream everything",
        "We use Postgres instead of MySQL here", "Going with option 2 for the store",
    ],
)  # fmt: skip
def test_every_way_to_decide_is_a_cue(sentence: str) -> None:
    assert heard(sentence).decisions == (sentence,)


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
    assert heard(sentence).actions == (sentence,)


@pytest.mark.parametrize(
    "sentence",
    [
        "Should we go with Redis, or have we decided to wait?",
        "Next steps:", "**Decision:**", "Now I need to read the file.",
        "You don't need to do anything else.", "If you need to stop it, press q.", "Everything should be fine now.",
        "```\nwe decided to hide this\n```", "we decided to " + "x" * 700, "There is no need to hurry with this.",
    ],
)  # fmt: skip
def test_questions_labels_narration_and_code_are_no_tags(sentence: str) -> None:
    tags = heard(sentence)
    assert (tags.decisions, tags.actions) == ((), ())


def test_strong_sentences_push_out_weak_ones_and_the_order_stays() -> None:
    weak = [f"The part number {n} needs to be cleaned" for n in "abcdefgh"]
    strong = ["TODO: first thing to do", "Next step: second thing to do"]
    actions = heard(strong[0], *weak, strong[1]).actions
    assert actions == (strong[0], *weak[-3:], strong[1])


def test_the_same_sentence_is_kept_once_whatever_its_case() -> None:
    assert heard("We settled on Redis.", "we settled on REDIS").decisions == ("We settled on Redis.",)


def test_a_long_sentence_is_cut_to_fit() -> None:
    decision = heard("We decided to keep it " + "and so on " * 30).decisions[0]
    assert len(decision) <= 200 and decision.endswith("…")


def test_accents_and_scripts_without_an_end_are_no_trouble() -> None:
    tags = heard("It should be " + "漢" * 150, "İİİİ we need to check ß " + "👩" * 90)
    assert len(tags.actions) == 2


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
    assert heard(cwd=cwd).project == project


@pytest.mark.long
def test_what_is_kept_is_bounded() -> None:
    collector = TagCollector()
    for number in range(20_000):
        collector.say(f"TODO: task {number} of many")
        collector.use(file(f"f{number}.py", f"tool{number}"))
        collector.use(file("hot.py"))
    tags = collector.tags("")
    assert tags.files[0] == "hot.py" and len(tags.actions) == 5 and len(tags.tools) <= 600


@given(st.lists(st.text(), max_size=5), st.text())
def test_no_text_breaks_the_collector(texts: list[str], cwd: str) -> None:
    collector = TagCollector()
    for text in texts:
        collector.say(text + " should be " + text)
        collector.use(file(text, text))
    tags = collector.tags(cwd)
    assert all("\n" not in words and len(words) <= 200 for words in tags.decisions + tags.actions)


def test_a_message_beyond_all_measure_is_heard_at_both_ends() -> None:
    heard = TagCollector()
    heard.say("We decided to use a lock. " + "x = 1; " * 300_000 + "\nWe decided to call it heron.")
    assert heard.tags("").decisions == ("We decided to use a lock.", "We decided to call it heron.")
