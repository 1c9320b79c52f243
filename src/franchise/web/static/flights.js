// What moves over the table after a move: pieces, points, money and tiles, from where they come to whom they go.
// Only transform and opacity move, above everything else: nothing on the page changes its place.

const SVG = "http://www.w3.org/2000/svg";
const STEP_MS = 90; // between two that begin

export class Flights {
  constructor(board) {
    this.board = board;
    this.sky = document.getElementById("floats");
    this.scored = this.scoredNow();
  }

  card(seat) {
    return document.getElementById(`player-${seat}`);
  }

  // The piece or the dollar of a card: small and always there.
  purse(seat) {
    return this.card(seat)?.querySelector(":scope > .icon") ?? this.card(seat);
  }

  token(seat) {
    return document.querySelector(`#token-${seat} .token`) ?? this.purse(seat);
  }

  scoredNow() {
    return new Set([...document.querySelectorAll("#places .scored[id]")].map((place) => place.id));
  }

  // All that a move sets in motion.
  show(flights, moving) {
    const rows = new Map();
    let at = 0;
    for (const flight of flights) {
      const row = rows.get(flight.place) ?? 0;
      if (flight.text) rows.set(flight.place, row + 1);
      this[flight.kind]?.(flight, at, row);
      at += STEP_MS;
    }
    const now = this.scoredNow();
    if (moving) for (const id of now) if (!this.scored.has(id)) this.sweep(document.getElementById(id));
    this.scored = now;
  }

  points({ place, text, colour, seat }, delay, row) {
    this.carry(this.note(text, colour), this.board.place(place), this.token(seat), { delay, duration: 900, row });
  }

  money({ place, text, colour, seat }, delay, row) {
    const from = place ? this.board.place(place) : this.card(seat)?.querySelector(".income");
    this.carry(this.note(text, `${colour} money`), from, this.card(seat)?.querySelector(".cash") ?? this.card(seat), { delay, duration: 600, row });
  }

  grow({ place, colour, seat }, delay) {
    this.carry(this.piece(colour, seat), this.purse(seat), this.board.place(place), { delay, duration: 220 });
  }

  back({ place, colour, seat, count }, delay) {
    for (let number = 0; number < Math.min(count, 5); number += 1) {
      this.carry(this.piece(colour, seat), this.board.place(place), this.purse(seat), { delay: delay + number * 60, duration: 400 });
    }
  }

  tile({ place }, delay) {
    const tile = document.createElement("span");
    tile.className = "flight tile tint";
    tile.dataset.region = place;
    const laid = document.querySelector(`#track .track-space[data-region="${CSS.escape(place)}"]`);
    this.carry(tile, this.board.place(place), laid, { delay, duration: 500 });
  }

  // The link lights up from the source to the target.
  expand({ place, link, price }, delay) {
    if (!link.length) return;
    const [a, b] = link.map(CSS.escape);
    const road = document.querySelector(`#ground .link[data-from="${a}"][data-to="${b}"][data-price="${price}"] path`);
    if (!road) return;
    const lit = document.createElementNS(SVG, "path");
    lit.setAttribute("d", road.getAttribute("d"));
    lit.setAttribute("class", "driven");
    this.board.svg.append(lit);
    const length = lit.getTotalLength();
    lit.setAttribute("stroke-dasharray", length);
    const from = link[0] === place ? -length : length;
    lit.animate(
      [{ strokeDashoffset: from, opacity: 1 }, { strokeDashoffset: 0, opacity: 1, offset: 0.5 }, { strokeDashoffset: 0, opacity: 0 }],
      { duration: 480, delay, easing: "ease-out", fill: "both" },
    ).finished.then(() => lit.remove(), () => lit.remove());
  }

  // A city that has just been scored turns grey clockwise.
  sweep(place) {
    const rim = place.querySelector("circle.rim");
    if (!rim) return;
    const radius = Number(rim.getAttribute("r"));
    const fan = rim.cloneNode();
    const round = Math.PI * radius;
    for (const [key, value] of Object.entries({ r: radius / 2, "stroke-width": radius, "stroke-dasharray": `${round} ${round}`, class: "fan", fill: "none" })) fan.setAttribute(key, value);
    fan.setAttribute("transform", `rotate(-90 ${rim.getAttribute("cx")} ${rim.getAttribute("cy")})`);
    this.board.svg.append(fan);
    fan.animate([{ strokeDashoffset: 0 }, { strokeDashoffset: -round }], { duration: 300, easing: "linear", fill: "both" })
      .finished.then(() => fan.remove(), () => fan.remove());
  }

  note(text, className) {
    return Object.assign(document.createElement("span"), { className: `flight float ${className}`, textContent: text });
  }

  piece(colour, seat) {
    const icon = this.purse(seat).cloneNode(true);
    icon.setAttribute("class", "flight icon");
    return icon;
  }

  carry(what, from, to, { delay, duration, row = 0 }) {
    const [start, end] = [from, to].map((thing) => thing?.getBoundingClientRect());
    if (!start?.width || !end?.width) return;
    this.sky.append(what);
    const at = (box, down = 0) => `translate(${box.left + box.width / 2}px, ${box.top + box.height / 2 + down}px)`;
    const first = at(start, row * 38);
    const rise = duration > 500 ? [{ transform: `${first} scale(1.15)`, opacity: 1, offset: 0.2 }, { transform: `${first} scale(1)`, opacity: 1, offset: 0.4 }] : [];
    what.animate(
      [{ transform: `${first} scale(.5)`, opacity: rise.length ? 0 : 1 }, ...rise, { transform: `${at(end)} scale(.6)`, opacity: 0.9 }],
      { duration, delay, easing: "ease-in-out", fill: "both" },
    ).finished.then(() => what.remove(), () => what.remove());
  }

  // Where the tokens stand, to be asked before a swap; and from there they drive to where they stand after it.
  tokens() {
    return new Map([...document.querySelectorAll("#road [id^=token-]")].map((token) => [token.id, token.getBoundingClientRect().left]));
  }

  drive(before) {
    for (const token of document.querySelectorAll("#road [id^=token-]")) {
      const gone = (before.get(token.id) ?? NaN) - token.getBoundingClientRect().left;
      if (!gone) continue;
      const duration = Math.max(200, Math.min(700, Math.abs(gone) * 4));
      token.querySelector(".seat")?.animate(
        [{ transform: `translateX(${gone}px)` }, { transform: "none" }], { duration, easing: "ease-in-out" },
      );
    }
  }
}
