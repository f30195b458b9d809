import type { Page } from "@playwright/test";
import { api } from "./api";
import { expect, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { expectDocument } from "./paper";

/** Prints an address; answers with how many sheets that takes. The page stays on paper. */
async function print(page: Page, path: string): Promise<number> {
  await page.emulateMedia({ media: null });
  await page.goto(path);
  await expect(page.locator('main:not(:has([aria-busy="true"]))').getByRole("heading").first()).toBeVisible();
  await expectDocument(page);
  const pdf = await page.pdf({ format: "A4", preferCSSPageSize: true });
  return pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

// Those that e2e/accessibility.spec.ts opens are looked at on paper there.
test("every page prints as a document: dark ink, as wide as the paper, whole, on few sheets", async ({ page }) => {
  const visits = [
    { email: null, paths: ["/", "/terms"], maxSheets: 9 },
    { email: "meera@sangam.example", paths: ["/client"], maxSheets: 4 },
    { email: "rohan@sangam.example", paths: ["/dashboard", "/dashboard/tasks", "/dashboard/messages"], maxSheets: 4 },
    {
      email: "asha@sangam.example",
      paths: ["/admin", "/admin/users", "/admin/activity", "/admin/audit"],
      maxSheets: 9,
    },
  ];
  for (const { email, paths, maxSheets } of visits) {
    if (email) await authenticate(page, email);
    for (const path of paths) {
      expect.soft(await print(page, path), path).toBeLessThanOrEqual(maxSheets);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  }
  const [conversation] = await api(page).chat.conversations.query();
  await print(page, `/admin/messages/${conversation?.id}`);
  await expect(page.getByRole("navigation", { name: "Conversations" })).toBeHidden();
  await expect(page.getByRole("textbox")).toBeHidden();
  // Every message that is there, not those near a window.
  const bodies = await page.locator("ol > li").evaluateAll((rows) => rows.map((row) => getComputedStyle(row).position));
  expect(new Set(bodies)).toEqual(new Set(["static"]));
});
