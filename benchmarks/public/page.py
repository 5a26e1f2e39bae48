"""The page of the public benchmark, docs/evidence/benchmark.md, made from its figures.

``python -m benchmarks public --page FILE`` measures and writes it; ``python -m
benchmarks.public.page FILE FIGURES.json...`` writes it from figures that ``--json`` has kept.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .gate_track import ALLOWED_SAMPLES, FAULT_FRAMES, FAULTS, SEED
from .methods import CURVE, METHODS, Method
from .splits import DATA_VARIABLE, PersonSplit, read_splits

TITLE = "# Benchmark"
Record = Mapping[str, Any]
COLUMNS = ("outside", *FAULTS, "allowed")
LOWER_IS_BETTER = ("outside", "allowed")
TRACKS = {
    "joint_type": "Type",
    "hinge": "Hinge",
    "nearest_rotation": "Nearest rotation",
    "inverse_kinematics": "Inverse kinematics that finds the pose",
    "solver": "Limits in a solver",
    "carry_over": "Carried to other skeletons",
    "loose_bodies": "Loose bodies",
}
CHOSEN = {
    "joint_type": "Thresholds were chosen on half A of [accuracy](accuracy.md#types); this is half "
    "B, and the printed rule on both.",
    "hinge": "Made-up hinges with known truth; nothing was chosen on them.",
    "nearest_rotation": "Nothing was chosen: random rotations, seeds 5 and 6, against a search.",
    "inverse_kinematics": "Nothing was chosen for this page; limits with the clip, and held out.",
    "solver": "The number of rows and the gain were chosen on this person with other targets.",
    "carry_over": "Limits of people as in the gate; nothing was chosen on these skeletons.",
    "loose_bodies": "The tree's rules were chosen on recordings A with other seeds.",
}
SHOWN = {
    "nearest_rotation": ("farther than the nearest", "projected again"),
    "inverse_kinematics": ("mean joint error", "worse than none"),
    "loose_bodies": ("trees", "joint error", "false"),
}
"""Words of the figures that the page has of long tracks; the command prints all."""
QUICK = "In the quick form: few clips, few repeats."


def page_problem(path: Path) -> str | None:
    """Why the page cannot be written there, if so: it replaces nothing but an older page."""
    if not path.parent.is_dir():
        return f"no folder {path.parent}"
    if not path.exists() or (path.is_file() and path.read_bytes().startswith(TITLE.encode())):
        return None
    return f"{path} is not a page of this benchmark; give another file"


def benchmark_page(records: Sequence[Record], machine: Mapping[str, Any]) -> str:
    """Text of the page, including everything that is missing."""
    gate = [one for one in records if one["benchmark"] == "public.gate"]
    parts = [_head(machine), _gate_part(gate)]
    for track, title in TRACKS.items():
        own = [one for one in records if one["benchmark"] == f"public.{track}"]
        parts.append(_track_part(title, track, own))
    parts += [_baselines(), _how()]
    return "\n\n".join(parts) + "\n"


def _quick(records: Sequence[Record]) -> str:
    return f"**{QUICK}** " if any(one.get("quick") for one in records) else ""


def _head(machine: Mapping[str, Any]) -> str:
    return f"""{TITLE}

    python -m benchmarks public --page docs/evidence/benchmark.md

