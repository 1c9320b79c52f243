// The service worker: shows what the server pushes, and opens the table on a click.

self.addEventListener("push", (event) => {
  const { title, body, url, leave, leave_text } = event.data.json();
  const actions = leave ? [{ action: "leave", title: leave_text }] : [];
  event.waitUntil(self.registration.showNotification(title, { body, tag: new URL(url).pathname, data: { url, leave }, actions }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { url, leave } = event.notification.data;
  event.waitUntil(self.clients.openWindow(event.action === "leave" ? leave : url));
});
