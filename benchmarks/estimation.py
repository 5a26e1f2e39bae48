"""How long an estimate takes, beside SciPy's Rotation and beside plain Python in the same run.

Both do only a part of the work of `estimate`: no types, no rest pose, no screening, no record of
where a bound comes from. They are what a tool is usually made of.
"""

from __future__ import annotations

from collections.abc import Iterator

from jointlimits_core import Motion, estimate

from .character import character
from .figures import Figure, benchmark, best_seconds
from .plain_way import estimate_joint

PLAIN_JOINTS, PLAIN_FRAMES = 10, 1000
"""Plain Python is timed on a part this big and scaled up, or nobody would wait for it."""


@benchmark
def small(quick: bool) -> Iterator[Figure]:
    """One character, one short clip: what a press of a button costs."""
    yield from _compared(30, 100, target_ms=5.0, repeats=10 if quick else 50)


@benchmark
def large(quick: bool) -> Iterator[Figure]:
    """A detailed character and minutes of motion."""
    yield from _compared(100, 10_000, target_ms=300.0, repeats=1 if quick else 5)


def _compared(joints: int, frames: int, target_ms: float, repeats: int) -> Iterator[Figure]:
    for channels, source in ((True, "rotate channels"), (False, "quaternions only")):
        motion = character(joints, frames, channels=channels)
        label = f"{joints} x {frames:,}, {source}"
        estimate(motion)  # the first call pays for imports
        ours = best_seconds(lambda: estimate(motion), repeats)  # noqa: B023 - called at once
        yield Figure(f"estimate, {label}", 1e3 * ours, "ms", target_ms, "its target")
        yield from _beside_scipy(motion, label, ours, repeats)
    yield from _beside_plain_python(motion, label, ours)


def _beside_scipy(motion: Motion, label: str, ours: float, repeats: int) -> Iterator[Figure]:
    try:
        import scipy

        from .scipy_way import estimate_with_scipy
    except ImportError:
        return
    estimate_with_scipy(motion)
    theirs = best_seconds(lambda: estimate_with_scipy(motion), repeats)
    what = f"SciPy {scipy.__version__} Rotation, flattened over joints"
    yield Figure(f"SciPy, {label}", 1e3 * theirs, "ms", None, what)
    yield Figure(f"SciPy / estimate, {label}", theirs / ours, "x", None, what)


def _beside_plain_python(motion: Motion, label: str, ours: float) -> Iterator[Figure]:
    skeleton, frames = motion.skeleton, min(motion.frame_count, PLAIN_FRAMES)
    samples = motion.rotations[:PLAIN_JOINTS, :, :frames].transpose(0, 2, 1).tolist()
    orients, axes = skeleton.joint_orients.tolist(), skeleton.rotate_axes.tolist()

    def work() -> None:
        for joint, own in enumerate(samples):
            estimate_joint(own, orients[joint], axes[joint], skeleton.rotate_orders[joint])

    scale = len(skeleton) * motion.frame_count / (PLAIN_JOINTS * frames)
    plain = scale * best_seconds(work, 3)
    what = f"plain Python per sample, scaled up from {PLAIN_JOINTS} joints x {frames:,} frames"
    yield Figure(f"plain Python, {label}", 1e3 * plain, "ms", None, what)
    yield Figure(f"plain Python / estimate, {label}", plain / ours, "x", None, what)
