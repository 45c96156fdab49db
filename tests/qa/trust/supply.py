"""What is built and what it is installed into: the bounds of pyproject.toml, the Pythons here, and empty environments.

Everything lies in a folder that is handed in; nothing of the checkout is changed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tarfile
import tomllib
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.processes import CHECKOUT

OLDEST = (3, 11)
EXTRAS = ("httpx", "numpy", "onnxruntime", "tokenizers")
"""What comes with an extra alone; a module that is only for it may need it."""
_BOUND = re.compile(r"([A-Za-z0-9._-]+)\s*>=\s*([0-9][0-9.]*)")
_PINNED = re.compile(r"([A-Za-z0-9._-]+)\s*==")
_PROBE = "import sys, venv, ensurepip, sqlite3; print('.'.join(map(str, sys.version_info[:3])))"
_MODULES = """
import importlib, pkgutil, sys, recall_tui
count = 0
for one in pkgutil.walk_packages(recall_tui.__path__, "recall_tui."):
    try:
        importlib.import_module(one.name)
        count += 1
    except ModuleNotFoundError as error:
        if error.name not in sys.argv[1:]:
            raise
print(count)
"""
_APP = """
import asyncio
from pathlib import Path
from recall_tui.tui.app import RecallApp
from recall_tui.workbench import Workbench, current_environment
async def opens(bench):
    app = RecallApp(bench, current_environment())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert app.screen is not None
asyncio.run(opens(Workbench.open(Path.cwd())))
"""
_SHIPPED = ("py.typed", "data/styles/base.tcss", "data/templates/demo/memory/MEMORY.md", "data/templates/prompts/")


def requirements() -> list[str]:
    """All that pyproject.toml names, each once, without the site's builder and pins for snapshots."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    own = {one.lower() for line in project["dependencies"] for one in _BOUND.findall(line)[0][:1]}
    extras = (lines for name, lines in project["optional-dependencies"].items() if name != "docs")
    every = [*project["dependencies"], *(line for lines in extras for line in lines)]
    return sorted({one for one in every if not ((pin := _PINNED.match(one)) and pin[1].lower() in own)})


def lowest() -> dict[str, str]:
    """The lower bound of everything that has one."""
    return {found[1]: found[2] for one in requirements() if (found := _BOUND.match(one))}


def pythons() -> dict[str, Path]:
    """The interpreters from 3.11 on that can be had here, by version; those of pyenv too, where it is on PATH."""
    folders = [Path(one) for one in os.environ.get("PATH", "").split(os.pathsep) if one]
    if pyenv := shutil.which("pyenv"):
        root = subprocess.run([pyenv, "root"], capture_output=True, text=True, check=True).stdout.strip()
        folders += sorted(Path(root, "versions").glob("*/bin"))
    found: dict[tuple[int, ...], Path] = {}
    for program in (path for folder in folders for path in sorted(folder.glob("python3.[0-9]*"))):
        if not re.fullmatch(r"python3\.\d+", program.name):
            continue
        done = subprocess.run([program, "-I", "-c", _PROBE], capture_output=True, text=True)
        version = tuple(map(int, done.stdout.split("."))) if done.returncode == 0 else ()
        if version[:2] >= OLDEST and not any(known[:2] == version[:2] for known in found):
            found[version] = program
    return {".".join(map(str, version)): found[version] for version in sorted(found)}


@dataclass(frozen=True, slots=True)
class Built:
    """A wheel and a source distribution."""

    wheel: Path
    sdist: Path

    def missing(self) -> list[str]:
        """What should be in the wheel and is not, and what is in either and should not be."""
        names = zipfile.ZipFile(self.wheel).namelist()
        lost = [one for one in _SHIPPED if not any(name.startswith(f"recall_tui/{one}") for name in names)]
        lost += [] if any(name.endswith("licenses/LICENSE") for name in names) else ["LICENSE"]
        with tarfile.open(self.sdist) as archive:
            inner = [name.partition("/")[2] for name in archive.getnames()]
        lost += [one for one in ("README.md", "SECURITY.md", "LICENSE", "tests/conftest.py") if one not in inner]
        tracked = set(
            subprocess.run(["git", "ls-files"], cwd=CHECKOUT, capture_output=True, text=True).stdout.split("\n")
        )
        lost += [f"stray: {name}" for name in inner if "." in name and name != "PKG-INFO" and not _is_of(name, tracked)]
        return lost + [f"stray: {name}" for name in names if name.startswith("tests/") or name.endswith(".pyc")]


