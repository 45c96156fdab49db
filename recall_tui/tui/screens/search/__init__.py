"""The search box and saved searches."""
