"""Markdown and frontmatter: parsing, quoting and in-place edits."""
