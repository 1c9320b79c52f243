// Being told that it is one's turn: buttons of the account page that ask the browser for permission.

function bytes(text) {
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/").padEnd(Math.ceil(text.length / 4) * 4, "=");
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

const here = document.querySelector("[data-notify]");
if (here && "Notification" in window && Notification.permission === "default") {
  here.hidden = false;
  here.querySelector("button").addEventListener("click", async () => {
    const answer = await Notification.requestPermission();
    here.querySelector("button").hidden = answer !== "default";
    here.querySelector("output").textContent = here.dataset[answer];
  });
}

const pushed = document.querySelector("[data-push]");
if (pushed && "serviceWorker" in navigator && "PushManager" in window) {
  pushed.hidden = false;
  pushed.querySelector("button").addEventListener("click", async () => {
    const said = pushed.querySelector("output");
    try {
      const registration = await navigator.serviceWorker.register(pushed.dataset.worker);
      const subscription = await registration.pushManager.subscribe({
        userVisibleOnly: true,
        applicationServerKey: bytes(pushed.dataset.push),
      });
      const answer = await fetch("/account/push", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(subscription),
      });
      said.textContent = (await answer.json()).detail;
    } catch {
      said.textContent = pushed.dataset.failed;
    }
  });
}
