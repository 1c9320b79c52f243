// The final screen: bars that grow source by source, sharing, and a look at the map behind it.

const CALM = window.matchMedia("(prefers-reduced-motion: reduce)");
const SOURCE_MS = 450;

export class Final {
  constructor() {
    this.drawn = false;
    document.addEventListener("click", (event) => this.press(event));
    const unfolded = ({ target }) => { if (target.matches(".courses[open]")) target.scrollIntoView({ block: "nearest", behavior: CALM.matches ? "auto" : "smooth" }); };
    document.addEventListener("toggle", unfolded, true); // a toggle does not bubble; the charts lie below what is seen
  }

  get screen() {
    return document.getElementById("after");
  }

  press(event) {
    const button = event.target.closest("button");
    if (button?.dataset.closeFinal !== undefined) {
      this.close(true);
    } else if (button?.dataset.openFinal !== undefined) {
      this.close(false);
    } else if (button?.dataset.share !== undefined) this.share(button);
    else if (event.target.closest(".billboard")) for (const bar of this.bars) bar.getAnimations().forEach((animation) => animation.finish());
  }

  close(closed) {
    document.body.classList.toggle("final-closed", closed);
  }

  get bars() {
    return [...this.screen.querySelectorAll(".source")];
  }

  async share(button) {
    const data = { title: document.title, text: this.screen.querySelector("h2").textContent, url: location.href.split("?")[0] };
    try {
      if (navigator.share) await navigator.share(await this.withPicture(data, button.dataset.picture));
      else {
        await navigator.clipboard.writeText(data.url);
        button.textContent = "✓";
      }
    } catch {
      button.textContent = data.url; // neither way here: to be selected by hand
    }
  }

  // Where files can be shared, the postcard goes with the link.
  async withPicture(data, url) {
    const picture = await (await fetch(url)).blob();
    const files = [new File([picture], "franchise.png", { type: picture.type })];
    return navigator.canShare?.({ ...data, files }) ? { ...data, files } : data;
  }

  // Widths come from numbers that the server has written; they are set here, as pages carry no styles of their own, and
  // set again whenever a part arrives without them. The bars grow only once.
  refresh() {
    const grows = !this.drawn && !CALM.matches;
    this.drawn = !this.screen.hidden;
    if (!this.drawn) return;
    const order = ["cities", "regions", "track", "towns", "money", "bonus_tiles"];
    for (const bar of this.bars) {
      const share = Number(bar.dataset.share);
      bar.style.flexGrow = String(Math.max(0, share));
      bar.classList.toggle("none", share <= 0);
      const source = order.findIndex((name) => bar.classList.contains(name));
      if (grows) {
        bar.animate([{ transform: "scaleX(0)" }, { transform: "none" }], { duration: SOURCE_MS, delay: source * SOURCE_MS, fill: "backwards", easing: "ease-out" });
      }
    }
    for (const row of this.screen.querySelectorAll(".bars tbody tr")) {
      const sum = [...row.querySelectorAll(".source")].reduce((all, bar) => all + Number(bar.dataset.share), 0);
      const best = Number(row.querySelector(".source").dataset.of);
      row.querySelector(".sum").style.flexGrow = String(Math.max(0, best - sum));
    }
  }
}
