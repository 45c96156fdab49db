"""The parsers of what surrounds a memory: repositories and projects, settings of agents, words of a command line, and
what is brought in from elsewhere.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC
from pathlib import Path

from recall_tui import git_repository
from recall_tui.agents import hook_command, memory_precedence
from recall_tui.agents.pieces.own_file import OwnFile
from recall_tui.agents.target import State
from recall_tui.cli import hook_process
from recall_tui.domain import Plan
from recall_tui.domain.hook import HookEvent
from recall_tui.errors import UsageError
from recall_tui.features.setup import migrate
from recall_tui.features.summaries import git_state, project_state, session_draft
from recall_tui.features.transfer import importer as importing
from recall_tui.features.wiki import lint
from recall_tui.index.sources.transcripts import IGNORE_FILE, ignore_matcher
from recall_tui.index.text import schema
from recall_tui.mcp.messages import ProtocolError, parse_message
from recall_tui.mcp.quotations import cursor_offset, read_cursor
from recall_tui.search.line_search import find_spans
from recall_tui.search.time.interpret import closed_range, parse_days
from recall_tui.storage.documents import memory_file, period_files, wiki_folder
from recall_tui.storage.documents.topic_files import is_topic, topic_name
from recall_tui.storage.documents.wiki_page import is_slug, make_slug
from recall_tui.storage.files import atomic
from recall_tui.storage.journal import plan_diff
from recall_tui.transcripts import host_records
from recall_tui.transcripts.claude import side_files
from recall_tui.transcripts.claude.project_folder import MAX_RETENTION_DAYS, retention_days
from recall_tui.transcripts.gemini.retention import gemini_retention
from recall_tui.transcripts.project import current_folder, parse_aliases
from tests.qa.trust import seed_records, seeds
from tests.qa.trust.parsing import Parser, folder, store, written
from tests.qa.trust.round_trips import NOON


def _repository(text: str) -> None:
    top = folder() / "repository"
    git = top / ".git"
    for name in ("objects", "refs"):
        (git / name).mkdir(parents=True, exist_ok=True)
    for name in ("HEAD", "config"):
        (git / name).write_bytes(atomic.encode(text))
    found = git_repository.find_repository(top)
    assert found is not None and found.root == top
    git_repository.normalize_url(found.url)
    written(text, folder() / "worktree" / ".git")
    git_repository.find_repository(folder() / "worktree")
    for line in text.split("\n"):
        git_repository.normalize_url(line)
        git_repository.local_path(line)


def _git_state(text: str) -> None:
    top = folder() / "state"
    git = top / ".git"
    (git / "refs" / "heads").mkdir(parents=True, exist_ok=True)
    (git / "logs").mkdir(exist_ok=True)
    for name in ("HEAD", "packed-refs", "logs/HEAD"):
        (git / name).write_bytes(atomic.encode(text))
    found = git_state.read_git(top)
    assert found is not None and "\n" not in found.words and len(found.commits) <= git_state.MAX_COMMITS
    assert all("\n" not in one and len(one) <= 120 for one in found.commits)
    written(text, folder() / "apart" / ".git")
    assert git_state.read_git(folder() / "apart") is None


def _host(text: str) -> None:
    """Whatever JSON a host's messages come from, records are made that are the same each time and read back."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = text
    said = value if isinstance(value, list) else [value, {"role": "user", "content": value}]
    made = host_records.to_records(said, "s", {"cwd": text[:40], "started_at": text[:20]})
    assert host_records.to_records(said, "s", {"cwd": text[:40], "started_at": text[:20]}) == made
    json.dumps(made)


def _manifest(text: str) -> None:
    place = folder() / "project"
    for name in ("package.json", "pyproject.toml", "Cargo.toml", "go.mod", "README.md"):
        written(text, place / name)
    project_state.read_project(place)


def _settings(text: str) -> None:
    environment = store().environment
    written(text, environment.claude / "settings.json")
    written(text, environment.claude / IGNORE_FILE)
    assert 0 <= retention_days(environment) <= MAX_RETENTION_DAYS
    written(text, environment.gemini / "settings.json")
    days, _ = gemini_retention(environment)
    assert days is None or 0 < days <= MAX_RETENTION_DAYS
    ignore_matcher(environment)("/a/b.jsonl")
    written(text, folder() / "theirs" / ".claude" / "settings.json")
    event = HookEvent("prompt", agent="claude", cwd=folder() / "theirs" / "deeper")
    memory_precedence.is_overridden(event, store().root, environment)


def _client(text: str) -> None:
    for line in text.split("\n"):
        with suppress(ProtocolError):
            message = parse_message(atomic.encode(line))
            assert message.id is None or isinstance(message.id, int | str)
        assert cursor_offset(read_cursor(line)) >= 0


