"""Run benchmarks: ``python -m benchmarks [NAME...] [OPTION...]``.

``--json FILE`` writes every figure; ``--compare BASE`` holds the ratios of this run against those
of another commit: BASE is a file written there on the same machine, or the commit itself, whose own
benchmarks then run first.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import jointlimits_core

from . import (  # noqa: F401 - they register themselves
    accuracy,
    batch,
    bodies,
    bodies_evidence,
    bodies_faults,
    bodies_hinges,
    bodies_markers,
    bodies_recorded,
    bounds,
    dependencies,
    estimation,
    exports,
    faults,
    faults_swap,
    fbx,
    floor,
    frames,
    functional_joints,
    ik,
    kernels,
    long_clip,
    maya_node,
    maya_scene,
    other_readers,
    pages,
    reading,
    review,
    shapes,
    shapes_implicit,
    shapes_pad,
    shapes_volume,
    start,
    types,
    window,
)
from .figures import BENCHMARKS, SHARED, Figure, SkippedError

WORSE = 0.15
"""Share by which a ratio may be worse; two runs of one commit differ by some 10 %."""


DECIDING = ("cpu", "python", "numpy", "scipy")
"""Parts of the machine that ratios depend on."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what was asked for, print each figure as it comes, write them all at the end.

    Returns
    -------
    int
        0; 1 if ``--check`` was given and a target was missed, or if ``--compare`` found a ratio
        that is worse; 2 for an unknown name.
    """
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a group, or group.name")
    parser.add_argument("--quick", action="store_true", help="small files, few repeats")
    parser.add_argument("--check", action="store_true", help="fail if a target is missed")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure here")
    words = f"fail if a ratio is {WORSE:.0%} worse than in a file of --json, or in a commit"
    parser.add_argument("--compare", metavar="BASE", help=words.replace("%", "%%"))
    parser.add_argument("--list", action="store_true", help="print the names and stop")
    options = parser.parse_args(arguments)
    unknown = [word for word in options.names if not _chosen([word])]
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}; there is: {', '.join(BENCHMARKS)}")
    chosen = _chosen(options.names)
    if options.list:
        print("\n".join(f"{name:28} {_summary(name)}" for name in chosen))
        return 0
    base = None if options.compare is None else _base(options.compare, options.names, options.quick)
    records = [record for name in chosen for record in _run(name, options.quick)]
    if options.json:
        document = {"machine": machine(), "quick": options.quick, "figures": records}
        options.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    missed = [record["name"] for record in records if record.get("met") is False]
    print(f"{len(records)} figures, {len(missed)} targets missed on {machine()['cpu']}")
    worse = base is not None and _any_worse(options.compare, base, records)
    return 1 if worse or (missed and options.check) else 0


def _base(base: str, names: Sequence[str], quick: bool) -> Any:
    """What a file of ``--json`` holds, or the benchmarks of a commit print, run in a worktree."""
    if Path(base).is_file():
        return json.loads(Path(base).read_text(encoding="utf-8"))
    root = Path(__file__).resolve().parents[1]
    with tempfile.TemporaryDirectory() as folder:
        tree, found = Path(folder, "tree"), Path(folder, "base.json")
        if SHARED.exists():
            Path(folder, "shared").symlink_to(SHARED)
        git = ["git", "-C", str(root), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), base], check=True)
        try:
            more = [*(["--quick"] if quick else []), "--json", str(found)]
            command = [sys.executable, "-m", "benchmarks", *names, *more]
            environment = {**os.environ, "PYTHONPATH": str(tree)}
            if subprocess.run(command, cwd=tree, env=environment).returncode:
                raise SystemExit(f"{base} cannot run {' '.join(names)}; other names may be there")
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)
        return json.loads(found.read_text(encoding="utf-8"))


def _any_worse(base: str, document: Any, records: Sequence[Mapping[str, Any]]) -> bool:
    """Print every ratio beside the one of another commit; whether any is worse.

    Another processor, Python, numpy or SciPy has other ratios, so that nothing is compared.
    """
    here = machine()
    for part in DECIDING:
        # Older commits did not note the version of SciPy.
        there = document["machine"].get(part, here[part])
        if there != here[part]:
            print(f"\nnot compared with {base}: {part} {there} there, {here[part]} here")
            return False
    before = {(one["benchmark"], one["name"]): one for one in document["figures"]}
    worse = False
    print(f"\nratios, beside {base}")
    for now in records:
        old = before.get((now["benchmark"], now["name"]))
        if old is None or "x" not in (now.get("unit"), old.get("unit")):
            continue
        change = now["value"] / old["value"] if old["value"] else float("inf")
        loss = 1.0 / change if now["at_least"] else change
        worse |= loss > 1.0 + WORSE
        word = "WORSE" if loss > 1.0 + WORSE else ""
        print(f"  {now['name']:62} {old['value']:>9.3g} -> {now['value']:<9.3g} {word}")
    return worse


def _chosen(names: Sequence[str]) -> list[str]:
    wanted = set(names)
    if not wanted:
        return list(BENCHMARKS)
    return [name for name in BENCHMARKS if {name, name.partition(".")[0]} & wanted]


def _summary(name: str) -> str:
    return (BENCHMARKS[name].__doc__ or name).splitlines()[0]


def _run(name: str, quick: bool) -> list[dict[str, Any]]:
    print(f"\n{name}: {_summary(name)}")
    records: list[dict[str, Any]] = []
    try:
        for figure in BENCHMARKS[name](quick):
            print(_row(figure), flush=True)
            records.append({"benchmark": name, **figure.to_dict()})
    except SkippedError as reason:
        print(f"  skipped: {reason}")
        records.append({"benchmark": name, "name": name, "skipped": str(reason)})
    return records


def _row(figure: Figure) -> str:
    target = ""
    if figure.target is not None:
        sign = ">=" if figure.at_least else "<="
        target = f"{sign} {figure.target:g}  {'met' if figure.met else 'MISSED'}"
    value = f"{figure.value:.3g}" if figure.value < 1000 else f"{figure.value:,.0f}"
    return f"  {figure.name:62} {value:>9} {figure.unit:12} {target:16} {figure.compared_with}"


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    return {
        "cpu": _cpu(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": version("scipy") if find_spec("scipy") else None,
        "jointlimits": jointlimits_core.__version__,
    }


def _cpu() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


if __name__ == "__main__":
    sys.exit(main())
