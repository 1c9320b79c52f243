// Small help for every page: choices that act at once, menus that close, records dropped in.

// Whoever asks their system for more contrast gets it, unless they have chosen colours here.
const wanted = document.documentElement.dataset;
if (!wanted.theme && window.matchMedia("(prefers-contrast: more)").matches) wanted.theme = "contrast";

for (const choice of document.querySelectorAll("[data-submit]")) {
  choice.addEventListener("change", () => choice.form.requestSubmit());
}
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) menu.open = menu.contains(event.target);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

const search = document.getElementById("search");
search?.addEventListener("input", () => {
  const wanted = search.value.trim().toLowerCase();
  for (const section of document.querySelectorAll(".book section")) {
    section.hidden = !section.textContent.toLowerCase().includes(wanted);
  }
});
document.querySelector("[data-print]")?.addEventListener("click", () => window.print());

const record = document.querySelector("textarea[data-drop]");
if (record) {
  // A record that cannot be read comes back to be mended.
  if (document.querySelector("[role=alert]") && !record.value) record.value = sessionStorage.getItem("record") ?? "";
  record.form.addEventListener("submit", () => sessionStorage.setItem("record", record.value));
  const take = async (file) => {
    if (!file) return;
    record.value = await file.text();
    if (record.dataset.drop === "at once") record.form.requestSubmit();
  };
  document.querySelector("input[data-file]")?.addEventListener("change", (event) => take(event.target.files[0]));
  for (const kind of ["dragover", "drop"]) {
    document.addEventListener(kind, (event) => {
      event.preventDefault();
      if (kind === "drop") take(event.dataTransfer.files[0]);
    });
  }
}

// How far the bots are on their first start on a computer.
const preparing = document.getElementById("preparing");
async function lookAgain() {
  const answer = await fetch("/preparing").catch(() => null);
  const { share } = answer?.ok ? await answer.json() : {};
  if (share === null) preparing.remove();
  else {
    if (share !== undefined) preparing.querySelector("progress").value = share;
    setTimeout(lookAgain, 1000);
  }
}
if (preparing) setTimeout(lookAgain, 1000);

// The size of the map that fits this screen, for the server to draw.
const wide = window.matchMedia("(min-width: 1400px) and (min-height: 821px)");
const middle = window.matchMedia("(min-width: 1240px) and (min-height: 481px)");
const cut = wide.matches ? "L" : middle.matches ? "M" : "S";
document.cookie = `franchise_cut=${cut}; path=/; max-age=31536000; samesite=lax`;
const drawn = document.getElementById("table")?.dataset;
const reloads = Number(sessionStorage.getItem("reloads")); // without cookies it would never fit
if (drawn && drawn.cut === cut) sessionStorage.removeItem("reloads");
else if (drawn && reloads < 3) {
  sessionStorage.setItem("reloads", reloads + 1);
  document.body.classList.add("reloading"); // nobody plays at a page that is about to go
  location.reload();
}
