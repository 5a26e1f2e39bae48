// The page of limits: figure, list of joints, and the pictures of the joint that is open.
(async () => {
  const F = Figures, AXES = ["X", "Y", "Z"], MOST_POINTS = 1500;
  const holder = document.getElementById("figure");
  if (!holder || Content.page.kind !== "bench limits" || !F.moves) return;
  const page = document.documentElement;
  const sections = [...document.querySelectorAll("details.joint")];
  const sectionOf = (joint) => document.getElementById("joint-" + joint.id);
  let stage = null;
  page.classList.add("alive");

  const choose = (joint, scroll = true) => {
    stage.selected = joint;
    const section = joint && sectionOf(joint);
    sections.forEach((one) => { one.open = one === section; });
    rows.forEach((row, n) => row && row.classList.toggle("chosen", stage.joints[n] === joint));
    if (section) {
      furnish(joint, section);
      if (scroll && section.getBoundingClientRect().top > innerHeight * 0.6) {
        section.scrollIntoView({ behavior: F.still ? "auto" : "smooth", block: "start" });
      }
    }
    stage.draw();
  };

  stage = await Stage.make(holder, document.getElementById("controls"), (joint) => choose(joint));
  const { body, joints } = stage;
  const rows = joints.map((joint) => document.getElementById("row-" + joint.id));
  const usedFrames = (joint) => {
    const left = new Uint8Array(body.frames), used = [];
    joint.runs.forEach(([a, b]) => left.fill(1, a, b + 1));
    for (let n = 0; n < body.frames; n++) if (!left[n]) used.push(n);
    return { left, used };
  };

  // Dials: a spike for every 2 degrees in which there are poses, and a needle.

  const START = 80, LONG = 18, { spoke, RING } = Content;
  const angleOf = (joint, axis) => (frame) => {
    if (axis < 3) return body.value(joint.node, axis, frame);
    const turn = F.times(F.inverse(joint.hinge.rest), body.local(joint.node, frame));
    const along = turn[0] * joint.hinge.axis[0] + turn[1] * joint.hinge.axis[1]
      + turn[2] * joint.hinge.axis[2];
    return (360 / Math.PI) * Math.atan2(along, turn[3]);
  };
  const furnishDial = (joint, dial, used) => {
    const angle = angleOf(joint, Number(dial.dataset.axis)), counts = new Array(180).fill(0);
    used.forEach((frame) => { counts[((Math.round(angle(frame) / 2) % 180) + 180) % 180]++; });
    const most = Math.max(...counts);
    const spikes = counts.map((count, n) => count
      ? spoke(2 * n, START, START + LONG * Math.max(0.25, Math.cbrt(count / most))) : "").join("");
    const needle = F.shape("path", { class: "needle" });
    dial.append(F.shape("path", { class: "spikes", d: spikes }), needle);
    return (frame) => needle.setAttribute("d", spoke(angle(frame), 34, RING + 4));
  };

  // Clouds: poses as points in a cube that turns under the mouse.

  const furnishCloud = (canvas, { point, used, lines, nets, rest, letters, label }) => {
    const every = Math.max(1, Math.ceil(used.length / MOST_POINTS));
    const frames = used.filter((_, n) => n % every === 0);
    const places = frames.map(point);
    const corners = [...places, ...lines.flat(), ...nets.flat(), ...(rest ? [rest] : [])];
    const low = [0, 1, 2].map((n) => Math.min(...corners.map((p) => p[n])));
    const high = [0, 1, 2].map((n) => Math.max(...corners.map((p) => p[n])));
    const edge = Math.max(8, 1.16 * Math.max(...[0, 1, 2].map((n) => high[n] - low[n])));
    const centre = low.map((n, axis) => (n + high[axis]) / 2), half = edge / 2;
    const clipOf = (frame) => body.clips.findIndex((clip) => frame <= clip.last);
    const inks = frames.map((frame) => body.clips.length > 1
      ? "--clip-" + Math.min(clipOf(frame), 6) : "--range");
    const k = F.size();
    let hovered = -1;
    const draw = (me) => {
      const { context } = me;
      Object.assign(me, { centre, half });
      me.prepare();
      context.lineWidth = 1;
      context.strokeStyle = F.colour("--line");
      context.beginPath();
      const corner = (bits) => [0, 1, 2].map((n) => centre[n] + (bits >> n & 1 ? half : -half));
      for (let a = 0; a < 8; a++) {
        for (let n = 0; n < 3; n++) if (!(a >> n & 1)) me.line(corner(a), corner(a | 1 << n));
      }
      context.stroke();
      const step = F.roundStep(2 * half, 4);
      F.font(context, 11);
      context.textAlign = "center";
      letters.forEach((letter, axis) => {
        const bits = axis === 0 ? 0 : axis === 1 ? 1 : 0;
        context.fillStyle = F.colour("--quiet");
        // Not at the corners, where the numbers of two axes would meet.
        const inner = 0.8 * half;
        for (let v = Math.ceil((centre[axis] - inner) / step) * step; v <= centre[axis] + inner; v += step) {
          const p = corner(axis === 2 ? 0 : bits);
          p[axis] = v;
          const [x, y] = me.seen(p);
          context.fillText(String(+v.toFixed(2)).replace("-", "−"), x + (axis === 1 ? 14 * k : -4), y + 13 * k);
        }
        const end = corner(axis === 2 ? 0 : bits);
        end[axis] = centre[axis] + 1.16 * half;
        const [x, y] = me.seen(end);
        context.fillStyle = F.colour("--axis-" + letter.toLowerCase());
        F.font(context, 13, 700);
        context.fillText(letter, x, y + 8);
        F.font(context, 11);
      });
      context.textAlign = "start";
      const strokes = (list, ink, width) => {
        context.strokeStyle = F.colour(ink);
        context.lineWidth = width;
        context.beginPath();
        list.forEach(([a, b]) => me.line(a, b));
        context.stroke();
      };
      strokes(nets, "--band", 1);
      strokes(lines, "--ink", 1.6);
      context.globalAlpha = 0.8;
      let ink = "";
      places.forEach((place, n) => {
        const [x, y] = me.seen(place);
        if (inks[n] !== ink) context.fillStyle = F.colour(ink = inks[n]);
        context.fillRect(x - 1.3 * k, y - 1.3 * k, 2.6 * k, 2.6 * k);
      });
      context.globalAlpha = 1;
      if (rest) {
        const [x, y] = me.seen(rest);
        Stage.mark(context, x, y, null, 4, "--rest");
      }
      const frame = stage.player.frame, [x, y] = me.seen(point(frame));
      context.beginPath();
      context.arc(x, y, 6, 0, 2 * Math.PI);
      context.lineWidth = 2.5;
      context.strokeStyle = F.colour("--ink");
      context.stroke();
      if (hovered < 0) return;
      const [u, v] = me.seen(places[hovered]), at = frames[hovered], clip = body.clips[clipOf(at)];
      me.label(label(at) + "\n" + clip.name + ", frame " + +clip.number(at).toFixed(3), u, v);
    };
    const me = F.scene(canvas, {
      view: { yaw: -32, pitch: 22, zoom: 1, x: 0, y: 0 },
      onDraw: draw,
      onPoint: (me, x, y) => {
        const found = F.nearest(me, places, x, y, 10);
        if (found !== hovered) { hovered = found; me.draw(); }
      },
      onPick: (me, x, y) => {
        const found = F.nearest(me, places, x, y, 10);
        if (found >= 0) stage.player.stop(frames[found]);
      },
    });
    return () => me.draw();
  };

  // Curves: the channels of one clip over time, with the limits.

  const furnishCurves = (canvas, joint, left) => {
    const context = canvas.getContext("2d"), k = F.size();
    const [LEFT, RIGHT, TOP, BOTTOM] = [44 * k, 8, 8, 22 * k];
    const limits = joint.limits || [];
    let width = 0, height = 0, ratio = 1, hovered = null, drawn = null, kept = null;
    const span = () => {
      const { clip } = stage.player, ends = limits.filter(Boolean).flat();
      for (let axis = 0; axis < 3; axis++) {
        for (let n = clip.first; n <= clip.last; n++) ends.push(body.value(joint.node, axis, n));
      }
      const low = ends.reduce((a, b) => Math.min(a, b)), high = ends.reduce((a, b) => Math.max(a, b));
      const room = Math.max(0.06 * (high - low), 1);
      return [low - room, high + room];
    };
    const x = (frame) => {
      const { clip } = stage.player;
      return LEFT + ((width - LEFT - RIGHT) * (frame - clip.first)) / Math.max(clip.count - 1, 1);
    };
    const frameAt = (at) => {
      const { clip } = stage.player, share = (at - LEFT) / (width - LEFT - RIGHT);
      return clip.first + Math.max(0, Math.min(clip.count - 1, Math.round(share * (clip.count - 1))));
    };
    const still = () => {
      const { clip } = stage.player, [low, high] = span();
      const y = (value) => TOP + ((height - TOP - BOTTOM) * (high - value)) / (high - low);
      const bottom = height - BOTTOM;
      F.font(context, 11);
      context.lineWidth = 1;
      const step = F.roundStep(high - low, 4);
      context.textAlign = "end";
      for (let v = Math.ceil(low / step) * step; v <= high; v += step) {
        context.strokeStyle = F.colour("--line");
        context.beginPath();
        context.moveTo(LEFT, y(v));
        context.lineTo(width - RIGHT, y(v));
        context.stroke();
        context.fillStyle = F.colour("--quiet");
        context.fillText(String(+v.toFixed(2)).replace("-", "−") + "°", LEFT - 5, y(v) + 4 * k);
      }
      context.textAlign = "center";
      const most = Math.max(2, Math.floor(width / (90 * k))), frames = F.roundStep(Math.max(clip.count, 2), most);
      for (let n = 0; n < clip.count; n += Math.max(1, Math.round(frames))) {
        context.fillText(String(+clip.number(clip.first + n).toFixed(2)), x(clip.first + n), height - 6 * k);
      }
      context.textAlign = "start";
      context.fillStyle = F.colour("--rail");
      for (let n = clip.first; n <= clip.last; n++) {
        if (left[n]) context.fillRect(x(n) - 0.5, TOP, Math.max(1, x(n + 1) - x(n)), bottom - TOP);
      }
      AXES.forEach((letter, axis) => {
        // The curve of a locked channel says nothing.
        if (limits[axis] && limits[axis][1] - limits[axis][0] < 1e-3) return;
        context.strokeStyle = F.colour("--axis-" + letter.toLowerCase());
        context.lineWidth = 1.6 * k;
        context.beginPath();
        // Several frames per pixel: a stroke from the least to the greatest value.
        const every = Math.max(1, Math.floor(clip.count / (width - LEFT - RIGHT)));
        for (let n = clip.first; n <= clip.last; n += every) {
          let a = Infinity, b = -Infinity;
          for (let m = n; m < Math.min(n + every, clip.last + 1); m++) {
            const value = body.value(joint.node, axis, m);
            a = Math.min(a, value);
            b = Math.max(b, value);
          }
          context.lineTo(x(n), y(a));
          if (b > a) context.lineTo(x(n), y(b));
        }
        context.stroke();
        if (!limits[axis]) return;
        context.setLineDash([5, 4]);
        context.lineWidth = 1;
        limits[axis].forEach((end) => {
          context.beginPath();
          context.moveTo(LEFT, y(end));
          context.lineTo(width - RIGHT, y(end));
          context.stroke();
        });
        context.setLineDash([]);
      });
    };
    const draw = () => {
      if (!width) return;
      const key = stage.player.clip.first;
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, canvas.width, canvas.height);
      if (key !== drawn) {
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        still();
        kept = document.createElement("canvas");
        Object.assign(kept, { width: canvas.width, height: canvas.height });
        kept.getContext("2d").drawImage(canvas, 0, 0);
        drawn = key;
      } else context.drawImage(kept, 0, 0);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      const at = (frame, ink) => {
        context.strokeStyle = F.colour(ink);
        context.lineWidth = 1.5;
        context.beginPath();
        context.moveTo(x(frame), TOP);
        context.lineTo(x(frame), height - BOTTOM);
        context.stroke();
      };
      at(stage.player.frame, "--ink");
      if (hovered === null) return;
      at(hovered, "--quiet");
      const text = "frame " + +stage.player.clip.number(hovered).toFixed(3) + "\n"
        + Stage.angles(body, joint, hovered) + (left[hovered] ? "\nleft out" : "");
      F.label(context, text, x(hovered), 0, width, height);
    };
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons) stage.player.stop(frameAt(event.offsetX));
      hovered = frameAt(event.offsetX);
      draw();
    });
    canvas.addEventListener("pointerdown", (event) => stage.player.stop(frameAt(event.offsetX)));
    canvas.addEventListener("pointerleave", () => { hovered = null; draw(); });
    F.whenInks(() => { drawn = null; draw(); });
    new ResizeObserver(() => {
      ratio = Math.min(devicePixelRatio || 1, 3);
      [width, height] = [canvas.clientWidth, canvas.clientHeight];
      Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
      drawn = null;
      draw();
    }).observe(canvas);
    return draw;
  };

  // Parts that a section gets when it is opened for the first time.

  const furnished = new Map();
  const figure = (parent, kind, name, words) => {
    const canvas = F.make("canvas", { class: kind, role: "img", "aria-label": name });
    if (kind === "cloud") canvas.setAttribute("tabindex", "0");
    parent.append(F.make("figure", {}, canvas, F.make("figcaption", {}, words)));
    return canvas;
  };
  const furnish = (joint, section) => {
    if (furnished.has(joint)) return furnished.get(joint)();
    Content.unfold(section);
    const { left, used } = usedFrames(joint), acts = [];
    section.querySelectorAll(".dial[data-axis]").forEach((dial) =>
      acts.push(furnishDial(joint, dial, used)));
    const place = section.querySelector(".pictures");
    if (place && used.length) {
      // There is room beside a single dial.
      const dials = section.querySelector(".dials"), single = dials.children.length === 1 && body.frames > 1;
      dials.classList.toggle("single", single);
      if (body.frames > 1) {
        const curves = figure(single ? dials : place, "curves", "Channels of " + joint.name + " over time",
          "Channels over time in the current clip; dashed lines are limits. Click to go to a frame.");
        acts.push(furnishCurves(curves, joint, left));
      }
      const pair = F.make("div", { class: "pair" });
      place.append(pair);
      const words = (at) => Stage.angles(body, joint, at);
      const back = F.inverse(joint.mean);
      const vector = (frame) => F.rotationVector(F.times(back, body.local(joint.node, frame)));
      const cloud = figure(pair, "cloud", "Rotations of " + joint.name, joint.cloudWords);
      acts.push(furnishCloud(cloud, {
        point: vector, used, lines: joint.axes, nets: joint.net, rest: joint.restVector,
        letters: AXES, label: words,
      }));
      const box = figure(pair, "cloud", "Channels of " + joint.name + " in the box of their limits",
        "X, Y and Z of every pose in degrees; the box shows the limits.");
      acts.push(furnishCloud(box, {
        point: (frame) => AXES.map((_, axis) => body.value(joint.node, axis, frame)), used,
        lines: [], nets: joint.box, rest: joint.rest, letters: AXES, label: words,
      }));
    }
    const act = () => acts.forEach((one) => one(stage.player.frame));
    furnished.set(joint, act);
    act();
  };

  // Every frame: rows show the state of their joint, and words say what is outside.

  const states = joints.map(() => "");
  stage.onFrame.push((frame) => {
    joints.forEach((joint, n) => {
      const now = Stage.state(body, joint, frame);
      if (now === states[n]) return;
      states[n] = now;
      if (!rows[n]) return;
      rows[n].dataset.state = now;
      rows[n].querySelector(".state").title = stage.words[now];
    });
    const { selected } = stage;
    if (selected && furnished.has(selected)) furnished.get(selected)();
  });

  // The list and the address lead to a joint.

  const byHash = () => joints.find((joint) => "#joint-" + joint.id === location.hash) || null;
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#joint-']:not([data-frame])");
    const joint = link && joints.find((one) => "#joint-" + one.id === link.getAttribute("href"));
    if (!joint) return;
    event.preventDefault();
    history.replaceState(null, "", link.getAttribute("href"));
    choose(joint);
  });
  sections.forEach((section) => section.addEventListener("toggle", () => {
    if (page.classList.contains("printing")) return;
    const joint = joints.find((one) => sectionOf(one) === section);
    if (section.open && stage.selected !== joint) choose(joint, false);
    if (!section.open && stage.selected === joint) choose(null);
  }));
  addEventListener("hashchange", () => choose(byHash()));
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    folded.forEach((one) => { one.open = true; });
  });
  addEventListener("afterprint", () => folded.forEach((one) => { one.open = false; }));
  if (byHash()) choose(byHash());
  stage.player.go(stage.player.frame);
  stage.player.begin();
})();
