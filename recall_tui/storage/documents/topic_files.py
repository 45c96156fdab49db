"""Topic files: content too long for MEMORY.md, one markdown file per topic.

A topic's name is a plain file name, valid on every file system and never that of a fixed document, in any case.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container
from pathlib import Path

from recall_tui.errors import UsageError
from recall_tui.storage.files.symlinks import link_check
from recall_tui.storage.layout import Layout
from recall_tui.text.lazy_pattern import lazy_pattern

MAX_NAME_CHARS = 60
"""The longest name without `.md`; 60 characters of four bytes still fit the 255 bytes of a file name."""
_RESERVED_NAMES = frozenset({"memory", "archive", "ephemeral", "wisdom", "dreams", "identity", "master"})
_WINDOWS_DEVICE = lazy_pattern(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\..*)?")
_DATE_NAME = lazy_pattern(r"\d{4}-(?:\d{2}(?:-\d{2})?|w\d{1,2}|q\d)")


def topic_name(title: str, taken: Container[str]) -> str:
    """Return a file name for a topic: `API & Auth` → `api-auth.md`, with `-2`, `-3` … when it is taken.

    `taken` holds lower-case names, as returned by `existing_names`.
    """
    stem = _slug(title) or "notes"
    if _DATE_NAME.fullmatch(stem):
        stem = f"notes-{stem}"
    name, number = f"{stem}.md", 1
    while name in taken or not is_topic(name):
        number += 1
        tail = f"-{number}"
        name = f"{stem[: MAX_NAME_CHARS - len(tail)].rstrip('-')}{tail}.md"
    return name


def is_topic(name: str) -> bool:
    """Return whether a topic file may have this name: no fixed document, day, week or month, and nothing reserved."""
    folded = unicodedata.normalize("NFC", name).casefold()
    stem = folded.removesuffix(".md")
    if (
        folded == stem
        or stem.startswith(".")
        or stem in _RESERVED_NAMES
        or _DATE_NAME.fullmatch(stem)
        or is_device(stem)
    ):
        return False
    return bool(stem.strip(" .")) and not re.search(r'[/\\:*?"<>|\x00-\x1f\x7f]', stem)


def is_device(stem: str) -> bool:
    """Return whether Windows treats a file of this lower-case name as a device, whatever its extension."""
    return _WINDOWS_DEVICE.fullmatch(stem) is not None


def list_topics(layout: Layout) -> tuple[Path, ...]:
    """Return the topic files of a memory, by name."""
    fixed = {path.name.casefold() for path in layout.fixed_files()}
    if not layout.topics.is_dir():
        return ()
    is_shut = link_check(layout)
    return tuple(
        path
        for path in sorted(layout.topics.iterdir())
        if is_topic(path.name) and path.name.casefold() not in fixed and path.is_file() and not is_shut(path)
    )


def existing_names(layout: Layout) -> set[str]:
    """Return all names in the topics folder, in lower case."""
    if not layout.topics.is_dir():
        return set()
    return {unicodedata.normalize("NFC", path.name).casefold() for path in layout.topics.iterdir()}


def find_topic(layout: Layout, name: str) -> Path:
    """Return the path of the topic file `name`, with or without `.md`, existing or not.

    Raises UsageError when no topic file may have that name.
    """
    folder = layout.topics.relative_to(layout.root).as_posix() + "/"
    bare = name.strip().removeprefix("./").removeprefix(folder)
    bare = bare if bare.casefold().endswith(".md") else f"{bare}.md"
    if len(bare) > MAX_NAME_CHARS + len(".md") or not is_topic(bare):
        raise UsageError(f"{name!r} cannot be a topic file", hint="a plain name such as debugging.md")
    wanted = unicodedata.normalize("NFC", bare).casefold()
    for path in list_topics(layout):
        if unicodedata.normalize("NFC", path.name).casefold() == wanted:
            return path
    return layout.topics / bare


def _slug(title: str) -> str:
    """Return `title` in lower case, Latin letters without accents, words joined by `-`; other scripts unchanged."""
    kept: list[str] = []
    for char in unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", title).casefold()):
        plain = unicodedata.normalize("NFKD", char)[0].lower()
        if plain.isascii():
            kept.append(plain if plain.isalnum() else "-")
        elif unicodedata.category(char)[0] == "M":
            kept.append("" if not kept or kept[-1].isascii() else char)
        else:
            kept.append(char if char.isalnum() else "-")
    words = re.sub("-+", "-", "".join(kept)).strip("-")
    return words[:MAX_NAME_CHARS].strip("-")
