"""setuptools, whose sdist has the same bytes wherever it is built, as its wheel has already.

Times of files are all ``SOURCE_DATE_EPOCH`` where that is set, owners are nobody.
"""

from __future__ import annotations

import gzip
import io
import os
import tarfile
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """Build the sdist; its name."""
    name: str = build_meta.build_sdist(sdist_directory, config_settings)
    if "SOURCE_DATE_EPOCH" in os.environ:
        path = Path(sdist_directory) / name
        path.write_bytes(_the_same_everywhere(path, int(os.environ["SOURCE_DATE_EPOCH"])))
    return name


def _the_same_everywhere(path: Path, seconds: int) -> bytes:
    made = io.BytesIO()
    with (
        tarfile.open(path) as packed,
        gzip.GzipFile("", "wb", fileobj=made, mtime=seconds) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as again,
    ):
        for member in sorted(packed.getmembers(), key=lambda one: one.name):
            new = tarfile.TarInfo(member.name)
            new.type, new.size, new.linkname = member.type, member.size, member.linkname
            new.mode = 0o755 if member.mode & 0o100 else 0o644
            new.mtime = seconds
            again.addfile(new, packed.extractfile(member) if member.isfile() else None)
    return made.getvalue()
