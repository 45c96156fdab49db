"""Nothing of the package reads what others wrote without being attacked, or without a reason."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from recall_tui.transcripts.registry import own_readers
from tests.architecture.trees import tree
from tests.qa.trust.parsers import PARSERS

CHECKOUT = Path(__file__).resolve().parents[3]
ATTACKS = (
    "parsers",
    "transcript_parsers",
    "session_parsers",
    "form_parsers",
    "state_parsers",
    "answer_parsers",
    "surrounding_parsers",
    "round_trips",
)
READS = re.compile(r"(?:parse|read|load|split|decode)(?:_[a-z_]+)?")
"""Names of functions that take in what others wrote."""
DECODES = frozenset(
    [
        "json.loads",
        "json.load",
        "atomic.read_json",
        "read_json",
        "parse_toml",
        "tomllib.loads",
        "tomllib.load",
        "yaml.load",
        "sqlite3.connect",
    ]
)
THROUGH = {
    "files": "hands over bytes, and reads nothing in them",
    "agents.server_check": "the answer of this program's own server",
    "index.build_progress": "what this program put away itself: three numbers, or nothing",
    "index.ingest.transcript_files": "hands over what the readers of transcripts read",
    "features.transfer.journal_entry": "shows what the journal's own reader read",
    "storage.archives.parts": "cuts what the parsers of archives read",
    "storage.journal.batch": "what this program put away itself",
    "storage.state.joined_projects": "what this program put away itself",
    "storage.state.last_search": "what this program put away itself",
    "storage.state.own_lines": "what this program put away itself",
    "storage.state.processed_transcripts": "what this program put away itself",
    "storage.files.replaced_files": "what this program put away itself, in the memory's folder",
    "storage.files.trusted_clock": "days, one a line; what is none is passed over",
    "transcripts.folder_reader": "the first lines of what `claude transcript` attacks",
    "storage.state.backup_days": "what this program put away itself",
    "mcp.read_answer": "finds a document by its name; its text is read by the parsers of documents",
    "tui.widgets.table_rows": "draws what the parsers of documents made",
    "tui.widgets.turn_rows": "draws what the parsers of documents made",
    "index.text.partitions": "what Tantivy keeps of its own; it is opened by Tantivy before",
    "index.text.stored_passage": "what this program put into the text index; damage is for `shelves.guarded`",
    "features.health.backup_problems": "reads documents with the parsers of documents",
    "features.dreaming.operations": "reached by `model's answer`",
    "llm.providers.http_client": "the bytes go to the dialects of `server's answer`, which read them in the same way",
    "storage.files.sqlite": "opens what `ledger` and `catalogue` read",
    "search.ranking.name_match": "what this process put away itself",
    "search.ranking.period_routing": "what this process put away itself",
    "search.ranking.prefer_sources": "what this process put away itself",
    "transcripts.codex.records": "reached by `codex transcript`",
    "transcripts.format_detection": "reached by every transcript",
    "transcripts.jsonl": "reached by every transcript",
    "transcripts.claude.subagents": "reached by `claude transcript`",
    "transcripts.sqlite_file": "reached by `session index`",
    "transcripts.sqlite_tables": "reached by `opencode transcript` and others",
    "storage.tracked_files": "asks the reader of repositories, which `repositories` attacks",
    "features.documents.session_points": "keeps lines of what the reader of archives found, and decodes nothing",
    "features.documents.read": "finds a document by its name; its text is read by the parsers of documents",
    "cli.commands.archive": "reads one name out of a hook's JSON, as `hook event` does",
    "cli.commands.read": "a command",
    "cli.watcher": "what this program prints itself",
    "tui.screens.first_run.demo": "a file of this package",
    "tui.document_pointer": "puts together what parsers of documents made",
    "tui.screens.review.view_model": "asks for proposals, which `proposals` attacks",
    "agents.install": "follows a path, and reads nothing in it",
    "agents.pieces.yaml_text": "reached by `list edit` and `yaml server`",
    "agents.registry": "a person's own targets are read by `toml target`",
    "features.capture.session_reader": "reads with the readers of transcripts",
    "features.consolidation.timeline": "reads documents with the parsers of documents",
    "features.context.prompt_filter": "looks at a prompt's words, and decodes nothing",
    "features.curation.extraction": "cuts what the parser of MEMORY.md read",
    "features.dreaming.dream": "reads documents with the parsers of documents",
    "features.health.restore": "a day that a person typed",
    "features.grounding.parsed_text": "cuts a claim and its source, which `is_supported` is asked about",
    "features.summaries.synthesis_sources": "reads documents with the parsers of documents",
    "features.transfer.other_projects": "reads documents with the parsers of documents",
    "features.wiki.rebuild": "cuts what the parser of pages read",
    "index.maintenance.disk_state": "sizes and times of files",
    "resources": "a file of this package",
    "search.ranking.fusion": "a setting that `config` reads",
    "storage.archives.folder": "a number in a file's name",
    "storage.documents.shared_wikis": "reads pages with the parser of pages",
    "storage.documents.window_blocks": "reached by `window`",
    "transcripts.claude.messages": "reached by `claude transcript`",
    "transcripts.claude.metadata": "reached by `claude transcript`",
    "transcripts.codex.messages": "reached by `codex transcript`",
    "transcripts.cline.messages": "reached by `cline transcript`",
    "transcripts.continue_dev.messages": "reached by `continue transcript`",
    "transcripts.continue_dev.reader": "reached by `continue transcript`",
    "transcripts.whole_file": "reached by `cline transcript` and `continue transcript`",
    "transcripts.kimi.reader": "reached by `kimi state`",
    "transcripts.record_log": "reached by `qwen transcript` and others",
    "transcripts.read_extent": "size and digest of a file",
    "transcripts.tool_calls": "reached by every transcript",
    "tui.memory_view_model": "puts together what parsers of documents made",
    "tui.screens.distill.view_model": "puts together what parsers of documents made",
    "tui.screens.first_run.folder_name_modal": "a folder that a person typed",
    "tui.screens.health.view_model": "puts together what checks found",
    "tui.screens.settings.view_model": "settings that `config` reads",
    "tui.screens.wiki.view_model": "puts together what the parser of pages read",
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
    assert "text.condense" not in reading()


def test_the_reader_of_every_agent_is_attacked() -> None:
    names = {parser.name for parser in PARSERS}
    assert {f"{reader.agent} transcript" for reader in own_readers()} <= names


def test_every_parser_has_a_name_of_its_own_and_texts_to_begin_from() -> None:
    assert len({one.name for one in PARSERS}) == len(PARSERS)
    assert all(one.seeds for one in PARSERS)
