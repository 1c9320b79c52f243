// Scripted players on many tables, each moving as soon as the last move is acknowledged, while others follow them.
//   node measure.js [TABLES] [FOLLOWERS] [SECONDS]

const { spawn } = require("node:child_process");
const { mkdtempSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const path = require("node:path");
const { io } = require("socket.io-client");

const [tables = 200, followers = 1000, seconds = 10] = process.argv.slice(2).map(Number);

function connected(address, match, player) {
  return new Promise((resolve, reject) => {
    const socket = io(`${address}/toy`, { transports: ["websocket"], forceNew: true });
    socket.on("connect_error", reject);
    socket.once("sync", () => resolve(socket));
    socket.on("connect", () => socket.emit("sync", match, player, undefined, 2));
  });
}

async function table(address, number, until, times) {
  const match = `table${number}`; // made by the first who asks for it
  const seats = [await connected(address, match, "0"), await connected(address, match, "1")];
  const play = async () => {
    let [version, playerID] = [0, "0"];
    while (performance.now() < until()) {
      const socket = seats[Number(playerID)];
      const sent = performance.now();
      const next = await new Promise((resolve) => {
        const heard = (id, state) => {
          if (id !== match || state._stateID <= version) return;
          socket.off("update", heard);
          resolve(state);
        };
        socket.on("update", heard);
        const payload = { type: "add", args: [], playerID };
        socket.emit("update", { type: "MAKE_MOVE", payload }, version, match, playerID);
      });
      times.push(performance.now() - sent);
      [version, playerID] = [next._stateID, next.ctx.currentPlayer];
    }
  };
  return { match, play };
}

async function measure(kind) {
  const folder = mkdtempSync(path.join(tmpdir(), "boardgameio-"));
  const server = spawn(process.execPath, [path.join(__dirname, "server.js"), kind, folder], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  const sockets = [];
  try {
    const port = await new Promise((resolve) => {
      server.stdout.on("data", (text) => {
        const found = /^(\d+)$/m.exec(String(text));
        if (found) resolve(found[1]);
      });
    });
    const address = `http://127.0.0.1:${port}`;
    const times = [];
    let end = 0;
    const all = [];
    for (let number = 0; number < tables; number++) all.push(await table(address, number, () => end, times));
    for (let number = 0; number < followers; number++) {
      sockets.push(await connected(address, all[number % tables].match, null));
    }
    const began = performance.now();
    end = began + seconds * 1000;
    await Promise.all(all.map((one) => one.play()));
    const took = (performance.now() - began) / 1000;
    times.sort((one, other) => one - other);
    const at = (share) => Math.round(10 * times[Math.ceil(share * times.length) - 1]) / 10;
    return { store: kind, moves_per_s: Math.round(times.length / took), median_ms: at(0.5), p99_ms: at(0.99) };
  } finally {
    for (const socket of sockets) socket.close();
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

(async () => {
  for (const kind of ["files", "memory"]) console.log(JSON.stringify(await measure(kind)));
  process.exit(0);
})();
