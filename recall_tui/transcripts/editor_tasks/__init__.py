"""Tasks of agents that are an extension of an editor: Cline, Roo Code and Kilo."""
