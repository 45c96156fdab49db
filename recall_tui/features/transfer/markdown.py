"""An export as Markdown: one document as it is, sessions as conversations with their prompts as headings.

A document that goes out alone keeps its text exactly; around everything else no words of theirs pass for structure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from recall_tui.domain import Message
from recall_tui.features.context.passages import passage_citation
from recall_tui.features.transfer.export_items import (
    ConversationStep,
    ExportCounts,
    ExportedDocument,
    ExportedItem,
    ExportedSearch,
    ExportedSession,
    SubagentSection,
    ToolUse,
    group_steps,
    hit_heading,
    masked_label,
    prompt_heading,
    search_label,
    session_label,
    tool_label,
)
from recall_tui.storage.markdown.quoting import FenceTracker, code_span, fence_text, quote
from recall_tui.text.cut import one_line, strip_controls
from recall_tui.text.dates import iso_minute
from recall_tui.text.markup import escape_markdown, is_self_contained

_HEADING = re.compile(r"( {0,3})(#{1,6})(?=[ \t]|$)")
_UNDERLINE = re.compile(r"( {0,3})(?=(?:=+|-+)[ \t]*$)")
_RULE = "***"
"""A rule that is never taken for the line under a heading, or for ours."""
_HEADING_OFFSET = 2
"""Levels that a heading inside a message stands below the prompts."""


def render_items(outs: Iterable[ExportedItem], tally: ExportCounts, *, is_one: bool) -> Iterator[str]:
    """The text piece by piece; with `is_one` a document is its text and nothing else."""
    for place, out in enumerate(tally.counted(outs)):
        if place:
            yield "\n---\n\n"
        if isinstance(out, ExportedSession):
            yield from _render_session(out)
        elif is_one:
            yield out.text
            return
        else:
            yield from _render_document(out)
    if tally.masked:
        yield f"\n---\n\n*{masked_label(tally.masked)}*\n"


def render_search(found: ExportedSearch, asked_at: datetime) -> Iterator[str]:
    """The question, how it was answered, and each hit with its passage and where that stands."""
    answer = found.answer
    yield f"# Search: {escape_markdown(one_line(strip_controls(answer.query)))}\n\n*{search_label(found, asked_at)}*\n"
    for place, (hit, text) in enumerate(found.hits, 1):
        heading = f" · {escape_markdown(one_line(strip_controls(hit.heading)))}" if hit.heading else ""
        yield f"\n## {place}. {escape_markdown(one_line(strip_controls(hit_heading(hit))))}\n\n{_render_quote(text)}\n"
        yield f"— {code_span(one_line(strip_controls(passage_citation(hit))))} · {hit.kind}{heading}\n"
    if found.masked:
        yield f"\n---\n\n*{masked_label(found.masked)}*\n"


def _render_document(document: ExportedDocument) -> Iterator[str]:
    part = "" if document.is_whole else f":{document.lines[0]}-{document.lines[1]}"
    yield f"# {escape_markdown(one_line(strip_controls(document.title)))}\n\n"
    yield f"*{escape_markdown(one_line(strip_controls(document.path)))}{part}*\n\n{_render_text(document.text)}\n"


def _render_session(session: ExportedSession) -> Iterator[str]:
    yield f"# {escape_markdown(one_line(strip_controls(session.title)))}\n\n"
    yield from (f"- **{name}**: {escape_markdown(value)}\n" for name, value in session_label(session))
    if session.summary:
        yield f"\n{_render_quote(session.summary)}"
    for step in group_steps(session.messages):
        yield f"\n{_render_step(step)}"
    if not session.messages:
        yield f"\n{_render_text(session.text)}\n"


def _render_step(step: ConversationStep) -> str:
    if isinstance(step, ToolUse):
        return _render_tool(step)
    if isinstance(step, SubagentSection):
        return _render_details(
            "Sub-agent", "\n".join(_render_subagent_step(one) for one in group_steps(step.as_main()))
        )
    return _render_message(step)


def _render_message(message: Message) -> str:
    match message.kind:
        case "prompt" | "command":
            heading, is_all = prompt_heading(message)
            at = f"*{note}*\n\n" if (note := _message_note(message)) else ""
            return (
                f"## {escape_markdown(heading)}\n\n{at}".rstrip("\n")
                + "\n"
                + ("" if is_all else f"\n{_render_quote(message.text)}")
            )
        case "thought":
            return _render_details("Thought", _render_text(message.text))
        case "compact_summary":
            return _render_details("Earlier in this session", _render_text(message.text))
        case "plan":
            return f"### Plan\n\n{_render_text(message.text)}\n"
        case _:
            return f"{_render_text(message.text)}\n"


def _render_subagent_step(step: ConversationStep) -> str:
    """A step of a sub-agent, which makes no heading."""
    if isinstance(step, Message) and step.kind in ("prompt", "command"):
        return f"**Task**\n\n{_render_text(step.text)}\n"
    return _render_step(step)


def _message_note(message: Message) -> str:
    return " · ".join(filter(None, (iso_minute(message.at), "rewound" if message.is_off_chain else "")))


def _render_tool(use: ToolUse) -> str:
    text = ""
    if use.call is not None:
        name, target = tool_label(use.call)
        text = f"> **{escape_markdown(name)}** {code_span(target)}\n" if target else f"> **{escape_markdown(name)}**\n"
    if use.result is None or not use.result.text.strip():
        return text
    label = "Error" if use.result.is_error else "Result"
    return f"{text}\n{_render_details(label, fence_text(strip_controls(use.result.text).strip(chr(10))))}".lstrip("\n")


def _render_details(label: str, body: str) -> str:
    return f"<details><summary>{label}</summary>\n\n{body.rstrip()}\n\n</details>\n"


def _render_text(text: str) -> str:
    """Words of theirs, whose headings stand below ours and whose signs are none of ours; as code where that fails."""
    lowered = _lower_headings(text)
    return (
        lowered
        if is_self_contained(lowered, _HEADING_OFFSET)
        else fence_text(strip_controls(text).strip("\n")).rstrip("\n")
    )


def _lower_headings(text: str) -> str:
    fence = FenceTracker()
    lines: list[str] = []
    for line in strip_controls(text).strip("\n").split("\n"):
        above = lines[-1] if lines else ""
        lines.append(line if fence.holds(line) else _lower_heading(line, above))
    return quote("\n".join(lines))


def _lower_heading(line: str, above: str) -> str:
    if found := _HEADING.match(line):
        return f"{found[1]}{'#' * min(6, len(found[2]) + _HEADING_OFFSET)}{line[found.end() :]}"
    if above.strip():
        return _UNDERLINE.sub(r"\1\\", line, count=1)
    return _RULE if _UNDERLINE.match(line) and line.strip().startswith("---") else line


def _render_quote(text: str) -> str:
    return "".join(f"> {line}".rstrip() + "\n" for line in _lower_headings(text).split("\n"))
