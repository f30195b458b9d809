import { expect, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { Chat, sendMessage, startConversation } from "./pages/chat";
import { insertPerson, personId } from "./people";
import { insertMessages, writeRows } from "./rows";

const ASHA = "asha@sangam.example";
const ASHA_NAME = "Asha Kulkarni";
const OFFLINE = /net::ERR_INTERNET_DISCONNECTED/;

test("a network that goes and returns takes no reader away from where they are, and brings what came meanwhile once", async ({
  page,
  openContext,
  consoleGuard,
  admin,
  server,
}) => {
  consoleGuard.allow(OFFLINE);
  const person = await insertPerson(server, { name: "Una Strait" });
  const context = await openContext();
  const tab = await context.newPage();
  await authenticate(tab, person.email, person.password);
  const conversationId = await startConversation(tab, ASHA_NAME, "Good morning");
  await authenticate(page, ASHA);
  const senderId = await personId(admin, ASHA_NAME);
  /** The last one is announced to open pages. */
  const sendMany = async (word: string, { lastSeq, count }: { lastSeq: number; count: number }) => {
    const texts = Array.from({ length: count - 1 }, (_, at) => `${word} ${at + 1}`);
    await writeRows(server, (db) => insertMessages(db, { conversationId, senderId, lastSeq, texts }));
    await sendMessage(page, conversationId, `${word} ${count}`);
  };
  await sendMany("Before", { lastSeq: 1, count: 70 });
  await tab.goto(`/dashboard/messages/${conversationId}`);
  const chat = new Chat(tab);
  const light = tab.getByRole("status").filter({ hasText: /Reconnecting since/ });
  await chat.scroller().press("End");
  await expect(chat.message("Before 70")).toBeVisible();
  const asked: string[] = [];
  tab.on("request", (request) => asked.push(request.url()));
  const pages = () => asked.filter((url) => url.includes("chat.messages"));

  await test.step("at the end one stays at the end, with one's own below what came before it", async () => {
    await context.setOffline(true);
    await chat.send(ASHA_NAME, "From the tunnel");
    await expect(chat.message("From the tunnel")).toContainText("Not sent");
    await expect(tab.getByText("Failed to send message. Please try again.")).toBeVisible();
    await expect(light).toBeVisible();
    await sendMany("Meanwhile", { lastSeq: 71, count: 60 });
    await context.setOffline(false);
    await expect(chat.message("From the tunnel").getByRole("img", { name: "Sent" })).toBeVisible();
    await expect(light).toBeHidden();
    await expect(chat.message("Meanwhile 60")).toBeInViewport();
    await expect(chat.message("From the tunnel")).toBeInViewport();
    expect(pages()).toEqual([]);
  });

  await test.step("farther up nothing moves", async () => {
    await chat.scroller().evaluate((scroller) => scroller.scrollTo({ top: 900 }));
    await chat.isStill();
    const before = await chat.firstInView();
    asked.length = 0;
    await context.setOffline(true);
    await expect(light).toBeVisible();
    await sendMany("Later", { lastSeq: 132, count: 60 });
    await context.setOffline(false);
    await expect(tab.getByRole("button", { name: "Jump to latest (60)" })).toBeVisible();
    await chat.isStill();
    const after = await chat.firstInView();
    expect(after.text).toBe(before.text);
    expect(Math.abs(after.top - before.top)).toBeLessThanOrEqual(1);
    expect(pages()).toEqual([]);
  });
});

test("Back to another conversation leaves whoever writes in its field; on a phone the list comes back with the newest first, and words from right to left read that way", async ({
  page,
  browser,
  baseURL,
  server,
}) => {
  const [one, other] = [
    await insertPerson(server, { name: "Ugo Strait" }),
    await insertPerson(server, { name: "Uwe Strait" }),
  ];
  await authenticate(page, ASHA);
  const older = await startConversation(page, one.name, `Welcome, ${one.name}`);
  await startConversation(page, other.name, `Welcome, ${other.name}`);
  await test.step("Back to another conversation leaves whoever writes in its field, with what was typed there", async () => {
    const chat = new Chat(page);
    await chat.open("admin");
    await chat.line(/^Ugo Strait/).click();
    await chat.field(one.name).fill("To Ugo");
    await chat.line(/^Uwe Strait/).click();
    await chat.field(other.name).fill("To Uwe");
    await page.goBack();
    await expect(chat.field(one.name)).toHaveValue("To Ugo");
    await expect(chat.field(one.name)).toBeFocused();
    await page.goForward();
    await expect(chat.field(other.name)).toHaveValue("To Uwe");
    await expect(chat.field(other.name)).toBeFocused();
  });

  await test.step("on a phone the list comes back with the newest first; words from right to left read that way", async () => {
    const touching = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
    const phone = await browser.newContext({ ...touching, ...(baseURL !== undefined && { baseURL }) });
    const screen = await phone.newPage();
    await authenticate(screen, ASHA);
    const chat = new Chat(screen);
    await chat.open("admin");
    const first = screen.getByRole("navigation", { name: "Conversations" }).getByRole("listitem").first();
    await expect(first).toContainText("Uwe Strait");
    await chat.line(/^Uwe Strait/).tap();
    await expect(chat.message("Welcome, Uwe Strait")).toBeVisible();
    await sendMessage(page, older, "صباح الخير!");
    // Received while the list is hidden: later messages do not reorder a focused list.
    await expect(screen.locator('nav[aria-label="Conversations"] li', { hasText: "صباح الخير!" })).toHaveCount(1);
    await screen.getByRole("button", { name: "Back to conversations" }).tap();
    await expect(chat.line(/^Uwe Strait/)).toBeFocused();
    await expect(first).toContainText("Ugo Strait");
    await chat.line(/^Ugo Strait/).tap();
    await expect(chat.message("صباح الخير!").locator("p:last-of-type")).toHaveCSS("direction", "rtl");
    await phone.close();
  });
});
