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

/** Opens the menu of the focused button and chooses an entry with the arrow keys. */
export async function chooseByKeys(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Enter");
  const entry = page.getByRole(
    /^(To Do|In Progress|Completed|On Hold|Cancelled)$/.test(name) ? "menuitemcheckbox" : "menuitem",
    {
      name,
    },
  );
  await expect(entry).toBeVisible();
  await expect(page.locator('[role="menu"] :focus')).toHaveCount(1);
  for (let presses = 0; presses < 12; presses += 1) {
    if (await entry.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
}
