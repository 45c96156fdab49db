"""Nothing of the package reads what others wrote without being attacked, or without a reason."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.architecture.trees import tree
from tests.trust.parsers import PARSERS

CHECKOUT = Path(__file__).resolve().parents[2]
ATTACKS = ("parsers", "state_parsers", "answer_parsers", "surrounding_parsers", "round_trips")
READS = re.compile(r"(?:parse|read|load|split|decode|understood|fitted)(?:_[a-z_]+)?|[a-z_]+_said")
"""Names of functions that take in what others wrote."""
DECODES = frozenset(
    ["json.loads", "json.load", "toml.parsed", "tomllib.loads", "tomllib.load", "yaml.load", "sqlite3.connect"]
)
THROUGH = {
    "files": "hands over bytes, and reads nothing in them",
    "lifecycle.journal_entry": "shows what the journal's own reader read",
    "storage.archive_parts": "cuts what the parsers of archives read",
    "storage.backup_order": "names of days, one a line, which nothing else is taken from",
    "storage.joins": "what this program put away itself",
    "storage.own_lines": "what this program put away itself",
    "storage.read_states": "what this program put away itself",
    "storage.replaced": "what this program put away itself, in the memory's folder",
    "storage.steady_clock": "days, one a line; what is none is passed over",
    "transcripts.beginning": "the first lines of what `claude transcript` attacks",
    "index.shelves": "what Tantivy keeps of its own; it is opened by Tantivy before",
    "index.stored": "what this program put into the text index; damage is for `shelves.guarded`",
    "lifecycle.backup_check": "reads documents with the parsers of documents",
    "lifecycle.dream_operations": "reached by `model's answer`",
    "llm.exchange": "the bytes go to the dialects of `server's answer`, which read them in the same way",
    "storage.database": "opens what `ledger` and `catalogue` read",
    "toml": "reached by `config`",
    "search.catalog": "what this process put away itself",
    "search.routing": "what this process put away itself",
    "transcripts.codex_records": "reached by `codex transcript`",
    "transcripts.formats": "reached by every transcript",
    "transcripts.lines": "reached by every transcript",
    "transcripts.side_files": "reached by `claude transcript`",
    "transcripts.sqlite_file": "reached by `session index`",
    "lifecycle.read_by_name": "finds a document by its name; its text is read by the parsers of documents",
    "cli.commands.capture": "reads one name out of a hook's JSON, as `hook event` does",
    "cli.commands.documents": "a command",
    "cli.watcher": "what this program prints itself",
    "tui.demo": "a file of this package",
    "tui.reading": "puts together what parsers of documents made",
    "tui.reviewing": "asks for proposals, which `proposals` attacks",
    "tui.screens.table": "shows rows",
}
"""Modules that are not attacked themselves, and why."""


def attacked() -> set[str]:
    """The modules that attacks import."""
    found: set[str] = set()
    for name in ATTACKS:
        for node in ast.walk(tree(f"tests/trust/{name}.py")):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("recall_tui"):
                module = (node.module or "").removeprefix("recall_tui").removeprefix(".")
                found |= {module, *(f"{module}.{one.name}".removeprefix(".") for one in node.names)}
    return found


def reading() -> set[str]:
    """The modules that have a public function which takes in what others wrote, or that decode it."""
    found = set()
    for path in (CHECKOUT / "recall_tui").rglob("*.py"):
        module = tree(path.relative_to(CHECKOUT).as_posix())
        names = [one.name for one in module.body if isinstance(one, ast.FunctionDef) and one.args.args]
        calls = {ast.unparse(one.func) for one in ast.walk(module) if isinstance(one, ast.Call)}
        if any(READS.fullmatch(name) for name in names) or calls & DECODES:
            name = path.relative_to(CHECKOUT / "recall_tui").with_suffix("").as_posix()
            found.add(name.replace("/", "."))
    return found


@pytest.mark.long
def test_whatever_reads_what_others_wrote_is_attacked_or_has_a_reason_not_to_be() -> None:
    assert reading() - attacked() == THROUGH.keys()


@pytest.mark.long
def test_the_search_for_readers_finds_them() -> None:
    assert {"storage.frontmatter", "config", "storage.journal_record", "llm.readings", "text.dates"} <= reading()
    assert "text.cut" not in reading()


def test_every_parser_has_a_name_of_its_own_and_texts_to_begin_from() -> None:
    assert len({one.name for one in PARSERS}) == len(PARSERS)
    assert all(one.seeds for one in PARSERS)
