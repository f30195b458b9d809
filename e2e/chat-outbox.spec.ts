import type { Page } from "@playwright/test";
import { MESSAGES } from "../server/contract/messages";
import { api } from "./api";
import { expect, goInApp, test } from "./fixtures";
import { authenticate, signIn } from "./pages/account";
import { Chat, startConversation } from "./pages/chat";
import { insertPerson } from "./people";
import { hold, Traffic } from "./traffic";

const ASHA = "asha@sangam.example";
const ASHA_NAME = "Asha Kulkarni";

test("what is not sent at once goes out once and in order: after its writer has left, its session or its tab has ended", async ({
  page: admins,
  openContext,
  consoleGuard,
  server,
}) => {
  consoleGuard.allow(/net::ERR_FAILED/);
  const person = await insertPerson(server, { name: "Yusuf Ghat" });
  const context = await openContext();
  const page = await context.newPage();
  await authenticate(page, person.email, person.password);
  const conversationId = await startConversation(page, ASHA_NAME, "Good morning");
  const path = `/dashboard/messages/${conversationId}`;
  const traffic = new Traffic(page);
  await page.goto(path);
  const chat = new Chat(page);
  await expect(chat.message("Good morning")).toBeVisible();

  await test.step("away from the messages a failure is told once, and taken back when it is sent after all", async () => {
    // The answer arrives after its author has left the messages.
    const call = hold((route) => route.abort());
    await page.route("**/api/trpc/chat.send*", call.handler);
    await chat.send(ASHA_NAME, "Wait for me");
    await page.getByRole("link", { name: "Projects" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Projects Board" })).toBeVisible();
    call.release();
    const toast = page.getByText(MESSAGES.chat.sendFailed);
    await expect(toast).toBeVisible();
    const again = page.waitForRequest("**/api/trpc/chat.send*");
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await again;
    await expect(toast).toHaveCount(1);
    await page.unroute("**/api/trpc/chat.send*");
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await expect(toast).toHaveCount(0);
    await expect.poll(() => unsent(page)).toBe(0);
  });

  await test.step("what met the end of its session goes out when its person has signed in again in place", async () => {
    await goInApp(page, path);
    await chat.field(ASHA_NAME).fill("Too late for that session");
    await traffic.settled();
    await context.clearCookies();
    await page.keyboard.press("Enter");
    const again = page.getByRole("dialog", { name: "Sign in again" });
    await again.getByLabel("Password", { exact: true }).fill(person.password);
    await again.getByRole("button", { name: "Log In" }).click();
    await expect(again).toBeHidden();
    await expect(chat.message("Too late for that session").getByRole("img", { name: "Sent" })).toBeVisible();
    await expect(page.getByText(MESSAGES.chat.sendFailed)).toHaveCount(0);
  });

  const other = await context.newPage();
  const there = new Chat(other);
  await test.step("a tab that is closed while it sends leaves the rest to another one, which shows it too", async () => {
    await other.goto(path);
    await expect(there.message("Good morning")).toBeVisible();
    await page.route("**/api/trpc/chat.send*", () => {
      // Never answered.
    });
    for (const text of ["Left behind", "And this one"]) await chat.send(ASHA_NAME, text);
    await expect(there.message("Left behind")).toContainText("Sending...");
    await page.close();
    for (const text of ["Left behind", "And this one"]) {
      await expect(there.message(text).getByRole("img", { name: "Sent" })).toBeVisible();
      await expect(there.message(text)).toHaveCount(1);
    }
  });

  await test.step("what found no server outlives its last tab, and goes out from whatever page its writer is on", async () => {
    await context.route("**/api/trpc/chat.send*", (route) => route.abort());
    for (const text of ["One by land", "Two by sea"]) await there.send(ASHA_NAME, text);
    for (const text of ["One by land", "Two by sea"]) await expect(there.message(text)).toContainText("Not sent");
    await other.close();
    const board = await context.newPage();
    await board.goto("/dashboard");
    await expect(board.getByRole("heading", { level: 1, name: "Projects Board" })).toBeVisible();
    await context.unroute("**/api/trpc/chat.send*");
    await board.evaluate(() => window.dispatchEvent(new Event("online")));
    await expect.poll(() => unsent(board)).toBe(0);
  });

  await authenticate(admins, ASHA);
  const { items } = await api(admins).chat.messages.query({ conversationId });
  expect(items.map(({ text }) => text)).toEqual([
    ...["Good morning", "Wait for me", "Too late for that session"],
    ...["Left behind", "And this one", "One by land", "Two by sea"],
  ]);
});

test("signing out keeps what was not sent for the same person, and nobody else sends or sees it", async ({
  openContext,
  server,
  consoleGuard,
}) => {
  consoleGuard.allow(/net::ERR_FAILED/);
  const [writer, next] = [
    await insertPerson(server, { name: "Yara Pier" }),
    await insertPerson(server, { name: "Zeno Pier" }),
  ];
  const context = await openContext();
  const page = await context.newPage();
  await authenticate(page, writer.email, writer.password);
  const conversationId = await startConversation(page, ASHA_NAME, "Good morning");
  await page.goto(`/dashboard/messages/${conversationId}`);
  const chat = new Chat(page);
  await page.route("**/api/trpc/chat.send*", (route) => route.abort());
  await chat.send(ASHA_NAME, "Mine alone");
  await expect(chat.message("Mine alone")).toContainText("Not sent");
  await page.getByRole("button", { name: "Yara Pier" }).first().click();
  await page.getByRole("menuitem", { name: "Logout" }).click();
  await expect(page).toHaveURL(/\/login/);

  // Until then its own person may send it again.
  await page.unroute("**/api/trpc/chat.send*");
  const sent: string[] = [];
  page.on("request", (request) => {
    if (/chat\.(send|start)/.test(request.url())) sent.push(request.postData() ?? "");
  });
  await authenticate(page, next.email, next.password);
  await chat.open("user");
  await expect(page.getByText("No conversations yet")).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await chat.begin(ASHA_NAME);
  await chat.send(ASHA_NAME, "Somebody else");
  await expect(chat.message("Somebody else").getByRole("img", { name: "Sent" })).toBeVisible();
  await expect(chat.message("Mine alone")).toHaveCount(0);
  expect(sent.filter((body) => body.includes("Mine alone"))).toEqual([]);

  await api(page).auth.signOut.mutate();
  await signIn(page, writer.email, writer.password);
  await expect.poll(() => sent.filter((body) => body.includes("Mine alone")).length).toBe(1);
  await goInApp(page, `/dashboard/messages/${conversationId}`);
  await expect(chat.message("Mine alone").getByRole("img", { name: "Sent" })).toBeVisible();
});

function unsent(page: Page): Promise<number> {
  return page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("outbox:")).length);
}
