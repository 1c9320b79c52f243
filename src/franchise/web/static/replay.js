// Looking back: the slider, the keys, and the lines of the log; `?move=N` in the address can be passed on.

import { load, status } from "./parts.js";

const PLAY_MS = 900;

export class Replay {
  constructor(url, follower) {
    this.url = url;
    this.follower = follower;
    document.addEventListener("click", (event) => this.click(event));
    document.addEventListener("input", (event) => {
      if (event.target.id === "moment") this.go(Number(event.target.value));
    });
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("popstate", () => {
      const move = new URLSearchParams(location.search).get("move");
      if (move === null) this.now(true);
      else this.go(Number(move), true);
    });
  }

  start(looking) {
    if (looking !== undefined) this.follower.looking = true;
  }

  click(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const line = event.target.closest("#log a[data-move], #news a[data-move]");
    const watch = event.target.closest("[data-watch]");
    const step = event.target.closest("[data-step]");
    const now = event.target.closest("[data-now]");
    if (line) this.go(Number(line.dataset.move));
    else if (watch) this.watch(Number(watch.dataset.watch));
    else if (step) this.go({ first: 0, last: Infinity }[step.dataset.step] ?? Number(status().moves) + Number(step.dataset.step));
    else if (event.target.closest("[data-play]")) this.play(!this.playing);
    else if (now) this.now();
    else return;
    event.preventDefault();
  }

  key(event) {
    if (event.target.closest("input, textarea, select, dialog[open], .target")) return;
    if (document.getElementById("replay").hidden) return;
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
    if (event.key === " ") {
      this.play(!this.playing);
      return event.preventDefault();
    }
    if (!(event.key in steps)) return;
    this.go(Number(status().moves) + steps[event.key]);
    event.preventDefault();
  }

  // From a moment on, move by move, until the end or until somebody stops it.
  async watch(move) {
    await this.go(move);
    this.play(true);
  }

  play(on) {
    this.playing = on;
    clearInterval(this.ticking);
    if (on) {
      this.ticking = setInterval(() => {
        if (Number(status().moves) >= Number(status().last)) this.play(false);
        else this.go(Number(status().moves) + 1);
      }, PLAY_MS);
    }
    document.querySelector("[data-play]")?.setAttribute("aria-pressed", String(on));
  }

  // The first look back is a step that the browser's Back takes back.
  async go(move, fromHistory = false) {
    const last = Number(status().last);
    move = Math.max(0, Math.min(last, move));
    if (!fromHistory) history[this.follower.looking ? "replaceState" : "pushState"](null, "", `${this.url}?move=${move}`);
    this.follower.looking = true;
    this.wanted = move;
    if (this.going) return;
    this.going = true;
    while (this.wanted !== null) {
      const to = this.wanted;
      this.wanted = null;
      await load(`${this.url}/scene?move=${to}`);
    }
    this.going = false;
    document.querySelector("[data-play]")?.setAttribute("aria-pressed", String(Boolean(this.playing)));
  }

  async now(fromHistory = false) {
    this.play(false);
    if (!fromHistory) history.replaceState(null, "", this.url);
    this.follower.looking = false;
    await load(`${this.url}/scene`);
    this.follower.run();
  }
}
