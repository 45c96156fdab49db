"""Real agents of the npm registry, each asking the server that `install` registered: `python -m tests.qa.real_agents`.

They are installed into a folder of their own, and speak to a stand-in for a model on 127.0.0.1, which lies beside the
folder that RECALL_TEST_DATA names. An agent passes when the model received what the server said, and the memory knows
of the call. The inspector's command line drives every tool as well. Names of agents as arguments choose some of them.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tests.processes import CHECKOUT

PROGRAM = (sys.executable, "-P", "-m", "recall_tui")
PACKAGES_FOLDER = CHECKOUT / "build" / "agents"
MODEL_URL = "http://127.0.0.1:8899"
"""The address of the stand-in."""
FACT = "The ledger service uses Valkey as its cache."
PROMPT = '[tool:recall.*search|^search$] [args:{"query":"which cache does the ledger use"}] Ask the memory.'
INSPECTOR = "@modelcontextprotocol/inspector"
TOOLS = {
    "search": "query=which cache does the ledger use",
    "read": "ref=MEMORY",
    "recall": "question=which cache does the ledger use",
    "remember": "text=We deploy on Fridays.",
}
_AGENT_SECONDS = 400
_STAND_IN = """
import builtins, runpy, sys
inner = builtins.open
def outer(name, *given, **named):
    return inner(sys.argv[2], "ab") if name == "PATH" else inner(name, *given, **named)
