"""Summary files: one ``.summary.npz`` per character with arrays and JSON, nothing executable.

The same clips give the same bytes, regardless of the order and number of merged summaries. Arrays
are stored uncompressed, so reading needs no more memory than the file size. The type, shape and
values of every array are checked before use. The JSON holds names, records and findings.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from ..base.errors import SummaryError
from ..base.findings import Finding
from ..geometry.arrays import AnyArray, Floats
from ..geometry.circle import NO_ARCS, OccupiedArcs, occupied_arcs, spanned_interval
from ..io.input import DEFAULT_LIMITS, ReadLimits, open_regular, read_error_reason
from ..io.json import parsed_json, problems
from ..io.output import atomic_output
from ..io.stored_arrays import BYTE, REAL, check_stored, read_array
from ..limits.document import limit_set_schema
from ..limits.limit_set import ClipRecord
from ..motion.skeleton import Skeleton
from .clip_summary import STOPS, ClipSummary, Reach
from .summary import CharacterSummary

FORMAT, VERSION = "jointlimits.summary", 1

_TEXT = {"type": "string"}
_NAMES = {"type": "array", "items": _TEXT, "minItems": 1}


def _object(**properties: Any) -> dict[str, Any]:
    """Schema of an object with exactly these properties."""
    return {
        "type": "object",
        "required": list(properties),
        "properties": properties,
        "additionalProperties": False,
    }


_COUNT = {"type": "integer", "minimum": 1}
_CLIP_SCHEMA = _object(
    clip={"$ref": "#/$defs/clip"},
    from_source={"type": "boolean"},
    animated={"type": ["array", "null"], "items": _TEXT},
    findings={"type": "array", "items": {"$ref": "#/$defs/finding"}},
    count=_COUNT,
)
# Present only if joints have their own exclusions, so that older versions read other files.
_PART_SCHEMA = _object(joints=_NAMES, count={"type": ["integer", "null"], "minimum": 1})
_CLIP_SCHEMA["properties"]["apart"] = {"type": "array", "items": _PART_SCHEMA, "minItems": 1}
# Present only if poses are left out.
for _schema in (_CLIP_SCHEMA, _PART_SCHEMA):
    _schema["properties"]["stride"] = {"type": "integer", "minimum": 1, "maximum": 2**40}
_SKELETON_TEXT = {
    "names": _NAMES,
    "rotate_orders": _NAMES,
    "rest_source": _TEXT,
    "name": _TEXT,
    "meters_per_unit": {"type": ["number", "null"]},
}
SCHEMA = _object(
    format={"const": FORMAT},
    version={"const": VERSION},
    skeleton=_object(**_SKELETON_TEXT),
    clips={"type": "array", "items": _CLIP_SCHEMA, "minItems": 1},
)
"""JSON Schema of the document; clips and findings are defined in the schema of limit sets."""
# Present only for controls, so that older versions can read all other files.
SCHEMA["properties"]["skeleton"]["properties"]["of_controls"] = {"type": "boolean"}


def _text(summary: CharacterSummary) -> str:
    skeleton = summary.skeleton
    controls = {"of_controls": True} if skeleton.of_controls else {}
    document = {
        "format": FORMAT,
        "version": VERSION,
        "skeleton": {**{name: getattr(skeleton, name) for name in _SKELETON_TEXT}, **controls},
        "clips": [
            {
                "clip": asdict(clip.clip),
                "from_source": clip.from_source,
                "animated": None if clip.animated is None else sorted(clip.animated),
                "findings": [finding.to_dict() for finding in clip.findings],
                "count": clip.count,
                **_stride_text(clip),
                **({"apart": _parts_text(clip)} if clip.apart else {}),
            }
            for clip in summary.clips
        ],
    }
    return json.dumps(document, allow_nan=False)


def _parts(clip: ClipSummary) -> list[tuple[list[str], ClipSummary | None]]:
    """Groups of joints that share a summary because they share exclusions, and that summary."""
    alike: dict[int, list[str]] = {}
    for name in sorted(clip.apart):
        alike.setdefault(id(clip.apart[name]), []).append(name)
    return [(names, clip.apart[names[0]]) for names in alike.values()]


def _parts_text(clip: ClipSummary) -> list[dict[str, Any]]:
    return [
        {"joints": names, "count": part and part.count, **_stride_text(part)}
        for names, part in _parts(clip)
    ]


def _stride_text(clip: ClipSummary | None) -> dict[str, int]:
    return {} if clip is None or clip.stride == 1 else {"stride": clip.stride}


_WHOLE, _TRUTH = (np.dtype(kind) for kind in ("<i8", "|b1"))
_SKELETON = {
    "parents": (_WHOLE, ()),
    "offsets": (REAL, (3,)),
    "rest_rotations": (REAL, (4,)),
    "joint_orients": (REAL, (4,)),
    "rotate_axes": (REAL, (4,)),
    "scales": (REAL, (3,)),
    "compensates_scale": (_TRUTH, ()),
}
ENDS = ("lower", "upper")
_EXTREMES = {"frame": (REAL, (3,))}
"""Missing in files from older versions."""
_REACH = {
    name: (_WHOLE if name in ("visits", "stop") else REAL, (3,))
    for name in Reach._fields
    if name not in _EXTREMES
}
_CLIP = {"second": (REAL, (4, 4)), "goes_round": (_TRUTH, (3,))}
_TRAVELS = {"travels": (_TRUTH, ())}
"""Missing in files from older versions."""
_POSES = {"rotations": (REAL, (4,)), "rotates": (REAL, (3,))}
_FRAMES = {"frames": (REAL, ()), "even": (_TRUTH, ())}
_ARCS = {item.name: (REAL, ()) for item in fields(OccupiedArcs)} | {"channel": (_WHOLE, ())}
"""Missing in files from older versions."""
_QUATERNIONS = ("rest_rotations", "joint_orients", "rotate_axes")

Kinds = Mapping[str, tuple["np.dtype[Any]", tuple[int, ...]]]


def write_summary(summary: CharacterSummary, path: str | os.PathLike[str]) -> None:
    """Write a summary, completely or not at all."""
    skeleton = summary.skeleton
    arrays = _as_arrays(_SKELETON, skeleton, "skeleton")
    between = sorted(skeleton.between)
    arrays["skeleton.between_of"] = np.array(between, dtype=_WHOLE)
    arrays["skeleton.between"] = np.reshape([skeleton.between[at] for at in between], (-1, 4, 4))
    for number, clip in enumerate(summary.clips):
        arrays.update(_clip_arrays(clip, f"{number}"))
        for at, (_, part) in enumerate(_parts(clip)):
            arrays.update({} if part is None else _clip_arrays(part, f"{number}.apart.{at}"))
    arrays["document"] = np.frombuffer(_text(summary).encode("ascii"), dtype=BYTE)
    with atomic_output(path) as stream:
        np.savez(stream, **arrays)  # type: ignore[arg-type]


def _clip_arrays(clip: ClipSummary, place: str) -> dict[str, AnyArray]:
    kinds = {**_CLIP, **_POSES, **_FRAMES, **({} if clip.travels is None else _TRAVELS)}
    return {
        **_as_arrays(kinds, clip, place),
        **_as_arrays({**_REACH, **_EXTREMES}, clip.lower, f"{place}.lower"),
        **_as_arrays({**_REACH, **_EXTREMES}, clip.upper, f"{place}.upper"),
        **_as_arrays(_ARCS, clip.arcs, f"{place}.arcs"),
    }


def _as_arrays(kinds: Kinds, holder: object, place: str) -> dict[str, AnyArray]:
    """Arrays of an object in the file's types and layout, which are the same on every platform."""
    return {
        f"{place}.{name}": np.ascontiguousarray(getattr(holder, name), dtype=kind)
        for name, (kind, _) in kinds.items()
    }


