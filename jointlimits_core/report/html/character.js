// The character on a page: states of its joints, ranges at the joint, ghost, trail; used after
// player.js.
const Stage = (() => {
  const F = Figures;
  const mark = (context, x, y, corners, size, ink) => {
    context.beginPath();
    if (corners) {
      corners.forEach(([u, v]) => context.lineTo(x + size * u, y + size * v));
      context.closePath();
    } else context.arc(x, y, size, 0, 2 * Math.PI);
    context.fillStyle = F.colour(ink);
    context.fill();
    context.lineWidth = Math.min(1.5, 0.4 * size);
    context.strokeStyle = F.colour("--paper");
    context.stroke();
  };
  const excess = (body, joint, frame) => joint.outside[frame] * body.step;
  const { states, marks, sizes } = Content.page;
  const state = (body, joint, frame) => states[joint.states[frame]][0];
  const angles = (body, joint, frame) => ["X", "Y", "Z"]
    .map((letter, axis) => letter + " " + F.degrees(body.value(joint.node, axis, frame)))
    .join("  ");

  const parts = (ink) => [1, 3, 5].map((n) => parseInt(ink.slice(n, n + 2), 16));
  // A limb in one tone: the outline of two discs, [x, y, radius].
  const outline = (context, [x, y, thick], [u, v, thin]) => {
    const turn = Math.atan2(v - y, u - x), apart = Math.max(Math.hypot(u - x, v - y), 1e-9);
    const touch = Math.acos(Math.max(-1, Math.min(1, (thick - thin) / apart)));
    context.beginPath();
    context.arc(u, v, thin, turn - touch, turn + touch);
    context.arc(x, y, thick, turn + touch, turn - touch + 2 * Math.PI);
    context.fill();
  };
  // Limbs with volume, the farthest first and palest, each lit from one side.
  const drawLimbs = (view, places, { bones, along, joints, radii, tones, light, least, far }, inkOf) => {
    const { context } = view, ground = parts(F.colour("--paper"));
    const limbs = bones.map(([a, b], n) => {
      const way = F.plus(places[b], places[a], -1), length = Math.max(Math.hypot(...way), 1e-12);
      const at = (by) => F.plus(places[b], way, by / length);
      const ends = (along[n] ? along[n].map(at) : [places[a], places[b]]).map(view.seen);
      return { n, ends, depth: ends[0][2] + ends[1][2] };
    }).sort((one, other) => one.depth - other.depth);
    const first = limbs.length && limbs[0].depth, last = limbs.length && limbs[limbs.length - 1].depth;
    limbs.forEach(({ n, ends, depth }) => {
      const [[x, y], [u, v]] = ends, apart = Math.hypot(u - x, v - y);
      let across = apart > 1e-6 ? [(y - v) / apart, (u - x) / apart] : light;
      if (across[0] * light[0] + across[1] * light[1] < 0) across = across.map((one) => -one);
      const strong = inkOf(joints[n]), near = (depth - first) / Math.max(last - first, 1e-9);
      const share = strong ? 1 : far + (1 - far) * near;
      const ink = parts(strong || F.colour("--bone")).map((c, k) => ground[k] + share * (c - ground[k]));
      tones.forEach(([width, shift, lightness]) => {
        context.fillStyle = `rgb(${ink.map((c) => Math.min(255, Math.round(lightness * c)))})`;
        outline(context, ...ends.map(([px, py], k) => {
          const radius = Math.max(radii[n][k] * view.scale, least), off = shift * radius;
          return [px + off * across[0], py + off * across[1], width * radius];
        }));
      });
    });
  };

  // A range: its corners turn with the parent's space, its tip with the bone.
  const drawRange = (me, joint, pose, radius, strong) => {
    const { corners, area, spokes, tip } = joint.range, { context } = me;
    const at = pose.places[joint.node], space = pose.spaces[joint.node];
    const points = corners.map((corner) => F.plus(at, F.turned(space, corner), radius));
    const ink = F.colour(joint.now === "outside" ? "--outside" : "--range");
    me.path(points.slice(area), true);
    context.fillStyle = ink;
    context.globalAlpha = strong ? 0.2 : 0.12;
    context.fill();
    context.globalAlpha = strong ? 0.95 : 0.5;
    context.strokeStyle = ink;
    context.lineWidth = strong ? 2 : 1;
    me.path(points.slice(1));
    context.stroke();
    context.beginPath();
    spokes.forEach((n) => me.line(at, points[n]));
    context.lineWidth = strong ? 1.2 : 0.6;
    context.stroke();
    context.globalAlpha = 1;
    if (!strong) return;
    context.beginPath();
    me.line(at, F.plus(at, F.turned(pose.worlds[joint.node], tip), radius));
    context.lineWidth = 2.5;
    context.strokeStyle = F.colour("--ink");
    context.stroke();
  };

  // The figure of a page. `chosen` is called with the joint that was clicked.
  const make = async (holder, controls, chosen) => {
    await F.painted();
    const body = await F.character(F.data("figure-data"));
    const joints = body.joints, byNode = [];
    joints.forEach((joint, n) => {
      joint.index = n;
      byNode[joint.node] = joint;
    });
    const read = F.reader(await F.unpacked(body.packedStates), body.frames);
    joints.forEach((joint) => {
      joint.states = read(joint.states);
      joint.outside = read(joint.outside);
    });
    const words = Object.fromEntries(states), says = document.getElementById("outside-now");
    const me = { body, joints, words, selected: null, ghost: null, all: false, onFrame: [] };
    const canvas = F.make("canvas", {
      tabindex: "0", role: "img", "aria-label": body.label,
    });
    let hovered = null, pose = body.pose(0);
    // Half of all bones are longer.
    const lengths = body.bones.map(([a, b]) => Math.hypot(...F.plus(pose.places[a], pose.places[b], -1)));
    const typical = lengths.sort((a, b) => a - b)[lengths.length >> 1] || Infinity;
    const trail = (at) => {
      const { clip } = me.player, path = [], every = body.trail.every[body.clips.indexOf(clip)];
      const count = Math.min(body.trail.points, Math.floor((at - clip.first) / every));
      for (let n = at - count * every; n <= at; n += every) {
        path.push(body.pose(n).places[me.selected.end]);
      }
      return path;
    };
    const ground = (view) => {
      const { context } = view, [step, lines] = body.grid;
      const [x, , z] = view.centre.map((n) => step * Math.floor(n / step));
      context.strokeStyle = F.colour("--line");
      context.lineWidth = 1;
      context.beginPath();
      lines.forEach((line) => view.line(...line.map((end) => F.plus(end, [x, body.floor, z]))));
      context.stroke();
    };
    const draw = (view) => {
      const { context } = view, frame = me.player ? me.player.frame : 0;
      pose = body.pose(frame);
      const anchor = pose.places[body.anchor];
      view.centre = [anchor[0] + body.middle[0], body.floor + body.middle[1], anchor[2] + body.middle[2]];
      view.half = body.half;
      view.prepare();
      ground(view);
      if (me.selected && me.player) {
        const path = trail(frame);
        view.path(path);
        context.strokeStyle = F.colour("--trail");
        context.lineWidth = 2;
        context.stroke();
      }
      if (me.ghost !== null && me.ghost !== frame) {
        const other = body.pose(me.ghost), shift = F.plus(anchor, other.places[body.anchor], -1);
        shift[1] = 0;
        context.globalAlpha = 0.55;
        F.bones(view, other.places.map((p) => F.plus(p, shift)), body.bones, 3, F.colour("--trail"));
        context.globalAlpha = 1;
      }
      // Small enough to keep the marks of neighbours apart.
      const size = Math.max(1.5, Math.min(Math.max(3.2, Math.min(9, view.height / 110)), 0.6 * typical * view.scale));
      joints.forEach((joint) => { joint.now = state(body, joint, frame); });
      drawLimbs(view, pose.places, body.limbs, (node) =>
        byNode[node] && byNode[node].now === "outside" ? F.colour("--outside") : null);
      joints.forEach((joint) => {
        const strong = joint === me.selected;
        if (joint.range && (strong || joint === hovered || me.all || joint.now === "outside")) {
          drawRange(view, joint, pose, body.shares[strong ? 1 : 0] * body.reach, strong);
        }
      });
      joints.forEach((joint) => {
        const [x, y] = view.seen(pose.places[joint.node]);
        const radius = (joint === me.selected ? 1.4 : 1) * (sizes[joint.now] || 1) * size;
        mark(context, x, y, marks[joint.now], radius, "--" + joint.now);
        if (joint === me.selected) {
          context.beginPath();
          context.arc(x, y, size * 2.6, 0, 2 * Math.PI);
          context.strokeStyle = F.colour("--ink");
          context.lineWidth = 1.5;
          context.stroke();
        }
      });
      if (hovered) {
        const [x, y] = view.seen(pose.places[hovered.node]);
        const off = excess(body, hovered, frame);
        const how = hovered.now === "outside" ? F.degrees(off) + " outside" : words[hovered.now];
        const number = "frame " + +me.player.clip.number(frame).toFixed(3);
        view.label([hovered.name, angles(body, hovered, frame), how + ", " + number].join("\n"), x, y);
      }
    };
    const at = (view, x, y) => byNode[F.nearest(view, pose.places, x, y, 18)] || null;
    const view = F.scene(canvas, {
      view: { ...body.view, zoom: 1, x: 0, y: 0 },
      onDraw: draw,
      onPoint: (view, x, y) => {
        const found = at(view, x, y);
        if (found === hovered) return;
        hovered = found;
        canvas.style.cursor = found ? "pointer" : "grab";
        view.draw();
      },
      onPick: (view, x, y) => {
        const found = at(view, x, y);
        if (found) chosen(found);
      },
      onKey: (key) => me.player.key(key),
    });
    holder.replaceChildren(canvas);
    const outside = (frame) => {
      const out = joints.map((joint) => [excess(body, joint, frame), joint.name])
        .filter(([by]) => by > 0).sort((a, b) => b[0] - a[0]);
      const shown = out.slice(0, 3).map(([by, name]) => name + " by " + F.degrees(by));
      const more = out.length > 3 ? " and " + (out.length - 3) + " more" : "";
      return out.length ? "Outside now: " + shown.join(", ") + more : "";
    };
    me.player = F.player(controls, body.clips, ({ frame }) => {
      says.textContent = outside(frame);
      me.onFrame.forEach((act) => act(frame));
      view.draw();
    });
    const all = controls.querySelector(".all");
    me.all = Boolean(all && all.checked);
    if (all) all.addEventListener("change", () => { me.all = all.checked; view.draw(); });
    me.view = view;
    me.draw = () => view.draw();
    // Links to frames: a click goes there, pointing at one shows its pose as a ghost.
    const onLinks = (kind, act) => document.addEventListener(kind, (event) => {
      const link = event.target.closest && event.target.closest("[data-frame]");
      if (link) act(Number(link.dataset.frame), link, event);
    }, true);
    const ghost = (frame) => { me.ghost = frame; view.draw(); };
    ["pointerover", "focus"].forEach((kind) => onLinks(kind, ghost));
    ["pointerout", "blur"].forEach((kind) => onLinks(kind, () => ghost(null)));
    onLinks("click", (frame, link, event) => {
      event.preventDefault();
      const joint = joints[Number(link.dataset.joint)];
      if (joint) chosen(joint);
      me.player.stop(frame);
    });
    return me;
  };
  return { angles, excess, make, mark, state };
})();
