"""Text told by what it says: topics, lessons, points, keywords, similarity."""
