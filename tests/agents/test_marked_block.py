"""A block comes into a shared file and leaves it byte for byte as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.agents.pieces.marked_block import MarkedBlock
from recall_tui.agents.target import State
from recall_tui.errors import BrokenFileError, RecallError

PATH = Path("/home/u/api/AGENTS.md")
BLOCK = MarkedBlock(PATH, "rules", "## Memory\n\nIt is kept.\n", "codex")
OTHER = MarkedBlock(PATH, "rules", "## Memory\n\nIt is kept.\n", "agents-md")
NEWER = MarkedBlock(PATH, "rules", "## Memory\n\nIt is kept well.\n", "codex")
LINES = st.lists(st.sampled_from(["", " ", "# Title", "words", "é", "\ufeff", "a\r", "\r", "\t"]), max_size=6)
TEXTS = st.builds(lambda lines, newline, last: newline.join(lines) + last, LINES, st.sampled_from(["\n", "\r\n"]),
                  st.sampled_from(["", "\n", "\r\n", "\n\n", "\r\n\r\n"])) | st.text(max_size=60)  # fmt: skip


@given(TEXTS)
def test_taken_out_the_file_is_as_it_was(text: str) -> None:
    installed = BLOCK.installed(text)
    assert BLOCK.state(installed) is State.CURRENT
    assert BLOCK.installed(installed) is installed
    assert BLOCK.removed(installed) == text
    assert BLOCK.removed(NEWER.installed(installed)) == text


@given(TEXTS)
def test_two_targets_share_one_block_that_goes_with_the_last(text: str) -> None:
    one = BLOCK.installed(text)
    assert OTHER.state(one) is State.ABSENT
    both = OTHER.installed(one)
    assert both.count("It is kept.") == one.count("It is kept.")
    assert OTHER.state(both) is BLOCK.state(both) is State.CURRENT
    assert OTHER.removed(both) == one
    left = BLOCK.removed(both)
    assert left == OTHER.installed(text)
    assert OTHER.removed(left) == text


def test_a_file_that_was_made_for_it_goes_and_an_empty_one_stays() -> None:
    assert BLOCK.removed(BLOCK.installed(None)) is None
    assert BLOCK.removed(BLOCK.installed("")) == ""
    assert BLOCK.removed(BLOCK.installed(None) + "\nMine.\n") == "\nMine.\n"


def test_it_stands_at_the_end_after_one_blank_line() -> None:
    for text in ("# Mine", "# Mine\n", "# Mine\n\n"):
        assert BLOCK.installed(text).startswith("# Mine\n\n<!-- recall-tui begin ")
        assert BLOCK.installed(text).endswith("<!-- recall-tui end -->\n")
    assert BLOCK.installed(None).startswith("<!-- recall-tui begin ")


def test_its_lines_end_as_those_of_the_file() -> None:
    text = BLOCK.installed("# Mine\r\n\r\nText.\r\n")
    assert text.count("\n") == text.count("\r\n")
    assert BLOCK.state(text) is State.CURRENT
    assert BLOCK.state(text.replace("\r\n", "\n")) is State.CURRENT


def test_an_older_block_is_updated_where_it_is() -> None:
    text = BLOCK.installed("# Mine\n") + "\n## Below\n"
    assert NEWER.state(text) is State.OUTDATED
    newer = NEWER.installed(text)
    assert newer.startswith("# Mine\n\n<!--")
    assert newer.endswith("end -->\n\n## Below\n")
    assert "kept well" in newer
    assert NEWER.removed(newer) == "# Mine\n\n## Below\n"


@pytest.mark.parametrize(
    ("above", "below", "left"),
    [
        ("# Mine", "Below.\n", "# Mine\n\nBelow.\n"),
        ("# Mine\n", "\nBelow.\n", "# Mine\n\nBelow.\n"),
        ("# Mine\n\n", "Below", "# Mine\n\nBelow"),
        ("", "Below.\n", "Below.\n"),
    ],
)
def test_what_a_person_wrote_below_keeps_its_line(above: str, below: str, left: str) -> None:
    assert BLOCK.removed(BLOCK.installed(above) + below) == left


def test_what_a_person_wrote_inside_is_seen_and_stays() -> None:
    text = BLOCK.installed("# Mine\n").replace("It is kept.", "It is kept, I hope.")
    assert BLOCK.state(text) is State.CHANGED
    assert OTHER.state(text) is State.CHANGED
    assert BLOCK.removed(text) == text
    assert BLOCK.state(BLOCK.installed(text)) is State.CURRENT


def test_a_file_without_the_block_stays_as_it_is() -> None:
    assert BLOCK.state("# Mine\n") is BLOCK.state(None) is State.ABSENT
    assert BLOCK.removed("# Mine\n") == "# Mine\n"
    assert OTHER.removed(BLOCK.installed("# Mine\n")) == BLOCK.installed("# Mine\n")


def test_a_file_that_its_agent_would_cut_is_refused() -> None:
    room = len(BLOCK.installed("# Mine\n"))
    limited = MarkedBlock(PATH, "rules", BLOCK.body, "codex", room)
    assert len(limited.installed("# Mine\n")) == room
    with pytest.raises(
        RecallError, match=f"AGENTS.md would have {room + 1} characters, of which the agent reads {room}"
    ):
        limited.installed("# Mine!\n")
    there = BLOCK.installed("# Mine!\n")
    assert limited.installed(there) is there


BEGIN, REST = BLOCK.installed(None).split("\n", 1)
END = "<!-- recall-tui end -->\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"# Mine\n{BEGIN}\nwords\n", 2),
        (f"# Mine\n\n{END}", 3),
        (f"{END}{BEGIN}\n", 1),
        (f"{BEGIN}\n{BEGIN}\nwords\n{END}", 2),
        (f"{BEGIN}\nwords\n{END}{END}", 4),
        (f"{BEGIN}\nwords\n{END}{BEGIN}\nwords\n{END}", 4),
        (f"words\n<!-- recall-tui begin here -->\nwords\n{END}", 2),
    ],
)
def test_broken_markers_are_named_with_their_line(text: str, line: int) -> None:
    for call in (BLOCK.state, BLOCK.installed, BLOCK.removed):
        with pytest.raises(BrokenFileError, match=rf"^/home/u/api/AGENTS\.md, line {line}: ") as error:
            call(text)
        assert error.value.hint