def _command(text: str) -> None:
    words = hook_command.split_command(text)
    hook_command.is_own_hook(words)
    hook_command.find_predecessor(text)
    hook_command.find_predecessor(text[:40], text.split())
    hook_process.parse_args(text.split()[:200])


_OWN = OwnFile(Path("rules.md"), "rules", "our words\n")


def _own_file(text: str) -> None:
    """What a person wrote is never taken away."""
    state = _OWN.state(text)
    made = _OWN.installed(text)
    assert _OWN.state(made) is State.CURRENT and _OWN.removed(made) is None
    assert state is not State.CHANGED or _OWN.removed(text) == text


def _aliases(text: str) -> None:
    found = parse_aliases(text.split("\n")[:50], Path("/here"), Path("/home/u"))
    current_folder("/old/a", found)


def _incoming(name: str) -> Callable[[str], None]:
    def run(text: str) -> None:
        _within(importing.import_bundle(store(), importing.load_import(written(text, folder() / name))))

    return run


def _within(plan: Plan) -> None:
    """The plan can be shown, and writes nowhere but in the memory."""
    plan_diff.plan_as_diff(plan, store().root, store().environment.home)
    assert all(edit.path.is_relative_to(store().root) for edit in plan.edits)


def _migration(text: str) -> None:
    """An older memory's files, all of them with the same text."""
    base = store().layout.base
    names = ("feedback_auth.md", "dreams/insights/2026-03-06-auth.md", "weekly/2026-W10.md", "monthly/2026-03.md")
    for name in names:
        written(text, base / name)
    try:
        _within(migrate.migrate(store()))
    finally:
        for name in names:
            (base / name).unlink()


def _wiki_folder(text: str) -> None:
    place = folder() / "wiki"
    shutil.rmtree(place, ignore_errors=True)
    half = len(text) // 2
    for name, part in (("auth", text), ("token-refresh", text[half:]), ("b", text[:half])):
        written(part, place / f"{name}.md")
    wiki = wiki_folder.read_folder(place)
    lint.lint_wiki(wiki, NOON.date())
    wiki_folder.render_index(wiki.own, NOON.date())
    for slug in wiki.pages:
        wiki.backlinks(slug)


def _names(text: str) -> None:
    """A name that is made of a text is one that may be used."""
    slug = make_slug(text)
    assert not slug or (is_slug(slug) and "/" not in slug)
    name = topic_name(text, ())
    assert is_topic(name) and "/" not in name
    period_files.parse_page_name(store().layout, text)
    schema.count_number(text)
    schema.identifier_parts(text)
    schema.unspaced_runs(text)
    schema.clean_text(text)


def _days(text: str) -> None:
    for words in (text, *text.split("\n")[:20]):
        found = parse_days(words, NOON.astimezone(UTC))
        if found is not None:
            first, last = closed_range(found)
            assert first <= last


def _spans(text: str) -> None:
    for line in text.split("\n"):
        for needle in ("a", "ß", "i\u0307", text[:3]):
            for start, end in find_spans(line, needle) if needle.strip() else ():
                assert 0 <= start < end <= len(line)


def _handed_in(text: str) -> None:
    try:
        said = session_draft.clean_summary(text)
    except UsageError:
        return
    assert session_draft.clean_summary(said) == said


def _curated(text: str) -> None:
    written(text, store().layout.memory_file)
    found = memory_file.read_memory(store())
    assert found.budget(store().config)
    assert len(found.lines) == len(found.kinds)


_PROJECT = '{"name": "api", "scripts": {"test": "x"}, "dependencies": {"a": "1"}}'
_PYPROJECT = '[project]\nname = "api"\ndependencies = ["a>=1"]\n[tool.poetry.dependencies]\nb = "1"\n'
_TYPED = (
    '---\nname: Auth\ntype: feedback\ntheme: auth\nsources: ["memory/2026-03-06.md"]\n---\nOn 2026-03-05 it broke.\n'
)
_GIT = '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://u:p@example.com/a/b.git # x\n'
_LOG = (
    f"{'0' * 40} {'a' * 40} A <a@b> 1772791200 +0000\tcommit (initial): start\n"
    f"{'a' * 40} {'b' * 40} A <a@b> 1772791200 +0000\tcommit (amend): begin\n"
    f"{'b' * 40} {'c' * 40} A <a@b> 1772791200 +0000\tpull: Fast-forward\n"
)
_COMMANDS = (
    "/bin/recall-tui hook --root '/m/a b' --agent codex",
    "recall-echo checkpoint --trigger precompact",
    "echo 'RECALL-ECHO: x'",
)
_MESSAGES = json.dumps(
    [
        {"role": "user", "content": "why?", "created_at": 1772791200},
        {
            "role": "assistant",
            "content": [{"type": "text", "text": "Because."}, {"type": "image_url"}],
            "tool_calls": [{"id": "1", "function": {"name": "ls", "arguments": '{"a": 1}'}}],
        },
        {"role": "tool", "tool_call_id": "1", "content": "ok"},
    ]
)
_EXPORT = json.dumps(
    {
        "schema": "recall-tui/1",
        "version": 1,
        "content": "memory",
        "layout": "entity",
        "files": [{"path": "memory/MEMORY.md", "text": "# Memory\n", "hash": "x"}],
    }
)

