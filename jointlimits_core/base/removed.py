"""Words of earlier versions that no longer exist, each with its replacement."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_TABLE = json.loads(Path(__file__).with_name("removed.json").read_text(encoding="utf-8"))
REMOVED: dict[str, str] = {
    name.replace("/", " "): words
    for words, names in _TABLE["words"].items()
    for name in names.split()
}
"""Advice by subcommand, flag, option or choice, at the end of messages about an unknown word."""
FORMER_DEFAULTS: dict[str, Any] = _TABLE["former_defaults"]
"""Defaults of removed options, which a manifest may still contain."""
