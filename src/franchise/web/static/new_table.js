// Opening a table: faces that can be changed, what an option means, and why one cannot be had.

const form = document.getElementById("new");
const reasons = document.getElementById("reasons").dataset;
const options = form.querySelector(".options");
const faces = [...form.querySelectorAll("input[name^=character]")].map((input) => input.value);

const players = () => Number(form.elements.players.value);
const seats = () => [...form.querySelectorAll(".seat")].slice(0, players());
const kind = (seat) => seat.querySelector("select").value;
const isBot = (seat) => !["me", "guest", "open"].includes(kind(seat));

if (window.matchMedia("(max-width: 1239px)").matches) options.open = false;

for (const seat of form.querySelectorAll(".seat")) {
  const button = seat.querySelector(".another");
  button.hidden = false;
  button.addEventListener("click", () => {
    const input = seat.querySelector("input[type=hidden]");
    const used = seats().filter(isBot).map((other) => other.querySelector("input[type=hidden]").value);
    const free = faces.filter((face) => !used.includes(face));
    const wanted = free.find((face) => faces.indexOf(face) > faces.indexOf(input.value)) ?? free[0];
    if (!wanted) return;
    input.value = wanted;
    seat.querySelector("[data-name]").textContent = wanted;
    seat.querySelector(".portrait").src = `/portraits/${wanted.toLowerCase().replaceAll(" ", "-")}.svg`;
  });
}

// An option that cannot be had fades and says why; what it was set to comes back with it.
function allow(name, reason) {
  const option = form.querySelector(`[data-option=${name}]`);
  const control = option?.querySelector("input, select");
  if (!control || (name === "rated" && option.dataset.never)) return;
  option.classList.toggle("off", Boolean(reason));
  control.disabled = Boolean(reason);
  const line = option.querySelector("small");
  line.textContent = reason || control.selectedOptions?.[0]?.dataset.text || line.dataset.why;
}

// Who is going to play, counted: "You, two bots and one free seat."
function counted(summary) {
  const kinds = seats().map((seat) => (isBot(seat) ? "bots" : kind(seat)));
  const count = (name) => kinds.filter((other) => other === name).length;
  const said = (name, texts) => (count(name) ? [JSON.parse(texts)[count(name) - 1]] : []);
  const { me, guests, bots, open } = summary.dataset;
  const parts = [...(count("me") ? [me] : []), ...said("guest", guests), ...said("bots", bots), ...said("open", open)];
  const language = document.documentElement.lang;
  const list = new Intl.ListFormat(language === "en" ? "en-GB" : language).format(parts);
  return `${list.charAt(0).toUpperCase()}${list.slice(1)}.`;
}

function follow() {
  for (const choice of form.querySelectorAll("input[data-text]:checked")) {
    choice.closest(".option").querySelector("small").textContent = choice.dataset.text;
  }
  const clock = form.elements.clock;
  clock.closest(".option").querySelector("small").textContent = clock.selectedOptions[0].dataset.text;
  const alone = seats().filter((seat) => kind(seat) !== "open").length === 1 && kind(seats()[0]) === "me";
  allow("rated", alone ? "" : reasons.bots);
  const rated = form.elements.rated.checked && !form.elements.rated.disabled;
  allow("seed", rated ? reasons.rated : "");
  allow("no_hints", rated ? reasons.rated : "");
  const late = clock.value === "none" ? reasons.clock : "";
  allow("time_out", late);
  allow("stand_in", late);
  const open = seats().some((seat) => kind(seat) === "open");
  const summary = document.getElementById("summary");
  const drawn = form.elements.in_order.value === "";
  summary.querySelector("b").textContent = counted(summary);
  summary.querySelector("span").textContent = !open ? summary.dataset.none : drawn ? summary.dataset.drawn : summary.dataset.some;
  const chosen = options.querySelectorAll(".toggle:checked:enabled, input[type=radio]:checked:not([value=''])").length;
  const clocks = clock.value === "none" ? 0 : 1;
  document.getElementById("chosen-options").textContent = chosen + clocks ? ` (${chosen + clocks})` : "";
}

if (form.elements.rated.disabled) form.querySelector("[data-option=rated]").dataset.never = "1";
form.addEventListener("change", follow);
follow();
