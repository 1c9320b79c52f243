// Sounds, made by the browser: no files. Off until somebody switches them on; the browser remembers it.

const NOTES = {
  // kind: [wave, frequency, start, length, loudness], several in a row
  place: [["triangle", 320, 0, 0.09, 0.5], ["square", 1400, 0, 0.02, 0.08]],
  grow: [["triangle", 420, 0, 0.07, 0.3]],
  pay: [["sine", 1900, 0, 0.12, 0.22], ["sine", 2500, 0.03, 0.09, 0.14]],
  city: [["sine", 1320, 0, 0.35, 0.4], ["sine", 2640, 0, 0.2, 0.12]],
  region: [["square", 180, 0, 0.12, 0.14], ["sine", 1175, 0.14, 0.5, 0.4], ["sine", 1568, 0.2, 0.5, 0.3]],
  turn: [["sawtooth", 311, 0, 0.17, 0.16], ["sawtooth", 415, 0.2, 0.2, 0.16]],
  zone: [["sawtooth", 110, 0, 0.6, 0.12], ["sawtooth", 111.5, 0, 0.6, 0.12]],
  end: [262, 330, 392, 523, 392, 523, 659].map((tone, at) => ["triangle", tone, at * 0.24, 0.3, 0.4]),
  refused: [["sine", 95, 0, 0.08, 0.7]],
};

export class Sound {
  constructor(buttons) {
    this.buttons = buttons; // in the head, and on a phone in the menu
    this.on = localStorage.getItem("sound") === "1";
    for (const button of buttons) button.addEventListener("click", () => this.turn());
    this.chip = document.getElementById("sound-chip");
    this.chip.addEventListener("click", (event) => {
      this.chip.hidden = true;
      if (event.target.closest("[data-on]")) this.turn();
    });
    this.show();
  }

  // On or off.
  turn() {
    this.on = !this.on;
    localStorage.setItem("sound", this.on ? "1" : "0");
    this.show();
    this.play("place");
  }

  // Asked once, after the first turn of one's own.
  ask() {
    if (localStorage.getItem("sound") !== null) return;
    localStorage.setItem("sound", "0");
    this.chip.hidden = false;
  }

  show() {
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(this.on));
  }

  play(...kinds) {
    if (!this.on || document.hidden) return;
    this.context ??= new AudioContext();
    let at = this.context.currentTime + 0.01;
    for (const kind of kinds) {
      let longest = 0;
      for (const [wave, tone, start, length, loudness] of NOTES[kind] ?? []) {
        const source = new OscillatorNode(this.context, { type: wave, frequency: tone });
        const volume = new GainNode(this.context, { gain: 0 });
        volume.gain.setValueAtTime(0.0001, at + start);
        volume.gain.exponentialRampToValueAtTime(loudness * 0.5, at + start + 0.008);
        volume.gain.exponentialRampToValueAtTime(0.0001, at + start + length);
        source.connect(volume).connect(this.context.destination);
        source.start(at + start);
        source.stop(at + start + length + 0.02);
        longest = Math.max(longest, start + length);
      }
      at += Math.min(longest, 0.3);
    }
  }
}
