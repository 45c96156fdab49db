"""Pages of the wiki: changed, linted, imported and rebuilt."""
