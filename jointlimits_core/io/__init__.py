"""Input files, output files, logs, progress lines, and the process of a command."""
