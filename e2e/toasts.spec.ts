import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { MESSAGES } from "../server/contract/messages";
import { expect, expectAccessible, test } from "./fixtures";
import { IS_LONG_FORM } from "./long-form";
import { authenticate } from "./pages/account";
import { addOwnProject } from "./projects";

const FAILED = { status: 500, body: "{}" };

/** The panel stands beside the board, over it, or fills the screen. */
const WIDTHS = IS_LONG_FORM ? [1280, 800, 360] : [1280, 360];

test("a failed save is told over the open edit dialog, and over the open panel, at every width", async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allow(/Failed to load resource/);
  await authenticate(page, "rohan@sangam.example");
  const title = `Breakwater ${randomUUID().slice(0, 8)}`;
  const projectId = await addOwnProject(page, title);
  await page.goto(`/dashboard?panel=${projectId}`);
  await test.step("over the open edit dialog, which is there before any toast", async () => {
    const dialog = page.getByRole("dialog", { name: "Edit Project" });
    const save = dialog.getByRole("button", { name: "Save Changes" });
    for (const width of WIDTHS) {
      await test.step(`${width} px`, async () => {
        await page.setViewportSize({ width, height: 800 });
        await page.route(/projects\.update/, (route) => route.fulfill(FAILED));
        await page.getByRole("button", { name: "Edit Project" }).click();
        await dialog.getByLabel("Description").fill(`Told of a failure at ${width} px.`);
        await save.click();
        const toast = toastOf(page, MESSAGES.projects.updateFailed);
        await expectReachable(toast);
        await expectAccessible(page, toast);
        await expectClearOf(toast, save);
        await toast.getByRole("button", { name: "Close" }).click();
        await expect(toast).toBeHidden();
        await expect(dialog.getByLabel("Description")).toHaveValue(`Told of a failure at ${width} px.`);

        // Also when the toaster was rendered before the dialog.
        await page.unroute(/projects\.update/);
        let answer = (): void => undefined;
        const isTried = new Promise<void>((resolve) => {
          answer = resolve;
        });
        await page.route(/projects\.update/, (route) => isTried.then(() => route.continue()), { times: 1 });
        await save.click();
        // What is on its way cannot be discarded any more.
        await page.keyboard.press("Escape");
        await expect(page.getByRole("alertdialog")).toHaveCount(0);
        await expect(dialog.getByRole("button", { name: "Cancel" })).toBeDisabled();
        answer();
        const saved = toastOf(page, MESSAGES.projects.updated);
        // It stays as long as the pointer is over it.
        await saved.hover();
        await expectReachable(saved);
        await expect(dialog).toBeHidden();
        await saved.getByRole("button", { name: "Close" }).click();
        await expect(saved).toBeHidden();
      });
    }
  });

  await test.step("over the open panel", async () => {
    await page.route(/tasks\.create/, (route) => route.fulfill(FAILED));
    const panel = page.getByRole("dialog", { name: title });
    for (const width of WIDTHS) {
      await test.step(`${width} px`, async () => {
        await page.setViewportSize({ width, height: 800 });
        await panel.getByLabel("Title").fill("Sound the bar");
        await panel.getByLabel("Description").fill("At low water.");
        await panel.getByRole("button", { name: "Add", exact: true }).click();
        const toast = toastOf(page, MESSAGES.tasks.addFailed);
        await expectReachable(toast);
        await expectAccessible(page, toast);
        if (width >= 1024) await expectClearOf(toast, panel.getByRole("button"));

        await panel.getByLabel("Title").focus();
        await page.keyboard.press("Alt+t");
        await page.keyboard.press("Tab");
        await expect(toast).toBeFocused();
        await page.keyboard.press("Tab");
        await expect(toast.getByRole("button", { name: "Close" })).toBeFocused();
        await page.keyboard.press("Escape");
        await expect(toast).toBeHidden();
        await expect(panel).toBeVisible();
        await expect(panel.getByLabel("Title")).toBeFocused();
      });
    }
  });
});

function toastOf(page: Page, title: string): Locator {
  return page.locator("[data-sonner-toast]").filter({ hasText: title });
}

/** Nothing covers the middle of the toast, and nothing hides it from assistive technology. */
async function expectReachable(toast: Locator): Promise<void> {
  await expect(toast).toBeVisible();
  await expect
    .poll(() =>
      toast.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const found = document.elementFromPoint(left + width / 2, top + height / 2);
        return {
          isHit: found !== null && element.contains(found),
          isHidden: element.closest('[aria-hidden="true"], [inert]') !== null,
          isLive: element.closest("[aria-live]") !== null,
        };
      }),
    )
    .toEqual({ isHit: true, isHidden: false, isLive: true });
}

/** The toast covers none of these controls. */
async function expectClearOf(toast: Locator, controls: Locator): Promise<void> {
  const over = await toast.boundingBox();
  for (const control of await controls.all()) {
    const box = await control.boundingBox();
    if (!box || !over) continue;
    const isApart =
      box.x + box.width <= over.x ||
      over.x + over.width <= box.x ||
      box.y + box.height <= over.y ||
      over.y + over.height <= box.y;
    expect(isApart, `${await control.textContent()} is not covered`).toBe(true);
  }
}
