"""TOML is read in a time that its length bounds."""

from __future__ import annotations

import pytest

from recall_tui import config


@pytest.mark.parametrize("part", ["a", '"a b"', "'a.b'", "1 "])
def test_a_name_of_very_many_parts_is_refused_with_its_line(part: str) -> None:
    with pytest.raises(ValueError, match=r"64 parts \(at line 2"):
        config.parse_toml(f"x = 1\n{f'{part}.' * 50_000}a = 1\n")


def test_all_else_is_read() -> None:
    names = ".".join(["a"] * config.MAX_NAME_PARTS)
    assert config.parse_toml(f'{names} = 1\nb = "{"." * 999}"\n["c".d]\n')["c"] == {"d": {}}
