"use strict";
// Stick figures side by side that move together. All data come from the page's data block.
(() => {
  const data = JSON.parse(document.getElementById("moving-data").textContent);
  const panels = data.panels.map((panel, index) => ({
    ...panel, canvas: document.getElementById("panel-" + index),
  }));
  const play = document.getElementById("play"), slide = document.getElementById("frame");
  const label = document.getElementById("now");
  const view = { yaw: data.yaw, pitch: data.pitch };
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  let frame = 0, playing = false, last = 0, pointer = null;

  const colour = (name) => getComputedStyle(document.body).getPropertyValue(name).trim();

  // Orthographic: rotate about the up axis, then tilt towards the eye.
  const seen = (point, box, turn) => {
    const [x, y, z] = [0, 1, 2].map((n) => point[n] - data.centre[n]), yaw = view.yaw + turn;
    const side = x * Math.cos(yaw) + z * Math.sin(yaw);
    const depth = -x * Math.sin(yaw) + z * Math.cos(yaw);
    const up = y * Math.cos(view.pitch) - depth * Math.sin(view.pitch);
    const scale = (0.46 * Math.min(box.width, box.height)) / data.radius;
    return [box.width / 2 + scale * side, box.height / 2 - scale * up];
  };

  // A null point is absent in this frame.
  const line = (context, box, from, to, turn) => {
    if (!from || !to) return;
    context.moveTo(...seen(from, box, turn));
    context.lineTo(...seen(to, box, turn));
  };
  const figure = (context, box, points, width, ink, turn) => {
    context.strokeStyle = ink;
    context.lineWidth = width;
    context.beginPath();
    data.bones.forEach(([from, to]) => line(context, box, points[from], points[to], turn));
    context.stroke();
  };
  const circle = (context, [x, y], radius) => {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
  };

  // The name of the joint or the dot under the pointer.
  const name = (context, panel, index) => {
    if (!pointer || pointer.index !== index) return;
    const box = panel.canvas, points = panel.frames[frame].concat(data.targets[frame]);
    const names = data.names.concat(data.targetNames);
    let best = 16, found = null;
    points.forEach((point, place) => {
      if (!point || !names[place]) return;
      const [x, y] = seen(point, box, panel.turn);
      const away = Math.hypot(x - pointer.x, y - pointer.y);
      if (away < best) [best, found] = [away, { x, y, text: names[place] }];
    });
    if (!found) return;
    context.font = "600 17px sans-serif";
    const width = context.measureText(found.text).width + 14;
    const left = Math.max(2, Math.min(found.x + 10, box.width - width - 2));
    const top = Math.max(2, found.y - 34);
    context.fillStyle = colour("--ink");
    context.fillRect(left, top, width, 26);
    context.fillStyle = colour("--paper");
    context.fillText(found.text, left + 7, top + 19);
  };

  const draw = () => {
    panels.forEach((panel, index) => {
      const box = panel.canvas, context = box.getContext("2d"), turn = panel.turn;
      context.clearRect(0, 0, box.width, box.height);
      context.lineCap = "round";
      if (data.captured) figure(context, box, data.captured[frame], 2, colour("--quiet"), turn);
      figure(context, box, panel.frames[frame], 5, colour(panel.ink), turn);
      context.strokeStyle = context.fillStyle = colour("--rest");
      context.lineWidth = 2;
      context.beginPath();
      (panel.lines ? panel.lines[frame] : []).forEach(([from, to]) =>
        line(context, box, from, to, turn));
      context.stroke();
      data.targets[frame].filter(Boolean).forEach((point) => {
        circle(context, seen(point, box, turn), 5);
        context.fill();
      });
      context.strokeStyle = colour("--warn");
      context.lineWidth = 3;
      panel.marked.map((joint) => panel.frames[frame][joint]).filter(Boolean).forEach((point) => {
        circle(context, seen(point, box, turn), 11);
        context.stroke();
      });
      name(context, panel, index);
      document.getElementById("says-" + index).textContent = panel.says[frame];
    });
    slide.value = frame;
    label.textContent = "frame " + data.numbers[frame];
  };

  const step = (time) => {
    if (!playing) return;
    if (time - last >= 1000 / data.rate) {
      last = time;
      frame = (frame + 1) % data.targets.length;
      draw();
    }
    requestAnimationFrame(step);
  };
  const run = (on) => {
    playing = on;
    play.textContent = on ? "Pause" : "Play";
    if (on) requestAnimationFrame(step);
  };

  play.addEventListener("click", () => run(!playing));
  slide.addEventListener("input", () => { run(false); frame = Number(slide.value); draw(); });
  panels.forEach(({ canvas }, index) => {
    canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
    canvas.addEventListener("pointerleave", () => { pointer = null; draw(); });
    canvas.addEventListener("pointermove", (event) => {
      const scale = canvas.width / canvas.clientWidth;
      pointer = { index, x: event.offsetX * scale, y: event.offsetY * scale };
      if (event.buttons !== 0) {
        view.yaw += event.movementX / 120;
        view.pitch = Math.max(-1.5, Math.min(1.5, view.pitch + event.movementY / 120));
      }
      draw();
    });
  });
  document.getElementById("controls").hidden = false;
  draw();
  run(!still);
})();
