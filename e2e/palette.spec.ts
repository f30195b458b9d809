import type { Page } from "@playwright/test";
import { MESSAGES } from "../server/contract/messages";
import { expect, expectAccessible, slowAnimations, test } from "./fixtures";
import { signIn } from "./pages/account";
import { Board } from "./pages/board";
import { openPalette } from "./pages/palette";

test("the palette finds and opens by the keyboard alone; a failed search can be retried; it opens again while it fades out", async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED/);
  const board = await openBoard(page);
  await test.step("the palette finds a project, a task and a person, and opens them", async () => {
    await page.getByRole("searchbox", { name: "Search" }).focus();
    const palette = await openPalette(page);
    await expectAccessible(page, palette);
    await page.keyboard.type("harbour");
    await expect(palette.getByRole("option", { name: /Harbour booking portal/ }).first()).toBeVisible();
    await expect(palette.getByRole("status").filter({ hasText: /1 project/ })).toBeAttached();
    await page.keyboard.press("Enter");
    const panel = page.getByRole("dialog", { name: "Harbour booking portal" });
    await expect(panel).toBeVisible();
    await expect(panel.getByRole("heading", { name: "Harbour booking portal" })).toBeFocused();

    await openPalette(page);
    await page.keyboard.type("agent hand");
    const found = palette.getByRole("option", { name: /Agent handbook/ });
    await expect(found).toContainText("Seed catalogue");
    await expect(found.locator("mark")).toHaveText(["Agent hand"]);
    await page.keyboard.press("Enter");
    const task = page.getByRole("dialog", { name: /^SC-\d+ Agent handbook$/ });
    await expect(task.getByRole("heading", { name: "Agent handbook" })).toBeFocused();
    await expect(page).toHaveURL(/panel=[\w-]+&task=SC-\d+/);
    await page.goBack();
    await expect(task).toHaveCount(0);
    await expect(panel).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page).toHaveURL(/\/dashboard$/);

    await openPalette(page);
    await expect(palette.getByRole("group", { name: "Recent" }).getByRole("option").first()).toContainText("Seed");
    await page.keyboard.type("mitali");
    await expect(palette.getByRole("option", { name: "Mitali Deshpande" })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "Team" })).toBeFocused();
    await expect(page).toHaveURL(/\/dashboard\/team\?q=Mitali/);

    await openPalette(page);
    await page.keyboard.type("go proj");
    await page.keyboard.press("Enter");
    await expect(board.card("Clinic triage assistant")).toBeVisible();
    await expect(page).toHaveURL(/\/dashboard$/);
  });
  await test.step("a search that fails says so, and Retry brings the answer; nothing found has a sentence", async () => {
    await page.route(/search\.all/, (route) => route.abort());
    const palette = await openPalette(page);
    // Not a beginning of what was searched for above: on a slow machine that has an answer already.
    await page.keyboard.type("handbook");
    await expect(palette.getByRole("alert")).toContainText(MESSAGES.search.failed);
    await page.unroute(/search\.all/);
    await palette.getByRole("button", { name: "Retry" }).click();
    await expect(palette.getByRole("option", { name: /Agent handbook/ })).toBeVisible();
    await palette.getByRole("combobox").fill("zzzz qqqq");
    await expect(palette.getByText(MESSAGES.search.nothing("zzzz qqqq"))).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(palette).toBeHidden();
  });
  await test.step("its keys open it again while it fades out, with nothing typed", async () => {
    const endSlow = await slowAnimations(page);
    const palette = await openPalette(page);
    // The page shown already: nothing takes the focus from the palette.
    await page.keyboard.type("go proj");
    await page.keyboard.press("Enter");
    await expect(page.locator("[data-modal][data-open]")).toHaveCount(0);
    await page.keyboard.press("Control+k");
    await expect(page.locator("[data-modal][data-open]")).toHaveCount(1);
    await endSlow();
    await expect(palette.getByRole("combobox")).toHaveValue("");
    await expect(palette.getByRole("combobox")).toBeFocused();
    await page.keyboard.type("go settings");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeFocused();
    await expect(palette).toHaveCount(0);
  });
});

async function openBoard(page: Page): Promise<Board> {
  await signIn(page, "rohan@sangam.example");
  const board = new Board(page);
  await expect(board.card("Clinic triage assistant")).toBeVisible();
  return board;
}
