// The map: pan, wheel and pinch, and finding places on it.

import { Minimap } from "./minimap.js";

const CLOSEST = 6;
const SNAP = 80; // pixels: so near to its border, the map is shown up to it
const EDGE = 1; // pixels between what can be chosen and the edge of the window
const LEAST = { L: 0.89, M: 0.97, S: 0.97 }; // of its size: smaller, the whole map would have text below 11 pixels
const PRINT = window.matchMedia("print");
const slug = (name) => name.toLowerCase().replaceAll(".", "").replaceAll(" ", "-");

export class Board {
  constructor(map) {
    this.map = map;
    this.svg = map.querySelector("#board");
    this.tip = map.querySelector("#tip");
    this.home = this.svg.getAttribute("viewBox").split(" ").map(Number);
    this.pointers = new Map();
    this.moved = false;
    this.minimap = new Minimap(this);
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
    window.addEventListener("beforeprint", () => this.show(this.home));
    window.addEventListener("afterprint", () => this.reset());
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

  // The whole map where it fits; on a small screen a window on it, in the size it is drawn for.
  reset() {
    const box = this.map.getBoundingClientRect();
    if (!box.width || !box.height) return;
    const [x, y, width, height] = this.home;
    const least = LEAST[document.getElementById("table").dataset.cut];
    const whole = PRINT.matches || (box.width >= width * least && box.height >= height * least);
    const [wide, high] = whole ? [width, height] : [Math.min(width, box.width), Math.min(height, box.height)];
    this.standard = this.drawn = wide;
    this.map.classList.toggle("windowed", !whole);
    if (whole) return this.show(this.home);
    this.show(this.within([x + width * 0.42 - wide / 2, y + height * 0.45 - high / 2, wide, high]));
  }

  // A window that does not leave the map; near a border, with all that is written there.
  within([x, y, width, height], snap = SNAP) {
    const [left, top, wide, high] = this.home;
    const inside = (at, first, whole, part) => {
      const last = first + whole - part;
      if (part >= whole) return first + (whole - part) / 2;
      return at < first + snap ? first : at > last - snap ? last : at;
    };
    return [inside(x, left, wide, width), inside(y, top, high, height), width, height];
  }

  show(view) {
    this.view = view;
    this.svg.setAttribute("viewBox", view.map((side) => side.toFixed(1)).join(" "));
    this.map.classList.toggle("zoomed", Math.abs(view[2] - this.standard) > 1);
    this.widen();
    this.minimap.show();
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
      const other = [...this.pointers.values()].find((pointer) => pointer.pointerId !== event.pointerId);
      const apart = (pointer) => Math.hypot(pointer.clientX - other.clientX, pointer.clientY - other.clientY);
      const by = apart(event) / Math.max(1, apart(before));
      this.zoom(by, (event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2);
    }
    this.pointers.set(event.pointerId, event);
  }

  refresh() {
    this.widen();
    const choices = [...this.svg.querySelectorAll(".target")];
    const targets = choices.length ? choices : [...this.svg.querySelectorAll(".scoring")]; // or what the end of the turn scores
    const fresh = targets.length > 0 && !this.offered;
    this.offered = targets.length > 0;
    this.minimap.refresh();
    if (this.view[2] >= this.home[2] || !targets.length) return;
    const hinted = targets.find((target) => target.classList.contains("hinted"));
    if (hinted) return this.bring([hinted]);
    if (fresh || !targets.some((target) => this.holds(this.view, this.bounds(target).ring))) this.bring(targets);
  }

  // What a target shows, in units of the map: its ring, and this with its price, in a lesson also with what it says.
  bounds(target) {
    const said = document.querySelector("#prompt.lesson") ? ", .callout" : "";
    const around = (parts) => {
      const boxes = [...target.querySelectorAll(parts)].map((part) => part.getBoundingClientRect());
      const first = this.point(Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top)));
      return [...first, ...this.point(Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom)))];
    };
    const ring = [".glow", ".hit", ".ring"].find((part) => target.querySelector(part));
    return { ring: around(ring), whole: around(`${ring}, .shield text, .ticket${said}`) };
  }

  holds([x, y, width, height], [left, top, right, bottom]) {
    return left >= x && top >= y && right <= x + width && bottom <= y + height;
  }

  // When a choice begins while only a part of the map is in sight: as much as can be of what can be chosen comes into it.
  bring(targets) {
    const shown = targets.map((target) => this.bounds(target));
    if (shown.every(({ whole }) => this.holds(this.view, whole))) return;
    const [, , width, height] = this.view;
    const zoomed = Math.abs(width - this.standard) > 1;
    const least = LEAST[document.getElementById("table").dataset.cut];
    const sizes = zoomed ? [width] : [this.drawn, this.drawn / least]; // a little smaller, if more has room then
    const views = sizes.map((wide) => this.holding(shown, wide, (height * wide) / width));
    const best = views.reduce((found, other) => (other.most > found.most ? other : found));
    if (!zoomed) [, , this.standard] = best.view;
    this.show(best.view);
    this.minimap.settle();
  }

  // The window that holds most rings, and most of them with their prices; of those the one nearest to the middle of all.
  holding(shown, width, height) {
    const worth = (view) => shown.reduce((sum, { ring, whole }) => sum + 2 * this.holds(view, ring) + this.holds(view, whole), 0);
    const starts = (axis, length) => { // in the middle, or with something at one of its ends
      const firsts = shown.flatMap(({ ring, whole }) => [ring[axis], whole[axis]]);
      const lasts = shown.flatMap(({ ring, whole }) => [ring[axis + 2], whole[axis + 2]]);
      const middle = (Math.min(...firsts) + Math.max(...lasts) - length) / 2;
      return [middle, ...new Set([...firsts.map((first) => first - EDGE), ...lasts.map((last) => last + EDGE - length)])];
    };
    const [columns, rows] = [starts(0, width), starts(1, height)];
    let best = { most: -1 };
    for (const x of columns) {
      for (const y of rows) {
        const view = [x, y, width, height];
        const [most, apart] = [worth(view), Math.hypot(x - columns[0], y - rows[0])];
        if (most > best.most || (most === best.most && apart < best.apart)) best = { view, most, apart };
      }
    }
    const views = [this.within(best.view), this.within(best.view, 0)]; // near a border with all that is written there
    const view = views.find((tried) => worth(tried) === Math.max(...views.map(worth)));
    return { view, most: worth(view) };
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
