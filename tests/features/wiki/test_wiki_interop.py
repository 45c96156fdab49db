"""A wiki as the published system leaves it, quirks of hands and all: it opens, is searched and changed without loss."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from recall_tui.domain.documents import SourceRef
from recall_tui.environment import Environment
from recall_tui.features.wiki import page_changes
from recall_tui.features.wiki.knowledge_map import plan_map
from recall_tui.features.wiki.lint import lint_target
from recall_tui.features.wiki.rebuild import rebuild_all
from recall_tui.storage.documents.wiki_page import PageSource, SupersededClaim
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import tree

TREE = {
    "WISDOM.md": "# Wisdom\n\n- **small-steps** — small steps win, see [[jwt-auth]]\n\n## Knowledge Map\n"
    "\n### Entities\n\n- [[x]]\n",
    "IDENTITY.md": "# Ada\n\nA careful engineer.\n",
    "memory/2026-03-01.md": "---\ntype: daily\n---\n## 2026-03-01\n\n- Sessions are kept in Redis.\n- We chose JWT.\n",
    "memory/2026-03-04.md": "---\ntype: daily\n---\n## 2026-03-04\n\n- JWT auth tokens last 15 minutes.\n",
    "memory/wiki/index.md": "---\ntype: wiki-index\ngenerated: 2026-03-04\ntotal: 2\n---\n# Wiki\n",
    "memory/wiki/jwt-auth.md": """---
name: JWT auth
description: "How the API signs people in: tokens"
type: wiki
category: concept
slug: jwt-auth
created: 2026-03-01
updated: 2026-03-04T09:00:00Z
sources:
  - memory/2026-03-01.md
  - uri: memory/2026-03-04.md
    from: 6
    lines: 1
    summary: how long
  - source: memory/2026-03-04.md
    from: 0
    lines: -2
related: [api, ghost]
confidence: high
contradicts:
  - api
supersedes:
  - source: memory/2026-03-01.md
    fact: Sessions are kept in Redis.
    superseded_on: 2026-03-01
grounding:
  verified_on: 2026-03-02
  grounded: false
  unverified: [one, "two: three"]
  stale: []
reviewer: Sam
tags: [auth, 2026]
---

## What it is

