"""Presets of model programs: no tools, no hooks, no stored session, the prompt on stdin.

A preset is data only; an older release reports an option that it does not know by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from recall_tui.llm.providers.cli_output import ParsedOutput, parse_claude, parse_codex, parse_gemini, parse_plain

_NO_ENVIRONMENT: Mapping[str, str] = MappingProxyType({})
_SYSTEM_PROMPT = "Answer the one request from its own content. You have no tools and need none."


class Preset(NamedTuple):
    """The command line of a program; `{model}`, `{system}`, `{schema}`, `{schema_file}` and `{max_tokens}` are filled
    in.
    """

    words: tuple[str, ...]
    model: tuple[str, ...] = ()
    """Extra arguments when a model is named."""
    system: tuple[str, ...] = ()
    """Extra arguments for the system text; without any it is prepended to the prompt."""
    schema: tuple[str, ...] = ()
    """Extra arguments when a schema is given."""
    last: tuple[str, ...] = ()
    env: Mapping[str, str] = _NO_ENVIRONMENT
    """Environment variables to set."""
    hidden: tuple[str, ...] = ()
    """Environment variables to remove."""
    files: Mapping[str, str] = _NO_ENVIRONMENT
    """Files to write into the working folder, by path."""
    alone: str = ""
    """The system text when the request has none; it replaces the program's own long one, which would cost tokens."""
    read: Callable[[str], ParsedOutput] = parse_plain
    program_variable: str = ""
    """The environment variable that says where the program is."""
    needs_model: bool = False
    hint: str = ""
    """The next step when the program is missing."""


_GEMINI_ENVIRONMENT = {
    "hooksConfig": {"enabled": False},
    "tools": {"core": ["none"], "enableHooks": False},
    "context": {"fileName": "none.md"},
}
PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "claude": Preset(
            words=(
                *("claude", "-p", "--output-format", "json", "--no-session-persistence", "--strict-mcp-config"),
                *("--tools", "", "--settings", '{"disableAllHooks": true}'),
            ),
            model=("--model", "{model}"),
            system=("--system-prompt", "{system}"),
            schema=("--json-schema", "{schema}"),
            env=MappingProxyType({"CLAUDE_CODE_SKIP_PROMPT_HISTORY": "1", "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}),
            # Some releases refuse to run inside one of their own sessions.
            hidden=("CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT"),
            alone=_SYSTEM_PROMPT,
            read=parse_claude,
            program_variable="CLAUDE_BIN",
            hint="install Claude Code and sign in",
        ),
        "codex": Preset(
            words=(
                *("codex", "exec", "--json", "--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only"),
                # Both names that the hooks setting has had; releases ignore an unknown key.
                *("-c", "features.hooks=false", "-c", "features.codex_hooks=false", "-c", "notify=[]"),
                *("-c", "features.shell_tool=false", "-c", "project_doc_max_bytes=0", "--color", "never"),
            ),
            model=("--model", "{model}"),
            schema=("--output-schema", "{schema_file}"),
            last=("-",),
            read=parse_codex,
            hint="install Codex and sign in",
        ),
        "copilot": Preset(
            # Naming a tool that does not exist is the only list that grants none.
            words=(
                *("copilot", "--silent", "--no-color", "--no-ask-user", "--no-custom-instructions"),
                *("--disable-builtin-mcps", "--available-tools=none"),
            ),
            model=("--model", "{model}"),
            hint="install GitHub Copilot CLI and sign in",
        ),
        "gemini": Preset(
            words=("gemini", "--output-format", "json"),
            model=("--model", "{model}"),
            env=MappingProxyType({"GEMINI_CLI_TRUST_WORKSPACE": "true"}),
            files=MappingProxyType({".gemini/settings.json": json.dumps(_GEMINI_ENVIRONMENT, indent=2) + "\n"}),
            read=parse_gemini,
            hint="install Gemini CLI and sign in",
        ),
        "ollama": Preset(
            words=("ollama", "run", "--nowordwrap", "--hidethinking"),
            schema=("--format", "json"),
            last=("{model}",),
            needs_model=True,
            hint="install Ollama and pull the model",
        ),
        "llm": Preset(
            words=("llm", "--no-log", "--no-stream"),
            model=("--model", "{model}"),
            system=("--system", "{system}"),
            hint="pipx install llm",
        ),
    }
)
