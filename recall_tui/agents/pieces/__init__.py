"""Kinds of files that are edited to install into an agent, to the byte."""