Tokens, as [[api|the API]] has it; see [[wiki:api]] and `[[not-a-link]]`.
""",
    "memory/wiki/api.md": "---\nname: API\ndescription: The API\ncategory: project\nslug: the-api\n"
    "sources: memory/2026-03-01.md\ncontradicts: [jwt-auth]\nupdated: 2025-01-01\n---\nIt uses [[jwt-auth]].\n",
    "memory/wiki/no-category.md": "---\nname: Half\ndescription: x\n---\nStill findable: halibut.\n",
    "memory/wiki/no-head.md": "Just text.\n",
    "memory/wiki/torn.md": "---\nname: [torn\ncategory: entity\nsources:\n  - a.md\n---\nTorn head, whole text.\n",
    "memory/wiki/moved.md": "---\nname: Moved\ncategory: concept\nsources: []\nredirect_to: jwt-auth\n---\n",
}  # fmt: skip


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    for name, text in TREE.items():
        path = environment.cwd / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = Workbench.open(environment.cwd, environment=environment, now=lambda: NOON)
    assert found.layout.name == "hierarchical"
    return found


def head_of(path: Path) -> dict[str, object]:
    """The head as any YAML reader has it."""
    values = yaml.safe_load(path.read_text().split("---\n")[1])
    assert isinstance(values, dict)
    return values


def test_it_opens_with_every_page_and_what_is_none_beside_them(bench: Workbench) -> None:
    found = page_changes.open_wiki(bench.store)
    assert set(found.pages) == {"jwt-auth", "api", "moved"}
    assert {one.slug for one in found.malformed} == {"no-category", "no-head", "torn"}
    page = found.page("moved")
    assert page.sources == (
        PageSource(SourceRef("memory/2026-03-01.md")),
        PageSource(SourceRef("memory/2026-03-04.md", 6, 6), "how long"),
        PageSource(SourceRef("memory/2026-03-04.md")),
    )
    assert page.supersedes == (SupersededClaim("memory/2026-03-01.md", "Sessions are kept in Redis.", "2026-03-01"),)


def test_it_lints_with_every_rule_it_breaks(bench: Workbench) -> None:
    rules = {(one.slug, one.rule) for one in lint_target(bench.store)}
    assert {
        ("no-category", "malformed"),
        ("no-head", "malformed"),
        ("jwt-auth", "broken-link"),
        ("api", "slug-drift"),
        ("api", "stale"),
        ("api", "contradiction-loop"),
        ("torn", "malformed"),
    } <= rules
    assert ("jwt-auth", "orphan") not in rules


def test_every_page_is_searched_be_it_malformed_or_not(bench: Workbench) -> None:
    for words, name in (
        ("halibut", "no-category"),
        ("signs people in tokens", "jwt-auth"),
        ("torn whole text", "torn"),
    ):
        hits = bench.search(f"{words} kind:wiki").hits
        assert f"memory/wiki/{name}.md" in [hit.document for hit in hits], words


def test_the_list_of_pages_and_what_became_another_page_are_no_hits(bench: Workbench) -> None:
    bench.apply(page_changes.rename, "jwt-auth", "auth")
    found = {hit.document for hit in bench.search("jwt auth signs people in kind:wiki", limit=50).hits}
    assert "memory/wiki/auth.md" in found
    assert found.isdisjoint({"memory/wiki/index.md", "memory/wiki/moved.md", "memory/wiki/jwt-auth.md"})


def test_reading_changes_nothing(bench: Workbench) -> None:
    before = tree(bench.store.root)
    lint_target(bench.store)
    bench.search("jwt")
    assert tree(bench.store.root) == before


def test_a_change_keeps_all_that_the_head_says(bench: Workbench) -> None:
    path = bench.layout.wiki / "jwt-auth.md"
    before = head_of(path)
    bench.apply(page_changes.append, "jwt-auth", "They rotate.", PageSource(SourceRef("memory/2026-03-04.md")))
    after = head_of(path)
    for key in ("name", "description", "category", "slug", "related", "confidence", "contradicts", "reviewer", "tags"):
        assert after[key] == before[key], key
    assert [str(after["created"]), str(after["updated"])] == ["2026-03-01", "2026-03-06"]
    assert after["sources"] == [
        {"uri": "memory/2026-03-01.md"},
        {"uri": "memory/2026-03-04.md", "from": 6, "lines": 1, "summary": "how long"},
        {"uri": "memory/2026-03-04.md"},
    ]
    assert after["supersedes"] == [
        {"source": "memory/2026-03-01.md", "fact": "Sessions are kept in Redis.", "supersededOn": "2026-03-01"}
    ]
    assert after["grounding"] == {
        "verifiedOn": "2026-03-02",
        "grounded": False,
        "unverified": ["one", "two: three"],
        "stale": [],
    }
    assert path.read_text().endswith("and `[[not-a-link]]`.\n\nThey rotate.\n")


def test_a_page_whose_head_has_another_slug_is_changed_in_its_own_file(bench: Workbench) -> None:
    bench.apply(page_changes.append, "api", "Two regions.", PageSource(SourceRef("memory/2026-03-04.md")))
    assert head_of(bench.layout.wiki / "api.md")["slug"] == "api"
    assert not (bench.layout.wiki / "the-api.md").exists()
    assert ("api", "slug-drift") not in {(one.slug, one.rule) for one in lint_target(bench.store)}


def test_no_verb_touches_a_file_that_is_no_page(bench: Workbench) -> None:
    before = {name: (bench.layout.wiki / name).read_bytes() for name in ("no-category.md", "no-head.md", "torn.md")}
    bench.apply(page_changes.rename, "jwt-auth", "auth")
    bench.apply(rebuild_all)
    bench.apply(plan_map)
    assert {name: (bench.layout.wiki / name).read_bytes() for name in before} == before
    assert page_changes.open_wiki(bench.store).page("moved").slug == "auth"
    assert "[[auth|jwt-auth]]" in (bench.layout.wiki / "api.md").read_text()


def test_the_map_takes_the_place_of_theirs(bench: Workbench) -> None:
    bench.apply(plan_map)
    text = bench.layout.wisdom.read_text()
    assert text.startswith("# Wisdom\n\n- **small-steps** — small steps win, see [[jwt-auth]]\n\n## Knowledge Map\n")
    assert "[[x]]" not in text and "### Core Concepts\n\n- [[jwt-auth]] — How the API" in text
