"""One estimate by three ways: the command in a scene, the batch, the command line without Maya.

    python -m tests.support.three_ways [SCENE.ma ...]

prints how far they are apart. Maya is the stand-in.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jointlimits_core.base.errors import InputError
from jointlimits_core.cli.main import main
from jointlimits_core.formats.registry import read_motion
from tests.maya_standin import installed
from tests.support import maya_characters
from tests.support.batch_manifests import write_manifest
from tests.support.batch_runs import run_to_end
from tests.support.batch_scenes import command, environment
from tests.support.house_files import ROOT
from tests.support.shared_data import SHARED

ASKED = "?*"
"""All joints, but asked for by name: keys that move nothing are compared, too, and not refused."""
UNREAD = ("unresolved-driver",)
"""What the reader of scene files says of joints whose rotation it cannot work out."""
NOT_COMPARED = ("findings", "residual_deg", "spread_deg")
"""Sentences about the source, which name other things in a file than in a scene; and square roots
of sums that are zero but for rounding, which keep half of their digits."""
OF_THE_CLIP = ("source", "evidence")
"""What also says at which frames something was seen. Where a file holds only a part of the
animation it has other frames."""


@dataclass(frozen=True)
class Row:
    """How far apart the three are on one scene.

    Attributes
    ----------
    joints, animated : int
    batch, file : float
        Largest difference of any number from what the command gives: degrees, mostly.
    differences : tuple of str
        What is not the same and no number.
    left_out : tuple of str
        Joints that only Maya can read; they are not compared with the file.
    """

    scene: str
    joints: int
    animated: int
    batch: float
    file: float
    differences: tuple[str, ...]
    left_out: tuple[str, ...]

    def __str__(self) -> str:
        left_out = f"  not from the file: {', '.join(self.left_out)}" if self.left_out else ""
        differences = f"  {'; '.join(self.differences[:3])}" if self.differences else ""
        return (
            f"{self.scene:44} {self.joints:6} {self.animated:8} {self.batch:9.1e} {self.file:9.1e}"
            f"{differences}{left_out}"
        )


HEADING = f"{'scene':44} {'joints':>6} {'animated':>8} {'batch':>9} {'file':>9}"


def animated_scenes() -> list[Path]:
    """Scenes of the shared data with joints that are animated; none where it is not there."""
    found = []
    for path in sorted((SHARED / "data" / "maya").rglob("*.ma")):
        with contextlib.suppress(InputError):
            motion = read_motion(path)
            if motion.animated is None or motion.animated or _unread(path):
                found.append(path)
    return found


def mocap_clips() -> list[Path]:
    """Clips of the shared data, of every kind there is; none where it is not there."""
    folder = SHARED / "data" / "mocap"
    return sorted(path for ending in ("amc", "bvh") for path in folder.rglob(f"*.{ending}"))


def scene_from_clip(clip: Path, folder: Path, frames: int | None = None) -> Path:
    """Save a scene with a character that moves as in a clip."""
    skeleton = next(iter(sorted(clip.parent.glob("*.asf"))), None)
    motion = read_motion(clip, skeleton=skeleton)
    with installed() as session:
        maya_characters.from_motion(session, motion, frames)
        name = f"{clip.parent.name}_{clip.stem}_{clip.suffix[1:]}.ma"
        return maya_characters.save(session, folder / name)


def referenced_scene(clip: Path, folder: Path, frames: int | None = None) -> Path:
    """Save a scene that refers to such a character, under a namespace."""
    motion = read_motion(clip)
    with installed() as session:
        maya_characters.from_motion(session, motion, frames)
        maya_characters.reference_scene(session, folder, "hero")
        return maya_characters.save(session, folder / f"referenced_{clip.stem}.ma")


def compare(scenes: list[Path], folder: Path) -> list[Row]:
    """Estimate each scene in three ways and compare."""
    by_batch = from_batch(scenes, folder)
    rows = []
    for number, scene in enumerate(scenes):
        by_command, by_file = from_command(scene), from_file(scene, folder / f"file_{number}")
        left_out = _unread(scene)
        kept = {name: one for name, one in by_command.items() if name not in left_out}
        part = {name: one for name, one in by_file.items() if name not in left_out}
        batch = list(_differences(by_command, by_batch[number]))
        file = list(_differences(kept, part, OF_THE_CLIP if left_out else ()))
        rows.append(
            Row(
                scene=scene.name,
                joints=len(by_command),
                animated=sum(one["animated"] for one in by_command.values()),
                batch=max((one for one in batch if isinstance(one, float)), default=0.0),
                file=max((one for one in file if isinstance(one, float)), default=0.0),
                differences=tuple(one for one in [*batch, *file] if isinstance(one, str)),
                left_out=tuple(sorted(left_out)),
            )
        )
    return rows


def from_command(scene: Path) -> dict:
    """Joints of the limit set that ``cmds.estimateJointLimits`` gives."""
    with installed(batch=True):
        import maya.standalone
        from maya import cmds

        maya.standalone.initialize(name="python")
        cmds.loadPlugin((ROOT / "plug-ins" / "jointLimits.py").as_posix(), quiet=True)
        cmds.file(scene.as_posix(), open=True, force=True)
        return json.loads(cmds.estimateJointLimits(allJoints=True, onlyJoints=ASKED))["joints"]


def from_batch(scenes: list[Path], folder: Path) -> list[dict]:
    """Joints of the limit sets that one run of the batch gives."""
    entries = [
        {"name": f"{number:02d}", "scene": scene.as_posix()} for number, scene in enumerate(scenes)
    ]
    arguments = command(
        write_manifest(folder, entries, {"joints": ASKED}),
        folder / "out",
        "--allow-outside",
        "--jobs",
        "2",
    )
    run_to_end(arguments, code=0, environment=environment())
    paths = sorted((folder / "out").glob("*.limits.json"))
    return [json.loads(path.read_text(encoding="utf-8"))["joints"] for path in paths]


def from_file(scene: Path, folder: Path) -> dict:
    """Joints of the limit set that ``jointlimits estimate`` writes."""
    with contextlib.redirect_stdout(io.StringIO()):
        assert main(["estimate", str(scene), "--joints", ASKED, "--out", str(folder)]) == 0
    (path,) = folder.glob("*.limits.json")
    return json.loads(path.read_text(encoding="utf-8"))["joints"]


def _unread(scene: Path) -> set[str]:
    return {
        found.joint
        for found in read_motion(scene).findings
        if found.rule in UNREAD and found.joint is not None
    }


def _differences(
    one: object, other: object, less: Sequence[str] = (), place: str = ""
) -> Iterator[float | str]:
    """Differences of numbers, and words about what else is not the same."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(one.keys() | other.keys()):
            if key in NOT_COMPARED or key in less:
                continue
            if key in one and key in other:
                yield from _differences(one[key], other[key], less, f"{place}.{key}")
            else:
                yield f"{place}.{key} is in one only"
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (mine, theirs) in enumerate(zip(one, other)):
            yield from _differences(mine, theirs, less, f"{place}[{number}]")
    elif _is_number(one) and _is_number(other):
        yield math.fabs(float(one) - float(other))
    elif one != other:
        yield f"{place}: {one!r} and {other!r}"


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def print_table(words: Sequence[str]) -> None:
    """Compare scenes, or all of the shared data and a scene of every clip, and print it."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        scenes = [Path(word).resolve() for word in words] or [
            *animated_scenes(),
            *(scene_from_clip(clip, folder) for clip in mocap_clips()),
        ]
        print(HEADING, flush=True)
        for row in compare(scenes, folder):
            print(row)


if __name__ == "__main__":
    print_table(sys.argv[1:])
