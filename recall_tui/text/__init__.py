"""Pure text functions: no files, no clock."""
