import type { Locator, Page } from "@playwright/test";
import { MESSAGES } from "../server/contract/messages";
import { api } from "./api";
import { expect, expectAccessible, goInApp, slowAnimations, test } from "./fixtures";
import { tabTo } from "./keyboard";
import { IS_LONG_FORM } from "./long-form";
import { authenticate, signIn, submitLogin } from "./pages/account";
import { Board } from "./pages/board";
import { openPalette } from "./pages/palette";
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

test("the keyboard alone: from the login to a project created, worked on, moved and left", async ({ page }) => {
  const title = "Lighthouse lamp rota";
  const keys = page.keyboard;
  await page.goto("/login");
  await submitLogin(page, ROHAN, "sangam-demo");
  const board = new Board(page);
  await expect(board.tab("To Do")).toBeVisible();

  await keys.press("n");
  const form = page.getByRole("dialog", { name: "Create New Project" });
  await expect(form.getByLabel("Title")).toBeFocused();
  await keys.type(title);
  await keys.press("Tab");
  await keys.type("Who lights which lamp.");
  await tabTo(page, () => form.getByRole("combobox", { name: "Assigned users" }));
  for (const name of ["Mitali", "Farhan"]) {
    await keys.type(name);
    await expect(page.getByRole("option", { name: new RegExp(name) })).toBeVisible();
    await keys.press("Enter");
    await expect(form.getByRole("button", { name: new RegExp(`Remove ${name}`) })).toBeVisible();
  }
  await tabTo(page, () => form.getByRole("button", { name: "Create Project" }));
  const link = board.card(title).getByRole("link", { name: title });
  await test.step("the card takes the focus, however long the dialog takes to close", async () => {
    const endSlowness = IS_LONG_FORM ? await slowAnimations(page) : undefined;
    await keys.press("Enter");
    await expect(link).toBeFocused();
    await endSlowness?.();
  });

  await keys.press("Enter");
  const panel = page.getByRole("dialog", { name: title });
  await expect(panel.getByRole("heading", { name: title })).toBeFocused();
  await tabTo(page, () => panel.getByRole("button", { name: "+ Add Task" }));
  await keys.press("Enter");
  await expect(panel.getByLabel("Title")).toBeFocused();
  await keys.type("Oil the hinges");
  await keys.press("Tab");
  await keys.type("Twice a month.");
  await tabTo(page, () => panel.getByRole("button", { name: "Add", exact: true }));
  await keys.press("Enter");
  const box = panel.getByRole("checkbox", { name: "Oil the hinges" });
  await expect(box).toBeVisible();
  await expect(panel.getByLabel("Title")).toBeFocused();
  await tabTo(page, () => box);
  await keys.press("Space");
  await expect(box).toBeChecked();
  await tabTo(page, () => panel.getByRole("button", { name: "Delete task: Oil the hinges" }));
  await keys.press("Enter");
  await expect(page.getByRole("alertdialog").getByRole("button", { name: "Cancel" })).toBeFocused();
  await keys.press("Tab");
  await keys.press("Enter");
  await expect(box).toBeHidden();
  await keys.press("Escape");
  await expect(panel).toBeHidden();
  await expect(link).toBeFocused();

  await tabTo(page, () => board.card(title).getByRole("button", { name: /More actions/ }));
  await chooseByKeys(page, "Edit Project");
  const edit = page.getByRole("dialog", { name: "Edit Project" });
  await expect(edit.getByLabel("Title")).toBeFocused();
  await keys.press("End");
  await keys.type(" 2027");
  await tabTo(page, () => edit.getByRole("button", { name: "Save Changes" }));
  await keys.press("Enter");
  await expect(board.card(`${title} 2027`)).toBeVisible();
  await expect(edit).toBeHidden();

  await board
    .card(`${title} 2027`)
    .getByRole("button", { name: /More actions/ })
    .focus();
  await chooseByKeys(page, "Completed");
  await expect(board.card(`${title} 2027`)).toBeHidden();
  await keys.press("3");
  await expect(board.card(`${title} 2027`)).toBeVisible();

  await openPalette(page);
  await keys.type("logout");
  await keys.press("Enter");
  await expect(page).toHaveURL(/\/login/);
});

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

