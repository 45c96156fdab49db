"""The command line: arguments in, one of the library's calls, words out."""
