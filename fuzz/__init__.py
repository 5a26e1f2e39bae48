"""Broken and hostile input for every reader: ``python -m fuzz``; docs/hostile_input.md."""
