import type { Page } from "@playwright/test";
import { eq, like, or } from "drizzle-orm";
import { projects } from "../db/schema";
import { api } from "./api";
import { test } from "./equipped";
import { drawn, expect, expectAccessible, MOTION } from "./fixtures";
import { authenticate } from "./pages/account";
import { Board } from "./pages/board";
import { createProject } from "./projects";
import { insertProjects, writeRows } from "./rows";
import type { TestServer } from "./server";
import { hold, Traffic } from "./traffic";

const COUNT = 330;
/** Cards near the viewport, and those kept for the focus and the panel. */
const MAX_CARDS = 60;

// Nothing may jump, least of all while it moves.
test.use({ ...MOTION, isFirstVisit: true });

// Hundreds of projects would slow down every later test of the server.
test.afterEach(({ server }) =>
  writeRows(server, (db) =>
    db.delete(projects).where(or(like(projects.title, "Survey %"), eq(projects.title, "Inspection"))),
  ),
);

test("a board of hundreds holds only the cards near the window, and every one can be reached; a change draws one card anew, and the first clicks wait for no script", async ({
  page,
  admin,
  server,
}) => {
  await authenticate(page, "sanjay@sangam.example");
  const titles = await addProjects(page, server, COUNT);
  await addProjects(page, server, 80, "inProgress");
  const tasks = Array.from({ length: 200 }, (_, at) => ({ title: `Frame ${at + 1}`, description: "Sharp and level." }));
  await createProject(api(page), { title: "Inspection", startDate: "2026-11-01", tasks });
  await watchShifts(page);
  const traffic = new Traffic(page);
  await page.goto("/dashboard");
  const board = new Board(page);
  let wanted = 0;
  /** A press that moves things: on a slow machine they move later than shifts after a press are excused. */
  async function withMoves<Result>(press: () => Promise<Result>): Promise<Result> {
    const before = (await shiftsOf(page)).unexpected;
    const result = await press();
    await drawn(page);
    wanted += (await shiftsOf(page)).unexpected - before;
    return result;
  }
  await expect(board.tab("To Do")).toHaveAccessibleName(/^To Do, 33\d projects$/);
  await expect(page.getByRole("article").first()).toBeVisible();
  expect(await page.getByRole("article").count()).toBeLessThan(MAX_CARDS);
  const title = `Survey ${COUNT - 1} of ${COUNT}`;
  await expect(board.card(title)).toBeVisible();
  await traffic.settled();
  await page.evaluate(() => {
    const touched = new Set<string>();
    new MutationObserver((records) => {
      for (const { target } of records) {
        const card = (target instanceof Element ? target : target.parentElement)?.closest("article");
        if (card?.dataset.project) touched.add(card.dataset.project);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    Reflect.set(window, "touched", touched);
  });
  const { items: all } = await admin.projects.list.query({ scope: "all" });
  const { id = "", version = 0 } = all.find((project) => project.title === title) ?? {};
  await admin.projects.update.mutate({ projectId: id, version, patch: { title: "Survey renamed" } });
  await expect(board.card("Survey renamed")).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(window, "touched").size)).toBe(1);

  await test.step("the first tab, panel and tick wait for no script", async () => {
    // With all that it needs: a script that is under way when the next ones are held back would be held back too.
    await page.waitForFunction(() => {
      const arrived = performance.getEntriesByType("resource").map(({ name }) => name);
      const asked = [...document.querySelectorAll<HTMLLinkElement>("link[rel=modulepreload]")].map(({ href }) => href);
      return asked.some((href) => href.includes("/project-overlays-")) && asked.every((href) => arrived.includes(href));
    });
    // No script arrives: not what a click would ask for, and not what comes ahead for other pages.
    const scripts = hold();
    await page.route("**/*.js", scripts.handler);
    await board.tab("In Progress").click();
    await expect(board.card("Survey renamed")).toBeHidden();
    await board.tab("To Do").click();
    const panel = await withMoves(() => board.openPanel("Inspection"));
    await withMoves(async () => {
      await panel.getByRole("checkbox", { name: "Frame 1", exact: true }).check();
      await expect(panel.getByText("1 of 200 done")).toBeVisible();
    });
    scripts.release();
    // Those that were held first: without the wait each of them would be let go twice.
    await page.unrouteAll({ behavior: "wait" });
  });

  const rows = page.getByRole("list", { name: "Tasks" }).getByRole("listitem");
  const box = (name: string) => page.getByRole("checkbox", { name, exact: true });
  await test.step("rows of a long list glide to their new places, also where those between are missing", async () => {
    await expect(rows.last()).toContainText("Frame 1");
    expect(await rows.count()).toBeLessThan(60);
    const before = await shiftsOf(page);
    for (const name of ["Frame 2", "Frame 3"]) {
      const row = await rows.filter({ has: box(name) }).elementHandle();
      await box(name).check();
      await expect(rows.last()).toContainText(name);
      // What only the row holds stays: the focus, a tick that is not saved yet.
      expect(await row?.evaluate(({ isConnected }) => isConnected)).toBe(true);
      await expect(box(name)).toBeFocused();
    }
    await expect(rows.last()).toHaveAttribute("aria-setsize", "200");
    await expect(rows.last()).toHaveAttribute("aria-posinset", "200");
    expect((await shiftsOf(page)).all - before.all).toBeLessThan(0.02);
  });
  const steady = (await shiftsOf(page)).unexpected;
  await test.step("on paper all rows come, and go again", async () => {
    await page.emulateMedia({ media: "print" });
    await expect(rows).toHaveCount(200);
    await page.emulateMedia({ media: "screen" });
    await expect.poll(() => rows.count()).toBeLessThan(60);
  });
  await test.step("a form of a long list stays where its task goes, and its row once it is closed", async () => {
    await page.getByRole("button", { name: "Edit task: Frame 5", exact: true }).click();
    const title = rows.getByRole("textbox", { name: "Title" });
    await title.fill("Frame five");
    const fifth = (await admin.search.all.query({ q: "Frame 5" })).tasks.find((task) => task.title === "Frame 5");
    await admin.tasks.setCompleted.mutate({ taskId: fifth?.id ?? "", completed: true });
    await expect(rows.last()).toContainText("Frame 5 was changed by someone else");
    await expect(title).toBeFocused();
    await expect(title).toHaveValue("Frame five");
    await title.fill("Frame 5");
    await rows.getByRole("button", { name: "Cancel" }).click();
    await expect(title).toHaveCount(0);
    await expect(box("Frame 5")).toBeChecked();
    await page.getByRole("dialog").evaluate((panel) => panel.scrollTo(0, 0));
    await rows.first().hover();
  });
  // Somebody else's change takes the open form to the other end of the list.
  const movedAway = (await shiftsOf(page)).unexpected - steady;
  await test.step("the rows come as one scrolls, without a jump", async () => {
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, 500);
          return rows.count();
        },
        { intervals: [150], timeout: 120_000 },
      )
      .toBe(200);
  });
  await withMoves(async () => {
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  const items = page.getByRole("tabpanel").getByRole("listitem");
  await expect(items.first()).toHaveAttribute("aria-posinset", "1");
  expect(Number(await items.first().getAttribute("aria-setsize"))).toBeGreaterThan(COUNT);
  await expectAccessible(page);

  await test.step("a tab of 80 cards draws those near the window; the others come as one scrolls, and stay", async () => {
    await board.tab("In Progress").click();
    const places = page.getByRole("tabpanel").getByRole("list").first().locator(":scope > li:not([aria-hidden])");
    await expect(board.tab("In Progress")).toHaveAccessibleName(/^In Progress, 8\d projects$/);
    await expect
      .poll(async () => `In Progress, ${await places.count()} projects`)
      .toBe(await board.tab("In Progress").getAttribute("aria-label"));
    await expect.poll(() => page.getByRole("article").count()).toBeGreaterThan(20);
    expect(await page.getByRole("article").count()).toBeLessThan(40);
    await expectAccessible(page);
    await page.getByRole("article").first().hover();
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, 500);
          return page.getByRole("article").count();
        },
        { intervals: [150], timeout: 120_000 },
      )
      .toBeGreaterThanOrEqual(80);
    await expect(board.card("Survey 0 of 80")).toBeVisible();
    await page.evaluate(() => window.scrollTo(0, 0));
    await board.tab("To Do").click();
    await expect(board.card("Survey renamed")).toBeVisible();
  });

  await test.step("Tab walks past what is drawn, and the focus survives the scrolling", async () => {
    await page.getByRole("article").nth(11).getByRole("link").first().focus();
    const seen = new Set<string>();
    for (let presses = 0; presses < 48; presses += 1) {
      await page.keyboard.press("Tab");
      const id = await page.evaluate(() => document.activeElement?.closest("article")?.dataset.project ?? "");
      seen.add(id);
    }
    expect(seen.has("")).toBe(false);
    expect(seen.size).toBeGreaterThan(15);
    const link = await page.evaluate(() => document.activeElement?.closest("article")?.dataset.project);
    await page.evaluate(() => window.scrollTo(0, 0));
    await expect(items.first()).toHaveAttribute("aria-posinset", "1");
    expect(await page.evaluate(() => document.activeElement?.closest("article")?.dataset.project)).toBe(link);
  });

  await test.step("closing a panel far down leads back to its card", async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const farDown = titles[3] ?? "";
    await withMoves(() => board.openPanel(farDown));
    await page.mouse.move(500, 500);
    await page.mouse.wheel(0, -9_000);
    await withMoves(async () => {
      await page.keyboard.press("Escape");
      await expect(board.card(farDown).getByRole("link").first()).toBeFocused();
    });
    await expect(board.card(farDown)).toBeInViewport();
  });

  await test.step("Back from another page leads to where one was", async () => {
    await page.evaluate(() => window.scrollTo(0, 9_000));
    await expect.poll(() => page.evaluate(topCard)).not.toBeNull();
    const before = await page.evaluate(topCard);
    await page.getByRole("link", { name: "Team" }).first().click();
    await expect(page.getByRole("heading", { level: 1, name: "Team" })).toBeVisible();
    await page.goBack();
    // By what one sees: a line of news that comes above the board moves the page, not the cards in the window.
    await expect.poll(() => page.evaluate(topCard)).toEqual(before);
  });

  await test.step("a search leaves what it finds, wherever it stood", async () => {
    await page.getByRole("searchbox", { name: "Search" }).fill("survey 7 of");
    await expect(board.tab("To Do")).toHaveAccessibleName("To Do, 1 project");
    await expect(page.getByRole("article")).toHaveCount(1);
  });
  const { unexpected, where } = await shiftsOf(page);
  expect(unexpected - movedAway - wanted, where.join("\n")).toBeLessThan(0.02);
});

