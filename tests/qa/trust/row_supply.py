"""The row of what is depended on: lowest and newest, wheel and source, on every Python here, and no network meanwhile.

SUPPLY_TESTS names other tests to run in each environment. Snapshots of the app are not among them: they are drawn
by the one release of Textual that the test extra pins.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tests.qa.trust import supply
from tests.qa.trust.table import Row

TESTS = (
    "tests/architecture/test_imports.py tests/architecture/test_commands.py tests/storage/test_journal.py"
    " tests/storage/test_config_file.py tests/storage/test_frontmatter.py tests/index/test_grown.py"
    " tests/search/test_engine.py tests/cli/test_find.py tests/cli/test_watch_command.py tests/llm/test_http.py"
    " tests/test_embedders.py tests/test_config.py tests/tui/test_distill_screen.py"
)


def row() -> Row:
    """Build, install everywhere, use, and test."""
    chosen = os.environ.get("SUPPLY_TESTS", TESTS).split()
    with tempfile.TemporaryDirectory(prefix="recall-supply-") as name:
        folder = Path(name)
        pythons = supply.pythons()
        oldest = next(iter(pythons))
        built = supply.build(folder, pythons[oldest])
        checkout = supply.unpacked(built, folder)
        made, passed, failed = list[supply.Environment](), list[str](), built.missing()
        for version, python in pythons.items():
            plans = ["sdist", "newest", *(["lowest"] if version == oldest else [])]
            for plan in plans:
                one = supply.process_env(f"{plan} on {version}", folder, python)
                made.append(one)
                try:
                    if count := _tried(one, plan, built, checkout, chosen):
                        passed.append(f"{one.name}: {count}")
                except AssertionError as error:
                    failed.append(str(error))
                print(one.name, *passed[-1:], *failed[-1:], flush=True)
        tried = [line for one in made for line in one.tried]
    print(*failed, *tried, sep="\n")
    return Row(
        "It runs with its declared dependencies, and never opens a network connection by itself",
        "wheel and source distribution installed into empty environments, pip check, every module imported, a small"
        " life and the app in each; tests with the lowest and the newest of every dependency; connections refused",
        {
            "Pythons": ", ".join(pythons),
            "environments": len(made),
            "dependencies with a lower bound": len(supply.lowest()),
            "tests passed": "; ".join(passed),
            "failures": len(failed),
            "connections tried": len(tried),
        },
        not failed and not tried,
    )


def _tried(one: supply.Environment, plan: str, built: supply.Built, checkout: Path, chosen: list[str]) -> int:
    """Install as the plan says, use the program, and run the tests; how many passed, none from source."""
    bounds = one.folder / "bounds.txt"
    lines = [f"{name}=={version}" for name, version in supply.lowest().items()] if plan == "lowest" else []
    bounds.write_text("\n".join(lines), encoding="utf-8")
    source = built.sdist if plan == "sdist" else built.wheel
    eager = ("--upgrade", "--upgrade-strategy", "eager") if plan == "newest" else ()
    one.install("--constraint", str(bounds), *eager, str(source))
    if plan != "sdist":
        plain = one.packages()
        assert not {"httpx", "numpy", "onnxruntime", "pytest"} & plain.keys(), "an extra came unasked"
    one.close()
    one.uses()
    if plan == "sdist":
        return 0
    one.open()
    one.install("--constraint", str(bounds), *eager, *supply.requirements())
    one.close()
    return one.tests(checkout, chosen)
