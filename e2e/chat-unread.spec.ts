import { expect, expectAccessible, goInApp, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { Chat, sendMessage, setVisibility, startConversation } from "./pages/chat";
import { insertPerson } from "./people";
import { insertMessages, writeRows } from "./rows";

const ASHA = "asha@sangam.example";
const ASHA_NAME = "Asha Kulkarni";

test("a conversation with many unread messages opens at the first of them, older ones do not move it, and a New line stands above what comes meanwhile; of more than a thousand the newest are shown", async ({
  page,
  openContext,
  server,
}) => {
  const many = await insertPerson(server, { name: "Udo Strand" });
  const person = await insertPerson(server, { name: "Ulla Strand" });
  const other = await (await openContext()).newPage();
  await authenticate(other, many.email, many.password);
  const tooMany = await startConversation(other, ASHA_NAME, "Line 1 of too many");
  await writeRows(server, (db) => {
    const texts = Array.from({ length: 1_001 }, (_, at) => `Line ${2 + at} of too many`);
    return insertMessages(db, { conversationId: tooMany, senderId: many.id, lastSeq: 1, texts });
  });
  await authenticate(other, person.email, person.password);
  const conversationId = await startConversation(other, ASHA_NAME, "Line 1 of the past");
  const insertLines = ({ from, to }: { from: number; to: number }) =>
    writeRows(server, (db) =>
      insertMessages(db, {
        conversationId,
        senderId: person.id,
        lastSeq: from - 1,
        texts: Array.from({ length: to - from + 1 }, (_, at) => `Line ${from + at} of the past`),
      }),
    );
  await insertLines({ from: 2, to: 120 });
  await authenticate(page, ASHA);
  const asha = new Chat(page);

  await test.step("when all of it is unread: at its beginning", async () => {
    await page.goto(`/admin/messages/${conversationId}`);
    await expectOpenAt(asha, "Line 1 of the past");
  });

  await test.step("by its address, with what was read before above it", async () => {
    await goInApp(page, "/admin");
    await expect(page.getByRole("heading", { level: 1, name: "All Projects" })).toBeVisible();
    await insertLines({ from: 121, to: 240 });
    await page.goto(`/admin/messages/${conversationId}`);
    await expectOpenAt(asha, "Line 121 of the past");
    await expectAccessible(page, asha.message("Line 121 of the past"));
    await expect(asha.line(/^Ulla Strand, user, last message/)).toBeVisible();
  });

  await test.step("from the list, though an earlier visit has read pages of it", async () => {
    await asha.line(/^Meera Rao/).click();
    await expect(asha.field("Meera Rao")).toBeVisible();
    await insertLines({ from: 241, to: 319 });
    // Only this one is announced to the open page.
    await sendMessage(other, conversationId, "Line 320 of the past");
    await asha.line(/^Ulla Strand, user, 80 unread/).click();
    await expectOpenAt(asha, "Line 241 of the past");
  });

  await test.step("older ones come in above, and what is read stays where it is", async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHeld = false;
    await page.route("**/api/trpc/chat.messages*", async (route) => {
      isHeld = true;
      await released;
      await route.continue();
    });
    await asha.scroller().hover();
    await expect(async () => {
      await page.mouse.wheel(0, -300);
      expect(isHeld).toBe(true);
    }).toPass({ intervals: [50] });
    await asha.isStill();
    const { text, top, height } = await asha.firstInView();
    release();
    await expect.poll(async () => (await asha.firstInView()).height).toBeGreaterThan(height + 1_000);
    expect(Math.abs((await asha.topOf(text)) - top)).toBeLessThanOrEqual(1);
    await page.unroute("**/api/trpc/chat.messages*");
  });

  await test.step("what comes while one looks elsewhere stands below a New line", async () => {
    await asha.scroller().press("End");
    await expect(asha.message("Line 320 of the past")).toBeInViewport();
    await setVisibility(page, "hidden");
    for (const text of ["Are you there?", "It is about the tide gauges."])
      await sendMessage(other, conversationId, text);
    await expect(asha.message("It is about the tide gauges.")).toBeVisible();
    await setVisibility(page, "visible");
    await expect(asha.message("Are you there?").getByText("New", { exact: true })).toBeVisible();
    await expect(asha.message("Line 320 of the past").getByText("New", { exact: true })).toHaveCount(0);
  });

  await test.step("more than a thousand unread messages open at the newest, and the screen says so", async () => {
    await goInApp(page, `/admin/messages/${tooMany}`);
    const honest = page.getByText("More than 1,000 unread messages. These are the newest.");
    await expect(honest).toBeVisible();
    await expect(asha.scroller().getByRole("listitem").last()).toContainText(/Line 9\d\d|Line 100\d/);
    await expect(page.getByText("New", { exact: true })).toHaveCount(0);
    await expectAccessible(page, honest);
  });
});

/** The "New" line is above that message, at the top of the visible area, and nowhere else. */
async function expectOpenAt(chat: Chat, text: string): Promise<void> {
  await expect(chat.message(text).getByText("New", { exact: true })).toBeInViewport();
  await expect(chat.page.getByText("New", { exact: true })).toHaveCount(1);
  await chat.isStill();
  const top = await chat.topOf(text);
  expect(top).toBeGreaterThanOrEqual(-1);
  // Below the day and the line.
  expect(top).toBeLessThan(120);
}
