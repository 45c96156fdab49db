"""What lies near a question in a small index, worked out of every passage anew: for tests that hand a search `near`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from recall_tui.index.opener import Index
from tests.embedders import HashedWords

if TYPE_CHECKING:
    from recall_tui.domain.embedding import Nearest

MOST = 1_000


def nearest_in(index: Index, meanings: Mapping[str, str] | None = None) -> Nearest:
    """Finds passages by the cosines of hashed words; of words that `meanings` names, those that they mean."""
    embedder = HashedWords(512)

    def meant(text: str) -> str:
        for word, meaning in (meanings or {}).items():
            text = text.lower().replace(word, meaning)
        return text

    def near(text: str, within: Any, most: int) -> list[tuple[float, Any]]:
        reader = index.reader()
        assert reader is not None
        addresses = reader.newest(within, MOST)
        if not addresses:
            return []
        rows = embedder.embed([meant(reader.stored(address).body) for address in addresses])
        cosines = (rows @ embedder.embed([meant(text)])[0]).tolist()
        return sorted(zip(cosines, addresses, strict=True), key=lambda one: -one[0])[:most]

    return near
