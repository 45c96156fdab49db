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
    same_as: str = ""
    """The command that does the same; this name keeps working, and `help --all` lists it apart."""


GROUPS = ("Start", "Agents", "Look", "Find", "Capture", "Hand over", "Curate", "Take back", "Care")
DAILY: dict[str, tuple[str, ...]] = {
    "Start": ("init", "install", "demo"),
    "Find": ("search", "recall", "show", "list"),
    "Keep": ("archive", "remember", "distill", "review"),
    "Care": ("status", "undo", "doctor", "config"),
}
"""The commands that `--help` lists, by group; `help --all` lists every command."""
_PACKAGE = "recall_tui.cli.commands"

COMMANDS: dict[str, CommandInfo] = {
    "demo": CommandInfo(
        f"{_PACKAGE}.app:demo", "open the app on a throw-away copy of sample memory", "Start", "[--print-root]"
    ),
    "init": CommandInfo(
        f"{_PACKAGE}.init:init",
        "create a memory; existing files are kept",
        "Start",
        "[root] [--layout L] [--target AGENT] [--scope user|project] [--no-install] [--dry-run] [--yes]",
    ),
    "install": CommandInfo(
        f"{_PACKAGE}.agents:install",
        "add rules, hooks and a skill to your agents; shows a diff first",
        "Agents",
        "[AGENT…] [--scope user|project] [--dry-run] [--yes]",
    ),
    "uninstall": CommandInfo(
        f"{_PACKAGE}.agents:uninstall",
        "remove exactly what install added",
        "Agents",
        "[AGENT…] [--scope user|project] [--dry-run] [--yes]",
    ),
    "agents": CommandInfo(
        f"{_PACKAGE}.agents:agents_",
        "show the agents, what is installed in them, and whether hooks run",
        "Agents",
        "[--log] [--limit N]",
    ),
    "status": CommandInfo(
        f"{_PACKAGE}.status:status",
        "show the active memory and its health; exit 1 when it is down",
        "Look",
        "[root] [--bars]",
    ),
    "dashboard": CommandInfo(
        f"{_PACKAGE}.status:dashboard",
        "show health as bars, recent sessions and the largest sections",
        "Look",
        "[root]",
        same_as="status --bars",
    ),
    "show": CommandInfo(
        f"{_PACKAGE}.status:show",
        "print a document, a conversation, a day, a week or a wiki page",
        "Look",
        "ID|PATH[:LINES]|@N|DATE|WEEK|MONTH|SLUG",
    ),
    "read": CommandInfo(
        f"{_PACKAGE}.read:read",
        "print a day, a week, a month, a wiki page or a file by its name",
        "Look",
        "DATE|WEEK|MONTH|[TEAM:]SLUG|FILE",
        same_as="show",
    ),
    "list": CommandInfo(
        f"{_PACKAGE}.read:list_documents",
        "list documents by kind or time, newest first",
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
        "find the best matches in everything; --lines finds exact text",
        "Find",
        "QUERY [--limit N] [--passages] [--explain] [filters] | --lines QUERY [-C N]",
    ),
    "recall": CommandInfo(
        f"{_PACKAGE}.recall:recall",
        "answer a question from memory, with sources",
        "Find",
        "[QUERY] [--raw] [--since WHEN] [--project P] [--limit N] [--tokens N] [--timeout S]",
    ),
    "sync": CommandInfo(
        f"{_PACKAGE}.index:sync",
        "bring the index up to date; --rebuild starts over, --status shows its coverage",
        "Find",
        "[FILE] [--rebuild | --status]",
    ),
    "index": CommandInfo(
        f"{_PACKAGE}.index:index",
        "rebuild the index, or show its coverage",
        "Find",
        "[status] [--incremental]",
        same_as="sync --rebuild, sync --status",
    ),
    "add": CommandInfo(f"{_PACKAGE}.index:add", "index one file now", "Find", "FILE", same_as="sync FILE"),
    "watch": CommandInfo(
        f"{_PACKAGE}.watch:watch",
        "sync whenever files change, until the terminal is closed",
        "Find",
        "[--compact] [--dream] [--dream-interval SPAN] [--debounce SPAN]",
    ),
    "archive": CommandInfo(
        f"{_PACKAGE}.archive:archive",
        "keep sessions: archive their transcripts as Markdown",
        "Capture",
        "TRANSCRIPT… | --session ID | --all-unarchived [--since WHEN] [--all-projects] [--dry-run]",
    ),
    "archive-session": CommandInfo(
        f"{_PACKAGE}.archive:archive_session", "archive the session that a hook names in JSON on stdin", "Capture"
    ),
    "checkpoint": CommandInfo(
        f"{_PACKAGE}.archive:checkpoint",
        "archive a session that is still running; it is not yet a recent one",
        "Capture",
        "[TRANSCRIPT] [--trigger precompact]",
    ),
    "summarize": CommandInfo(
        f"{_PACKAGE}.summarize:summarize",
        "write a summary page of a session; shown before it is saved",
        "Capture",
        "[SESSION|FILE] [--text FILE|-] [--force] [--dry-run] [--yes]",
    ),
    "hook": CommandInfo(
        f"{_PACKAGE}.hook:hook",
        "answer an agent's hook: JSON on stdin; always exit 0",
        "Capture",
        "[EVENT] [--root PATH] [--agent NAME] [--memory]",
    ),
    "mcp": CommandInfo(
        f"{_PACKAGE}.mcp:mcp", "serve the memory to agents by the Model Context Protocol", "Agents", "[--root PATH]"
    ),
    "promote": CommandInfo(
        f"{_PACKAGE}.archive:promote", "archive the text of EPHEMERAL.md", "Capture", "[--context TEXT]"
    ),
    "log": CommandInfo(f"{_PACKAGE}.log:log", "add an entry to today's log", "Capture", "ENTRY | --file F"),
    "import": CommandInfo(
        f"{_PACKAGE}.transfer:import_file",
        "import a JSON export, a log of a day, or a Markdown file as a topic",
        "Capture",
        "FILE [--theirs] [--dry-run] [--yes]",
    ),
    "consume": CommandInfo(
        f"{_PACKAGE}.consume:consume",
        "print the recent sessions for the next one",
        "Hand over",
        "[root] [--clear] [--markers] [--max-chars N] [--dry-run]",
    ),
    "export": CommandInfo(
        f"{_PACKAGE}.transfer:export_rows",
        "export documents, sessions, search hits or the whole memory",
        "Hand over",
        "ID|PATH… | --search QUERY [filters] | --all [--to FILE] [--format md|html|json] [--force]",
    ),
    "distill": CommandInfo(
        f"{_PACKAGE}.distill:distill",
        "suggest edits that bring MEMORY.md under its budget",
        "Curate",
        "[root] [--apply N…|all] [--to FILE] [--dry-run]",
    ),
    "compact": CommandInfo(
        f"{_PACKAGE}.compact:compact",
        "summarize days into weeks, weeks into months, months into wisdom",
        "Curate",
        "[weekly|monthly|wisdom|all|memory] [--agent MODEL] [--dry-run] [--yes] [--edited]",
    ),
    "dream": CommandInfo(
        f"{_PACKAGE}.dream:dream",
        "find contradictions, gaps and recurring topics, and propose wiki updates",
        "Curate",
        "[status] [--dry-run] [--phase gather|analyze|write] [--max-candidates N] [--agent MODEL]",
    ),
    "remember": CommandInfo(
        f"{_PACKAGE}.distill:remember",
        "add a line to MEMORY.md or to a topic file",
        "Curate",
        "TEXT [--topic T] | --session-end [SESSION|TRANSCRIPT]",
    ),
    "review": CommandInfo(
        f"{_PACKAGE}.review:review",
        "list, accept or dismiss the changes that are proposed",
        "Curate",
        "[list [--all] | show ID | accept ID… [--only PATH] | accept --safe | dismiss ID… | restore ID…] [--dry-run]",
    ),
    "synthesize": CommandInfo(
        f"{_PACKAGE}.synthesize:synthesize",
        "merge new summaries into the project's master page",
        "Curate",
        "[--full] [--dry-run] [--yes] [--review] [--scope NAME]",
    ),
    "migrate": CommandInfo(
        f"{_PACKAGE}.migrate:migrate",
        "upgrade an older memory, or move other projects' sessions out",
        "Curate",
        "[--to hierarchical] | --other-projects [--to ROOT] [--dry-run] [--yes]",
    ),
    "wiki": CommandInfo(
        f"{_PACKAGE}.wiki:wiki",
        "read, write and check pages by topic",
        "Curate",
        "list | show SLUG | stub SLUG | append SLUG | rebuild SLUG | merge FROM INTO | rename OLD NEW | supersede SLUG"
        " | lint | knowledge-map | targets | status | migrate-typed-memories | migrate-insights",
    ),
    "undo": CommandInfo(
        f"{_PACKAGE}.undo:undo",
        "undo the last change, or change N; later edits are kept",
        "Take back",
        "[--list] [N]",
    ),
    "redo": CommandInfo(f"{_PACKAGE}.undo:redo", "repeat the change that undo reverted", "Take back"),
    "journal": CommandInfo(
        f"{_PACKAGE}.undo:journal",
        "list changes, or print what one of them replaced",
        "Take back",
        "[show N [--file PATH] [--to FILE]]",
    ),
    "doctor": CommandInfo(
        f"{_PACKAGE}.doctor:doctor",
        "check the memory; --fix repairs it, --restore restores files",
        "Care",
        "[--fix [--drop-rows]] [--deep] [--restore [DAY [FILE]...]]",
    ),
    "forget": CommandInfo(
        f"{_PACKAGE}.forget:forget",
        "remove a session or a document everywhere, for good",
        "Care",
        "SESSION|PATH… [--undo] [--dry-run] [--yes]",
    ),
    "redact": CommandInfo(
        f"{_PACKAGE}.redact:redact",
        "mask every secret in stored text; --check only lists them",
        "Care",
        "[--check] [--dry-run] [--yes]",
    ),
    "config": CommandInfo(
        f"{_PACKAGE}.doctor:config",
        "show, change and confirm settings",
        "Care",
        "show | get KEY | set KEY VALUE | unset KEY | trust | join [FOLDER] | path",
    ),
    "ledger": CommandInfo(
        f"{_PACKAGE}.ledger:ledger",
        "show model calls, tokens and cost, and today's remaining limits",
        "Care",
        "[--days N] [--calls]",
    ),
    "help": CommandInfo(
        f"{_PACKAGE}.help:help_command",
        "show the help of a command; --all lists every command",
        "Care",
        "[COMMAND] [--all]",
    ),
    "completions": CommandInfo(
        f"{_PACKAGE}.completions:completions", "print the completion script of a shell", "Care", "bash|zsh|fish"
    ),
}

