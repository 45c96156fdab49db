"""What folds in archives of every generation, and what only looks as if it did."""

from __future__ import annotations

from io import StringIO

from hypothesis import given
from hypothesis import strategies as st

from recall_tui.domain import Message, ToolCall
from recall_tui.storage.archives.body import write_body
from recall_tui.storage.archives.folds import Fold, FoldFinder
from recall_tui.storage.markdown.outline import line_kinds


def folds_of(text: str) -> list[Fold]:
    lines = text.split("\n")
    finder = FoldFinder()
    for at, (line, kind) in enumerate(zip(lines, line_kinds(lines), strict=True)):
        finder.see(at, line, kind)
    finder.finish(len(lines))
    return finder.take()


def body(*messages: Message) -> str:
    out = StringIO()
    write_body(messages, out)
    return out.getvalue()


def test_results_thoughts_and_errors_fold() -> None:
    text = body(
        Message("reply", "Let me look."),
        Message("thought", "Which file?"),
        Message("tool_call", "a.py", tool=ToolCall("1", "Read", "a.py")),
        Message("tool_result", "one\ntwo"),
        Message("tool_result", "no such file", is_error=True),
    )
    found = folds_of(text)
    assert [fold.label for fold in found] == ["Thought", "Result", "Error"]
    lines = text.split("\n")
    assert all("<summary>" in lines[fold.start] and lines[fold.end - 1] == "</details>" for fold in found)


def test_a_sub_agent_folds_with_what_folds_inside_it() -> None:
    text = body(
        Message("prompt", "Look at it", is_sidechain=True),
        Message("tool_result", "```\n</details>\n<details>", is_sidechain=True),
        Message("reply", "Looked", is_sidechain=True),
    )
    outer, inner = folds_of(text)
    assert (outer.label, inner.label) == ("Sub-agent", "Result")
    assert outer.start < inner.start and inner.end < outer.end == len(text.rstrip("\n").split("\n"))


def test_what_the_first_generation_marked_in_bold_folds() -> None:
    text = "### Assistant\n\n**Tool: Bash**\n`ls`\n\n**Tool Result**:\n\n```\na\nb\n```\n\nDone."
    assert folds_of(text) == [Fold(5, 11, "Tool Result")]


def test_a_label_on_a_line_of_its_own_is_the_one_that_stays() -> None:
    assert folds_of("<details>\n<summary>Tool call</summary>\n\nwords\n\n</details>") == [Fold(1, 6, "Tool call")]


def test_what_is_never_closed_is_no_fold() -> None:
    assert folds_of("<details><summary>Result</summary>\n\nwords\n\n> </details>") == []
    assert folds_of("</details>\n\n**Result**:\n\nno fence") == []


@given(st.lists(st.text(alphabet=st.sampled_from("<>/detailsummry`~\\ \n"), max_size=60), max_size=6))
def test_no_text_of_a_message_folds_by_itself(texts: list[str]) -> None:
    said = [text for text in texts if text.strip()]
    assert folds_of(body(*(Message("reply", text) for text in said))) == []
    results = folds_of(body(*(Message("tool_result", text) for text in said)))
    assert [fold.label for fold in results] == ["Result"] * len(said)
