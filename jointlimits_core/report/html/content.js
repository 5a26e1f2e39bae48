// Draws the contents of a page from its data: texts, lists, tables, bars and dials.
const Content = (() => {
  const { data, make, shape } = Figures;
  const page = data("page-data");

  // A content is text, a number, nothing, a list, or a piece: {is, in, ...}.
  const kinds = {};
  const draw = (content) => {
    if (content === null || content === undefined) return [];
    if (Array.isArray(content)) return content.flatMap(draw);
    if (typeof content !== "object") return [String(content)];
    const { is, in: inner, ...fields } = content;
    return [kinds[is] ? kinds[is](fields, inner) : make(is, fields, ...draw(inner))];
  };
  const listed = (inner) => [inner].flat().filter(Boolean).map((item) =>
    item.is === "li" ? draw(item)[0] : make("li", {}, ...draw(item)));
  kinds.ul = (fields, inner) => make("ul", fields, ...listed(inner));
  kinds.ol = (fields, inner) => make("ol", fields, ...listed(inner));
  // A heading, and a note below it.
  kinds.section = ({ title, note, ...fields }, inner) => make("section", fields,
    make("h2", {}, ...draw(title)), ...(note ? [make("p", { class: "note" }, note)] : []), ...draw(inner));
  // Folded parts are drawn when they open, and before printing: large characters have many joints.
  const undrawn = new Map();
  const unfold = (folded) => {
    folded.append(...draw(undrawn.get(folded)));
    undrawn.delete(folded);
  };
  addEventListener("beforeprint", () => [...undrawn.keys()].forEach(unfold));
  kinds.details = (fields, [summary, ...rest]) => {
    const made = make("details", fields, ...draw(summary));
    undrawn.set(made, rest);
    made.addEventListener("toggle", () => unfold(made), { once: true });
    return made;
  };
  kinds.fold = ({ title }, inner) => kinds.details({ class: "fold" },
    [{ is: "summary", in: { is: "h2", in: title } }, inner]);
  // Paths are elided in the middle, commands scroll; both are whole when pointed at or copied.
  kinds.path = ({ title }, inner) => {
    const path = inner || "", at = Math.max(path.search(/[^\\/]*$/), path.length - 16);
    return make("span", { class: "path", title: title || path },
      make("span", { class: "start" }, path.slice(0, at)), make("span", { class: "end" }, path.slice(at)));
  };
  kinds.code = (fields, inner) => make("code", { tabindex: 0, ...fields }, ...draw(inner));
  document.addEventListener("copy", (event) => {
    const { anchorNode, focusNode } = getSelection();
    const around = (node) => node && (node.closest ? node : node.parentElement).closest(".path");
    const path = around(anchorNode);
    if (!path || around(focusNode) !== path) return;
    event.clipboardData.setData("text/plain", path.title);
    event.preventDefault();
  });

  // Tables scroll sideways where the window is too narrow.
  const wide = (...content) =>
    make("div", { class: "wide", tabindex: 0, role: "group", "aria-label": "Table" }, ...content);
  const cell = (content, name, fields) => {
    const drawn = draw(content);
    return drawn[0] instanceof HTMLTableCellElement ? drawn[0] : make(name, fields, ...drawn);
  };
  const row = (given) => {
    const { is, cells, ...fields } = Array.isArray(given) ? { cells: given } : given;
    return make("tr", fields, ...cells.map((one, n) =>
      n ? cell(one, "td") : cell(one, "th", { scope: "row" })));
  };
  const tools = ({ id, label, kinds: all }) => make("div", { id, class: "tools" },
    make("input", { type: "search", placeholder: "Search", "aria-label": label }),
    make("select", { "aria-label": label + ": filter" },
      ...all.map(([value, name]) => make("option", { value }, name))),
    make("span", { class: "count", role: "status" }));
  kinds.table = ({ heads, rows, find, class: kind }) => {
    const top = heads.map((head) => head === "" ? make("td") : cell(head, "th", { scope: "col" }));
    const made = make("table", { class: kind + (find ? " sortable" : ""), "data-tools": find && find.id },
      ...(top.length ? [make("thead", {}, make("tr", {}, ...top))] : []),
      make("tbody", {}, ...rows.map(row)));
    if (!find) return wide(made);
    const field = tools(find);
    const scroll = make("div", { class: "wide scroll", tabindex: 0, role: "group", "aria-label": "Table" }, made);
    const both = document.createDocumentFragment();
    both.append(field, scroll);
    return both;
  };

  // Pictures

  const picture = (name, width, height, kind, ...parts) => shape("svg",
    { viewBox: `0 0 ${width} ${height}`, class: kind, role: "img", "aria-label": name },
    shape("title", {}, name), ...parts);
  const arcPath = (start, end, rx, ry = rx, x = 0, y = 0) => {
    const at = (angle) => [x + rx * Math.cos((angle * Math.PI) / 180), y - ry * Math.sin((angle * Math.PI) / 180)]
      .map((n) => n.toFixed(2)).join(" ");
    // Ends that round to one point would draw nothing: a whole circle is two halves.
    const points = end - start >= 359.95 ? [start, start + 180, start + 360] : [start, end];
    return "M" + at(points[0]) + points.slice(1).map((angle, n) =>
      `A${rx} ${ry} 0 ${+(angle - points[n] > 180)} 0 ${at(angle)}`).join("");
  };
  const spoke = (angle, from, to) => {
    const turn = (angle * Math.PI) / 180, c = Math.cos(turn), s = -Math.sin(turn);
    return `M${(from * c).toFixed(1)} ${(from * s).toFixed(1)}L${(to * c).toFixed(1)} ${(to * s).toFixed(1)}`;
  };
  kinds.glyph = ({ of }) => shape("svg", { viewBox: "0 0 16 16", class: "glyph", "aria-hidden": "true" },
    ...(page.glyphs[of] || []).map((part) => {
      const full = part.filled ? "full" : null;
      if (part.corners) {
        return shape("path", { d: "M" + part.corners.join("L") + (part.closed ? "Z" : ""), class: full });
      }
      const d = arcPath(part.start_deg, part.start_deg + part.span_deg, ...part.radii, 8, 8);
      return shape("path", { d: d + (part.filled ? "Z" : ""), class: full,
        "stroke-dasharray": part.dotted ? "2 3.5" : null });
    }));
  // Mark of a joint's state, as on the figure.
  kinds.state = ({ of }) => {
    const corners = page.marks[of], kind = "state-" + of, radius = 4.4 * (page.sizes[of] || 1);
    const mark = corners
      ? shape("path", { d: "M" + corners.map(([u, v]) => [8 + radius * u, 8 + radius * v]).join("L") + "Z", class: kind })
      : shape("circle", { cx: 8, cy: 8, r: radius, class: kind });
    return shape("svg", { viewBox: "0 0 16 16", class: "mark", "aria-hidden": "true" }, mark);
  };
  // Pieces of a bar that is 100 wide and 11 high: class, start, length, top, height.
  kinds.bar = ({ parts }) => shape("svg",
    { viewBox: "0 0 100 11", preserveAspectRatio: "none", class: "bar", "aria-hidden": "true" },
    ...parts.map(([kind, x, width, y, height]) => shape("rect", { x, y, width, height, class: kind })));
  const RING = 72;
  kinds.dial = ({ letter, words, label, arcs, ends, rest, axis }) => {
    const ticks = Array.from({ length: 12 }, (_, n) => spoke(30 * n, n % 3 ? 59 : 55, 64)).join("");
    const degrees = ["0°", "90°", "180°", "−90°"].map((text, n) => shape("text",
      { x: [109, 0, -109, 0][n], y: 4 + [0, -109, 0, 109][n], class: "degree" }, text));
    const turn = (rest * Math.PI) / 180;
    return shape("svg", { viewBox: "-128 -128 256 256", class: "dial", role: "img", "data-axis": axis },
      shape("title", {}, label), shape("path", { d: ticks, class: "ticks" }), ...degrees,
      ...arcs.map(([kind, start, end]) => shape("path",
        { d: arcPath(start, end, RING), class: kind === "free" ? "interval free" : kind })),
      shape("path", { d: ends.map((end) => spoke(end, RING - 8, RING + 7)).join(""), class: "ends" }),
      ...(rest === undefined ? [] : [shape("path", { class: "rest",
        d: `M${(RING * Math.cos(turn)).toFixed(1)} ${(-RING * Math.sin(turn) - 7).toFixed(1)}l7 7l-7 7l-7 -7Z` })]),
      shape("text", { y: 2, class: "letter letter-" + letter }, letter),
      shape("text", { y: 22, class: "width" }, words));
  };

  // Buttons of a figure that plays; hidden until there is a figure.
  const controls = (clips, ranges) => {
    const hidden = clips.every(({ count }) => count < 2);
    return make("div", { id: "controls", class: "controls", hidden: true },
      make("button", { type: "button", class: "play", hidden }, "Play"),
      make("input", { type: "range", min: 0, max: 0, value: 0, class: "slide", "aria-label": "Frame", hidden }),
      make("span", { class: "now", hidden }),
      ...(clips.length > 1 ? [make("select", { class: "clip", "aria-label": "Clip" },
        ...clips.map(({ name }, n) => make("option", { value: n }, name)))] : []),
      make("select", { class: "speed", "aria-label": "Speed", hidden }, ...[0.1, 0.25, 0.5, 1, 2].map((speed) =>
        make("option", { value: speed, selected: speed === 1 }, speed + " x"))),
      ...(ranges ? [make("label", {}, make("input", { type: "checkbox", class: "all", checked: hidden }), "all ranges")] : []));
  };
  kinds.character = ({ note }) => {
    const words = Object.fromEntries(page.states);
    const legend = ["inside", "near", "outside", "look", "pinned", "free"].map((of) =>
      make("span", { class: "legend-item" }, kinds.state({ of }), words[of]));
    return make("section", { class: "stage" }, make("h2", { class: "hidden" }, "The character"),
      make("div", { id: "figure", class: "figure" }), make("p", { id: "outside-now", class: "outside-now" }),
      controls(data("figure-data").clips, true), make("p", { class: "legend" }, ...legend),
      make("p", { class: "note" }, note));
  };
  kinds.panels = ({ note }) => {
    const { clips, panels } = data("moving-data");
    return make("section", {}, make("div", { class: "panels" }, ...panels.map(({ title }) =>
      make("div", { class: "panel" }, make("h2", {}, title), make("div", { class: "picture" }),
        make("p", { class: "says" })))),
      controls(clips, false), make("p", { class: "note" }, note));
  };
  return { draw, kinds, page, picture, spoke, unfold, wide, RING };
})();
