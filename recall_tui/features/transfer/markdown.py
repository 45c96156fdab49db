"""An export as Markdown: one document as it is, sessions as conversations with their prompts as headings.

A document that goes out alone keeps its text exactly; around everything else no words of theirs pass for structure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from recall_tui.domain import Message
from recall_tui.features.context.passages import citation
from recall_tui.features.transfer.items import (
    Aside,
    DocumentOut,
    Out,
    SearchOut,
    SessionOut,
    Step,
    Tally,
    ToolUse,
    steps,
)
from recall_tui.features.transfer.labels import facts_of, masked_words, prompt_heading, search_words, tool_words
from recall_tui.storage.markdown.quoting import Fence, code_span, fenced, quote
from recall_tui.text.cut import one_line, plain
from recall_tui.text.dates import minute
from recall_tui.text.markup import literal, stands_alone

_HEADING = re.compile(r"( {0,3})(#{1,6})(?=[ \t]|$)")
_UNDERLINE = re.compile(r"( {0,3})(?=(?:=+|-+)[ \t]*$)")
_RULE = "***"
"""A rule that is never taken for the line under a heading, or for ours."""
_DEEPER = 2
"""Levels that a heading inside a message stands below the prompts."""


def of_outs(outs: Iterable[Out], tally: Tally, *, is_one: bool) -> Iterator[str]:
    """The text piece by piece; with `is_one` a document is its text and nothing else."""
    for place, out in enumerate(tally.counted(outs)):
        if place:
            yield "\n---\n\n"
        if isinstance(out, SessionOut):
            yield from _session(out)
        elif is_one:
            yield out.text
            return
        else:
            yield from _document(out)
    if tally.masked:
        yield f"\n---\n\n*{masked_words(tally.masked)}*\n"


def of_search(found: SearchOut, asked_at: datetime) -> Iterator[str]:
    """The question, how it was answered, and each hit with its passage and where that stands."""
    answer = found.answer
    yield f"# Search: {literal(one_line(plain(answer.query)))}\n\n*{search_words(found, asked_at)}*\n"
    for place, (hit, text) in enumerate(found.hits, 1):
        heading = f" · {literal(one_line(plain(hit.heading)))}" if hit.heading else ""
        yield f"\n## {place}. {literal(one_line(plain(hit.title)))}\n\n{_quoted(text)}\n"
        yield f"— {code_span(one_line(plain(citation(hit))))} · {hit.kind}{heading}\n"
    if found.masked:
        yield f"\n---\n\n*{masked_words(found.masked)}*\n"


def _document(document: DocumentOut) -> Iterator[str]:
    part = "" if document.is_whole else f":{document.lines[0]}-{document.lines[1]}"
    yield f"# {literal(one_line(plain(document.title)))}\n\n"
    yield f"*{literal(one_line(plain(document.path)))}{part}*\n\n{_words(document.text)}\n"


def _session(session: SessionOut) -> Iterator[str]:
    yield f"# {literal(one_line(plain(session.title)))}\n\n"
    yield from (f"- **{name}**: {literal(value)}\n" for name, value in facts_of(session))
    if session.summary:
        yield f"\n{_quoted(session.summary)}"
    for step in steps(session.messages):
        yield f"\n{_step(step)}"
    if not session.messages:
        yield f"\n{_words(session.text)}\n"


def _step(step: Step) -> str:
    if isinstance(step, ToolUse):
        return _tool(step)
    if isinstance(step, Aside):
        return _folded("Sub-agent", "\n".join(_aside(one) for one in steps(step.as_main())))
    return _message(step)


def _message(message: Message) -> str:
    match message.kind:
        case "prompt" | "command":
            heading, is_all = prompt_heading(message)
            at = f"*{note}*\n\n" if (note := _note(message)) else ""
            return (
                f"## {literal(heading)}\n\n{at}".rstrip("\n") + "\n" + ("" if is_all else f"\n{_quoted(message.text)}")
            )
        case "thought":
            return _folded("Thought", _words(message.text))
        case "compact_summary":
            return _folded("Earlier in this session", _words(message.text))
        case "plan":
            return f"### Plan\n\n{_words(message.text)}\n"
        case _:
            return f"{_words(message.text)}\n"


def _aside(step: Step) -> str:
    """A step of a sub-agent, which makes no heading."""
    if isinstance(step, Message) and step.kind in ("prompt", "command"):
        return f"**Task**\n\n{_words(step.text)}\n"
    return _step(step)


def _note(message: Message) -> str:
    return " · ".join(filter(None, (minute(message.at), "rewound" if message.is_off_chain else "")))


def _tool(use: ToolUse) -> str:
    text = ""
    if use.call is not None:
        name, target = tool_words(use.call)
        text = f"> **{literal(name)}** {code_span(target)}\n" if target else f"> **{literal(name)}**\n"
    if use.result is None or not use.result.text.strip():
        return text
    label = "Error" if use.result.is_error else "Result"
    return f"{text}\n{_folded(label, fenced(plain(use.result.text).strip(chr(10))))}".lstrip("\n")


def _folded(label: str, body: str) -> str:
    return f"<details><summary>{label}</summary>\n\n{body.rstrip()}\n\n</details>\n"


def _words(text: str) -> str:
    """Words of theirs, whose headings stand below ours and whose signs are none of ours; as code where that fails."""
    lowered = _lowered(text)
    return lowered if stands_alone(lowered, _DEEPER) else fenced(plain(text).strip("\n")).rstrip("\n")


def _lowered(text: str) -> str:
    fence = Fence()
    lines: list[str] = []
    for line in plain(text).strip("\n").split("\n"):
        above = lines[-1] if lines else ""
        lines.append(line if fence.holds(line) else _lower(line, above))
    return quote("\n".join(lines))


def _lower(line: str, above: str) -> str:
    if found := _HEADING.match(line):
        return f"{found[1]}{'#' * min(6, len(found[2]) + _DEEPER)}{line[found.end() :]}"
    if above.strip():
        return _UNDERLINE.sub(r"\1\\", line, count=1)
    return _RULE if _UNDERLINE.match(line) and line.strip().startswith("---") else line


def _quoted(text: str) -> str:
    return "".join(f"> {line}".rstrip() + "\n" for line in _lowered(text).split("\n"))
