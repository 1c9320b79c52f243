// What stands beside the map: tabs, the log's lines on the map, chat, clocks, the link to pass on.

const NARROW = window.matchMedia("(max-width: 699px), (max-height: 480px)");

export class Panels {
  constructor(url, board) {
    this.url = url;
    this.board = board;
    this.tabs = [...document.querySelectorAll(".tabs [role=tab]")];
    for (const tab of this.tabs) tab.addEventListener("click", () => this.open(tab.dataset.tab));
    document.querySelector(".tabs").addEventListener("keydown", (event) => this.key(event));
    const acts = document.getElementById("status").dataset.acts === "1";
    this.show(NARROW.matches ? "map" : acts || this.teaching ? "news" : "log");
    NARROW.addEventListener("change", () => this.show(NARROW.matches ? "map" : "news"));
    for (const button of document.querySelectorAll("[data-tab-close]")) button.addEventListener("click", () => this.show("map"));
    document.querySelector("[data-tab-replay]").addEventListener("click", () => {
      this.show("map");
      document.querySelector(".replay-link").click();
    });
    for (const kind of ["pointerover", "focusin"]) {
      document.querySelector(".panels").addEventListener(kind, (event) => {
        const place = event.target.closest("[data-place]")?.dataset.place;
        if (place) this.board.light([place]);
      });
    }
    setInterval(() => this.tick(), 1000);
    window.addEventListener("resize", () => this.shorten());
    document.addEventListener("table:chat", () => this.chat());
    this.count();
    document.addEventListener("click", (event) => this.copy(event));
    document.addEventListener("click", (event) => this.mute(event.target.closest("[data-mute]")));
    document.getElementById("say").addEventListener("htmx:after:request", (event) => event.target.reset?.());
  }

  // On a narrow screen a tab opens a sheet over the map; pressed again, it closes it.
  open(name) {
    this.show(NARROW.matches && document.body.dataset.tab === name ? "map" : name);
  }

  // In a lesson the list of lessons stands in place of the news, and stays.
  get teaching() {
    return document.querySelector("#news.lessons") !== null;
  }

  // What is worth reading now, unless somebody reads something else.
  suggest(name) {
    if (!this.teaching && !NARROW.matches && document.body.dataset.tab !== "chat") this.show(name);
  }

  show(name) {
    document.body.dataset.tab = name;
    for (const tab of this.tabs) {
      tab.setAttribute("aria-selected", String(tab.dataset.tab === name));
      tab.tabIndex = tab.dataset.tab === name ? 0 : -1;
    }
    this.foot();
    if (name === "chat") this.count();
    if (name === "news") document.getElementById("unread-news").hidden = true;
    this.scroll();
  }

  // Below a sheet: the replay of the news, and the way back to the map, or to one's turn.
  foot() {
    const back = document.querySelector(".sheet-foot [data-tab-close]");
    const step = document.querySelector("#prompt.acts:not(.lesson) .steps [aria-current]")?.textContent;
    back.textContent = step ? back.dataset.turn.replace("{step}", step) : back.dataset.map;
    const told = document.body.dataset.tab === "news" && document.querySelector(".replay-link");
    document.querySelector("[data-tab-replay]").hidden = !told;
  }

  // The last message is at the end; so is the newest line of the log, unless somebody looks back. Of the lessons the
  // present one is in sight.
  scroll() {
    const [lesson, lessons] = [document.querySelector(".lessons .now"), document.getElementById("panel-news")];
    if (lesson) lessons.scrollTop += lesson.getBoundingClientRect().top - lessons.getBoundingClientRect().top - lessons.clientHeight / 3;
    const chat = document.getElementById("chat");
    chat.scrollTop = chat.scrollHeight;
    const log = document.getElementById("panel-log");
    const line = log.querySelector("a[aria-current]");
    if (!line) return;
    const below = line.getBoundingClientRect().bottom - log.getBoundingClientRect().bottom;
    log.scrollTop += below + (log.querySelector(".later") ? log.clientHeight * 0.4 : log.clientHeight);
  }

