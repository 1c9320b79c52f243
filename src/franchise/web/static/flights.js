// What moves over the table after a move: pieces, points, money and tiles, from where they come to whom they go.
// Only transform and opacity move, above everything else: nothing on the page changes its place.

const SVG = "http://www.w3.org/2000/svg";
const STEP_MS = 90; // between two that begin
const REGION_MS = 300; // between the tile of a region and what it brings
const SPAN_MS = 1100; // in which all that a move sets in motion has arrived
const STAND_MS = 1500; // that points stay where they are earned if motion is to be reduced
const TRAIL = [[90, 0.18], [45, 0.4]]; // after-images: how many milliseconds behind, and how strong

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

  // All that a move sets in motion, at a pace: 1, quicker below. How many milliseconds it takes.
  show(flights, pace) {
    this.pace = pace;
    const rows = new Map();
    const delays = [];
    let at = 0;
    for (const flight of flights) {
      delays.push(at);
      at += flight.kind === "tile" ? REGION_MS : STEP_MS;
    }
    const longest = 600; // of one of them
    const hurry = Math.min(1, (SPAN_MS - longest) / Math.max(1, at));
    flights.forEach((flight, number) => {
      const row = rows.get(flight.place) ?? 0;
      if (flight.text) rows.set(flight.place, row + 1);
      this[flight.kind]?.(flight, delays[number] * hurry, row);
    });
    this.sweepScored(true);
    return flights.length ? pace * (at * hurry + longest) : 0;
  }

  // The same without motion: points stand for a moment where they were earned.
  stand(flights) {
    for (const { kind, place, text, colour } of flights) {
      const box = kind === "points" && this.board.place(place)?.getBoundingClientRect();
      if (!box?.width) continue;
      const note = this.sky.appendChild(this.note(text, `standing ${colour}`));
      note.style.translate = `${box.left + box.width / 2}px ${box.top + box.height / 2 + 52 * this.sky.querySelectorAll(`[data-place="${CSS.escape(place)}"]`).length}px`;
      note.dataset.place = place;
      setTimeout(() => note.remove(), STAND_MS);
    }
    this.sweepScored(false);
  }

  sweepScored(moving) {
    const now = this.scoredNow();
    if (moving) for (const id of now) if (!this.scored.has(id)) this.sweep(document.getElementById(id));
    this.scored = now;
  }

  points({ place, text, colour, seat }, delay, row) {
    this.carry(this.note(text, colour), this.board.place(place), this.token(seat), { delay, duration: 600, row });
  }

  money({ place, text, colour, seat }, delay, row) {
    const from = place ? this.board.place(place) : this.card(seat)?.querySelector(".income");
    this.carry(this.note(text, `${colour} money`), from, this.card(seat)?.querySelector(".cash") ?? this.card(seat), { delay, duration: 300, row });
  }

  grow({ place, colour, seat }, delay) {
    this.carry(this.piece(colour, seat), this.purse(seat), this.board.place(place), { delay, duration: 220 });
  }

  back({ place, colour, seat, count }, delay) {
    for (let number = 0; number < Math.min(count, 5); number += 1) {
      this.carry(this.piece(colour, seat), this.board.place(place), this.purse(seat), { delay: delay + number * 60, duration: 300 });
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
      { duration: 480 * this.pace, delay: delay * this.pace, easing: "ease-out", fill: "both" },
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
    fan.animate([{ strokeDashoffset: 0 }, { strokeDashoffset: -round }], { duration: 300 * this.pace, easing: "linear", fill: "both" })
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

  // Numbers show themselves first, then fly; two fading after-images follow.
  carry(what, from, to, { delay, duration, row = 0 }) {
    const [start, end] = [from, to].map((thing) => thing?.getBoundingClientRect());
    if (!start?.width || !end?.width) return;
    const at = (box, down = 0) => `translate(${box.left + box.width / 2}px, ${box.top + box.height / 2 + down}px)`;
    const first = at(start, row * 38);
    const shown = what.classList.contains("float");
    for (const [behind, strength] of [...TRAIL, [0, 1]]) {
      const image = strength < 1 ? what.cloneNode(true) : what;
      const rise = shown ? [{ transform: `${first} scale(1.15)`, opacity: strength, offset: 0.2 }, { transform: `${first} scale(1)`, opacity: strength, offset: 0.4 }] : [];
      this.sky.append(image);
      image.animate(
        [{ transform: `${first} scale(.5)`, opacity: shown ? 0 : strength }, ...rise, { transform: `${at(end)} scale(.6)`, opacity: 0.9 * strength }],
        { duration: duration * this.pace, delay: (delay + behind) * this.pace, easing: "ease-in-out", fill: "both" },
      ).finished.then(() => image.remove(), () => image.remove());
    }
  }

  // Influence and place of each token, to be asked before a swap; from there those that gained drive to where they stand
  // after it, or from where they have got to if they are still driving.
  tokens() {
    return new Map([...document.querySelectorAll("#road [id^=token-]")].map((token) => [token.id, [token.dataset.influence, token.x.baseVal.value]]));
  }

  drive(before, pace) {
    for (const token of document.querySelectorAll("#road [id^=token-]")) {
      const [influence, stood] = before.get(token.id) ?? [token.dataset.influence];
      const seat = token.querySelector(".seat");
      if (influence === token.dataset.influence || !seat) continue;
      const driving = seat.getAnimations();
      const behind = new DOMMatrix(getComputedStyle(seat).transform).m41;
      const gone = stood + behind - token.x.baseVal.value;
      for (const animation of driving) animation.cancel();
      seat.animate(
        [{ transform: `translateX(${gone}px)` }, { transform: "none" }],
        { duration: pace * Math.max(200, Math.min(700, Math.abs(gone) * 4)), delay: driving.length ? 0 : 300 * pace, fill: "backwards", easing: "ease-in-out" },
      );
    }
  }
}
