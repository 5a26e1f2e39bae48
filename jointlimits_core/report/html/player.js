"use strict";
// Figures that move: unpacks the page's streams, poses characters, draws them, plays and turns them.
const Figures = (() => {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const colours = new Map();
  const colour = (name) => {
    if (!colours.has(name)) {
      colours.set(name, getComputedStyle(document.body).getPropertyValue(name).trim());
    }
    return colours.get(name);
  };
  // Paper gets the light inks: pictures are painted again before and after printing.
  const inked = [() => colours.clear()], paintAll = () => inked.forEach((act) => act());
  const whenInks = (act) => inked.push(act);
  const printing = (on) => () => {
    document.documentElement.classList.toggle("printing", on);
    paintAll();
  };
  ["(prefers-color-scheme: dark)", "print"].forEach((medium) =>
    matchMedia(medium).addEventListener("change", paintAll));
  addEventListener("beforeprint", printing(true));
  addEventListener("afterprint", printing(false));
  // Text and lines of pictures grow with the page's text, for large screens.
  const size = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 14;
  const font = (context, pixels, weight = 400) => {
    context.font = `${weight} ${(pixels * size()).toFixed(1)}px system-ui, "DejaVu Sans", sans-serif`;
  };
  const degrees = (value) => value.toFixed(1).replace("-", "−") + "°";
  const data = (id) => JSON.parse(document.getElementById(id).textContent);
  // Creates elements; children that are text stay text.
  const maker = (space) => (name, attributes = {}, ...children) => {
    const made = document.createElementNS("http://www.w3.org/" + space, name);
    Object.entries(attributes).forEach(([key, value]) => {
      if (value === true) made.setAttribute(key, "");
      else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value);
    });
    made.append(...children);
    return made;
  };
  const make = maker("1999/xhtml"), shape = maker("2000/svg");

  const moves = typeof DecompressionStream !== "undefined";
  // After the page's first picture, which must not wait for figures.
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

  // Streams

  const unpacked = async (text) => {
    const letters = atob(text), bytes = new Uint8Array(letters.length);
    for (let n = 0; n < bytes.length; n++) bytes[n] = letters.charCodeAt(n);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };
  // A stream is one number for all frames, or differences in planes of bytes.
  const reader = (bytes, frames) => (stream) => {
    const values = new Int32Array(frames);
    if (typeof stream === "number") return values.fill(stream);
    const [order, planes, start] = stream;
    for (let n = 0; n < frames; n++) {
      let word = 0;
      for (let p = 0; p < planes; p++) word |= bytes[start + p * frames + n] << (8 * p);
      values[n] = (word >>> 1) ^ -(word & 1);
    }
    for (let o = 0; o < order; o++) for (let n = 1; n < frames; n++) values[n] += values[n - 1];
    return values;
  };

  // Rotations, [x, y, z, w]

  const times = (a, b) => [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
  const inverse = (q) => [-q[0], -q[1], -q[2], q[3]];
  const turned = (q, v) => {
    const [x, y, z, w] = q;
    const a = 2 * (y * v[2] - z * v[1]), b = 2 * (z * v[0] - x * v[2]), c = 2 * (x * v[1] - y * v[0]);
    return [
      v[0] + w * a + y * c - z * b, v[1] + w * b + z * a - x * c, v[2] + w * c + x * b - y * a,
    ];
  };
  const plus = (a, b, scale = 1) => [a[0] + scale * b[0], a[1] + scale * b[1], a[2] + scale * b[2]];
  // Columns: the first letter of an order turns first.
  const fromChannels = (angles, order) => {
    let q = [0, 0, 0, 1];
    for (const letter of order) {
      const axis = "xyz".indexOf(letter), half = (angles[axis] * Math.PI) / 360;
      const one = [0, 0, 0, Math.cos(half)];
      one[axis] = Math.sin(half);
      q = times(one, q);
    }
    return q;
  };
  const rotationVector = (q) => {
    const s = q[3] < 0 ? -1 : 1, length = Math.hypot(q[0], q[1], q[2]);
    const k = length < 1e-9 ? 2 : (2 * Math.atan2(length, s * q[3])) / length;
    return [0, 1, 2].map((n) => (s * q[n] * k * 180) / Math.PI);
  };

  // Characters

  // Clips one after the other; frames have numbers and times, seconds from the start of their clip.
  const clipsOf = (clips) => {
    let first = 0;
    return clips.map((clip) => {
      const made = { ...clip, first, last: first + clip.count - 1 }, start = first;
      const [from, step] = clip.numbers;
      made.number = (index) => clip.even ? from + step * (index - start) : clip.numbers[index - start];
      made.time = (index) => clip.paced ? (index - start) / clip.rate
        : (made.number(index) - made.number(start)) / (clip.rate * (clip.spacing || step));
      first += clip.count;
      return made;
    });
  };

  // A clip's channels with forward kinematics: places and spaces of all joints in a frame.
  const character = async (source) => {
    const clips = clipsOf(source.clips), frames = clips[clips.length - 1].last + 1;
    const read = reader(await unpacked(source.packed), frames);
    const nodes = source.nodes.map((node) => ({
      ...node, channels: node.channels.map(read), moves: node.moves && node.moves.map(read),
    }));
    const order = nodes.map((_, n) => n), depth = (n) => n < 0 ? 0 : 1 + depth(nodes[n].parent);
    order.sort((a, b) => depth(a) - depth(b));
    const value = (joint, axis, frame) => nodes[joint].channels[axis][frame] * source.step;
    const local = (joint, frame) => {
      const node = nodes[joint];
      let q = fromChannels([0, 1, 2].map((axis) => value(joint, axis, frame)), node.order);
      if (node.axis) q = times(q, node.axis);
      return node.orient ? times(node.orient, q) : q;
    };
    const pose = (frame) => {
      const places = [], spaces = [], worlds = [];
      for (const n of order) {
        const node = nodes[n], top = node.parent < 0;
        const above = top ? [0, 0, 0, 1] : worlds[node.parent];
        const at = node.moves ? node.moves.map((axis) => axis[frame] * source.length) : node.at;
        places[n] = top ? at : plus(places[node.parent], turned(above, at));
        spaces[n] = node.pre ? times(above, node.pre) : above;
        worlds[n] = times(spaces[n], local(n, frame));
      }
      return { places: places.slice(0, source.names.length), spaces, worlds };
    };
    return { ...source, clips, frames, value, local, pose };
  };

  // Places of points in every frame, as stored.
  const points = (streams, read, step) => {
    const made = streams.map((axes) => axes.map(read));
    return (frame) => made.map(([x, y, z, there]) =>
      there[frame] ? [x[frame] * step, y[frame] * step, z[frame] * step] : null);
  };

  // Words in a box beside a point of a picture.
  const label = (context, text, x, y, width, height) => {
    const lines = text.split("\n");
    const line = 16 * size();
    font(context, 12, 600);
    const wide = Math.max(...lines.map((one) => context.measureText(one).width)) + 14;
    const tall = line * lines.length + 8;
    const left = Math.max(2, Math.min(x + 12, width - wide - 2));
    const top = y - tall - 10 < 2 ? Math.min(y + 14, height - tall - 2) : y - tall - 10;
    context.fillStyle = colour("--ink");
    context.fillRect(left, top, wide, tall);
    context.fillStyle = colour("--paper");
    context.textAlign = "start";
    lines.forEach((one, n) => context.fillText(one, left + 7, top + line * (n + 0.8) + 3));
  };

  // A canvas with a view that is turned by dragging, zoomed, shifted and fitted.

  const FILL = 0.54;
  const scene = (canvas, { view, onDraw, onPoint, onPick, onKey }) => {
    const context = canvas.getContext("2d");
    const me = { canvas, context, view, width: 0, height: 0, centre: [0, 0, 0], half: 1 };
    const start = { ...view };
    let asked = false;
    me.draw = () => {
      if (asked) return;
      asked = true;
      requestAnimationFrame(paint);
    };
    const paint = () => {
      asked = false;
      if (!me.width) return;
      context.setTransform(me.ratio, 0, 0, me.ratio, 0, 0);
      context.clearRect(0, 0, me.width, me.height);
      context.lineCap = "butt";
      me.prepare();
      onDraw(me);
    };
    me.prepare = () => {
      const yaw = (view.yaw * Math.PI) / 180, pitch = (view.pitch * Math.PI) / 180;
      const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
      const side = Math.min(me.width, me.height);
      const room = side - 0.25 * Math.max(300 - side, 0);
      me.scale = (FILL * room * view.zoom) / (Math.sqrt(3) * me.half);
      me.rows = [[cy, 0, sy], [sp * sy, cp, -sp * cy], [-cp * sy, sp, cp * cy]];
      me.origin = [me.width / 2 + view.x * side, me.height / 2 + view.y * side];
    };
    me.seen = (p) => {
      const [x, y, z] = plus(p, me.centre, -1), [r, u, d] = me.rows;
      return [
        me.origin[0] + me.scale * (r[0] * x + r[1] * y + r[2] * z),
        me.origin[1] - me.scale * (u[0] * x + u[1] * y + u[2] * z),
        d[0] * x + d[1] * y + d[2] * z,
      ];
    };
    me.path = (list, close = false) => {
      context.beginPath();
      list.forEach((p, n) => {
        const [x, y] = me.seen(p);
        if (n) context.lineTo(x, y);
        else context.moveTo(x, y);
      });
      if (close) context.closePath();
    };
    me.line = (a, b) => {
      const [x, y] = me.seen(a), [u, v] = me.seen(b);
      context.moveTo(x, y);
      context.lineTo(u, v);
    };
    me.label = (text, x, y) => label(context, text, x, y, me.width, me.height);
    me.fit = () => { Object.assign(view, start); changed(); };
    const changed = () => (me.onTurn || me.draw)();
    const orbit = (dx, dy) => {
      view.yaw = ((view.yaw + 0.45 * dx + 540) % 360) - 180;
      view.pitch = Math.max(-90, Math.min(90, view.pitch + 0.45 * dy));
    };
    const zoom = (factor, x = 0, y = 0) => {
      const next = Math.max(0.4, Math.min(40, view.zoom * factor)), real = next / view.zoom;
      view.x = x - (x - view.x) * real;
      view.y = y - (y - view.y) * real;
      view.zoom = next;
    };
    const place = (event) => [event.offsetX, event.offsetY];
    let moved = 0;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      moved = 0;
    });
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons) {
        moved += Math.abs(event.movementX) + Math.abs(event.movementY);
        const side = Math.min(me.width, me.height);
        if (event.buttons & 6 || event.shiftKey) {
          view.x += event.movementX / side;
          view.y += event.movementY / side;
        } else orbit(event.movementX, event.movementY);
        changed();
      } else if (onPoint) onPoint(me, ...place(event));
    });
    canvas.addEventListener("pointerup", (event) => {
      if (moved < 4 && onPick) onPick(me, ...place(event));
    });
    canvas.addEventListener("pointerleave", () => onPoint && onPoint(me, -1e4, -1e4));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => {
      // Without Control the wheel scrolls the page.
      if (!event.ctrlKey && document.activeElement !== canvas) return;
      event.preventDefault();
      const side = Math.min(me.width, me.height);
      zoom(Math.exp(-0.0015 * event.deltaY), (event.offsetX - me.width / 2) / side,
        (event.offsetY - me.height / 2) / side);
      changed();
    }, { passive: false });
    canvas.addEventListener("dblclick", () => me.fit());
    const KEYS = {
      ArrowLeft: () => orbit(-16, 0), ArrowRight: () => orbit(16, 0),
      ArrowUp: () => orbit(0, -16), ArrowDown: () => orbit(0, 16),
      "+": () => zoom(1.15), "=": () => zoom(1.15), "-": () => zoom(1 / 1.15),
      f: () => Object.assign(view, start), F: () => Object.assign(view, start),
    };
    canvas.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (KEYS[event.key]) KEYS[event.key]();
      else if (!onKey || !onKey(event.key)) return;
      event.preventDefault();
      changed();
    });
    new ResizeObserver(() => {
      const ratio = Math.min(devicePixelRatio || 1, 3);
      Object.assign(me, { width: canvas.clientWidth, height: canvas.clientHeight, ratio });
      canvas.width = Math.round(me.width * ratio);
      canvas.height = Math.round(me.height * ratio);
      // The frame does not change while the page is printed.
      if (matchMedia("print").matches) paint();
      else me.draw();
    }).observe(canvas);
    whenInks(paint);
    return me;
  };

  // The nearest of some points on the screen, or -1.
  const nearest = (me, list, x, y, within = 14) => {
    let best = within, found = -1;
    list.forEach((point, n) => {
      if (!point) return;
      const [u, v] = me.seen(point), away = Math.hypot(u - x, v - y);
      if (away < best) [best, found] = [away, n];
    });
    return found;
  };

  const bones = (me, places, pairs, width, ink) => {
    const { context } = me;
    context.strokeStyle = ink;
    context.lineWidth = width * size();
    context.lineCap = "round";
    context.beginPath();
    pairs.forEach(([a, b]) => places[a] && places[b] && me.line(places[a], places[b]));
    context.stroke();
  };

  const roundStep = (span, most) => {
    const rough = span / most, power = 10 ** Math.floor(Math.log10(rough));
    return power * [1, 2, 5, 10].find((step) => power * step >= rough * (1 - 1e-9));
  };

  // Time: plays clips in real time, at a speed, and keeps buttons and slider in step.

  const player = (root, clips, onFrame) => {
    const find = (kind) => root.querySelector("." + kind);
    const [play, slide, label, choice, speed] = ["play", "slide", "now", "clip", "speed"].map(find);
    const me = { frame: clips[0].first, clip: clips[0], playing: false };
    let clock = 0, since = 0;
    const show = () => {
      const number = me.clip.number(me.frame), words = "frame " + +number.toFixed(3);
      slide.value = me.frame - me.clip.first;
      slide.setAttribute("aria-valuetext", words);
      label.textContent = words;
      onFrame(me);
    };
    me.go = (frame) => {
      const clip = clips.find((one) => frame >= one.first && frame <= one.last);
      if (!clip) return;
      if (clip !== me.clip) me.choose(clips.indexOf(clip), false);
      me.frame = frame;
      show();
    };
    me.choose = (index, draw = true) => {
      me.clip = clips[index];
      me.frame = me.clip.first;
      slide.max = me.clip.count - 1;
      if (choice) choice.value = index;
      if (draw) show();
    };
    const step = (time) => {
      if (!me.playing) return;
      clock += ((time - since) / 1000) * (speed ? Number(speed.value) : 1);
      since = time;
      let next = me.frame;
      while (next < me.clip.last && me.clip.time(next + 1) <= clock) next++;
      if (next === me.clip.last && clock > me.clip.time(next) + 0.5) {
        next = me.clip.first;
        clock = 0;
      }
      if (next !== me.frame) {
        me.frame = next;
        show();
      }
      requestAnimationFrame(step);
    };
    me.run = (on) => {
      if (me.playing === on) return;
      me.playing = on;
      play.textContent = on ? "Pause" : "Play";
      if (!on) return;
      clock = me.clip.time(me.frame);
      requestAnimationFrame((time) => { since = time; step(time); });
    };
    me.stop = (frame) => { me.run(false); me.go(frame); };
    me.step = (by) =>
      me.stop(Math.max(me.clip.first, Math.min(me.clip.last, me.frame + by)));
    play.addEventListener("click", () => me.run(!me.playing));
    slide.addEventListener("input", () => me.stop(me.clip.first + Number(slide.value)));
    if (choice) {
      choice.addEventListener("change", () => {
        const was = me.playing;
        me.run(false);
        me.choose(Number(choice.value));
        me.run(was);
      });
    }
    // A key of the figure: space plays, comma and full stop step.
    me.key = (key) => {
      const keys = { " ": () => me.run(!me.playing), ",": () => me.step(-1), ".": () => me.step(1) };
      if (keys[key]) keys[key]();
      return key in keys;
    };
    me.choose(0, false);
    root.hidden = false;
    show();
    me.begin = () => me.run(!still);
    return me;
  };

  return {
    bones, character, clipsOf, colour, data, degrees, font, fromChannels, inverse, label, make, moves,
    nearest, painted, player, points, reader, rotationVector, roundStep, scene, shape, size, still, times, turned, plus, unpacked,
    whenInks,
  };
})();
