// Figures side by side that move together, used after player.js.
(async () => {
  const F = Figures, holders = [...document.querySelectorAll(".panel")];
  if (!holders.length || !F.moves) return;
  const source = F.data("moving-data"), clips = F.clipsOf(source.clips);
  const frames = clips[clips.length - 1].last + 1;
  const read = F.reader(await F.unpacked(source.packed), frames);
  const points = (streams) => F.points(streams, read, source.step);
  // In the order in which they were packed.
  const targets = points(source.targets), places = points(source.places), lines = points(source.lines);
  const view = { yaw: -32, pitch: 12, zoom: 1, x: 0, y: 0 }, names = source.names.concat(source.targetNames);
  let player = null;
  const scenes = source.panels.map((panel, index) => {
    let hovered = -1, shown = [];
    const draw = (me) => {
      const { context } = me, frame = player ? player.frame : 0, joints = places(frame);
      Object.assign(me, { centre: source.centre, half: (1.17 * source.radius) / Math.sqrt(3) });
      // Each panel may be seen from another side.
      const { yaw } = view;
      view.yaw = yaw + panel.turn;
      me.prepare();
      view.yaw = yaw;
      F.bones(me, joints, source.bones, 5, F.colour("--range"));
      const ends = lines(frame), pairs = ends.map((_, n) => [n, n + 1]).filter(([n]) => n % 2 === 0);
      F.bones(me, ends, pairs, 2, F.colour("--target"));
      targets(frame).concat(source.marked.map((joint) => joints[joint])).forEach((point, n) => {
        if (!point) return;
        const marked = n >= source.targets.length, [x, y] = me.seen(point);
        context.beginPath();
        context.arc(x, y, marked ? 9 : 4, 0, 2 * Math.PI);
        context.lineWidth = 2.5;
        context.fillStyle = F.colour("--target");
        context.strokeStyle = F.colour("--look");
        if (marked) context.stroke();
        else context.fill();
      });
      shown = joints.concat(targets(frame)).map((point, n) => names[n] ? point : null);
      if (hovered < 0 || !shown[hovered]) return;
      const [x, y] = me.seen(shown[hovered]);
      F.label(context, names[hovered], x, y, me.width, me.height);
    };
    const canvas = F.make("canvas", {
      tabindex: "0", role: "img", "aria-label": panel.title + ", moving figure; " + source.keys,
    });
    holders[index].querySelector(".picture").replaceChildren(canvas);
    const me = F.scene(canvas, {
      view, onDraw: draw, onKey: (key) => player.key(key),
      onPoint: (me, x, y) => {
        hovered = F.nearest(me, shown, x, y);
        me.draw();
      },
    });
    return me;
  });
  const all = () => scenes.forEach((one) => one.draw());
  scenes.forEach((one) => { one.onTurn = all; });
  player = F.player(document.getElementById("controls"), clips, (me) => {
    holders[0].querySelector(".says").textContent = source.says[source.words[me.frame]];
    all();
  });
  player.begin();
})();
