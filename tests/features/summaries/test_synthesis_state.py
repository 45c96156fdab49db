"""What is new since a synthesis is told by names and hashes, on whatever machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.features.curation.review import dismiss
from recall_tui.features.summaries import synthesize
from recall_tui.features.summaries.synthesis_state import (
    SourceChanges,
    compare_sources,
    count_due_summaries,
    count_new_summaries,
)
from recall_tui.storage import trust
from recall_tui.storage.layout import make_layout
from recall_tui.workbench import Workbench
from tests.architecture.loading import HEAVY
from tests.architecture.trees import CHECKOUT
from tests.conftest import NOON
from tests.makers import bench_at
from tests.summaries import git, id_of, lines_of, summary, synthesised


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    return bench_at(environment, "project")


def at(bench: Workbench, root: Path, state: Path) -> Workbench:
    """The same memory at another place, on a machine that knows nothing of it."""
    environment = bench.store.environment._replace(
        cwd=root, env={**bench.store.environment.env, "RECALL_STATE": str(state)}
    )
    store = bench.store._replace(layout=make_layout(root, "project"), environment=environment)
    return Workbench(store, bench.why)


def test_what_changed_is_told_by_name_and_hash() -> None:
    before = {"a": "1", "b": "2", "c": "3", "d": "4", "any": ""}
    now = {"a": "1", "b": "9", "e": "3", "f": "5", "any": "7"}
    assert compare_sources(before, now) == SourceChanges(("f",), ("b",), ("d",), (("c", "e"),))
    assert compare_sources(before, now, frozenset("d")).gone == ()
    assert not compare_sources(before, dict(before))


def test_a_fresh_clone_synthesises_only_what_is_new(bench: Workbench, tmp_path: Path) -> None:
    root = bench.store.root
    for number in (1, 2):
        summary(bench.store, number, f"Decision: number {number} is settled for good")
    synthesised(bench)
    git(root, "init", "-q")
    git(root, "add", "-f", "_memory")
    git(root, "commit", "-qm", "memory")
    git(tmp_path, "clone", "-q", str(root), str(tmp_path / "clone"))
    clone = at(bench, tmp_path / "clone", tmp_path / "state-of-another")
    for path in clone.layout.base.rglob("*"):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    assert count_new_summaries(clone.store) == 0
    assert synthesize.draft_master(clone.store).is_same
    new = summary(clone.store, 3, "Decision: number 3 came in the clone")
    os.utime(new, (1_700_000_000, 1_700_000_000))
    assert count_new_summaries(clone.store) == 1
    made = synthesised(clone)
    assert [one.name for one in made.read] == [id_of(3)]
    assert sum("is settled for good" in line or "in the clone" in line for line in lines_of(clone)) == 3


def test_an_edited_summary_is_read_again_and_its_old_lines_go(bench: Workbench) -> None:
    summary(bench.store, 1, "Decision: Use Redis", "Decision: Log in JSON")
    summary(bench.store, 2, "Decision: Log in JSON")
    synthesised(bench)
    summary(bench.store, 1, "Decision: Use Valkey")
    assert count_new_summaries(bench.store) == 1
    made = synthesised(bench)
    assert made.news.edited == (id_of(1),) and [one.name for one in made.read] == [id_of(1)]
    text = "\n".join(lines_of(bench))
    assert "Redis" not in text and "Use Valkey (00000001, 2026-02-01)" in text
    assert "Log in JSON (00000002, 2026-02-02)" in text


def test_a_deleted_summary_takes_its_lines_along(bench: Workbench) -> None:
    path = summary(bench.store, 1, "Decision: Use Redis")
    summary(bench.store, 2, "Decision: Log in JSON")
    synthesised(bench)
    path.unlink()
    made = synthesised(bench)
    assert made.news.gone == (id_of(1),) and "1 removed source" in made.title
    assert not any("Redis" in line for line in lines_of(bench))
    assert "1 conversation," in bench.layout.master.read_text()


def test_the_only_summary_deleted_leaves_an_empty_master(bench: Workbench) -> None:
    path = summary(bench.store, 1, "Decision: Use Redis")
    synthesised(bench)
    path.unlink()
    synthesised(bench)
    assert lines_of(bench) == []


def test_a_renamed_summary_is_the_same_under_its_new_name(bench: Workbench) -> None:
    path = summary(bench.store, 1, "Decision: Use Redis")
    synthesised(bench)
    path.rename(path.with_name(f"{id_of(9)}.md"))
    assert count_new_summaries(bench.store) == 0
    made = synthesised(bench)
    assert made.news.renamed == ((id_of(1), id_of(9)),) and made.read == ()
    assert lines_of(bench)[-1].startswith("- Use Redis (00000009, ")


def test_a_summary_that_cannot_be_read_for_a_while_keeps_its_lines(bench: Workbench) -> None:
    path = summary(bench.store, 1, "Decision: Use Redis")
    synthesised(bench)
    whole = path.read_bytes()
    path.write_bytes(b"\xff")
    summary(bench.store, 2, "Decision: Log in JSON")
    synthesised(bench)
    assert any("Redis" in line for line in lines_of(bench))
    path.write_bytes(whole)
    assert count_new_summaries(bench.store) == 0


def test_ids_that_begin_alike_are_told_apart(bench: Workbench) -> None:
    folder = bench.layout.summaries
    assert folder is not None
    for end, words in (("1", "Redis"), ("2", "JSON")):
        (folder / f"000a11ce-0000-0000-0000-00000000000{end}.md").write_text(
            f"# {words}\n\n## Tracking Points\n\n- Decision: Use {words} on 2026-02-01\n"
        )
    synthesised(bench)
    (folder / "000a11ce-0000-0000-0000-000000000001.md").unlink()
    synthesised(bench)
    assert [line.split(" (")[0] for line in lines_of(bench)] == ["- Use JSON on 2026-02-01"]


def test_a_footer_that_was_lost_is_known_from_the_state_folder(bench: Workbench) -> None:
    summary(bench.store, 1, "Decision: Use Redis")
    synthesised(bench)
    path = bench.layout.master
    path.write_text(path.read_text().partition("<!-- recall-master")[0])
    assert count_new_summaries(bench.store) == 0
    summary(bench.store, 2, "Decision: Log in JSON")
    synthesised(bench)
    assert [line for line in lines_of(bench) if "We worked" not in line] == [
        "- Use Redis (00000001, 2026-02-01)",
        "- Log in JSON (00000002, 2026-02-02)",
    ]


def test_the_footer_wins_over_the_state_folder(bench: Workbench) -> None:
    summary(bench.store, 1, "Decision: Use Redis")
    synthesised(bench)
    before = bench.layout.master.read_text()
    summary(bench.store, 2, "Decision: Log in JSON")
    synthesised(bench)
    bench.layout.master.write_text(before)
    assert count_new_summaries(bench.store) == 1


def test_a_published_master_without_a_footer_goes_by_the_times_of_files(bench: Workbench) -> None:
    old, new = summary(bench.store, 1, "Decision: Use Redis"), summary(bench.store, 2, "Decision: Log in JSON")
    bench.layout.master.write_text(
        "# Project Memory\n\n## Key Decisions\n\n- By hand\n\n---\n\n"
        "*Last synthesized: 2025-11-03*\n*Source: 1 conversation, 0 docs*\n"
    )
    for path, moment in ((old, 1_000), (bench.layout.master, 2_000), (new, 3_000)):
        os.utime(path, (moment, moment))
    assert count_new_summaries(bench.store) == 1
    made = synthesised(bench)
    assert [one.name for one in made.read] == [id_of(2)]
    text = bench.layout.master.read_text()
    assert "- By hand" in text and text.count("*Last synthesized:") == 1 and "2025-11-03" not in text


def test_a_master_that_a_person_wrote_has_seen_nothing(bench: Workbench) -> None:
    path = summary(bench.store, 1, "Decision: Use Redis")
    bench.layout.master.write_text("# Project Memory\n\n## Key Decisions\n\n- By hand\n")
    os.utime(path, (1_000, 1_000))
    assert count_new_summaries(bench.store) == 1
    synthesised(bench)
    assert "- By hand\n- Use Redis (00000001, 2026-02-01)\n" in bench.layout.master.read_text()


@pytest.mark.parametrize(
    "table",
    [
        {
            "last_synthesis": "2025-11-03T10:00:00Z",
            "processed_commits": ["c0ffee"],
            "included_conversations": [id_of(1)],
        },
        {"lastDate": "2025-11-03", "conversations": [{"id": id_of(1)}]},
        {"summaries": {f"_memory/conversations/{id_of(1)}.md": {"hash": "x"}}},
    ],
)
def test_the_state_file_of_the_published_design_is_read(bench: Workbench, table: dict[str, object]) -> None:
    summary(bench.store, 1, "Decision: Use Redis")
    summary(bench.store, 2, "Decision: Log in JSON")
    bench.layout.master.write_text("# Project Memory\n\n## Key Decisions\n\n- By hand\n")
    (bench.layout.base / ".synthesis-state.json").write_text(json.dumps(table))
    assert count_new_summaries(bench.store) == 1
    assert [one.name for one in synthesised(bench).read] == [id_of(2)]


def test_a_master_from_elsewhere_keeps_its_lines(bench: Workbench, tmp_path: Path) -> None:
    summary(bench.store, 1, "Decision: Use Redis")
    synthesised(bench)
    other = bench_at(bench.store.environment._replace(cwd=tmp_path / "other"), "project")
    other.layout.master.write_text(bench.layout.master.read_text())
    for number in (2, 3):
        summary(other.store, number, f"Decision: number {number} was settled here")
        made = synthesised(other)
    assert any("from elsewhere" in note for note in made.notes)
    synthesised(other, full=True)
    assert "- Use Redis (00000001, 2026-02-01)" in lines_of(other)
    assert sum("was settled here" in line for line in lines_of(other)) == 2


def test_line_ends_and_our_own_comment_make_no_edit(bench: Workbench) -> None:
    path = summary(bench.store, 1, "Decision: Use Redis")
    synthesised(bench)
    text = path.read_text() + '\n<!-- recall: {"log": 7} -->\n'
    path.write_bytes(text.replace("\n", "\r\n").encode())
    assert count_new_summaries(bench.store) == 0


def test_a_synthesis_is_due_after_so_many_and_not_again_for_the_same(bench: Workbench) -> None:
    summary(bench.store, 1, "Decision: Use Redis")
    summary(bench.store, 2, "Decision: Log in JSON")
    assert count_due_summaries(bench.store) == 0
    bench.layout.config.write_text('layout = "project"\n[synthesize]\nafter = 2\n')
    trust.confirm(bench.store)
    assert count_due_summaries(bench.store) == 2
    assert synthesize.propose_when_due(bench.store) is not None
    assert count_due_summaries(bench.store) == 0 and synthesize.propose_when_due(bench.store) is None
    assert not bench.layout.master.exists()
    summary(bench.store, 3, "Decision: Ship on Friday")
    assert count_due_summaries(bench.store) == 0
    summary(bench.store, 4, "Decision: Rest on Sunday")
    assert count_due_summaries(bench.store) == 2


def test_counting_what_is_new_loads_nothing_heavy(bench: Workbench) -> None:
    summary(bench.store, 1, "Decision: Use Redis")
    synthesised(bench)
    summary(bench.store, 2, "Decision: Log in JSON")
    script = f"""if True:
        import sys
        from pathlib import Path
        from recall_tui.features.summaries.synthesis_state import count_new_summaries
        from recall_tui.workbench import Workbench
        print(count_new_summaries(Workbench.open(Path({str(bench.store.root)!r})).store))
        print(*sys.modules)
    """
    env = {**os.environ, **bench.store.environment.env, "PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run([sys.executable, "-P", "-c", script], env=env, capture_output=True, text=True, check=True)
    count, modules = done.stdout.splitlines()
    assert count == "1" and not set(modules.split()) & HEAVY


def test_the_same_synthesis_is_one_proposal_whenever_it_is_made_and_is_not_proposed_once_dismissed(
    bench: Workbench,
) -> None:
    summary(bench.store, 1, "Decision: Use Redis")
    later = bench.store._replace(now=lambda: NOON + timedelta(minutes=1))
    first = synthesize.propose_master(bench.store, synthesize.draft_master(bench.store))
    assert first is not None and synthesize.propose_master(later, synthesize.draft_master(later)) == first
    bench.apply(dismiss, [first.id])
    assert synthesize.propose_master(later, synthesize.draft_master(later)) is None
    summary(bench.store, 2, "Decision: Log in JSON")
    assert synthesize.propose_master(later, synthesize.draft_master(later)) is not None
