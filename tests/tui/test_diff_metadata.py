"""Review's diff of a page begins with its text: the metadata before it is one line that can be opened."""

from __future__ import annotations

from textual.app import App, ComposeResult

from recall_tui.tui.widgets.diff_view import DiffView

PAGE = ["--- a/memory/wiki/auth.md", "+++ b/memory/wiki/auth.md", "@@ -0,0 +1,8 @@"]
PAGE += ["+---", "+title: Auth", "+category: concept", "+salience: 0.5", "+hash: 1f2e", "+---", "+", "+# Logins"]
SHORT = ["--- a/a.md", "+++ b/a.md", "@@ -1,3 +1,4 @@", " ---", " title: A", " ---", "+More."]


class DiffApp(App[None]):
    def __init__(self, *, folds: bool) -> None:
        super().__init__()
        self._folds = folds

    def compose(self) -> ComposeResult:
        yield DiffView(folds_metadata=self._folds)


async def test_metadata_is_one_line_until_it_is_opened() -> None:
    app = DiffApp(folds=True)
    async with app.run_test():
        view = app.query_one(DiffView)
        view.show([*PAGE, *SHORT])
        folded = [line.plain for line in view.lines]
        assert folded[2] == "+6 lines of metadata · t shows them" and "+# Logins" in folded
        assert " title: A" in folded, "few lines stay as they are"
        view.unfold()
        assert "+hash: 1f2e" in [line.plain for line in view.lines]
        view.unfold()
        assert [line.plain for line in view.lines] == folded


async def test_other_diffs_are_shown_whole() -> None:
    app = DiffApp(folds=False)
    async with app.run_test():
        view = app.query_one(DiffView)
        view.show(PAGE)
        assert "+salience: 0.5" in [line.plain for line in view.lines]
