"""YAML of others, read strictly, with the places at which it can be edited as text."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recall_tui.errors import BrokenFileError
from recall_tui.storage.markdown.frontmatter import nests_too_deeply
from recall_tui.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from yaml import Node

ENTRY_MARK = "  # recall-tui"
"""Behind what we put into a file."""
_BARE_CARRIAGE_RETURN = lazy_pattern(r"\r(?!\n)")
_MAX_NODES = 100_000
_HINT = "fix the file; nothing in it was changed"


def parse_yaml(text: str, path: Path) -> tuple[Node | None, dict[Any, Any]]:
    """Return the root of one document and its table; None for an empty one.

    BrokenFileError, with the line, for what is no YAML, no table, or would be too large.
    """
    import yaml

    if nests_too_deeply(text):
        raise BrokenFileError(f"{path}: nested too deeply", hint=_HINT)
    try:
        root = yaml.compose(text, yaml.SafeLoader)
        if root is not None and _count_values(root, {}) > _MAX_NODES:
            raise broken_yaml(path, root, "references that would make it too large")
        table = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}, line {mark.line + 1}" if mark else str(path)
        problem = getattr(error, "problem", None) or "no YAML"
        raise BrokenFileError(f"{where}: {problem}", hint=_HINT) from None
    if root is None:
        return None, {}
    if not isinstance(root, yaml.MappingNode) or not isinstance(table, dict):
        raise broken_yaml(path, root, "not a table of settings")
    return root, table


def find_key(root: Node | None, key: str, path: Path) -> tuple[Node, Node] | None:
    """Return the nodes of a key at the top and of its value, if any; BrokenFileError when the key is there twice."""
    found = [(name, value) for name, value in root.value if name.value == key] if root is not None else []
    if len(found) > 1:
        raise broken_yaml(path, found[1][0], f"a second {key}:")
    return found[0] if found else None


def broken_yaml(path: Path, node: Node, what: str, hint: str = _HINT) -> BrokenFileError:
    """Return the error of a file that cannot be used, with the node's line."""
    return BrokenFileError(f"{path}, line {node.start_mark.line + 1}: {what}", hint=hint)


def has_other_line_ends(text: str) -> bool:
    """Return True for line ends that YAML knows and our edits do not."""
    return _BARE_CARRIAGE_RETURN.search(text) is not None


def content_end(node: Node) -> int:
    """Return the place behind the last character of a node, without the comments and blank lines that follow."""
    import yaml

    if isinstance(node, yaml.ScalarNode):
        return int(node.end_mark.index) - (node.style in ("|", ">") and node.end_mark.column == 0)
    last = node.value[-1] if node.value else None
    if last is None or getattr(node, "flow_style", False):
        return int(node.end_mark.index)
    return content_end(last[1] if isinstance(last, tuple) else last)


def line_end_at(text: str, at: int) -> int:
    """Return the end of the line that `at` is in, before its line end."""
    stop = text.find("\n", at)
    stop = len(text) if stop < 0 else stop
    return stop - 1 if text[stop - 1 : stop] == "\r" and stop < len(text) else stop


def _count_values(node: Node, known: dict[int, int]) -> int:
    """How many values there are with every reference written out; more than any file holds when it holds itself."""
    import yaml

    if id(node) not in known:
        known[id(node)] = _MAX_NODES + 1
        inner = chain.from_iterable(node.value) if isinstance(node, yaml.MappingNode) else node.value
        below = () if isinstance(node, yaml.ScalarNode) else inner
        known[id(node)] = 1 + sum(_count_values(one, known) for one in below)
    return known[id(node)]
