// Where only a part of the map is in sight: the whole in small, and arrows to what can be chosen outside.

const SVG = "http://www.w3.org/2000/svg";
const INSET = 26; // pixels of an arrow from the edge
const APART = 46; // of two arrows
const CORNERS = ["bottom-left", "bottom-right", "top-right", "top-left"]; // where the small map may lie, the best first

const element = (name, attributes) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

export class Surroundings {
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

  // The small map lies in a corner where it hides nothing that can be chosen.
  settle() {
    const hits = this.targets.map((target) => target.querySelector("circle.hit").getBoundingClientRect());
    const apart = (box, hit) => hit.right < box.left || hit.left > box.right || hit.bottom < box.top || hit.top > box.bottom;
    for (const corner of [...CORNERS, CORNERS[0]]) {
      this.button.dataset.corner = corner;
      const box = this.button.getBoundingClientRect();
      if (hits.every((hit) => apart(box, hit))) return;
    }
  }

  // The part in sight has changed.
  show() {
    if (!this.windowed) return this.edges.replaceChildren();
    const [x, y, width, height] = this.board.view;
    for (const [key, value] of Object.entries({ x, y, width, height })) this.sight.setAttribute(key, value);
    const box = this.board.map.getBoundingClientRect();
    const placed = [];
    const arrows = [];
    for (const target of this.targets) {
      const [cx, cy] = this.middle(target);
      const [across, down] = [((cx - x) / width) * box.width, ((cy - y) / height) * box.height];
      if (across > 8 && across < box.width - 8 && down > 8 && down < box.height - 8) continue;
      const spot = [
        Math.max(INSET, Math.min(box.width - INSET, across)),
        Math.max(INSET, Math.min(box.height - INSET, down)),
      ];
      const beside = across < 8 || across > box.width - 8 ? 1 : 0; // which way there is room
      while (placed.some((other) => Math.hypot(other[0] - spot[0], other[1] - spot[1]) < APART)) spot[beside] += 8;
      placed.push(spot);
      arrows.push(this.arrow(target, spot, Math.atan2(down - spot[1], across - spot[0])));
    }
    this.edges.replaceChildren(...arrows);
  }

  arrow(target, [left, top], angle) {
    const price = target.querySelector(".shield text, .ticket text")?.textContent ?? "•"; // a starting town has no price
    const name = target.dataset.place ?? "";
    const button = Object.assign(document.createElement("button"), { type: "button", className: "edge", textContent: price });
    button.dataset.place = name;
    button.setAttribute("aria-label", this.edges.dataset.label.replace("{place}", name));
    button.style.translate = `${left}px ${top}px`;
    button.style.setProperty("--way", `${angle - (3 * Math.PI) / 4}rad`);
    button.addEventListener("click", () => this.board.bring([target.querySelector(".glow") ?? target]));
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
