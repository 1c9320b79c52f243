// Following the others: every change of the table comes as an event; they are shown one after the other.

import { load, settled, status } from "./parts.js";
import { Schedule } from "./schedule.js";

const CALM = window.matchMedia("(prefers-reduced-motion: reduce)");
const FAR_BEHIND = 60; // changes; from there on it is quicker to jump
const AGAIN_MS = 3_000; // until what could not be loaded is asked for again
const LEFT_MS = 60_000; // out of sight for so long, the page is not in front of anybody
const PACES = ["1", "0.4", "0"]; // of the schedule's times; the last one: at once

export class Follower {
  constructor(id, url, board, flights) {
    this.id = id;
    this.url = url;
    this.board = board;
    this.flights = flights;
    this.latest = Number(status().version);
    this.heard = new Map(); // versions that are still to be shown: who made them
    this.passing = new Set(); // versions made here, and what others take back: neither is told
    this.schedule = new Schedule();
    this.shown = "";
    this.looking = false; // at an earlier moment
    this.running = false;
    this.outdated = false; // something else has changed while moves were shown
    this.paused = false;
    const kept = localStorage.getItem("pace");
    this.pace = PACES.includes(kept) ? kept : "1";
    document.addEventListener("click", (event) => this.press(event.target.closest("button")));
    if (document.getElementById("table").dataset.alone === undefined) this.connect();
  }

  press(button) {
    if (button?.dataset.pace !== undefined) this.choosePace(button.dataset.pace);
    else if (button?.id === "pause") this.hold(!this.paused);
    else if (button?.id === "skip-turn") this.skipTurn();
    else if (button?.id === "skip") this.jump();
  }

