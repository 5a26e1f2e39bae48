// The page of a check: the strips lead to frames, and show the frame that is played.
(async () => {
  const holder = document.getElementById("figure");
  if (!holder || Content.page.kind !== "bench" || !Figures.moves) return;
  const stage = await Stage.make(holder, document.getElementById("controls"), (joint) => {
    stage.selected = joint;
    stage.draw();
  });
  const { body, player } = stage;
  const strips = [...document.querySelectorAll("[data-start]")].map((strip) => {
    const start = Number(strip.dataset.start), picture = strip.querySelector("svg");
    const clip = body.clips.find((one) => one.first === start);
    const head = Figures.make("span", { class: "playhead" });
    strip.append(head);
    const seek = (event) => {
      const box = picture.getBoundingClientRect(), share = (event.clientX - box.left) / box.width;
      const number = clip.number(clip.first) + share * (clip.number(clip.last) - clip.number(clip.first));
      let frame = clip.first;
      while (frame < clip.last && clip.number(frame + 1) <= number) frame++;
      player.stop(frame);
    };
    picture.addEventListener("pointerdown", seek);
    picture.addEventListener("pointermove", (event) => event.buttons && seek(event));
    return { clip, head, picture };
  });
  stage.onFrame.push((frame) => {
    strips.forEach(({ clip, head, picture }) => {
      head.hidden = frame < clip.first || frame > clip.last;
      const span = clip.number(clip.last) - clip.number(clip.first) || 1;
      const share = (clip.number(Math.min(Math.max(frame, clip.first), clip.last)) - clip.number(clip.first)) / span;
      head.style.left = share * picture.clientWidth + "px";
    });
  });
  const worst = document.querySelector("[data-frame]");
  if (worst) player.stop(Number(worst.dataset.frame));
  else {
    player.go(player.frame);
    player.begin();
  }
})();
