"""Reading files that others made, writing files whole, logs, signals and progress."""
