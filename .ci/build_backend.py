"""Build backend: setuptools, with reproducible sdists and path-based editable installs.

``SOURCE_DATE_EPOCH`` sets the time of all files in the sdist; their owner is nobody. Type checkers
and editors follow the paths of an editable install, but not setuptools' import hook.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import os
import tarfile
import zipfile
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403

ROOT = Path(__file__).resolve().parents[1]


def build_editable(
    wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None
) -> str:
    """Build the wheel of an editable install that lists our folders; return its name."""
    name: str = build_meta.build_editable(wheel_directory, config_settings, metadata_directory)
    path = Path(wheel_directory) / name
    with zipfile.ZipFile(path) as wheel:
        files = {entry.filename: wheel.read(entry) for entry in wheel.infolist()}
    files = {file: data for file, data in files.items() if not file.startswith("__editable__")}
    files["__editable__.jointlimits.pth"] = f"{ROOT}\n{ROOT / 'scripts'}\n".encode()
    record = next(file for file in files if file.endswith("/RECORD"))
    del files[record]
    lines = [f"{file},sha256={_digest(data)},{len(data)}" for file, data in files.items()]
    files[record] = "\n".join([*lines, f"{record},,", ""]).encode()
    with zipfile.ZipFile(path, "w") as wheel:
        for file, data in files.items():
            wheel.writestr(file, data)
    return name


def _digest(data: bytes) -> str:
    """Hash of a file as wheels record it."""
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """Build the sdist; return its name."""
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
