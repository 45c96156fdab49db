"""Events of agents' hooks, and the work that they leave behind."""