HIDDEN_COMMANDS: dict[str, CommandInfo] = {
    "catch-up": CommandInfo(f"{_PACKAGE}.hook:catch_up", "do what hooks left undone; hooks start it", ""),
}
"""Commands for programs only; never listed."""

FAMILIAR_WORDS: dict[str, str] = {
    **dict.fromkeys(("cat", "open", "print", "view"), "show"),
    **dict.fromkeys(("changes", "history", "backups"), "journal"),
    **dict.fromkeys(("clean", "fix", "repair"), "doctor --fix"),
    **dict.fromkeys(("conversations", "sessions", "ls"), "list conversation"),
    **dict.fromkeys(("delete", "remove", "rm"), "forget"),
    **dict.fromkeys(("find", "grep"), "search"),
    **dict.fromkeys(("revert", "restore", "rollback"), "undo"),
    **dict.fromkeys(("settings", "set"), "config"),
    **dict.fromkeys(("setup", "start"), "init"),
    **dict.fromkeys(("hooks", "connect"), "install"),
    **dict.fromkeys(("note", "save", "learn", "lesson", "lessons", "decision", "decide", "fact"), "remember"),
    **dict.fromkeys(("pages", "topics"), "list"),
    **dict.fromkeys(("handover", "hand", "next", "window"), "consume"),
    **dict.fromkeys(("team", "teams"), "init --layout project"),
    "ask": "recall",
    "share": "export or consume",
    "info": "status",
    "health": "status",
    "version": "--version",
}
"""Words of other programs that people try, with the command, or commands, that a usage error suggests."""


def familiar_words(name: str) -> tuple[str, ...]:
    """Return the words of other programs that lead to a command."""
    return tuple(word for word, command in FAMILIAR_WORDS.items() if name in command.split())
