import { expect, type Locator, type Page } from "@playwright/test";

/** Opens the command palette by its keys, and gives it once its input has the focus. */
export async function openPalette(page: Page): Promise<Locator> {
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search or jump to..." });
  await expect(palette.getByRole("combobox")).toBeFocused();
  return palette;
}
