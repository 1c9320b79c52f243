// The lists of tables follow what happens; how many people are here and how long tables have waited, too.

const stream = new EventSource("/lobby/events");

async function renew() {
  const answer = await fetch("/lobby");
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const id of ["waiting", "watch"]) {
    const [old, part] = [document.getElementById(id), fresh.getElementById(id)];
    if (!old.contains(document.activeElement) || old.innerHTML !== part.innerHTML) old.replaceWith(part);
  }
}

stream.addEventListener("tables", renew);
stream.addEventListener("people", (event) => {
  const people = document.querySelector(".people");
  people.textContent = event.data === "1" ? people.dataset.one : people.dataset.many.replace("#", event.data);
});
let lost = false;
stream.addEventListener("error", () => (lost = true));
stream.addEventListener("open", () => {
  if (lost) renew(); // what happened meanwhile was not told
  lost = false;
});

const spoken = new Intl.RelativeTimeFormat(document.documentElement.lang);
setInterval(() => {
  for (const time of document.querySelectorAll("#waiting time")) {
    const minutes = Math.max(1, Math.round((Date.now() - Date.parse(time.dateTime)) / 60000));
    const [count, unit] = minutes < 60 ? [minutes, "minute"] : minutes < 1440 ? [minutes / 60, "hour"] : [minutes / 1440, "day"];
    time.textContent = spoken.format(-Math.round(count), unit);
  }
}, 30_000);
