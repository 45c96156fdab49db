"""The fixtures of agents' tests."""

from __future__ import annotations

from tests.agents.sites import SiteMaker, site

__all__ = ["SiteMaker", "site"]