def read_summary(
    path: str | os.PathLike[str], limits: ReadLimits = DEFAULT_LIMITS
) -> CharacterSummary:
    """Read a summary, using no more memory than the file size.

    `limits`: input budget; its `max_summary_bytes` applies. Raises SummaryError if the file cannot
    be read or is not a summary.
    """
    try:
        with open_regular(path, SummaryError) as stream, zipfile.ZipFile(stream) as packed:
            check_stored(packed, path, stream, limits, SummaryError, "summary")
            document = _document(read_array(packed, "document", BYTE).tobytes().decode())
            skeleton = _skeleton(document["skeleton"], packed)
            clips = [
                _clip(item, packed, f"{number}", len(skeleton))
                for number, item in enumerate(document["clips"])
            ]
            return CharacterSummary(skeleton, tuple(clips))
    except OSError as error:
        raise SummaryError(path, read_error_reason(error)) from None
    except SummaryError:
        raise
    except (zipfile.BadZipFile, NotImplementedError, KeyError, ValueError, EOFError) as error:
        text = f"not a clip summary, or damaged ({error}); summarize the clips again"
        raise SummaryError(path, text) from None


def _document(text: str) -> dict[str, Any]:
    """Parsed document; ValueError if it does not follow :data:`SCHEMA`."""
    try:
        data: dict[str, Any] = parsed_json(text, "document", SummaryError, "clip summary")
    except SummaryError as error:
        raise ValueError(error.message) from None
    schema = {**SCHEMA, "$defs": limit_set_schema()["$defs"]}
    wrong = next(problems(data, schema), None)
    if wrong is not None:
        raise ValueError(wrong)
    return data


