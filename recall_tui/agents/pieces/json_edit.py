"""Edits of JSON text that leave every other byte as it is: key order, indentation, spelling of numbers, line ends.

Taking out what was put in gives the text as it was. To know by what it finds whether an empty container was there
before, an insertion fills such a container without white space after its opener, and opens its own ones with some.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from recall_tui.errors import BrokenFileError
from recall_tui.text.lazy_pattern import lazy_pattern

PathStep = str | int
"""A key of an object, or a place in an array."""
_SPACE = lazy_pattern(r"[ \t\r\n]*")
_SPACE_AND_COMMENTS = lazy_pattern(r"(?:[ \t\r\n]++|//[^\n]*+|/\*(?s:.*?)\*/)*+")
_SCALAR = lazy_pattern(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null", re.ASCII)
_PARSE_STRING: Callable[[str, int, bool], tuple[str, int]] = json.JSONDecoder().parse_string  # type: ignore[attr-defined]
_INDENTATION = lazy_pattern(r"[ \t]*")
_BOM = "\ufeff"
_DEFAULT_INDENT = "  "
"""Of a text that has no indentation of its own."""
_REPAIR_HINT = "fix the file, then try again; nothing was changed"


@dataclass(frozen=True, slots=True)
class JsonNode:
    """A value and where it stands."""

    kind: Literal["object", "array", "scalar"]
    start: int
    end: int
    children: tuple[JsonMember, ...] = ()
    value: object = None
    """Of a scalar."""

    def get(self, key: PathStep) -> JsonNode | None:
        """The member or the element; None when there is none."""
        if isinstance(key, int):
            return self.children[key].node if key < len(self.children) else None
        return next((child.node for child in self.children if child.key == key), None)

    def plain(self) -> Any:
        """The value as Python has it."""
        if self.kind == "object":
            return {child.key: child.node.plain() for child in self.children}
        if self.kind == "array":
            return [child.node.plain() for child in self.children]
        return self.value


@dataclass(frozen=True, slots=True)
class JsonMember:
    """A member of an object, or an element of an array."""

    start: int
    """Of the key, or of the element."""
    node: JsonNode
    key: str = ""


def parse_json(text: str, path: Path, *, has_comments: bool = False) -> JsonNode:
    """Return the text's value; BrokenFileError naming file and line for what is no JSON, or for a repeated key.

    With `has_comments`, comments and a comma after the last child are read over.
    """
    try:
        return _Parser(text, path, has_comments).document()
    except RecursionError:
        raise broken_error(path, text, 0, "it is nested too deeply") from None


def is_blank(text: str) -> bool:
    """Return True if the text has nothing but white space."""
    return not text.lstrip(_BOM).strip(" \t\r\n")


def broken_error(path: Path, text: str, place: int, why: str) -> BrokenFileError:
    """The error that the file cannot be used because of what stands at `place`."""
    return BrokenFileError(f"{path}, line {text.count(chr(10), 0, place) + 1}: {why}", hint=_REPAIR_HINT)


def insert_value(text: str, path: Path, steps: Sequence[str], value: object) -> str:
    """The text with `value` as the last element of the array that the keys lead to; what is missing is made."""
    if is_blank(text):
        # A text of white space alone keeps it in front and has no line end after; so it is told from a new file.
        return text + _Style().document(_wrap_value(steps, value))
    node = root = parse_json(text, path)
    style = _Style.of(text, root)
    for depth, step in enumerate(steps):
        if node.kind != "object":
            raise broken_error(path, text, node.start, "an object is expected here")
        below = node.get(step)
        if below is None:
            return _append_child(text, node, style, (step, _wrap_value(steps[depth + 1 :], value)))
        node = below
    if node.kind != "array":
        raise broken_error(path, text, node.start, f"{'.'.join(steps)} is to be an array")
    return _append_child(text, node, style, (None, value))


def render_document(steps: Sequence[str], value: object) -> str:
    """The text of a file that is made for `value` alone."""
    return _Style().document(_wrap_value(steps, value)) + "\n"


def replace_value(text: str, path: Path, steps: Sequence[PathStep], value: object) -> str:
    """The text with `value` in the place of what is there."""
    root = parse_json(text, path)
    style = _Style.of(text, root)
    node = root
    for step in steps:
        node = _require_child(node, step, text, path)
    indent = _line_indent(text, node.start)
    return text[: node.start] + style.render(value, indent) + text[node.end :]


def set_member(text: str | None, path: Path, steps: Sequence[str], value: object, *, has_comments: bool = False) -> str:
    """Return the text with the member that the keys lead to set to `value`; every other byte stays.

    None stands for a file that is made for it.
    """
    if text is None:
        return _Style().document(_nest(steps, value)) + "\n"
    if is_blank(text):
        return text + _Style().document(_nest(steps, value))
    node = root = parse_json(text, path, has_comments=has_comments)
    style = _Style.of(text, root)
    for depth, step in enumerate(steps):
        if node.kind != "object":
            raise broken_error(path, text, node.start, "an object is expected here")
        below = node.get(step)
        if below is None:
            return _append_child(text, node, style, (step, _nest(steps[depth + 1 :], value)))
        node = below
    indent = _line_indent(text, node.start)
    return text[: node.start] + style.render(value, indent) + text[node.end :]


def remove_value(text: str, path: Path, steps: Sequence[PathStep], *, has_comments: bool = False) -> str | None:
    """The text without what the steps lead to, and without the containers that an insertion made for it.

    None when the whole text was made for it.
    """
    chain = [parse_json(text, path, has_comments=has_comments)]
    for step in steps:
        chain.append(_require_child(chain[-1], step, text, path))
    level = len(steps) - 1
    while level > 0 and len(chain[level].children) == 1 and _is_inserted(text, chain[level]):
        level -= 1
    holder = chain[level]
    if level == 0 and len(holder.children) == 1 and _is_inserted(text, holder):
        return _without_document(text, holder)
    position = next(number for number, child in enumerate(holder.children) if child.node is chain[level + 1])
    if has_comments:
        return _without_child(text, holder, position)
    start, end = _child_span(holder, position)
    return text[:start] + text[end:]


def _without_child(text: str, holder: JsonNode, position: int) -> str:
    """Return the text without the child and one comma beside it; comments beside it stay."""
    child = holder.children[position]
    if position > 0:
        before = holder.children[position - 1].node.end
        between = text[before : child.start]
        space = _SPACE_AND_COMMENTS.match(between)
        comma = space.end() if space else 0
        kept = between[:comma] + between[comma + 1 :].rstrip(" \t\r\n")
        return text[:before] + kept + text[child.node.end :]
    space = _SPACE_AND_COMMENTS.match(text, child.node.end)
    comma = space.end() if space else child.node.end
    if text[comma : comma + 1] != ",":
        return (
            text[: holder.start + 1] + text[holder.start + 1 : child.start].rstrip(" \t\r\n") + text[child.node.end :]
        )
    after = text[comma + 1 :]
    gap = len(after) - len(after.lstrip(" \t\r\n"))
    return text[: child.start] + text[child.node.end : comma] + after[gap:]


def _child_span(holder: JsonNode, position: int) -> tuple[int, int]:
    """What goes with a child: the comma before it, or the one after it when it is the first."""
    child = holder.children[position]
    if position > 0:
        return holder.children[position - 1].node.end, child.node.end
    if len(holder.children) > 1:
        return child.start, holder.children[1].start
    return holder.start + 1, child.node.end


def _without_document(text: str, root: JsonNode) -> str | None:
    before, after = text[: root.start], text[root.end :]
    return before if before or not after else None


def _is_inserted(text: str, node: JsonNode) -> bool:
    """Whether an insertion made the container, and not a person."""
    return text[node.start + 1] in " \t\r\n"


def _require_child(node: JsonNode, step: PathStep, text: str, path: Path) -> JsonNode:
    below = node.get(step)
    if below is None:
        raise broken_error(path, text, node.start, f"{step} is not here")
    return below


def _wrap_value(steps: Sequence[str], value: object) -> object:
    return _nest(steps, [value])


def _nest(steps: Sequence[str], value: object) -> object:
    made = value
    for step in reversed(steps):
        made = {step: made}
    return made


def _append_child(text: str, node: JsonNode, style: _Style, child: tuple[str | None, object]) -> str:
    """The text with one more child in the container, written as those before it are."""
    indent = _line_indent(text, node.start)
    if not node.children:
        return text[: node.start + 1] + style.child(child, indent) + text[node.start + 1 :]
    last = node.children[-1]
    gap = text[len(text[: last.start].rstrip(" \t\r\n")) : last.start]
    if len(node.children) == 1 and "\n" not in gap:
        gap = style.after_comma if style.is_compact else style.line_end + indent + style.unit
    if "\n" in gap:
        indent = gap.rpartition("\n")[2]
    return text[: last.node.end] + "," + gap + style.child(child, indent) + text[last.node.end :]


def _line_indent(text: str, place: int) -> str:
    """The white space that the line of `place` begins with."""
    found = _INDENTATION.match(text, text.rfind("\n", 0, place) + 1)
    return found[0] if found else ""


@dataclass(frozen=True, slots=True)
class _Style:
    """How a text is written."""

    unit: str = _DEFAULT_INDENT
    line_end: str = "\n"
    after_colon: str = " "
    after_comma: str = " "
    is_compact: bool = False
    """All on one line."""

    @classmethod
    def of(cls, text: str, root: JsonNode) -> _Style:
        line_end = "\r\n" if "\r\n" in text else "\n"
        inside = text[root.start : root.end]
        colon = re.search(r'":([ \t]*)', inside)
        comma = re.search(r",([ \t]*)", inside)
        indent = re.search(r"\n([ \t]+)", inside)
        return cls(
            indent[1] if indent else _DEFAULT_INDENT,
            line_end,
            colon[1] if colon else " ",
            comma[1] if comma else " " if colon is None or colon[1] else "",
            bool(root.children) and "\n" not in inside,
        )

    def document(self, value: object) -> str:
        """A whole text."""
        return self.render(value, "")

    def child(self, child: tuple[str | None, object], indent: str) -> str:
        """A member or an element, on a line that begins with `indent`."""
        key, value = child
        name = "" if key is None else f"{_render_scalar(key)}:{self.after_colon}"
        return name + self.render(value, indent)

    def render(self, value: object, indent: str) -> str:
        """The value; its containers are opened with white space after the opener."""
        if isinstance(value, dict):
            return self._spread("{", [self.child(pair, indent + self.unit) for pair in value.items()], "}", indent)
        if isinstance(value, list | tuple):
            return self._spread("[", [self.child((None, one), indent + self.unit) for one in value], "]", indent)
        return _render_scalar(value)

    def _spread(self, opener: str, parts: list[str], closer: str, indent: str) -> str:
        if not parts:
            return opener + closer
        if self.is_compact:
            return f"{opener} {f',{self.after_comma}'.join(parts)} {closer}"
        line = self.line_end + indent
        return opener + line + self.unit + f",{line}{self.unit}".join(parts) + line + closer


def _render_scalar(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


class _Parser:
    """Reads one text, strictly."""

    def __init__(self, text: str, path: Path, has_comments: bool) -> None:
        self.text = text
        self.path = path
        self.has_comments = has_comments

    def document(self) -> JsonNode:
        """The whole text."""
        node = self._value(self._skip(len(_BOM) if self.text.startswith(_BOM) else 0))
        end = self._skip(node.end)
        if end != len(self.text):
            raise self._broken(end, "the file goes on after its value")
        return node

    def _value(self, place: int) -> JsonNode:
        match self.text[place : place + 1]:
            case "{":
                return self._container(place, "object", "}")
            case "[":
                return self._container(place, "array", "]")
            case '"':
                value, end = self._string(place)
                return JsonNode("scalar", place, end, value=value)
        found = _SCALAR.match(self.text, place)
        if found is None:
            raise self._broken(place, "a value is expected here")
        try:
            value = json.loads(found[0])
        except ValueError:
            # A number with more digits than Python turns into one is nothing that we look at.
            value = found[0]
        return JsonNode("scalar", place, found.end(), value=value)

    def _container(self, start: int, kind: Literal["object", "array"], closer: str) -> JsonNode:
        children: list[JsonMember] = []
        keys: set[str] = set()
        place = self._skip(start + 1)
        if self.text[place : place + 1] == closer:
            return JsonNode(kind, start, place + 1)
        while True:
            child = self._member(place, keys) if kind == "object" else JsonMember(place, self._value(place))
            children.append(child)
            place = self._skip(child.node.end)
            match self.text[place : place + 1]:
                case ",":
                    comma, place = place, self._skip(place + 1)
                    if self.text[place : place + 1] == closer:
                        if self.has_comments:
                            return JsonNode(kind, start, place + 1, tuple(children))
                        raise self._broken(comma, "a comma with nothing after it, which JSON does not have")
                case end if end == closer:
                    return JsonNode(kind, start, place + 1, tuple(children))
                case _:
                    raise self._broken(place, f"a comma or {closer} is wanted here")

    def _member(self, place: int, keys: set[str]) -> JsonMember:
        if self.text[place : place + 1] != '"':
            raise self._broken(place, "a key in double quotes is expected here")
        key, end = self._string(place)
        if key in keys:
            raise self._broken(place, f"the key {key} is there twice")
        keys.add(key)
        colon = self._skip(end)
        if self.text[colon : colon + 1] != ":":
            raise self._broken(colon, "a colon is expected here")
        return JsonMember(place, self._value(self._skip(colon + 1)), key)

    def _string(self, place: int) -> tuple[str, int]:
        try:
            value, end = _PARSE_STRING(self.text, place + 1, True)
        except json.JSONDecodeError as error:
            raise self._broken(error.pos, "a text that does not end well") from None
        return value, end

    def _skip(self, place: int) -> int:
        found = (_SPACE_AND_COMMENTS if self.has_comments else _SPACE).match(self.text, place)
        assert found is not None
        return found.end()

    def _broken(self, place: int, why: str) -> BrokenFileError:
        if self.text.startswith(("//", "/*"), place) or self.text.startswith("#", place):
            why = "a comment, which JSON does not have"
        elif place >= len(self.text):
            why = "the file ends too early"
        return broken_error(self.path, self.text, place, why)
