"""How an output is kept: what differs from run to run is replaced, and what is long is summed up.

A golden is text. Two are the same if their words are, and their numbers are within TOLERANCE:
another machine may write another last digit.
"""

from __future__ import annotations

import base64
import dataclasses
import difflib
import hashlib
import json
import math
import os
import re
import zlib
from pathlib import Path
from typing import Any

import jointlimits_core
from tests.support.house_files import ROOT
from tests.support.page_streams import Page

FOLDER = Path(__file__).parent / "outputs"
UPDATE = "GOLDENS"
"""Environment variable: `update` rewrites the goldens; a folder gets them at full length."""
MAX_LINES, MAX_CHARACTERS = 50, 4000
"""Of an output that is kept as it is; of a longer one its digest is."""
TOLERANCE = {"rel_tol": 1e-8, "abs_tol": 2e-6}
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.]*\w)")
VOLATILE = tuple(
    (re.compile(pattern, re.MULTILINE), put)
    for pattern, put in (
        (r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d([+-]\d\d:\d\d|Z)?", "TIME"),
        (r"\b\d{8}-\d{6}-[\w.-]+?-\d+\b", "STAMP"),
        (r"process \d+$", "process PID"),
        (r"peak memory [\d.,]+ [KMG]B", "peak memory SIZE"),
        (r"^ +\d+\.\d\d s  ", "SECONDS  "),
        (r" \(about \d[\w ,]* left\)$", ""),
        (r"(exit code \d+); [\d.]+ s,", r"\1; SECONDS,"),
        (r"^(python|numpy|system)  +.*$", r"\1"),
        (r"\b[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\b", "UUID"),
        (r"\b[0-9a-f]{64}\b", "SHA256"),
        (rf"(?<![\d.]){re.escape(jointlimits_core.__version__)}(?![\d.])", "VERSION"),
    )
)


def check(name: str, sections: dict[str, str], scratch: Path) -> None:
    """Fail unless the sections of an output are those of its golden; see UPDATE."""
    path, ask = FOLDER / f"{name}.txt", os.environ.get(UPDATE, "")
    clean = {
        normalise(title, scratch): normalise(text, scratch) for title, text in sections.items()
    }
    if ask not in ("", "update"):
        path = Path(ask).resolve() / f"{name}.txt"
    else:
        clean = {title: digest_if_long(text) for title, text in clean.items()}
    now = "".join(
        f"--- {title}\n{text.rstrip()}\n" for title, text in clean.items() if text.strip()
    )
    if ask:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(now, encoding="utf-8")
        return
    golden = path.read_text(encoding="utf-8") if path.exists() else ""
    if not same(golden, now):
        lines = (text.splitlines() for text in (golden, now))
        diff = "\n".join(difflib.unified_diff(*lines, "golden", "now", lineterm="", n=1))
        raise AssertionError(
            f"{name} differs; intended? {UPDATE}=update pytest tests/goldens\n{diff}"
        )


def same(golden: str, now: str) -> bool:
    """Whether two texts have the same words, and numbers within the tolerance."""
    return NUMBER.sub("#", golden) == NUMBER.sub("#", now) and all(
        math.isclose(one, other, **TOLERANCE)
        for one, other in zip(numbers_of(golden), numbers_of(now))
    )


def numbers_of(text: str) -> list[float]:
    """Numbers of a text, in its order."""
    return [float(one) for one in NUMBER.findall(text)]


def normalise(text: str, scratch: Path) -> str:
    """A text without what differs from run to run."""
    for path, put in ((scratch, "SCRATCH"), (ROOT, "PROJECT")):
        text = text.replace(str(path), put)
    for pattern, put in VOLATILE:
        text = pattern.sub(put, text)
    return text


def digest_if_long(text: str) -> str:
    """A text, or if it is long, a digest of its words and two sums over its numbers."""
    lines = text.count("\n") + 1
    if lines <= MAX_LINES and len(text) <= MAX_CHARACTERS:
        return text
    numbers = numbers_of(text)
    words = hashlib.sha256(NUMBER.sub("#", text).encode("utf-8", "surrogateescape")).hexdigest()
    # Weights, so that numbers that change places are noticed.
    sums = (sum(one * f(k) for k, one in enumerate(numbers)) for f in (math.cos, math.sin))
    return f"{lines} lines; words_{words[:16]}; {len(numbers)} numbers; sums " + " ".join(
        f"{total:.6f}" for total in sums
    )


def sections_of(path: Path, title: str) -> dict[str, str]:
    """Sections for a file that was written: of a page its data and tables, else all of it."""
    if path.suffix == ".html":
        return page_sections(path.read_text(encoding="utf-8"), title)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return {title: f"{path.suffix} file, not text"}
    return {title: text}


def page_sections(page: str, title: str) -> dict[str, str]:
    """Each block of data of a page, and the rows of its tables; not how it looks."""
    found = {}
    blocks = r'<script type="application/json" id="([\w-]+)">(.*?)</script>'
    for identity, block in re.findall(blocks, page, re.DOTALL):
        data = json.loads(block)
        if "packed" in data:
            # Compressed by whichever zlib there is.
            data["packed"] = hashlib.sha1(
                zlib.decompress(base64.b64decode(data["packed"]))
            ).hexdigest()
        found[f"{title}, data {identity}"] = json.dumps(data, indent=1, sort_keys=True)
    rows = (" | ".join(" ".join(cell.split()) for cell in row) for row in Page(page).rows)
    return {**found, f"{title}, rows of tables": "\n".join(rows)}


def plain(value: Any) -> Any:
    """A result as JSON has it."""
    if isinstance(value, str) and value.startswith(("{", "[")):
        return json.loads(value)
    if hasattr(value, "to_json"):
        return json.loads(value.to_json())
    if dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
        return {field.name: plain(getattr(value, field.name)) for field in fields}
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if hasattr(value, "tolist"):
        return value.tolist()
    return value if value is None or isinstance(value, (str, int, float)) else repr(value)
