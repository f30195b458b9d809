import { MESSAGES } from "../server/contract/messages";
import { expect, expectAccessible, goInApp, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { Chat, sendMessage, startConversation } from "./pages/chat";
import { addPerson, insertPerson } from "./people";

const ASHA = "asha@sangam.example";
const ASHA_NAME = "Asha Kulkarni";

test("two tabs of one person agree: sent in one, shown in the other once; read in one, the badge drops in the other", async ({
  page,
  openContext,
  server,
}) => {
  const person = await insertPerson(server, { name: "Tilda Bay" });
  const context = await openContext();
  const [one, two] = [await context.newPage(), await context.newPage()];
  await authenticate(one, person.email, person.password);
  const conversationId = await startConversation(one, ASHA_NAME, "Good morning");
  const place = `/dashboard/messages/${conversationId}`;
  const [here, there] = [new Chat(one), new Chat(two)];
  await one.goto(place);
  await two.goto(place);
  await expect(there.message("Good morning")).toBeVisible();
  await here.field(ASHA_NAME).fill("Half a thought");
  await there.field(ASHA_NAME).fill("Another thought");

  await there.field(ASHA_NAME).fill("From the second tab");
  await two.keyboard.press("Enter");
  for (const chat of [here, there]) {
    await expect(chat.message("From the second tab").getByRole("img", { name: "Sent" })).toBeVisible();
    await expect(chat.message("From the second tab")).toHaveCount(1);
  }
  await expect(here.field(ASHA_NAME)).toHaveValue("Half a thought");
  await expect(there.field(ASHA_NAME)).toHaveValue("");
  await one.reload();
  await two.reload();
  await expect(here.field(ASHA_NAME)).toHaveValue("Half a thought");
  await expect(there.field(ASHA_NAME)).toHaveValue("");

  for (const tab of [one, two]) await goInApp(tab, "/dashboard");
  // The conversation that is left reads what comes.
  for (const tab of [one, two])
    await expect(tab.getByRole("heading", { level: 1, name: "Projects Board" })).toBeVisible();
  await authenticate(page, ASHA);
  await sendMessage(page, conversationId, "An answer");
  for (const tab of [one, two]) await expect(tab.getByRole("link", { name: "Messages, 1 unread" })).toBeVisible();
  const icon = one.locator('link[rel="icon"]');
  await expect(icon).toHaveAttribute("href", "/favicon-unread.svg");
  expect((await one.request.get("/favicon-unread.svg")).headers()["content-type"]).toContain("image/svg+xml");
  await two.bringToFront();
  await two.getByRole("link", { name: "Messages, 1 unread" }).click();
  await there.line(/^Asha Kulkarni/).click();
  await expect(there.message("An answer")).toBeVisible();
  await expect(one.getByRole("link", { name: "Messages", exact: true })).toBeVisible();
  await expect(icon).toHaveAttribute("href", "/favicon.svg");
});

test("who is deactivated while one writes to them takes nothing along that was typed or not sent", async ({
  page,
  openContext,
  consoleGuard,
  server,
  admin,
}) => {
  consoleGuard.allow(/net::ERR_FAILED/);
  const person = await insertPerson(server, { name: "Tove Bay" });
  const other = await (await openContext()).newPage();
  await authenticate(other, person.email, person.password);
  const conversationId = await startConversation(other, ASHA_NAME, "Good morning");
  await authenticate(page, ASHA);
  await page.goto(`/admin/messages/${conversationId}`);
  const asha = new Chat(page);
  await expect(asha.message("Good morning")).toBeVisible();
  await page.route("**/api/trpc/chat.send*", (route) => route.abort());
  await asha.send(person.name, "Are you there?");
  await expect(asha.message("Are you there?")).toContainText("Not sent");
  await asha.field(person.name).fill("There is one more thing");

  await admin.users.deactivate.mutate({ userId: person.id });
  const typed = page.getByRole("textbox", { name: `Unsent message to ${person.name}` });
  await expect(page.getByText(MESSAGES.chat.recipientInactive)).toBeVisible();
  await expect(typed).toHaveValue("There is one more thing");
  await expect(typed).toBeFocused();
  await expect(typed).toHaveAttribute("readonly");
  await expect(page.getByRole("button", { name: "Copy" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Send" })).toHaveCount(0);
  await expectAccessible(page, page.getByRole("main"));

  const message = asha.message("Are you there?");
  // Not sooner: it is tried again by itself every few seconds.
  await page.unroute("**/api/trpc/chat.send*");
  await message.getByRole("button", { name: "Retry" }).press("Enter");
  await expect(asha.scroller()).toBeFocused();
  // The one of the first attempt leaves meanwhile.
  const staying = page.locator("[data-removed='false']");
  const toast = page.getByRole("listitem").filter({ hasText: MESSAGES.chat.sendFailed }).and(staying);
  await expect(toast).toBeVisible();
  await expect(message).toContainText(MESSAGES.chat.recipientInactive);
  await expect(message.getByRole("button", { name: "Retry" })).toBeVisible();
  await message.getByRole("button", { name: "Delete" }).press("Enter");
  await expect(message).toHaveCount(0);
  await expect(asha.scroller()).toBeFocused();
  await expect(toast).toHaveCount(0);

  await test.step("words to somebody whom one may never write to again can still be read, copied and given up", async () => {
    const turid = await addPerson(admin, { name: "Turid Bay" });
    await goInApp(page, "/admin/messages");
    await asha.begin(turid.name);
    await page.route("**/api/trpc/chat.start*", (route) => route.abort());
    await asha.send(turid.name, "Welcome aboard");
    await expect(asha.message("Welcome aboard")).toContainText("Not sent");
    await asha.field(turid.name).fill("And one question");
    await admin.users.deactivate.mutate({ userId: turid.id });
    await page.unroute("**/api/trpc/chat.start*");
    await page.reload();
    await expect(page.getByText(MESSAGES.chat.recipientInactive)).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Unsent message to Unknown User" })).toHaveValue("And one question");
    const unsent = asha.message("Welcome aboard");
    await expect(unsent).toContainText("Not sent");
    await unsent.getByRole("button", { name: "Delete" }).click();
    await expect(unsent).toHaveCount(0);
  });
});
