// "Your turn" while the page is open but not in sight; asked for on the account page or by the bell.

let acted = document.getElementById("status")?.dataset.acts === "1";

export function notify(again = false) {
  const status = document.getElementById("status").dataset;
  const acts = status.acts === "1";
  if (acts && (again || !acted) && document.hidden && "Notification" in window && Notification.permission === "granted") {
    const notice = new Notification(document.getElementById("prompt-title").innerText.trim(), {
      body: document.title,
      tag: location.pathname,
    });
    notice.addEventListener("click", () => {
      window.focus();
      notice.close();
    });
  }
  acted = acts;
}

const bell = document.getElementById("bell");
if (bell && "Notification" in window && Notification.permission === "default") {
  bell.hidden = false;
  bell.addEventListener("click", async () => {
    await Notification.requestPermission();
    bell.hidden = Notification.permission !== "default";
    const answer = document.getElementById("bell-answer");
    answer.textContent = answer.dataset[Notification.permission];
    answer.hidden = false;
  });
}
