"""Settings files of agents, as people have them, and strategies that make others."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

ZOO = {
    "empty": "",
    "blank": "\n \n",
    "empty object": "{}",
    "empty object with a line end": "{}\n",
    "empty object with a space": "{ }",
    "empty object over lines": "{\n}\n",
    "two spaces": '{\n  "model": "opus",\n  "env": {\n    "A": "1"\n  }\n}\n',
    "four spaces, no final line end": '{\n    "model": "opus"\n}',
    "tabs": '{\n\t"permissions": {\n\t\t"allow": ["Bash(ls:*)"]\n\t}\n}\n',
    "minified": '{"model":"opus","env":{"A":"1"}}',
    "on one line with spaces": '{"model": "opus", "n": 1.50}',
    "windows line ends": '{\r\n  "model": "opus"\r\n}\r\n',
    "spellings": '{\n  "n": 1.0E+2, "u": "\\u00e9é\\/", "deep": [ 1,2 ,\n 3 ]\n}\n',
    "no hooks in hooks": '{\n  "hooks": {},\n  "z": 1\n}\n',
    "no hooks in hooks, minified": '{"hooks":{},"z":1}',
    "an empty event": '{\n  "hooks": {\n    "Stop": []\n  }\n}\n',
    "an empty event with space": '{\n  "hooks": {\n    "Stop": [\n    ]\n  }\n}\n',
    "a foreign event": '{\n  "hooks": {\n    "PreToolUse": [\n      {"hooks": []}\n    ]\n  }\n}\n',
    "a foreign group": '{\n  "hooks": {\n    "Stop": [\n      {\n        "hooks": []\n      }\n    ]\n  }\n}\n',
    "a foreign group on one line": '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}',
    "a byte order mark": '\ufeff{\n  "a": 1\n}\n',
    "keys in no order": '{\n  "z": 1,\n  "a": 2,\n  "hooks": {\n    "Z": [],\n    "A": []\n  },\n  "b": null\n}\n',
}
names = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)
groups = st.lists(st.fixed_dictionaries({"hooks": st.lists(values, max_size=2)}), max_size=3)
events = st.sampled_from(["Stop", "SessionEnd", "PreCompact", "Else"])


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A settings file in any of the ways in which JSON is written."""
    content: dict[str, Any] = draw(st.dictionaries(names.filter(lambda name: name != "hooks"), values, max_size=3))
    if draw(st.booleans()):
        content["hooks"] = draw(st.dictionaries(events, groups, max_size=3))
        content = dict(draw(st.permutations(list(content.items()))))
    indent = draw(st.sampled_from([None, 0, 1, 2, 4, "\t", " \t"]))
    separators = draw(st.sampled_from([(",", ":"), (", ", ": "), (",", ": "), (" , ", " : ")]))
    is_ascii = draw(st.booleans())
    text = json.dumps(content, indent=indent, separators=separators, ensure_ascii=is_ascii)
    return draw(st.sampled_from(["", "\n", " "])) + text + draw(st.sampled_from(["", "\n", "\n\n"]))


RECALL_ECHO = [
    "echo 'RECALL-ECHO: context is about to be compacted; write a checkpoint.'",
    "recall-echo checkpoint --trigger precompact",
    "recall-echo promote",
    "recall-echo consume",
    "recall-echo archive-session",
    "/home/u/.cargo/bin/recall-echo checkpoint --trigger precompact",
    "/home/u/my tools/recall-echo archive-session",
    '"/home/u/my tools/recall-echo" archive-session',
    "C:\\Users\\u\\bin\\recall-echo.exe archive-session",
]
