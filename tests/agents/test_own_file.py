"""A file of our own is told from one that a person changed, and only the first is replaced or taken away unasked."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.agents.pieces.own_file import OwnFile, add_checksum
from recall_tui.agents.target import State

RULES = OwnFile(Path("rules/recall-tui.md"), "rules", "# Memory\n\nWhat is kept.\n")
LIST = OwnFile(Path("list.yml"), "list", "a: 1\n")
BODIES = st.text(max_size=200).map(lambda text: text.replace("\r", "") + "\n")


def test_a_file_that_is_missing_or_empty_is_absent() -> None:
    assert RULES.state(None) is State.ABSENT
    assert RULES.state("") is State.ABSENT
    assert RULES.state("\n\n") is State.ABSENT


def test_installed_it_is_current_and_a_second_run_changes_no_byte() -> None:
    text = RULES.installed(None)
    assert text.startswith(RULES.body)
    assert text.endswith(" -->\n")
    assert RULES.state(text) is State.CURRENT
    assert RULES.installed(text) is text


def test_the_mark_is_a_comment_of_the_files_kind() -> None:
    assert LIST.installed(None).splitlines()[-1].startswith("# recall-tui ")
    assert LIST.state(LIST.installed(None)) is State.CURRENT


def test_an_untouched_file_with_an_older_text_is_outdated_and_replaced() -> None:
    older = add_checksum("# Memory\n\nWhat was kept.\n", ".md").replace("recall-tui 0.1.0", "recall-tui 0.0.9")
    assert RULES.state(older) is State.OUTDATED
    assert RULES.installed(older) == RULES.installed(None)


def test_the_same_text_from_an_older_release_is_current() -> None:
    older = RULES.installed(None).replace("recall-tui 0.1.0", "recall-tui 0.0.9")
    assert RULES.state(older) is State.CURRENT
    assert RULES.installed(older) is older


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("kept", "lost"),
        lambda text: text + "A line of my own.\n",
        lambda text: "Mine.\n" + text,
        lambda text: text.rpartition("<!--")[0],
        lambda text: text.replace("# Memory", "# memory"),
    ],
)
def test_what_a_person_changed_is_seen_and_stays(change: object) -> None:
    assert callable(change)
    text = change(RULES.installed(None))
    assert RULES.state(text) is State.CHANGED
    assert RULES.removed(text) == text
    assert RULES.state(RULES.installed(text)) is State.CURRENT


def test_a_rules_file_of_another_tool_is_a_persons() -> None:
    assert RULES.state("# recall-echo\n\n@~/.claude/EPHEMERAL.md\n") is State.CHANGED


def test_line_ends_of_another_machine_are_no_change() -> None:
    text = RULES.installed(None).replace("\n", "\r\n")
    assert RULES.state(text) is State.CURRENT
    assert RULES.installed(text) is text
    assert RULES.removed(text) is None


def test_an_untouched_file_goes_whole() -> None:
    assert RULES.removed(RULES.installed(None)) is None
    assert RULES.removed(add_checksum("older\n", ".md")) is None


@given(BODIES, st.sampled_from([".md", ".mdc", ".yml", ""]))
def test_any_text_of_ours_is_known_again(body: str, suffix: str) -> None:
    piece = OwnFile(Path(f"rules{suffix}"), "rules", body)
    text = piece.installed(None)
    assert piece.state(text) is State.CURRENT
    assert piece.removed(text) is None


@given(BODIES, st.data())
def test_no_change_of_a_letter_goes_unseen(body: str, data: st.DataObject) -> None:
    piece = OwnFile(Path("rules.md"), "rules", body)
    text = piece.installed(None)
    at = data.draw(st.integers(0, len(body) - 1))
    assert piece.state(text[:at] + "§" + text[at:]) is State.CHANGED
