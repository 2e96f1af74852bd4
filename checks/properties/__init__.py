"""One property in each file."""
