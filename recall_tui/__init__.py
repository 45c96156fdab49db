"""recall-tui: a lasting memory for AI coding agents.

Importing the package runs nothing: `Workbench`, the documented Python API, is loaded on first use.
"""

__version__ = "0.1.0"
__all__ = ["Workbench", "__version__"]


def __getattr__(name: str) -> object:
    if name == "Workbench":
        import importlib

        return importlib.import_module("recall_tui.workbench").Workbench
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
