"""An export as one HTML page that needs nothing beside it: sessions as conversations, tools folded.

Every word of theirs is escaped or rendered as Markdown without HTML; the page's own marks are written here alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain

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
from recall_tui.resources import read_template
from recall_tui.storage.markdown.frontmatter import split_frontmatter
from recall_tui.storage.markdown.outline import find_comments, line_kinds, split_lines
from recall_tui.text.cut import shorten
from recall_tui.text.dates import iso_minute
from recall_tui.text.html_text import escape_html, page_end, page_start, render_markdown
from recall_tui.text.session_line import session_line

_HEADING_OFFSET = 2
"""Levels that a heading inside a message stands below the prompts."""
_MIN_CHAPTERS = 3
"""Fewer prompts than these need no list of them."""
_MAX_TITLE_CHARS = 120


def render_items(outs: Iterable[ExportedItem], tally: ExportCounts, title: str) -> Iterator[str]:
    """The page piece by piece; what is in it is listed on top. Without a `title` it has that of its first part."""
    outs = iter(outs)
    first = next(outs, None)
    outs = outs if first is None else chain((first,), outs)
    yield page_start(title or (first.title if first else ""), read_template("export/page.css"))
    titles: list[tuple[str, str]] = []
    chapters: list[tuple[str, str]] = []
    for place, out in enumerate(tally.counted(outs), 1):
        own = f"n{place}"
        titles.append((own, session_line(out.label, None) if isinstance(out, ExportedSession) else out.title))
        if isinstance(out, ExportedSession):
            chapters = _split_chapters(out, own)
            yield from _render_session(out, own)
        else:
            chapters = []
            yield from _render_document(out, own)
    listed = titles if len(titles) > 1 else chapters if len(chapters) >= _MIN_CHAPTERS else []
    yield _render_footer(tally.masked)
    yield _render_contents(listed)
    yield page_end()


def render_search(found: ExportedSearch, asked_at: datetime) -> Iterator[str]:
    """The question, how it was answered, and each hit with its passage and where that stands."""
    query = found.answer.query
    yield page_start(f"Search: {shorten(query, _MAX_TITLE_CHARS)}", read_template("export/page.css"))
    yield f'<h1>Search: {escape_html(query)}</h1>\n<p class="quiet">{escape_html(search_label(found, asked_at))}</p>\n'
    for place, (hit, text) in enumerate(found.hits, 1):
        heading = f" · {escape_html(hit.heading)}" if hit.heading else ""
        shown, citation = render_markdown(text, deeper=_HEADING_OFFSET), escape_html(passage_citation(hit))
        yield f'<h2>{place}. {escape_html(hit_heading(hit))}</h2>\n<div class="passage">\n{shown}</div>\n'
        yield f'<p class="quiet"><code>{citation}</code> · {escape_html(hit.kind)}{heading}</p>\n'
    yield _render_footer(found.masked)
    yield page_end()


def _render_document(document: ExportedDocument, own: str) -> Iterator[str]:
    part = "" if document.is_whole else f":{document.lines[0]}-{document.lines[1]}"
    yield f'<article id="{own}">\n<header>\n<p class="quiet">{escape_html(document.path)}{part}</p>\n</header>\n'
    yield _render_body(document.text, deeper=0)
    yield "</article>\n"


def _render_body(text: str, deeper: int) -> str:
    """A document's text; its frontmatter is shown as it is, and comments that stand alone are left out."""
    values, body = split_frontmatter(text)
    head = text[: len(text) - len(body)].strip() if values else ""
    lines = split_lines(body)
    gone = {at for first, end in find_comments(lines, line_kinds(lines)) for at in range(first, end)}
    shown = render_markdown("".join(line for at, line in enumerate(lines) if at not in gone), deeper=deeper)
    return (f"<pre>{escape_html(head)}</pre>\n" if head else "") + shown


