"""Documents in which secrets stand: files, prints of tools, traces and logs.

A form is a template in which `@NAME@`, `@name@`, `@camelName@`, `@PascalName@`, `@dash-name@` and `@dot.name@` are the
name of the secret in that spelling, and `@S@` is the mark of its value. A wrap changes a whole document: a listing with
line numbers, a diff, JSON inside JSON.

The folders `corpus/dev`, `held`, `second` and `third` hold a line per kind in `rows.txt` (kind | origin | source |
name | spec | times) and blocks under a `§` line in `forms.txt` (name | named or bare | wrap) and in `documents.txt`
(kind | origin | source | form | wrap). `␉`, `␛` and `␍` are a tab, an escape and a carriage return.
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from urllib.parse import quote

from tests.qa.trust.corpus_values import SEED, write


def _numbered(text: str) -> str:
    return "\n".join(f"{number:>6}→{line}" for number, line in enumerate(text.split("\n"), 1))


def _cat(text: str) -> str:
    return "\n".join(f"{number:>6}\t{line}" for number, line in enumerate(text.split("\n"), 1))


def _diff(text: str) -> str:
    lines = "\n".join(f"+{line}" for line in text.split("\n"))
    return f"diff --git a/etc/settings b/etc/settings\n--- a/etc/settings\n+++ b/etc/settings\n@@ -1,2 +1,9 @@\n{lines}"


def _actions(text: str) -> str:
    stamps = (f"2025-03-04T10:22:{31 + at % 25}.77{at:02}345Z {line}" for at, line in enumerate(text.split("\n")))
    return "\n".join(stamps)


def _coloured(text: str) -> str:
    return "\n".join(f"\x1b[90m14:02:11\x1b[39m \x1b[36m{line}\x1b[0m" for line in text.split("\n"))


def _service(text: str) -> str:
    return "\n".join(f"api-1  | {line}" for line in text.split("\n"))


WRAPS: dict[str, Callable[[str], str]] = {
    "": lambda text: text,
    "listing": _numbered,
    "cat -n": _cat,
    "diff": _diff,
    "actions log": _actions,
    "coloured log": _coloured,
    "compose log": _service,
    "JSON in JSON": lambda text: json.dumps({"type": "tool_result", "content": text}),
    "JSON twice in JSON": lambda text: json.dumps({"event": json.dumps({"stdout": text})}),
    "HTML": lambda text: f"<pre class='output'>{html.escape(text)}</pre>",
    "quoted mail": lambda text: "\n".join(f"> {line}" for line in text.split("\n")),
    "URL-encoded": lambda text: "POST /hook HTTP/1.1\r\n\r\npayload=" + quote(text, safe=""),
    "double URL-encoded": lambda text: "GET /jump?to=" + quote("https://a.example.net/cb?" + quote(text), safe=""),
}


@dataclass(frozen=True, slots=True)
class Specimen:
    """A text with the values that no redacted copy of it may hold."""

    kind: str
    origin: str
    source: str
    form: str
    text: str
    masked: str
    needles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """A template for any secret; a bare one shows the value without its name."""

    name: str
    is_bare: bool
    wrap: str
    template: str


@dataclass(frozen=True, slots=True)
class Row:
    """A kind of secret with its usual name and shape; it stands in some of the half's forms."""

    kind: str
    origin: str
    source: str
    name: str
    spec: str
    times: str = "2"

    @property
    def is_prefixed(self) -> bool:
        """Say if the value is recognisable without a name beside it."""
        prefix = self.spec.replace("¦", "").partition("‹")[0]
        return len(prefix) >= 3 and any(map(str.isalpha, prefix)) and prefix not in NEED_A_NAME


NEED_A_NAME = ("live_", "sdk-", "key-", "pat", "API-", "4b1d", "dG9rOg")
"""Prefixes too common to tell a secret by."""


@dataclass(frozen=True, slots=True)
class Document:
    """A whole document of its own with marked secrets."""

    kind: str
    origin: str
    source: str
    form: str
    wrap: str
    template: str


def _blocks(file: Path) -> list[tuple[list[str], str]]:
    """Return the head and the body of each block that begins with `§`."""
    text = file.read_text(encoding="utf-8").translate({0x2409: "\t", 0x241B: "\x1b", 0x240D: "\r"})
    blocks = []
    for block in text.removeprefix("§ ").split("\n§ "):
        head, _, body = block.partition("\n")
        blocks.append((head.split(" | "), body.removesuffix("\n")))
    return blocks


def _spelled(template: str, name: str, spec: str) -> str:
    words = name.lower().split("_")
    pascal = "".join(word.title() for word in words)
    spellings = {
        "@NAME@": name,
        "@name@": name.lower(),
        "@camelName@": pascal[0].lower() + pascal[1:],
        "@PascalName@": pascal,
        "@dash-name@": "-".join(words),
        "@dot.name@": ".".join(words),
        "@S@": f"⟦{spec}⟧",
        "@url@": f"⟦url|{spec}⟧",
        "@grep@": f"⟦grep|{spec}⟧",
        "@lit@": f"⟦lit|{spec}⟧",
        "@b64@": f"⟦b64|{spec}⟧",
    }
    for spelling, value in spellings.items():
        template = template.replace(spelling, value)
    return template


def specimens(half: str, seed: str = SEED, *, in_all_forms: bool = False) -> list[Specimen]:
    """Return every row of the part, such as `dev`, in its forms, taken in turn or all, and every document."""
    folder = Path(__file__).parent / "corpus" / half
    rows = [Row(*line.split(" | ")) for line in (folder / "rows.txt").read_text(encoding="utf-8").splitlines()]
    forms = [
        Form(head[0], head[1] == "bare", head[2] if len(head) > 2 else "", body)
        for head, body in _blocks(folder / "forms.txt")
    ]
    documents = []
    turns = {True: 0, False: 0}
    for row in rows:
        choice = [form for form in forms if row.is_prefixed or not form.is_bare]
        for _ in range(len(choice) if in_all_forms else int(row.times)):
            form = choice[turns[row.is_prefixed] % len(choice)]
            turns[row.is_prefixed] += 1
            template = _spelled(form.template, row.name, row.spec)
            documents.append(Document(row.kind, row.origin, row.source, form.name, form.wrap, template))
    for head, body in _blocks(folder / "documents.txt"):
        kind, origin, source, where, *wrap = head
        documents.append(Document(kind, origin, source, where, "".join(wrap), body))
    return [_specimen(f"{seed}/{half}/{at}", document) for at, document in enumerate(documents)]


def _specimen(seed: str, document: Document) -> Specimen:
    written = write(document.template, Random(seed), WRAPS[document.wrap])
    return Specimen(
        kind=document.kind,
        origin=document.origin,
        source=document.source,
        form=document.form,
        text=written.text,
        masked=written.masked,
        needles=written.needles,
    )
