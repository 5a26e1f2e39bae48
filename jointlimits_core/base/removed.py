"""Words of earlier versions that name nothing now, each with what to use in its place."""

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
"""By subcommand, flag, option or choice; every message about an unknown word ends with these."""
FORMER_DEFAULTS: dict[str, Any] = _TABLE["former_defaults"]
"""Defaults of options that are gone; a manifest may still have them."""
