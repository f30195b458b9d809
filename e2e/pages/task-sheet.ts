import { expect, type Locator, type Page } from "@playwright/test";
import { expectAccessibleInBothThemes } from "../fixtures";

/** A task's page, which lies over another one. */
export function sheetOf(page: Page): Locator {
  return page.getByRole("dialog");
}

/** In both themes, once every "Saved" has gone: while it fades out it has too little contrast. */
export async function expectSheetAccessible(page: Page): Promise<void> {
  const shown = sheetOf(page).getByText("Saved", { exact: true }).and(page.locator(":not(.opacity-0)"));
  await expect(shown).toHaveCount(0);
  await expectAccessibleInBothThemes(page, sheetOf(page));
}
