"""What can be found and where: a cache of the markdown files that can be thrown away and made again."""