test("a client's board, tasks and calendar show no control that writes, and no key does; no address leads to Team", async ({
  page,
}) => {
  await authenticate(page, "meera@sangam.example");
  await page.goto("/dashboard?tab=inProgress");
  const board = new Board(page);
  await expect(board.card("Harbour booking portal")).toBeVisible();
  const links = page.getByRole("navigation", { name: "Main" }).getByRole("list").first();
  await expect(links.getByRole("link")).toHaveText([/^Tasks/, /^Projects/, /^Calendar/, /^Settings/]);
  await expect(page.getByRole("button", { name: /New|Edit|Add|Delete/ })).toHaveCount(0);
  await page.keyboard.press("n");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await board.card("Harbour booking portal").hover();
  await expect(page.locator('[draggable="true"]')).toHaveCount(0);
  await board
    .card("Harbour booking portal")
    .getByRole("button", { name: /More actions/ })
    .click();
  await expect(page.getByRole("menuitem")).toHaveText(["Open tasks", "View details", "Copy link"]);
  await page.getByRole("menuitem", { name: "Open tasks" }).click();
  const panel = page.getByRole("dialog", { name: "Harbour booking portal" });
  await expect(panel.getByText("Payment retries")).toBeVisible();
  await expect(panel.getByRole("checkbox")).toHaveCount(0);
  // The other buttons open the commits of a task.
  await expect(panel.getByRole("button").filter({ hasNotText: /^\d+ commits?$/ })).toHaveText([
    "",
    "View details",
    "Close",
  ]);
  const palette = await openPalette(page);
  await expect(palette.getByRole("option", { name: "New project" })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await test.step("no Team, and nothing to create, whatever the address says; tasks to read", async () => {
    await goInApp(page, "/dashboard/team");
    await expect(page.getByRole("heading", { level: 1, name: "Projects Board" })).toBeVisible();
    await expect(page).toHaveURL(/\/dashboard$/);
    await goInApp(page, "/dashboard?tab=completed&modal=create");
    await expect(page).toHaveURL(/\/dashboard\?tab=completed$/);
    const [shared] = (await api(page).projects.list.query({ scope: "mine" })).items;
    await goInApp(page, `/dashboard?modal=edit&project=${shared?.id}`);
    await expect(page).toHaveURL(/modal=view/);
    await expect(page.getByRole("dialog", { name: shared?.title ?? "" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Team" })).toHaveCount(0);
    await expect(api(page).users.team.query()).rejects.toMatchObject({ data: { code: "FORBIDDEN" } });
    await page.getByRole("link", { name: "Tasks", exact: true }).click();
    await expect(page.getByRole("main").getByRole("link", { name: /^HBP-1/ })).toBeVisible();
    await expect(page.getByRole("main").getByRole("checkbox")).toHaveCount(0);
  });
  await test.step("the calendar shows it and moves nothing; a phone starts with the agenda", async () => {
    await goInApp(page, "/dashboard/calendar");
    await expect(page.getByRole("grid")).toBeVisible();
    await page.setViewportSize({ width: 360, height: 780 });
    await expect(page.getByRole("grid")).toBeHidden();
    await expect(page.getByRole("button", { name: /^More actions/ })).toHaveCount(0);
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  await test.step("a link and the palette lead back to the portal", async () => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Client Dashboard" }).click();
    await expect(page).toHaveURL(/\/client$/);
    await expect(page.getByRole("list", { name: "Your Projects" })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/\/dashboard/);
    await expect(page.getByRole("list", { name: "Your Projects" })).toHaveCount(0);
    await openPalette(page);
    await page.keyboard.type("client dash");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/client$/);
  });
});

async function openBoard(page: Page): Promise<Board> {
  await signIn(page, ROHAN);
  const board = new Board(page);
  await expect(board.card("Kartavya geofence tuning")).toBeVisible();
  return board;
}

/** The count in the selected tab's name equals the number of cards. */
async function expectCountsToAgree(board: Board, tab: string): Promise<void> {
  await expect
    .poll(async () => {
      const cards = await board.page.getByRole("article").count();
      return (await board.tab(tab).getAttribute("aria-label")) === `${tab}, ${cards} project${cards === 1 ? "" : "s"}`;
    })
    .toBe(true);
}

/** The number in the name of an entry; 0 without one. */
async function countOf(entry: Locator): Promise<number> {
  return Number(/\d+/.exec((await entry.getAttribute("aria-label")) ?? "")?.[0] ?? 0);
}

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

/** Runs in the page: through the app's own client; answers with how many came back. */
async function searchAtOnce(): Promise<number> {
  const { client } = Reflect.get(window, "__TSR_ROUTER__")?.options.context ?? {};
  // Each of these characters takes twelve in an address.
  const longest = Array.from({ length: 4 }, (_, at) => `${at}${"\u{1f6a2}".repeat(199)}`);
  return (await Promise.all(longest.map((q) => client.search.all.query({ q })))).length;
}

/** Opens the menu of the focused button and chooses an entry with the arrow keys. */
async function chooseByKeys(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Enter");
  const entry = page.getByRole(
    /^(To Do|In Progress|Completed|On Hold|Cancelled)$/.test(name) ? "menuitemcheckbox" : "menuitem",
    {
      name,
    },
  );
  await expect(entry).toBeVisible();
  await expect(page.locator('[role="menu"] :focus')).toHaveCount(1);
  for (let presses = 0; presses < 12; presses += 1) {
    if (await entry.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
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
