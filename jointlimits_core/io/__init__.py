"""Reading what others made, writing files whole, logs, progress, and the process of a command."""
