"""The Maya module as a zip file: python .ci/module_zip.py.

Unpacked into a folder where Maya looks for modules, it gives the same files as the installer: the
module file, and the module's folder beside it. Files keep their times or, for reproducible bytes,
all get ``SOURCE_DATE_EPOCH``. Every version needs a time of its own: otherwise Python would run
code that it compiled from an older version.
"""

from __future__ import annotations

import argparse
import ast
import os
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

from jointlimits_core.base.version import __version__
from jointlimits_core.io.output import atomic_output

ROOT = Path(__file__).resolve().parents[1]
MODULE = "jointLimits"
INSTALLER = "drag_into_maya_joint_limits.py"
_EARLIEST = 315532800
"""Earliest time that a zip file can store (1980), in seconds since 1970."""


def list_of_installer(root: Path, name: str) -> tuple[str, ...]:
    """Read a list from the source of the installer, which cannot be imported without Maya.

    Parameters
    ----------
    root : Path
    name : str
        SHIPPED: patterns of the files that users get; LEFT_OUT: exceptions to these.

    Returns
    -------
    tuple of str
    """
    for node in ast.parse((root / INSTALLER).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return tuple(ast.literal_eval(node.value))
    raise ValueError(f"{INSTALLER} does not say what is shipped")


def shipped_files(root: Path) -> Iterator[Path]:
    """Every file that users get, always in the same order, without files left by tools.

    Parameters
    ----------
    root : Path

    Yields
    ------
    Path
    """
    left_out = {root / name for name in list_of_installer(root, "LEFT_OUT")}
    tops = {path for name in list_of_installer(root, "SHIPPED") for path in root.glob(name)}
    for top in sorted(tops - left_out):
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            parts = path.relative_to(root).parts
            hidden = any(part.startswith(".") or part == "__pycache__" for part in parts)
            if path.is_file() and not hidden and path.suffix != ".pyc":
                yield path


def module_file(root: Path) -> str:
    """Text of the file that Maya reads, for the folder beside it."""
    lines = (root / "module.mod").read_text(encoding="utf-8").splitlines()
    return "\n".join([f"+ {MODULE} {__version__} {MODULE}", *lines[1:]]) + "\n"


def write_module_zip(out: Path, root: Path = ROOT) -> Path:
    """Write ``jointLimits-<version>.zip`` into a folder, whole or not at all.

    Parameters
    ----------
    out : Path
        The folder, made if it is not there.
    root : Path
        The project.

    Returns
    -------
    Path
        The file.
    """
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{MODULE}-{__version__}.zip"
    with atomic_output(path) as stream, zipfile.ZipFile(stream, "w") as archive:
        _add(archive, f"{MODULE}.mod", module_file(root).encode("utf-8"), root / "module.mod")
        for file in shipped_files(root):
            name = f"{MODULE}/{file.relative_to(root).as_posix()}"
            _add(archive, name, file.read_bytes(), file)
    return path


def _add(archive: zipfile.ZipFile, name: str, content: bytes, source: Path) -> None:
    seconds = float(os.environ.get("SOURCE_DATE_EPOCH", source.stat().st_mtime))
    entry = zipfile.ZipInfo(name, time.gmtime(max(seconds, _EARLIEST))[:6])
    entry.create_system = 3  # Unix, even on Windows, for the same bytes and permissions
    entry.external_attr = 0o100644 << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, content)


def main() -> int:
    """Write the zip file and print its path."""
    parser = argparse.ArgumentParser(description="The Maya module as a zip file.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="DIR")
    print(write_module_zip(parser.parse_args().out))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
