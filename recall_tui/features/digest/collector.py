"""A conversation heard once: its candidate lines with the role of who said them, and the facts that results bear out.

Memory is bounded whatever the length: the beginning and the newest lines stay.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from recall_tui.domain import Message, ToolCall
from recall_tui.features.digest.lines import TextLine, cut_lines, cut_redacted
from recall_tui.text.classify.session_title import PLAN_PROMPT, PLAN_SECTION
from recall_tui.text.classify.summary import strip_banner
from recall_tui.text.cut import one_line, strip_controls
from recall_tui.text.secrets.redact import redact

Role = Literal["request", "prompt", "refusal", "plan", "reply", "commit", "compaction", "answer", "todo"]
"""Who said a line, and when: the first prompt, a later one, words at the refusal of a tool call, an accepted plan, the
agent, the message of a commit or pull request that was made, a compaction's summary, a question with the choice that
the person made, what is left on the list of tasks."""
_MAX_FIRST, _MAX_LATEST = 1_000, 3_000
"""Candidates that are kept of the beginning, and of the end."""
MAX_PROMPT_CHARS = 2_000
"""Characters from which a prompt is taken for a paste."""
_MAX_FILES = 2_000
_MAX_ANSWER_CHARS = 20_000
"""Characters of a command, and of what it printed last, that are looked at."""
_MAX_LATER_PROMPT_CHARS = 400
_MANY_TURNS = 2_000
"""Turns beyond which less of a prompt is remembered."""

_COMMITS = re.compile(
    r"\b(?:git|gh|jj|hg) (?:commit|pr create|ci)\b|\bcommitt?ed\b|\bpushed\b|^commit\b|, ?commit\b"
    r"|\bcommit (?:and|the|this|these|it|all|changes|your|my|everything)\b",
    re.IGNORECASE,
)
"""Signs that something was committed, or was to be."""
_NOT_SPEECH = re.compile(
    r"\s*(?:operation stopped by hook|<[a-z]+-[a-z-]+>|\[image|\[request interrupted|caveat:"
    r"|base directory for this skill"
    r"|stop hook feedback|api error)",
    re.IGNORECASE,
)
_COMMITTED = re.compile(r"^\[([^\s\]]+)(?: \([^)]*\))? ([0-9a-f]{7,40})\] (.+)$", re.MULTILINE)
_PUSHED = re.compile(
    r"^[ \t]*+[*+]?[ \t]*+(?:[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40}|\[new branch\])\s+\S+\s+->", re.MULTILINE
)
_PULL_REQUEST = re.compile(r"https?://\S+/(?:pull|merge_requests)/(\d+)")
_PULL_REQUEST_TITLE = re.compile(r"--title[ =](?:\"((?:[^\"\\]|\\.){3,200})\"|'([^']{3,200})')")
_FAILED = re.compile(
    r"^[ \t]*+(?:exit code [1-9]|error:|fatal:|traceback|panic:)|^(?:---? ?)?fail\b|\bFAILED\b|^FAIL\s"
    r"|\b[1-9]\d* failed\b"
    r"|command not found|no such file",
    re.IGNORECASE | re.MULTILINE,
)
_FAILURE_WORDS = ("exit code", "error:", "fatal:", "traceback", "panic:", "fail", "not found", "no such file")
"""One of them is in every match of the pattern, and finding them is faster."""
_MAX_EDGE_CHARS = 2_000
"""Characters at either end of an output in which a failure is looked for."""
_CONCESSION = re.compile(
    r"\s*(?:ah[,!. ]+|oh[,!. ]+|hmm[,!. ]+)?(?:you're (?:absolutely )?(?:right|correct)"
    r"|you are (?:absolutely )?(?:right|correct)"
    r"|good (?:catch|point)|excellent (?:catch|point)|great (?:catch|point)|my (?:mistake|bad)|sorry"
    r"|i apologi[sz]e|apologies"
    r"|i was wrong|i misread|i misunderstood|actually[, ]|fair point)",
    re.IGNORECASE,
)
"""Openings of a reply that takes back what was said before."""
_REVERTS = re.compile(
    r"\b(?:revert|undo|take back|back out|roll back)(?:ing)? (?:my|that|this|the last|those|these) (?:\w+ ){0,2}?"
    r"(?:changes?|edits?|fix|additions?|commit)\b",
    re.IGNORECASE,
)
"""Words of a reply that undoes what was done in the turn before."""
_CHECKS = {
    "tests": re.compile(
        r"(?:pytest|jest|vitest|rspec|phpunit|ctest|tox|nox"
        r"|(?:go|cargo|npm|pnpm|yarn|bun|deno|mise|make|just|task|gradle|\./gradlew|mvn|dotnet|mix|rake|swift|bundle)\b"
        r"[^\n]*?\b(?:test|rspec))",
        re.IGNORECASE,
    ),
    "lint": re.compile(
        r"(?:eslint|ruff|flake8|golangci-lint|shellcheck|biome|cargo clippy|go vet"
        r"|(?:npm|pnpm|yarn|bun|mise|make|just|task)\b[^\n]*?\blint)",
        re.IGNORECASE,
    ),
    "type check": re.compile(r"(?:mypy|pyright|tsc|(?:npm|pnpm|yarn|bun)\b[^\n]*?\btype-?check)", re.IGNORECASE),
    "build": re.compile(
        r"(?:(?:go|cargo|npm|pnpm|yarn|bun|mise|make|just|task|gradle|\./gradlew|mvn|dotnet|swift)\b[^\n]*?\bbuild)",
        re.IGNORECASE,
    ),
}
"""Commands that check a project, by what they check."""
_COMMAND_PARTS = re.compile(r"&&|\|\||[;|\n]")
_BEFORE_COMMAND = re.compile(
    r"\s*(?:\w+=\S+\s+|(?:npx|bunx|uvx|uv run|poetry run|pipx run|python3? -m|timeout \S+|time|sudo|env)\s+)*"
)
_PASSED = re.compile(r"\b(?:ok|pass(?:ed|es)?|success\w*|0 (?:failed|failures|errors|issues))\b|✓|✔|✅", re.IGNORECASE)
RECONSIDERED = re.compile(
    r"^\s*(?:thinking again|on second thought|(?:no,? )?actually,? (?=let's|remove|use|make)|scratch that"
    r"|change of plan|forget (?:that|it|about that))[,:.!—–-]*\s*",
    re.IGNORECASE,
)
"""Openings with which a person sets an earlier request aside."""
_REFUSAL = "the user said:"
_ANSWERS = re.compile(r'"((?:[^"\\]|\\.){3,400})"="((?:[^"\\]|\\.){1,400})"')
_MESSAGE_BODY = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?\n(.*?)\n\s*\1\b", re.DOTALL)
_MESSAGE_OPTION = re.compile(
    r"(?:-m|--message|--body)[ =](?:\"((?:[^\"\\]|\\.){3,4000})\"|'([^']{3,4000})')", re.DOTALL
)
_WRAP = re.compile(r"(?<=[^\n.:;!?])\n(?=[a-z`(\"'])")
"""The end of a line within a sentence: messages of commits are wrapped."""
_EDITING_TOOLS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch", "write_file", "replace"})
_OWN_FILES = re.compile(r"/\.claude/(?:plans|projects|todos)/|^/(?:private/)?tmp/|^/var/folders/")


@dataclass(slots=True)
class Candidate:
    """A line that may be worth keeping, and where it stands."""

    line: TextLine
    role: Role
    turn: int
    """The prompt that it follows, from 0; a prompt is in its own turn."""
    message: int
    """The message it is of, from 0."""
    lines: tuple[int, int]
    """The transcript's first and last line that hold it, from 1."""
    is_after_failure: bool = False
    """It is said of a result that was an error."""
    is_pasted: bool = False
    is_closing: bool = False
    """It is of the last reply of its turn."""


