// Charts that do not move: strips of a check; gaps over time, slips and names of a skeleton.
(() => {
  const { shape, make, roundStep } = Figures, { kinds, picture, wide } = Content;
  const text = (words, x, y, kind) => shape("text", { x, y, class: kind }, words);
  const path = (d, kind, ...more) => shape("path", { d, class: kind }, ...more);
  const lines = (list) => list.map(([x, y, u, v]) => `M${x} ${y}L${u} ${v}`).join("");

  // A row of a check: runs of columns, [level, first, count], and a mark at the worst frame.
  kinds.strip = ({ runs, columns, worst, label, start }) => {
    const levels = [...new Set(runs.map(([level]) => level))];
    const bars = levels.map((level) => path(runs.filter((run) => run[0] === level)
      .map(([, first, count]) => `M${first} 0h${count}v10h${-count}z`).join(""), "out-" + level));
    const mark = shape("svg", { x: 100 * worst + "%", width: 8, height: 6, overflow: "visible" },
      path("M0 0h8l-4 6z"), shape("title", {}, label));
    return make("td", { class: "over-time", "data-start": start },
      shape("svg", { viewBox: `0 0 ${columns} 10`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...bars),
      shape("svg", { class: "worst", role: "img", "aria-label": label }, mark));
  };

  const WIDTH = 1104, LEFT = 168, TOP = 24, ROW = 46, STRIP = 38;
  // Places in a strip of columns, gaps from `low` to `high` millimetres.
  const stripOf = ({ least, most }, low, high, top, height, right) => {
    const columns = least.length, seen = [];
    most.forEach((value, n) => {
      if (value === null) return;
      if (n && most[n - 1] !== null) seen[seen.length - 1].push(n);
      else seen.push([n]);
    });
    const x = (share) => (LEFT + (right - LEFT) * share).toFixed(1);
    const y = (gap) => (top + height * (1 - Math.min(Math.max((gap - low) / (high - low), 0), 1))).toFixed(1);
    const point = (values) => (n) => x((n + 0.5) / columns) + " " + y(values[n]);
    return {
      x, y, bottom: top + height,
      ground: shape("rect", { x: LEFT, y: top, width: right - LEFT, height, class: "ground" }),
      line: (values, kind) => path(seen.map((run) => "M" + run.map(point(values)).join("L")).join(""), kind),
      band: (kind) => path(seen.map((run) => "M" + run.map(point(most))
        .concat([...run].reverse().map(point(least))).join("L") + "Z").join(""), kind),
      spread: (kind) => path(seen.flat().map((n) => {
        const from = y(least[n]);
        return `M${x((n + 0.5) / columns)} ${from}V${Math.min(y(most[n]), from - 1)}`;
      }).join(""), kind),
      level: (gap, from, to, kind) => path(`M${x(from)} ${y(gap)}H${x(to)}`, kind),
    };
  };
  const gapRow = (row, place, most, right, [left, end]) => {
    const top = TOP + ROW * place, strip = stripOf(row, 0, most, top, STRIP, right);
    const middle = top + 0.66 * STRIP, longest = Math.max(...row.counts, 1), step = STRIP / row.counts.length;
    const bars = row.counts.map((count, n) => count ? `M${left} ${(strip.bottom - step * (n + 0.5)).toFixed(2)}h`
      + (((end - left) * count) / longest).toFixed(1) : "").join("");
    return shape("g", {}, shape("title", {}, row.title), strip.ground, strip.band("range"),
      strip.line(row.typical, "typical"), strip.level(row.rms, 0, 1, "rms"),
      path(row.out.map((n) => `M${strip.x((n + 0.5) / row.least.length)} ${strip.bottom}v-6`).join(""), "left-out"),
      ...row.slips.map(([share, words]) =>
        path(`M${strip.x(share)} ${top - 3}V${strip.bottom}`, "slip", shape("title", {}, words))),
      shape("rect", { x: left, y: top, width: end - left, height: STRIP, class: "ground" }), path(bars, "counts"),
      text(row.name, LEFT - 12, middle, "end"), text(row.rms.toFixed(1), WIDTH - 4, middle, "end strong"));
  };
  kinds.gaps = ({ label, top, seconds, axis, rows }) => {
    const right = 850, bins = [880, 1000], bottom = TOP + ROW * rows.length, step = roundStep(seconds, 12);
    const ticks = Array.from({ length: Math.floor(seconds / step + 1e-9) + 1 }, (_, n) => {
      const x = LEFT + ((right - LEFT) * n * step) / seconds;
      return [path(`M${x} ${bottom - 6}v5`, "tick"), text(+(n * step).toFixed(6), x, bottom + 12, "middle quiet")];
    });
    return wide(picture(label, WIDTH, bottom + 40, "gaps",
      text("joint", LEFT - 12, TOP - 9, "end quiet"), text("gap over time", LEFT, TOP - 9, "quiet"),
      text("histogram", (bins[0] + bins[1]) / 2, TOP - 9, "middle quiet"),
      text("rms, mm", WIDTH - 4, TOP - 9, "end quiet"),
      ...rows.map((row, place) => gapRow(row, place, top, right, bins)), ...ticks.flat(),
      text(axis, (LEFT + right) / 2, bottom + 30, "middle quiet")));
  };
  // A joint's gap along a slip: means before and after, and the moment.
  kinds.slip = (step) => {
    const top = 8, height = 92, middle = top + height / 2, { first, at, stop } = step;
    const strip = stripOf(step, -step.half, step.half, top, height, 1000), below = strip.bottom + 16;
    const signed = (gap) => (gap < -0.05 ? "−" : "+") + Math.abs(gap).toFixed(1) + " mm";
    return wide(picture(step.label, WIDTH, strip.bottom + 24, "gaps", strip.ground, strip.spread("spread"),
      strip.line(step.least.map((low, n) => low === null ? null : (low + step.most[n]) / 2), "thin"),
      strip.level(step.before, first, at, "level"), strip.level(step.after, at, stop, "level"),
      path(`M${strip.x(at)} ${top}v${height}`, "slip"),
      text(step.name, LEFT - 12, middle - 3, "end strong"), text("to " + step.other, LEFT - 12, middle + 14, "end"),
      text(signed(step.before), +strip.x(first) + 4, below, "quiet"),
      text(signed(step.after), strip.x(stop) - 4, below, "end quiet"),
      text(step.seconds.toFixed(1) + " s", strip.x(at), below, "middle strong")));
  };
  // The skeleton with the names of its bodies in two columns, each with a line to its bones.
  kinds.labelled = ({ label, width, height, bones, aims, tracks, marked, names }) => {
    const circles = (list, r, kind) => list.map(([cx, cy]) => shape("circle", { cx, cy, r, class: kind }));
    return picture(label, width, height, "labelled", path(lines(aims), "aim"), path(lines(bones), "bones"),
      ...circles(tracks, 3.4, null), ...circles(marked, 7, "marked"),
      path(lines(names.map((one) => one.line)), "leader"),
      ...names.map(({ name, x, y, kind }) => text(name, x, y, kind)));
  };
  // Bones in a square, as the path of an SVG.
  kinds.bones = ({ d, label, size }) => picture(label, size, size, null, path(d, "bones"));
})();
