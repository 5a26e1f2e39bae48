"""Broken and hostile input for every reader: ``python -m tests.fuzz``; docs/hostile_input.md."""
