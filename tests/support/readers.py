"""Every reader of files, with a small file that it accepts."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from jointlimits_core.batch.grouping import naming_of_list
from jointlimits_core.batch.manifest import read_manifest
from jointlimits_core.estimation.pipeline import summarize
from jointlimits_core.estimation.summary_file import read_summary, write_summary
from jointlimits_core.formats.amc import read_amc
from jointlimits_core.formats.asf import read_asf
from jointlimits_core.formats.body_csv import read_body_csv
from jointlimits_core.formats.bvh import read_bvh
from jointlimits_core.formats.c3d import read_c3d
from jointlimits_core.formats.fbx.reader import read_fbx_takes
from jointlimits_core.formats.read_bodies import read_marker_groups
from jointlimits_core.formats.registry import ReadRequest, read_motion
from jointlimits_core.importers.read import read_limits
from jointlimits_core.limits.limit_set import read_limit_set
from tests.support import small_files
from tests.support.c3d_files import whole_c3d
from tests.support.fbx_files import ascii_text, binary, leg
from tests.support.finished_batch import finished_batch, read_result
from tests.support.limit_set_examples import limit_set
from tests.support.made_motion import clip, rotate

Prepare = Callable[[Path], object]


class Reader(NamedTuple):
    """A reader. `prepare` writes what belongs beside the file into its folder."""

    ending: str
    read: Callable[[Path], Any]
    seed: Callable[[], bytes]
    prepare: Prepare = lambda _: None


def _writer(name: str, data: bytes) -> Prepare:
    return lambda folder: (folder / name).write_bytes(data)


def _amass() -> bytes:
    made = io.BytesIO()
    np.savez(made, poses=np.sin(np.arange(330.0)).reshape(5, 66), mocap_framerate=np.array(60.0))
    return made.getvalue()


def _summary() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.summary.npz"
        write_summary(summarize([clip({"knee": rotate(x=np.linspace(0.0, 30.0, 9))})]), path)
        return path.read_bytes()


def _result() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return finished_batch(Path(folder))


def _scene(path: Path) -> Any:
    return read_motion(path), read_limits(path)


READERS = {
    "bvh": Reader(".bvh", read_bvh, lambda: small_files.BVH),
    "asf": Reader(
        ".asf", lambda path: (read_asf(path), read_limits(path)), lambda: small_files.ASF
    ),
    "amc": Reader(
        ".amc",
        lambda path: read_amc(path, ReadRequest(path.with_name("arm.asf"))),
        lambda: small_files.AMC,
        _writer("arm.asf", small_files.ASF),
    ),
    "ma": Reader(".ma", _scene, lambda: small_files.SCENE, _writer("rig.ma", small_files.RIG)),
    "reference": Reader(
        ".ma",
        read_motion,
        lambda: small_files.REFERENCING_SCENE,
        _writer("rig.ma", small_files.RIG),
    ),
    "amass": Reader(".npz", read_motion, _amass),
    "fbx": Reader(".fbx", read_fbx_takes, lambda: binary(leg(), packed=False)),
    "fbx_text": Reader(".fbx", read_fbx_takes, lambda: ascii_text(leg(), 7400)),
    "limits": Reader(".limits.json", read_limit_set, lambda: limit_set().to_json().encode()),
    "summary": Reader(".summary.npz", read_summary, _summary),
    "manifest": Reader(".json", read_manifest, lambda: small_files.MANIFEST),
    "listed": Reader(".csv", naming_of_list, lambda: small_files.LISTED),
    "result": Reader(".result.json", read_result, _result, finished_batch),
    "bodies": Reader(".csv", read_body_csv, lambda: small_files.BODIES_CSV),
    "motive": Reader(".csv", read_body_csv, lambda: small_files.MOTIVE_CSV),
    "markers": Reader(".json", read_marker_groups, lambda: small_files.MARKERS),
    "c3d": Reader(".c3d", read_c3d, lambda: whole_c3d(turning=True)),
}
