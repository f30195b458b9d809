import type { Client } from "../src/client/browser";
import { expect, test } from "./fixtures";

/** What the bundle below leaves on the page. */
declare const sangam: typeof import("../src/client/browser");
declare const heard: string[];

test.use({ bypassCSP: true });

for (const transport of ["sse", "websocket"] as const) {
  test(`the typed client works in a browser, and its stream over ${transport} goes on after kill -9 of the server`, async ({
    page,
    server,
    consoleGuard,
  }) => {
    consoleGuard.allow(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|WebSocket connection to/);
    const call = async (procedure: string, json: unknown, headers: Record<string, string> = {}) => {
      const answer = await page.request.post(`/api/trpc/${procedure}`, { data: { json }, headers });
      return (await answer.json()).result.data.json;
    };
    await call("auth.signIn", { email: "asha@sangam.example", password: "sangam-demo", rememberMe: false });
    const { key: apiKey } = await call("auth.createApiKey", { name: "A page", scope: "write" });
    const authorization = `Bearer ${apiKey}`;
    // A page that nobody is signed in to: what it may do comes from the key alone.
    await page.context().clearCookies();
    await page.goto("/terms");
    await page.addScriptTag({ content: await bundle() });

    const conversationId = await page.evaluate(
      async ({ key, by }) => {
        const client: Client = sangam.createClient({ url: location.origin, apiKey: key, transport: by });
        const me = await client.auth.me.query();
        if (me?.email !== "asha@sangam.example") throw new Error("the key is not asha's");
        const refusal = await client.tasks.delete.mutate({ taskId: "none" }).catch((error: unknown) => error);
        if (!sangam.isClientError(refusal, "BAD_REQUEST")) throw new Error("not refused");
        const [conversation] = await client.chat.conversations.query();
        const place = { conversationId: conversation?.id ?? "" };
        Object.assign(globalThis, { heard: [] });
        client.chat.onMessage.subscribe(place, {
          onStarted: () => heard.push("started"),
          onData: ({ data }) => data.type === "message" && heard.push(data.message.text),
        });
        return place.conversationId;
      },
      { key: apiKey, by: transport },
    );
    const hears = (text: string) =>
      expect.poll(() => page.evaluate(() => heard)).toEqual(expect.arrayContaining([text]));
    const say = (text: string) =>
      call("chat.send", { conversationId, text, clientMessageId: crypto.randomUUID() }, { authorization });

    await hears("started");
    await say(`before, over ${transport}`);
    await hears(`before, over ${transport}`);
    await server.kill();
    await server.start();
    await say(`after, over ${transport}`);
    await hears(`after, over ${transport}`);
    const texts = await page.evaluate(() => heard.filter((text) => text !== "started"));
    expect(new Set(texts).size).toBe(texts.length);
  });
}

/** As an application's own bundler would make it of the package's entry for browsers. */
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
