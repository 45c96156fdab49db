"""One heap for all threads, and only small blocks in it."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

from tests.processes import CHECKOUT

_PROGRAM = """
import ctypes, os, sys
from recall_tui.index.heap import share_one
from tests.trust.holding import held

if sys.argv[1] == "shared":
    share_one()
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