@dataclass(slots=True)
class Turn:
    """A prompt, and what came out of it."""

    prompt: str = ""
    line: int = 0
    edits: int = 0
    commits: int = 0
    last_reply: int = -1
    """The message of the agent that closed it; -1 while a tool call comes last."""
    has_replies: bool = False
    concedes: bool = False
    """Its first reply takes back what was said in the turn before."""
    reverts: bool = False
    """Its first reply undoes what was done in the turn before."""


@dataclass(slots=True)
class Commit:
    """A commit that its result bears out."""

    subject: str
    sha: str
    is_pushed: bool = False


@dataclass(slots=True)
class DigestCollector:
    """Hears a conversation message by message, in its order; what sub-agents and left branches said is passed over."""

    turns: list[Turn] = field(default_factory=lambda: [Turn()])
    commits: list[Commit] = field(default_factory=list)
    pull_requests: dict[str, str] = field(default_factory=dict)
    """Titles of those that were opened, by address."""
    files: dict[str, int] = field(default_factory=dict)
    """Files that were changed, with how often."""
    plan_titles: list[str] = field(default_factory=list)
    checks: dict[str, bool] = field(default_factory=dict)
    """Checks that ran since the last change of a file, and whether they passed."""
    edits_since_commit: int = 0
    answer: str = ""
    """The last reply of the last turn, a tool called after it or not."""
    may_have_committed: bool = False
    """A commit was asked for, tried or spoken of, so that none may be missed where its result is not in the log."""
    opening: str = ""
    """The first prompt that is no plan."""
    _first: list[Candidate] = field(default_factory=list)
    _latest: deque[Candidate] = field(default_factory=lambda: deque(maxlen=_MAX_LATEST))
    _todos: list[tuple[str, str, int]] = field(default_factory=list)
    _plan: Message | None = None
    _prompts: set[int] = field(default_factory=set)
    """Hashes of the prompts: some are sent again after a stop."""
    _is_after_failure: bool = False
    _messages: int = 0

    def hear(self, message: Message) -> None:
        """Note what a message has that is worth a look."""
        if message.is_sidechain or message.is_off_chain:
            return
        self._messages += 1
        match message.kind:
            case "prompt":
                self._hear_prompt(message)
            case "reply":
                turn = self.turns[-1]
                turn.concedes = turn.concedes or (not turn.has_replies and bool(_CONCESSION.match(message.text)))
                turn.reverts = turn.reverts or (not turn.has_replies and bool(_REVERTS.search(message.text)))
                turn.has_replies, turn.last_reply = True, self._messages
                self.answer = message.text[:_MAX_ANSWER_CHARS]
                self.may_have_committed |= bool(_COMMITS.search(message.text[:MAX_PROMPT_CHARS]))
                self._add(message, "reply", message.text)
                self._is_after_failure = False
            case "compact_summary":
                self._add(message, "compaction", message.text)
            case "plan":
                self._plan = message
                self.turns[-1].last_reply = -1
            case "tool_call":
                self.turns[-1].last_reply = -1
                if message.tool is not None:
                    self._hear_call(message.tool, message.line)
            case "tool_result":
                self._hear_result(message)

    def candidates(self) -> list[Candidate]:
        """The lines in the order they were said, with what is left on the list of tasks."""
        left = [
            Candidate(TextLine(text), "todo", len(self.turns) - 1, self._messages, (line, line))
            for text, state, line in self._todos
            if state != "completed" and any(state == "completed" for _, state, _ in self._todos)
        ]
        found = [*self._first, *self._latest, *left] if self.has_replies else []
        for one in found:
            one.is_closing = one.message == self.turns[one.turn].last_reply
        return found

    @property
    def has_replies(self) -> bool:
        """The agent said something."""
        return any(turn.has_replies for turn in self.turns)

    @property
    def has_open_tasks(self) -> bool:
        """The last list of tasks has some that are not done."""
        return any(state != "completed" for _, state, _ in self._todos)

    def _hear_prompt(self, message: Message) -> None:
        text = strip_banner(message.text).strip()
        if not text or _NOT_SPEECH.match(text):
            return
        is_first = len(self.turns) == 1 and not self.turns[0].prompt and not self.turns[0].has_replies
        if is_first:
            self.turns[-1] = Turn(text[:MAX_PROMPT_CHARS], message.line)
        else:
            limit = MAX_PROMPT_CHARS if len(self.turns) < _MANY_TURNS else _MAX_LATER_PROMPT_CHARS
            self.turns.append(Turn(text[:limit], message.line))
        self._is_after_failure, self.answer = False, ""
        self.may_have_committed |= bool(_COMMITS.search(text[:MAX_PROMPT_CHARS]))
        if hash(text) in self._prompts:
            return
        self._prompts.add(hash(text))
        if plan := PLAN_PROMPT.match(text):
            self._accept_plan(message, text[plan.end() :])
            return
        self.opening = self.opening or text[:MAX_PROMPT_CHARS]
        self._add(message, "request" if is_first else "prompt", text, is_pasted=len(text) > MAX_PROMPT_CHARS)

    def _hear_result(self, message: Message) -> None:
        text = message.text
        _, refused, words = text.partition(_REFUSAL)
        tool = message.tool
        if tool is not None and tool.name == "ExitPlanMode" and self._plan is not None and not message.is_error:
            self._accept_plan(self._plan, self._plan.text)
            self._plan = None
        if refused and message.is_error:
            self._add(message, "refusal", words.strip())
            self.turns[-1].last_reply = -1
            return
        has_failed = (
            message.is_error or _reports_failure(text[:_MAX_EDGE_CHARS]) or _reports_failure(text[-_MAX_EDGE_CHARS:])
        )
        self._is_after_failure = has_failed
        if tool is None:
            return
        if tool.name == "AskUserQuestion" and not message.is_error:
            for question, choice in _ANSWERS.findall(text[:_MAX_ANSWER_CHARS]):
                if not any(char.isalpha() for char in choice):
                    continue
                self._put(message, "answer", TextLine(one_line(f"{question} → {choice}")))
        if message.is_error and _is_edit(tool):
            self._count_edit(tool, -1)
        if command := _command_of(tool):
            self._hear_command(message, command, has_failed)

    def _hear_call(self, tool: ToolCall, line: int) -> None:
        command = _command_of(tool) or tool.target
        self.may_have_committed |= bool(_COMMITS.search(command[:_MAX_ANSWER_CHARS]))
        if tool.name == "TodoWrite":
            self._todos = list(_todos(tool, line)) or self._todos
        elif _is_edit(tool):
            self._count_edit(tool, 1)

    def _count_edit(self, tool: ToolCall, change: int) -> None:
        """Count an edit when it is called for, and take it back when it fails: some agents log no success."""
        self.turns[-1].edits += change
        self.edits_since_commit = max(0, self.edits_since_commit + change)
        if change > 0:
            self.checks.clear()
        if not _OWN_FILES.search(tool.target) and (tool.target in self.files or len(self.files) < _MAX_FILES):
            self.files[tool.target] = self.files.get(tool.target, 0) + change
            if self.files[tool.target] < 1:
                del self.files[tool.target]

    def _hear_command(self, message: Message, command: str, has_failed: bool) -> None:
        answer = message.text[-_MAX_ANSWER_CHARS:]
        command = cut_redacted(command, _MAX_ANSWER_CHARS)
        made = _COMMITTED.search(answer) if "git" in command else None
        for part in _COMMAND_PARTS.split(command):
            start = _BEFORE_COMMAND.match(part)
            for name, check in _CHECKS.items():
                if check.match(part, start.end() if start else 0):
                    self._note_check(name, answer, has_failed)
        if made:
            self.turns[-1].commits += 1
            self.edits_since_commit = 0
            self.commits.append(Commit(strip_controls(made[3]), made[2]))
            self._add(message, "commit", "\n".join((f"- {made[3]}", _message_body(command).removeprefix(made[3]))))
        if "git push" in command and _PUSHED.search(answer):
            for commit in self.commits:
                commit.is_pushed = True
        if "gh pr create" in command and not has_failed and (found := _PULL_REQUEST.search(answer)):
            title = _PULL_REQUEST_TITLE.search(command)
            self.pull_requests[found[0]] = one_line(title[1] or title[2] or "") if title else ""
            self._add(message, "commit", _message_body(command))

    def _note_check(self, name: str, answer: str, has_failed: bool) -> None:
        """Note how a check ended; of tests that do not say so, nothing is known."""
        self.checks.pop(name, None)
        if has_failed or name != "tests" or _PASSED.search(answer):
            self.checks[name] = not has_failed

    def _accept_plan(self, message: Message, text: str) -> None:
        if (heading := re.match(r"\s*#{1,3}\s+(.+)", text)) and not PLAN_SECTION.match(heading[1]):
            self.plan_titles.append(redact(one_line(heading[1])))
        self._add(message, "plan", text)

    def _add(self, message: Message, role: Role, text: str, *, is_pasted: bool = False) -> None:
        for said in cut_lines(strip_controls(text), by_person=role in ("request", "prompt", "refusal")):
            if role == "commit":
                said = said._replace(is_unticked=False)
            self._put(message, role, said, is_pasted=is_pasted)

    def _put(self, message: Message, role: Role, said: TextLine, *, is_pasted: bool = False) -> None:
        one = Candidate(
            said,
            role,
            len(self.turns) - 1,
            self._messages,
            (message.line, message.line),
            self._is_after_failure and role == "reply",
            is_pasted,
        )
        (self._first if len(self._first) < _MAX_FIRST else self._latest).append(one)


