// The map: pan, wheel and pinch, and finding places on it.

const CLOSEST = 6;
const slug = (name) => name.toLowerCase().replaceAll(".", "").replaceAll(" ", "-");

export class Board {
  constructor(map) {
    this.map = map;
    this.svg = map.querySelector("#board");
    this.tip = map.querySelector("#tip");
    this.floats = document.getElementById("floats");
    this.home = this.svg.getAttribute("viewBox").split(" ").map(Number);
    this.pointers = new Map();
    this.moved = false;
    this.listen();
    this.reset();
    new ResizeObserver(() => {
      this.reset();
      this.offered = false;
      this.refresh();
    }).observe(map);
  }

  listen() {
    const svg = this.svg;
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * 0.0015), event.clientX, event.clientY);
    }, { passive: false });
    svg.addEventListener("pointerdown", (event) => {
      this.pointers.set(event.pointerId, event);
      this.moved = this.pointers.size > 1;
    });
    window.addEventListener("pointermove", (event) => this.drag(event));
    for (const kind of ["pointerup", "pointercancel"]) {
      window.addEventListener(kind, (event) => {
        this.pointers.delete(event.pointerId);
        this.svg.classList.remove("dragging");
      });
    }
    svg.addEventListener("click", (event) => {
      if (this.moved) event.stopImmediatePropagation();
      this.moved = false;
    }, true);
    this.map.querySelector(".zoom").addEventListener("click", (event) => {
      const kind = event.target.closest("button")?.dataset.zoom;
      if (kind) this.command(kind);
    });
  }

  command(kind) {
    const box = this.svg.getBoundingClientRect();
    if (kind === "reset") this.reset();
    else this.zoom(kind === "in" ? 1.4 : 1 / 1.4, box.left + box.width / 2, box.top + box.height / 2);
  }

  // The whole map on a wide screen; on a narrow one as high as there is room, to be moved sideways.
  reset() {
    const box = this.map.getBoundingClientRect();
    if (!box.width || !box.height) return;
    const [x, y, width, height] = this.home;
    if (box.width > 600 || box.width / box.height > width / height) return this.show(this.home);
    const shown = Math.min(width, height * (box.width / box.height));
    const middle = this.focus ?? x + width * 0.6;
    this.show([Math.max(x, Math.min(x + width - shown, middle - shown / 2)), y, shown, height]);
  }

  show(view) {
    this.view = view;
    this.svg.setAttribute("viewBox", view.map((side) => side.toFixed(1)).join(" "));
    this.widen();
  }

  // Map units per pixel.
  get unit() {
    const box = this.svg.getBoundingClientRect();
    return Math.max(this.view[2] / box.width, this.view[3] / box.height);
  }

  point(clientX, clientY) {
    const at = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [at.x, at.y];
  }

  zoom(by, clientX, clientY) {
    const [x, y] = this.point(clientX, clientY);
    const [left, top, width, height] = this.view;
    const wide = Math.min(this.home[2] * 1.15, Math.max(this.home[2] / CLOSEST, width / by));
    const share = wide / width;
    this.show(this.kept([x - (x - left) * share, y - (y - top) * share, wide, height * share]));
  }

  // Some of the map always stays in sight.
  kept([x, y, width, height]) {
    const [left, top, wide, high] = this.home;
    return [
      Math.max(left - width / 2, Math.min(left + wide - width / 2, x)),
      Math.max(top - height / 2, Math.min(top + high - height / 2, y)),
      width, height,
    ];
  }

  drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    if (this.pointers.size === 1) {
      const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
      if (!this.moved && Math.hypot(dx, dy) < 6) return;
      this.moved = true;
      this.svg.classList.add("dragging");
      const [x, y, width, height] = this.view;
      this.show(this.kept([x - dx * this.unit, y - dy * this.unit, width, height]));
    } else {
      const other = [...this.pointers.values()].find((one) => one.pointerId !== event.pointerId);
      const apart = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      const by = apart(event) / Math.max(1, apart(before));
      this.zoom(by, (event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2);
    }
    this.pointers.set(event.pointerId, event);
  }

  refresh() {
    this.widen();
    const targets = [...this.svg.querySelectorAll(".target .glow")];
    const fresh = targets.length > 0 && !this.offered;
    this.offered = targets.length > 0;
    if (this.view[2] >= this.home[2] || !targets.length) return;
    const hinted = this.svg.querySelector(".target.hinted .glow");
    if (hinted) return this.bring([hinted]);
    if (fresh || !targets.some((target) => this.inSight(target))) this.bring(targets);
  }

  inSight(target) {
    const { x, width } = target.getBBox();
    return x >= this.view[0] && x + width <= this.view[0] + this.view[2];
  }

  // When a choice begins while only a part of the map is in sight: bring what can be chosen into it.
  bring(targets) {
    const boxes = targets.map((target) => target.getBBox());
    const left = Math.min(...boxes.map((box) => box.x)) - 30;
    const right = Math.max(...boxes.map((box) => box.x + box.width)) + 30;
    const [x, y, width, height] = this.view;
    if (left >= x && right <= x + width) return;
    const [first, , whole] = this.home;
    const wide = Math.min(whole, Math.max(width, Math.min(right - left, width * 1.5)));
    const middle = Math.max(first + wide / 2, Math.min(first + whole - wide / 2, (left + right) / 2));
    const high = height * (wide / width);
    this.show([middle - wide / 2, y - (high - height) / 2, wide, high]);
  }

  // A finger needs 44 pixels whatever the zoom; where circles overlap, the nearest place is meant (see `nearest`).
  widen() {
    const least = 22 * this.unit;
    for (const hit of this.svg.querySelectorAll(".target circle.hit")) {
      hit.dataset.own ??= hit.getAttribute("r");
      hit.setAttribute("r", Math.max(Number(hit.dataset.own), least).toFixed(1));
    }
  }

  // The target whose middle is nearest to a point, among those the point touches.
  nearest(clientX, clientY) {
    const [x, y] = this.point(clientX, clientY);
    let found = null;
    let least = Infinity;
    for (const target of this.svg.querySelectorAll(".target")) {
      const hit = target.querySelector("circle.hit");
      if (!hit) continue;
      const apart = Math.hypot(x - Number(hit.getAttribute("cx")), y - Number(hit.getAttribute("cy")));
      if (apart < least && apart <= Number(hit.getAttribute("r"))) [found, least] = [target, apart];
    }
    return found;
  }

  place(name) {
    return document.getElementById(`place-${slug(name)}`) ?? document.getElementById(`region-${slug(name)}`);
  }

  light(names) {
    for (const lit of this.svg.querySelectorAll(".lit")) lit.classList.remove("lit");
    for (const name of names) this.place(name)?.classList.add("lit");
  }

  // A number that rises where points are earned; what belongs to no place rises from the player's card.
  float(notes) {
    const before = new Map();
    notes.forEach((note, order) => {
      const row = before.get(note.place) ?? 0;
      before.set(note.place, row + 1);
      this.rise(note, order, row);
    });
  }

  rise({ place, text, colour, seat }, order, row) {
    const where = place ? this.place(place) : document.getElementById(`player-${seat}`);
    const box = where?.getBoundingClientRect();
    if (!box?.width) return;
    const note = document.createElement("span");
    note.className = `float ${colour}`;
    note.textContent = text;
    note.style.left = `${box.left + box.width / 2}px`;
    note.style.top = `${box.top + box.height / 2 + row * 34}px`;
    note.style.animationDelay = `${order * 160}ms`;
    this.floats.append(note);
    setTimeout(() => note.remove(), 1700 + order * 160);
  }

  say(target, title, text) {
    const box = target.getBoundingClientRect();
    const map = this.map.getBoundingClientRect();
    this.tip.replaceChildren(Object.assign(document.createElement("b"), { textContent: title }), text);
    this.tip.hidden = false;
    const left = box.left + box.width / 2 - map.left;
    const wide = this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(4, Math.min(map.width - wide - 4, left - wide / 2))}px`;
    const above = box.top - map.top - this.tip.offsetHeight - 6;
    this.tip.style.top = `${above > 0 ? above : box.bottom - map.top + 6}px`;
  }

  hush() {
    this.tip.hidden = true;
  }
}
