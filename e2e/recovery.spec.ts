import type { Locator, Page } from "@playwright/test";
import type { Client } from "../src/client/browser";
import type { Api } from "./api";
import { expect, test } from "./fixtures";
import { authenticate, DEMO_PASSWORD, signIn } from "./pages/account";
import { Board } from "./pages/board";

/** The bundle below defines it on the page. */
declare const sangam: typeof import("../src/client/browser");
declare const received: Record<"sse" | "websocket", string[]>;

const TRANSPORTS = ["sse", "websocket"] as const;

test("after kill -9 of the server an open board says so, catches up and follows again without a reload; the typed client works in a browser, and its streams over sse and websocket go on", async ({
  page,
  openContext,
  browser,
  server,
  admin,
  consoleGuard,
}) => {
  consoleGuard.allow(
    /Failed to load resource|WebSocket connection|ERR_CONNECTION_(REFUSED|RESET)|ERR_INCOMPLETE_CHUNKED_ENCODING/,
  );
  const other = await (await openContext()).newPage();
  await signIn(page, "rohan@sangam.example");
  await authenticate(other, "mitali@sangam.example");
  await page.evaluate(() => {
    document.body.dataset.neverReloaded = "yes";
  });
  const title = "Kartavya geofence tuning";
  const panel = await new Board(page).openPanel(title);
  await expect(panel.getByRole("checkbox", { name: "Field test at two campuses" })).not.toBeChecked();
  const foreign = await browser.newContext({ baseURL: server.url, bypassCSP: true });
  consoleGuard.watch(foreign);
  const program = await foreign.newPage();
  const conversationId = await subscribe(program, admin);
  const send = (text: string) => admin.chat.send.mutate({ conversationId, text, clientMessageId: crypto.randomUUID() });
  await expectReceived(program, "started");
  await send("before the kill");
  await expectReceived(program, "before the kill");

  await server.kill();
  const light = page.getByRole("status").filter({ hasText: "Reconnecting" });
  await expect(light).toBeVisible();
  await test.step("on the narrowest phone the light stands beside what adds a project, not over it", async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    const add = page.locator("button:visible", { hasText: "New Project" });
    const rightOf = (one: Locator) => one.evaluate((element) => element.getBoundingClientRect().right);
    const leftOf = (one: Locator) => one.evaluate((element) => element.getBoundingClientRect().left);
    // The open panel covers both, and hides them from roles.
    const sign = page.locator('[role="status"] p', { hasText: "Reconnecting" });
    expect(await rightOf(sign)).toBeLessThan(await leftOf(add));
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  await server.start();
  await send("after the kill");

  await test.step("an open board catches up, and follows again without a reload", async () => {
    // The first browser may still be disconnected: it has to catch up on its own.
    await other.goto("/dashboard");
    const othersPanel = await new Board(other).openPanel(title);
    await othersPanel.getByRole("checkbox", { name: "Field test at two campuses" }).check();
    await expect(panel.getByRole("checkbox", { name: "Field test at two campuses" })).toBeChecked({ timeout: 45_000 });
    await expect(light).toBeHidden();

    await othersPanel.getByRole("checkbox", { name: "Field test at two campuses" }).uncheck();
    await expect(panel.getByRole("checkbox", { name: "Field test at two campuses" })).not.toBeChecked();
    expect(await page.evaluate(() => document.body.dataset.neverReloaded)).toBe("yes");
  });

  await test.step("the typed client's streams over sse and websocket go on", async () => {
    await expectReceived(program, "after the kill");
    for (const texts of Object.values(await program.evaluate(() => received))) {
      const messages = texts.filter((text) => text !== "started");
      expect(new Set(messages).size).toBe(messages.length);
    }
  });
  await foreign.close();
});

test("a tab of a version that is gone says so when a piece of it is missing, and what was typed is there after a reload", async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allow(/Failed to load resource|dynamically imported module|error occurred|Error/);
  // From the beginning: an idle page fetches what may be opened next.
  await page.route("**/assets/palette-*.js", (route) => route.fulfill({ status: 404, body: "Not found" }));
  await signIn(page, "rohan@sangam.example");
  await new Board(page).openPanel("Kartavya geofence tuning");
  const title = () => page.getByRole("form", { name: "Add a task" }).getByRole("textbox", { name: "Title" });
  await title().fill("Half a thought");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("alert").getByText("a newer version of the app has just been installed")).toBeVisible();
  await page.unroute("**/assets/palette-*.js");
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(title()).toHaveValue("Half a thought");
});

/** A page of somebody else's app, in which the client reads Asha Kulkarni's first conversation over each transport. Answers with its id. */
async function subscribe(page: Page, admin: Api): Promise<string> {
  // The admin of the tests may have signed in long ago.
  await admin.auth.confirmIdentity.mutate({ password: DEMO_PASSWORD });
  const { key: apiKey } = await admin.auth.createApiKey.mutate({ name: "A page", scope: "write" });
  // Nobody is signed in to the page: the key alone decides what it may do.
  await page.goto("/terms");
  await page.addScriptTag({ content: await bundle() });
  return page.evaluate(
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
}

async function expectReceived(page: Page, text: string): Promise<void> {
  for (const transport of TRANSPORTS) {
    const texts = () => page.evaluate((by) => received[by], transport);
    await expect.poll(texts, transport).toEqual(expect.arrayContaining([text]));
  }
}

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
