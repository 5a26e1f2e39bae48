"""The files of the project, as a clone has them."""

from __future__ import annotations

import ast
import shutil
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "jointlimits_core"
ADAPTER = ROOT / "scripts" / "jointlimits_maya"
INSTALLER = ROOT / "drag_into_maya_joint_limits.py"
_NOT_OURS = {"build", "dist", "out", "__pycache__"}


@cache
def project_files() -> tuple[Path, ...]:
    """Every file that is tracked or about to be; without git, all but what tools leave behind.

    As they were when a run of the tests asked first.
    """
    if shutil.which("git") and (ROOT / ".git").exists():
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
        found = [ROOT / name for name in listed.decode("utf-8").split("\0") if name]
        return tuple(sorted({path for path in found if path.is_file()}))
    return tuple(sorted(p for p in ROOT.rglob("*") if p.is_file() and _is_ours(p)))


def _is_ours(path: Path) -> bool:
    folders = path.relative_to(ROOT).parts[:-1]
    hidden = {name for name in folders if name.startswith(".") and name != ".ci"}
    return not hidden and not any(n in _NOT_OURS or n.endswith(".egg-info") for n in folders)


def package_modules() -> list[Path]:
    """Python files of the package."""
    return sorted(PACKAGE.rglob("*.py"))


def maya_modules() -> list[Path]:
    """Python files that run inside Maya."""
    folders = [ROOT / "scripts", ROOT / "plug-ins"]
    return [*sorted(path for folder in folders for path in folder.rglob("*.py")), INSTALLER]


@cache
def syntax_tree(path: Path) -> ast.Module:
    """What a Python file says, which nobody changes."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def marked_block(document: str, marker: str) -> str:
    """Text of the fenced block that follows ``<!-- marker -->``; as `.ci/run` finds it."""
    lines = iter(document.splitlines())
    for line in lines:
        if line == f"<!-- {marker} -->":
            break
    if not next(lines, "").startswith("```"):
        raise AssertionError(f"no block after <!-- {marker} -->")
    block = []
    for line in lines:
        if line.startswith("```"):
            return "\n".join(block)
        block.append(line)
    raise AssertionError(f"the block after <!-- {marker} --> does not end")


def fenced_blocks(document: str, language: str) -> list[str]:
    """Text of every fenced block of a language."""
    parts = document.split(f"\n```{language}\n")[1:]
    return [part.split("\n```", 1)[0] for part in parts]
