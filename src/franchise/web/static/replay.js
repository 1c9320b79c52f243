// Looking back: the slider, the keys, and the lines of the log; `?move=N` in the address can be passed on.

import { load, status } from "./parts.js";

export class Replay {
  constructor(url, follower) {
    this.url = url;
    this.follower = follower;
    document.addEventListener("click", (event) => this.click(event));
    document.addEventListener("input", (event) => {
      if (event.target.id === "moment") this.go(Number(event.target.value));
    });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  start(looking) {
    if (looking !== undefined) this.follower.looking = true;
  }

  click(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const line = event.target.closest("#log a[data-move]");
    const step = event.target.closest("[data-step]");
    const now = event.target.closest("[data-now]");
    if (line) this.go(Number(line.dataset.move));
    else if (step) this.go(Number(status().moves) + Number(step.dataset.step));
    else if (now) this.now();
    else return;
    event.preventDefault();
  }

  key(event) {
    if (event.target.closest("input, textarea, select, dialog[open], .target")) return;
    if (document.getElementById("replay").hidden) return;
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
    if (!(event.key in steps)) return;
    this.go(Number(status().moves) + steps[event.key]);
    event.preventDefault();
  }

  go(move) {
    const last = Number(status().last);
    move = Math.max(0, Math.min(last, move));
    this.follower.looking = true;
    this.wanted = move;
    if (this.going) return;
    this.going = true;
    const next = async () => {
      while (this.wanted !== null) {
        const to = this.wanted;
        this.wanted = null;
        history.replaceState(null, "", `${this.url}?move=${to}`);
        await load(`${this.url}/scene?move=${to}`);
      }
      this.going = false;
    };
    next();
  }

  async now() {
    history.replaceState(null, "", this.url);
    this.follower.looking = false;
    await load(`${this.url}/scene`);
    this.follower.run();
  }
}
