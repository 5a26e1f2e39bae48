"""Motion and its skeleton: screening, pairing, mirroring, reorienting."""
