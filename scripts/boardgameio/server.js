// boardgame.io's server with a toy game: `node server.js memory|files FOLDER`. Prints its port once it answers.

const { Server, FlatFile } = require("boardgame.io/server");

const [kind, folder] = process.argv.slice(2);
const game = {
  name: "toy",
  setup: () => ({ count: 0 }),
  moves: { add: ({ G }) => void (G.count += 1) },
  turn: { minMoves: 1, maxMoves: 1 },
};
const db = kind === "files" ? new FlatFile({ dir: folder, logging: false, ttl: false }) : undefined;
const server = Server({ games: [game], db, origins: [/localhost/, /127\.0\.0\.1/] });
server.run({ port: 0, callback: () => undefined }).then(({ appServer }) => console.log(appServer.address().port));
