import type { BrowserContext, Page, Worker } from "@playwright/test";
import { NOTIFICATION_MESSAGES } from "../server/contract/messages/notifications";
import { api } from "./api";
import { expect, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { Settings } from "./pages/settings";
import { insertPerson } from "./people";
import { addOwnProject } from "./projects";
import { hold, watchCalls } from "./traffic";

/** Nothing is sent there: nothing happens of which this person would be notified. */
const ENDPOINT = "https://fcm.googleapis.com/fcm/send/e2e";

test("push is turned on and off in Settings, and a refusal or a failure leaves it off and says why", async ({
  page,
  server,
}) => {
  const person = await insertPerson(server, { name: "Pavan Push" });
  await page.addInitScript(replacePush, ENDPOINT);
  await authenticate(page, person.email, person.password);
  const settings = new Settings(page);
  await settings.open();
  const section = settings.section("Notifications");
  const choice = section.getByRole("checkbox", { name: "Push notifications to this browser" });
  const isCarriedOut = () => expect(choice).toHaveAttribute("aria-busy", "false");
  const isStored = async () => (await api(page).notifications.pushKey.query()).isSubscribed;

  await test.step("a refused permission disables it, until the browser's settings allow it", async () => {
    await expect(choice).toBeEnabled();
    await expect(choice).toHaveAccessibleDescription(/Your browser will ask you to allow it\.$/);
    await setBrowser(page, { answer: "denied" });
    await choice.click();
    await expect(choice).toBeDisabled();
    await expect(choice).not.toBeChecked();
    await expect(choice).toHaveAccessibleDescription(/Your browser blocks notifications from this site\.$/);
    expect(await isStored()).toBe(false);
    await setBrowser(page, { permission: "default", answer: "granted" });
    await page.evaluate(() => void window.dispatchEvent(new Event("focus")));
    await expect(choice).toBeEnabled();
  });

  await test.step("a browser without its push service says so", async () => {
    await setBrowser(page, { error: "AbortError" });
    await choice.click();
    const toast = page.locator("[data-sonner-toast]");
    await expect(toast).toContainText(NOTIFICATION_MESSAGES.pushFailed);
    await expect(toast).toContainText(NOTIFICATION_MESSAGES.pushUnavailable);
    await expect(choice).not.toBeChecked();
    expect(await isStored()).toBe(false);
    await setBrowser(page, { error: "" });
  });

  await test.step("it goes on beside what is left of a key from before, and stays on after a reload", async () => {
    await setBrowser(page, { subscribedTo: "another key" });
    // It shows what is wished for meanwhile, and takes no other wish.
    const call = hold();
    const isAnswered = watchCalls(page, "notifications.subscribePush");
    let calls = 0;
    await page.route("**/notifications.subscribePush*", (route) => {
      calls += 1;
      return call.handler(route);
    });
    await choice.click();
    await expect(choice).toBeChecked();
    await choice.click();
    await expect(choice).toBeChecked();
    call.release();
    await isAnswered();
    expect(calls).toBe(1);
    await expect(choice).toBeChecked();
    const { publicKey, isSubscribed } = await api(page).notifications.pushKey.query();
    expect(isSubscribed).toBe(true);
    expect(await page.evaluate(() => sessionStorage.getItem("subscribedTo"))).toBe(publicKey);
    await page.reload();
    await expect(choice).toBeChecked();
  });

  await test.step("a browser that has lost its subscription shows it off, and it can be turned on again", async () => {
    await setBrowser(page, { subscribedTo: "" });
    await page.reload();
    await expect(choice).toBeEnabled();
    await expect(choice).not.toBeChecked();
    await choice.click();
    await isCarriedOut();
    await expect(choice).toBeChecked();
  });

  await test.step("it goes off on the server and in the browser", async () => {
    await choice.click();
    await expect(choice).not.toBeChecked();
    await isCarriedOut();
    await expect(choice).not.toBeChecked();
    expect(await isStored()).toBe(false);
    expect(await page.evaluate(() => sessionStorage.getItem("subscribedTo"))).toBe("");
    expect(await page.evaluate(() => navigator.serviceWorker.getRegistration("/push-worker.js"))).toBeUndefined();
    await page.reload();
    await expect(choice).toBeEnabled();
    await expect(choice).not.toBeChecked();
  });
});

test("the worker shows a push that the browser delivers, and its click leads to what it is about", async ({
  page,
  context,
  server,
}) => {
  const person = await insertPerson(server, { name: "Pavan Pushed" });
  await authenticate(page, person.email, person.password);
  const projectId = await addOwnProject(page, "Tide bell");
  const settings = new Settings(page);
  await settings.open();
  const worker = await startWorker(page, context);
  const url = `/dashboard?panel=${projectId}`;
  const push = { title: "Tide bell", body: "Overdue", url, tag: projectId };
  await deliver(page, server.url, JSON.stringify(push));
  const shown = { body: push.body, tag: push.tag, icon: "/icon-192.png", data: { url } };
  await expect.poll(() => calls(worker)).toEqual([["showNotification", push.title, shown]]);
  expect((await page.request.get(shown.icon)).headers()["content-type"]).toBe("image/png");

  await click(worker, url);
  await expect.poll(() => calls(worker)).toEqual([["openWindow", `${server.url}${url}`]]);
  await page.goto(url);
  await expect(page.getByRole("dialog", { name: "Tide bell" })).toBeVisible();
  await click(worker, url);
  await expect.poll(() => calls(worker)).toEqual([["focus", `${server.url}${url}`]]);
});

/** What `replacePush` reads; it stays over reloads. */
type BrowserState = {
  permission?: NotificationPermission;
  /** To the question for the permission. */
  answer?: NotificationPermission;
  /** With which a subscription fails; none when empty. */
  error?: string;
  /** The key of the subscription that the browser holds; empty without one. */
  subscribedTo?: string;
};

function setBrowser(page: Page, state: BrowserState): Promise<void> {
  return page.evaluate((changes) => {
    for (const [name, value] of Object.entries(changes)) sessionStorage.setItem(name, value);
  }, state);
}

/** Headless Chromium grants no notifications and has no push service. The worker is registered for real. */
function replacePush(endpoint: string): void {
  if (!location.protocol.startsWith("http")) return;
  const read = (name: string) => sessionStorage.getItem(name) ?? "";
  const subscription = {
    endpoint,
    toJSON: () => ({ endpoint, keys: { p256dh: "B".repeat(87), auth: "A".repeat(22) } }),
    unsubscribe: async () => {
      sessionStorage.setItem("subscribedTo", "");
      return true;
    },
  };
  Object.defineProperty(Notification, "permission", { get: () => read("permission") || "default" });
  Notification.requestPermission = async () => {
    if (!read("permission") || read("permission") === "default") sessionStorage.setItem("permission", read("answer"));
    return Notification.permission;
  };
  Object.assign(PushManager.prototype, {
    getSubscription: async () => (read("subscribedTo") ? subscription : null),
    subscribe: async ({ applicationServerKey: key }: { applicationServerKey: string }) => {
      if (read("error")) throw new DOMException("Registration failed", read("error"));
      if (read("subscribedTo") && read("subscribedTo") !== key) throw new DOMException("", "InvalidStateError");
      sessionStorage.setItem("subscribedTo", key);
      return subscription;
    },
  });
}

/** Registers the worker; what it would show, open or bring to the front, which headless Chromium refuses, is recorded. */
async function startWorker(page: Page, context: BrowserContext): Promise<Worker> {
  const [worker] = await Promise.all([
    context.waitForEvent("serviceworker"),
    page.evaluate(async () => {
      await navigator.serviceWorker.register("/push-worker.js");
      await navigator.serviceWorker.ready;
    }),
  ]);
  await worker.evaluate(() => {
    const recorded: unknown[][] = [];
    const scope = Object.assign(globalThis as unknown as WorkerScope, { recorded });
    const record = (name: string) =>
      async function (this: { url?: string }, ...given: unknown[]) {
        recorded.push([name, ...(name === "focus" ? [this.url] : given)]);
      };
    scope.registration.showNotification = record("showNotification");
    scope.clients.openWindow = record("openWindow");
    scope.WindowClient.prototype.focus = record("focus");
  });
  return worker;
}

type WorkerScope = {
  recorded: unknown[][];
  registration: object & { showNotification: unknown };
  clients: object & { openWindow: unknown };
  WindowClient: { prototype: { focus: unknown } };
};

/** What the worker has called since the last click. */
function calls(worker: Worker): Promise<unknown[][]> {
  return worker.evaluate(() => (globalThis as unknown as WorkerScope).recorded);
}

/** Delivers a push as the browser's push service would. */
async function deliver(page: Page, origin: string, data: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      // Those of other servers in this browser, and what is left of unregistered ones, are told as well.
      const ours = registrations.find(({ scopeURL, isDeleted }) => scopeURL === `${origin}/` && !isDeleted);
      if (ours) resolve(ours.registrationId);
    }),
  );
  await session.send("ServiceWorker.enable");
  await session.send("ServiceWorker.deliverPushMessage", { origin, registrationId: await registered, data });
}

/** A click on a notification about the page at `url`, and what has been recorded before is forgotten. */
function click(worker: Worker, url: string): Promise<void> {
  return worker.evaluate((to) => {
    (globalThis as unknown as WorkerScope).recorded.length = 0;
    const notification = { close: () => {}, data: { url: to } };
    // Only a person's own click makes a `NotificationEvent` that may be waited for.
    dispatchEvent(Object.assign(new Event("notificationclick"), { notification, waitUntil: () => {} }));
  }, url);
}
