import type { Page } from "@playwright/test";
import { MESSAGES } from "../server/contract/messages";
import { expect, expectAccessible, test } from "./fixtures";
import { signIn } from "./pages/account";
import { Board, expectCountsToAgree } from "./pages/board";
import { Traffic } from "./traffic";

const ROHAN = "rohan@sangam.example";

test("filter and search stand in the address and cost what they should; tabs and single keys work by keyboard", async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED/);
  const traffic = new Traffic(page);
  const board = await openBoard(page);
  await test.step("filter and search survive a reload and Back, ask once, and a failure is no empty list", async () => {
    // The list is read again when the live connection opens.
    await traffic.settled();
    const before = traffic.asked.length;
    await page.getByLabel("Filter projects").selectOption({ label: "Internal Projects" });
    await expect(board.card("Clinic triage assistant")).toBeHidden();
    await expect(page).toHaveURL(/filter=internal/);
    await expectCountsToAgree(board, "To Do");
    expect(traffic.asked.slice(before)).toEqual([]);

    await page.keyboard.press("/");
    await expect(page.getByRole("searchbox", { name: "Search" })).toBeFocused();
    // A task's title, which only the server knows. In one go: a slow machine cannot make a pause between two letters.
    await page.evaluate((text) => {
      for (const letter of text) document.execCommand("insertText", false, letter);
    }, "old fix");
    await expect(page).toHaveURL(/q=old(\+|%20)fix/);
    await expect(board.card("Kartavya geofence tuning")).toBeVisible();
    expect(traffic.asked.filter((url) => url.includes("%22q%22"))).toHaveLength(1);
    await expectCountsToAgree(board, "To Do");
    await board.tab("Completed").click();
    await page.getByRole("tabpanel").getByRole("button", { name: "1 in To Do" }).click();
    await expect(board.tab("To Do")).toBeFocused();
    await expect(board.card("Kartavya geofence tuning")).toBeVisible();

    await test.step("some of the longest searches at once are asked in addresses that the server takes", async () => {
      const asked = traffic.asked.length;
      expect(await page.evaluate(searchAtOnce)).toBe(4);
      const searches = traffic.asked.slice(asked).filter((url) => url.includes("search.all"));
      expect(searches.length).toBeGreaterThan(1);
      for (const url of searches) expect(url.length).toBeLessThan(5_000);
    });

    // The address follows the tab after a paint.
    await expect(page).not.toHaveURL(/tab=/);
    await page.reload();
    await expect(board.card("Kartavya geofence tuning")).toBeVisible();
    await expect(page.getByRole("searchbox", { name: "Search" })).toHaveValue("old fix");
    await expect(page.getByLabel("Filter projects")).toHaveValue("internal");

    await page.route(/%22q%22/, (route) => route.abort());
    await page.getByRole("searchbox", { name: "Search" }).fill("nothing like it");
    await expect(page.getByRole("alert")).toContainText(MESSAGES.projects.searchFailed);
    await expect(page.getByText(MESSAGES.projects.emptyTab)).toHaveCount(0);
    await page.unroute(/%22q%22/);
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByText(MESSAGES.projects.emptyTab)).toBeVisible();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(board.card("Clinic triage assistant")).toBeVisible();
    await expect(board.tab("To Do")).toBeFocused();
  });
  await test.step("the tabs follow the keyboard pattern of tabs, and their names hold their counts", async () => {
    await board.tab("To Do").focus();
    await page.keyboard.press("ArrowRight");
    await expect(board.tab("In Progress")).toBeFocused();
    await expect(board.tab("In Progress")).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("End");
    await expect(board.tab("Completed")).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("ArrowRight");
    await expect(board.tab("To Do")).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("End");
    await page.keyboard.press("Home");
    await expect(board.tab("To Do")).toBeFocused();
    await expect(page.locator('[role="tab"][tabindex="0"]')).toHaveCount(1);
    for (const [at, [name, address]] of [
      ["To Do", /\/dashboard$/] as const,
      ["In Progress", /\?tab=inProgress$/] as const,
      ["Completed", /\?tab=completed$/] as const,
    ].entries()) {
      await page.keyboard.press(String(at + 1));
      await expect(board.tab(name)).toHaveAttribute("aria-selected", "true");
      await expectCountsToAgree(board, name);
      // Back leads to what was shown for so long.
      await expect(page).toHaveURL(address);
    }
    await page.goBack();
    await expect(board.tab("In Progress")).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("3");
    await expect(board.tab("Completed")).toHaveAttribute("aria-selected", "true");
    await expect(page).toHaveURL(/\?tab=completed$/);
    // Faster than the address follows: the address of an earlier choice, when it comes, does not undo a later one.
    await page.evaluate(async () => {
      const press = (key: string) =>
        document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      const isChosen = () => document.querySelector('main [role="tab"]')?.ariaSelected === "true";
      for (const key of ["ArrowRight", "End"]) {
        press(key);
        await Promise.resolve();
      }
      const backAtFirst = new Promise<void>((resolve) => {
        new MutationObserver(() => isChosen() && resolve()).observe(document.body, { subtree: true, attributes: true });
      });
      await Promise.race([backAtFirst, new Promise((resolve) => setTimeout(resolve, 200))]);
      press("Home");
    });
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(board.tab("To Do")).toBeFocused();
    await expect(board.tab("To Do")).toHaveAttribute("aria-selected", "true");
  });
  await test.step("? lists the keys, n opens the form, and single keys can be turned off", async () => {
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await expect(help.getByRole("term").first()).toHaveText("Search or jump to anything");
    await expectAccessible(page, help);
    await page.keyboard.press("n");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.keyboard.press("n");
    await expect(page.getByRole("dialog", { name: "Create New Project" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.getByRole("button", { name: /Rohan Shah/ }).click();
    await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
    await help.getByRole("link", { name: "Settings" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeFocused();
    // By its key: sections above it may still be coming, and a click would miss it.
    const areOn = page.getByRole("checkbox", { name: "Keyboard shortcuts" });
    await areOn.press("Space");
    await expect(areOn).not.toBeChecked();
    await page.getByRole("heading", { level: 1 }).focus();
    await page.keyboard.press("n");
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("dialog", { name: "Search or jump to..." })).toBeVisible();
  });
});

async function openBoard(page: Page): Promise<Board> {
  await signIn(page, ROHAN);
  const board = new Board(page);
  await expect(board.card("Kartavya geofence tuning")).toBeVisible();
  return board;
}

/** Runs in the page: through the app's own client; answers with how many came back. */
async function searchAtOnce(): Promise<number> {
  const { client } = Reflect.get(window, "__TSR_ROUTER__")?.options.context ?? {};
  // Each of these characters takes twelve in an address.
  const longest = Array.from({ length: 4 }, (_, at) => `${at}${"\u{1f6a2}".repeat(199)}`);
  return (await Promise.all(longest.map((q) => client.search.all.query({ q })))).length;
}
