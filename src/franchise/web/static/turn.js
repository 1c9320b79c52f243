// The player's own turn: choosing places by pointer or key, buttons, undo.

import { send, status } from "./parts.js";

export class Turn {
  constructor(url, board) {
    this.url = url;
    this.board = board;
    this.chooser = document.getElementById("chooser");
    this.byKey = false;
    this.busy = false;
    const svg = board.svg;
    svg.addEventListener("click", (event) => {
      const target = board.nearest(event.clientX, event.clientY) ?? event.target.closest(".target");
      if (target) this.choose(target);
      else this.why(event.target.closest(".place"));
    });
    document.addEventListener("change", (event) => {
      if (event.target.id === "why-place") this.answer(event.target.value);
    });
    for (const kind of ["pointerover", "focusin"]) {
      svg.addEventListener(kind, (event) => this.tell(event.target.closest(".target")));
    }
    for (const kind of ["pointerout", "focusout"]) svg.addEventListener(kind, () => board.hush());
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointerdown", () => { this.byKey = false; });
    document.addEventListener("submit", (event) => this.submit(event));
    this.chooser.addEventListener("click", (event) => {
      const moves = event.target.closest("button[data-moves]")?.dataset.moves;
      if (!moves) return;
      this.chooser.close();
      this.play(moves);
    });
  }

  // The offers of a target stand in the list of places.
  ways(target) {
    return [...document.querySelectorAll(`#spots li[data-spot="${target.dataset.spot}"] button`)];
  }

  tell(target) {
    if (!target) return;
    const ways = this.ways(target);
    if (!ways.length) return;
    const name = target.dataset.place ?? target.dataset.region;
    this.board.say(target, `${name}: ${ways[0].dataset.text}`, ways[0].dataset.outlook);
  }

  choose(target) {
    const ways = this.ways(target);
    if (ways.length === 1) return this.play(ways[0].dataset.moves);
    const title = this.chooser.querySelector("h2");
    title.textContent = target.dataset.place ?? target.dataset.region;
    this.chooser.querySelector(".ways").replaceChildren(...ways.map((way) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.moves = way.dataset.moves;
      const small = Object.assign(document.createElement("small"), { textContent: way.dataset.outlook });
      button.append(Object.assign(document.createElement("span"), { textContent: way.dataset.text }), small);
      return button;
    }));
    this.chooser.showModal();
  }

  // Why a place cannot be chosen: asked by tapping it, or in the list under the prompt.
  async why(place) {
    if (!place || status().acts !== "1" || !document.getElementById("why")) return;
    const name = place.dataset.place;
    this.board.say(place, name, await this.reason(name));
    setTimeout(() => this.board.hush(), 4500);
  }

  async answer(name) {
    const output = document.querySelector("#why output");
    output.textContent = name ? await this.reason(name) : "";
  }

  async reason(name) {
    const answer = await fetch(`${this.url}/why?place=${encodeURIComponent(name)}`);
    return answer.ok ? answer.text() : "";
  }

  async play(moves) {
    await this.request(`${this.url}/move`, { moves });
  }

  // What a bot would do: it is read out, and whoever asked by key can go on from there.
  async ask(button) {
    button.setAttribute("aria-busy", "true");
    await this.request(`${this.url}/hint`, {});
    const hint = document.getElementById("hint");
    if (!hint) return;
    document.getElementById("spoken").textContent = hint.querySelector("ol").innerText + " " + hint.querySelector("p").innerText;
    hint.scrollIntoView({ block: "nearest" });
    if (this.byKey) hint.querySelector("button").focus();
  }

  // One thing at a time: a double click is one click.
  async request(url, values) {
    if (this.busy) return;
    this.busy = true;
    this.board.hush();
    try {
      await send(url, values);
    } finally {
      this.busy = false;
    }
    if (this.byKey && document.activeElement === document.body) {
      (this.board.svg.querySelector(".target") ?? document.getElementById("prompt-title"))?.focus();
    }
  }

  submit(event) {
    const button = event.submitter;
    if (button?.dataset.moves) {
      event.preventDefault();
      this.play(button.dataset.moves);
    } else if (button?.dataset.undo !== undefined) {
      event.preventDefault();
      this.request(`${this.url}/undo`, { turn: button.dataset.undo === "turn" });
    } else if (button?.dataset.hint !== undefined) {
      event.preventDefault();
      this.ask(button);
    }
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select, dialog[open]")) return;
    this.byKey = true;
    const target = document.activeElement?.closest?.(".target");
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const key = event.key.toLowerCase();
    if (target && (event.key === "Enter" || event.key === " ")) this.choose(target);
    else if (target && arrows[event.key]) this.walk(target, arrows[event.key]);
    else if (key === "u") document.querySelector("[data-undo='']")?.click();
    else if (key === "r") document.querySelector("[data-undo=turn]")?.click();
    else if (key === "m") this.board.svg.querySelector(".target")?.focus();
    else if (key === "s") document.getElementById("skip").click();
    else if (key === "+" || key === "=") this.board.command("in");
    else if (key === "-") this.board.command("out");
    else if (key === "0") this.board.command("reset");
    else if (key === "?") document.getElementById("keys").showModal();
    else {
      const button = document.querySelector(`#prompt [data-key="${CSS.escape(key)}"]`);
      if (!button) return;
      button.click();
    }
    event.preventDefault();
  }

  // The next target in a direction: near, and rather straight ahead than aside.
  walk(from, [dx, dy]) {
    const middle = (target) => {
      const box = target.querySelector(".glow").getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const [x, y] = middle(from);
    let found = null;
    let least = Infinity;
    for (const target of this.board.svg.querySelectorAll(".target")) {
      if (target === from) continue;
      const [tx, ty] = middle(target);
      const ahead = (tx - x) * dx + (ty - y) * dy;
      const aside = Math.abs((tx - x) * dy) + Math.abs((ty - y) * dx);
      if (ahead > 1 && ahead + 2 * aside < least) [found, least] = [target, ahead + 2 * aside];
    }
    found?.focus();
  }

  refresh() {
    if (status().acts !== "1") this.chooser.close();
  }
}
