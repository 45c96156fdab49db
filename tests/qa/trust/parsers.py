"""Every parser of the package, with texts to begin from: one table for all that attacks them.

A parser's `read` takes any text, looks at all that comes out, and may raise nothing but RecallError. What it asserts
about losing nothing lies in `round_trips`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from recall_tui import config
from recall_tui.agents import hook_protocol
from recall_tui.agents.targets import from_toml
from recall_tui.domain import ConversationHead, Message, WindowEntry, documents
from recall_tui.features.digest.collector import DigestCollector
from recall_tui.features.digest.digest import make_digest
from recall_tui.features.documents.citations import citations
from recall_tui.features.grounding import evidence as claims
from recall_tui.features.transfer import bundle as parcel
from recall_tui.search import query
from recall_tui.search.completion import complete
from recall_tui.search.time import expressions, interpret
from recall_tui.storage.archives import file as archive_file
from recall_tui.storage.archives.body import parse_body
from recall_tui.storage.archives.folds import FoldFinder
from recall_tui.storage.documents import changing_facts, identity, statements, wiki_page, window_file
from recall_tui.storage.files import atomic
from recall_tui.storage.markdown import outline
from recall_tui.text import change_words, checkable_facts, dates, framing, html_text, markup, typed_values
from recall_tui.text.classify import keywords, mentions, summary
from recall_tui.text.cut import strip_controls
from recall_tui.text.sentences import split_sentences
from recall_tui.transcripts.claude import records, user_text
from recall_tui.tui.widgets.markdown_lines import RenderedDocument
from tests.qa.trust import round_trips, seed_records, seeds
from tests.qa.trust.answer_parsers import ANSWERS
from tests.qa.trust.form_parsers import FORM_PARSERS
from tests.qa.trust.hostile import escapes
from tests.qa.trust.parsing import Parser, folder, store, written
from tests.qa.trust.round_trips import NOON
from tests.qa.trust.session_parsers import SESSIONS
from tests.qa.trust.state_parsers import STATE
from tests.qa.trust.surrounding_parsers import SURROUNDINGS
from tests.qa.trust.transcript_parsers import TRANSCRIPTS


def _record(text: str) -> None:
    for line in atomic.encode(text).split(b"\n"):
        records.parse_record(line)
        records.parse_object(line)


def _time(text: str) -> None:
    interpret.interpret_time(text, NOON)
    interpret.recency_preference(text)
    for one in expressions.find_mentions(text[: interpret.MAX_QUERY_CHARS], NOON.date()):
        assert text[one.start : one.end].strip()


def _dates(text: str) -> None:
    dates.parse_time(text)
    dates.parse_since(text, NOON)
    dates.parse_until(text, NOON)
    dates.find_dates(text)


def _query(text: str) -> None:
    made = query.parse_query(text, NOON)
    assert made.text == text
    assert all(word in text for word in (*made.words, *made.phrases, *made.without, *made.filtered))
    complete(text, NOON, lambda name, typed: ())


def _said(text: str) -> None:
    user_text.classify_user_text(text)
    heard = DigestCollector()
    for kind in ("prompt", "reply", "compact_summary", "plan"):
        heard.hear(Message(kind, text, line=1))
    make_digest(heard, ConversationHead("s", "claude", Path("/nowhere.jsonl"), title=text))


def _prose(text: str) -> None:
    strip_controls(text)
    for line in split_sentences(text):
        markup.prose_text(line)
    for line in text.split("\n"):
        markup.strip_markers(line)
    summary.summarize(text, text)
    framing.frame_quotes([framing.QuotedBlock(text, text, text, text)])
    mentions.find_names(text)
    checkable_facts.checkable_facts(text)
    list(keywords.topic_terms(text))


def _page(text: str) -> None:
    made = html_text.render_markdown(text, deeper=1)
    assert not escapes(made)
    assert "<script" not in made and "javascript:" not in made.lower().partition('href="')[2][:12]
    html_text.escape_html(text)


def _shown(text: str) -> None:
    document = RenderedDocument(text)
    while not document.is_whole:
        document.grow(1_000)
    rows = [row for at in range(len(document.source)) for row in document.rows(at, 80)]
    assert not any(escapes(row.plain) or "\n" in row.plain for row in rows)


def _full_window(text: str) -> None:
    """What enters and leaves a window that holds far more than it may."""
    first, second = text[: len(text) // 2], text[len(text) // 2 :]
    entry = WindowEntry("own-fuzz", NOON, "5m", 2, "conversation-009.md", "A summary.")
    made = window_file.add_entry(text, entry, 5, NOON, leaving=lambda text, entry: lambda line: line.startswith("## "))
    window_file.forget_session(made, [entry.session_id])
    window_file.merge_windows(first, second, lambda text, entry: lambda line: line.startswith("## "))
    window_file.forget_session(text, [entry.session_id for entry in window_file.parse_window(text).entries])


def _archive_head(text: str) -> None:
    path = Path("conversation-007.md")
    entry = archive_file.parse_entry(text, path)
    assert entry is not None
    assert archive_file.parse_entry(archive_file.render_head(entry, archive_file.head_digest(text)), path) is not None
    archive_file.parse_tags(text)
    archive_file.renumber(text, 8)


def _archive(text: str) -> None:
    list(parse_body(text))
    lines = outline.split_lines(text)
    folds = FoldFinder()
    for at, (line, kind) in enumerate(zip(lines, outline.line_kinds(lines), strict=True)):
        folds.see(at, line, kind)
    folds.finish(len(lines))
    assert all(fold.start < fold.end <= len(lines) for fold in folds.take())
    round_trips.archive(text)


def _statements(text: str) -> None:
    for said in statements.page_statements(text):
        changing_facts.parse_change(said.text)
        change_words.parse_change_words(said.text)
        typed_values.typed_values(said.text)
        changing_facts.is_revised(said.text, said.text[::-1])
        claims.clean_claim(said.text)
    changing_facts.find_changing_facts({NOON.date(): {"a.md": text}})


def _wiki(text: str) -> None:
    round_trips.wiki(text)
    wiki_page.find_links(text)
    documents.parse_source_ref(text)


def _config(name: str) -> Callable[[str], None]:
    def run(text: str) -> None:
        path = written(text, folder() / name)
        made = config.load_config(path, {})
        assert made.whole("ephemeral.max_entries") >= 1
        config.read_table(path)
        round_trips.toml(text) if name.endswith(".toml") else round_trips.settings_json(text)

    return run


def _identity(text: str) -> object:
    written(text, store().layout.identity)
    return identity.read_identity(store())


def _target(text: str) -> object:
    return from_toml.load_target(written(text, folder() / "zed.toml"))


def _hook(text: str) -> object:
    return hook_protocol.parse_event(atomic.encode(text), {})


def _parcel(text: str) -> object:
    return parcel.load_bundle(written(text, folder() / "export.json"))


_DETAILS = "<details><summary>Result</summary>\n"
PARSERS: tuple[Parser, ...] = (
    Parser(
        "frontmatter",
        round_trips.head,
        (seeds.FRONTMATTER, seeds.PERIOD, seeds.WIKI),
        ("k{n}: v\n", "a: &x{n} [*x{n}]\n", "a: [b,", "? ", "- - "),
    ),
    Parser(
        "window",
        round_trips.window,
        (seeds.WINDOW,),
        ("## Session s{n} — x\n**Summary**: a\n", "## Session s — x\n", " — ", "**Summary**: a\n"),
    ),
    Parser(
        "full window",
        _full_window,
        (seeds.WINDOW,),
        (
            "## Session s{n} — 2026-01-01 10:00:00 UTC\n**Summary**: a\n",
            "## Session s{n} — 2027-01-01 10:00:00 UTC\n**Summary**: a\n\nmine\n\n",
            "\ufeff## Session s — x\n**Summary**: a\n",
        ),
    ),
    Parser(
        "archive index", round_trips.index_table, (seeds.INDEX,), ("| {n} | a | b | c | 1 | d |\n", "| 1 | a | b |\n")
    ),
    Parser(
        "archive",
        _archive,
        (seeds.ARCHIVE, seeds.FIRST_ARCHIVE),
        (_DETAILS, "````a\n```\n", "### User\n\nx\n\n", "<details><summary>Sub-agent</summary>\n", "**Result**:\n"),
    ),
    Parser(
        "shown document",
        _shown,
        (seeds.ARCHIVE, seeds.MEMORY, seeds.WIKI),
        ("-", "|-", "- ", "[a](", "**a ", "`a ", "&#x202e;", "&NewLine;", "> "),
        (("|", "x"), ("|a|\n|", "|")),
    ),
    Parser("archive head", _archive_head, (seeds.ARCHIVE, seeds.FIRST_ARCHIVE), ("<!-- a\n", "**Decisions**: a; b\n")),
    Parser("sections", round_trips.sections, (seeds.MEMORY,), ("# a{n}\n", "<!-- a\n\n", "- a\n  ", "<div>\n\n")),
    Parser(
        "statements", _statements, (seeds.MEMORY, seeds.DAY), ("- The port is {n} since 2026.\n", "(a.md:1; ", "moved ")
    ),
    Parser("wiki page", _wiki, (seeds.WIKI,), ("[[a]]", "[[a|", "`[[a]]", "``` [[a]] ``")),
    Parser(
        "wisdom", round_trips.wisdom, (seeds.WISDOM,), ("entries ", "- **a{n}** — b\n", "**a** (a.md:1; ", "* entries ")
    ),
    Parser("day log", round_trips.day, (seeds.DAY,), ("## Session abc (09:12)\n", "- 09:12 a (b, c", " (a")),
    Parser("period page", round_trips.period, (seeds.PERIOD,), ("k{n}: v\n",)),
    Parser("session summary", round_trips.summary, (seeds.SUMMARY,), ("- **a:** b\n", "\n<!-- recall: ")),
    Parser("master", round_trips.master, (seeds.MASTER,), ("- a (b, 2026-03-06; ", "### a\n", "*Last synthesized: ")),
    Parser(
        "citations",
        lambda text: citations(store().layout, text),
        (seeds.PERIOD, seeds.MEMORY),
        ("a/", "[[a{n}]]", "a.md:{n} ", "[day:"),
    ),
    Parser("config", _config("recall.toml"), (seeds.TOML,), ("k{n} = 1\n", "a = [", "[a.b{n}]\n", "a.b.")),
    Parser("older config", _config("recall.json"), (seeds.SETTINGS, '{"search": {"limit": 5}}'), ('{"a":', "[1,")),
    Parser("agent description", _target, (seeds.TARGET,), ("a = [",)),
    Parser("settings merge", round_trips.hooks, (seeds.SETTINGS,), ('{"a":', '{"k{n}": 1, ')),
    Parser("json edit", round_trips.json_text, (seeds.SETTINGS, seed_records.HOOK), ('{"a":', '"\\u0041', "1,")),
    Parser("list edit", round_trips.yaml_list, (seeds.LIST,), ("- a{n}\n", "read: [a, ", "- - ")),
    Parser(
        "server entry",
        round_trips.servers(round_trips.SERVER, round_trips.SERVER_WITH_COMMENTS),
        (seeds.SERVERS, seeds.SETTINGS),
        ('{"mcp": ', '"recall": {"command": "recall-tui", "args": ["mcp"]}', "// a\n", "/* a{n} */", ",", "}"),
    ),
    Parser(
        "server table",
        round_trips.servers(round_trips.SERVER_TABLE),
        (seeds.SERVER_TABLE, seeds.TOML),
        (
            "[mcp_servers.a{n}]\n",
            '[mcp_servers.recall]\ncommand = "recall-tui"\nargs = ["mcp"]\n',
            '"""',
            "# a\n",
            "\r\n",
        ),
    ),
    Parser(
        "yaml server",
        round_trips.servers(*round_trips.YAML_SERVERS),
        (seeds.YAML_SERVERS, seeds.LIST),
        (
            "servers:\n",
            "  - name: a{n}\n",
            "  recall:\n    command: recall-tui\n    args: [mcp]\n",
            "{a: [",
            "&a *a",
            "\r\n",
        ),
    ),
    Parser("marked block", round_trips.block, (seeds.BLOCK,), ("<!-- recall-tui begin ", "<!-- recall-tui end -->\n")),
    Parser("query", _query, seeds.QUERIES, ("word{n}: ", "project:p{n} ", "kind:memory ", '"a', '-"a" ', "since:")),
    Parser(
        "time words",
        _time,
        seeds.QUERIES,
        ("day of ", "the day before ", "in 2024 ", "may ", "between ", "last week - "),
    ),
    Parser("dates", _dates, (*seeds.QUERIES, "2026-03-06T10:00:00.123+02:00", "12h"), ("2026-03-06 ", "1d", "2026-")),
    Parser(
        "speech",
        _said,
        seeds.SAID,
        (
            "<system-reminder>a</system-reminder>",
            "<command-name>",
            "<ide_selection>",
            "<recalled-memory>",
            "we decided ",
        ),
    ),
    Parser("prose", _prose, (seeds.MEMORY, *seeds.SAID), ("e.g. ", "a. ", "\x1b]0;", "\x1b[", "e\u0301")),
    Parser(
        "secrets",
        round_trips.redaction,
        seeds.SAID,
        (
            "password=",
            "-----BEGIN PRIVATE KEY-----\n",
            "://a:",
            "Bearer ",
            "eyJ",
            "token: 'a1b2c3d4",
            "AAAAAAAAAAAAAAAAAA\\n",
        ),
    ),
    Parser(
        "patch",
        round_trips.change,
        ("a\nb\n\x00a\nc\n", seeds.MEMORY + "\x00" + seeds.DAY),
        ("a\n\x00b\n", "a\nb{n}\n"),
    ),
    Parser(
        "web page",
        _page,
        (seeds.MEMORY, seeds.WIKI),
        ("[a](", "![a", "<a ", "[a]: b\n", "> ", "a**b", "|a|\n|-|\n", "&#x202e;"),
    ),
    Parser("records", _record, (seed_records.CLAUDE, seed_records.CODEX), ('{"a":',)),
    Parser("hook event", _hook, (seed_records.HOOK,), ('{"a":',)),
    Parser("identity", _identity, (seeds.MEMORY,), ("# a\n",)),
    Parser("export", _parcel, (seed_records.PARCEL,), ('{"a":',)),
    *STATE,
    *ANSWERS,
    *SURROUNDINGS,
    *TRANSCRIPTS,
    *SESSIONS,
    *FORM_PARSERS,
)
"""All of them."""


def named(name: str) -> Parser:
    """The parser of that name."""
    return next(parser for parser in PARSERS if parser.name == name)
