import type { Page } from "@playwright/test";
import { firstLoad } from "./first-load";
import { expect, expectAccessibleInAnyColours, expectContrast, test } from "./fixtures";
import { IS_LONG_FORM } from "./long-form";
import { expectDocument, leavePaper } from "./paper";

test.describe("the API's reference", () => {
  test.use({ javaScriptEnabled: false });

  test("is a page that runs no script, with an anchor for every procedure and type", async ({ page, request }) => {
    const { paths, components } = await (await request.get("/api/openapi.json")).json();
    const procedures = Object.keys(paths).map((path) => path.replace("/api/trpc/", ""));
    expect(procedures.length).toBeGreaterThan(50);
    await page.goto("/docs");
    await expect(page.getByRole("heading", { level: 1, name: "API reference" })).toBeVisible();
    const anchors = await page.locator("article[id]").evaluateAll((articles) => articles.map(({ id }) => id));
    expect(anchors).toEqual([...procedures, ...Object.keys(components.schemas)]);
    await page.goto("/docs#projects.list");
    await expect(page.locator("article:target")).toContainText("ProjectPage");
    await expect(page.locator("article:target")).toBeInViewport();
    await page.locator("article:target").getByRole("link", { name: "ProjectPage" }).click();
    await expect(page.locator("article:target")).toContainText("Newest first, 500 at most.");
    expect(await page.locator("script[src]").count()).toBe(0);
    // One search of the page finds every field, and a phone can hold it.
    expect(await page.locator("*").count()).toBeLessThan(15 * anchors.length);
    expect(await page.locator("details").count()).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    const heights = await page
      .getByRole("link")
      .evaluateAll((links) =>
        links.filter((link) => !link.closest("p, li p, pre")).map((link) => link.getBoundingClientRect().height),
      );
    expect(heights.filter((height) => height > 0 && height < 24)).toEqual([]);
  });
});

test("the API's reference is in the look that was chosen, fits a phone, moves nothing as it opens, prints and breaks no rule of the page", async ({
  page,
}) => {
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await page.setViewportSize({ width: 360, height: 740 });
  const { shift, shifted } = await firstLoad(page, { path: "/docs", shown: "main" });
  expect(shift, shifted.join("\n")).toBeLessThan(0.02);
  await expect(page.locator("html")).toHaveClass(/dark/);
  await expectAccessibleInAnyColours(page);
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  expect(await width()).toBeLessThanOrEqual(360);
  await expectContrastOfEachShape(page);
  await page.evaluate(() => localStorage.setItem("darkMode", "false"));
  await page.reload();
  await expect(page.locator("html")).not.toHaveClass(/dark/);
  await expectDocument(page);
  await leavePaper(page);
  await expectContrastOfEachShape(page);
  expect(complaints).toEqual([]);
});

/** Most of the 300 articles are alike: of those with the same elements and classes one is looked at, in the long form each. */
async function expectContrastOfEachShape(page: Page): Promise<void> {
  if (!IS_LONG_FORM)
    await page.locator("article").evaluateAll((articles) => {
      const seen = new Set<string>();
      for (const article of articles) {
        const parts = [...article.querySelectorAll("*")].map(({ tagName, className }) => `${tagName}.${className}`);
        const shape = [...new Set(parts)].sort().join();
        if (seen.has(shape)) article.remove();
        seen.add(shape);
      }
    });
  await expectContrast(page);
}
