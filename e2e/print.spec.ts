import type { Page } from "@playwright/test";
import { api } from "./api";
import { expect, test } from "./fixtures";
import { authenticate } from "./pages/account";

/** A4, in CSS pixels. */
const PAPER = { width: 794, height: 1123 };

/** Prints an address, and answers with the sheets, the width that main has on them and what stands beside or over it. */
async function print(page: Page, path: string) {
  await page.emulateMedia({ media: null });
  await page.goto(path);
  await expect(page.locator('main:not(:has([aria-busy="true"]))').getByRole("heading").first()).toBeVisible();
  await page.setViewportSize(PAPER);
  await page.emulateMedia({ media: "print" });
  const looks = await page.evaluate(() => {
    return {
      width: document.querySelector("main")?.getBoundingClientRect().width,
      navs: [...document.querySelectorAll("nav")].filter((nav) => !nav.closest("main") && nav.checkVisibility()).length,
      ink: getComputedStyle(document.body).color,
      overflow: document.documentElement.scrollWidth,
    };
  });
  const pdf = await page.pdf({ format: "A4", preferCSSPageSize: true });
  return { ...looks, sheets: pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0 };
}

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
      const { width, navs, ink, overflow, sheets } = await print(page, path);
      expect.soft(width, path).toBeGreaterThan(PAPER.width * 0.95);
      expect.soft({ path, navs, ink, overflow }).toEqual({ path, navs: 0, ink: "rgb(0, 0, 0)", overflow: PAPER.width });
      expect.soft(sheets, path).toBeLessThanOrEqual(maxSheets);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  }
  const [conversation] = await api(page).chat.conversations.query();
  const thread = await print(page, `/admin/messages/${conversation?.id}`);
  expect(thread.width).toBeGreaterThan(PAPER.width * 0.95);
  await expect(page.getByRole("navigation", { name: "Conversations" })).toBeHidden();
  await expect(page.getByRole("textbox")).toBeHidden();
  // Every message that is there, not those near a window.
  const bodies = await page.locator("ol > li").evaluateAll((rows) => rows.map((row) => getComputedStyle(row).position));
  expect(new Set(bodies)).toEqual(new Set(["static"]));
});
