"use strict";
// Stick figures side by side that move together. Everything comes from the data block of the page.
(() => {
  const data = JSON.parse(document.getElementById("moving-data").textContent);
  const panels = data.panels.map((panel, index) => ({
    ...panel, canvas: document.getElementById("panel-" + index),
  }));
  const play = document.getElementById("play"), slide = document.getElementById("frame");
  const label = document.getElementById("now");
  const view = { yaw: data.yaw, pitch: data.pitch };
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  let frame = 0, playing = false, last = 0;

  const colour = (name) => getComputedStyle(document.body).getPropertyValue(name).trim();

  // Orthographic: turn about the way up, then tilt towards the eye.
  const seen = (point, box) => {
    const [x, y, z] = [0, 1, 2].map((n) => point[n] - data.centre[n]);
    const side = x * Math.cos(view.yaw) + z * Math.sin(view.yaw);
    const depth = -x * Math.sin(view.yaw) + z * Math.cos(view.yaw);
    const up = y * Math.cos(view.pitch) - depth * Math.sin(view.pitch);
    const scale = (0.46 * Math.min(box.width, box.height)) / data.radius;
    return [box.width / 2 + scale * side, box.height / 2 - scale * up];
  };

  const figure = (context, box, points, width, ink) => {
    context.strokeStyle = ink;
    context.lineWidth = width;
    context.beginPath();
    data.bones.forEach(([from, to]) => {
      context.moveTo(...seen(points[from], box));
      context.lineTo(...seen(points[to], box));
    });
    context.stroke();
  };

  const draw = () => {
    panels.forEach((panel) => {
      const box = panel.canvas, context = box.getContext("2d");
      context.clearRect(0, 0, box.width, box.height);
      context.lineCap = "round";
      if (data.captured) figure(context, box, data.captured[frame], 2, colour("--quiet"));
      figure(context, box, panel.frames[frame], 5, colour(panel.ink));
      context.strokeStyle = context.fillStyle = colour("--rest");
      context.lineWidth = 2;
      (panel.lines ? panel.lines[frame] : []).forEach(([from, to]) => {
        context.beginPath();
        context.moveTo(...seen(from, box));
        context.lineTo(...seen(to, box));
        context.stroke();
      });
      data.targets[frame].forEach((point) => {
        const [x, y] = seen(point, box);
        context.beginPath();
        context.arc(x, y, 5, 0, 2 * Math.PI);
        context.fill();
      });
      document.getElementById("says-" + panels.indexOf(panel)).textContent = panel.says[frame];
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
  panels.forEach(({ canvas }) => {
    canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons === 0) return;
      view.yaw += event.movementX / 120;
      view.pitch = Math.max(-1.5, Math.min(1.5, view.pitch + event.movementY / 120));
      draw();
    });
  });
  document.getElementById("controls").hidden = false;
  draw();
  run(!still);
})();
