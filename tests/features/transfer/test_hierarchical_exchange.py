"""A memory as the published system leaves it, with a file of every kind and the quirks of hands: nothing is lost.

It opens, is searched, read, compacted, linted, dreamt of and migrated; what is written into it, a strict reader of the
published rules reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from recall_tui.domain.documents import SourceRef
from recall_tui.environment import Environment
from recall_tui.features.consolidation.compact import compact
from recall_tui.features.consolidation.wisdom import plan_wisdom
from recall_tui.features.curation import review
from recall_tui.features.curation.remember import plan_log_entry
from recall_tui.features.documents.listing import count_documents
from recall_tui.features.documents.read import read_by_name
from recall_tui.features.dreaming import dream
from recall_tui.features.setup.migrate import migrate
from recall_tui.features.wiki import page_changes
from recall_tui.features.wiki.knowledge_map import plan_map
from recall_tui.features.wiki.lint import lint_target
from recall_tui.storage.documents.period_page import iso_week, month_containing, parse_period_page
from recall_tui.storage.documents.wiki_page import InvalidPage, PageSource, WikiPage, rewrite_page
from recall_tui.storage.documents.wiki_page import parse_wiki_page as parse_page
from recall_tui.storage.markdown import frontmatter
from recall_tui.storage.state import search_log
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import tree, write_files

WISDOM = {
    "compaction": "# Ada - Wisdom\n\nLast compacted: 2026-02-20\n\n## Engineering\n\n**Small steps win**\n\n"
    "One change at a time. It is easier to undo.\n\n**C++ for the core.** Rust was slower to build.\n\n"
    "## People\n\n**東京 first** Ask the office in Tokyo.\n",
    "dreaming": "# Wisdom\n\nWhat has held so far.\n\n## Patterns and lessons\n\n"
    "- **small-steps** — one change at a time, see [[jwt-auth]]\n- **ask-first** — ask before deploys\n\n"
    "*2026-02-20 · 2 entries · 90 chars*\n",
    "mapped": "# Wisdom\n\n- **small-steps** — one change at a time\n\n## Knowledge Map\n\n"
    "### Entities\n\n- [[x]] — gone\n\n"
    "## Mine\n\nA person's own section.\n",
}
SAID = {
    "compaction": ("Small steps win", "One change at a time. It is easier to undo.", "C++ for the core", "東京 first"),
    "dreaming": ("What has held so far.", "one change at a time, see [[jwt-auth]]", "ask-first", "ask before deploys"),
    "mapped": ("small-steps", "one change at a time", "## Mine", "A person's own section."),
}
_DAILY = "---\ntype: daily\n---\n## {day}\n\n{words}\n"
DAYS = {
    "2026-02-16": "- We decided to use JWT over sessions, see ticket 41.\n- Ada measured 120 ms a refresh.",
    "2026-02-17": "- Always rotate the staging keys on a Monday.\n\nThe pelican build is done.",
    "2026-02-19": "- Redis was removed.\n- Blocked: the vendor has not answered.",
    "2026-02-24": "- Shipped the token refresh to staging on 2026-02-24.",
    "2026-02-25": "- We decided to keep 15 minutes as the life of a token.",
    "2026-02-26": "- Released v2.1.0 of the gateway.",
    "2026-03-04": "- A week that is not over: narwhal.",
}
FILES = {
    "DREAMS.md": "# Dream Diary\n\n## 2026-02-20\n\n3 candidates examined, 2 LLM calls.\n\n---\n",
    "IDENTITY.md": "# Ada\n\nA careful engineer who keeps ocelots.\n",
    **{f"memory/{day}.md": _DAILY.format(day=day, words=words) for day, words in DAYS.items()},
    "memory/weekly/2026-W06.md": "---\ntype: weekly\nperiod: 2026-W06\npointers:\n  - memory/2026-02-03.md\nsalience:\n"
    "  memory/2026-02-03.md: 1\n---\n# Week 2026-W06\n\n## Key Outcomes\n\n- The quokka release.\n",
    "memory/weekly/2026-W05.md": "# Week 2026-W05\n\nA summary without a head: axolotl.\n",
    "memory/monthly/2026-01.md": "---\ntype: monthly\nperiod: 2026-01\n---\n# 2026-01\n\n## Themes\n\n- Platypus.\n",
    "memory/user_sam.md": "---\nname: Sam\ndescription: pays for it\ntype: user\n---\nSam likes okapi pictures.\n",
    "memory/feedback_tests.md": "---\nname: Tests\ndescription: real files\ntype: feedback\n---\n"
    "No mocks, says lemur.\n"
    "\n**Why:** mocks lie.\n**How to apply:** files in a folder.\n",
    "memory/project_gateway.md": "---\nname: Gateway\ntype: project\n---\nThe gateway (tapir), begun 2026-02-16.\n\n"
    "**Why:** one door.\n**How to apply:** all calls through it.\n",
    "memory/reference_runbook.md": "---\nname: Runbook\ndescription: how to deploy: by hand\n"
    "type: reference\n---\nKinkajou.\n",
    "memory/wiki/index.md": "---\ntype: wiki-index\ngenerated: 2026-02-20\ntotal: 3\n---\n# Wiki\n",
    "memory/wiki/jwt-auth.md": """---