This page is what that command writes (Python {machine["python"]}, numpy \
{machine["numpy"]}). All figures but times repeat to the last digit. People are those of the [CMU \
motion capture database](http://mocap.cs.cmu.edu), created with funding from NSF EIA-0196217: set \
`{DATA_VARIABLE}` to its folder; `python -m benchmarks.public.splits` compares the data by hashes. \
What a copy lacks is named and scored as missing.

{_people_table(read_splits())}

On half A anything may be chosen; half B reports. People with fewer than three clips are only \
there to learn from."""


def _people_table(people: Sequence[PersonSplit]) -> str:
    rows = [
        [one.name, one.half, str(len(one.clips)), "each in turn" if one.is_held_out else "none"]
        for one in people
    ]
    return _table(["person", "half", "clips", "held out"], rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _gate_part(records: Sequence[Record]) -> str:
    values = {one["name"]: one.get("value", math.nan) for one in records}
    about = {one["name"]: one.get("compared_with", "") for one in records}
    skipped = [one["skipped"] for one in records if "skipped" in one]
    if skipped or not values:
        return f"## Gate\n\nMissing: {skipped[0] if skipped else 'not run'}."
    first = f"{METHODS[0].name}, all: outside"
    head = ["percent", "outside", "half A", "half B", *FAULTS, "allowed"]
    ways = {m.name: _row(m, values) for m in METHODS}
    curve = [_row(m, values) for m in CURVE if f"{m.name}, all: outside" in values]
    missing = [f"* {name}: {text}" for name, text in about.items() if text.startswith("missing")]
    held = [one for one in read_splits() if one.is_held_out]
    people = _table(
        ["outside, percent", *(f"{one.name} ({one.half})" for one in held)],
        [
            [m.name, *(_cell(values, f"{m.name}, person {one.name}: outside") for one in held)]
            for m in METHODS
        ],
    )
    text = f"""## Gate

{_quick(records)}Held-out frames of which any part is outside ({about.get(first, "")}; mean of \
people), faults that are caught, and the share of all rotations that a shoulder may have \
({ALLOWED_SAMPLES:,} random ones). Faults: an elbow or knee bent backwards by 20 degrees; a \
shoulder or hip turned by 60 or 90 about a random axis, or twisted by 120; {FAULT_FRAMES} frames \
of each clip, seed {SEED}. Hinges count by their bend alone. A method that allows more catches less.

Of "other people", from whom the person is always left out, rank and margin were chosen on every \
second of these people by name, with the figures of the others in view; the share of frames whose \
twist counts with all in view; the learned field's threshold after a first run with .01.

{_table(head, list(ways.values()))}

{_winners(values)}

Person by person:

{people}"""
    if curve:
        text += "\n\nOurs with other tolerances and pads (degrees):\n\n"
        text += _table(head, curve)
    if missing:
        text += "\n\nMissing:\n\n" + "\n".join(missing)
    return text


def _row(method: Method, values: Mapping[str, float]) -> list[str]:
    halves = [_cell(values, f"{method.name}, half {half}: outside") for half in "AB"]
    every = [_cell(values, f"{method.name}, all: {column}") for column in COLUMNS]
    return [method.name, every[0], *halves, *every[1:]]


def _cell(values: Mapping[str, float], name: str) -> str:
    value = values.get(name, math.nan)
    return "missing" if math.isnan(value) else f"{value:.1f}"


def _winners(values: Mapping[str, float]) -> str:
    """The best method in each column, ours or not."""
    lines = []
    for column in COLUMNS:
        found = {m: values.get(f"{m.name}, all: {column}", math.nan) for m in METHODS}
        known = {m: value for m, value in found.items() if not math.isnan(value)}
        if known:
            best = (min if column in LOWER_IS_BETTER else max)(known.values())
            names = [m.name for m, value in known.items() if value == best]
            own = METHODS[0].name in names
            lead = "" if own else f"; {METHODS[0].name}: {known.get(METHODS[0], math.nan):.1f}"
            lines.append(f"* {column}: {', '.join(names)} ({best:.1f}{lead})")
    return "The best of each column:\n\n" + "\n".join(lines)


def _track_part(title: str, track: str, records: Sequence[Record]) -> str:
    text = f"## {title}\n\n{_quick(records)}{CHOSEN[track]}\n\n"
    skipped = [one["skipped"] for one in records if "skipped" in one]
    if skipped or not records:
        return text + f"Missing: {skipped[0] if skipped else 'not run'}."
    rows = [
        [one["name"], f"{one['value']:.3g} {one['unit']}".strip(), _aim(one), one["compared_with"]]
        for one in records
        if one["unit"] != "share" and any(words in one["name"] for words in SHOWN.get(track, ("",)))
    ]
    head = ["figure", "found", "target", "beside"]
    if len({row[-1] for row in rows}) == 1:  # the same beside every figure
        text += f"{rows[0][-1]}.\n\n"
        head, rows = head[:-1], [row[:-1] for row in rows]
    return text + _table(head, rows)


def _aim(record: Record) -> str:
    if record["target"] is None:
        return ""
    sign = "at least" if record["at_least"] else "at most"
    return f"{sign} {record['target']:g}, {'met' if record['met'] else '**missed**'}"


def _baselines() -> str:
    rows = [[m.name, m.reference, m.assumed] for m in METHODS]
    rows.append(
        [
            "O'Brien (track Hinge)",
            "O'Brien et al., Automatic Joint Parameter Estimation from Magnetic Motion Capture "
            "Data (2000)",
            "equation 8 and section 3.1, without more",
        ]
    )
    return "## Methods\n\n" + _table(["method", "reference", "assumed"], rows)


def _how() -> str:
    return """## Add a method

One function in `benchmarks/public/methods.py`, and a row in its `METHODS`:

```text
def mine(training):
    '''training.own: the person's other clips; training.learn: poses of people of the other half.'''
    low, high = ...
    return lambda part, poses: ...  # whether each of poses.turns (frames, 4) is outside
```

`poses.turns` are rotations (x, y, z, w) of a part relative to its base, from the standard pose \
(arms out, legs down), right sides mirrored to the left. A method that raises, or returns nothing, \
another number of values or none that are true or false, is scored as missing.

## Send results

Open an issue with the file that `python -m benchmarks public --json FILE` writes, the function, \
its reference, and what was chosen on which half. What was chosen on half B is named in the row of \
its method."""


def main(arguments: Sequence[str]) -> int:
    """Write the page from kept figures; of a track in several files, the last counts."""
    out, *files = (Path(one) for one in arguments)
    problem = page_problem(out) if files else "give the figures that --json has kept"
    if problem:
        print(problem, file=sys.stderr)
        return 2
    tracks: dict[str, list[Record]] = {}
    for file in files:
        kept = json.loads(file.read_text(encoding="utf-8"))
        tracks.update({one["benchmark"]: [] for one in kept["figures"]})
        for one in kept["figures"]:
            tracks[one["benchmark"]].append(one)
    records = [one for some in tracks.values() for one in some]
    out.write_text(benchmark_page(records, kept["machine"]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