def _is_edit(tool: ToolCall) -> bool:
    """Whether a call changes a file; one that is read back from an archive says no more than name and target."""
    return bool(tool.target) and tool.name in _EDITING_TOOLS


def _reports_failure(output: str) -> bool:
    words = output.lower()
    return any(word in words for word in _FAILURE_WORDS) and _FAILED.search(output) is not None


def _command_of(tool: ToolCall) -> str:
    """The shell command that a call ran; empty when it ran none."""
    found = tool.input.get("command") or tool.input.get("cmd")
    if isinstance(found, list):
        found = "\n".join(one for one in found if isinstance(one, str))
    return found if isinstance(found, str) else ""


def _todos(call: ToolCall, line: int) -> Iterator[tuple[str, str, int]]:
    """Each task of the list with its state."""
    found = call.input.get("todos")
    for one in found if isinstance(found, Sequence) and not isinstance(found, str) else ():
        if isinstance(one, Mapping):
            text, state = one.get("content"), one.get("status")
            if isinstance(text, str) and isinstance(state, str):
                yield strip_controls(one_line(text)), state, line


def _message_body(command: str) -> str:
    """The message of a commit or pull request as a command gives it; empty when it gives none."""
    if body := _MESSAGE_BODY.search(command):
        return _WRAP.sub(" ", body[2])
    found = [one[0] or one[1] for one in _MESSAGE_OPTION.findall(command)]
    return _WRAP.sub(" ", "\n\n".join(found).replace("\\n", "\n").replace('\\"', '"'))