MIN_SCALE = 1e-9


def _arrays(
    kinds: Kinds, packed: zipfile.ZipFile, place: str, *, first: int | None = None, last: int = -1
) -> dict[str, Any]:
    """Arrays of the given types; `first` and `last`: lengths of their outer axes, if any."""
    found = {}
    for name, (kind, inner) in kinds.items():
        array = read_array(packed, f"{place}.{name}", kind)
        shape = (*(() if first is None else (first,)), *inner, *(() if last < 0 else (last,)))
        if array.shape != shape:
            raise ValueError(f"{place}.{name} has the shape {array.shape} instead of {shape}")
        found[name] = array
    return found


def _skeleton(about: dict[str, Any], packed: zipfile.ZipFile) -> Skeleton:
    joints = len(about["names"])
    arrays = _arrays(_SKELETON, packed, "skeleton", first=joints)
    between_of = read_array(packed, "skeleton.between_of", _WHOLE)
    between = read_array(packed, "skeleton.between", REAL)
    if between.shape != (*between_of.shape, 4, 4) or between_of.ndim != 1:
        raise ValueError("skeleton.between and skeleton.between_of differ in shape")
    if not ((between_of >= 0) & (between_of < joints)).all():
        raise ValueError("skeleton.between_of has indices without a joint")
    for name in _QUATERNIONS:
        if not _are_unit(arrays[name], 1e-9):
            raise ValueError(f"skeleton.{name} are not unit quaternions")
    if ((arrays["scales"] != 0.0) & (np.abs(arrays["scales"]) < MIN_SCALE)).any():
        raise ValueError(f"skeleton.scales has a value below {MIN_SCALE:g}")
    about = {**about, "names": tuple(about["names"])}
    skeleton = Skeleton(**arrays, **about, between=dict(zip(between_of.tolist(), between)))
    for name in _QUATERNIONS:
        # The constructor would normalize again and change the last bits of a copy.
        object.__setattr__(skeleton, name, arrays[name])
    return skeleton


def _are_unit(quaternions: Floats, tolerance: float) -> bool:
    with np.errstate(over="ignore"):  # the length of huge numbers is infinity
        lengths = np.linalg.norm(quaternions, axis=-1)
    return bool((np.abs(lengths - 1.0) <= tolerance).all())


