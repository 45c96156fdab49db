"""Every page and every setting that a command writes anew keeps the line ends that its person's editor gave it."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Environment
from tests.cli.conftest import Recall
from tests.features.capture.note_samples import MORE, TALK
from tests.makers import bench_at, transcript, tree


@pytest.mark.parametrize("name", ["entity", "hierarchical", "project", "user"])
def test_all_pages_of_a_memory_keep_the_line_ends_of_windows(
    environment: Environment, recall: Recall, name: str
) -> None:
    bench = bench_at(environment, name)
    root = bench.store.root
    recall("--root", root, "config", "set", "capture.auto", "true")
    recall("--root", root, "archive", transcript(environment, 1, TALK))
    recall("--root", root, "remember", "We use Redis for the queue")
    pages = [root / path for path in tree(root) if Path(path).suffix in (".md", ".toml")]
    for path in pages:
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    was = {path: path.read_bytes() for path in pages}
    recall("--root", root, "config", "set", "ephemeral.max_entries", "7")
    recall("--root", root, "archive", transcript(environment, 1, [*TALK, *MORE]))
    recall("--root", root, "archive", transcript(environment, 2, [*TALK, *MORE]))
    recall("--root", root, "remember", "The port is 6379 on every host")
    changed = [path for path in pages if path.read_bytes() != was[path]]
    assert len(changed) >= (4 if name != "user" else 3), changed
    for path in pages:
        data = path.read_bytes()
        assert data.count(b"\n") == data.count(b"\r\n"), path


def test_a_setting_leaves_the_other_lines_of_mixed_settings_as_they_are(
    environment: Environment, recall: Recall
) -> None:
    bench = bench_at(environment)
    path = bench.layout.config
    path.write_bytes(b"# mine\n[ephemeral]\r\nmax_entries = 5\r\n# more\n\r\n")
    recall("--root", bench.store.root, "config", "set", "ephemeral.max_entries", "7")
    assert path.read_bytes() == b"# mine\n[ephemeral]\r\nmax_entries = 7\r\n# more\n\r\n"
