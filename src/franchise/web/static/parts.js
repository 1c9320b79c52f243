// Asking the server for the parts of the page that change.

export const status = () => document.getElementById("status").dataset;

let serial = Promise.resolve();

// One request after the other, so that an older answer never overwrites a newer one.
export function load(url) {
  serial = serial.then(() => htmx.ajax("GET", url, { target: "#status", swap: "none" })).catch(() => {});
  return serial;
}

export function send(url, values) {
  const body = { ...values, version: status().version, move_id: name() };
  serial = serial.then(() => htmx.ajax("POST", url, { target: "#status", swap: "none", values: body })).catch(() => {});
  return serial;
}

// A name for an attempt: sent again after a lost answer, it makes no second move.
function name() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