def _is_of(name: str, tracked: set[str]) -> bool:
    return name in tracked or any(one.startswith(f"{name}/") for one in tracked)


@dataclass(frozen=True, slots=True)
class Environment:
    """An interpreter of its own with nothing in it but what was asked for, a home, and no way out while it runs."""

    name: str
    folder: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / "venv" / "bin" / "python"

    @property
    def tried(self) -> list[str]:
        """Connections that were tried."""
        told = self.folder / "tried"
        return told.read_text(encoding="utf-8").splitlines() if told.exists() else []

    def install(self, *words: str) -> None:
        """Install with pip; it must succeed, and `pip check` too."""
        self._pip("install", "--quiet", "--disable-pip-version-check", *words)
        self._pip("check")

    def packages(self) -> dict[str, str]:
        """What is installed, by name."""
        listed = json.loads(self._pip("list", "--format=json", "--disable-pip-version-check"))
        return {one["name"].lower(): one["version"] for one in listed}

    def open(self) -> None:
        """Let its interpreters reach the network again, to install more."""
        (self._site / "no_network_here.pth").unlink()

    def close(self) -> None:
        """From now on no interpreter of it reaches the network."""
        site = self._site
        shutil.copyfile(CHECKOUT / "tests" / "qa" / "trust" / "no_network.py", site / "no_network_here.py")
        line = f"import no_network_here; no_network_here.forbid({str(self.folder / 'tried')!r})\n"
        (site / "no_network_here.pth").write_text(line, encoding="utf-8")

    def run(self, *words: str | Path, cwd: Path | None = None, more: Mapping[str, str] | None = None) -> str:
        """The stdout of a program of it, which must succeed."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        path = f"{self.python.parent}:{os.environ['PATH']}"
        env = {"PATH": path, "HOME": str(home), "LANG": "C.UTF-8", **(more or {})}
        done = subprocess.run([*words], cwd=cwd or home, env=env, capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(
                f"{self.name}: {' '.join(map(str, words))[:200]}: {(done.stdout + done.stderr)[-1500:]}"
            )
        return done.stdout

    def uses(self) -> int:
        """Import every module, lead a small life with the installed program, open the app; how many modules."""
        modules = int(self.run(self.python, "-I", "-c", _MODULES, *EXTRAS))
        work = self.folder / "work"
        work.mkdir()
        program = self.python.parent / "recall-tui"
        for line in (
            "--version", "init . --no-install", "sync", "search --ranked memory --json", "consume", "demo --print-root",
            "status", "doctor --deep",
        ):  # fmt: skip
            self.run(program, *line.split(), cwd=work)
        self.run(self.python, "-I", "-c", _APP, cwd=work)
        return modules

    def tests(self, checkout: Path, chosen: Sequence[str]) -> int:
        """Run tests of a checkout; how many passed. AssertionError when one failed, or none was run."""
        words = ("-m", "pytest", "-p", "no:cacheprovider", "-m", "not soak", *chosen)
        said = self.run(self.python, *words, cwd=checkout, more={"PYTHONPATH": str(checkout)})
        found = re.search(r"(\d+) passed", said)
        assert found, f"{self.name}: no test was run: {said[-500:]}"
        return int(found[1])

    @property
    def _site(self) -> Path:
        return next((self.folder / "venv" / "lib").glob("python3.*")) / "site-packages"

    def _pip(self, *words: str) -> str:
        done = subprocess.run([self.python, "-m", "pip", *words], capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(f"{self.name}: pip {' '.join(words)[:200]}: {(done.stdout + done.stderr)[-1500:]}")
        return done.stdout


def build(folder: Path, python: Path) -> Built:
    """A wheel and a source distribution of the checkout, by the build tool in an environment of its own."""
    tool = process_env("build", folder, python)
    tool.install("build")
    tool.run(tool.python, "-m", "build", "--outdir", folder / "dist", CHECKOUT, more=_pip_settings())
    return Built(next((folder / "dist").glob("*.whl")), next((folder / "dist").glob("*.tar.gz")))


def unpacked(built: Built, folder: Path) -> Path:
    """The source distribution as a checkout."""
    with tarfile.open(built.sdist) as archive:
        archive.extractall(folder, filter="data")
    return next(folder.glob("recall_tui-*"))


def process_env(name: str, folder: Path, python: Path) -> Environment:
    """An empty environment."""
    made = Environment(name, folder / name.replace(" ", "-"))
    subprocess.run([python, "-m", "venv", made.folder / "venv"], check=True, capture_output=True)
    return made


def _pip_settings() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
