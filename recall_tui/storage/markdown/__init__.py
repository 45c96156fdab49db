"""Markdown and frontmatter."""
