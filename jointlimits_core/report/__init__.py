"""One self-contained HTML page about a limit set."""
