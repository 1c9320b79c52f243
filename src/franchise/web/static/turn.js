// The player's own turn: choosing places by pointer or key, what they would do, buttons, undo.

import { send, status } from "./parts.js";

const SLACK = 4; // pixels by which a row of steps or chips may be higher than its place
const PATIENCE_MS = 400; // until it is said that something is on its way
const COARSE = window.matchMedia("(pointer: coarse)");

export class Turn {
  constructor(url, board) {
    this.url = url;
    this.board = board;
    this.byKey = false;
    this.busy = false;
    this.chosen = null; // the place that is previewed by a tap, or whose ways are shown
    this.sending = document.getElementById("sending");
    const svg = board.svg;
    svg.addEventListener("click", (event) => {
      if (event.detail > 1 && !COARSE.matches) return; // of a double click, whose first one may be answered by now
      const target = board.nearest(event.clientX, event.clientY) ?? event.target.closest(".target");
      if (target) this.tap(target);
      else {
        this.forget();
        this.why(event.target.closest(".place"));
      }
    });
    document.addEventListener("change", (event) => {
      if (event.target.id === "why-place") this.answer(event.target.value);
    });
    for (const kind of ["pointerover", "focusin"]) {
      svg.addEventListener(kind, (event) => this.hover(event.target.closest(".target"), event));
    }
    for (const kind of ["pointerout", "focusout"]) {
      svg.addEventListener(kind, () => { if (!this.chosen) this.forget(); });
    }
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointerdown", () => { this.byKey = false; });
    document.addEventListener("submit", (event) => this.submit(event));
    window.addEventListener("resize", () => this.fold());
  }

  get prompt() {
    return document.getElementById("prompt");
  }

  // The offers of a target stand in the list of places.
  ways(target) {
    return [...document.querySelectorAll(`#spots li[data-spot="${target.dataset.spot}"] button`)];
  }

  hover(target, event) {
    if (!target || this.chosen || event.pointerType === "touch") return;
    const [way] = this.ways(target);
    if (way) this.preview(target, way);
  }

  // A finger previews first; a pointer has seen what it would do already.
  tap(target) {
    const ways = this.ways(target);
    const { back } = target.dataset;
    if (!ways.length) return back && this.takeBack(back);
    if (back) {
      this.preview(target, ways[0]);
      this.offer(ways, back);
      this.chosen = target.dataset.spot;
      return;
    }
    const again = this.chosen === target.dataset.spot;
    if (COARSE.matches && !this.byKey && !again) {
      this.forget();
      this.preview(target, ways[0]);
      if (ways.length > 1) this.offer(ways);
      this.chosen = target.dataset.spot;
      return;
    }
    if (ways.length === 1 || (again && COARSE.matches)) this.play(ways[0].dataset.moves);
    else {
      this.preview(target, ways[0]);
      this.offer(ways);
      this.chosen = target.dataset.spot;
      if (this.byKey) this.prompt.querySelector(".ways button").focus();
    }
  }

  // What a move would do, in the bar, on the cards and beside the place; nothing changes its size.
  preview(target, way) {
    const { title, outlook, verb, moves, cash, supply, gains } = way.dataset;
    const prompt = this.prompt;
    prompt.classList.add("previewing");
    const heading = document.getElementById("prompt-title");
    this.title ??= heading.innerHTML;
    if (!prompt.classList.contains("lesson")) heading.textContent = title; // a lesson keeps its own
    const line = prompt.querySelector(".preview");
    line.textContent = outlook;
    line.hidden = false;
    this.share();
    const main = prompt.querySelector("[data-slot=main]");
    if (main) {
      this.main ??= { html: main.innerHTML, label: main.getAttribute("aria-label"), moves: main.dataset.moves, disabled: main.disabled, name: main.className };
      main.replaceChildren(Object.assign(document.createElement("span"), { textContent: verb }));
      main.removeAttribute("aria-label"); // what it says is what it does
      main.dataset.moves = moves;
      main.disabled = false;
      main.className = "primary";
    }
    this.ghosts({ cash, supply }, gains.split(" ").map(Number));
    target.classList.add("previewed");
  }

  ghosts(facts, gains) {
    const own = document.querySelector(".player.active");
    for (const [name, after] of Object.entries(facts)) {
      const now = own?.querySelector(`.${name} dd`);
      if (!now || now.textContent.trim() === after) continue;
      now.append(Object.assign(document.createElement("span"), { className: "ghost preview-ghost", textContent: after }));
    }
    gains.forEach((gain, seat) => {
      const place = document.querySelector(`#player-${seat} .gain`);
      if (!place) return;
      place.dataset.own ??= place.innerHTML;
      if (gain) place.innerHTML = `<span class="ghost">+${gain}</span>`;
      if (gain) this.ghostToken(seat, gain);
    });
  }

  // Where a token would stand: the road says itself where its miles lie.
  ghostToken(seat, gain) {
    const token = document.getElementById(`token-${seat}`);
    const miles = [...document.querySelectorAll("#road .miles text")];
    if (!token || !miles.length) return;
    const [first, last] = [miles[0], miles.at(-1)].map((mile) => parseFloat(mile.getAttribute("x")));
    const length = Number(miles.at(-1).textContent);
    const ghost = token.cloneNode(true);
    ghost.removeAttribute("id");
    ghost.setAttribute("class", "ghost preview-ghost");
    ghost.setAttribute("x", `${first + ((last - first) * ((Number(token.dataset.influence) + gain) % length)) / length}%`);
    token.before(ghost);
  }

