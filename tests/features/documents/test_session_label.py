"""A document that holds a session is called by the session's title, date and length."""

from __future__ import annotations

from recall_tui.environment import Environment
from recall_tui.features.documents.lookup import get_document
from recall_tui.features.documents.session_label import label_document
from tests.makers import bench_at, transcript


def test_a_summary_page_is_called_like_its_session(environment: Environment) -> None:
    bench = bench_at(environment, "project")
    path = transcript(environment, 1, [("user", "Rename the parcel table"), ("assistant", "Renamed.")])
    bench.capture(path)
    label = label_document(get_document(bench.store, path.stem))
    assert label is not None
    assert (label.title, label.agent, label.length) == ("Rename the parcel table", "claude", "1m")
    assert label.ended_at is not None
