"""A server of the Model Context Protocol on stdin and stdout: agents ask the memory as they work."""
