import { execFileSync } from "node:child_process";
import { type Browser, type BrowserContext, chromium, type Locator } from "@playwright/test";
import type { Rig } from "./rig";

/** The browser of the tests. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: execFileSync(process.execPath, ["scripts/chromium.mjs"], { encoding: "utf8" }).trim(),
    // Root has no sandbox to give.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
}

/** A server, and who may sign in there. */
export type Desk = Pick<Rig, "cookieOf"> & { server: { url: string } };

/** A desk at which that person is signed in. */
export async function contextOf(browser: Browser, rig: Desk, user: { id: string }): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const [name = "", value = ""] = (await rig.cookieOf(user)).split("=");
  await context.addCookies([{ name, value, url: rig.server.url }]);
  // What compiles these files names its functions by a helper that the page does not have.
  await context.addInitScript("globalThis.__name = (named) => named");
  return context;
}

/** Where it lies is found out before: a locator's own click asks the page twice, in the middle of what is measured. */
export async function press(target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error("There is nothing to press.");
  const { mouse } = target.page();
  await mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await target.page().waitForTimeout(100);
  await mouse.down();
  await mouse.up();
}
