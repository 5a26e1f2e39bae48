"""Speed compared with public programs that do the same: one table, in one run."""

from __future__ import annotations

from collections.abc import Iterator

from .fbx import fbx_of_many_frames, fbx_of_programs
from .figures import Figure, SkippedError, benchmark
from .ik import beside_mink
from .other_readers import amc_of_a_walk, bvh_of_a_walk, bvh_of_many_frames
from .shapes import beside_nnls

TASKS = (
    bvh_of_a_walk,
    bvh_of_many_frames,
    amc_of_a_walk,
    fbx_of_many_frames,
    fbx_of_programs,
    beside_nnls,
    beside_mink,
)


@benchmark
def table(quick: bool) -> Iterator[Figure]:
    """Every task with an installed peer: the peer's time as a multiple of ours."""
    missing = []
    for task in TASKS:
        try:
            yield from (figure for figure in task(quick) if figure.unit == "x")
        except SkippedError as reason:
            missing.append(str(reason))
    if missing:
        raise SkippedError("; ".join(missing))
