"""How long an estimate takes, beside SciPy's Rotation, plain Python and a copy of the input.

SciPy's and the plain way do only a part of the work of `estimate`: no types, no rest pose, no
screening, no record of where a bound comes from. They are what a tool is usually made of. The copy
is the floor: whatever looks at every number costs at least that.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from typing import NamedTuple

from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.motion.motion import Motion

from .character import character
from .figures import Figure, benchmark, best_seconds
from .plain_way import estimate_joint

PLAIN_JOINTS, PLAIN_FRAMES = 10, 1000
"""Plain Python is timed on a part this big and scaled up, or nobody would wait for it."""


class Targets(NamedTuple):
    """Ratios to reach."""

    scipy: float | None = None
    leanest: float | None = None
    """From quaternions only."""
    plain: float | None = None
    copies: tuple[float | None, float | None] = (None, None)
    """With rotate channels, and from quaternions only."""


@benchmark
def small(quick: bool) -> Iterator[Figure]:
    """One character, one short clip: what a press of a button costs."""
    yield from _compared(30, 100, 1.5, Targets(scipy=1.2, leanest=0.8), repeats=10 if quick else 50)


@benchmark
def large(quick: bool) -> Iterator[Figure]:
    """A detailed character and minutes of motion."""
    targets = Targets(scipy=25.0, leanest=3.0, plain=70.0, copies=(20.0, 40.0))
    yield from _compared(100, 10_000, 300.0, targets, repeats=1 if quick else 5)


@benchmark
def huge(quick: bool) -> Iterator[Figure]:
    """A quarter of an hour of a detailed character at 120 Hz."""
    if not quick:
        yield from _compared(100, 100_000, None, Targets(copies=(10.0, 30.0)), repeats=2)


@benchmark
def growth(quick: bool) -> Iterator[Figure]:
    """How time and memory grow with frames and with joints."""
    sizes = ((100, 1000), (100, 10_000), (10, 10_000), (100, 20_000 if quick else 100_000))
    for joints, frames in sizes:
        motion = character(joints, frames, channels=True)
        size = motion.rotations.nbytes + motion.rotates.nbytes if motion.rotates is not None else 0
        seconds = best_seconds(lambda: estimate(motion), 2)  # noqa: B023 - called at once
        label = f"{joints} x {frames:,}"
        each = 1e9 * seconds / (joints * frames)
        yield Figure(f"estimate, {label}", 1e3 * seconds, "ms", None, f"{each:.0f} ns a sample")
        tracemalloc.start()
        estimate(motion)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        what = f"the input is {size / 1e6:.0f} MB"
        yield Figure(f"peak memory beside the input, {label}", peak / 1e6, "MB", None, what)


def _compared(
    joints: int, frames: int, target_ms: float | None, targets: Targets, repeats: int
) -> Iterator[Figure]:
    """Ours beside SciPy, plain Python and a copy."""
    for copies, source in zip(targets.copies, ("rotate channels", "quaternions only")):
        channels = source == "rotate channels"
        motion = character(joints, frames, channels=channels)
        label = f"{joints} x {frames:,}, {source}"
        estimate(motion)  # the first call pays for imports
        ours = best_seconds(lambda: estimate(motion), repeats)  # noqa: B023 - called at once
        yield Figure(f"estimate, {label}", 1e3 * ours, "ms", target_ms, "its target")
        looked = best_seconds(lambda: estimate(motion).joints, repeats)  # noqa: B023 - called at once
        yield Figure(f"the same and its records, {label}", 1e3 * looked, "ms")
        yield from _beside_scipy(motion, label, ours, targets, repeats)
        copy = best_seconds(lambda: motion.rotations.copy(), 20)  # noqa: B023 - called at once
        what = f"copying the rotations takes {1e3 * copy:.3g} ms"
        yield Figure(f"estimate / copy, {label}", ours / copy, "x", copies, what)
    yield from _beside_plain_python(motion, label, ours, targets.plain)


def _beside_scipy(
    motion: Motion, label: str, ours: float, targets: Targets, repeats: int
) -> Iterator[Figure]:
    try:
        import scipy

        from .scipy_way import estimate_with_scipy, leanest_with_scipy
    except ImportError:
        return
    leanest = None if motion.rotates is not None else targets.leanest
    ways = {"SciPy": (estimate_with_scipy, targets.scipy)}
    ways["leanest SciPy"] = leanest_with_scipy, leanest
    for name, (way, target) in ways.items():
        way(motion)
        theirs = best_seconds(lambda: way(motion), repeats)  # noqa: B023 - called at once
        what = f"SciPy {scipy.__version__} Rotation, flattened over joints: {1e3 * theirs:.3g} ms"
        yield Figure(f"{name} / estimate, {label}", theirs / ours, "x", target, what, at_least=True)


def _beside_plain_python(
    motion: Motion, label: str, ours: float, target: float | None
) -> Iterator[Figure]:
    skeleton, frames = motion.skeleton, min(motion.frame_count, PLAIN_FRAMES)
    samples = motion.rotations[:PLAIN_JOINTS, :, :frames].transpose(0, 2, 1).tolist()
    orients, axes = skeleton.joint_orients.tolist(), skeleton.rotate_axes.tolist()

    def work() -> None:
        for joint, own in enumerate(samples):
            estimate_joint(own, orients[joint], axes[joint], skeleton.rotate_orders[joint])

    scale = len(skeleton) * motion.frame_count / (PLAIN_JOINTS * frames)
    plain = scale * best_seconds(work, 3)
    what = (
        f"plain Python per sample, scaled up from {PLAIN_JOINTS} joints x {frames:,} frames: "
        f"{1e3 * plain:.3g} ms"
    )
    yield Figure(
        f"plain Python / estimate, {label}", plain / ours, "x", target, what, at_least=True
    )
