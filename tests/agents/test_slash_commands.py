"""The commands and the sub-agent that Claude Code is given hold in every layout, and call this memory's own program."""

from __future__ import annotations

import re
import shlex

import pytest
import yaml

from recall_tui.agents.instructions import render_skill, render_slash_command, render_summarizer
from recall_tui.agents.target import State
from recall_tui.agents.targets.claude import SLASH_COMMANDS, ClaudeTarget
from recall_tui.storage.archives.summary_file import missing_parts
from recall_tui.storage.layout import LAYOUT_NAMES
from recall_tui.storage.markdown.frontmatter import split_frontmatter
from tests.agents.sites import SiteMaker


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
@pytest.mark.parametrize("scope", ["user", "project"])
def test_in_every_layout_each_command_has_its_head_and_names_its_memory(
    site: SiteMaker, layout: str, scope: str
) -> None:
    where = site(scope, layout)  # type: ignore[arg-type]
    for name in SLASH_COMMANDS:
        text = render_slash_command(where, name)
        head = yaml.safe_load(text.split("---\n")[1])
        assert set(head) == {"description", "argument-hint", "allowed-tools"}
        assert "$ARGUMENTS" in text and "$command" not in text and "{here}" not in text
        program = "recall-tui" if scope == "project" else shlex.join(where.command)
        assert f"Bash({program} {name}:*)" in head["allowed-tools"]
        lines = re.findall(rf"^{re.escape(program)} {name} .*--root \S+", text, re.M)
        assert lines, text
        assert (str(where.layout.root) in text) == (scope == "user")
    assert "`/recall`" in render_skill(where) and "recall-tui recall --root" in render_skill(where)


def test_the_session_is_the_one_that_is_named_else_the_one_that_asks(site: SiteMaker) -> None:
    text = render_slash_command(site("project", "project"), "summarize")
    assert "`$ARGUMENTS`" in text and "`${CLAUDE_SESSION_ID}`" in text
    assert text.index("$ARGUMENTS") < text.index("${CLAUDE_SESSION_ID}")
    assert "stop, and say that `/status` shows the id" in text
    assert yaml.safe_load(text.split("---\n")[1])["argument-hint"] == "[session-id]"


def test_the_command_and_the_sub_agent_ask_for_one_form_that_is_taken(site: SiteMaker) -> None:
    texts = render_slash_command(site(), "summarize"), render_summarizer(site())
    forms = [re.findall(r"```markdown\n(.*?)```", text, re.S) for text in texts]
    assert forms[0] == forms[1] and len(forms[0]) == 1
    assert missing_parts(forms[0][0]) == ()
    for text in texts:
        assert "discussed but not decided" in text and "not a transcript" in text


def test_the_sub_agent_has_its_head_and_reads_the_session_by_its_id_alone(site: SiteMaker) -> None:
    where = site("project", "project")
    head, body = split_frontmatter(render_summarizer(where))
    assert (head["name"], head["model"], head["color"]) == ("summarize", "sonnet", "blue")
    assert head["description"] and "recall-tui show SESSION --root" in body
    assert ".jsonl" not in body and str(where.environment.home) not in body and "projects/" not in body


def test_synthesis_is_said_to_be_worth_a_conversation_of_its_own(site: SiteMaker) -> None:
    text = render_slash_command(site(), "synthesize")
    assert "a separate conversation" in text and "five to ten new summaries" in text and "--dry-run" in text


def test_they_are_files_of_their_own_that_a_person_may_change(site: SiteMaker) -> None:
    where = site()
    folder = where.environment.claude
    inside = (piece for piece in ClaudeTarget().pieces(where) if piece.path.is_relative_to(folder))
    pieces = {piece.path.relative_to(folder).as_posix(): piece for piece in inside}
    for path in ("commands/summarize.md", "commands/synthesize.md", "agents/summarize-agent.md"):
        piece = pieces[path]
        text = piece.installed(None)
        assert piece.installed(text) is text and piece.removed(text) is None
        assert piece.state("Mine.\n") is State.CHANGED and piece.removed("Mine.\n") == "Mine.\n"
