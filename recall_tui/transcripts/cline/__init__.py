"""Sessions of Cline's command line."""
