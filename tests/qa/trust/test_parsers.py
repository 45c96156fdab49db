"""Nothing of the package reads what others wrote without being attacked, or without a reason."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.architecture.trees import tree
from tests.qa.trust.parsers import PARSERS

CHECKOUT = Path(__file__).resolve().parents[3]
ATTACKS = ("parsers", "state_parsers", "answer_parsers", "surrounding_parsers", "round_trips")
READS = re.compile(r"(?:parse|read|load|split|decode|understood|fitted)(?:_[a-z_]+)?|[a-z_]+_said")
"""Names of functions that take in what others wrote."""
DECODES = frozenset(
    ["json.loads", "json.load", "toml.parsed", "tomllib.loads", "tomllib.load", "yaml.load", "sqlite3.connect"]
)
THROUGH = {
    "files": "hands over bytes, and reads nothing in them",
    "features.transfer.journal_entry": "shows what the journal's own reader read",
    "storage.archives.parts": "cuts what the parsers of archives read",
    "storage.state.backup_order": "names of days, one a line, which nothing else is taken from",
    "storage.state.joined_projects": "what this program put away itself",
    "storage.state.own_lines": "what this program put away itself",
    "storage.state.read_transcripts": "what this program put away itself",
    "storage.files.replaced_files": "what this program put away itself, in the memory's folder",
    "storage.files.steady_clock": "days, one a line; what is none is passed over",
    "transcripts.first_lines": "the first lines of what `claude transcript` attacks",
    "index.text.partitions": "what Tantivy keeps of its own; it is opened by Tantivy before",
    "index.text.stored_passage": "what this program put into the text index; damage is for `shelves.guarded`",
    "features.health.backup_problems": "reads documents with the parsers of documents",
    "features.dreaming.operations": "reached by `model's answer`",
    "llm.providers.http_client": "the bytes go to the dialects of `server's answer`, which read them in the same way",
    "storage.files.sqlite": "opens what `ledger` and `catalogue` read",
    "toml_text": "reached by `config`",
    "search.ranking.name_match": "what this process put away itself",
    "search.ranking.period_routing": "what this process put away itself",
    "transcripts.codex.records": "reached by `codex transcript`",
    "transcripts.format_detection": "reached by every transcript",
    "transcripts.jsonl": "reached by every transcript",
    "transcripts.claude.subagents": "reached by `claude transcript`",
    "transcripts.sqlite_file": "reached by `session index`",
    "features.documents.read": "finds a document by its name; its text is read by the parsers of documents",
    "cli.commands.archive": "reads one name out of a hook's JSON, as `hook event` does",
    "cli.commands.read": "a command",
    "cli.watcher": "what this program prints itself",
    "tui.screens.first_run.demo": "a file of this package",
    "tui.document_pointer": "puts together what parsers of documents made",
    "tui.screens.review.view": "asks for proposals, which `proposals` attacks",
    "tui.screen_table": "shows rows",
}
"""Modules that are not attacked themselves, and why."""


def attacked() -> set[str]:
    """The modules that attacks import."""
    found: set[str] = set()
    for name in ATTACKS:
        for node in ast.walk(tree(f"tests/qa/trust/{name}.py")):
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
    assert {
        "storage.markdown.frontmatter",
        "config",
        "storage.journal.record",
        "llm.providers.cli_output",
        "text.dates",
    } <= reading()
    assert "text.cut" not in reading()


def test_every_parser_has_a_name_of_its_own_and_texts_to_begin_from() -> None:
    assert len({one.name for one in PARSERS}) == len(PARSERS)
    assert all(one.seeds for one in PARSERS)
