import type { Locator, Page } from "@playwright/test";

/** A file that no browser shows. */
export const PLAN = { name: "plan.bin", mimeType: "application/octet-stream", buffer: Buffer.from([0, 1, 2, 3]) };

/** Chooses files by the button "Attach files" of the page, or of a part of it. */
export async function chooseFiles(
  page: Page,
  files: { name: string; mimeType: string; buffer: Buffer }[] | string[],
  place: Page | Locator = page,
): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await place.getByRole("button", { name: "Attach files" }).click();
  await (await chooser).setFiles(files);
}