# kept by Ada
name: JWT auth
description: "How the API signs people in: tokens"
type: wiki
category: concept
slug: jwt-auth
created: 2026-02-16
updated: 2026-02-20T09:00:00Z
sources:
  - memory/2026-02-16.md
  - uri: memory/2026-02-17.md
    from: 6
    lines: 1
    summary: keys
  - source: memory/2026-02-19.md
    from: 0
    lines: -2
related: [gateway-page]
confidence: high
supersedes:
  - source: memory/2026-02-16.md
    fact: Sessions are kept in Redis.
    superseded_on: 2026-02-16
grounding:
  verified_on: 2026-02-17
  grounded: false
  unverified: [one, "two: three"]
  stale: []
reviewer: Sam   # ask first
tags: [auth, 2026]
---

Tokens, as [[gateway-page|the gateway]] has it: numbat.
""",
    "memory/wiki/gateway-page.md": "---\nname: Gateway\ndescription: one door\ncategory: project\nslug: gateway-page\n"
    "sources: memory/2026-02-16.md\nupdated: 2025-01-01\n---\nUses [[jwt-auth]]: dugong.\n",
    "memory/wiki/ada.md": "---\nname: Ada\ndescription: engineer\ncategory: entity\nsources: [a]\n---\nFossa.\n",
    "memory/wiki/runbook.md": "---\nname: Runbook\ndescription: x\ncategory: reference\nsources: [a]\n---\nGenet.\n",
    "memory/wiki/steps.md": "---\nname: Steps\ndescription: x\ncategory: theme\nsources: [a, b]\n---\nServal.\n",
    "memory/wiki/moved.md": "---\nname: Moved\ncategory: concept\nsources: []\nredirect_to: jwt-auth\n---\n",
    "memory/wiki/no-category.md": "---\nname: Half\ndescription: x\n---\nStill findable: halibut.\n",
    "memory/wiki/torn.md": "---\nname: [torn\n---\nCapybara.\n",
    "memory/dreams/insights/2026-02-18-habits.md": "---\ntype: insight\ndate: 2026-02-18\ntheme: Habits\n"
    "sources: [memory/2026-02-17.md]\nconfidence: low\n---\nMondays are for caracal keys.\n",
    "memory/dreams/contradictions/2026-02-18.md": "---\ntype: contradiction\ndate: 2026-02-18\n---\n### small-steps\n\n"
    "Evidence: a big step by a wombat.\n\nRecommendation: keep.\n",
    "memory/.archive/typed-memories/user_old.md": "---\ntype: user\n---\nTaken in before.\n",
    ".dreams/search-log.jsonl": '{"ts":"2026-03-05T10:00:00Z","query":"token life","results":["memory/2026-02-25.md"],'
    '"scores":[0.913],"topK":5,"returned":1}\ntorn line\n',
    ".dreams/search-log-2026-02.jsonl": '{"ts":"2026-02-20T10:00:00Z","query":"vendor","results":[],"scores":[],'
    '"topK":5,"returned":0}\n',
    ".dreams/candidates.json": '[{"type":"null_query","score":0.2,"uris":[],"description":"vendor"}]\n',
    ".dreams/dream-state.json": '{"lastRun":"2026-02-20T03:00:00Z","lastCandidatesExamined":3,'
    '"lastInsightsGenerated":1}\n',
    ".index/index.json": '{"version":1,"items":[{"metadata":{"text":"echidna"}}]}\n',
    ".index/catalog.json": '{"uriToId":{}}\n',
    ".index/abc.txt": "echidna\n",
}  # fmt: skip
WORDS = {
    "narwhal": "memory/2026-03-04.md",
    "pelican build": "memory/2026-02-17.md",
    "quokka": "memory/weekly/2026-W06.md",
    "axolotl": "memory/weekly/2026-W05.md",
    "platypus": "memory/monthly/2026-01.md",
    "okapi": "memory/user_sam.md",
    "lemur": "memory/feedback_tests.md",
    "tapir": "memory/project_gateway.md",
    "kinkajou": "memory/reference_runbook.md",
    "numbat": "memory/wiki/jwt-auth.md",
    "dugong": "memory/wiki/gateway-page.md",
    "fossa": "memory/wiki/ada.md",
    "genet": "memory/wiki/runbook.md",
    "serval": "memory/wiki/steps.md",
    "halibut": "memory/wiki/no-category.md",
    "capybara": "memory/wiki/torn.md",
    "caracal": "memory/dreams/insights/2026-02-18-habits.md",
    "wombat": "memory/dreams/contradictions/2026-02-18.md",
    "ocelots": "IDENTITY.md",
    "small steps": "WISDOM.md",
}
NAMES = {
    "2026-02-16": "memory/2026-02-16.md",
    "2026-W06": "memory/weekly/2026-W06.md",
    "2026-01": "memory/monthly/2026-01.md",
    "wisdom": "WISDOM.md",
    "dreams": "DREAMS.md",
    "identity": "IDENTITY.md",
    "user_sam": "memory/user_sam.md",
    "moved": "memory/wiki/jwt-auth.md",
    "torn": "memory/wiki/torn.md",
    "memory/.archive/typed-memories/user_old.md": "memory/.archive/typed-memories/user_old.md",
    "memory/wiki/index.md": "memory/wiki/index.md",
}


@pytest.fixture(params=sorted(WISDOM))
def shape(request: pytest.FixtureRequest) -> str:
    """Which of the three wrote WISDOM.md."""
    return str(request.param)


def made(environment: Environment, shape: str = "dreaming") -> Workbench:
    """The memory."""
    write_files(environment.cwd, {**FILES, "WISDOM.md": WISDOM[shape]})
    return Workbench.open(environment.cwd, environment=environment, now=lambda: NOON)


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    return made(environment)


def changed(before: dict[str, bytes], after: dict[str, bytes]) -> set[str]:
    """The files of before that are other, or gone."""
    return {name for name, data in before.items() if after.get(name) != data}


def test_it_is_known_for_what_it_is_and_every_kind_is_counted(bench: Workbench) -> None:
    assert bench.layout.name == "hierarchical"
    assert count_documents(bench.store) == {
        "dailies": 7,
        "weeklies": 2,
        "monthlies": 1,
        "typed_memories": 4,
        "wiki_pages": 8,
        "insights": 1,
        "contradictions": 1,
    }


def test_every_document_is_found_and_their_index_is_none(bench: Workbench) -> None:
    bench.sync()
    for words, path in WORDS.items():
        hits = bench.search(words, sync=False).hits
        assert path in [hit.document for hit in hits], words
    assert not [hit for hit in bench.search("echidna", sync=False).hits if "echidna" in hit.snippet]
    assert {row.query for row in search_log.read_searches(bench.store, NOON.replace(year=2025))} == {
        "token life",
        "vendor",
    }


def test_every_document_is_read_by_name_as_it_stands(bench: Workbench) -> None:
    everything = {**FILES, "WISDOM.md": WISDOM["dreaming"]}
    for name, path in {**NAMES, **{path: path for path in everything if path.endswith(".md")}}.items():
        if path != "memory/wiki/moved.md":
            assert read_by_name(bench.store, lambda: bench.index, name).excerpt.text == everything[path], name


def test_what_is_written_back_without_a_change_is_the_same_to_the_byte(bench: Workbench) -> None:
    before = tree(bench.store.root)
    for path in bench.layout.wiki.glob("*.md"):
        page = parse_page(path.read_text(), path.stem)
        if isinstance(page, WikiPage):
            assert rewrite_page(path.read_text(), page) == path.read_text()
    page_changes.open_wiki(bench.store)
    lint_target(bench.store)
    bench.sync()
    bench.search("token")
    assert tree(bench.store.root) == before


def test_an_edit_keeps_the_order_the_comments_and_every_key_of_the_head(bench: Workbench) -> None:
    path = bench.layout.wiki / "jwt-auth.md"
    bench.apply(page_changes.append, "jwt-auth", "They rotate.", PageSource(SourceRef("memory/2026-02-24.md")))
    text = path.read_text()
    assert text.startswith('---\n# kept by Ada\nname: JWT auth\ndescription: "How the API signs people in: tokens"\n')
    assert "reviewer: Sam   # ask first\ntags: [auth, 2026]\n---\n" in text
    keys = re.findall(r"^(\w+):", text.split("---\n")[1], re.MULTILINE)
    assert keys == re.findall(r"^(\w+):", FILES["memory/wiki/jwt-auth.md"].split("---\n")[1], re.MULTILINE)
    assert text.endswith("numbat.\n\nThey rotate.\n")


@pytest.mark.long
def test_no_verb_touches_what_is_not_its_own(environment: Environment, shape: str) -> None:
    bench = made(environment, shape)
    before = tree(bench.store.root)
    bench.apply(compact)
    assert changed(before, tree(bench.store.root)) <= {"WISDOM.md"}
    dream.run_session(bench.store)
    after = tree(bench.store.root)
    assert changed(before, after) <= {"WISDOM.md", "DREAMS.md"}
    assert after["DREAMS.md"].startswith(before["DREAMS.md"])
    bench.apply(migrate)
    moved = {f"memory/{name}.md" for name in ("user_sam", "feedback_tests", "project_gateway", "reference_runbook")}
    parents = {"memory/monthly/2026-01.md", "memory/wiki/index.md"}
    after = tree(bench.store.root)
    assert changed(before, after) <= {"WISDOM.md", "DREAMS.md", *moved, *parents}
    for name in moved:
        assert after[f"memory/.archive/typed-memories/{Path(name).name}"] == before[name]


def test_wisdom_of_every_shape_is_taken_in_without_losing_a_word(environment: Environment, shape: str) -> None:
    bench = made(environment, shape)
    bench.apply(compact)
    bench.apply(plan_map)
    text = bench.layout.wisdom.read_text()
    words = " ".join(text.split())
    for said in SAID[shape]:
        slug = "-".join(re.findall(r"[a-z0-9]+", said.lower()))
        assert said in words or f"**{slug}**" in words, said
    assert "[[jwt-auth]]" in text.partition("## Knowledge Map")[2]
    assert not plan_wisdom(bench.store).edits and bench.apply(plan_map) is None


def test_a_second_run_of_everything_changes_nothing(bench: Workbench) -> None:
    for verb in (compact, migrate, plan_map):
        bench.apply(verb)
    before = tree(bench.store.root)
    for verb in (compact, migrate, plan_map):
        assert bench.apply(verb) is None, verb
    assert tree(bench.store.root) == before


def strict(text: str) -> tuple[dict[str, Any], str]:
    """A file as the published system reads it; a day without quotes would be no text to it."""
    found = re.fullmatch(r"---\n(.*?)\n---\n(.*)", text, re.DOTALL)
    assert found, text
    values = yaml.safe_load(found[1])
    assert isinstance(values, dict)
    assert not [value for value in values.values() if isinstance(value, date)]
    return values, found[2]


def strict_parent(text: str, path: Path) -> None:
    values, body = strict(text)
    is_week = path.parent.name == "weekly"
    assert values["type"] == path.parent.name and values["period"] == path.stem
    child = r"memory/\d{4}-\d{2}-\d{2}\.md" if is_week else r"memory/(?:weekly/\d{4}-W\d{2}|\d{4}-\d{2}-\d{2})\.md"
    assert values["pointers"] and all(re.fullmatch(child, one) for one in values["pointers"])
    weights = values["salience"]
    assert list(weights) == values["pointers"] and all(round(one, 2) == one for one in weights.values())
    assert round(sum(weights.values()), 6) == 1
    assert body.lstrip("\n").startswith(f"# Week {path.stem}\n" if is_week else f"# {path.stem}\n")


def strict_page(text: str, path: Path) -> None:
    values, _ = strict(text)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", values["slug"]) and values["slug"] == path.stem != "index"
    assert values["name"] and values["description"] and values["type"] == "wiki" and values["sources"]
    assert values["category"] in ("entity", "concept", "project", "reference", "theme")
    for key in ("created", "updated"):
        assert key not in values or re.fullmatch(r"\d{4}-\d{2}-\d{2}", values[key])
    forms = {type(one) for one in values["sources"]}
    assert forms in ({str}, {dict})
    for one in values["sources"]:
        if isinstance(one, dict):
            assert one.keys() <= {"uri", "from", "lines", "summary"} and one["uri"]
            assert one.get("from", 1) >= 1 and one.get("lines", 1) >= 1
    for one in values.get("supersedes", []):
        assert one["source"] and isinstance(one.get("supersededOn", ""), str)


def written(bench: Workbench, before: dict[str, bytes]) -> Iterator[Path]:
    """The files that are new or other."""
    for name, data in tree(bench.store.root).items():
        if before.get(name) != data:
            yield bench.store.root / name


@pytest.mark.long
def test_what_is_written_is_read_by_the_rules_of_the_published_system(bench: Workbench) -> None:
    before = tree(bench.store.root)
    bench.apply(plan_log_entry, "Moved staging.")
    bench.apply(compact)
    bench.apply(
        page_changes.stub,
        page_changes.NewPage(
            "okta", "concept", PageSource(SourceRef("memory/2026-02-16.md", 4, 4)), lede="A door: for all."
        ),
    )
    bench.apply(page_changes.append, "jwt-auth", "They rotate.", PageSource(SourceRef("memory/2026-02-24.md")))
    bench.apply(migrate)
    dream.gather_signals(bench.store)
    dream.analyze_signals(bench.store)
    dream.write_proposals(bench.store)
    bench.apply(review.accept_safe)
    checked: list[str] = []
    for path in written(bench, before):
        text = path.read_text()
        if path.parent in (bench.layout.weekly, bench.layout.monthly):
            strict_parent(text, path)
        elif path.parent == bench.layout.wiki and path.stem != "index":
            strict_page(text, path)
        elif path.parent == bench.layout.days and path.suffix == ".md":
            values, body = strict(text)
            assert values == {"type": "daily"} and body.lstrip("\n").startswith(f"## {path.stem}\n\n")
        elif path.stem == "index":
            values, body = strict(text)
            pages, _, newest = body.partition("## Recent Updates")
            assert values["type"] == "wiki-index" and values["total"] == pages.count("\n- [[")
            assert 0 < newest.count("\n- ") <= 10
        checked.append(path.parent.name)
    assert {"weekly", "monthly", "wiki", "memory", "typed-memories"} <= set(checked)


def test_a_page_that_nobody_could_read_is_said_and_left(bench: Workbench) -> None:
    found = {one.slug: one for one in page_changes.open_wiki(bench.store).malformed}
    assert set(found) == {"no-category", "torn"} and all(isinstance(one, InvalidPage) for one in found.values())
    assert {one.slug for one in lint_target(bench.store) if one.rule == "malformed"} == set(found)


def test_a_parent_of_theirs_is_read_with_its_pointers_and_weights(bench: Workbench) -> None:
    text = FILES["memory/weekly/2026-W06.md"]
    page = parse_period_page(text, iso_week(date(2026, 2, 3)))
    assert page.pointers == ("memory/2026-02-03.md",) and page.salience == {"memory/2026-02-03.md": 1.0}
    assert page.is_edited and frontmatter.split_frontmatter(text)[1] == page.body
    assert parse_period_page(FILES["memory/monthly/2026-01.md"], month_containing(date(2026, 1, 1))).pointers == ()
