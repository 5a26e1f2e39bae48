"""Summaries in files: one ``.summary.npz`` for a character, arrays and JSON, nothing executable.

The same clips give the same bytes, in whatever order and however many summaries they were put
together from.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from ..arrays import AnyArray
from ..atomic import atomic_output
from ..errors import SummaryError
from ..findings import Finding
from ..limits.limit_set import ClipRecord
from ..skeleton import Skeleton
from .clip_summary import ClipSummary
from .reach import Reach
from .summary import CharacterSummary

FORMAT, VERSION = "jointlimits.summary", 1
ENDING = ".summary.npz"
MAX_BYTES = 8 << 30
"""Unpacked; a summary of a thousand clips of a hundred joints is below it."""

_SKELETON = ("parents", "offsets", "rest_rotations", "joint_orients", "rotate_axes", "scales")
_CLIP = ("second", "goes_round", "frames", "even", "rotations", "rotates")
_REACH = tuple(field.name for field in fields(Reach))


def write_summary(summary: CharacterSummary, path: str | os.PathLike[str]) -> None:
    """Write a summary, whole or not at all."""
    arrays = {f"skeleton.{name}": getattr(summary.skeleton, name) for name in _SKELETON}
    for number, clip in enumerate(summary.clips):
        arrays.update({f"{number}.{name}": getattr(clip, name) for name in _CLIP})
        for side in ("lower", "upper"):
            reach = getattr(clip, side)
            arrays.update({f"{number}.{side}.{name}": getattr(reach, name) for name in _REACH})
    text = json.dumps(_document(summary), allow_nan=False).encode("utf-8")
    arrays["document"] = np.frombuffer(text, dtype=np.uint8)
    packed = io.BytesIO()
    np.savez(packed, **arrays)
    with atomic_output(path) as stream:
        stream.write(packed.getbuffer())


def _document(summary: CharacterSummary) -> dict[str, Any]:
    skeleton = summary.skeleton
    return {
        "format": FORMAT,
        "version": VERSION,
        "skeleton": {
            "names": list(skeleton.names),
            "rotate_orders": list(skeleton.rotate_orders),
            "rest_source": skeleton.rest_source,
            "name": skeleton.name,
            "meters_per_unit": skeleton.meters_per_unit,
        },
        "clips": [
            {
                "clip": asdict(clip.clip),
                "from_source": clip.from_source,
                "animated": None if clip.animated is None else sorted(clip.animated),
                "findings": [finding.to_dict() for finding in clip.findings],
                "count": clip.count,
            }
            for clip in summary.clips
        ],
    }


def read_summary(path: str | os.PathLike[str]) -> CharacterSummary:
    """Read a summary.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    CharacterSummary

    Raises
    ------
    SummaryError
        If it cannot be read or is none.
    """
    try:
        with zipfile.ZipFile(path) as packed:
            if sum(item.file_size for item in packed.infolist()) > MAX_BYTES:
                raise SummaryError(path, "too large for a summary")
        with np.load(path, allow_pickle=False) as arrays:
            document = json.loads(bytes(arrays["document"]).decode("utf-8"))
            if (document.get("format"), document.get("version")) != (FORMAT, VERSION):
                raise SummaryError(
                    path, f"not a summary of version {VERSION}; sum the clips up again"
                )
            return _summary(document, arrays)
    except OSError as error:
        raise SummaryError(path, f"cannot be read: {error.strerror or error}") from None
    except (zipfile.BadZipFile, KeyError, TypeError, AttributeError, ValueError, EOFError) as error:
        if isinstance(error, SummaryError):
            raise
        raise SummaryError(path, f"not a summary of clips, or a damaged one ({error})") from None


def _summary(document: dict[str, Any], arrays: Any) -> CharacterSummary:
    about = document["skeleton"]
    skeleton = Skeleton(
        **{name: arrays[f"skeleton.{name}"] for name in _SKELETON},
        names=tuple(about["names"]),
        rotate_orders=tuple(about["rotate_orders"]),
        rest_source=about["rest_source"],
        name=about["name"],
        meters_per_unit=about["meters_per_unit"],
    )
    joints = len(skeleton)
    clips = [_clip(item, arrays, number, joints) for number, item in enumerate(document["clips"])]
    if not clips:
        raise ValueError("it holds no clips")
    return CharacterSummary(skeleton, tuple(clips))


def _clip(item: dict[str, Any], arrays: Any, number: int, joints: int) -> ClipSummary:
    support = len(arrays[f"{number}.frames"])
    shapes = {
        "second": (joints, 4, 4),
        "goes_round": (joints, 3),
        "frames": (support,),
        "even": (support,),
        "rotations": (joints, 4, support),
        "rotates": (joints, 3, support),
    }
    held = {name: _checked(arrays[f"{number}.{name}"], shape) for name, shape in shapes.items()}
    return ClipSummary(
        clip=ClipRecord(**item["clip"]),
        from_source=bool(item["from_source"]),
        animated=None if item["animated"] is None else frozenset(item["animated"]),
        findings=tuple(Finding.from_dict(finding) for finding in item["findings"]),
        count=int(item["count"]),
        lower=_reach(arrays, f"{number}.lower", joints),
        upper=_reach(arrays, f"{number}.upper", joints),
        **held,
    )


def _reach(arrays: Any, place: str, joints: int) -> Reach:
    found = {name: arrays[f"{place}.{name}"] for name in _REACH}
    for name, array in found.items():
        _checked(array, (joints, 3, *array.shape[2:]) if name == "blocks" else (joints, 3))
    return Reach(**found)


def _checked(array: AnyArray, shape: tuple[int, ...]) -> AnyArray:
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"an array of shape {array.shape} instead of {shape}, or not finite")
    return array
