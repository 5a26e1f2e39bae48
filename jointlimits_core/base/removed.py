"""Names from earlier versions that no longer exist, each with its replacement."""

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
"""Advice per subcommand, flag, option or choice, for the end of messages about unknown names."""
FORMER_DEFAULTS: dict[str, Any] = _TABLE["former_defaults"]
"""Former defaults of removed options; manifests may still contain these values."""
