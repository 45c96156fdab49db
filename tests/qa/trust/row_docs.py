"""What the pages say, typed from the first line to the last, and every name in them looked up in the code."""

from __future__ import annotations

import tempfile
from pathlib import Path

from recall_tui.cli.command_table import COMMANDS
from recall_tui.setting_schema import SCHEMA
from tests.qa.trust import documented
from tests.qa.trust.readme_life import CODES, NOT_TYPED, begun, typed_in_turn
from tests.qa.trust.table import Row
from tests.readme import everything_typed, text_of


def row() -> Row:
    """Type every line, and compare names."""
    with tempfile.TemporaryDirectory(prefix="recall-docs-") as folder:
        person = begun(Path(folder) / "home")
        said = typed_in_turn(person)
        undescribed = documented.undescribed(person.state)
    wrong = [one.line for one in said if one.code != CODES.get(one.line, 0) or "Traceback" in one.text]
    missing = [name for name in COMMANDS if f"| `{name}" not in text_of("docs/commands.md")]
    missing += [one.key for one in SCHEMA if f"| `{one.key}` |" not in text_of("docs/settings.md")]
    missing += sorted(documented.variables() ^ documented.variables_told())
    missing += sorted(documented.flags_told() - documented.flags() - documented.FOREIGN_FLAGS)
    missing += documented.lost_targets() + undescribed
    print(*wrong, *missing, sep="\n")
    return Row(
        "The pages are correct",
        "every line for a shell in README.md, SECURITY.md and docs/ typed in a real terminal, in their order, on a"
        " machine of its own; commands, settings, options, variables, exit codes and files in the state compared with"
        " the code",
        {
            "lines typed": len(said),
            "of them wrong": len(wrong),
            "lines looked up instead": len(NOT_TYPED) + sum(one.words[0] == "python" for one in everything_typed()),
            "commands": len(COMMANDS),
            "settings": len(SCHEMA),
            "options": len(documented.flags()),
            "variables": len(documented.variables()),
            "kinds of state files": len(documented.state_patterns()),
            "missing or untrue": len(missing),
        },
        not wrong and not missing and documented.exit_codes() == documented.exit_codes_told(),
    )
