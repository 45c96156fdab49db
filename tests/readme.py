"""The command lines in the pages that ship: their blocks for a shell, and the commands in their sentences.

A line is taken as it stands; only what follows a ` #` is a person's remark.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parents[1]
PAGES = (
    "README.md",
    *(
        f"docs/{name}.md"
        for name in ("getting-started", "tour", "agents", "concepts", "search", "recovery", "curation")
    ),
    *(f"docs/{name}.md" for name in ("export", "models", "commands", "keys", "settings", "python", "benchmarks")),
    "SECURITY.md",
)
"""The pages for users, in the order in which their lines are typed."""
_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_GENERATED = re.compile(r"<!-- begin: (\w+) -->.*?<!-- end: \1 -->", re.DOTALL)
_SPAN = re.compile(r"`((?:recall-tui |recall-tui(?=`)|make |pip install |python tests/\S+)[^`]*)`")
_REMARK = re.compile(r"\s+# .*$")


class Typed(NamedTuple):
    """One line that a reader would type."""

    page: str
    heading: str
    """The `##` section it stands in."""
    line: str
    is_in_block: bool
    """Whether it stands in a block; else it is named in a sentence."""

    @property
    def words(self) -> list[str]:
        """The words as a shell splits them."""
        return shlex.split(self.line)


def text_of(page: str) -> str:
    """The page."""
    return (CHECKOUT / page).read_text(encoding="utf-8")


def typed(page: str) -> Iterator[Typed]:
    """Every line of the page, in its order; within a section those of blocks come first."""
    for section in re.split(r"^## ", text_of(page), flags=re.MULTILINE):
        heading, _, body = section.partition("\n")
        for block in _BLOCK.findall(body):
            for line in block.splitlines():
                if command := _REMARK.sub("", line).strip():
                    yield Typed(page, heading, command, True)
        for span in _SPAN.findall(_FENCED.sub("", _GENERATED.sub("", body))):
            yield Typed(page, heading, " ".join(span.split()), False)


def everything_typed() -> list[Typed]:
    """Every line of every page."""
    return [one for page in PAGES if (CHECKOUT / page).exists() for one in typed(page)]