  takeBack(place) {
    return this.request(`${this.url}/take-back`, { place });
  }

  // Several ways to use a place, above the bar; perhaps also the way back.
  offer(ways, back) {
    const row = this.prompt.querySelector(".ways");
    row.replaceChildren(...ways.map((way) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: way.dataset.text });
      button.dataset.moves = way.dataset.moves;
      button.addEventListener("click", () => this.play(way.dataset.moves));
      return button;
    }));
    if (back) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: row.dataset.back });
      button.addEventListener("click", () => this.takeBack(back));
      row.append(button);
    }
    row.hidden = false;
    this.prompt.classList.add("choosing");
  }

  // The bar as it was before the preview.
  forget() {
    this.chosen = null;
    this.board.hush();
    for (const target of this.board.svg.querySelectorAll(".previewed")) target.classList.remove("previewed");
    const prompt = this.prompt;
    if (!prompt.classList.contains("previewing")) return;
    prompt.classList.remove("previewing", "choosing");
    prompt.querySelector(".preview").hidden = true;
    prompt.querySelector(".ways").hidden = true;
    document.getElementById("prompt-title").innerHTML = this.title;
    this.title = null;
    this.share();
    const main = prompt.querySelector("[data-slot=main]");
    if (main && this.main) {
      main.innerHTML = this.main.html;
      if (this.main.label) main.setAttribute("aria-label", this.main.label);
      main.disabled = this.main.disabled;
      main.className = this.main.name;
      if (this.main.moves === undefined) delete main.dataset.moves;
      else main.dataset.moves = this.main.moves;
    }
    this.main = null;
    for (const ghost of document.querySelectorAll(".preview-ghost")) ghost.remove();
    for (const place of document.querySelectorAll(".gain[data-own]")) {
      place.innerHTML = place.dataset.own;
      delete place.dataset.own;
    }
  }

  // Out of the ways of a place, back to the place.
  leave() {
    const left = this.prompt.classList.contains("choosing") && this.board.svg.querySelector(`.target[data-spot="${this.chosen}"]`);
    this.forget();
    if (left) left.focus();
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
    document.getElementById("spoken").textContent = `${hint.querySelector("ol").textContent} ${hint.querySelector("p").textContent}`;
    if (this.byKey) this.prompt.querySelector("[data-slot=main]").focus();
  }

  // One thing at a time: a double click is one click.
  async request(url, values) {
    if (this.busy) return;
    this.busy = true;
    this.forget();
    document.body.classList.add("sending");
    const told = setTimeout(() => { this.sending.textContent = document.getElementById("table").dataset.sending; }, PATIENCE_MS);
    try {
      await send(url, values);
    } finally {
      this.busy = false;
      clearTimeout(told);
      this.sending.textContent = "";
      document.body.classList.remove("sending");
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
    if (target && (event.key === "Enter" || event.key === " ")) this.tap(target);
    else if (target && arrows[event.key]) this.walk(target, arrows[event.key]);
    else if (event.key === "Escape") this.leave();
    else if (key === "u") document.querySelector("[data-undo='']")?.click();
    else if (key === "r") document.querySelector("[data-undo=turn]")?.click();
    else if (key === "m") this.board.svg.querySelector(".target")?.focus();
    else if (key === "s") document.getElementById("skip")?.click();
    else if (key === "+" || key === "=") this.board.command("in");
    else if (key === "-") this.board.command("out");
    else if (key === "0") this.board.command("reset");
    else if (key === "?") document.getElementById("keys").showModal();
    else if (event.key === "Enter" && document.activeElement === document.body) this.prompt.querySelector("[data-slot=main]")?.click();
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
      const box = target.querySelector(".hit").getBoundingClientRect();
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

  // The bar has been drawn anew: nothing is previewed any more.
  refresh() {
    this.main = this.title = null;
    this.forget();
    this.fold();
  }

  // Where title and line share their room, the line has what a title of one line leaves.
  share() {
    const heading = this.prompt.querySelector(".ask h2");
    if (heading) this.prompt.classList.toggle("two-lines", heading.clientHeight > 1.5 * parseFloat(getComputedStyle(heading).lineHeight));
  }

  // Finished steps keep their names, and chips stay, where there is room for all; else a tick, and a number at the end
  // that shows them, all, above the bar.
  fold() {
    this.share();
    for (const steps of this.prompt.querySelectorAll(".steps")) {
      steps.classList.add("whole");
      steps.classList.toggle("whole", steps.scrollHeight <= steps.clientHeight + SLACK);
    }
    for (const row of this.prompt.querySelectorAll(".chips")) {
      row.querySelector(".more")?.remove();
      const chips = [...row.children];
      for (const chip of chips) chip.hidden = false;
      const fits = () => row.scrollWidth <= row.clientWidth && row.scrollHeight <= row.clientHeight + SLACK;
      if (fits()) continue;
      const more = row.appendChild(Object.assign(document.createElement("li"), { className: "chip more" }));
      for (let folded = 1; folded < chips.length; folded += 1) {
        const rest = chips.slice(-folded);
        rest[0].hidden = true;
        const number = Object.assign(document.createElement("button"), { type: "button", textContent: `+${folded}` });
        const words = Object.assign(document.createElement("span"), { className: "rest", textContent: rest.map((chip) => chip.textContent).join(", ") });
        more.replaceChildren(number, words);
        if (fits()) break;
      }
    }
  }
}
