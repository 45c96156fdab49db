"""Our entries in a list of a YAML file that a person keeps, such as `read:` in `.aider.conf.yml`.

The text is cut and joined where a YAML parser says that things stand, so comments, order and form stay. What comes
out is read again and must say exactly what was meant, else the file is refused and left alone.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from recall_tui.agents.pieces.yaml_text import (
    ENTRY_MARK,
    broken_yaml,
    content_end,
    find_key,
    has_other_line_ends,
    line_end_at,
    parse_yaml,
)
from recall_tui.agents.target import State
from recall_tui.errors import BrokenFileError
from recall_tui.storage.markdown.outline import line_ending
from recall_tui.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from yaml import Node

    from recall_tui.agents.target import Piece

_PLAIN_SCALAR = lazy_pattern(r"[A-Za-z/~][A-Za-z0-9_./~-]*")
_SCALAR_MARK = "  # recall-tui: was no list"
"""Behind a list that was a single value before."""
_NEW_KEY_MARK = lazy_pattern(r"[ \t]+# recall-tui: (new|[01])[ \t]*\r?$")
"""Behind a key that was not there before: whether the file was, and the line ends put before it."""


@dataclass(frozen=True, slots=True)
class YamlListEntry:
    """Entries of one list at the top of a YAML file."""

    path: Path
    what: str
    key: str
    entries: tuple[str, ...]
    """Paths, the first of a file of our own."""

    def state(self, text: str | None) -> State:
        """Outdated when some are missing, or when entries for another memory are there.

        BrokenFileError, with the line, when the file is no YAML or the key holds no list of words.
        """
        own = self._own(_parse_list(text or "", self.key, self.path))
        if not own:
            return State.ABSENT
        return State.CURRENT if set(own) == set(self.entries) else State.OUTDATED

    def installed(self, text: str | None) -> str:
        """The text with each entry once, after those of the person."""
        if text is not None and self.state(text) is State.CURRENT:
            return text
        result = self._without_old(text) if text is not None else None
        for entry in self.entries:
            there = _parse_list(result or "", self.key, self.path)
            if entry not in there.values:
                result = _check_edit(self, result, _add_entry(result, there, self.key, entry), (*there.values, entry))
        return self._without_old(result or "")

    def removed(self, text: str) -> str | None:
        """The text without them; None when the file was made for them and holds nothing else."""
        for entry in dict.fromkeys((*self.entries, *self._own(_parse_list(text, self.key, self.path)))):
            there = _parse_list(text, self.key, self.path)
            while entry in there.values:
                shorter = self._without(text, there, entry)
                if shorter is None:
                    return None
                text, there = shorter, _parse_list(shorter, self.key, self.path)
        return text

    def _own(self, there: _YamlList) -> tuple[str, ...]:
        """Those that we wrote, for this memory or another: what is marked, and what follows our own file as ours do."""
        values = there.values
        start = values.index(self.entries[0]) if self.entries[0] in values else len(values)
        following = {
            start + place
            for place, (value, entry) in enumerate(zip(values[start:], self.entries, strict=False))
            if Path(value).name == Path(entry).name
        }
        return tuple(
            item.value
            for at, item in enumerate(there.items)
            if item.is_ours or item.value in self.entries or at in following
        )

    def _without_old(self, text: str) -> str:
        """The text without entries for another memory; the last of a list stays until one for this memory is there."""
        for entry in self._own(_parse_list(text, self.key, self.path)):
            there = _parse_list(text, self.key, self.path)
            if entry not in self.entries and len(there.items) > 1:
                text = self._without(text, there, entry) or text
        return text

    def _without(self, text: str, there: _YamlList, entry: str) -> str | None:
        at = there.values.index(entry)
        shorter = _remove_entry(text, there, at)
        left = (*there.values[:at], *there.values[at + 1 :])
        return None if shorter is None else _check_edit(self, text, shorter, left)


class _Item(NamedTuple):
    value: str
    start: int
    end: int
    is_ours: bool


class _YamlList(NamedTuple):
    """The key and what it holds, and where."""

    form: str
    """`missing`, `empty` (a key alone), `one`, `flow` or `block`."""
    items: tuple[_Item, ...] = ()
    key_start: int = 0
    start: int = 0
    end: int = 0
    indent: int = 0
    rest: Any = None
    """Everything else that the file says."""

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(item.value for item in self.items)


def _parse_list(text: str, key: str, path: Path) -> _YamlList:
    root, table = parse_yaml(text, path)
    rest = {name: value for name, value in table.items() if name != key}
    found = find_key(root, key, path)
    if found is None:
        return _YamlList("missing", rest=rest if root is not None else None)
    return _node_list(text, *found, path)._replace(rest=rest)


def _node_list(text: str, name: Node, node: Node, path: Path) -> _YamlList:
    """What the key holds."""
    import yaml

    start, end, key = node.start_mark.index, node.end_mark.index, str(name.value)
    at = name.start_mark.index
    if isinstance(node, yaml.ScalarNode):
        if node.tag == "tag:yaml.org,2002:null" and start == end:
            return _YamlList("empty", (), at, start, end, name.start_mark.column + 2)
        if node.tag != "tag:yaml.org,2002:str" or node.start_mark.line != node.end_mark.line:
            raise _format_error(path, node, f"{key}: holds no list", key)
        return _YamlList("one", (_Item(node.value, start, end, False),), at, start, end)
    if not isinstance(node, yaml.SequenceNode):
        raise _format_error(path, node, f"{key}: holds no list", key)
    items: list[_Item] = []
    for item in node.value:
        if not isinstance(item, yaml.ScalarNode):
            raise _format_error(path, item, f"an entry of {key}: is more than a word", key)
        line = text[item.end_mark.index : line_end_at(text, item.end_mark.index)]
        is_ours = not node.flow_style and line.rstrip() == ENTRY_MARK
        stop = content_end(item)
        items.append(_Item(str(item.value), item.start_mark.index, stop, is_ours))
    form = "flow" if node.flow_style else "block"
    return _YamlList(form, tuple(items), at, start, end, node.start_mark.column)


def _format_error(path: Path, node: Node, what: str, key: str) -> BrokenFileError:
    return broken_yaml(path, node, what, f"make {key}: a list of files; nothing was changed")


def _add_entry(text: str | None, there: _YamlList, key: str, entry: str) -> str:
    """The text with one more entry at the end of the list."""
    word = entry if _PLAIN_SCALAR.fullmatch(entry) else json.dumps(entry, ensure_ascii=False)
    newline = line_ending(text or "")
    if text is None or there.form == "missing":
        before = text or ""
        gap = "new" if text is None else "1" if before and not before.endswith("\n") else "0"
        before += newline if gap == "1" else ""
        return f"{before}{key}:{ENTRY_MARK}: {gap}{newline}  - {word}{ENTRY_MARK}{newline}"
    if there.form == "one":
        line_end = line_end_at(text, there.end)
        rest = text[there.end : line_end]
        return f"{text[: there.start]}[{text[there.start : there.end]}, {word}]{rest}{_SCALAR_MARK}{text[line_end:]}"
    if there.form == "flow":
        at = there.items[-1].end if there.items else there.start + 1
        return text[:at] + (f", {word}" if there.items else word) + text[at:]
    at = line_end_at(text, there.items[-1].end if there.items else there.end)
    return f"{text[:at]}{newline}{' ' * there.indent}- {word}{ENTRY_MARK}{text[at:]}"


def _remove_entry(text: str, there: _YamlList, number: int) -> str | None:
    """The text without that entry, in the form that it had before; None when the file was made for it."""
    item = there.items[number]
    if there.form == "one":
        return text[: there.start] + text[there.end :]
    if there.form == "flow":
        return _remove_from_flow(text, there, number)
    start = text.rfind("\n", 0, item.start) + 1
    made = _NEW_KEY_MARK.search(text, there.key_start, line_end_at(text, there.key_start))
    if len(there.items) == 1 and made:
        before = text[: there.key_start]
        after = text[line_end_at(text, item.end) :].removeprefix("\r").removeprefix("\n")
        if made[1] == "1" and not after:
            before = before.removesuffix("\n").removesuffix("\r") if "\r\n" in text else before.removesuffix("\n")
        return None if made[1] == "new" and not (before + after).strip() else before + after
    if text[start : item.start].strip() != "-":
        return text
    start -= 2 if text[start - 2 : start] == "\r\n" else 1
    return text[:start] + text[line_end_at(text, item.end) :]


def _remove_from_flow(text: str, there: _YamlList, number: int) -> str:
    item, items = there.items[number], there.items
    if number:
        start, end = items[number - 1].end, item.end
    else:
        start, end = item.start, items[1].start if len(items) > 1 else item.end
    line_end = line_end_at(text, there.end)
    was_one = text[:line_end].endswith(_SCALAR_MARK) and len(items) == 2
    tail = text[end:line_end]
    if was_one:
        start_text = text[: there.start] + text[there.start + 1 : start]
        tail = text[end : there.end - 1] + text[there.end : line_end].removesuffix(_SCALAR_MARK)
        return start_text + tail + text[line_end:]
    return text[:start] + tail + text[line_end:]


def _check_edit(piece: YamlListEntry, before: str | None, after: str, expected: tuple[str, ...]) -> str:
    """`after`, when it says what `before` said with the entries `expected`; else the file cannot be edited here."""
    old = _parse_list(before or "", piece.key, piece.path)
    try:
        new = _parse_list(after, piece.key, piece.path)
    except BrokenFileError:
        new = None
    has_other_ends = has_other_line_ends(before or "")
    if has_other_ends or new is None or new.values != expected or (new.rest or {}) != (old.rest or {}):
        line = (before or "").count("\n", 0, old.key_start) + 1
        hint = f"by hand, under {piece.key}: - {', - '.join(piece.entries)}"
        raise BrokenFileError(f"{piece.path}, line {line}: written in a way that cannot be edited here", hint=hint)
    return after


if TYPE_CHECKING:
    _: type[Piece] = YamlListEntry
