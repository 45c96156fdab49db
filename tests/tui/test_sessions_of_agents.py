"""A session of every agent opens in the app at its own words, with the command that resumes it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from recall_tui.domain import Conversation
from recall_tui.transcripts.registry import all_readers, discover_all, own_reader, read_transcript
from recall_tui.tui.document_pointer import DocumentPointer
from recall_tui.tui.screens.reader.screen import ReaderScreen
from recall_tui.workbench import Workbench
from tests.transcripts.agent_samples import NEEDS_SAMPLES, READ, WORKED_IN, copied_home
from tests.transcripts.form_samples import CURSOR, SESSIONS, copied_form
from tests.tui.piloting import AppMaker, settled, shown, toasts

pytestmark = [NEEDS_SAMPLES, pytest.mark.long]
RESUMED = {
    "claude": "claude --resume {id}",
    "codex": "codex resume {id}",
    "qwen": "qwen --resume {id}",
    "droid": "droid --resume {id}",
    "copilot": "copilot --resume={id}",
    "pi": "pi --session {id}",
    "kimi": "kimi --session {id}",
    "opencode": "opencode --session {id}",
    "kilo": "kilo --session {id}",
    "cline": "cline --id {id}",
    "continue": "cn --fork {id}",
    "aider": "aider --restore-chat-history",
    "goose": "goose session --resume --session-id {id}",
}
NOT_RESUMED = {
    "gemini": "the folder of this session is unknown",
    "cursor": "resumes this session only in its editor",
    "vscode": "has no command that resumes a session",
    "roo": "has no command that resumes a session",
    "cline-editor": "has no command that resumes a session",
    "kilo-editor": "has no command that resumes a session",
}


def with_agent(bench: Workbench, agent: str) -> Workbench:
    """The memory on a machine where an agent is installed and has worked in the folder where one stands."""
    environment = bench.store.environment
    program = environment.home / "bin" / (own_reader(agent).program or agent)
    program.parent.mkdir()
    program.touch(0o755)
    copy = copied_home if agent in READ else copied_form
    copy(agent, environment.home, str(environment.cwd))
    # Aider keeps its history in the folder itself.
    cwd = environment.home / WORKED_IN if agent == "aider" else environment.cwd
    installed = environment._replace(cwd=cwd, env={**environment.env, "PATH": str(program.parent)})
    return Workbench.open(bench.layout.root, environment=installed, now=bench.store.now)


def opened_sessions(bench: Workbench) -> Iterator[tuple[Path, str, str]]:
    """Each session that can be read: where it is, its id and its first prompt."""
    for file in discover_all(bench.store.environment):
        read = read_transcript(file.path)
        if isinstance(read, Conversation):
            yield file.path, file.session_id, next(one.text for one in read.messages() if one.kind == "prompt")


def test_every_agent_that_is_read_is_among_them() -> None:
    readers = {one.agent for one in all_readers()}
    assert readers == RESUMED.keys() | NOT_RESUMED.keys() == {*READ, *SESSIONS}


@pytest.mark.parametrize("agent", [*RESUMED, *NOT_RESUMED])
async def test_a_session_opens(app_on: AppMaker, bare: Workbench, agent: str) -> None:
    bench = with_agent(bare, agent)
    sessions = {}
    for path, id, prompt in opened_sessions(bench):
        bench.capture(path)
        sessions[id] = prompt
    assert sessions
    app = app_on(bench)
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        for id, prompt in sessions.items():
            app.push_screen(reader := ReaderScreen(bench, DocumentPointer(id, ""), None))
            await settled(pilot)
            assert any(prompt.split()[0] in line for line in shown(reader)), shown(reader)
            await pilot.press("Y")
            await settled(pilot)
            if agent in RESUMED:
                short = RESUMED[agent].format(id=id)
                program, _, arguments = short.partition(" ")
                folder, there = bench.store.environment.cwd, bench.store.environment.home / "bin" / program
                assert short in str(reader.page.border_subtitle)
                assert app.clipboard == f"cd {shlex.quote(str(folder))} && {shlex.quote(str(there))} {arguments}"
            elif not is_resumed_anyway(id):
                assert NOT_RESUMED[agent] in toasts(app)[-1]
                assert not app.clipboard
            await pilot.press("escape")
            await settled(pilot)


def is_resumed_anyway(id: str) -> bool:
    """Chats of Cursor's command line name no folder, so that it depends on what is on disk."""
    return id in (f"{CURSOR}11", f"{CURSOR}12")


async def test_a_chat_of_cursors_command_line_is_resumed_in_the_one_folder_of_its_name(
    app_on: AppMaker, bare: Workbench
) -> None:
    bench = with_agent(bare, "cursor")
    environment = bench.store.environment
    project = environment.home / ".cursor" / "projects"
    named = str(environment.cwd).strip("/")
    (project / "home-u-api").rename(project / "".join(char if char.isalnum() else "-" for char in named))
    app = app_on(bench)
    async with app.run_test(size=(160, 36)) as pilot:
        await settled(pilot)
        app.push_screen(reader := ReaderScreen(bench, DocumentPointer(f"{CURSOR}11", ""), None))
        await settled(pilot)
        id = CURSOR.removeprefix("cursor-") + "11"
        assert f"cursor-agent --resume {id}" in str(reader.page.border_subtitle)
        await pilot.press("Y")
        await settled(pilot)
        assert app.clipboard == f"cd {environment.cwd} && {environment.home}/bin/cursor-agent --resume {id}"
