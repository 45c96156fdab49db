"""Sources on disk that are indexed."""
