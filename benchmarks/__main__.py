"""Run benchmarks: ``python -m benchmarks [NAME...] [OPTION...]``.

``--json FILE`` writes every figure.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Sequence
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
    exports,
    faults,
    faults_swap,
    fbx,
    felt,
    follow,
    frames,
    functional_joints,
    gate,
    ik,
    long_clip,
    maya_node,
    maya_scene,
    other_readers,
    pages,
    peers,
    people,
    reading,
    review,
    shapes,
    shapes_implicit,
    shapes_pad,
    shapes_volume,
    types,
    window,
)
from .figures import BENCHMARKS, Figure, SkippedError
from .public import tracks  # noqa: F401
from .public.page import benchmark_page, page_problem


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the requested benchmarks, print each figure at once, and write all at the end.

    Returns
    -------
    int
        0; 1 if ``--check`` was given and a target was missed; 2 for an unknown name.
    """
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a group, or group.name")
    parser.add_argument("--quick", action="store_true", help="small files, few repeats")
    parser.add_argument("--check", action="store_true", help="fail if a target is missed")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure here")
    parser.add_argument(
        "--page", type=Path, metavar="FILE", help="with public: write its page here"
    )
    parser.add_argument("--list", action="store_true", help="print the names and stop")
    options = parser.parse_args(arguments)
    unknown = [word for word in options.names if not _chosen([word])]
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}; there is: {', '.join(BENCHMARKS)}")
    chosen = _chosen(options.names)
    problem = page_problem(options.page) if options.page else None
    if options.page and not any(name.startswith("public.") for name in chosen):
        problem = "the page is that of public; add that name"
    if problem:
        parser.error(f"--page: {problem}")
    if options.list:
        print("\n".join(f"{name:28} {_summary(name)}" for name in chosen))
        return 0
    records = [record for name in chosen for record in _run(name, options.quick)]
    if options.json:
        document = {"machine": machine(), "quick": options.quick, "figures": records}
        options.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    if options.page:
        options.page.write_text(benchmark_page(records, machine()), encoding="utf-8")
    missed = [record["name"] for record in records if record.get("met") is False]
    skipped = sum("skipped" in record for record in records)
    counts = f"{len(records) - skipped} figures, {skipped} benchmarks skipped"
    print(f"{counts}, {len(missed)} targets missed on {machine()['cpu']}")
    return 1 if missed and options.check else 0


def _chosen(names: Sequence[str]) -> list[str]:
    wanted = set(names)
    if not wanted:  # the public ones are among the others, too
        return [name for name in BENCHMARKS if not name.startswith("public.")]
    return [name for name in BENCHMARKS if {name, name.partition(".")[0]} & wanted]


def _summary(name: str) -> str:
    return (BENCHMARKS[name].__doc__ or name).splitlines()[0]


def _run(name: str, quick: bool) -> list[dict[str, Any]]:
    print(f"\n{name}: {_summary(name)}")
    records: list[dict[str, Any]] = []
    try:
        for figure in BENCHMARKS[name](quick):
            print(_row(figure), flush=True)
            records.append({"benchmark": name, "quick": quick, **figure.to_dict()})
    except SkippedError as reason:
        print(f"  skipped: {reason}")
        skipped = {"name": name, "quick": quick, "skipped": str(reason)}
        records.append({"benchmark": name, **skipped})
    return records


def _row(figure: Figure) -> str:
    target = ""
    if figure.target is not None:
        sign = ">=" if figure.at_least else "<="
        target = f"{sign} {figure.target:g}  {'met' if figure.met else 'MISSED'}"
    value = f"{figure.value:.3g}" if figure.value < 1000 else f"{figure.value:,.0f}"
    return f"  {figure.name:62} {value:>9} {figure.unit:12} {target:16} {figure.compared_with}"


def machine() -> dict[str, Any]:
    """Description of the machine that the figures were measured on."""
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
