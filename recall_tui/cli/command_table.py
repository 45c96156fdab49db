"""The COMMANDS table: each command's name, module, one-line help and group.

Help, completion and docs/commands.md are generated from it; reading it never imports a command.
"""

from __future__ import annotations

from typing import NamedTuple


class CommandInfo(NamedTuple):
    """A row of the table."""

    target: str
    """`module:function`; the module is imported when the command is called."""
    help: str
    """A single line, without a full stop."""
    group: str
    """An item of GROUPS."""
    usage: str = ""
    """The arguments and main options, for docs/commands.md."""


GROUPS = ("Start", "Agents", "Look", "Find", "Capture", "Hand over", "Curate", "Take back", "Care")
_PACKAGE = "recall_tui.cli.commands"

COMMANDS: dict[str, CommandInfo] = {
    "demo": CommandInfo(
        f"{_PACKAGE}.app:demo", "open the app on a throw-away copy of sample memory", "Start", "[--print-root]"
    ),
    "init": CommandInfo(
        f"{_PACKAGE}.init:init",
        "make the folders and files of a memory; what exists is kept",
        "Start",
        "[root] [--layout L] [--target AGENT] [--scope user|project] [--no-install] [--dry-run] [--yes]",
    ),
    "install": CommandInfo(
        f"{_PACKAGE}.agents:install",
        "put rules, hooks and a skill into agents, as a plan that is shown",
        "Agents",
        "[AGENT…] [--scope user|project] [--dry-run] [--yes]",
    ),
    "uninstall": CommandInfo(
        f"{_PACKAGE}.agents:uninstall",
        "take out of agents exactly what install put in",
        "Agents",
        "[AGENT…] [--scope user|project] [--dry-run] [--yes]",
    ),
    "agents": CommandInfo(
        f"{_PACKAGE}.agents:agents_",
        "which agents are found, what is installed in them, whether hooks run; --log: what hooks decided",
        "Agents",
        "[--log] [--limit N]",
    ),
    "status": CommandInfo(
        f"{_PACKAGE}.status:status", "which memory this is and how it is; exit 1 when it is down", "Look", "[root]"
    ),
    "dashboard": CommandInfo(
        f"{_PACKAGE}.status:dashboard",
        "the same as bars, with recent sessions and the largest sections",
        "Look",
        "[root]",
    ),
    "show": CommandInfo(
        f"{_PACKAGE}.status:show", "print a document, a conversation or some of its lines", "Look", "ID|PATH[:LINES]"
    ),
    "read": CommandInfo(
        f"{_PACKAGE}.read:read",
        "print a day's log, a week, a month, a page of a wiki or a file",
        "Look",
        "DATE|WEEK|MONTH|[TEAM:]SLUG|FILE",
    ),
    "list": CommandInfo(
        f"{_PACKAGE}.read:list_documents",
        "list documents, newest first, of one kind or of a time",
        "Look",
        "[daily|weekly|monthly|wiki|typed|insight|…|all] [--after WHEN] [--before WHEN]",
    ),
    "report": CommandInfo(
        f"{_PACKAGE}.report:report",
        "report the sessions since a day: what they settled and what they left open",
        "Look",
        "[--since WHEN] [--until WHEN] [--project P] [--by project|day]",
    ),
    "search": CommandInfo(
        f"{_PACKAGE}.search:search",
        "find the best evidence of everything, with reasons; --lines: the lines that hold the very words",
        "Find",
        "QUERY [--limit N] [--passages] [--explain] [filters] | --lines QUERY [-C N]",
    ),
    "recall": CommandInfo(
        f"{_PACKAGE}.recall:recall",
        "the answer to a question, or the passages that hold it, with sources; without one, what is handed over",
        "Find",
        "[QUERY] [--raw] [--since WHEN] [--limit N] [--tokens N] [--timeout S]",
    ),
    "sync": CommandInfo(f"{_PACKAGE}.index:sync", "bring the index up to date", "Find"),
    "index": CommandInfo(
        f"{_PACKAGE}.index:index", "make the index anew, or say what it covers", "Find", "[status] [--incremental]"
    ),
    "add": CommandInfo(f"{_PACKAGE}.index:add", "index one file now, and say how it is found", "Find", "FILE"),
    "watch": CommandInfo(
        f"{_PACKAGE}.watch:watch",
        "sync soon after files change, until the terminal is closed; compact and dream if asked to",
        "Find",
        "[--compact] [--dream] [--dream-interval SPAN] [--debounce SPAN]",
    ),
    "archive": CommandInfo(
        f"{_PACKAGE}.archive:archive",
        "keep transcripts: an archive, an index row, a window entry",
        "Capture",
        "TRANSCRIPT… | --session ID | --all-unarchived [--since WHEN] [--all-projects] [--dry-run]",
    ),
    "archive-session": CommandInfo(
        f"{_PACKAGE}.archive:archive_session", "archive the session that a hook names in JSON on stdin", "Capture"
    ),
    "checkpoint": CommandInfo(
        f"{_PACKAGE}.archive:checkpoint",
        "archive a session that is still running, without a window entry",
        "Capture",
        "[TRANSCRIPT] [--trigger precompact]",
    ),
    "summarize": CommandInfo(
        f"{_PACKAGE}.summarize:summarize",
        "one summary for a session: what it settled, found and left open; shown before it is saved",
        "Capture",
        "[SESSION|FILE] [--text FILE|-] [--force] [--dry-run] [--yes]",
    ),
    "hook": CommandInfo(
        f"{_PACKAGE}.hook:hook",
        "answer an agent's hook: JSON on stdin, the answer on stdout; always exit 0",
        "Capture",
        "[EVENT] [--root PATH] [--agent NAME] [--memory]",
    ),
    "promote": CommandInfo(
        f"{_PACKAGE}.archive:promote", "archive the text of EPHEMERAL.md itself", "Capture", "[--context TEXT]"
    ),
    "log": CommandInfo(f"{_PACKAGE}.log:log", "add an entry to the log of today", "Capture", "ENTRY | --file F"),
    "import": CommandInfo(
        f"{_PACKAGE}.transfer:import_file",
        "take in what export wrote as JSON, or a Markdown file as a topic; what is here stays",
        "Capture",
        "FILE [--theirs] [--dry-run] [--yes]",
    ),
    "consume": CommandInfo(
        f"{_PACKAGE}.consume:consume",
        "print the window for the next session",
        "Hand over",
        "[root] [--clear|--no-clear] [--markers] [--max-chars N]",
    ),
    "export": CommandInfo(
        f"{_PACKAGE}.transfer:export_rows",
        "documents, sessions, a search or the whole memory as Markdown, HTML or JSON; secrets stay behind",
        "Hand over",
        "ID|PATH… | --search QUERY [filters] | --all [--to FILE] [--format md|html|json] [--force]",
    ),
    "distill": CommandInfo(
        f"{_PACKAGE}.distill:distill",
        "what makes MEMORY.md heavy, and the change that mends it",
        "Curate",
        "[root] [--apply N…|all] [--to FILE] [--dry-run]",
    ),
    "compact": CommandInfo(
        f"{_PACKAGE}.compact:compact",
        "make weeks of days, months of weeks, wisdom of months; memory: apply what distill holds for safe",
        "Curate",
        "[weekly|monthly|wisdom|all|memory] [--agent A] [--dry-run] [--yes] [--edited]",
    ),
    "dream": CommandInfo(
        f"{_PACKAGE}.dream:dream",
        "what the memory shows that nobody asked for, as proposals",
        "Curate",
        "[status] [--dry-run] [--phase gather|analyze|write] [--max-candidates N] [--agent MODEL]",
    ),
    "remember": CommandInfo(
        f"{_PACKAGE}.distill:remember",
        "add a line to MEMORY.md or to a topic file; --session-end: a session's lessons to the log of its day",
        "Curate",
        "TEXT [--topic T] | --session-end [SESSION|TRANSCRIPT]",
    ),
    "review": CommandInfo(
        f"{_PACKAGE}.review:review",
        "what wants to change and waits for you: look, accept, dismiss",
        "Curate",
        "[list [--all] | show ID | accept ID… [--only PATH] | accept --safe | dismiss ID… | restore ID…] [--dry-run]",
    ),
    "synthesize": CommandInfo(
        f"{_PACKAGE}.synthesize:synthesize",
        "take what is new in the summaries into the master, by theme and with sources",
        "Curate",
        "[--full] [--dry-run] [--yes] [--review] [--scope NAME]",
    ),
    "migrate": CommandInfo(
        f"{_PACKAGE}.migrate:migrate",
        "an older memory in hierarchical form; --other-projects: sessions of other projects to another memory",
        "Curate",
        "[--to hierarchical] | --other-projects [--to ROOT] [--dry-run] [--yes]",
    ),
    "wiki": CommandInfo(
        f"{_PACKAGE}.wiki:wiki",
        "pages by topic: list, read, write, merge, rename, supersede, rebuild, and find what is wrong",
        "Curate",
        "list | show SLUG | stub SLUG | append SLUG | rebuild SLUG | merge FROM INTO | rename OLD NEW | supersede SLUG"
        " | lint | knowledge-map | targets | status | migrate-typed-memories | migrate-insights",
    ),
    "undo": CommandInfo(
        f"{_PACKAGE}.undo:undo",
        "take back the last change, or the change N; lines written since stay",
        "Take back",
        "[--list] [N]",
    ),
    "redo": CommandInfo(f"{_PACKAGE}.undo:redo", "make the change again that undo took back", "Take back"),
    "journal": CommandInfo(
        f"{_PACKAGE}.undo:journal",
        "list the changes, or print or save what one replaced",
        "Take back",
        "[show N [--file PATH] [--to FILE]]",
    ),
    "doctor": CommandInfo(
        f"{_PACKAGE}.doctor:doctor",
        "check files, numbers, rows, the window, backups and the index; --fix mends them, --restore brings files back",
        "Care",
        "[--fix [--drop-rows]] [--deep] [--restore [DAY [FILE]...]]",
    ),
    "forget": CommandInfo(
        f"{_PACKAGE}.forget:forget",
        "remove a session or a document everywhere, and keep it out",
        "Care",
        "SESSION|PATH… [--undo] [--dry-run] [--yes]",
    ),
    "redact": CommandInfo(
        f"{_PACKAGE}.redact:redact",
        "put a mark in place of every secret that is stored; --check says where they are",
        "Care",
        "[--check] [--dry-run] [--yes]",
    ),
    "config": CommandInfo(
        f"{_PACKAGE}.doctor:config",
        "settings with their origin; edits keep comments",
        "Care",
        "show | get KEY | set KEY VALUE | unset KEY | trust | join [FOLDER] | path",
    ),
    "ledger": CommandInfo(
        f"{_PACKAGE}.ledger:ledger",
        "model calls, tokens and cost by day and purpose, and what may still be spent today",
        "Care",
        "[--days N] [--calls]",
    ),
    "completions": CommandInfo(
        f"{_PACKAGE}.completions:completions", "print the completion of a shell", "Care", "bash|zsh|fish"
    ),
}

HIDDEN_COMMANDS: dict[str, CommandInfo] = {
    "catch-up": CommandInfo(f"{_PACKAGE}.hook:catch_up", "do what hooks left undone; they start it by themselves", ""),
}
"""Commands for programs only; never listed."""
