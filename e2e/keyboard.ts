import { expect, type Locator, type Page } from "@playwright/test";

/** More than any page has before what a test looks for. */
const MAX_TABS = 40;

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, find: () => Locator): Promise<void> {
  let element = await find().elementHandle();
  for (let presses = 0; presses < MAX_TABS; presses += 1) {
    // One that was drawn anew is looked for again; each look goes through the whole page.
    const state = await element?.evaluate((one) => (one.isConnected ? one === document.activeElement : "gone"));
    if (state === true) return;
    if (state === "gone") element = await find().elementHandle();
    else await page.keyboard.press("Tab");
  }
  await expect(find()).toBeFocused();
}
