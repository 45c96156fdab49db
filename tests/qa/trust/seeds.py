"""Texts as parsers meet them, and pieces that have broken parsers elsewhere: what every fuzzer here begins with.

A seed is a whole document of its kind; a fragment stands anywhere.
"""

from __future__ import annotations

SESSION = "5e551011-0000-4000-8000-000000000001"
"""The session that the seeds are of."""

FRAGMENTS = (
    *(
        "---\n",
        "---",
        "\n---\n",
        "```\n",
        "````x\n",
        "~~~\n",
        "`",
        "``",
        "|",
        "| a | b |\n",
        "|---|---|\n",
        "\\",
        "\\|",
    ),
    *("# ", "## ", "### User\n", "### Assistant\n", "#### Task\n", "#### Plan\n", "## Tags\n", "# Conversation 001\n"),
    *("<details><summary>Result</summary>\n", "<details><summary>Sub-agent</summary>\n", "</details>\n", "<!--", "-->"),
    *("- ", "* ", "1. ", "> ", "- [ ] ", "[[", "]]", "[a](b)", "![", "](", "**", "*", "_", "~~", "<a href=x>", "&amp;"),
    *("key: value\n", "? ", "&a ", "*a ", "!!python/object ", "<<: ", "k: |\n  x\n", "[", "]", "{", "}", '"', "'", ":"),
    *("\r", "\r\n", "\n", "\n\n", "\t", " ", "     ", "\x00", "\x1b[31m", "\x1b]0;", "\x85", "\u2028", "\ufeff"),
    *("\ud83d", "\udc80", "\u202e", "e\u0301", "ß", "İ", "日本語", "🦀", "\U000e0041", "\u200b"),
    *(
        "1e999",
        "-0",
        "0x1f",
        "9" * 30,
        "NaN",
        "null",
        "true",
        ".inf",
        "2026-02-30",
        "0000-00-00",
        "9999-12-31T23:59:59Z",
    ),
    *(
        "2026-03-06",
        "2026-W54",
        "last march",
        "day 3",
        "yesterday",
        "the day before ",
        "kind:memory ",
        "since:2d ",
        '-"',
    ),
    *('{"type": "user"', '"message": ', '"content": [', "\\u0000", "\\ud800", "\n{}\n", "[]", "null\n", "-----BEGIN "),
    *(
        "password=",
        "sk-ant-",
        "Bearer ",
        "://u:p@h",
        "AKIA",
        " — ",
        "## Session a — b\n",
        "**Summary**: x\n",
        "../",
        "a/b.md:3",
    ),
)