  // The line of the moment that is shown, of several rather one about a place; what comes after it is paler.
  mark() {
    const moves = Number(document.getElementById("status").dataset.moves);
    let now = null;
    for (const line of document.querySelectorAll("#log a[data-move]")) {
      const later = Number(line.dataset.move) > moves;
      line.classList.toggle("later", later);
      line.removeAttribute("aria-current");
      if (!later && (line.dataset.move !== now?.dataset.move || line.dataset.place)) now = line;
    }
    now?.setAttribute("aria-current", "true");
  }

  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const seen = this.tabs.filter((tab) => tab.offsetParent);
    const next = seen[(seen.indexOf(document.activeElement) + step + seen.length) % seen.length];
    this.open(next.dataset.tab);
    next.focus();
    event.preventDefault();
    event.stopPropagation();
  }

  async chat() {
    await htmx.ajax("GET", `${this.url}/chat`, { target: "#chat", swap: "outerHTML" });
    this.hush();
    this.count();
  }

  // How many messages came after the last one that was read; those of people who are muted do not count.
  count() {
    const times = [...document.querySelectorAll("#chat li[data-who]:not([hidden]) time")].map((time) => time.dateTime);
    if (document.body.dataset.tab === "chat" || this.read === undefined) this.read = times.at(-1) ?? "";
    const fresh = times.filter((time) => time > this.read).length;
    const unread = document.getElementById("unread");
    unread.textContent = String(fresh);
    unread.hidden = fresh === 0;
  }

  // Somebody whose messages this browser shows no more at this table.
  mute(button) {
    if (!button) return;
    const muted = [...this.muted(), button.closest("li").dataset.who];
    localStorage.setItem(`muted ${this.url}`, JSON.stringify(muted));
    this.hush();
  }

  muted() {
    return JSON.parse(localStorage.getItem(`muted ${this.url}`) ?? "[]");
  }

  hush() {
    const muted = this.muted();
    for (const said of document.querySelectorAll("#chat li[data-who]")) said.hidden = muted.includes(said.dataset.who);
  }

  async copy(event) {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const link = `${location.origin}${this.url}`;
    try {
      await navigator.clipboard.writeText(link);
      button.textContent = "✓ " + link;
    } catch {
      button.textContent = link; // no clipboard here: to be selected by hand
    }
  }

  // Clocks go on between two changes; the server decides when the time is over.
  tick() {
    const gone = (performance.now() - this.since) / 1000;
    for (const clock of document.querySelectorAll(".clock[data-running]")) {
      const daily = clock.dataset.daily !== undefined;
      const all = Math.max(0, Math.round(Number(clock.dataset.left) - gone));
      const stored = Number(clock.dataset.vacation ?? 0); // the hours of the turn are used up before the vacation
      const left = all > stored ? all - stored : all;
      clock.textContent = daily
        ? `${Math.floor(left / 3600)} h ${Math.floor((left % 3600) / 60)} min`
        : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
      if (daily) continue;
      const hurry = left < 60;
      if (hurry && !clock.classList.contains("short") && clock.closest(".own")) this.warn();
      clock.classList.toggle("short", hurry);
    }
  }

  // One's own time is nearly up.
  warn() {
    document.getElementById("spoken").textContent = document.getElementById("table").dataset.hurry;
    document.dispatchEvent(new CustomEvent("table:hurry"));
  }

  // News that has no room: first the notes go, then second lines.
  shorten() {
    for (const part of document.querySelectorAll("#news > section:not(.close)")) {
      part.classList.remove("brief", "briefest");
      for (const step of ["brief", "briefest"]) if (part.scrollHeight > part.clientHeight) part.classList.add(step);
    }
  }

  // A turn of one's own begins: where the news is a sheet, its tab says how much there is to read.
  countNews() {
    const { acts, turn } = document.getElementById("status").dataset;
    const unread = document.getElementById("unread-news");
    const told = acts === "1" ? turn : null;
    if (told === this.told) return;
    this.told = told;
    unread.textContent = String(document.querySelectorAll("#news > section:first-child li[data-place] a").length);
    unread.hidden = told === null || unread.textContent === "0" || document.body.dataset.tab === "news";
  }

  refresh() {
    this.foot();
    this.countNews();
    this.since = performance.now();
    this.shorten();
    this.mark();
    this.hush();
    this.scroll();
  }
}
