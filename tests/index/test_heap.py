"""One heap for all threads, only small blocks in it, and what is free in it given back."""

from __future__ import annotations

import platform
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from recall_tui.index.ingest.refresh import refresh
from recall_tui.index.opener import Index
from recall_tui.index.text.writer import trim_heap
from recall_tui.storage.memory_context import Store
from tests.processes import CHECKOUT
from tests.qa.trust.holding import held

BLOCKS, BYTES = 3_000, 20_000
_PROGRAM = """
import ctypes, os, sys
from recall_tui.index.text.writer import use_single_arena
from tests.qa.trust.holding import held

if sys.argv[1] == "shared":
    use_single_arena()
library = ctypes.CDLL(None)
library.malloc.restype, library.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
library.free.argtypes = [ctypes.c_void_p]
library.free(library.malloc(30 << 20))  # Left alone, glibc takes blocks up to this size from its heap from now on.

blocks, pins = [], []
for _ in range(40):
    blocks.append(library.malloc(1 << 20))
    ctypes.memset(blocks[-1], 1, 1 << 20)
    pins.append(library.malloc(64))
before = held().own_kb
for block in blocks:
    library.free(block)
print((before - held().own_kb) // 1024)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
def test_large_blocks_go_back_when_they_are_freed() -> None:
    given_back = {
        how: int(subprocess.check_output([sys.executable, "-c", _PROGRAM, how], cwd=CHECKOUT, text=True))
        for how in ("shared", "left alone")
    }
    assert given_back["shared"] >= 38
    assert given_back["left alone"] < 20, "this C library keeps no large blocks; the setting is of no use here"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems give back what was freed by themselves")
@pytest.mark.parametrize("how", ["asked", "index"])
def test_freed_memory_is_given_back(how: str, index: Index, store: Store, archive: Callable[..., Path]) -> None:
    archive(1, "jwt")
    refresh(index, store)
    archive(2, "redis")
    blocks = [bytes([1]) * BYTES for _ in range(BLOCKS)]
    # What lies above them keeps the heap from shrinking by itself.
    above = [bytes([2]) * BYTES for _ in range(4)]
    del blocks
    before = held().own_kb
    if how == "asked":
        trim_heap()
    else:
        assert refresh(index, store).added == 1
    assert before - held().own_kb > BLOCKS * BYTES // 1024 // 2
    assert above
