import { expect, type Page } from "@playwright/test";

/** A4, in CSS pixels. */
const PAPER = { width: 794, height: 1123 };

/** The open page as printed: dark ink, as wide as the paper, without navigation. It stays on paper until `leavePaper`. */
export async function expectDocument(page: Page): Promise<void> {
  await page.setViewportSize(PAPER);
  await page.emulateMedia({ media: "print" });
  const { width, ...looks } = await page.evaluate(() => ({
    width: document.querySelector("main")?.getBoundingClientRect().width,
    navs: [...document.querySelectorAll("nav")].filter((nav) => !nav.closest("main") && nav.checkVisibility()).length,
    ink: getComputedStyle(document.body).color,
    overflow: document.documentElement.scrollWidth,
  }));
  expect.soft(width, `${page.url()} on paper`).toBeGreaterThan(PAPER.width * 0.95);
  expect.soft(looks, `${page.url()} on paper`).toEqual({ navs: 0, ink: "rgb(0, 0, 0)", overflow: PAPER.width });
}

/** How many sheets of A4 a page that is on paper takes. */
export async function countSheets(page: Page): Promise<number> {
  const pdf = await page.pdf({ format: "A4", preferCSSPageSize: true });
  return pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

/** Back on a desk's screen. */
export async function leavePaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: null });
  await page.setViewportSize({ width: 1280, height: 800 });
}
