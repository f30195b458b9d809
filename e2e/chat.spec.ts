import type { Page } from "@playwright/test";
import { api } from "./api";
import { expect, expectAccessible, expectAccessibleEverywhere, expectFits, test } from "./fixtures";
import { authenticate, signIn } from "./pages/account";
import { Chat, sendMessage, startConversation } from "./pages/chat";
import { insertPerson } from "./people";
import { insertMessages, writeRows } from "./rows";

const ASHA = "asha@sangam.example";
const VIKRAM = "vikram@sangam.example";

test("an admin and a client talk: both ways, with ticks, badges and titles; nobody else sees a word", async ({
  page,
  openContext,
  server,
}) => {
  const client = await insertPerson(server, { name: "Zoya Harbour", as: "client" });
  const clientPage = await (await openContext()).newPage();
  await signIn(clientPage, client.email, client.password);
  await authenticate(page, ASHA);
  const [asha, zoya] = [new Chat(page), new Chat(clientPage)];
  await asha.open("admin");
  await page.getByRole("button", { name: "New Message" }).click();
  await page.getByRole("combobox", { name: "Search people" }).fill("Vikram");
  await expect(page.getByText("You can message everyone whose account is active, except other admins.")).toBeVisible();
  await page.keyboard.press("Escape");
  await asha.begin(client.name);
  await expect(page).toHaveURL(/to=/);

  await test.step("the first message makes the conversation", async () => {
    await asha.send(client.name, "Welcome to the harbour");
    await expect(page).toHaveURL(/\/admin\/messages\/[\w-]+$/);
    await expect(page).not.toHaveURL(/to=/);
    await expect(asha.field(client.name)).toBeFocused();
    await expect(asha.message("Welcome to the harbour").getByRole("img", { name: "Sent" })).toBeVisible();
    await expect(asha.line(/^Zoya Harbour, client, last message Welcome to the harbour/)).toBeVisible();
  });

  await test.step("the other one receives it wherever they are, and two ticks come back", async () => {
    await expect(clientPage.getByRole("link", { name: "Messages, 1 unread" })).toBeVisible();
    await expect(clientPage).toHaveTitle("Projects · Sangam");
    await clientPage.getByRole("link", { name: "Messages, 1 unread" }).click();
    await expect(clientPage).toHaveTitle("(1) Messages · Sangam");
    await zoya.line(/^Asha Kulkarni, admin, 1 unread/).click();
    await expect(zoya.message("Welcome to the harbour").getByText("New", { exact: true })).toBeVisible();
    await expect(asha.message("Welcome to the harbour").getByRole("img", { name: "Read" })).toBeVisible();
    await expect(clientPage).toHaveTitle("Messages · Sangam");
    await expect(clientPage.getByRole("link", { name: "Messages", exact: true })).toBeVisible();
  });

  await test.step("answers arrive, in one order, each once, and no page is read again for them", async () => {
    const pages: string[] = [];
    for (const one of [page, clientPage]) {
      one.on("request", (request) => void (request.url().includes("chat.messages") && pages.push(request.url())));
    }
    const sent = ["Welcome to the harbour"];
    // Two people write at the same time: the server decides the order, and both screens show it.
    for (const count of [1, 2, 3]) {
      await Promise.all([asha.send(client.name, `Point ${count}`), zoya.send("Asha Kulkarni", `Answer ${count}`)]);
      sent.push(`Point ${count}`, `Answer ${count}`);
    }
    const orders = await Promise.all(
      [asha, zoya].map(async (chat) => {
        const items = chat.scroller().getByRole("listitem");
        await expect(items).toHaveCount(sent.length);
        for (const one of sent) await expect(chat.message(one)).toHaveCount(1);
        await expect(items.getByText("Sending...")).toHaveCount(0);
        const texts = await items.allTextContents();
        return texts.map((text) => sent.find((one) => text.includes(one)));
      }),
    );
    expect(orders[0]).toEqual(orders[1]);
    for (const word of ["Point", "Answer"]) {
      const own = orders[0]?.filter((one) => one?.startsWith(word));
      expect(own).toEqual([1, 2, 3].map((count) => `${word} ${count}`));
    }
    expect(pages).toEqual([]);
    await expect(page.getByRole("log", { name: "New messages" })).toContainText("Zoya Harbour: Answer");
  });

  await test.step("the list shows the preview of 30 letters whole", async () => {
    await asha.send(client.name, "May two people from the gatehouse come along?");
    const preview = asha.line(/^Zoya Harbour/).getByText(/^You: /);
    await expect(preview).toHaveText("You: May two people from the gateho...");
    expect(await preview.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
  });

  await test.step("another admin finds nothing, neither in the list nor by the address", async () => {
    await authenticate(page, VIKRAM);
    await page.goto(page.url());
    await expect(page.getByText("This conversation is not available to you, or it no longer exists.")).toBeVisible();
    await expect(asha.line(/^Zoya Harbour/)).toHaveCount(0);
  });
});

test("what finds no server stays, says so, outlives a reload and is sent once", async ({
  page,
  consoleGuard,
  server,
}) => {
  consoleGuard.allow(/net::ERR_FAILED/);
  const person = await insertPerson(server, { name: "Yusuf Pier" });
  await authenticate(page, person.email, person.password);
  const chat = new Chat(page);
  await chat.open("user");
  await test.step("an empty inbox offers the first message, and says who can receive it", async () => {
    await expect(page.getByText("No conversations yet")).toBeVisible();
    await expect(page.getByText("If another admin covers for them, you see who.")).toBeVisible();
    await page.getByRole("button", { name: "Write to an admin" }).click();
    await page.getByRole("combobox", { name: "Search people" }).fill("Rohan");
    await expect(page.getByText("No admin with that name. You can message admins only.")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: "Write to an admin" })).toBeFocused();
  });
  await chat.begin("Asha Kulkarni");
  await page.route("**/api/trpc/chat.start*", (route) => route.abort());
  await chat.send("Asha Kulkarni", "Is anybody there?");
  const message = chat.message("Is anybody there?");
  await expect(message).toContainText("Not sent");
  await expect(message.getByRole("button", { name: "Retry" })).toBeVisible();
  await expect(page.getByText("Failed to start conversation. Please try again.")).toBeVisible();
  await chat.field("Asha Kulkarni").fill("A second thought");
  await page.unroute("**/api/trpc/chat.start*");
  await page.reload();
  await expect(message.getByRole("img", { name: "Sent" })).toBeVisible();
  await expect(message).toHaveCount(1);
  await expect(chat.field("Asha Kulkarni")).toHaveValue("A second thought");

  await test.step("a refusal waits for its writer, who may drop it", async () => {
    await page.route("**/api/trpc/chat.send*", (route) => route.abort());
    await chat.send("Asha Kulkarni", "Never mind");
    // It must not cover the message.
    await expect(page.getByText("Failed to send message. Please try again.")).toBeVisible();
    await chat.message("Never mind").getByRole("button", { name: "Delete" }).click();
    await expect(chat.message("Never mind")).toHaveCount(0);
  });
});