_TODOS = json.dumps([{"content": "Write it", "status": "completed", "activeForm": "Writing it"}])
_PROMPTS = json.dumps({"display": "rename it", "timestamp": 1_772_800_000_000, "project": "/h/api", "sessionId": "s1"})


def _beside(text: str) -> None:
    place = store().environment.claude
    for kind in ("plans/a.md", "todos/s1-agent-s1.json"):
        found = side_files.side_file(store().environment, written(text, place / kind))
        assert found is not None
        with suppress(ValueError):
            title, shown = side_files.read_side_file(found)
            assert "\n" not in title and isinstance(shown, str)
    for group in side_files.read_history(written(text, place / side_files.HISTORY_FILE)):
        shown, starts = side_files.render_prompts(group)
        lines = shown.split("\n")
        assert [lines[at - 1] for at in starts] == [one.text.split("\n")[0] for one in group.prompts]


_GEMINI = '{"general": {"sessionRetention": {"enabled": true, "maxAge": "4w"}}}'
SURROUNDINGS = (
    Parser(
        "repository", _repository, (_GIT, "gitdir: ../repository/.git"), ("[a", '[a "b', 'a = "b', "a = b # ", "\\\n")
    ),
    Parser(
        "state of a repository",
        _git_state,
        (_LOG, "ref: refs/heads/main\n", f"{'a' * 40} refs/remotes/origin/main\n"),
        (f"{'a' * 40} {'b' * 40} A\tcommit: x\n", "ref: refs/heads/", f"{'a' * 40} refs/heads/a\n"),
    ),
    Parser(
        "plans, todo lists and typed prompts",
        _beside,
        (_TODOS, _PROMPTS, seeds.MEMORY),
        ('[{"content":', '{"display":'),
    ),
    Parser("host's messages", _host, (_MESSAGES,), ('{"content":', "[")),
    Parser("project", _manifest, (_PROJECT, _PYPROJECT, "module example.com/a\n", seeds.MEMORY), ('{"a":', "a = [")),
    Parser(
        "agent's settings",
        _settings,
        (seeds.SETTINGS, '{"cleanupPeriodDays": 9}', _GEMINI, "~/a/*\n"),
        ('{"a":', "*a", "["),
    ),
    Parser(
        "client's message",
        _client,
        ('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search"}}', "eyJvIjozfQ"),
        ('{"id":', '{"_meta":{"', "eyJv"),
    ),
    Parser("command", _command, _COMMANDS, ("recall-echo ", "a/", "'a ", "--a=b ", "hook ")),
    Parser("own file", _own_file, (_OWN.installed(None), seeds.MEMORY), ("<!-- recall-tui 1 ",)),
    Parser("moved folders", _aliases, ("~/old = ~/new\n/a=/b\n",), ("a = b\n", "~/", "=")),
    Parser("imported document", _incoming("a.md"), (seeds.MEMORY,), is_slow=True),
    Parser("imported memory", _incoming("b.json"), (_EXPORT, seed_records.PARCEL), ('{"a":',), is_slow=True),
    Parser("migration", _migration, (_TYPED, seeds.PERIOD, seeds.WIKI), ("2026-03-05 ",), is_slow=True),
    Parser("wiki folder", _wiki_folder, (seeds.WIKI, seeds.MEMORY), ("[[auth]]", "[[b|")),
    Parser("names", _names, ("Token refresh", "getUserName_of/HTTPServer.py", "2026-W10", "CON"), ("a-", "aB", "a_")),
    Parser("day words", _days, ("last tuesday", "march 2025", "2026-W09", "three weeks ago"), ("day of ", "may ")),
    Parser("found lines", _spans, (seeds.MEMORY, "İß straße"), ("İ", "ß", "aB")),
    Parser("handed in summary", _handed_in, (seeds.SUMMARY,), ("## Context\n", "- **a:** b\n")),
    Parser("curated memory", _curated, (seeds.MEMORY,)),
)
"""All of them."""