FRONTMATTER = """---
log: 7
date: "2026-03-06T12:00:00Z"
topics: [auth, "token refresh"]
title: 'it''s'
nested:
  - {uri: memory/2026-03-06.md, from: 3, lines: 2}
note: |
  two
  lines
---
# Body

words
"""
WINDOW = f"""A line of a person.

## Session {SESSION} — 2026-03-06 12:00:00 UTC
**Duration**: ~45m | **Messages**: 12 | **Archive**: conversation-007.md
**Summary**: Fix the refresh → done.

---

free words

## Session other — 2026-03-05 12:00:00 UTC
**Duration**: ~5m | **Messages**: 2 | **Archive**: conversation-006.md
**Summary**: Second.
"""
INDEX = """# Conversation Archive

| # | Date | Session | Topics | Messages | Duration |
|---|------|---------|--------|----------|----------|
| 001 | 2026-03-05 | s-1 | auth, a\\|b, c\\,d | 12 | 45m |
| 002 | — | s-2 | — | 0 | < 1m |

A person's line.

| 001 | 2026-03-01T10:00:00Z | precompact |
"""
ARCHIVE = f"""---
log: 7
date: "2026-03-06T12:00:00Z"
session_id: "{SESSION}"
message_count: 3
topics: ["auth"]
---

## Summary

Fix it.

**Decisions**:
- use httpx

# Conversation 007

---

### User

*2026-03-06 11:00 UTC*

Why does it fail?

---

### Assistant

> **Read** `src/a.py`

<details><summary>Result</summary>

```
one
```

</details>

<details><summary>Sub-agent</summary>

> #### Task
>
> look
>
</details>

#### Plan

1. do

## Tags

**Project**: api

**Files**: `a.py`, b\\,c.py
"""
FIRST_ARCHIVE = """# Conversation 003

---

### User

go

---

### Assistant

**Tool: Bash** `ls`

**Result**:
```
a
```

said
"""
MEMORY = """---
title: Memory
---
# Memory

lead

## Auth

- JWT tokens expire after 15 minutes (memory/2026-03-06.md:4-6)
- see [[token-refresh|the page]] and `[[no]]`

### Deep

```python
# no heading
```

| a | b |
|---|---|
| 1 | 2 |

<!-- hidden
## no heading -->

## Ports

1. The api listens on port 8080 since 2026-03-05.
"""
WIKI = """---
name: Token refresh
description: How tokens are renewed
type: wiki
category: concept
slug: token-refresh
created: 2026-03-05
updated: "2026-03-06"
sources: [{uri: memory/2026-03-06.md, from: 4, lines: 3, summary: said}]
related: [auth]
confidence: high
supersedes:
  - {source: memory/2026-03-05.md, fact: "15 minutes", supersededOn: 2026-03-06}
own_key: kept
---
# Token refresh

See [[auth]], [[private:auth|there]] and ``[[code]]``.
"""
WISDOM = """# Wisdom

A person's words.

## Patterns and lessons

- **use-httpx** — Use httpx, for requests has no async. (memory/2026-03-06.md:4-6; memory/2026-03-05.md:2)
- **Tests first.** They pay
  within the week.

*Last compacted: 2026-03-06 · 2 entries · 90 characters*

<!-- made_from: 0011223344556677 made_by: a model hash: 8899aabbccddeeff -->

## Knowledge Map

- [[auth]]
"""
DAY = f"""---
type: daily
---

## 2026-03-06

- 09:12 Fix it — Done. (conversation-007, {SESSION[:8]})

a person's line

## Session {SESSION[:8]} (09:12)

- always run make

<!-- recall-tui lessons: {SESSION} u-1 -->
"""
PERIOD = """---
type: weekly
period: "2026-W10"
pointers: ["memory/2026-03-05.md", "memory/2026-03-06.md"]
salience: {"memory/2026-03-05.md": 0.4, "memory/2026-03-06.md": 0.6}
made_from: {"memory/2026-03-05.md": "00112233"}
made_by: "extract"
hash: "8899aabbccddeeff"
mood: calm
---

## Week 2026-W10

- It happened [day: 2026-03-05] [session-ref: 5e551011] (memory/2026-03-06.md:4).
"""
SUMMARY = f"""# Fix the refresh

## Context

Tokens expired.

## Tracking Points

- Decision: Use httpx
- **Next step:** deploy

## Related Files/Artifacts

- src/a.py

<!-- recall: {{"log": 7, "session_id": "{SESSION}", "hash": "0011223344556677"}} -->
"""
MASTER = """# Master

## Key Decisions

### Theme

- Use httpx (check: still so?) (5e551011, 2026-03-06; other)
- a person's line

## Open Questions

(none yet)

---

*Last synthesized: 2026-03-06*
*Source: 2 conversations, 0 docs*

<!-- recall-master: {"version": 1, "at": "2026-03-06T12:00:00Z", "summaries": {"5e551011": "aa"}, "lines": "0011"} -->
"""
TOML = """# mine
layout = "entity"

[search]
sigma_days = 14   # kept
parents = "best"

["quoted table"]
list = [1, 2.5, "x", 2026-03-06T12:00:00Z]
inline = { a = 1, b.c = "d" }

[[array]]
text = '''
multi'''
"""
TARGET = """name = "zed"
title = "Zed"
detect = ["~/.config/zed", "zed"]
form = "read-list"
limit = 12000

[project]
file = ".rules"
settings = ".conf.yml"
key = "read"
"""
SETTINGS = """{
  "model": "x",
  "hooks": {
    "Stop": [{"matcher": "", "hooks": [{"type": "command", "command": "echo hi", "timeout": 5}]}],
    "SessionStart": [
      {"hooks": [{"type": "command", "command": "recall-tui hook --root /old"}, {"type": "command", "command": "x"}]}
    ]
  },
  "n": 1.50e3
}
"""
SERVERS = """// mine
{
  "model": "x", // this one
  "mcp": {
    "web": {"type": "local", "command": ["npx", "web"]}, /* theirs */
  },
}
"""
SERVER_TABLE = """# mine
model = "x"

[mcp_servers.web]  # theirs
command = "npx"

[mcp_servers.recall]
command = "/old/recall-tui"
args = ["--root", "/old", "mcp"]

# of the next
[profile]
note = '''
[mcp_servers.recall]
'''
"""
YAML_SERVERS = """# mine
servers:
  - name: web  # theirs
    command: "npx"
  - name: recall
    command: /old/recall-tui
    args: ["--root", "/old", "mcp"]
# of the next
model: x
"""
LIST = """# mine
read:
  - CONVENTIONS.md
  - "a b.md" # kept
model: x
"""
BLOCK = """# Rules

Be kind.

<!-- recall-tui begin 0.1 0011223344556677 gap=1 for=zed -->
old
<!-- recall-tui end -->

after
"""
QUERIES = (
    'token refresh -"old words" kind:memory,prompt since:2d file:src/a.py tool:Bash "exact phrase" project:"a b"',
    "what did we decide between 3 and 5 March 2026 about the port?",
    "why did it fail the day before yesterday, in early autumn 2025 or two weeks before Easter",
    "until:2026-03-06T10:00:00+02:00 last week's latest jwt on day 12 of Q3/2025",
)
SAID = (
    "<system-reminder>do</system-reminder>\n<command-name>/model</command-name> <command-args>opus</command-args>",
    "Use httpx, because requests has no async. Decided: always run `make`; see src/a.py:12. TODO: ship!",
    "export API_KEY=abcDEF1234567890abcDEF; curl -H 'Authorization: Bearer abcdefghij0123456789' https://u:pw12@h/x",
    '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7bq0qJ1vGk\n-----END RSA PRIVATE KEY-----\npassword: "hunter2x"',
)
