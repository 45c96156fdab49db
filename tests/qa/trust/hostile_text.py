"""Commands that repeat words of a memory, and the harm that reaches a terminal, JSON or a page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from recall_tui.storage.state import proposals
from recall_tui.workbench import Workbench
from tests.makers import session_id_of
from tests.qa.trust.calling import Came, called
from tests.qa.trust.hostile import escapes
from tests.qa.trust.hostile_memory import WORD

READING: tuple[tuple[str, ...], ...] = (
    ("sync",), ("status",), ("dashboard",), ("list",), ("list", "all"), ("read", "2026-03-05"), ("read", "2026-W09"),
    ("read", "2026-02"), ("read", "evil"), ("read", "wisdom"), ("show", "memory"), ("show", "1"), ("show", "topic"),
    ("show", session_id_of(1)), ("search", WORD), ("search", "-C", "2", WORD), ("search", "--ranked", WORD),
    ("search", "--ranked", "--explain", "--passages", WORD), ("recall", WORD), ("recall", "--raw", WORD), ("recall",),
    ("consume",), ("consume", "--markers"), ("distill",), ("distill", "--apply", "all", "--dry-run"),
    ("compact", "memory", "--dry-run"), ("compact", "all", "--dry-run"), ("wiki", "list"), ("wiki", "show", "evil"),
    ("wiki", "show", "broken"), ("wiki", "show", "moved"), ("wiki", "lint"), ("wiki", "knowledge-map"),
    ("wiki", "targets"), ("wiki", "status"), ("wiki", "rebuild", "evil", "--dry-run"), ("dream", "--dry-run"),
    ("wiki", "migrate-typed-memories", "--dry-run"), ("wiki", "migrate-insights", "--dry-run"), ("dream", "status"),
    ("dream", "--phase", "gather"), ("dream", "--phase", "analyze"), ("review",), ("review", "list", "--all"),
    ("review", "show", "{proposal}"), ("review", "accept", "{proposal}", "--dry-run"), ("undo", "--list"),
    ("index", "status"), ("add", "{root}/memory/MEMORY.md"), ("doctor",), ("doctor", "--deep"), ("redact", "--check"),
    ("config", "show"), ("ledger", "--calls"), ("agents", "--log"), ("synthesize", "--dry-run"),
    ("migrate", "--dry-run"), ("forget", "1", "--dry-run"), ("archive", "--all-unarchived"), ("status",),
    ("dashboard",), ("list", "all"), ("undo", "--list"), ("consume",), ("show", "2"), ("search", "--ranked", WORD),
)  # fmt: skip
"""The commands that say something of a memory, then a capture, and what is said of that."""
_PROGRESS = re.compile(r"\r[^\r\n]*?\x1b\[K|\r")
"""A line that is written over and over while something takes long; its words are ours."""
_SURROGATE = re.compile("[\ud800-\udfff]")
"""Half a character, of which other readers of JSON make an error."""


def called_on(bench: Workbench, *words: str, **more: Any) -> Came:
    """Call a command on the memory."""
    given = [word.replace("{root}", str(bench.layout.root)) for word in words]
    if "{proposal}" in given:
        given[given.index("{proposal}")] = proposals.list_all(bench.store)[0].id
    came = called(bench.store.environment, "--root", str(bench.layout.root), *given, **more)
    assert "Traceback" not in came.err and "--verbose" not in came.err, (words, came.err[-2000:])
    return came


def harmful(bench: Workbench, words: tuple[str, ...]) -> list[str]:
    """What a command lets through to a terminal, to a person who reads its narration, or into its JSON."""
    shown = called_on(bench, "--no-color", *words, on_terminal=True)
    found = escapes(_PROGRESS.sub("", shown.out)) + escapes(_PROGRESS.sub("", shown.err))
    as_json = called_on(bench, "--json", *words)
    found += escapes(as_json.err)
    if as_json.raw.strip():
        told = json.loads(as_json.raw.decode("utf-8"))
        found += [repr(one) for one in _SURROGATE.findall(json.dumps(told, ensure_ascii=False))]
        found += [repr(char) for char in as_json.out if char < " " and char != "\n"]
    else:
        assert as_json.code, words
    return [f"{' '.join(words)}: {one}" for one in found]


SAYING: tuple[tuple[str, ...], ...] = (
    ("config",), ("config", "get", "wiki.shared"), ("config", "get", "llm.api_base"), ("wiki", "targets"), ("doctor",),
    ("status",), ("ledger",), ("recall", WORD), ("wiki", "list", "--all"), ("config", "trust", "--yes"), ("config",),
    ("wiki", "targets"), ("doctor",), ("status",), ("recall", WORD), ("ledger",),
)  # fmt: skip
"""The commands that say something of the settings, before and after they were confirmed."""


class Page(HTMLParser):
    """A page as a browser takes it apart: its tags with their attributes, and what stands in its styles."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.styles: list[str] = []
        self._is_style = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        self._is_style = tag == "style"

    def handle_endtag(self, tag: str) -> None:
        self._is_style = False

    def handle_data(self, data: str) -> None:
        (self.styles if self._is_style else self.words).append(data)

    @property
    def harm(self) -> Iterator[str]:
        """What a browser would run, or fetch from elsewhere."""
        for tag, values in self.tags:
            if tag not in _TAGS:
                yield f"<{tag}>"
            for name, value in values.items():
                if name.startswith("on") or name in ("style", "src", "srcset", "srcdoc", "action", "formaction"):
                    yield f"<{tag} {name}={value!r}>"
                if name in ("href", "xlink:href") and not re.match(r"(?:https?:|mailto:|#)", value):
                    yield f"<{tag} {name}={value!r}>"
                if name == "http-equiv" and value != "Content-Security-Policy":
                    yield f"<{tag} {name}={value!r}>"
        if len(self.styles) != 1 or "@import" in self.styles[0] or "url(" in self.styles[0]:
            yield "a style"


_TAGS = frozenset(
    (
        "html", "head", "meta", "title", "style", "body", "main", "header", "footer", "nav", "section",
        "article", "details", "summary", "h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "a",
        "pre", "code", "b", "blockquote", "em", "strong", "s", "hr", "br", "table", "thead", "tbody", "tr",
        "th", "td", "time", "span", "div", "dl", "dt", "dd",
    )
)  # fmt: skip
"""That a page of ours has, none of which runs or fetches anything by itself."""


def pages(bench: Workbench, folder: Path, ending: str) -> Iterator[str]:
    """Exports of every kind of thing in the format."""
    things = [("memory",), ("evil",), ("1",), ("topic",), (session_id_of(1),), ("--search", WORD)]
    for number, words in enumerate([*things, ("memory", "evil", "1", session_id_of(1))]):
        path = folder / f"{number}.{ending}"
        assert called_on(bench, "export", *words, "--to", str(path)).code == 0, words
        yield path.read_text(encoding="utf-8", errors="surrogateescape")
