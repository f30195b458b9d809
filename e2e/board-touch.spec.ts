import type { Locator } from "@playwright/test";
import { expect, expectAccessible, test } from "./fixtures";
import { IS_LONG_FORM } from "./long-form";
import { signIn } from "./pages/account";
import { Board } from "./pages/board";

test("on touch no card can be dragged, however one swipes, and its code is not fetched; a phone names the active filter, and has five places at most, the rest under More", async ({
  browser,
  baseURL,
  consoleGuard,
}) => {
  const context = await browser.newContext({
    baseURL: baseURL ?? "",
    viewport: { width: 360, height: 780 },
    hasTouch: true,
    isMobile: true,
  });
  consoleGuard.watch(context);
  const page = await context.newPage();
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(request.url()));
  // A manager, whom a request waits for.
  await signIn(page, "mitali@sangam.example");
  const board = new Board(page);
  await expect(page.getByRole("article").first()).toBeVisible();
  const before = await board.tab("To Do").getAttribute("aria-label");
  const touch = await context.newCDPSession(page);
  // Each way, straight and slanting.
  for (let swipes = 0; swipes < (IS_LONG_FORM ? 100 : 6); swipes += 1) {
    const yDistance = swipes % 2 ? 400 : -400;
    const gesture = { x: 180, y: 500, yDistance, xDistance: swipes % 3 ? 0 : 60, speed: 8_000 };
    await touch.send("Input.synthesizeScrollGesture", { ...gesture, gestureSourceType: "touch" });
  }
  await expect(page.locator('[draggable="true"]')).toHaveCount(0);
  await expect(board.tab("To Do")).toHaveAttribute("aria-label", before ?? "");
  expect(scripts.filter((url) => url.includes("card-drag"))).toEqual([]);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await test.step("the filter, and More, which counts, closes and leads on", async () => {
    await page.getByLabel("Filter projects").selectOption({ label: "Client Projects" });
    await expect(page.getByText("Showing Client Projects")).toBeVisible();
    await expectAccessible(page, page.getByRole("main"));
    await page.getByRole("button", { name: "Show all" }).click();
    await expect(page.getByText("Showing Client Projects")).toBeHidden();
    await expect(page.getByRole("heading", { level: 1, name: "Projects Board" })).toBeFocused();
    await expect(page).toHaveURL(/\/dashboard$/);
    const bar = page.getByRole("navigation", { name: "Main" });
    await expect(bar.getByRole("listitem")).toHaveText(["Tasks", "Dashboard", "Projects", "Calendar", /^More/]);
    await bar.getByRole("button", { name: "More" }).click();
    const sheet = page.getByRole("dialog", { name: "More" });
    await expect(sheet.getByRole("listitem")).toHaveText([
      "Search or jump to...",
      "Team",
      /^Requests/,
      /^Messages/,
      "Settings",
    ]);
    await expect(sheet.getByRole("link", { name: /^Requests, [1-9]\d* new$/ })).toBeVisible();
    const more = page.locator("nav button").filter({ hasText: "More" });
    const below = ["Requests", "Messages"].map((name) => sheet.getByRole("link", { name: new RegExp(`^${name}`) }));
    await expect
      .poll(async () => {
        const [total, ...parts] = await Promise.all([more, ...below].map(countOf));
        return total === parts.reduce((sum, part) => sum + part, 0);
      })
      .toBe(true);
    await expectAccessible(page, sheet);
    await sheet.getByRole("button", { name: "Dismiss" }).click();
    await expect(sheet).toBeHidden();
    await expect(bar.getByRole("button", { name: "More" })).toBeFocused();
    await bar.getByRole("button", { name: "More" }).click();
    await sheet.getByRole("link", { name: "Team" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Team" })).toBeFocused();
    await expect(sheet).toBeHidden();
    await bar.getByRole("button", { name: "More" }).click();
    await sheet.getByRole("button", { name: "Search or jump to..." }).click();
    await expect(page.getByRole("dialog", { name: "Search or jump to..." }).getByRole("combobox")).toBeFocused();
    await expectAccessible(page, page.getByRole("dialog", { name: "Search or jump to..." }));
  });
  await context.close();
});

/** The number in the name of an entry; 0 without one. */
async function countOf(entry: Locator): Promise<number> {
  return Number(/\d+/.exec((await entry.getAttribute("aria-label")) ?? "")?.[0] ?? 0);
}