def _clip(item: dict[str, Any], packed: zipfile.ZipFile, place: str, joints: int) -> ClipSummary:
    apart: dict[str, ClipSummary | None] = {}
    for at, about in enumerate(item.get("apart", ())):
        same = {**item, "findings": [], "stride": 1, **about, "apart": ()}
        part = _clip(same, packed, f"{place}.apart.{at}", joints) if about["count"] else None
        apart.update(dict.fromkeys(about["joints"], part))
    support = len(read_array(packed, f"{place}.frames", REAL).ravel())
    travels = _TRAVELS if _has(packed, f"{place}.travels") else {}
    poses = {
        **_arrays(_POSES, packed, place, first=joints, last=support),
        **_arrays(_FRAMES, packed, place, last=support),
    }
    arcs = _arcs(packed, f"{place}.arcs", joints)
    reaches = {end: _arrays(_REACH, packed, f"{place}.{end}", first=joints) for end in ENDS}
    if _has(packed, f"{place}.lower.frame"):
        for end, reach in reaches.items():
            reach.update(_arrays(_EXTREMES, packed, f"{place}.{end}", first=joints))
    else:
        # Files from older versions hold the poses of all extremes.
        span = spanned_interval(poses["rotates"])
        reaches["lower"]["frame"] = poses["frames"][span.low_at]
        reaches["upper"]["frame"] = poses["frames"][span.high_at]
        arcs = arcs if len(arcs) else occupied_arcs(poses["rotates"], poses["frames"])
    clip = ClipSummary(
        clip=ClipRecord(**item["clip"]),
        from_source=item["from_source"],
        animated=None if item["animated"] is None else frozenset(item["animated"]),
        findings=tuple(Finding.from_dict(finding) for finding in item["findings"]),
        count=item["count"],
        lower=Reach(**reaches["lower"]),
        upper=Reach(**reaches["upper"]),
        **_arrays({**_CLIP, **travels}, packed, place, first=joints),
        **poses,
        arcs=arcs,
        stride=item.get("stride", 1),
        apart=apart,
    )
    wrong = next(
        (text for text, is_wrong in _contradictions(clip, place).items() if is_wrong), None
    )
    if wrong is not None:
        raise ValueError(f"clip {clip.clip.name!r}: {wrong}")
    return clip


def _has(packed: zipfile.ZipFile, name: str) -> bool:
    try:
        packed.getinfo(f"{name}.npy")
    except KeyError:
        return False
    return True


def _arcs(packed: zipfile.ZipFile, place: str, joints: int) -> OccupiedArcs:
    if not _has(packed, f"{place}.channel"):
        return NO_ARCS
    count = len(read_array(packed, f"{place}.channel", _WHOLE).ravel())
    arcs = OccupiedArcs(**_arrays(_ARCS, packed, place, last=count))
    channels = np.concatenate([[0], arcs.channel, [3 * joints - 1]])
    if (np.diff(channels) < 0).any():
        raise ValueError(f"{place}.channel does not increase within 0 to {3 * joints - 1}")
    angles = np.abs(np.concatenate([arcs.start, arcs.end - np.pi]))
    if (angles > 2.0 * np.pi + 1e-9).any():
        raise ValueError(f"{place} has angles beyond a turn")
    return arcs


def _contradictions(clip: ClipSummary, place: str) -> dict[str, bool]:
    """Faults that the shapes and the schema do not reveal, and whether each is present."""
    stops = np.concatenate([clip.lower.stop, clip.upper.stop])
    sums = np.trace(clip.second, axis1=1, axis2=2)
    return {
        "no frame rate": clip.clip.frame_rate <= 0.0,
        "no evenly spaced poses": not clip.even.any() and place == "0",
        "frames that do not increase": bool((np.diff(clip.frames) <= 0.0).any()),
        "more poses than frames": len(clip.frames) > clip.count,
        "stops of unknown kind": bool(((stops < 0) | (stops >= len(STOPS))).any()),
        "rotations of length other than 1": not _are_unit(np.moveaxis(clip.rotations, 1, -1), 1e-3),
        "rotate channels that are impossibly large": bool((np.abs(clip.rotates) > 1e9).any()),
        "sums too large for its frames": bool((np.abs(clip.second) > 1.001 * clip.count).any()),
        "sums that do not match its frames": not np.allclose(sums, clip.count, rtol=1e-3, atol=0.0),
    }
