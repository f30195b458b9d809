import type { BrowserContext, WebSocketRoute } from "@playwright/test";
import { expect, test } from "./fixtures";
import { authenticate, openAs } from "./pages/account";
import { Chat, sendMessage, startConversation } from "./pages/chat";
import { addPerson, insertPerson } from "./people";
import { Traffic } from "./traffic";

// See task-editing.spec.ts.
test.describe.configure({ mode: "parallel" });

const ASHA = "asha@sangam.example";
const ASHA_NAME = "Asha Kulkarni";

test("a page swallows heartbeats; one over whose connection nothing comes any more begins its streams again, and misses nothing", async ({
  page,
  openContext,
  server,
}) => {
  const person = await insertPerson(server, { name: "Wanda Reef" });
  const context = await openContext();
  const wire = await openWire(context);
  const tab = await context.newPage();
  await tab.clock.install();
  const traffic = new Traffic(tab);
  await authenticate(tab, person.email, person.password);
  const conversationId = await startConversation(tab, ASHA_NAME, "Good morning");
  await authenticate(page, ASHA);
  await tab.goto(`/dashboard/messages/${conversationId}`);
  const chat = new Chat(tab);
  await expect(chat.message("Good morning")).toBeVisible();
  await expect.poll(() => wire.started()).toEqual(expect.arrayContaining(["live.onEvent", "chat.onMessage"]));
  await sendMessage(page, conversationId, "Before");
  await expect(chat.message("Before")).toBeVisible();
  await test.step("heartbeats: nothing is read again for them, and what follows them arrives", async () => {
    await traffic.settled();
    const asked: string[] = [];
    tab.on("request", (request) => asked.push(new URL(request.url()).pathname));
    wire.sendHeartbeats("2");
    await sendMessage(page, conversationId, "After the heartbeats");
    await expect(chat.message("After the heartbeats")).toHaveCount(1);
    const reads = asked.filter((path) => path.startsWith("/api/trpc/") && !path.includes("chat.markRead"));
    expect(reads).toEqual([]);
  });

  await test.step("nothing comes any more: the streams begin again, and nothing is missed", async () => {
    wire.silence();
    await sendMessage(page, conversationId, "In the silence");
    await expect.poll(() => wire.swallowed()).toContain("In the silence");
    await expect(chat.message("In the silence")).toHaveCount(0);
    await tab.clock.fastForward(46_000);
    await expect(chat.message("In the silence")).toHaveCount(1);
    await sendMessage(page, conversationId, "Once it is back");
    await expect(chat.message("Once it is back")).toHaveCount(1);
    await expect(tab.getByRole("status").filter({ hasText: /Reconnecting/ })).toBeHidden();
  });
});

test("a change that a stream has not sent yet when the page follows more is sent by the next one", async ({
  openContext,
  admin,
}) => {
  const context = await openContext();
  const wire = await openWire(context);
  const tab = await context.newPage();
  await openAs(tab, { email: ASHA, path: "/admin" });
  const menu = tab.getByRole("navigation");
  const pending = async () => (await admin.users.list.query({ status: "pending" })).counts.pending;
  const badge = (count: number) => menu.getByRole("link", { name: new RegExp(`^Users, .* ${count} pending$`) });
  await expect(badge(await pending())).toBeVisible();
  await expect.poll(() => wire.started()).toContain("live.onEvent");

  wire.silence();
  await addPerson(admin, { name: "Hannah Reef", as: "pending" });
  await expect.poll(() => wire.swallowed()).toContain('"topic":"users"');
  await menu.getByRole("link", { name: "Audit" }).click();
  await expect(tab.getByRole("heading", { level: 1, name: "Audit" })).toBeFocused();
  await expect(badge(await pending())).toBeVisible();
});

/** Records the messages on the browser's sockets. */
async function openWire(context: BrowserContext) {
  const streams = new Map<number, { path: string; socket: WebSocketRoute }>();
  const started = new Set<number>();
  let swallowed = "";
  /** Of these nothing comes any more. */
  let silent: ReadonlySet<number> = new Set();
  await context.routeWebSocket(/\/api\/trpc/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      for (const { id, method, params } of messagesOf(message)) {
        if (method === "subscription" && params) streams.set(id, { path: params.path, socket });
        if (method === "subscription.stop") streams.delete(id);
      }
      server.send(message);
    });
    server.onMessage((message) => {
      const sent = messagesOf(message);
      for (const { id, result } of sent) if (result?.type === "started") started.add(id);
      if (sent.some(({ id }) => silent.has(id))) swallowed += String(message);
      else socket.send(message);
    });
  });
  return {
    started: () => [...streams].flatMap(([id, { path }]) => (started.has(id) ? [path] : [])),
    /** For good: a heartbeat that came through after a lost message would say that the page has it. */
    silence() {
      silent = new Set(streams.keys());
    },
    swallowed: () => swallowed,
    /** In the order of the server, one per stream. */
    sendHeartbeats(lastEventId: string) {
      const heartbeat = { type: "heartbeat" };
      for (const [id, { path, socket }] of streams) {
        const result =
          path === "chat.onMessage"
            ? { type: "data", id: lastEventId, data: { json: { id: lastEventId, data: heartbeat } } }
            : { type: "data", data: { json: heartbeat } };
        socket.send(JSON.stringify({ id, result }));
      }
    },
  };
}

interface Message {
  id: number;
  method?: string;
  params?: { path: string };
  result?: { type: string };
}

function messagesOf(message: string | Buffer): Message[] {
  const text = String(message);
  if (text === "PING" || text === "PONG") return [];
  const parsed: Message | Message[] = JSON.parse(text);
  return Array.isArray(parsed) ? parsed : [parsed];
}
