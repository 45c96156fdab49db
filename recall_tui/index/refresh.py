"""Brings the index up to date with the files of a memory, and with every transcript on the machine.

Whatever happens to a refresh on the way is healed by the next; nothing is ever there twice, and a session's words are
there once: from its transcript, and only where there is none from its archive.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from recall_tui.errors import BrokenFileError, LockedError
from recall_tui.index import catalogue as catalogues
from recall_tui.index import compact, markdown_files, shelves, transcript_files
from recall_tui.index.catalogue import Catalogue
from recall_tui.index.ledger import CancelledRun, Ledger, Progress
from recall_tui.index.passages import TRANSCRIPTS
from recall_tui.index.passage import SHELVES, WHOLE
from recall_tui.index.sources import printable
from recall_tui.index.store import Index, memory_key
from recall_tui.index.tally import Tally
from recall_tui.index.writer import PassageWriter
from recall_tui.storage.lock import held
from recall_tui.storage.store import Store

if TYPE_CHECKING:
    from recall_tui.index.passages import PassageReader

LARGE_BYTES = 8_000_000
"""From here on the text index gathers more before it writes."""
Note = Callable[[str], None]
