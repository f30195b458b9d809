import type { Page } from "@playwright/test";
import { api } from "./api";
import { expect, expectAccessibleInBothThemes, goInApp, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { Chat, sendMessage, startConversation } from "./pages/chat";
import { Settings } from "./pages/settings";
import { insertPerson } from "./people";
import { Traffic, watchCalls } from "./traffic";

const ASHA = "asha@sangam.example";
const ASHA_NAME = "Asha Kulkarni";

declare global {
  interface Window {
    notifications: { title: string; body: string; tag: string; isOpen: boolean; click: () => void }[];
  }
}

test("a message that stays unread a moment is told by the browser, once, and a click opens it; what is read is not", async ({
  page,
  openContext,
  server,
}) => {
  const person = await insertPerson(server, { name: "Runa Sound" });
  const context = await openContext();
  await context.addInitScript(recordNotifications, false);
  const other = await context.newPage();
  await authenticate(other, person.email, person.password);
  const conversationId = await startConversation(other, ASHA_NAME, "Good morning");
  const settings = new Settings(other);
  const traffic = new Traffic(other);
  await settings.open();
  const choice = settings.section("Notifications").getByRole("checkbox", { name: "Notifications in this browser" });
  await expect(choice).not.toBeChecked();
  // It waits for the browser's permission prompt.
  await choice.click();
  await expect(choice).toBeChecked();

  await authenticate(page, ASHA);
  await goInApp(other, "/dashboard");
  await expect(other.getByRole("heading", { level: 1, name: "Projects Board" })).toBeVisible();
  await expect(other.getByRole("link", { name: "Messages", exact: true })).toBeVisible();
  await traffic.settled();
  await sendMessage(page, conversationId, "The crane is back, and 👩‍👩‍👧‍👦 wait on the quay");
  await expect
    .poll(() => shownNotifications(other))
    .toEqual([
      { title: ASHA_NAME, body: "The crane is back, and 👩‍👩‍👧‍👦 wait...", tag: `conversation:${conversationId}` },
    ]);
  await other.evaluate(() => window.notifications[0]?.click());
  await expect(other).toHaveURL(new RegExp(`/dashboard/messages/${conversationId}$`));
  await expect(new Chat(other).message("The crane is back")).toBeVisible();

  await test.step("over the open conversation nothing is told, and what is read elsewhere is taken away", async () => {
    await sendMessage(page, conversationId, "You read this here");
    await expect(new Chat(other).message("You read this here")).toBeVisible();
    await other.getByRole("link", { name: "Projects" }).click();
    // The conversation that is left reads what comes.
    await expect(other.getByRole("heading", { level: 1, name: "Projects Board" })).toBeVisible();
    await sendMessage(page, conversationId, "And this later");
    await expect
      .poll(async () => (await shownNotifications(other)).map(({ body }) => body))
      .toEqual(["The crane is back, and 👩‍👩‍👧‍👦 wait...", "And this later"]);
    const { items } = await api(other).chat.messages.query({ conversationId });
    await api(other).chat.markRead.mutate({ conversationId, upToSeq: items.at(-1)?.seq ?? 0 });
    await expect
      .poll(() => other.evaluate(() => window.notifications.map(({ isOpen }) => isOpen)))
      .toEqual([false, false]);
  });
});

test("Settings say what the browser allows, and take back a mail choice that could not be saved", async ({
  openContext,
  consoleGuard,
  server,
}) => {
  consoleGuard.allow(/net::ERR_FAILED/);
  const person = await insertPerson(server, { name: "Ragna Sound" });
  const context = await openContext();
  await context.addInitScript(recordNotifications, true);
  const page = await context.newPage();
  await authenticate(page, person.email, person.password);
  const settings = new Settings(page);
  await settings.open();
  const section = settings.section("Notifications");
  await expect(section.getByText(/^Your browser blocks notifications from this site/)).toBeVisible();
  await expect(section.getByRole("checkbox", { name: "Notifications in this browser" })).toBeDisabled();
  await expectAccessibleInBothThemes(page, section);

  const mail = section.getByRole("checkbox", { name: /^Email me about messages/ });
  await expect(mail).toBeChecked();
  await page.route("**/api/trpc/users.updateProfile*", (route) => route.abort());
  await mail.click();
  await expect(page.getByText("Your choice could not be saved.")).toBeVisible();
  await expect(mail).toBeChecked();
  await page.unroute("**/api/trpc/users.updateProfile*");
  // They are saved one after the other; a reload would cancel the rest.
  const saved = watchCalls(page, "users.updateProfile");
  await mail.uncheck();
  await mail.check();
  await mail.uncheck();
  await saved(3);
  await page.reload();
  await expect(mail).not.toBeChecked();
});

/** Replaces the browser's notifications, which no test can see, and records them. */
function recordNotifications(isDenied: boolean): void {
  if (!location.protocol.startsWith("http")) return;
  window.notifications = [];
  let permission: NotificationPermission = isDenied ? "denied" : "default";
  class Recorded extends EventTarget {
    static get permission() {
      return permission;
    }
    static requestPermission() {
      permission = "granted";
      sessionStorage.setItem("permission", permission);
      return Promise.resolve(permission);
    }
    onclick: (() => void) | null = null;
    onclose: (() => void) | null = null;
    close: () => void;
    constructor(title: string, { body = "", tag = "" }: NotificationOptions = {}) {
      super();
      const entry = { title, body, tag, isOpen: true, click: () => this.onclick?.() };
      this.close = () => {
        entry.isOpen = false;
        this.onclose?.();
      };
      window.notifications.push(entry);
    }
  }
  if (sessionStorage.getItem("permission") === "granted") permission = "granted";
  Object.defineProperty(window, "Notification", { value: Recorded });
}

function shownNotifications(page: Page): Promise<{ title: string; body: string; tag: string }[]> {
  return page.evaluate(() => window.notifications.map(({ title, body, tag }) => ({ title, body, tag })));
}