test("a long conversation that is read opens at its end, reads older pages above, and says what came meanwhile", async ({
  page,
  openContext,
  consoleGuard,
  server,
}) => {
  consoleGuard.allow(/net::ERR_FAILED/);
  const person = await insertPerson(server, { name: "Xenia Quay" });
  const other = await (await openContext()).newPage();
  await authenticate(other, person.email, person.password);
  await authenticate(page, ASHA);
  const asha = new Chat(page);
  const conversationId = await startConversation(other, "Asha Kulkarni", "Line 1 of many");
  const texts = Array.from({ length: 54 }, (_, at) => `Line ${2 + at} of many`);
  await writeRows(server, (db) => insertMessages(db, { conversationId, senderId: person.id, lastSeq: 1, texts }));
  await sendMessage(page, conversationId, "An answer to that");
  await api(page).chat.markRead.mutate({ conversationId, upToSeq: texts.length + 1 });
  await page.goto(`/admin/messages/${conversationId}`);
  await expect(asha.message("An answer to that")).toBeVisible();
  await expect(asha.message("Line 1 of many")).toHaveCount(0);

  const scroller = page.getByRole("region", { name: /^Messages with / });
  await scroller.hover();
  await page.route("**/api/trpc/chat.messages*", (route) => route.abort());
  await page.mouse.wheel(0, -9_000);
  const more = page.getByRole("button", { name: "Load older messages" });
  await expect(more).toBeVisible();
  await page.unroute("**/api/trpc/chat.messages*");
  await more.press("Enter");
  await expect(scroller).toBeFocused();
  await expect(async () => {
    await page.mouse.wheel(0, -2_000);
    await expect(asha.message("Line 1 of many")).toBeVisible({ timeout: 300 });
  }).toPass();
  await sendMessage(other, conversationId, "And one more");
  await expect(asha.message("Line 1 of many")).toBeVisible();
  await page.getByRole("button", { name: "Jump to latest (1)" }).click();
  await expect(asha.message("And one more")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Jump to latest/ })).toHaveCount(0);
});

