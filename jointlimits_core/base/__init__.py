"""What everything else builds on: errors, findings, options, text, progress."""
