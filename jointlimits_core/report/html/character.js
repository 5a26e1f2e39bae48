// The character on a page: states of its joints, ranges at the joint, ghost, trail; used after
// player.js.
const Stage = (() => {
  const F = Figures;
  const WORDS = {
    outside: "outside now", look: "needs a look", near: "near a limit", pinned: "pinned",
    inside: "inside", free: "no limits",
  };
  const SHAPES = {
    outside: [[0, -1.5], [1.4, 1.1], [-1.4, 1.1]], look: [[0, -1.5], [1.5, 0], [0, 1.5], [-1.5, 0]],
    pinned: [[-1.1, -1.1], [1.1, -1.1], [1.1, 1.1], [-1.1, 1.1]],
  };
  const mark = (context, x, y, state, radius) => {
    context.beginPath();
    if (SHAPES[state]) {
      SHAPES[state].forEach(([u, v]) => context.lineTo(x + radius * u, y + radius * v));
      context.closePath();
    } else context.arc(x, y, state === "free" ? 0.7 * radius : radius, 0, 2 * Math.PI);
    context.fillStyle = F.colour("--" + state);
    context.fill();
    context.lineWidth = 1.5;
    context.strokeStyle = F.colour("--paper");
    context.stroke();
  };

  // Degrees outside the limits, at least 0, and the distance to the nearest limit of a wide range.
  const margins = (body, joint, frame) => {
    let outside = 0, near = Infinity;
    (joint.limits || []).forEach((limit, axis) => {
      if (!limit) return;
      const value = body.value(joint.node, axis, frame), [low, high] = limit;
      outside = Math.max(outside, low - value, value - high);
      if (high - low > 4 * body.near) near = Math.min(near, Math.abs(value - low), Math.abs(value - high));
    });
    return { outside, near };
  };
  const excess = (body, joint, frame) => joint.outside ? joint.outside[frame] * body.step
    : margins(body, joint, frame).outside;
  const state = (body, joint, frame) => {
    if (excess(body, joint, frame) > body.tolerance) return "outside";
    if (joint.state === "look") return "look";
    if (margins(body, joint, frame).near < body.near) return "near";
    if (joint.state === "pinned") return "pinned";
    return (joint.limits || []).some(Boolean) ? "inside" : "free";
  };
  const angles = (body, joint, frame) => ["X", "Y", "Z"]
    .map((letter, axis) => letter + " " + F.degrees(body.value(joint.node, axis, frame)))
    .join("  ");

  const drawRange = (me, joint, pose, reach, strong) => {
    const range = joint.range, { context } = me, at = pose.places[joint.node];
    const space = pose.spaces[joint.node], size = reach * (strong ? 0.17 : 0.11);
    const ends = range.directions.map((d) => F.plus(at, F.turned(space, d), size));
    const ink = F.colour(joint.now === "outside" ? "--outside" : "--range");
    me.path(range.kind === "arc" ? [at, ...ends] : ends, true);
    context.fillStyle = ink;
    context.globalAlpha = strong ? 0.2 : 0.12;
    context.fill();
    context.globalAlpha = strong ? 0.95 : 0.5;
    context.strokeStyle = ink;
    context.lineWidth = strong ? 2 : 1;
    me.path(ends, range.kind !== "arc");
    context.stroke();
    context.beginPath();
    const spokes = range.kind === "arc" ? [0, ends.length - 1]
      : ends.map((_, n) => n).filter((n) => n % Math.ceil(ends.length / 8) === 0);
    spokes.forEach((n) => me.line(at, ends[n]));
    context.lineWidth = strong ? 1.2 : 0.6;
    context.stroke();
    context.globalAlpha = 1;
    if (!strong) return;
    const now = F.turned(pose.worlds[joint.node], range.tip);
    context.beginPath();
    me.line(at, F.plus(at, now, size * 1.15));
    context.lineWidth = 2.5;
    context.strokeStyle = F.colour("--ink");
    context.stroke();
  };

  // The figure of a page. `chosen` is called with a joint that is clicked.
  const make = async (holder, controls, chosen) => {
    const body = await F.character(F.data("figure-data"));
    const joints = body.joints, byNode = [];
    joints.forEach((joint, n) => {
      joint.index = n;
      byNode[joint.node] = joint;
    });
    if (body.packedOutside) {
      const read = F.reader(await F.unpacked(body.packedOutside), body.frames);
      joints.forEach((joint) => { if ("out" in joint) joint.outside = read(joint.out); });
    }
    const me = { body, joints, selected: null, ghost: null, all: false, onFrame: [] };
    const canvas = F.make("canvas", {
      tabindex: "0", role: "img", "aria-label": body.label,
    });
    let hovered = null, pose = body.pose(0);
    const trail = (at) => {
      const clip = me.player.clip, path = [], { points, hz } = body.trail;
      const every = Math.max(1, Math.round(clip.rate / hz));
      const count = Math.min(points, Math.floor((at - clip.first) / every));
      for (let n = at - count * every; n <= at; n += every) {
        path.push(body.pose(n).places[me.selected.end]);
      }
      return path;
    };
    const draw = (view) => {
      const { context } = view, frame = me.player ? me.player.frame : 0;
      pose = body.pose(frame);
      const root = pose.places[0];
      view.centre = [root[0] + body.middle[0], body.floor + body.middle[1], root[2] + body.middle[2]];
      view.half = (1.16 * body.reach) / Math.sqrt(3);
      view.prepare();
      F.ground(view, view.centre, body.floor, body.reach);
      if (me.selected && me.player) {
        const path = trail(frame);
        view.path(path);
        context.strokeStyle = F.colour("--trail");
        context.lineWidth = 2;
        context.stroke();
      }
      if (me.ghost !== null && me.ghost !== frame) {
        const other = body.pose(me.ghost), shift = F.plus(root, other.places[0], -1);
        shift[1] = 0;
        context.globalAlpha = 0.55;
        F.bones(view, other.places.map((p) => F.plus(p, shift)), body.bones, 3, F.colour("--trail"));
        context.globalAlpha = 1;
      }
      F.bones(view, pose.places, body.bones, 5, F.colour("--bone"));
      joints.forEach((joint) => { joint.now = state(body, joint, frame); });
      joints.forEach((joint) => {
        const strong = joint === me.selected;
        if (joint.range && (strong || joint === hovered || me.all || joint.now === "outside")) {
          drawRange(view, joint, pose, body.reach, strong);
        }
      });
      const size = Math.max(3.2, Math.min(9, view.height / 110));
      joints.forEach((joint) => {
        const [x, y] = view.seen(pose.places[joint.node]);
        mark(context, x, y, joint.now, joint === me.selected ? size * 1.4 : size);
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
        const how = hovered.now === "outside" ? F.degrees(off) + " outside" : WORDS[hovered.now];
        const number = "frame " + +me.player.clip.number(frame).toFixed(3);
        view.label([hovered.name, angles(body, hovered, frame), how + ", " + number].join("\n"), x, y);
      }
    };
    const at = (view, x, y) => byNode[F.nearest(view, pose.places, x, y, 18)] || null;
    const view = F.scene(canvas, {
      view: { yaw: -32, pitch: 12, zoom: 1, x: 0, y: 0 },
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
    me.player = F.player(controls, body.clips, () => {
      me.onFrame.forEach((act) => act(me.player.frame));
      view.draw();
    });
    const all = controls.querySelector(".all");
    if (all) all.addEventListener("change", () => { me.all = all.checked; view.draw(); });
    me.view = view;
    me.draw = () => view.draw();
    // Links to frames: a click goes there, pointing at one shows its pose as a ghost.
    document.querySelectorAll("[data-frame]").forEach((link) => {
      const frame = Number(link.dataset.frame);
      const ghost = (on) => () => { me.ghost = on ? frame : null; view.draw(); };
      link.addEventListener("pointerenter", ghost(true));
      link.addEventListener("pointerleave", ghost(false));
      link.addEventListener("focus", ghost(true));
      link.addEventListener("blur", ghost(false));
      link.addEventListener("click", (event) => {
        event.preventDefault();
        const joint = joints[Number(link.dataset.joint)];
        if (joint) chosen(joint);
        me.player.stop(frame);
      });
    });
    return me;
  };
  return { WORDS, angles, excess, make, mark, margins, state };
})();
