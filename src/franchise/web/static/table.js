// A table's page: puts the map, the moves, what others do, sound, and the replay together.

import { Board } from "./board.js";
import { Final } from "./final.js";
import { Flights } from "./flights.js";
import { Follower } from "./follow.js";
import { status } from "./parts.js";
import { Replay } from "./replay.js";
import { Sound } from "./sound.js";
import { Turn } from "./turn.js";
import { Panels } from "./panels.js";
import { notify } from "./turn_notification.js";

const CALM = window.matchMedia("(prefers-reduced-motion: reduce)");
const table = document.getElementById("table");
const { id, url } = table.dataset;

const board = new Board(document.querySelector(".map"));
const turn = new Turn(url, board);
const flights = new Flights(board);
const follower = new Follower(id, url, board, flights);
const replay = new Replay(url, follower);
const panels = new Panels(url, board);
const sound = new Sound(document.querySelectorAll("#sound, .sound-switch"));
const final = new Final();
const offline = document.getElementById("offline");

let tokens = flights.tokens();
let acted = status().acts === "1";
let refusal = "";
let alarmed = document.querySelector(".status.alarm") !== null;

function refresh() {
  const now = status();
  document.title = now.title;
  document.body.classList.toggle("over", now.finished === "1");
  document.body.classList.toggle("at-once", follower.pace === "0");
  document.body.classList.toggle("looking-back", !document.getElementById("replay").hidden);
  board.refresh();
  turn.refresh();
  const fresh = follower.refresh();
  panels.refresh();
  final.refresh();
  if (!CALM.matches && follower.pace !== "0") flights.drive(tokens, Number(follower.pace));
  tokens = flights.tokens();
  if (fresh) sound.play(...now.sounds.split(" ").filter(Boolean));
  const acts = now.acts === "1";
  if (acts !== acted) {
    panels.suggest(acts ? "news" : "log");
    if (acts) sound.play("turn");
    else if (!panels.teaching) sound.ask(); // there the guide stands in its place
  }
  const refused = document.querySelector("#prompt .notice")?.textContent ?? "";
  if (refused && refused !== refusal) sound.play("refused");
  refusal = refused;
  const alarm = document.querySelector(".status.alarm") !== null;
  if (alarm && !alarmed) sound.play("zone");
  [acted, alarmed] = [acts, alarm];
  notify();
}

// What somebody sent did not arrive, or was not taken: it is said where they look.
function complain(text) {
  document.getElementById("spoken").textContent = text;
  offline.textContent = text;
  offline.hidden = false;
  sound.play("refused");
}

// An error without parts of the table is a page of its own, whose title says what is wrong.
const unanswered = (ctx) => ctx?.response?.status >= 400 && !ctx.text.includes("<hx-partial");

document.addEventListener("htmx:after:swap", ({ detail }) => {
  offline.hidden ||= !unanswered(detail.ctx);
  refresh();
});
document.addEventListener("htmx:response:error", ({ detail: { ctx } }) => {
  if (ctx.request.method !== "POST" || !unanswered(ctx)) return;
  const page = new DOMParser().parseFromString(ctx.text, "text/html");
  complain(page.querySelector("h1")?.textContent ?? table.dataset.failed);
});
document.addEventListener("htmx:error", () => complain(table.dataset.offline));

document.addEventListener("table:nudge", () => {
  if (status().acts === "1") sound.play("turn");
  notify(true);
});
document.addEventListener("table:hurry", () => sound.play("zone"));

const whole = document.getElementById("full-screen");
whole.hidden = !document.fullscreenEnabled;
whole.addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()));
document.getElementById("help").addEventListener("click", () => document.getElementById("keys").showModal());

replay.start(table.dataset.looking);
refresh();
// From now on a piece that appears is one that somebody has placed.
if (!document.body.classList.contains("reloading")) requestAnimationFrame(() => document.body.classList.add("playing"));
