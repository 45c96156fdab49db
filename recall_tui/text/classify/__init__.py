"""Classify text by its content: topics, lessons, sentence labels, keywords, similarity."""
