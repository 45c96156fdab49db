"""Every file that is written anew keeps the line ends that its person's editor gave it."""

from __future__ import annotations

from recall_tui.domain import Append, Plan, Replace
from recall_tui.environment import Environment
from recall_tui.storage.files.atomic import content_digest
from recall_tui.storage.journal.plan_diff import plan_as_diff
from tests.makers import bench_at, used_here


def test_new_lines_of_a_mixed_file_take_those_of_most_and_undo_gives_the_bytes_back(environment: Environment) -> None:
    bench = used_here(bench_at(environment))
    path = bench.layout.memory_file
    before = b"# Mine\r\nOne\nTwo\r\nThree\r\n"
    path.write_bytes(before)

    def verb() -> Plan:
        return Plan("Put in", (Replace(path, content_digest(before), "# Mine\nOne\nNew\nTwo\nThree\n"),))

    shown = plan_as_diff(verb(), bench.store.root, bench.store.environment.home)
    assert [line[:4] for line in shown.splitlines() if line[:1] in "+-"][2:] == ["+New"]
    bench.journal.commit(verb)
    assert path.read_bytes() == b"# Mine\r\nOne\nNew\r\nTwo\r\nThree\r\n"
    bench.journal.commit(lambda: Plan("Add", (Append(path, "Four\n"),)))
    assert path.read_bytes().endswith(b"Three\r\nFour\r\n")
    bench.undo()
    bench.undo()
    assert path.read_bytes() == before


def test_what_only_ends_in_another_way_is_no_change(environment: Environment) -> None:
    bench = bench_at(environment)
    path = bench.layout.memory_file
    path.write_bytes(b"One\r\nTwo\r\n")
    made = bench.journal.commit(lambda: Plan("Same", (Replace(path, content_digest(path.read_bytes()), "One\nTwo\n"),)))
    assert made is None and path.read_bytes() == b"One\r\nTwo\r\n"
