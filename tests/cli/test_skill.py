"""What the skill for agents shows is what the commands print."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from recall_tui.agents.instructions import render_skill
from recall_tui.agents.target import Site
from recall_tui.environment import Environment
from recall_tui.storage.layout import make_layout
from recall_tui.storage.markdown.frontmatter import split_frontmatter
from recall_tui.tui.screens.first_run.demo import create_demo
from tests.cli.conftest import Recall


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """The root of the sample memory, copied."""
    return create_demo(tmp_path / "sample", {}).root


def test_each_command_answers_in_the_shape_that_is_shown(
    recall: Recall, environment: Environment, sample: Path
) -> None:
    site = Site("user", environment.cwd, make_layout(sample, "entity"), environment, ("/bin/recall-tui",))
    _, body = split_frontmatter(render_skill(site))
    commands = [shlex.split(block)[1:] for block in re.findall(r"```sh\n(.*?)\n", body)]
    shapes = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", body, re.S)]
    assert [command[0] for command in commands] == ["recall", "search", "show"]
    for command, shape in zip(commands, shapes, strict=True):
        said = recall(*(word.replace(" since:2w", "") for word in command))
        assert said.code == 0, said.err
        assert set(shape) <= set(said.json)
        for name in ("extracts", "hits"):
            if name in shape:
                assert set(shape[name][0]) <= set(said.json[name][0])
    others = re.search(r"Each hit also has (.*)\. `rung`", body)
    hits = recall(*(word.replace(" since:2w", "") for word in commands[1])).json["hits"]
    assert others is not None
    assert set(re.findall(r"`(\w+)`", others[1])) <= set(hits[0])


def test_nothing_found_ends_as_the_skill_says(recall: Recall, sample: Path) -> None:
    said = recall("recall", "--json", "zxqv qqqq", "--root", sample)
    assert said.code == 1
    assert said.json["extracts"] == []
    assert "passages of" in said.err
