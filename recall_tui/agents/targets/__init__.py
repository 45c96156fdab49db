"""The agents that the memory is installed into, one module each."""