test("the server is killed in mid-talk: meanwhile nobody is online, and what was written arrives once, without a reload", async ({
  page,
  server,
  openContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/Failed to load resource|WebSocket connection/);
  const person = await insertPerson(server, { name: "Wilma Lock" });
  const other = await (await openContext()).newPage();
  await authenticate(other, person.email, person.password);
  await authenticate(page, ASHA);
  const [asha, wilma] = [new Chat(page), new Chat(other)];
  const sockets = await holdSockets([page, other]);
  await asha.open("admin");
  await asha.begin(person.name);
  await asha.send(person.name, "Before the storm");
  await wilma.open("user");
  await wilma.line(/^Asha Kulkarni/).click();
  await expect(wilma.message("Before the storm")).toBeVisible();
  await expect(asha.message("Before the storm").getByRole("img", { name: "Read" })).toBeVisible();
  const online = page.getByText("User · online");
  await expect(online).toBeVisible();
  sockets.hold();
  await server.kill();
  await test.step("the page says since when the connection is lost, and shows nobody as online", async () => {
    await expect(online).toHaveCount(0);
    const light = page.getByRole("status").filter({ hasText: /^Reconnecting since \d\d:\d\d$/ });
    await expect(light).toBeVisible();
    await expectAccessible(page, light);
  });
  await asha.send(person.name, "In the storm");
  await wilma.send("Asha Kulkarni", "I hear nothing");
  await expect(asha.message("In the storm")).toContainText("Not sent");
  await server.start();
  // Both are sent before either page receives anything again: no event will say so.
  for (const own of [asha.message("In the storm"), wilma.message("I hear nothing")])
    await expect(own.getByRole("img", { name: "Sent" })).toBeVisible({ timeout: 45_000 });
  sockets.release();
  await test.step("then that it caught up, and who is online", async () => {
    await expect(page.getByRole("status").filter({ hasText: "Caught up" })).toBeVisible({ timeout: 45_000 });
    await expect(page.getByRole("status").filter({ hasText: /Reconnecting|Caught up/ })).toHaveCount(0);
    await expect(online).toBeVisible({ timeout: 45_000 });
  });
  for (const chat of [asha, wilma]) {
    for (const text of ["In the storm", "I hear nothing"]) {
      await expect(chat.message(text)).toBeVisible({ timeout: 45_000 });
      await expect(chat.message(text)).not.toContainText("Not sent", { timeout: 45_000 });
    }
    await expect(chat.page.getByRole("region", { name: /^Messages with / }).getByRole("listitem")).toHaveCount(3);
  }
  await expect(asha.message("In the storm").getByRole("img", { name: "Read" })).toBeVisible();
  await expect(wilma.message("I hear nothing").getByRole("img", { name: "Read" })).toBeVisible();
  for (const chat of [asha, wilma])
    await expect(chat.line(/last message (In the storm|I hear nothing)/)).toHaveCount(1);
});

/** While held, a socket of these pages neither opens nor fails. */
async function holdSockets(pages: readonly Page[]) {
  let held = Promise.resolve();
  let release = () => {};
  for (const page of pages)
    await page.routeWebSocket(/\/api\/trpc/, async (socket) => {
      await held;
      socket.connectToServer();
    });
  return {
    hold() {
      held = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => release(),
  };
}

test("the messages are accessible in both themes and fit a phone, which shows the list or the conversation", async ({
  page,
}) => {
  await authenticate(page, ASHA);
  const chat = new Chat(page);
  await chat.open("admin");
  await expect(chat.line(/^Meera Rao/)).toBeVisible();
  // On a desk the list stands beside the conversation.
  await expectAccessibleEverywhere(page, { widths: [360] });
  await page.setViewportSize({ width: 1280, height: 800 });
  await chat.line(/^Meera Rao/).click();
  await expect(chat.field("Meera Rao")).toBeVisible();
  await expect(page.getByRole("region", { name: "Messages with Meera Rao" }).getByRole("listitem")).not.toHaveCount(0);
  await expectAccessibleEverywhere(page);
  await expectFits(page, 360);
  await expect(chat.line(/^Meera Rao/)).toBeHidden();
  await page.getByRole("button", { name: "Back to conversations" }).click();
  await expect(chat.line(/^Meera Rao/)).toBeFocused();
  await expect(chat.field("Meera Rao")).toBeHidden();
});
