// Small help for every page: choices that act at once, menus that close, records dropped in.

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
