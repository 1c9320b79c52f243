// Where only a part of the map is in sight: the whole in small, and arrows to what can be chosen outside.

const SVG = "http://www.w3.org/2000/svg";
const INSET = 26; // pixels of an arrow from the edge
const APART = 46; // of two arrows, and of an arrow and a place to choose
const STEP = 6; // in which room is looked for
const CORNERS = ["bottom-left", "bottom-right", "top-right", "top-left"]; // where the small map may lie, the best first

const element = (name, attributes) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

const priced = (target) => target.querySelector(".shield text, .ticket text")?.textContent;

// How much two boxes have in common, in square pixels.
const shared = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

export class Minimap {
  constructor(board) {
    this.board = board;
    this.edges = board.map.querySelector("#edges");
    this.button = board.map.querySelector(".minimap");
    this.draw();
    this.button.addEventListener("click", (event) => this.look(event));
  }

  // The land of the map itself, drawn a second time.
  draw() {
    this.small = element("svg", { viewBox: this.board.home.join(" ") });
    for (const shape of this.board.svg.querySelectorAll("#ground .land > use.region")) {
      const { id } = shape;
      const copy = shape.cloneNode();
      if (id) copy.removeAttribute("id");
      this.small.append(copy);
    }
    this.aims = element("g", { class: "aim" });
    this.sight = element("rect", { class: "sight", rx: 14 });
    this.small.append(this.aims, this.sight);
    this.button.replaceChildren(this.small);
  }

  get windowed() {
    return this.board.map.classList.contains("windowed");
  }

  get targets() {
    return [...this.board.svg.querySelectorAll(".target")].filter((target) => target.querySelector("circle.hit"));
  }

  middle(target) {
    const hit = target.querySelector("circle.hit");
    return [Number(hit.getAttribute("cx")), Number(hit.getAttribute("cy"))];
  }

  // What can be chosen has changed.
  refresh() {
    if (!this.windowed) return;
    this.aims.replaceChildren(...this.targets.map((target) => {
      const [cx, cy] = this.middle(target);
      return element("circle", { cx, cy, r: 26 });
    }));
    this.show();
    this.settle();
  }

  // The small map lies in the corner where it hides nothing that can be chosen, and least of plates, names and discs; it
  // is smaller where no corner is free.
  settle() {
    if (!this.windowed) return;
    const boxes = (things) => [...things].map((thing) => thing.getBoundingClientRect());
    const kinds = [
      [100, boxes(this.targets.flatMap((target) => [...target.querySelectorAll("circle.hit, .shield, .ticket")]))],
      [20, boxes(document.querySelectorAll(".looking, .turn-note"))],
      [4, boxes(this.board.svg.querySelectorAll("#plates > *"))],
      [4, boxes(this.board.svg.querySelectorAll("text.name"))],
      [2, boxes(this.board.svg.querySelectorAll("#places circle.rim"))],
    ];
    const over = (box, things) => things.reduce((sum, other) => sum + shared(box, other), 0);
    const tried = [];
    for (const small of [false, true]) {
      this.button.classList.toggle("small", small);
      for (const corner of CORNERS) {
        this.button.dataset.corner = corner;
        const box = this.button.getBoundingClientRect();
        tried.push({ small, corner, cost: kinds.reduce((cost, [weight, things]) => cost + weight * over(box, things), 0), free: !over(box, kinds[0][1]) });
      }
      if (tried.some(({ free }) => free)) break;
    }
    const best = tried.reduce((least, other) => (other.cost < least.cost ? other : least));
    this.button.classList.toggle("small", best.small);
    this.button.dataset.corner = best.corner;
    this.point();
  }

  // The part in sight has changed.
  show() {
    if (!this.windowed) return this.edges.replaceChildren();
    const [x, y, width, height] = this.board.view;
    for (const [key, value] of Object.entries({ x, y, width, height })) this.sight.setAttribute(key, value);
    this.point();
  }

  // An arrow at the edge to everything that can be chosen outside; none lies below the small map.
  point() {
    const [x, y, width, height] = this.board.view;
    const small = this.button.getBoundingClientRect();
    const box = this.board.map.getBoundingClientRect();
    const placed = []; // what an arrow may not cover: targets in sight with their prices, and other arrows
    const outside = [];
    for (const target of this.targets) {
      const [cx, cy] = this.middle(target);
      const at = [((cx - x) / width) * box.width, ((cy - y) / height) * box.height];
      const sign = target.querySelector(".shield, .ticket")?.getBoundingClientRect();
      if (at.some((value, axis) => value <= 8 || value >= [box.width, box.height][axis] - 8)) outside.push([target, at]);
      else placed.push(at, ...(sign ? [[sign.left + sign.width / 2 - box.left, sign.top + sign.height / 2 - box.top]] : []));
    }
    const sides = new Set();
    const arrows = [];
    for (const [target, at] of outside) {
      const spot = at.map((value, axis) => Math.max(INSET, Math.min([box.width, box.height][axis] - INSET, value)));
      const along = at[0] < 8 || at[0] > box.width - 8 ? 1 : 0; // which way there is room
      const side = `${along}${at[1 - along] < 8}`;
      if (!priced(target) && sides.has(side)) continue; // towns to begin in are many: one arrow for all on that side
      const under = ([left, top]) => shared({ left: box.left + left - INSET, right: box.left + left + INSET, top: box.top + top - INSET, bottom: box.top + top + INSET }, small) > 0;
      const free = this.room(spot, along, [box.width, box.height][along], (tried) => under(tried) || placed.some((other) => Math.hypot(other[0] - tried[0], other[1] - tried[1]) < APART));
      if (!free) continue;
      sides.add(side);
      placed.push(free);
      arrows.push(this.arrow(target, free, Math.atan2(at[1] - free[1], at[0] - free[0])));
    }
    this.edges.replaceChildren(...arrows);
  }

  // The nearest spot along an edge that covers nothing.
  room(spot, along, length, taken) {
    for (let step = 0; step * STEP < length; step += 1) {
      for (const way of [1, -1]) {
        const tried = [...spot];
        tried[along] += way * step * STEP;
        if (tried[along] < INSET || tried[along] > length - INSET) continue;
        if (!taken(tried)) return tried;
      }
    }
    return null;
  }

  arrow(target, [left, top], angle) {
    const price = priced(target) ?? "•"; // a starting town has none
    const name = target.dataset.place ?? "";
    const button = Object.assign(document.createElement("button"), { type: "button", className: "edge", textContent: price });
    button.dataset.place = name;
    button.setAttribute("aria-label", this.edges.dataset.label.replace("{place}", name));
    button.style.translate = `${left}px ${top}px`;
    button.style.setProperty("--way", `${angle - (3 * Math.PI) / 4}rad`);
    button.addEventListener("click", () => this.board.bring([target]));
    return button;
  }

  // A press on the small map: that part comes into sight.
  look(event) {
    const box = this.button.getBoundingClientRect();
    const [left, top, wide, high] = this.board.home;
    const [, , width, height] = this.board.view;
    const at = [left + ((event.clientX - box.left) / box.width) * wide, top + ((event.clientY - box.top) / box.height) * high];
    this.board.show(this.board.within([at[0] - width / 2, at[1] - height / 2, width, height]));
  }
}
