"""Maya as a host: messages, log, progress, errors, numpy."""
