// A table's page: puts the map, the moves, what others do, and the replay together.

import { Board } from "./board.js";
import { Follower } from "./follow.js";
import { Replay } from "./replay.js";
import { Turn } from "./turn.js";
import { Panels } from "./panels.js";
import { tell } from "./turns.js";

const table = document.getElementById("table");
const { id, url } = table.dataset;

const board = new Board(document.querySelector(".map"));
const turn = new Turn(url, board);
const follower = new Follower(id, url, board);
const replay = new Replay(url, follower);
const panels = new Panels(url, board);

function refresh() {
  const status = document.getElementById("status");
  document.body.classList.toggle("over", status.dataset.finished === "1");
  board.refresh();
  turn.refresh();
  follower.refresh();
  panels.refresh();
  tell();
}

document.addEventListener("htmx:after:swap", refresh);
document.addEventListener("htmx:error", () => {
  document.getElementById("spoken").textContent = table.dataset.offline;
  board.say(board.map, "⚠", table.dataset.offline);
});
replay.start(table.dataset.looking);
refresh();
// From now on a piece that appears is one that somebody has placed.
requestAnimationFrame(() => document.body.classList.add("playing"));
