"""The COMMANDS table: every command's name, where it lives, what it does in a line, and the group it is listed under.

Help, completion and the README are made from it, so reading it never imports a command.
"""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """One command."""

    target: str
    """`module:function`; the module is imported when the command is called."""
    help: str
    """One line, without a full stop."""
    group: str
    """A key of GROUPS."""
    usage: str = ""
    """Its arguments and main options, for the README."""


GROUPS = ("Start", "Agents", "Look", "Find", "Capture", "Hand over", "Curate", "Take back", "Care")
_HOME = "recall_tui.cli.commands"

COMMANDS: dict[str, Row] = {
    "demo": Row(f"{_HOME}.app:demo", "open the app on a throw-away copy of sample memory", "Start", "[--print-root]"),
    "init": Row(
        f"{_HOME}.archive:init",
        "make the folders and files of a memory; what exists is kept",
        "Start",
        "[root] [--layout L] [--target AGENT] [--no-install] [--dry-run] [--yes]",
    ),
    "install": Row(
        f"{_HOME}.agents:install",
        "put rules, hooks and a skill into agents, as a plan that is shown",
        "Agents",
        "[AGENT…] [--scope user|project] [--dry-run] [--yes]",
    ),
    "uninstall": Row(
        f"{_HOME}.agents:uninstall",
        "take out of agents exactly what install put in",
        "Agents",
        "[AGENT…] [--scope user|project] [--dry-run] [--yes]",
    ),
    "agents": Row(
        f"{_HOME}.agents:agents_",
        "which agents are found, what is installed in them, whether hooks run; --log: what hooks decided",
        "Agents",
        "[--log] [--limit N]",
    ),
    "status": Row(
        f"{_HOME}.status:status", "which memory this is and how it is; exit 1 when it is down", "Look", "[root]"
    ),
    "dashboard": Row(
        f"{_HOME}.status:dashboard", "the same as bars, with recent sessions and the largest sections", "Look", "[root]"
    ),
    "show": Row(
        f"{_HOME}.status:show", "print a document, a conversation or some of its lines", "Look", "ID|PATH[:LINES]"
    ),
    "read": Row(
        f"{_HOME}.read:read",
        "print a day's log, a week, a month, a page of a wiki or a file",
        "Look",
        "DATE|WEEK|MONTH|[TEAM:]SLUG|FILE",
    ),
    "list": Row(
        f"{_HOME}.read:list_documents",
        "list documents, newest first, of one kind or of a time",
        "Look",
        "[daily|weekly|monthly|wiki|typed|insight|…|all] [--after WHEN] [--before WHEN]",
    ),
    "search": Row(
        f"{_HOME}.search:search",
        "find text in the archives; --ranked: the best evidence of everything, with reasons",
        "Find",
        "QUERY [-C N] | --ranked QUERY [--limit N] [--passages] [--explain] [filters]",
    ),
    "recall": Row(
        f"{_HOME}.recall:recall",
        "the answer to a question, or the passages that hold it, with sources; without one, what is handed over",
        "Find",
        "[QUERY] [--raw] [--since WHEN] [--limit N] [--tokens N] [--timeout S]",
    ),
    "sync": Row(f"{_HOME}.index:sync", "bring the index up to date", "Find"),
    "index": Row(
        f"{_HOME}.index:index", "make the index anew, or say what it covers", "Find", "[status] [--incremental]"
    ),
    "add": Row(f"{_HOME}.index:add", "index one file now, and say how it is found", "Find", "FILE"),
    "watch": Row(
        f"{_HOME}.watch:watch",
        "sync soon after files change, until the terminal is closed; compact and dream if asked to",
        "Find",
        "[--compact] [--dream] [--dream-interval SPAN] [--debounce SPAN]",
    ),
    "archive": Row(
        f"{_HOME}.archive:archive",
        "keep transcripts: an archive, an index row, a window entry",
        "Capture",
        "TRANSCRIPT… | --session ID | --all-unarchived [--since WHEN] [--all-projects] [--dry-run]",
    ),
    "archive-session": Row(
        f"{_HOME}.archive:archive_session", "archive the session that a hook names in JSON on stdin", "Capture"
    ),
    "checkpoint": Row(
        f"{_HOME}.archive:checkpoint",
        "archive a session that is still running, without a window entry",
        "Capture",
        "[TRANSCRIPT] [--trigger precompact]",
    ),
    "summarize": Row(
        f"{_HOME}.summarize:summarize",
        "one summary for a session: what it settled, found and left open; shown before it is saved",
        "Capture",
        "[SESSION] [--text FILE|-] [--force] [--dry-run] [--yes]",
    ),
    "hook": Row(
        f"{_HOME}.hook:hook",
        "answer an agent's hook: JSON on stdin, the answer on stdout; always exit 0",
        "Capture",
        "[EVENT] [--root PATH] [--agent NAME] [--memory]",
    ),
    "promote": Row(
        f"{_HOME}.archive:promote", "archive the text of EPHEMERAL.md itself", "Capture", "[--context TEXT]"
    ),
    "log": Row(f"{_HOME}.log:log", "add an entry to the log of today", "Capture", "ENTRY | --file F"),
    "import": Row(
        f"{_HOME}.transfer:import_file",
        "take in what export wrote as JSON, or a Markdown file as a topic; what is here stays",
        "Capture",
        "FILE [--theirs] [--dry-run] [--yes]",
    ),
    "consume": Row(
        f"{_HOME}.consume:consume",
        "print the window for the next session",
        "Hand over",
        "[root] [--clear|--no-clear] [--markers] [--max-chars N]",
    ),
    "export": Row(
        f"{_HOME}.transfer:export",
        "documents, sessions, a search or the whole memory as Markdown, HTML or JSON; secrets stay behind",
        "Hand over",
        "ID|PATH… | --search QUERY [filters] | --all [--to FILE] [--format md|html|json] [--force]",
    ),
    "distill": Row(
        f"{_HOME}.distill:distill",
        "what makes MEMORY.md heavy, and the change that mends it",
        "Curate",
        "[root] [--apply N…|all] [--to FILE] [--dry-run]",
    ),
    "compact": Row(
        f"{_HOME}.compact:compact",
        "make weeks of days, months of weeks, wisdom of months; memory: apply what distill holds for safe",
        "Curate",
        "[weekly|monthly|wisdom|all|memory] [--agent A] [--dry-run] [--yes] [--edited]",
    ),
    "dream": Row(
        f"{_HOME}.dream:dream",
        "what the memory shows that nobody asked for, as proposals",
        "Curate",
        "[status] [--dry-run] [--phase gather|analyze|write] [--max-candidates N] [--agent MODEL]",
    ),
    "remember": Row(
        f"{_HOME}.distill:remember",
        "add a line to MEMORY.md or to a topic file; --session-end: a session's lessons to the log of its day",
        "Curate",
        "TEXT [--topic T] | --session-end [SESSION|TRANSCRIPT]",
    ),
    "review": Row(
        f"{_HOME}.review:review",
        "what wants to change and waits for you: look, accept, dismiss",
        "Curate",
        "[list [--all] | show ID | accept ID… [--only PATH] | accept --safe | dismiss ID… | restore ID…] [--dry-run]",
    ),
    "synthesize": Row(
        f"{_HOME}.synthesize:synthesize",
        "take what is new in the summaries into the master, by theme and with sources",
        "Curate",
        "[--full] [--dry-run] [--yes] [--review] [--scope NAME]",
    ),
    "migrate": Row(
        f"{_HOME}.migrate:migrate",
        "an older memory in hierarchical form; --other-projects: sessions of other projects to another memory",
        "Curate",
        "[--to hierarchical] | --other-projects [--to ROOT] [--dry-run] [--yes]",
    ),
    "wiki": Row(
        f"{_HOME}.wiki:wiki",
        "pages by topic: list, read, write, merge, rename, supersede, rebuild, and find what is wrong",
        "Curate",
        "list | show SLUG | stub SLUG | append SLUG | rebuild SLUG | merge FROM INTO | rename OLD NEW | supersede SLUG"
        " | lint | knowledge-map | targets | status | migrate-typed-memories | migrate-insights",
    ),
    "undo": Row(
        f"{_HOME}.undo:undo",
        "take back the last change, or the change N; lines written since stay",
        "Take back",
        "[--list] [N]",
    ),
    "redo": Row(f"{_HOME}.undo:redo", "make the change again that undo took back", "Take back"),
    "journal": Row(
        f"{_HOME}.undo:journal",
        "list the changes, or print or save what one replaced",
        "Take back",
        "[show N [--file PATH] [--to FILE]]",
    ),
    "doctor": Row(
        f"{_HOME}.doctor:doctor",
        "check files, numbers, rows, the window, backups and the index; --fix mends them, --restore brings files back",
        "Care",
        "[--fix [--drop-rows]] [--deep] [--restore [DAY [FILE]...]]",
    ),
    "forget": Row(
        f"{_HOME}.forget:forget",
        "remove a session or a document everywhere, and keep it out",
        "Care",
        "SESSION|PATH… [--undo] [--dry-run] [--yes]",
    ),
    "redact": Row(
        f"{_HOME}.redact:redact",
        "put a mark in place of every secret that is stored; --check says where they are",
        "Care",
        "[--check] [--dry-run] [--yes]",
    ),
    "config": Row(
        f"{_HOME}.doctor:config",
        "settings with their origin; edits keep comments",
        "Care",
        "show | get KEY | set KEY VALUE | unset KEY | trust | join [FOLDER] | path",
    ),
    "ledger": Row(
        f"{_HOME}.ledger:ledger",
        "model calls, tokens and cost by day and purpose, and what may still be spent today",
        "Care",
        "[--days N] [--calls]",
    ),
    "completions": Row(f"{_HOME}.completions:completions", "print the completion of a shell", "Care", "bash|zsh|fish"),
}

HIDDEN: dict[str, Row] = {
    "catch-up": Row(f"{_HOME}.hook:catch_up", "do what hooks left undone; they start it by themselves", ""),
}
"""Commands that are called by programs, and listed nowhere."""