def _render_session(session: ExportedSession, own: str) -> Iterator[str]:
    facts = "".join(f"<dt>{name}</dt><dd>{escape_html(value)}</dd>\n" for name, value in session_label(session))
    yield f'<article id="{own}">\n<header>\n<h1>{escape_html(session.title)}</h1>\n<dl>\n{facts}</dl>\n'
    yield (f"<p>{escape_html(session.summary)}</p>\n" if session.summary else "") + "</header>\n"
    place = 0
    for step in group_steps(session.messages):
        if _is_prompt(step):
            place += 1
        yield _render_step(step, f"{own}-{place}")
    if not session.messages:
        yield _render_body(session.text, deeper=1)
    yield "</article>\n"


def _split_chapters(session: ExportedSession, own: str) -> list[tuple[str, str]]:
    prompts = [step for step in group_steps(session.messages) if isinstance(step, Message) and _is_prompt(step)]
    return [(f"{own}-{place}", prompt_heading(prompt)[0]) for place, prompt in enumerate(prompts, 1)]


def _is_prompt(step: ConversationStep) -> bool:
    return isinstance(step, Message) and step.kind in ("prompt", "command")


def _render_step(step: ConversationStep, own: str = "") -> str:
    if isinstance(step, ToolUse):
        return _render_tool(step)
    if isinstance(step, SubagentSection):
        return _render_details("Sub-agent", "".join(_render_subagent_step(one) for one in group_steps(step.as_main())))
    return _render_message(step, own)


def _render_message(message: Message, own: str) -> str:
    off = ' class="rewound"' if message.is_off_chain else ""
    match message.kind:
        case "prompt" | "command":
            heading, is_all = prompt_heading(message)
            said = "" if is_all else _render_text(message)
            return f'<h2 id="{own}"{off}>{escape_html(heading)}</h2>\n{_render_time(message)}{said}'
        case "thought":
            return _render_details("Thought", render_markdown(message.text, deeper=_HEADING_OFFSET))
        case "compact_summary":
            return _render_details("Earlier in this session", render_markdown(message.text, deeper=_HEADING_OFFSET))
        case "plan":
            return f"<h3>Plan</h3>\n<div{off}>\n{render_markdown(message.text, deeper=_HEADING_OFFSET)}</div>\n"
        case _:
            return f"<div{off}>\n{render_markdown(message.text, deeper=_HEADING_OFFSET)}</div>\n"


def _render_subagent_step(step: ConversationStep) -> str:
    """A step of a sub-agent, which makes no heading."""
    if isinstance(step, Message) and _is_prompt(step):
        return f"<p><b>Task</b></p>\n{_render_text(step)}"
    return _render_step(step)


def _render_text(message: Message) -> str:
    return f'<div class="said">\n{render_markdown(message.text, deeper=_HEADING_OFFSET, keeps_lines=True)}</div>\n'


def _render_time(message: Message) -> str:
    words = " · ".join(filter(None, (iso_minute(message.at), "rewound" if message.is_off_chain else "")))
    return f"<p><time>{words}</time></p>\n" if words else ""


def _render_tool(use: ToolUse) -> str:
    """A tool, folded: its name and what it acted on stay to be seen, its result opens."""
    label = "Error" if use.result is not None and use.result.is_error else "Result"
    if use.call is not None:
        name, target = tool_label(use.call)
        failed = " · error" if label == "Error" else ""
        label = f"<b>{escape_html(name)}</b>" + (f" <code>{escape_html(target)}</code>" if target else "") + failed
    result = use.result.text.strip("\n") if use.result is not None else ""
    return _render_details(
        label, f"<pre>{escape_html(result)}</pre>\n" if result else '<p class="quiet">no result was kept</p>\n'
    )


def _render_details(label: str, body: str) -> str:
    return f"<details><summary>{label}</summary>\n{body}</details>\n"


def _render_footer(masked: int) -> str:
    return f"<footer>{masked_label(masked)}</footer>\n" if masked else ""


def _render_contents(listed: list[tuple[str, str]]) -> str:
    if not listed:
        return ""
    rows = "".join(f'<li><a href="#{own}">{escape_html(title)}</a></li>\n' for own, title in listed)
    return f"<nav>\n<ol>\n{rows}</ol>\n</nav>\n"
