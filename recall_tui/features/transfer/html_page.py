"""An export as one HTML page that needs nothing beside it: sessions as conversations, tools folded.

Every word of theirs is escaped or rendered as Markdown without HTML; the page's own marks are written here alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain

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
from recall_tui.resources import template
from recall_tui.storage.markdown.frontmatter import split
from recall_tui.storage.markdown.outline import comments, kinds, lines_of
from recall_tui.text.cut import cut
from recall_tui.text.dates import minute
from recall_tui.text.html_text import escaped, page_end, page_start, rendered

_DEEPER = 2
"""Levels that a heading inside a message stands below the prompts."""
_FEWEST_CHAPTERS = 3
"""Fewer prompts than these need no list of them."""
_TITLE_CHARACTERS = 120


def of_outs(outs: Iterable[Out], tally: Tally, title: str) -> Iterator[str]:
    """The page piece by piece; what is in it is listed on top. Without a `title` it has that of its first part."""
    outs = iter(outs)
    first = next(outs, None)
    outs = outs if first is None else chain((first,), outs)
    yield page_start(title or (first.title if first else ""), template("export/page.css"))
    titles: list[tuple[str, str]] = []
    chapters: list[tuple[str, str]] = []
    for place, out in enumerate(tally.counted(outs), 1):
        own = f"n{place}"
        titles.append((own, out.title))
        if isinstance(out, SessionOut):
            chapters = _chapters(out, own)
            yield from _session(out, own)
        else:
            chapters = []
            yield from _document(out, own)
    listed = titles if len(titles) > 1 else chapters if len(chapters) >= _FEWEST_CHAPTERS else []
    yield _footer(tally.masked)
    yield _contents(listed)
    yield page_end()


def of_search(found: SearchOut, asked_at: datetime) -> Iterator[str]:
    """The question, how it was answered, and each hit with its passage and where that stands."""
    query = found.answer.query
    yield page_start(f"Search: {cut(query, _TITLE_CHARACTERS)}", template("export/page.css"))
    yield f'<h1>Search: {escaped(query)}</h1>\n<p class="quiet">{escaped(search_words(found, asked_at))}</p>\n'
    for place, (hit, text) in enumerate(found.hits, 1):
        heading = f" · {escaped(hit.heading)}" if hit.heading else ""
        yield f'<h2>{place}. {escaped(hit.title)}</h2>\n<div class="passage">\n{rendered(text, deeper=_DEEPER)}</div>\n'
        yield f'<p class="quiet"><code>{escaped(citation(hit))}</code> · {escaped(hit.kind)}{heading}</p>\n'
    yield _footer(found.masked)
    yield page_end()


def _document(document: DocumentOut, own: str) -> Iterator[str]:
    part = "" if document.is_whole else f":{document.lines[0]}-{document.lines[1]}"
    yield f'<article id="{own}">\n<header>\n<p class="quiet">{escaped(document.path)}{part}</p>\n</header>\n'
    yield _body(document.text, deeper=0)
    yield "</article>\n"


def _body(text: str, deeper: int) -> str:
    """A document's text; its frontmatter is shown as it is, and comments that stand alone are left out."""
    values, body = split(text)
    head = text[: len(text) - len(body)].strip() if values else ""
    lines = lines_of(body)
    gone = {at for first, end in comments(lines, kinds(lines)) for at in range(first, end)}
    shown = rendered("".join(line for at, line in enumerate(lines) if at not in gone), deeper=deeper)
    return (f"<pre>{escaped(head)}</pre>\n" if head else "") + shown


def _session(session: SessionOut, own: str) -> Iterator[str]:
    facts = "".join(f"<dt>{name}</dt><dd>{escaped(value)}</dd>\n" for name, value in facts_of(session))
    yield f'<article id="{own}">\n<header>\n<h1>{escaped(session.title)}</h1>\n<dl>\n{facts}</dl>\n'
    yield (f"<p>{escaped(session.summary)}</p>\n" if session.summary else "") + "</header>\n"
    place = 0
    for step in steps(session.messages):
        if _is_prompt(step):
            place += 1
        yield _step(step, f"{own}-{place}")
    if not session.messages:
        yield _body(session.text, deeper=1)
    yield "</article>\n"


def _chapters(session: SessionOut, own: str) -> list[tuple[str, str]]:
    prompts = [step for step in steps(session.messages) if isinstance(step, Message) and _is_prompt(step)]
    return [(f"{own}-{place}", prompt_heading(prompt)[0]) for place, prompt in enumerate(prompts, 1)]


def _is_prompt(step: Step) -> bool:
    return isinstance(step, Message) and step.kind in ("prompt", "command")


def _step(step: Step, own: str = "") -> str:
    if isinstance(step, ToolUse):
        return _tool(step)
    if isinstance(step, Aside):
        return _folded("Sub-agent", "".join(_aside(one) for one in steps(step.as_main())))
    return _message(step, own)


def _message(message: Message, own: str) -> str:
    off = ' class="rewound"' if message.is_off_chain else ""
    match message.kind:
        case "prompt" | "command":
            heading, is_all = prompt_heading(message)
            said = "" if is_all else _said(message)
            return f'<h2 id="{own}"{off}>{escaped(heading)}</h2>\n{_time(message)}{said}'
        case "thought":
            return _folded("Thought", rendered(message.text, deeper=_DEEPER))
        case "compact_summary":
            return _folded("Earlier in this session", rendered(message.text, deeper=_DEEPER))
        case "plan":
            return f"<h3>Plan</h3>\n<div{off}>\n{rendered(message.text, deeper=_DEEPER)}</div>\n"
        case _:
            return f"<div{off}>\n{rendered(message.text, deeper=_DEEPER)}</div>\n"


def _aside(step: Step) -> str:
    """A step of a sub-agent, which makes no heading."""
    if isinstance(step, Message) and _is_prompt(step):
        return f"<p><b>Task</b></p>\n{_said(step)}"
    return _step(step)


def _said(message: Message) -> str:
    return f'<div class="said">\n{rendered(message.text, deeper=_DEEPER, keeps_lines=True)}</div>\n'


def _time(message: Message) -> str:
    words = " · ".join(filter(None, (minute(message.at), "rewound" if message.is_off_chain else "")))
    return f"<p><time>{words}</time></p>\n" if words else ""


def _tool(use: ToolUse) -> str:
    """A tool, folded: its name and what it acted on stay to be seen, its result opens."""
    label = "Error" if use.result is not None and use.result.is_error else "Result"
    if use.call is not None:
        name, target = tool_words(use.call)
        failed = " · error" if label == "Error" else ""
        label = f"<b>{escaped(name)}</b>" + (f" <code>{escaped(target)}</code>" if target else "") + failed
    result = use.result.text.strip("\n") if use.result is not None else ""
    return _folded(label, f"<pre>{escaped(result)}</pre>\n" if result else '<p class="quiet">no result was kept</p>\n')


def _folded(label: str, body: str) -> str:
    return f"<details><summary>{label}</summary>\n{body}</details>\n"


def _footer(masked: int) -> str:
    return f"<footer>{masked_words(masked)}</footer>\n" if masked else ""


def _contents(listed: list[tuple[str, str]]) -> str:
    if not listed:
        return ""
    rows = "".join(f'<li><a href="#{own}">{escaped(title)}</a></li>\n' for own, title in listed)
    return f"<nav>\n<ol>\n{rows}</ol>\n</nav>\n"