builtins.open = outer
runpy.run_path(sys.argv[1], run_name="__main__")
"""
"""It keeps the last request that it got in a file `PATH`; here every one is kept."""


class Agent(NamedTuple):
    """An agent as it is started without a person."""

    package: str
    argv: tuple[str, ...]
    """Behind the folder of programs; the prompt comes last."""
    env: dict[str, str]
    prepare: Callable[[Path], None] = lambda home: None
    """Writes its settings for the stand-in into a home folder, before the server is registered."""


def _codex(home: Path) -> None:
    folder = home / ".codex"
    folder.mkdir()
    (folder / "config.toml").write_text(
        'model = "m"\nmodel_provider = "m"\napproval_policy = "never"\n\n[model_providers.m]\nname = "m"\n'
        f'base_url = "{MODEL_URL}/v1"\nwire_api = "responses"\nenv_key = "OPENAI_API_KEY"\n'
    )


def _opencode(home: Path) -> None:
    folder = home / ".config" / "opencode"
    folder.mkdir(parents=True)
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "m",
        "options": {"baseURL": f"{MODEL_URL}/v1", "apiKey": "x"},
        "models": {"m": {"name": "m", "tool_call": True}},
    }
    (folder / "opencode.json").write_text(json.dumps({"model": "m/m", "provider": {"m": provider}}))


def _gemini(home: Path) -> None:
    folder = home / ".gemini"
    folder.mkdir()
    settings = {"security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}}}
    (folder / "settings.json").write_text(json.dumps(settings))


AGENTS = {
    "claude": Agent(
        "@anthropic-ai/claude-code",
        ("claude", "--allowedTools", "mcp__recall__search", "-p"),
        {"ANTHROPIC_BASE_URL": MODEL_URL, "ANTHROPIC_API_KEY": "x", "ENABLE_TOOL_SEARCH": "false"},
    ),
    "codex": Agent(
        "@openai/codex",
        ("codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"),
        {"OPENAI_API_KEY": "x"},
        _codex,
    ),
    "opencode": Agent("opencode-ai", ("opencode", "run"), {}, _opencode),
    "gemini": Agent(
        "@google/gemini-cli",
        ("gemini", "--skip-trust", "--yolo", "--model", "gemini-2.5-flash", "-p"),
        {"GOOGLE_GEMINI_BASE_URL": MODEL_URL, "GEMINI_API_KEY": "x", "TERM": "xterm-256color"},
        _gemini,
    ),
}


def main(names: list[str]) -> int:
    """Run the inspector and the agents of these names, or all; the exit code is 1 when one fails."""
    data = os.environ.get("RECALL_TEST_DATA", "")
    stand_in = Path(data).parent / "spec" / "mcp-tools" / "mock_llm.py"
    if not data or not stand_in.is_file():
        print(f"there is no stand-in for a model at {stand_in}; name the folder of test data in RECALL_TEST_DATA")
        return 1
    chosen = {name: AGENTS[name] for name in names or AGENTS}
    if trouble := _install_packages([INSPECTOR, *(one.package for one in chosen.values())]):
        print(f"the packages cannot be had from the npm registry: {trouble}")
        return 1
    failed = 0
    with tempfile.TemporaryDirectory(prefix="recall-agents-") as folder:
        log = Path(folder) / "requests"
        model = subprocess.Popen([sys.executable, "-c", _STAND_IN, str(stand_in), str(log)], cwd=folder)
        try:
            _await_model()
            runs = [("inspector", _run_inspector)]
            runs += [(name, lambda place, one=name: _run_agent(one, place, log)) for name in chosen]
            for name, run in runs:
                place = Path(folder) / name
                place.mkdir()
                trouble = run(place)
                failed += bool(trouble)
                print(f"{name:<10} {trouble or 'ok'}", flush=True)
        finally:
            model.kill()
            model.wait()
    print(f"{len(chosen) + 1 - failed} passed, {failed} failed")
    return 1 if failed else 0


def _install_packages(packages: list[str]) -> str:
    """Install them; return the reason why that fails."""
    PACKAGES_FOLDER.mkdir(parents=True, exist_ok=True)
    (PACKAGES_FOLDER / "package.json").write_text('{"private": true}\n')
    line = ["npm", "install", "--no-fund", "--no-audit", "--no-save", *packages]
    try:
        done = subprocess.run(line, cwd=PACKAGES_FOLDER, capture_output=True, text=True)
    except OSError as error:
        return str(error)
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["npm failed"])[-1]
    # npm runs no scripts of packages by itself; this one puts the program of the platform into its place.
    step = PACKAGES_FOLDER / "node_modules" / "@anthropic-ai" / "claude-code" / "install.cjs"
    if step.is_file():
        subprocess.run(["node", str(step)], capture_output=True, check=False)
    return ""


def _await_model() -> None:
    for _ in range(100):
        try:
            urllib.request.urlopen(MODEL_URL, timeout=1)
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("the stand-in for a model does not answer")


def _machine(place: Path, agent: str = "") -> tuple[dict[str, str], Path]:
    """Make a home, a project with a memory and, for an agent, the registration of its server."""
    home, project = place / "home", place / "project"
    home.mkdir()
    project.mkdir()
    path = f"{PACKAGES_FOLDER / 'node_modules' / '.bin'}{os.pathsep}{os.environ['PATH']}"
    env = {"HOME": str(home), "PATH": path, "PYTHONPATH": str(CHECKOUT)}
    env |= {"TERM": "dumb", "CI": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    if agent:
        AGENTS[agent].prepare(home)
    _recall(env, project, "init", str(project), "--layout", "entity", "--no-install", "--yes")
    page = project / "memory" / "MEMORY.md"
    page.write_text(f"{page.read_text()}\n## Notes\n\n- {FACT}\n")
    # A search brings the index up to date for a short time, in which a busy machine does not make a new one.
    _recall(env, project, "sync")
    if agent:
        _recall(env, project, "install", agent, "--mcp", "--scope", "user", "--yes")
    return env, project


def _recall(env: dict[str, str], project: Path, *words: str) -> str:
    done = subprocess.run([*PROGRAM, *words], env=env, cwd=project, capture_output=True, text=True)
    return done.stdout


def _ended(line: list[str], env: dict[str, str], project: Path) -> tuple[str, str]:
    """Run a program and return both its outputs; one that does not end is killed with all that it started."""
    process = subprocess.Popen(
        line,
        env=env,
        cwd=project,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        return process.communicate(timeout=_AGENT_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        return out, f"no end within {_AGENT_SECONDS} s; {err}"


def _run_agent(name: str, place: Path, log: Path) -> str:
    """Let the agent call `search`; return what is wrong."""
    env, project = _machine(place, name)
    program, *more = AGENTS[name].argv
    start = log.stat().st_size if log.exists() else 0
    line = [str(PACKAGES_FOLDER / "node_modules" / ".bin" / program), *more, PROMPT]
    out, err = _ended(line, env | AGENTS[name].env, project)
    said = (err.strip() or out.strip())[:600]
    received = log.read_bytes()[start:] if log.exists() else b""
    if b"Valkey" not in received:
        return f"the model did not receive what the server said: {said!r}; its last request ends {received[-300:]!r}"
    told: dict[str, Any] = json.loads(_recall(env, project, "doctor", "--json"))
    if not any(one["name"] == name and one["last_call"] for one in told["servers"]):
        return f"the memory does not know of its call, but of: {told['clients']}"
    return ""


def _run_inspector(place: Path) -> str:
    """Let the inspector's command line list and call every tool; return what is wrong."""
    env, project = _machine(place)
    server = (*PROGRAM, "--root", str(project), "mcp")
    asked = [("tools/list", ()), ("resources/list", ()), ("prompts/list", ())]
    asked += [("tools/call", ("--tool-name", name, "--tool-arg", given)) for name, given in TOOLS.items()]
    for method, more in asked:
        line = ["mcp-inspector", "--cli", *server, "--method", method, *more]
        out, err = _ended(line, env, project)
        try:
            result = json.loads(out)
        except ValueError:
            return f"{method} {more}: {(err.strip() or out.strip())[-300:]!r}"
        if result.get("isError") or not (result.get("content") or result.get(method.partition("/")[0])):
            return f"{method} {more}: {result}"
    return ""


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