/** Projects of whoever is signed in on the page. Returns the titles in the order of the numbers. */
async function addProjects(page: Page, server: TestServer, count: number, status?: "inProgress"): Promise<string[]> {
  const me = await api(page).auth.me.query();
  const titles = Array.from({ length: count }, (_, at) => `Survey ${at} of ${count}`);
  await writeRows(server, (db) => insertProjects(db, { createdBy: me?.id ?? "", titles, ...(status && { status }) }));
  return titles;
}

/** The first card below the window's upper edge and how far below it is. */
function topCard(): { project: string | undefined; top: number } | null {
  for (const card of document.querySelectorAll("article")) {
    const top = Math.round(card.getBoundingClientRect().top);
    if (top >= 0 && top < window.innerHeight) return { project: card.dataset.project, top };
  }
  return null;
}

async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts = { all: 0, unexpected: 0, where: [] as string[] };
    Reflect.set(window, "shifts", shifts);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const value = Number(Reflect.get(entry, "value"));
        shifts.all += value;
        if (Reflect.get(entry, "hadRecentInput") === true) continue;
        shifts.unexpected += value;
        for (const { node } of Reflect.get(entry, "sources") ?? [])
          shifts.where.push(
            `${value.toFixed(3)} ${node instanceof Element ? node.outerHTML.slice(0, 120) : node?.nodeName} ${location.href} at ${entry.startTime.toFixed(0)}`,
          );
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** The sums of all layout shifts so far, and of those that did not follow an input within half a second. */
function shiftsOf(page: Page): Promise<{ all: number; unexpected: number; where: string[] }> {
  return page.evaluate(() => Reflect.get(window, "shifts"));
}
