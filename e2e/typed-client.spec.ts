import type { Client } from "../src/client/browser";
import { expect, test } from "./fixtures";

/** The bundle below defines it on the page. */
declare const sangam: typeof import("../src/client/browser");
declare const received: Record<"sse" | "websocket", string[]>;

test.use({ bypassCSP: true });

const TRANSPORTS = ["sse", "websocket"] as const;

test("the typed client works in a browser, and its streams over sse and websocket go on after kill -9 of the server", async ({
  page,
  server,
  admin,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_CONNECTION_(REFUSED|RESET)|ERR_INCOMPLETE_CHUNKED_ENCODING|WebSocket connection to/);
  const { key: apiKey } = await admin.auth.createApiKey.mutate({ name: "A page", scope: "write" });
  // Nobody is signed in to the page: the key alone decides what it may do.
  await page.goto("/terms");
  await page.addScriptTag({ content: await bundle() });

  const conversationId = await page.evaluate(
    async ({ key, transports }) => {
      Object.assign(globalThis, { received: Object.fromEntries(transports.map((transport) => [transport, []])) });
      let place = { conversationId: "" };
      for (const transport of transports) {
        const client: Client = sangam.createClient({ url: location.origin, apiKey: key, transport });
        const me = await client.auth.me.query();
        if (me?.email !== "asha@sangam.example") throw new Error("the key is not asha's");
        const refusal = await client.tasks.delete.mutate({ taskId: "none" }).catch((error: unknown) => error);
        if (!sangam.isClientError(refusal, "BAD_REQUEST")) throw new Error("not refused");
        const [conversation] = await client.chat.conversations.query();
        place = { conversationId: place.conversationId || (conversation?.id ?? "") };
        client.chat.onMessage.subscribe(place, {
          onStarted: () => received[transport].push("started"),
          onData: ({ data }) => data.type === "message" && received[transport].push(data.message.text),
        });
      }
      return place.conversationId;
    },
    { key: apiKey, transports: TRANSPORTS },
  );
  const expectReceived = async (text: string) => {
    for (const transport of TRANSPORTS) {
      const texts = () => page.evaluate((by) => received[by], transport);
      await expect.poll(texts, transport).toEqual(expect.arrayContaining([text]));
    }
  };
  const send = (text: string) => admin.chat.send.mutate({ conversationId, text, clientMessageId: crypto.randomUUID() });

  await expectReceived("started");
  await send("before the kill");
  await expectReceived("before the kill");
  await server.kill();
  await server.start();
  await send("after the kill");
  await expectReceived("after the kill");
  for (const texts of Object.values(await page.evaluate(() => received))) {
    const messages = texts.filter((text) => text !== "started");
    expect(new Set(messages).size).toBe(messages.length);
  }
});

/** Bundles the package's browser entry as an application would. */
async function bundle(): Promise<string> {
  const { build } = await import("vite");
  const made = await build({
    configFile: false,
    logLevel: "error",
    build: { write: false, lib: { entry: "src/client/browser.ts", formats: ["iife"], name: "sangam" } },
  });
  const [output] = Array.isArray(made) ? made : [made];
  const [chunk] = output && "output" in output ? output.output : [];
  if (chunk?.type !== "chunk") throw new Error("vite made no bundle");
  return chunk.code;
}
