// Asking the server for the parts of the page that change.

export const status = () => document.getElementById("status").dataset;

let serial = Promise.resolve();

// One request after the other, so that an older answer never overwrites a newer one. What the page shows already is
// named, so that only what differs from it has to be drawn and sent; and the size its map is drawn in, which another
// window of the same browser does not have to share.
function request(method, url, values) {
  const asked = serial.then(() => htmx.ajax(method, url, {
    target: "#status", swap: "none", values, headers: { "Franchise-Shown": status().shown, "Franchise-Cut": document.getElementById("table").dataset.cut },
  }));
  serial = asked.catch(() => {});
  return serial;
}

export const load = (url) => request("GET", url);

export const send = (url, values) => request("POST", url, { ...values, version: status().version, move_id: name() });

// When everything that was asked for has been answered.
export async function settled() {
  for (let last; last !== serial;) {
    last = serial;
    await last;
  }
}

// A name for an attempt: sent again after a lost answer, it makes no second move.
function name() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// What the server leaves empty, because it is on the page already, stays as it is; so does a menu that is open.
htmx.registerExtension("same", {
  htmx_before_morph_node: (node, { newNode }) => {
    if (node.id === newNode.id && node.matches?.(".table-menu")) newNode.open = node.open;
    return newNode.dataset?.same === undefined;
  },
});
