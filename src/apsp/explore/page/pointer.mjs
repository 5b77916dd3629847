// Mouse, pen and fingers: a click or a tap uses the tool, a drag moves a source or the map, two fingers zoom.

const STILL = 6, NEAR = 22; // pixels

export function listenToPointer(canvas, app) {
  const down = new Map();
  let drag = null, apart = 0, moved = false;

  const spot = event => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const spread = () => {
    const [[ax, ay], [bx, by]] = [...down.values()];
    return { apart: Math.hypot(ax - bx, ay - by), middle: [(ax + bx) / 2, (ay + by) / 2] };
  };

  canvas.addEventListener("pointerdown", event => {
    if (event.button > 0) return;
    canvas.setPointerCapture(event.pointerId);
    down.set(event.pointerId, spot(event));
    if (down.size === 1) {
      moved = false;
      drag = app.sourceNear(...spot(event), NEAR);
    } else if (down.size === 2) {
      moved = true;
      drag = null;
      apart = spread().apart;
    }
  });

  canvas.addEventListener("pointermove", event => {
    const [x, y] = spot(event), before = down.get(event.pointerId);
    if (!before) {
      if (event.pointerType !== "touch") app.hover(x, y);
      return;
    }
    if (!moved && Math.hypot(x - before[0], y - before[1]) < STILL) return;
    moved = true;
    if (down.size === 2) {
      const old = spread().middle;
      down.set(event.pointerId, [x, y]);
      const now = spread();
      app.pan(now.middle[0] - old[0], now.middle[1] - old[1]);
      app.zoom(now.apart / (apart || 1), ...now.middle);
      apart = now.apart;
      return;
    }
    down.set(event.pointerId, [x, y]);
    if (drag !== null) drag = app.dragSource(drag, x, y);
    else app.pan(x - before[0], y - before[1]);
  });

  const up = event => {
    if (!down.delete(event.pointerId)) return;
    if (!moved && event.type === "pointerup") app.use(...spot(event), event.shiftKey ? "route" : undefined);
    if (down.size === 0 && drag !== null && moved) app.dropped();
    if (down.size === 0) drag = null;
    else apart = 0;
  };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("pointerleave", () => app.leave());
  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    app.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0018)), ...spot(event));
  }, { passive: false });
}
