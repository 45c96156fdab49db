"""Names are words of the field: each class has its own, and none of the private words of earlier versions comes back.

Modules, classes, and functions and constants at the level of a module; methods, fields and locals are not looked at.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from tests.architecture.trees import CHECKOUT, tree

BANNED = frozenset(
    [
        "aims",
        "amiss",
        "anew",
        "aside",
        "asides",
        "ballast",
        "bears",
        "became",
        "bookmarking",
        "borne",
        "citing",
        "drawn",
        "edition",
        "enough",
        "fate",
        "few",
        "filed",
        "filing",
        "forgotten",
        "further",
        "given",
        "glance",
        "gone",
        "hands",
        "heavy",
        "held",
        "incoming",
        "lean",
        "leans",
        "least",
        "leavings",
        "left",
        "lent",
        "lighter",
        "longest",
        "meant",
        "mend",
        "mended",
        "mending",
        "most",
        "news",
        "outgoing",
        "overruled",
        "parcel",
        "patience",
        "reseal",
        "said",
        "says",
        "seal",
        "seen",
        "settling",
        "shelf",
        "shelves",
        "shortest",
        "shown",
        "sifted",
        "sparing",
        "standing",
        "stone",
        "stones",
        "stopwatch",
        "stray",
        "strays",
        "stretch",
        "stretches",
        "tell",
        "teller",
        "tells",
        "tending",
        "ties",
        "together",
        "told",
        "trouble",
        "troubles",
        "twin",
        "twins",
        "wanted",
        "weighed",
        "weighs",
        "wish",
        "wished",
    ]
)
"""Words of a sense that only this program gave them; each has a word that everybody knows (CONTRIBUTING.md)."""
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def names() -> Iterator[tuple[str, str, bool]]:
    """Each module and each name at the level of one: the module, the name, and whether it is a class."""
    for path in sorted((CHECKOUT / "recall_tui").rglob("*.py")):
        module = path.relative_to(CHECKOUT).as_posix()
        yield module, path.stem, False
        for node in tree(module).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield module, node.name, isinstance(node, ast.ClassDef)
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    yield from ((module, one.id, False) for one in ast.walk(target) if isinstance(one, ast.Name))


def test_a_public_class_has_a_name_of_its_own() -> None:
    counts = Counter(name for _, name, is_class in names() if is_class and not name.startswith("_"))
    assert [name for name, count in counts.items() if count > 1] == []


def test_no_name_is_a_private_word() -> None:
    assert len(BANNED) >= 60
    found = [
        f"{module}: {name}"
        for module, name, _ in names()
        if not BANNED.isdisjoint(word.lower() for part in name.split("_") for word in WORD.findall(part))
    ]
    assert found == []
