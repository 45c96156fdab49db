"""The synthesis without a model: what is new goes in, by theme, with sources, and nothing of a person's goes."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recall_tui.environment import Environment
from recall_tui.errors import ConflictError
from recall_tui.features.summaries import synthesize
from recall_tui.storage.documents.master_file import (
    DECISIONS,
    EVOLUTION,
    LEARNINGS,
    QUESTIONS,
    SECTIONS,
    STATUS,
    is_placeholder,
    parse_master,
)
from recall_tui.storage.state import proposals
from recall_tui.workbench import Workbench
from tests.makers import bench_at
from tests.summaries import git, id_of, lines_of, summary, synthesised


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    return bench_at(environment, "project")


def said(bench: Workbench, title: str) -> list[str]:
    """The texts of one section."""
    return [one.text for one in parse_master(bench.layout.master.read_text()).bullets(title)]


def test_each_point_goes_into_its_section_with_its_source(bench: Workbench) -> None:
    summary(
        bench.store,
        1,
        "**Decision:** Keep sessions in Redis because it is there",
        "Discovery: the middleware checks expiry",
        "Open question: which database holds billing?",
        "Status: login works",
        "Failed approach: cookies alone, they were lost",
        "We decided to ship on Friday",
    )
    synthesised(bench)
    assert said(bench, DECISIONS) == ["Keep sessions in Redis because it is there", "We decided to ship on Friday"]
    assert said(bench, LEARNINGS) == [
        "the middleware checks expiry",
        "Failed approach: cookies alone, they were lost",
    ]
    assert said(bench, QUESTIONS) == ["which database holds billing?"]
    assert said(bench, STATUS) == ["login works"]
    assert all("(00000001, 2026-02-01)" in line for line in lines_of(bench))
    text = bench.layout.master.read_text()
    assert [line[3:] for line in text.splitlines() if line.startswith("## ")] == list(SECTIONS)
    assert "*Last synthesized: 2026-03-06*\n*Source: 1 conversation, 0 docs*" in text
    assert bench.layout.master.stat().st_mode & 0o777 == 0o600


def test_points_are_by_theme_and_not_by_time(bench: Workbench) -> None:
    for number, words in enumerate(("token expiry", "billing tables", "token refresh", "billing invoices"), 1):
        summary(bench.store, number, f"Discovery: about {words} number{'x' * number}")
    synthesised(bench)
    (section,) = [one for one in parse_master(bench.layout.master.read_text()).sections if one.title == LEARNINGS]
    assert {group.title: len(group.lines) for group in section.groups} == {"billing": 2, "token": 2}
    summary(bench.store, 5, "Discovery: the token store is small")
    synthesised(bench)
    (section,) = [one for one in parse_master(bench.layout.master.read_text()).sections if one.title == LEARNINGS]
    assert {group.title: len(group.lines) for group in section.groups} == {"billing": 2, "token": 3}


def test_what_two_sessions_say_is_one_line_with_two_sources(bench: Workbench) -> None:
    summary(bench.store, 1, "Decision: Keep the sessions in Redis")
    summary(bench.store, 2, "Decision: keep sessions in Redis.")
    synthesised(bench)
    assert said(bench, DECISIONS) == ["Keep the sessions in Redis"]
    assert "- Keep the sessions in Redis (00000001, 2026-02-01; 00000002, 2026-02-02)" in lines_of(bench)


def test_a_decision_that_gave_way_is_told_as_evolution_and_grows_with_the_next(bench: Workbench) -> None:
    summary(bench.store, 1, "Decision: Keep sessions in Redis", "Failed approach: tried Memcached for the sessions")
    synthesised(bench)
    summary(bench.store, 2, "Decision: Switched sessions from Redis to Postgres because of backups")
    synthesised(bench)
    assert said(bench, DECISIONS) == ["Switched sessions from Redis to Postgres because of backups"]
    assert said(bench, EVOLUTION) == ["Redis → tried Memcached → settled on Postgres"]
    summary(bench.store, 3, "Decision: Replaced Postgres by SQLite for sessions, it is enough")
    synthesised(bench)
    assert said(bench, EVOLUTION) == ["Redis → tried Memcached → tried Postgres → settled on SQLite for sessions"]
    (line,) = [one for one in lines_of(bench) if "→" in one]
    assert all(f"0000000{number}, 2026-02-0{number}" in line for number in (1, 2, 3))


def test_half_a_quotation_is_no_evolution(bench: Workbench) -> None:
    summary(
        bench.store,
        1,
        "Decision: the logs went to a stale session's log file instead of `28c304f6`'s.",
        "Decision: detect truly orphaned sessions and clean them up instead of migrating them.",
    )
    synthesised(bench)
    assert said(bench, EVOLUTION) == []


def test_how_long_a_session_was_is_no_status(bench: Workbench) -> None:
    summary(bench.store, 1, "Status: 13 messages in 15m", "Decision: Keep sessions in Redis")
    summary(bench.store, 2, "Status: 2 messages in < 1m")
    synthesised(bench)
    assert not any("messages in" in line for line in lines_of(bench)) and said(bench, DECISIONS) != []


def test_the_same_evolution_comes_out_of_all_summaries_at_once(bench: Workbench) -> None:
    summary(bench.store, 1, "Decision: Keep sessions in Redis")
    summary(bench.store, 2, "Decision: Use Postgres instead of Redis because of backups")
    synthesised(bench, full=True)
    assert said(bench, EVOLUTION) == ["Redis → settled on Postgres"]


def test_a_question_leaves_when_a_later_session_answers_it(bench: Workbench) -> None:
    summary(bench.store, 1, "Open question: Which database holds the billing tables?", "Next step: test token refresh")
    synthesised(bench)
    assert said(bench, QUESTIONS)
    summary(
        bench.store, 2, "Decision: Postgres holds the billing tables, one database", "Status: token refresh test done"
    )
    synthesised(bench)
    assert said(bench, QUESTIONS) == []
    assert said(bench, STATUS) == ["token refresh test done"]


def test_a_blocker_stays_until_something_says_that_it_is_over(bench: Workbench) -> None:
    summary(bench.store, 1, "Blocker: staging deploy fails on token rotation")
    summary(bench.store, 2, "Discovery: staging deploy and token rotation run weekly")
    synthesised(bench)
    assert said(bench, QUESTIONS) == ["Blocker: staging deploy fails on token rotation"]
    summary(bench.store, 3, "Solution: staging deploy and its token rotation fixed by a longer timeout")
    synthesised(bench)
    assert said(bench, QUESTIONS) == []


def test_what_was_discussed_and_not_decided_is_a_question(bench: Workbench) -> None:
    summary(bench.store, 1, "Discussed: a queue for mails", "Undecided: one repository or two")
    synthesised(bench)
    assert said(bench, DECISIONS) == [] and len(said(bench, QUESTIONS)) == 2


def test_a_line_that_the_project_speaks_against_is_marked_until_it_fits_again(bench: Workbench) -> None:
    src = bench.store.root / "src"
    src.mkdir()
    for name in ("a.py", "b.py", "c.py"):
        (src / name).touch()
    (bench.store.root / "package.json").write_text(
        '{"name": "shop", "scripts": {"build": "x"}, "dependencies": {"vue": "3"}}'
    )
    summary(
        bench.store,
        1,
        "Decision: start from `src/main.py`",
        "Decision: `src/a.py` holds the routes",
        "Decision: delete `src/old.py` soon",
        "Decision: run npm run deploy on Fridays",
        "Decision: npm install react for the page",
    )
    made = synthesised(bench)
    checks = [line for line in lines_of(bench) if "(check: " in line]
    assert checks == [
        "- start from `src/main.py` (check: src/main.py is not there) (00000001, 2026-02-01)",
        "- run npm run deploy on Fridays (check: script deploy is not there) (00000001, 2026-02-01)",
        "- npm install react for the page (check: dependency react is not there) (00000001, 2026-02-01)",
    ]
    assert any("3 lines do not fit" in note for note in made.notes)
    (src / "main.py").touch()
    summary(bench.store, 2, "Status: main is there")
    synthesised(bench)
    assert "- start from `src/main.py` (00000001, 2026-02-01)" in lines_of(bench)


def test_nothing_new_changes_nothing(bench: Workbench) -> None:
    summary(bench.store, 1, "Decision: Use Redis")
    synthesised(bench)
    before = bench.layout.master.read_bytes()
    made = synthesised(bench)
    assert made.is_same and "nothing new since 2026-03-06" in made.title
    assert synthesised(bench, full=True).is_same
    assert bench.layout.master.read_bytes() == before


def test_lines_and_headings_of_a_person_stay_whatever_is_synthesised(bench: Workbench) -> None:
    summary(bench.store, 1, "Decision: Use Redis for sessions", "Decision: Ship on Friday with care")
    synthesised(bench)
    path = bench.layout.master
    text = path.read_text()
    text = text.replace("- Ship on Friday with care", "- Ship on Monday with care")
    text = text.replace("## Key Decisions\n", "## Key Decisions\n\nMine: never on Friday.\n")
    path.write_text(text.replace("---\n\n*Last", "## House rules\n\n- be kind\n\n### Empty\n\n---\n\n*Last"))
    summary(bench.store, 2, "Decision: Log in JSON")
    synthesised(bench)
    after = path.read_text()
    for line in ("Mine: never on Friday.", "## House rules", "- be kind", "### Empty"):
        assert line in after.splitlines()
    assert "- Ship on Monday with care (00000001, 2026-02-01)" in after
    synthesised(bench, full=True)
    assert "## House rules\n\n- be kind\n\n### Empty\n" in path.read_text()
    assert "- Ship on Monday with care (00000001, 2026-02-01)" in path.read_text()
    assert "Ship on Friday" not in path.read_text()


def test_what_a_person_wrote_already_is_not_said_twice(bench: Workbench) -> None:
    bench.layout.master.write_text("# Project Memory\n\n## Key Decisions\n\n- Use Redis for all sessions\n")
    summary(bench.store, 1, "Decision: Use Redis for all sessions")
    synthesised(bench)
    assert bench.layout.master.read_text().count("Redis") == 1


def test_a_line_that_a_person_took_out_does_not_come_back_with_other_news(bench: Workbench) -> None:
    summary(bench.store, 1, "Decision: Use Redis for sessions", "Decision: Ship on Friday")
    synthesised(bench)
    path = bench.layout.master
    path.write_text("".join(line for line in path.read_text().splitlines(True) if "Ship on" not in line))
    summary(bench.store, 2, "Decision: Log in JSON")
    synthesised(bench)
    assert "Ship on" not in path.read_text()
    synthesised(bench, full=True)
    assert "Ship on" in path.read_text()


def test_the_master_stays_within_its_size_and_the_oldest_leaves_first(bench: Workbench) -> None:
    for number in range(1, 25):
        summary(
            bench.store, number, *(f"Discovery: fact {number} {chr(96 + n)}{n}zz about thing{n}" for n in range(1, 6))
        )
    bench.layout.config.write_text('layout = "project"\n[master]\nmax_lines = 60\n')
    summary(bench.store, 28, "Decision: the one that stays", "Open question: and this one?")
    made = synthesised(bench)
    text = bench.layout.master.read_text()
    assert text.count("\n") <= 60
    assert "the one that stays" in text and "and this one?" in text
    assert "2026-02-24" in text and "2026-02-01" not in text
    assert any("master.max_lines" in note for note in made.notes)
    assert len(list(bench.layout.summaries.glob("*.md"))) == 25  # type: ignore[union-attr]


def test_a_broken_summary_is_named_with_its_line_and_the_others_are_read(bench: Workbench) -> None:
    summary(bench.store, 1, "Decision: Use Redis")
    folder = bench.layout.summaries
    assert folder is not None
    (folder / "bad.md").write_bytes(b"# X\n\n\xff\xfe\n")
    (folder / "empty.md").write_text("")
    (folder / "odd.md").write_text("just words\n")
    (folder / "folder.md").mkdir()
    made = synthesised(bench)
    assert [(one.path.name, one.line) for one in made.broken] == [
        ("bad.md", 3),
        ("empty.md", 1),
        ("folder.md", 1),
        ("odd.md", 1),
    ]
    assert said(bench, DECISIONS) == ["Use Redis"]


def test_a_secret_never_reaches_the_master(bench: Workbench) -> None:
    summary(bench.store, 1, "Decision: use the key AKIAIOSFODNN7EXAMPLA", context="The key is AKIAIOSFODNN7EXAMPLB.")
    synthesised(bench)
    assert "AKIA" not in bench.layout.master.read_text()


def test_documents_and_git_and_code_are_sources_when_they_are_there(bench: Workbench) -> None:
    root = bench.store.root
    docs = root / "_docs"
    docs.mkdir()
    (docs / "plan.md").write_text("# The plan\n\nShip billing in March.\n\n## Later\n")
    (root / "pyproject.toml").write_text('[project]\nname = "shop"\nscripts = {shop = "x:y"}\n')
    (root / "shop.py").write_text("x = 1\n")
    git(root, "init", "-q")
    git(root, "add", "shop.py")
    git(root, "commit", "-qm", "feat: the shop opens")
    summary(bench.store, 1, "Status: open")
    synthesised(bench)
    lines = "\n".join(lines_of(bench))
    assert "- The plan: Ship billing in March. (_docs/plan.md)" in lines
    assert "shop; Python (1 file); scripts: shop. (code, 2026-03-06)" in lines
    assert (
        "- On branch main. (git, 2026-03-06)" in lines
        and "Last commits: feat: the shop opens (git, 2026-03-06)" in lines
    )
    assert "1 conversation, 1 doc*" in bench.layout.master.read_text()
    (docs / "plan.md").write_text("# The plan\n\nShip billing in April.\n")
    made = synthesised(bench)
    assert "1 document" in made.title and "April" in bench.layout.master.read_text()
    (docs / "plan.md").unlink()
    synthesised(bench)
    assert "The plan" not in bench.layout.master.read_text()


def test_a_folder_without_code_and_git_has_its_plans_and_outlines(bench: Workbench) -> None:
    (bench.store.root / "outline of the novel.md").write_text("# Outline\n\nThree acts.\n")
    (bench.store.root / "chapter.md").write_text("# One\n\nIt was night.\n")
    summary(bench.store, 1, "Decision: The hero stays at home")
    synthesised(bench)
    text = bench.layout.master.read_text()
    assert "Outline: Three acts." in text and "It was night" not in text
    assert "git," not in text and "code," not in text and "(check" not in text


def test_a_master_that_changed_meanwhile_is_not_written_over(bench: Workbench) -> None:
    summary(bench.store, 1, "Decision: Use Redis")
    made = synthesize.draft_master(bench.store)
    bench.layout.master.write_text("# Mine\n")
    with pytest.raises(ConflictError):
        synthesize.plan_master(bench.store, made)


def test_undo_takes_the_synthesis_back_and_what_was_new_is_new_again(bench: Workbench) -> None:
    summary(bench.store, 1, "Decision: Use Redis")
    synthesised(bench)
    bench.undo()
    assert not bench.layout.master.exists()
    assert len(synthesize.draft_master(bench.store).read) == 1


def test_a_proposal_waits_in_review_and_its_acceptance_is_the_synthesis(bench: Workbench) -> None:
    summary(bench.store, 1, "Decision: Use Redis")
    proposal = synthesize.propose_master(bench.store, synthesize.draft_master(bench.store))
    assert proposal is not None and (proposal.kind, proposal.subject) == ("master", "_memory/master.md")
    assert proposal.evidence == (f"_memory/conversations/{id_of(1)}.md",)
    assert not bench.layout.master.exists()
    bench.apply(lambda store: proposals.plan_accept(store, proposal))
    assert said(bench, DECISIONS) == ["Use Redis"]
    assert synthesize.draft_master(bench.store).is_same


def test_nested_points_and_points_below_headings_are_read(bench: Workbench) -> None:
    path = summary(bench.store, 1)
    path.write_text(
        path.read_text()
        + "### Decisions\n\n1. Use Redis\n   - Rationale: it is there\n   - fast\n\n```\n- Decision: no\n```\n"
        "### Blockers\n- The disk is full\n"
    )
    synthesised(bench)
    assert said(bench, DECISIONS) == ["Use Redis; Rationale: it is there; fast"]
    assert said(bench, QUESTIONS) == ["Blocker: The disk is full"]


@pytest.mark.parametrize("layout", ["entity", "user", "hierarchical"])
def test_archives_stand_for_summaries_where_a_layout_has_none(environment: Environment, layout: str) -> None:
    from tests.makers import transcript

    bench = bench_at(environment, layout)
    talk = [
        ("user", "Fix the refresh race"),
        ("assistant", "We decided to use a lock. Next step: write a test for it."),
    ]
    bench.capture(transcript(environment, 1, talk))
    synthesised(bench)
    (name,) = [path.stem for place in bench.layout.archives for path in place.folder.glob("*.md")]
    assert f"- We decided to use a lock. ({name}, 2026-03-06)" in lines_of(bench)
    assert synthesize.draft_master(bench.store).is_same


def test_windows_line_ends_and_a_very_long_point_are_taken_as_they_come(bench: Workbench) -> None:
    path = summary(bench.store, 1, "Decision: " + "very " * 200 + "long")
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    synthesised(bench)
    (text,) = said(bench, DECISIONS)
    assert text.endswith("…") and len(text) <= 300


def test_the_files_of_a_summary_are_left_as_they_are(bench: Workbench) -> None:
    path = summary(bench.store, 1, "Decision: Use Redis")
    before = path.read_bytes()
    synthesised(bench)
    assert path.read_bytes() == before


PARTS = st.sampled_from(
    [
        *(
            "## Key Decisions",
            "## Mine",
            "### Theme",
            "# Title",
            "- Use Redis",
            "- by hand (x, 2026-01-01)",
            "> quoted",
        ),
        *("```", "~~~", "*Nothing yet.*", "<!-- a note -->", "  - nested", "1. one", "| a | b |", "Text of mine.", ""),
    ]
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PARTS, max_size=14).map("\n".join), st.booleans())
def test_no_line_that_a_person_wrote_is_lost_by_a_synthesis(environment: Environment, text: str, full: bool) -> None:
    bench = bench_at(environment, "project")
    summary(bench.store, 1, "Decision: Use Redis for sessions", "Discovery: it is slow")
    bench.layout.master.write_text(text)
    made = synthesize.draft_master(bench.store, full=full)
    after = [line.strip() for line in made.text.splitlines()]
    if not is_placeholder(text):
        assert [line for line in text.splitlines() if line.strip() not in after] == []
    assert parse_master(made.text).sections == made.master.sections