  // How long each move of the others stays in sight; the browser remembers the choice.
  choosePace(pace) {
    this.pace = pace;
    localStorage.setItem("pace", pace);
    if (pace === "0") this.jump();
    this.buttons();
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
        this.look();
        document.dispatchEvent(new CustomEvent("table:chat"));
      }
    });
  }

  // `hidden` tells the server that nobody looks, so that messages about their turn are sent.
  listen(hidden) {
    this.source?.close();
    this.hidden = hidden;
    const known = `after=${this.latest}&reseated=${status().reseated}`; // whatever has happened since is told at once
    const source = new EventSource(`/api/tables/${this.id}/events?${known}${hidden ? "&hidden=1" : ""}`);
    this.source = source;
    source.addEventListener("open", () => {
      this.connection("on");
      this.catchUp();
    });
    source.addEventListener("error", () => this.connection("off"));
    for (const kind of ["message", "seats", "chat", "clock", "rematch", "nudge"]) {
      source.addEventListener(kind, (event) => this.take(JSON.parse(event.data)));
    }
  }

  connection(state) {
    this.state = state;
    const light = document.querySelector(".connection");
    light.classList.toggle("on", state === "on");
    light.classList.toggle("off", state === "off");
  }

  // The table as it is now: after the moves of others that are being shown, and not while an earlier moment is looked at.
  look() {
    this.outdated = this.running;
    if (!this.looking && !this.running) load(`${this.url}/scene`);
  }

  take(update) {
    if (["chat", "nudge"].includes(update.kind)) document.dispatchEvent(new CustomEvent(`table:${update.kind}`));
    else if (["seats", "clock", "rematch"].includes(update.kind)) this.look();
    else if (update.version > this.latest) {
      this.latest = update.version;
      this.heard.set(update.version, update.seat);
      if (update.kind === "undo" || status().mine.split(" ").includes(String(update.seat))) this.passing.add(update.version);
      this.run();
    }
  }

  // Show what has not been shown yet, one change at a time. The answer to a move of one's own may still be on its way
  // when its event arrives: what the page shows then is known only afterwards.
  async run() {
    if (this.running || this.looking) return;
    this.running = true;
    try {
      await settled();
      let version = Number(status().version);
      let afresh = this.schedule.idle(performance.now());
      while (version < this.latest && !this.looking) {
        if (!this.skipped && !this.atOnce(version)) await this.rest(version);
        await this.held();
        if (this.looking) break;
        this.schedule.ask(performance.now(), afresh);
        afresh = false;
        await load(`${this.url}/scene${this.next(version)}`);
        await settled();
        const now = Number(status().version);
        if (now <= version) break; // it could not be loaded
        for (; version < now; version += 1) this.heard.delete(version);
        this.schedule.show(performance.now(), status().turn, {
          pace: Number(this.pace), flying: this.flying, calm: CALM.matches, silent: status().spoken === "",
        });
        this.buttons();
        if (status().turn !== this.skipped) this.skipped = null;
      }
    } finally {
      this.running = false;
      this.hurry = false;
      this.skipped = null;
      this.hold(false);
      if (this.outdated) this.look();
      clearTimeout(this.later);
      if (this.behind) this.later = setTimeout(() => this.catchUp(), AGAIN_MS);
    }
  }

  get behind() {
    return Number(status().version) < this.latest;
  }

  // Show what could not be loaded when it was told; without a connection, that has to wait for one.
  catchUp() {
    if (this.behind && this.state === "on") this.run();
  }

  atOnce(version) {
    return this.latest - version > FAR_BEHIND || this.hurry || this.pace === "0" || document.hidden;
  }

  // The changes after a version that belong to the same turn, as far as they are known.
  following(version) {
    const seat = this.heard.get(version);
    const found = [];
    if (seat === undefined) return found;
    for (let next = version + 1; next <= this.latest && this.heard.get(next) === seat; next += 1) {
      if (!this.passing.has(next)) found.push(next);
    }
    return found;
  }

  // What is shown after a version: the next change that somebody else made, or the table as it is now.
  next(version) {
    if (this.atOnce(version)) return "";
    const following = this.following(version);
    if (following.length) return `?version=${following[this.schedule.leftOut(performance.now(), Number(this.pace), following.length)]}`;
    let next = version + 1;
    while (next < this.latest && this.passing.has(next)) next += 1;
    return `?version=${next}`;
  }

  rest(version) {
    const pause = this.schedule.rest(performance.now(), Number(this.pace), this.following(version).length);
    return pause && new Promise((done) => {
      this.wake = done;
      setTimeout(done, pause);
    });
  }

  // While somebody holds the table, no time passes for it.
  async held() {
    const since = performance.now();
    await this.resumed;
    this.schedule.putOff(performance.now() - since);
  }

  hold(paused) {
    if (paused !== this.paused) {
      this.paused = paused;
      if (paused) this.resumed = new Promise((go) => { this.goOn = go; });
      else this.goOn?.();
    }
    this.buttons();
  }

  skipTurn() {
    this.skipped = status().turn;
    this.hold(false);
    this.wake?.();
  }

  jump() {
    this.hurry = true;
    this.hold(false);
    this.wake?.();
  }

  // The slots of the bar while others play: always there, in use while there is something to see.
  buttons() {
    const behind = this.running && this.behind;
    for (const id of ["pause", "skip-turn", "skip"]) {
      const button = document.getElementById(id);
      if (button) button.disabled = !behind;
    }
    document.getElementById("pause")?.setAttribute("aria-pressed", String(this.paused));
    for (const button of document.querySelectorAll("[data-pace]")) {
      button.setAttribute("aria-pressed", String(button.dataset.pace === this.pace));
    }
  }

  // Until what a turn has set in motion has arrived, the bar says whose it was.
  tell(span) {
    clearTimeout(this.telling);
    const title = document.getElementById("prompt-title");
    title?.classList.add("telling");
    this.telling = setTimeout(() => title?.classList.remove("telling"), span);
  }

  // After a swap: light up what the move was about, let its points fly, and say it. True where something is new.
  refresh() {
    const now = status();
    this.connection(this.state ?? "on");
    this.buttons();
    clearTimeout(this.again); // what can be done about somebody absent is a matter of time
    if (now.again) this.again = setTimeout(() => this.look(), 1000 * Number(now.again));
    const moment = `${now.version}/${now.moves}`;
    if (moment === this.shown) return false;
    const first = this.shown === "";
    this.shown = moment;
    this.latest = Math.max(this.latest, Number(now.version));
    this.board.light(first ? [] : JSON.parse(now.touched));
    document.getElementById("spoken").textContent = first ? "" : now.spoken;
    this.flying = 0; // milliseconds until points have arrived
    const flights = first || this.pace === "0" || document.hidden ? [] : JSON.parse(now.flights);
    if (CALM.matches || !flights.length) this.flights.stand(flights);
    else {
      const arrived = this.flights.show(flights, Number(this.pace));
      if (flights.some((flight) => flight.kind === "points")) this.flying = arrived;
      this.tell(arrived);
    }
    return !first;
  }
}
