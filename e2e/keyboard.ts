import { expect, type Locator, type Page } from "@playwright/test";

/** More than any page has before what a test looks for. */
const MAX_TABS = 40;

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, find: () => Locator): Promise<void> {
  for (let presses = 0; presses < MAX_TABS; presses += 1) {
    if (await find().evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(find()).toBeFocused();
}
