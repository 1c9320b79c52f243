// When what others do is shown: the changes of a turn share its time, and what loading them takes is a part of it.

const STEP_MS = 500; // a change stays in sight
const TURN_MS = 2150; // and a whole turn no longer than this, so that it is told in 2.2 s although timers come late
const LEAST_MS = 40; // that a change is seen at all
const LOAD_MS = 100; // what loading one takes, until that is known

export class Schedule {
  constructor() {
    this.turn = null;
    this.load = LOAD_MS;
    this.began = this.since = -Infinity; // the turn that is told, and the change that is in sight
    this.wanted = 0; // milliseconds that it should stay there
  }

  // Whether what is in sight has been seen.
  idle(now) {
    return now >= this.since + this.wanted;
  }

  // The next change is asked for; `afresh`: it has come when there was nothing left to show.
  ask(now, afresh) {
    [this.asked, this.afresh] = [now, afresh];
  }

  // It is in sight: the turn it belongs to, how long its points fly, whether there is nothing to see.
  show(now, turn, { pace, flying, calm, silent }) {
    const taken = now - this.asked;
    const begins = turn !== this.turn || this.afresh;
    if (begins) [this.turn, this.began] = [turn, this.asked];
    this.load = Math.max(taken, begins ? (this.load + taken) / 2 : this.load); // the longest of a turn
    this.since = now;
    this.wanted = silent ? 0 : calm ? (STEP_MS * pace) / 2 : Math.max(STEP_MS * pace, flying);
  }

  // How long it still stays if so many changes of its turn follow.
  rest(now, pace, more) {
    const left = this.began + TURN_MS * pace - this.since - more * this.load;
    const share = Math.max(LEAST_MS, left / (more + 1));
    return Math.max(0, this.since + Math.min(this.wanted, share) - now);
  }

  // How many of the changes that follow are left out, so that the last of them comes in time.
  leftOut(now, pace, more) {
    if (this.afresh) return 0;
    const room = Math.floor((this.began + TURN_MS * pace - now) / (this.load + LEAST_MS));
    return Math.max(0, more - Math.max(1, room));
  }

  // The table was held for so long.
  putOff(span) {
    this.began += span;
  }
}
