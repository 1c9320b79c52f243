// Following the others: every change of the table comes as an event; they are shown one after the other.

import { load, status } from "./parts.js";

const CALM = window.matchMedia("(prefers-reduced-motion: reduce)");
const FAR_BEHIND = 60; // changes; from there on it is quicker to jump
const LEFT_MS = 60_000; // out of sight for so long, the page is not in front of anybody

export class Follower {
  constructor(id, url, board) {
    this.id = id;
    this.url = url;
    this.board = board;
    this.latest = Number(status().version);
    this.choosePace(document.getElementById("pace"));
    this.shown = "";
    this.looking = false; // at an earlier moment
    this.running = false;
    this.skip = document.getElementById("skip");
    this.skip.addEventListener("click", () => this.jump());
    if (document.getElementById("table").dataset.alone === undefined) this.connect();
  }

  // How long each move of the others stays in sight; the browser remembers the choice.
  choosePace(select) {
    select.value = localStorage.getItem("pace") ?? "900";
    if (select.selectedIndex < 0) select.value = "900";
    this.pace = Number(select.value);
    select.addEventListener("change", () => {
      this.pace = Number(select.value);
      localStorage.setItem("pace", select.value);
      if (this.pace === 0) this.jump();
    });
  }

  connect() {
    this.listen(false);
    window.addEventListener("pagehide", () => this.source.close());
    window.addEventListener("pageshow", (event) => event.persisted && this.listen(false));
    document.addEventListener("visibilitychange", () => {
      clearTimeout(this.leaving);
      if (document.hidden) this.leaving = setTimeout(() => this.listen(true), LEFT_MS);
      else if (this.hidden) {
        this.listen(false);
        if (!this.looking && !this.running) load(`${this.url}/scene`);
        document.dispatchEvent(new CustomEvent("table:chat"));
      }
    });
  }

  // `hidden` tells the server that nobody looks, so that messages about their turn are sent.
  listen(hidden) {
    this.source?.close();
    this.hidden = hidden;
    const source = new EventSource(`/api/tables/${this.id}/events?after=${this.latest}${hidden ? "&hidden=1" : ""}`);
    this.source = source;
    source.addEventListener("open", () => this.connection("on"));
    source.addEventListener("error", () => this.connection("off"));
    for (const kind of ["message", "seats", "chat", "clock", "rematch"]) {
      source.addEventListener(kind, (event) => this.take(JSON.parse(event.data)));
    }
  }

  connection(state) {
    this.state = state;
    const light = document.querySelector(".connection");
    light.classList.toggle("on", state === "on");
    light.classList.toggle("off", state === "off");
  }

  take(update) {
    if (update.kind === "chat") document.dispatchEvent(new CustomEvent("table:chat"));
    else if (["seats", "clock", "rematch"].includes(update.kind)) {
      if (!this.looking && !this.running) load(`${this.url}/scene`);
    } else if (update.version > this.latest) {
      this.latest = update.version;
      this.run();
    }
  }

  // Show what has not been shown yet, one change at a time.
  async run() {
    if (this.running || this.looking) return;
    this.running = true;
    try {
      let version = Number(status().version);
      while (version < this.latest && !this.looking) {
        const behind = this.latest - version;
        this.skip.hidden = behind < 2;
        const jump = behind > FAR_BEHIND || this.hurry || this.pace === 0;
        await load(jump ? `${this.url}/scene` : `${this.url}/scene?version=${version + 1}`);
        const now = Number(status().version);
        if (now <= version) break; // the server is away: the next event tries again
        version = now;
        if (version < this.latest && !this.hurry) await this.rest();
      }
    } finally {
      this.running = false;
      this.hurry = false;
      this.skip.hidden = true;
    }
  }

  rest() {
    return new Promise((done) => {
      this.wake = done;
      setTimeout(done, CALM.matches ? this.pace / 2 : this.pace);
    });
  }

  jump() {
    this.hurry = true;
    this.wake?.();
  }

  // After a swap: light up what the move was about, let its points float, and say it.
  refresh() {
    const now = status();
    this.connection(this.state ?? "on");
    const moment = `${now.version}/${now.moves}`;
    if (moment === this.shown) return;
    const first = this.shown === "";
    this.shown = moment;
    this.latest = Math.max(this.latest, Number(now.version));
    this.board.light(first ? [] : JSON.parse(now.touched));
    document.getElementById("spoken").textContent = first ? "" : now.spoken;
    if (!first && !CALM.matches) this.board.float(JSON.parse(now.floats));
  }
}
