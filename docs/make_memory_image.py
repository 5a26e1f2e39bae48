"""Picture of memory over clips: ``python -m docs.make_memory_image FILE``.

FILE: written by ``python -m benchmarks long_clip.clips --json FILE``.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

from docs.make_accuracy_image import COLOURS, IMAGES, draw_line, draw_text
from jointlimits_core.io.output import atomic_output

PEAK = "peak memory, "
SIZE, LEFT, TOP, PANEL = (560, 300), 60.0, 50.0, (440.0, 190.0)
MEGABYTES, MOST_MB = (0, 50, 100, 150, 200), 200.0
BEFORE = {100: 470.0}
"""Peak before clips were dropped, where it was measured; above the chart."""


def picture(peaks: dict[int, float]) -> str:
    """Peak in MB by number of clips, on a logarithmic axis."""
    ends = math.log(min(peaks)), math.log(max(peaks))

    def place(clips: int, megabytes: float) -> tuple[float, float]:
        along = (math.log(clips) - ends[0]) / (ends[1] - ends[0])
        return LEFT + 30 + along * (PANEL[0] - 60), TOP + PANEL[1] * (1.0 - megabytes / MOST_MB)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE[0]} {SIZE[1]}" '
        'font-family="system-ui, sans-serif" font-size="13" fill="#374151">',
        f'<rect width="{SIZE[0]}" height="{SIZE[1]}" fill="#ffffff"/>',
        draw_text(LEFT, 26, "Peak memory in MB by number of clips of one character", 13),
    ]
    for megabytes in MEGABYTES:
        y = place(min(peaks), megabytes)[1]
        parts.append(draw_line(LEFT, y, LEFT + PANEL[0], y, "#e5e7eb"))
        parts.append(draw_text(LEFT - 8, y + 4, f"{megabytes}", 12, anchor="end"))
    points = [place(clips, mb) for clips, mb in sorted(peaks.items())]
    way = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    parts.append(
        f'<polyline points="{way}" fill="none" stroke="{COLOURS["ours"]}" stroke-width="2"/>'
    )
    for (x, y), (clips, mb) in zip(points, sorted(peaks.items())):
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{COLOURS["ours"]}"/>')
        parts.append(draw_text(x, y - 12, f"{mb:.0f}", 12, anchor="middle"))
        parts.append(draw_text(x, TOP + PANEL[1] + 20, f"{clips:,} clips", 12, anchor="middle"))
    for clips, mb in BEFORE.items():
        x = place(clips, 0)[0]
        parts.append(draw_line(x, TOP - 6, x, TOP + 12, COLOURS["geometric"]))
        parts.append(draw_text(x + 8, TOP + 8, f"before: {mb:g}, above the chart", 12))
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    rows = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["figures"]
    if not any(str(row["name"]).startswith(PEAK) for row in rows):
        raise SystemExit(f"{sys.argv[1]} has no peaks; run: benchmarks long_clip.clips --json FILE")
    found = {
        int(str(row["name"])[len(PEAK) :].split()[0].replace(",", "")): float(row["value"])
        for row in rows
        if str(row["name"]).startswith(PEAK)
    }
    with atomic_output(IMAGES / "memory_clips.svg") as file:
        file.write(picture(found).encode())
