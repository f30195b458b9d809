import type { Locator, Page } from "@playwright/test";
import { MESSAGES } from "../server/contract/messages";
import { api } from "./api";
import { expect, goInApp, slowAnimations, test } from "./fixtures";
import { chooseByKeys } from "./keyboard";
import { authenticate } from "./pages/account";
import { Board, expectCountsToAgree } from "./pages/board";

const ROHAN = "rohan@sangam.example";

test("an address opens its panel; Back closes the top layer; a card is dragged onto a tab; each page keeps tab and filter", async ({
  page,
  consoleGuard,
}) => {
  await authenticate(page, ROHAN);
  const { items } = await api(page).projects.list.query({ scope: "mine" });
  const board = new Board(page);
  await test.step("closing the panel in a new window leaves a clean address", async () => {
    const id = items.find(({ title }) => title === "Kartavya geofence tuning")?.id;
    await page.goto(`/dashboard?panel=${id}`);
    const panel = page.getByRole("dialog", { name: "Kartavya geofence tuning" });
    await panel.getByRole("button", { name: "Close", exact: true }).click();
    await expect(panel).toBeHidden();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(board.card("Clinic triage assistant")).toBeVisible();
  });
  await test.step("a closed layer stays closed", async () => {
    const panel = await board.openPanel("Kartavya geofence tuning");
    // The board makes room for the panel.
    const side = await panel.boundingBox();
    for (const covered of [page.getByRole("button", { name: "Export" }), board.card("Kartavya geofence tuning")]) {
      const box = await covered.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(side?.x ?? 0);
    }
    await panel.getByRole("button", { name: "View details" }).click();
    const details = page.getByRole("dialog", { name: "Kartavya geofence tuning" }).filter({ hasText: "Project Tasks" });
    await expect(details.getByText(/^\d+ \w+ 20\d\d · in \d days$/).first()).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(details).toBeHidden();
    await expect(panel.getByRole("button", { name: "View details" })).toBeFocused();
    await panel.getByRole("button", { name: "Edit Project" }).click();
    const form = page.getByRole("dialog", { name: "Edit Project" });
    await expect(form).toBeVisible();
    await page.goBack();
    await expect(form).toBeHidden();
    await expect(panel).toBeVisible();
    await page.goForward();
    await expect(form).toBeVisible();
    // On a tablet that is turned the panel becomes a layer over the page, and hides nothing that lies over it.
    await page.setViewportSize({ width: 800, height: 1280 });
    await expect(form).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(form).toBeHidden();
    await expect(panel).toBeVisible();
    await expect(page.getByRole("main")).toHaveCount(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goBack();
    await expect(panel).toBeHidden();
    await expect(board.card("Kartavya geofence tuning").getByRole("link").first()).toBeFocused();
    await page.goForward();
    await expect(panel).toBeVisible();
    await panel.getByRole("button", { name: "Close", exact: true }).click();
    await expect(panel).toBeHidden();
    await expect(page).toHaveURL(/\/dashboard$/);
    await page.setViewportSize({ width: 800, height: 800 });
    await board.openPanel("Kartavya geofence tuning");
    await expect(panel.getByRole("heading", { level: 2 })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(panel).toBeHidden();
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  await test.step("a card beside an open task opens in its place, the tasks as well as the details", async () => {
    const beside = board.card("Seed catalogue");
    const opened = page.getByRole("dialog", { name: "Seed catalogue" });
    const task = page.getByRole("dialog", { name: /HBP-3/ });
    const openTask = async () => {
      await goInApp(page, "/dashboard?tab=inProgress&task=HBP-3");
      // It takes the focus when it opens: a key pressed before that would reach its own button.
      await expect(task.getByRole("heading", { level: 2 }).first()).toBeFocused();
    };
    await openTask();
    await beside.getByRole("heading").click({ position: { x: 9, y: 9 } });
    await expect(opened.getByRole("heading", { level: 2 })).toBeFocused();
    await expect(page).not.toHaveURL(/task=/);
    await expect(task).toHaveCount(0);
    await openTask();
    await beside.getByRole("button", { name: /More actions/ }).press("Enter");
    await page.getByRole("menuitem", { name: "View details" }).press("Enter");
    await expect(opened.filter({ hasText: "Project Tasks" })).toBeVisible();
    await expect(page).not.toHaveURL(/task=/);
    await goInApp(page, "/dashboard?tab=inProgress");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
  await test.step("a menu that is opened while the panel closes keeps the focus", async () => {
    await board.openPanel("Seed catalogue");
    const endSlowness = await slowAnimations(page);
    await goInApp(page, "/dashboard?tab=inProgress");
    await board
      .card("Harbour booking portal")
      .getByRole("button", { name: /More actions/ })
      .press("Enter");
    const first = page.getByRole("menuitem", { name: "Open tasks" });
    await expect(first).toBeFocused();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(first).toBeFocused();
    await page.keyboard.press("Escape");
    await endSlowness();
    await goInApp(page, "/dashboard");
  });
  const title = "Clinic triage assistant";
  const card = board.card(title);
  const chooseStatus = async (name: string) => {
    const saved = page.waitForResponse(/projects\.update/);
    await card.getByRole("button", { name: /More actions/ }).focus();
    await chooseByKeys(page, name);
    await saved;
  };
  await test.step("a card dragged onto a tab moves there; a move that the server refuses comes back", async () => {
    await dragOnto(page, board, { from: title, to: "In Progress" });
    await expect(page.getByText("Move to In Progress")).toBeHidden();
    await expect(card).toBeHidden();
    await expect(page.getByText(MESSAGES.projects.updated)).toBeVisible();
    await board.tab("In Progress").click();
    await expect(card).toBeVisible();
    await dragOnto(page, board, { from: title, to: "To Do" });
    await expect(card).toBeHidden();
    await board.tab("To Do").click();
    await expect(card).toBeVisible();

    consoleGuard.allow(/status of 500/);
    await page.route(/projects\.update/, (route) => route.fulfill({ status: 500, body: "{}" }));
    await dragOnto(page, board, { from: title, to: "Completed" });
    await expect(page.getByText(MESSAGES.projects.updateFailed)).toBeVisible();
    await expect(card).toBeVisible();
    await expectCountsToAgree(board, "To Do");

    await page.unroute(/projects\.update/);
    await chooseStatus("On Hold");
    await expect(card.getByText("On Hold")).toBeVisible();
    await expect(card.getByRole("button", { name: /More actions/ })).toBeFocused();
    await chooseStatus("To Do");
    await expect(card.getByText("On Hold")).toBeHidden();
  });
  await test.step("when a card leaves its tab, by its menu or by somebody else, the next one has the focus", async () => {
    const links = page.getByRole("tabpanel").getByRole("article").getByRole("heading").getByRole("link");
    const titles = await links.allTextContents();
    const next = board
      .card(titles[titles.indexOf(title) + 1] ?? "")
      .getByRole("link")
      .first();
    await chooseStatus("Completed");
    await expect(card).toBeHidden();
    await expect(next).toBeFocused();

    const moveTo = async (status: "todo" | "completed") => {
      const { items: now } = await api(page).projects.list.query({ scope: "mine" });
      const { id = "", version = 0 } = now.find((project) => project.title === title) ?? {};
      await api(page).projects.update.mutate({ projectId: id, version, patch: { status } });
    };
    await moveTo("todo");
    await card.getByRole("link").first().focus();
    await moveTo("completed");
    await expect(card).toBeHidden();
    await expect(next).toBeFocused();
    await moveTo("todo");
    await expect(card).toBeVisible();
  });
  await test.step("junk in the address gives the default view", async () => {
    await goInApp(page, "/dashboard?view=xx&tab=xx&panel=<script>&task=1&modal=edit&month=99&calendar=no&filter=0");
    await expect(page.getByRole("tab", { name: /^To Do/ })).toHaveAttribute("aria-selected", "true");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
  await test.step("from page to page", async () => {
    await goInApp(page, "/dashboard?tab=inProgress&filter=client");
    await expect(board.card("Harbour booking portal")).toBeVisible();
    await expectSideBySide(board.card("Harbour booking portal").getByRole("list", { name: "People" }));
    await board.openPanel("Harbour booking portal");
    const main = page.getByRole("navigation", { name: "Main" }).getByRole("list").first();
    await expect(main.getByRole("link")).toHaveText(
      ["Tasks", "Dashboard", "Team", "Projects", "Calendar", "Requests", "Messages", "Settings"].map(
        (name) => new RegExp(`^${name}`),
      ),
    );
    for (const name of ["Tasks", "Dashboard", "Team", "Calendar", "Messages", "Settings"]) {
      await main.getByRole("link", { name }).click();
      await expect(page.getByRole("heading", { level: 1, name })).toBeFocused();
      await expect(page).toHaveTitle(`${name} · Sangam`);
      await expect(page).toHaveURL(/tab=inProgress&filter=client/);
      await expect(page).not.toHaveURL(/panel=/);
      await expect(main.getByRole("link", { name })).toHaveAttribute("aria-current", "page");
      await expect(main.locator('[aria-current="page"]')).toHaveCount(1);
    }
    await page.keyboard.press("2");
    await expect(page.getByRole("heading", { level: 1, name: "Projects Board" })).toBeVisible();
    await expect(board.card("Harbour booking portal")).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
  });
});

/** No avatar covers another one's initials. */
async function expectSideBySide(people: Locator): Promise<void> {
  const boxes = await people.getByRole("listitem").evaluateAll((items) =>
    items.map((item) => {
      const { left, right } = item.getBoundingClientRect();
      return { left, right };
    }),
  );
  expect(boxes.length).toBeGreaterThan(1);
  for (const [at, { left }] of boxes.entries()) expect(left).toBeGreaterThanOrEqual(boxes[at - 1]?.right ?? 0);
}

async function dragOnto(page: Page, board: Board, { from, to }: { from: string; to: string }): Promise<void> {
  const card = board.card(from);
  // The code for dragging is loaded on hover.
  await expect(async () => {
    await page.mouse.move(5, 5);
    await card.hover();
    await expect(card).toHaveAttribute("draggable", "true", { timeout: 500 });
  }).toPass();
  await page.mouse.down();
  await page.mouse.move(600, 300, { steps: 5 });
  await expect(page.getByText(`Move to ${to}`)).toBeVisible();
  await board.tab(to).hover();
  await page.mouse.up();
}
