import type { Db } from "../db/client";
import { projectEvents } from "../db/schema";
import { rowsOf } from "../db/writes";
import { expect, expectAccessibleEverywhere, goInApp, test } from "./fixtures";
import { authenticate, DEMO_PASSWORD } from "./pages/account";
import { expectSheetAccessible, sheetOf } from "./pages/task-sheet";
import { personId } from "./people";
import { addProject } from "./projects";
import { writeRows } from "./rows";
import { hold } from "./traffic";

test("a task's page: each field is edited by itself and live, a conflict asks, and nothing typed is lost", async ({
  page,
  openContext,
  consoleGuard,
  admin,
  server,
}) => {
  consoleGuard.allow(/net::ERR_FAILED/);
  const project = await addProject(admin, "Sluice gate");
  const { key } = await admin.projects.byId.query({ projectId: project.id });
  const now = () => admin.tasks.byKey.query({ key: `${key}-1` });
  const other = await openContext().then((context) => context.newPage());
  await authenticate(page, "rohan@sangam.example");
  await authenticate(other, "mitali@sangam.example");

  await test.step("its address leads everybody to it, over the page of their role", async () => {
    await page.goto(`/task/${key}-1`);
    await expect(page).toHaveURL(new RegExp(`/dashboard\\?task=${key}-1$`));
    await other.goto(`/dashboard/calendar?task=${key}-1`);
    await expect(sheetOf(page)).toContainText("All of them.");
    await expect(other.getByRole("dialog", { name: /Read the gauges/ })).toContainText("All of them.");
  });
  // Below it a page with little on it, which each look for a role goes through.
  await goInApp(page, `/dashboard/inbox?task=${key}-1`);
  const sheet = sheetOf(page);
  const theirs = sheetOf(other);
  const title = sheet.getByRole("textbox", { name: "Title" });

  await test.step("text is saved by Enter, choices at once, and the other screen follows", async () => {
    await title.fill("Read both gauges");
    await title.press("Enter");
    await expect(theirs.getByRole("textbox", { name: "Title" })).toHaveValue("Read both gauges");
    await title.fill("Read no gauge");
    await title.press("Escape");
    await expect(title).toHaveValue("Read both gauges");
    // What is typed on while a save is on its way is saved too, when the field is left meanwhile.
    const held = hold();
    await page.route("**/api/trpc/tasks.update*", held.handler, { times: 1 });
    await title.fill("Read all gauges");
    const asked = page.waitForRequest("**/api/trpc/tasks.update*");
    await title.press("Enter");
    await asked;
    await title.fill("Read both gauges again");
    await title.press("Tab");
    held.release();
    await expect(theirs.getByRole("textbox", { name: "Title" })).toHaveValue("Read both gauges again");
    await title.fill("Read both gauges");
    await title.press("Enter");
    await expect(theirs.getByRole("textbox", { name: "Title" })).toHaveValue("Read both gauges");
    await sheet.getByRole("combobox", { name: "Status" }).selectOption("inProgress");
    await sheet.getByRole("combobox", { name: "Priority" }).selectOption("urgent");
    const due = sheet.getByLabel("Due date", { exact: true });
    await due.fill("2090-02-19");
    await sheet.getByRole("button", { name: "Remove due date" }).press("Enter");
    await expect(due).toBeFocused();
    await due.fill("2090-02-20");
    await sheet.getByRole("combobox", { name: /^Assign/ }).fill("Mitali");
    await page.getByRole("option", { name: "Mitali Deshpande" }).click();
    await sheet.getByRole("button", { name: "Follow", exact: true }).click();
    await expect(sheet.getByRole("button", { name: "Following", pressed: true })).toBeVisible();
    await expect(theirs.getByRole("button", { name: "Remove Mitali Deshpande" })).toBeVisible();
    await expect(theirs.getByRole("combobox", { name: "Status" })).toHaveValue("inProgress");
    await expect(theirs.getByRole("combobox", { name: "Priority" })).toHaveValue("urgent");
    await expect(theirs.getByLabel("Due date", { exact: true })).toHaveValue("2090-02-20");
  });

  await test.step("a date that is typed is saved once, when it is left, and what is no date removes nothing", async () => {
    const due = sheet.getByLabel("Due date", { exact: true });
    const saves: string[] = [];
    page.on("request", (request) => void (request.url().includes("tasks.update") && saves.push(request.url())));
    await due.focus();
    // Day and month alike: their order is the browser's.
    await page.keyboard.type("11112089", { delay: 60 });
    await sheet.getByRole("combobox", { name: "Priority" }).focus();
    await expect(theirs.getByLabel("Due date", { exact: true })).toHaveValue("2089-11-11");
    expect(saves).toHaveLength(1);
    await due.focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("2206");
    await sheet.getByRole("combobox", { name: "Priority" }).focus();
    await expect(sheet.getByText("Enter a real date between 2000 and 2100.")).toBeVisible();
    await due.press("Escape");
    await expect(due).toHaveValue("2089-11-11");
    expect(saves).toHaveLength(1);
  });

  await test.step("keys that go through a closed list save once, when it is left; Escape takes them back", async () => {
    const priority = sheet.getByRole("combobox", { name: "Priority" });
    const status = sheet.getByRole("combobox", { name: "Status" });
    const saves: string[] = [];
    page.on("request", (request) => void (request.url().includes("tasks.update") && saves.push(request.url())));
    await priority.press("Home");
    await priority.press("Escape");
    await expect(priority).toHaveValue("urgent");
    for (const _ of ["high", "medium", "low"]) await priority.press("ArrowUp");
    await expect(priority).toHaveValue("low");
    await status.press("ArrowUp");
    await status.press("Enter");
    await expect(theirs.getByRole("combobox", { name: "Status" })).toHaveValue("todo");
    await expect(theirs.getByRole("combobox", { name: "Priority" })).toHaveValue("low");
    expect(saves).toHaveLength(2);
  });

  await test.step("the description is saved with its formatting", async () => {
    await sheet.getByRole("button", { name: "Edit description" }).click();
    await sheet.getByRole("textbox", { name: "Description" }).fill("**Both** of them.");
    await sheet.getByRole("textbox", { name: "Description" }).press("Control+Enter");
    await expect(theirs.locator("strong", { hasText: "Both" })).toBeVisible();
  });

  await test.step("on a phone, the composer covers nothing of the heading above the discussion", async () => {
    await page.setViewportSize({ width: 360, height: 900 });
    const filter = sheet.getByRole("checkbox", { name: "Comments only" });
    await filter.evaluate((element) => element.scrollIntoView({ block: "end" }));
    await expectSheetAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step("labels are made once, put on a task, and deleted after one has read on how many tasks they are", async () => {
    const name = `Tide ${project.id.slice(0, 8)}`;
    await sheet.getByRole("button", { name: "Edit labels" }).click();
    const labels = page.getByRole("dialog", { name: "Labels" });
    const added = labels.getByRole("textbox", { name: "New label" });
    const row = labels.getByRole("textbox", { name: `Name of ${name}` });
    await added.fill(name);
    await added.press("Enter");
    await expect(row).toBeVisible();
    await added.fill(name.toUpperCase());
    await added.press("Enter");
    await expect(labels.getByText("There is already a label with this name.")).toBeVisible();
    // The session ends before the next one is sent.
    await added.fill(`${name} mark`);
    await page.context().clearCookies();
    await added.press("Enter");
    const again = page.getByRole("dialog", { name: "Sign in again" });
    await again.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
    await again.getByRole("button", { name: "Log In" }).click();
    await expect(again).toBeHidden();
    await expect(added).toHaveValue(`${name} mark`);
    let renamed = 0;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/trpc/labels.update*", async (route) => {
      renamed += 1;
      await released;
      await route.continue();
    });
    await row.fill(`${name} old`);
    await row.press("Enter");
    await row.press("Tab");
    release();
    const oldRow = labels.getByRole("textbox", { name: `Name of ${name} old` });
    await expect(oldRow).toBeVisible();
    expect(renamed).toBe(1);
    await oldRow.fill(name);
    await oldRow.press("Enter");
    await expect(row).toBeVisible();
    await expectAccessibleEverywhere(page, { within: labels });
    await labels.getByRole("button", { name: "Dismiss" }).click();
    await sheet.getByRole("combobox", { name: /^Labels/ }).fill(name);
    await page.getByRole("option", { name }).click();
    await expect(theirs.getByRole("button", { name: `Remove ${name}` })).toBeVisible();
    await sheet.getByRole("button", { name: "Edit labels" }).click();
    await labels.getByRole("button", { name: `Delete label: ${name}` }).click();
    await expect(page.getByRole("alertdialog")).toContainText("It is removed from the task that has it.");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await expect(row).toBeHidden();
    await labels.getByRole("button", { name: "Dismiss" }).click();
    await expect(theirs.getByRole("button", { name: `Remove ${name}` })).toHaveCount(0);
  });

  await test.step("saves that find no server keep every text, also after a reload, and can be repeated", async () => {
    await page.route("**/api/trpc/tasks.update*", (route) => route.abort());
    await title.fill("Read three gauges");
    await title.press("Enter");
    const item = sheet.getByRole("textbox", { name: "Add an item" });
    for (const text of ["Third gate", "Fourth gate"]) {
      await item.fill(text);
      await item.press("Enter");
    }
    await expect(sheet.getByText(/Not saved/)).toHaveCount(2);
    await expect(title).toHaveValue("Read three gauges");
    await item.fill("Fifth gate");
    await page.unroute("**/api/trpc/tasks.update*");
    await writeRows(server, async (db) => insertHistory(db, await now(), await personId(admin, "Asha Kulkarni")));
    await page.reload();
    await expect(item).toHaveValue("Fifth gate");
    await sheet.getByRole("button", { name: "Following", pressed: true }).click();
    await expect(sheet.getByRole("button", { name: "Follow", exact: true, pressed: false })).toBeVisible();
    await sheet.getByRole("button", { name: "Save, Title" }).click();
    await expect(theirs.getByRole("textbox", { name: "Title" })).toHaveValue("Read three gauges");
    await sheet.getByRole("button", { name: "Retry, Checklist" }).click();
    await expect(theirs.getByRole("checkbox", { name: "Third gate", exact: true })).toBeVisible();
    await expect(theirs.getByRole("checkbox", { name: "Fourth gate", exact: true })).toBeVisible();
  });

  await test.step("a text that both have changed is asked about, and neither is lost before", async () => {
    await title.fill("Read my gauge");
    await theirs.getByRole("textbox", { name: "Title" }).fill("Read their gauge");
    await theirs.getByRole("textbox", { name: "Title" }).press("Enter");
    await expect(sheet.getByText("was changed by someone else")).toBeVisible();
    await expect(title).toHaveValue("Read my gauge");
    expect((await now()).title).toBe("Read their gauge");
    await sheet.getByRole("button", { name: "Save mine over it" }).click();
    await expect(theirs.getByRole("textbox", { name: "Title" })).toHaveValue("Read my gauge");
    await expect(title).toBeFocused();
  });

  await test.step("what happened earlier comes by one button, which says so when it fails", async () => {
    const earlier = sheet.getByRole("button", { name: "Show earlier activity" });
    await expect(earlier).toBeVisible();
    // Just below the window's end, where the composer sticks: what takes the focus comes above it.
    await page.setViewportSize({ width: 1280, height: 640 });
    const isSeen = await earlier.evaluate((button) => {
      button.focus();
      const { left, bottom } = button.getBoundingClientRect();
      return button.contains(document.elementFromPoint(left + 9, bottom - 9));
    });
    expect(isSeen).toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.route(/projects\.history.*cursor/, (route) => route.abort("failed"));
    await earlier.click();
    const again = sheet.getByRole("button", { name: "Load earlier activity again" });
    await expect(again).toBeVisible();
    await page.unroute(/projects\.history.*cursor/);
    await again.click();
    await expect(again.or(earlier)).toHaveCount(0);
    await expect(sheet.getByRole("list", { name: "Comments" })).toContainText("Read both gauges");
  });

  await test.step("what happened today has its day after midnight, on a page that stays open", async () => {
    const isToday = theirs.getByRole("list", { name: "Comments" }).getByText(/^Today \d\d:\d\d$/);
    await expect(isToday).not.toHaveCount(0);
    await other.clock.setFixedTime(Date.now() + 86_400_000);
    await other.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await expect(isToday).toHaveCount(0);
    await other.close();
  });
});

/** More changes of a task than its page shows at first. */
async function insertHistory(
  db: Db,
  { id: taskId, projectId, number, title }: { id: string; projectId: string; number: number; title: string },
  actorId: string,
): Promise<void> {
  await db.insert(projectEvents).values(
    rowsOf(
      projectEvents,
      Array.from({ length: 52 }, (_, at) => ({
        ...{ projectId, actorId, kind: "task.updated" as const, taskId, taskNumber: number, taskTitle: title },
        changes: [{ field: "priority" as const, from: at % 2 ? "low" : "high", to: at % 2 ? "high" : "low" }],
      })),
    ),
  );
}
