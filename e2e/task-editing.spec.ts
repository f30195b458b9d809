import type { Page } from "@playwright/test";
import { MESSAGES } from "../server/contract/messages";
import { api } from "./api";
import { expect, expectAccessible, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { Board } from "./pages/board";
import { TasksPanel } from "./pages/tasks";
import { addOwnProject } from "./projects";
import { hold, Traffic, watchCalls } from "./traffic";

// Among the last files: each test goes to the worker that is free, so that none is left with all of them.
test.describe.configure({ mode: "parallel" });

const TASKS = ["Soundings", "Chart", "Printing"];

test("tasks are put in order and every field is edited by keys, by menu and by mouse; another browser sees it, and what it does arrives with its events, also while tasks are edited", async ({
  page,
  openContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/500 \(Internal Server Error\)/);
  const { tasks, projectId, title } = await begin(page);
  const other = await open(await (await openContext()).newPage(), { projectId, title });
  const traffic = new Traffic(page);
  await tasks.open(projectId);
  await tasks.expectOrder(["Soundings", "Chart", "Printing"]);

  await tasks.button("Edit", "Soundings").focus();
  await page.keyboard.press("Alt+ArrowDown");
  await expect(page.getByRole("status").filter({ hasText: "Moved to position 2 of 3" })).toBeAttached();
  await page.keyboard.press("Alt+ArrowDown");
  await expect(tasks.button("Edit", "Soundings")).toBeFocused();
  await tasks.expectOrder(["Chart", "Printing", "Soundings"]);
  await other.expectOrder(["Chart", "Printing", "Soundings"]);

  await tasks.row("Printing").hover();
  await tasks.button("Move", "Printing").click();
  await expect(page.getByRole("menuitem", { name: "Move up" })).toBeVisible();
  await expectAccessible(page, page.getByRole("menu"));
  await page.getByRole("menuitem", { name: "Move up" }).click();
  await tasks.expectOrder(["Printing", "Chart", "Soundings"]);
  await expect(tasks.button("Move", "Printing")).toBeFocused();
  await other.expectOrder(["Printing", "Chart", "Soundings"]);

  await test.step("by mouse", async () => {
    await tasks.row("Soundings").hover();
    await tasks
      .row("Soundings")
      .locator("[data-handle]")
      .dragTo(tasks.row("Printing"), { targetPosition: { x: 60, y: 4 } });
    await tasks.expectOrder(["Soundings", "Printing", "Chart"]);
    await other.expectOrder(["Soundings", "Printing", "Chart"]);
  });

  await test.step("a completed one stays below the open ones, and comes back to its place", async () => {
    const saved = watchCalls(page, "tasks.setCompleted");
    await tasks.panel.getByRole("checkbox", { name: "Soundings" }).check();
    await tasks.expectOrder(["Printing", "Chart", "Soundings"]);
    await expect(tasks.button("Move", "Soundings")).toHaveCount(0);
    await tasks.panel.getByRole("checkbox", { name: "Soundings" }).uncheck();
    await tasks.expectOrder(["Soundings", "Printing", "Chart"]);
    await saved(2);
  });

  await page.reload();
  await tasks.expectOrder(["Soundings", "Printing", "Chart"]);

  await test.step("a move that is refused goes back and says so", async () => {
    await page.route("**/api/trpc/tasks.move*", (route) => route.fulfill({ status: 500, body: "down" }));
    await tasks.button("Edit", "Printing").press("Alt+ArrowUp");
    await expect(page.getByText(MESSAGES.tasks.updateFailed)).toBeVisible();
    await tasks.expectOrder(["Soundings", "Printing", "Chart"]);
    await page.unroute("**/api/trpc/tasks.move*");
  });
  await test.step("every field is edited from the keyboard", async () => {
    await expect(tasks.row("Chart")).toContainText(/[A-Z]{2,5}\d*-2/);

    await tasks.button("Edit", "Chart").focus();
    await page.keyboard.press("Enter");
    const form = tasks.form("Chart");
    await expect(form.getByLabel("Title")).toBeFocused();
    await page.keyboard.type(" of the bar");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("Depths at low tide.");
    await form.getByLabel("Due date").fill("2090-12-24");
    await form.getByLabel("Status").selectOption({ label: "In Progress" });
    await form.getByRole("combobox", { name: "Assignees" }).focus();
    await page.keyboard.type("Asha");
    await page.getByRole("option", { name: /Asha Kulkarni/ }).waitFor();
    await page.keyboard.press("Enter");
    await expect(form.getByRole("button", { name: "Remove Asha Kulkarni" })).toBeVisible();
    await expectAccessible(page, tasks.panel);
    await form.getByLabel("Description").press("ControlOrMeta+Enter");

    for (const list of [tasks, other]) {
      const row = list.row("Chart of the bar");
      await expect(row).toContainText("Depths at low tide.");
      await expect(row).toContainText("24 Dec 2090");
      await expect(row).toContainText("In Progress");
      await expect(row).toContainText("Asha Kulkarni");
    }
    await expect(tasks.button("Edit", "Chart of the bar")).toBeFocused();

    await test.step("strangers to the project are not offered", async () => {
      await tasks.edit("Soundings");
      await tasks.form("Soundings").getByRole("combobox", { name: "Assignees" }).fill("Sanjay");
      await expect(page.getByText("No matches")).toBeVisible();
      await page.keyboard.press("Escape");
      await tasks.form("Soundings").getByRole("button", { name: "Cancel" }).click();
    });
  });
  await test.step("a tick and a new task: no task list is read again", async () => {
    await traffic.settled();
    traffic.asked.length = 0;
    await other.row("Chart of the bar").getByRole("checkbox").check();
    await expect(tasks.row("Chart of the bar").getByRole("checkbox")).toBeChecked();
    await api(other.page).tasks.create.mutate({ projectId, title: "Tide table", description: "For a year." });
    await expect(tasks.row("Tide table")).toContainText("For a year.");
    await traffic.settled();
    expect(traffic.asked.filter((url) => /tasks\.list|tasks\.mine|projects\.(list|byId)/.test(url))).toEqual([]);
  });
  await test.step("rows change places after a press, so that its click is not lost", async () => {
    await expect(other.row("Tide table")).toBeVisible();
    await other.button("Delete", "Chart of the bar").hover();
    await other.page.mouse.down();
    await tasks.row("Chart of the bar").getByRole("checkbox").uncheck();
    await expect(other.row("Chart of the bar").getByRole("checkbox")).not.toBeChecked();
    // Elsewhere the row has taken its new place, so its 400 ms are over here too.
    await tasks.expectOrder(["Soundings", "Printing", "Chart of the bar", "Tide table"]);
    await other.page.mouse.up();
    await other.page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    await other.expectOrder(["Soundings", "Printing", "Chart of the bar", "Tide table"]);
  });
  await test.step("a task that is deleted while it is edited leaves its words", async () => {
    await tasks.edit("Chart of the bar");
    const form = tasks.form("Chart of the bar");
    await form.getByLabel("Description").fill("Two days of work.");
    await other.button("Delete", "Chart of the bar").click();
    await other.page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await expect(form.getByRole("alert")).toContainText(MESSAGES.tasks.notFound);
    await expect(form.getByLabel("Description")).toHaveValue("Two days of work.");
    const added = hold();
    await page.route("**/api/trpc/tasks.create*", added.handler, { times: 1 });
    await form.getByRole("button", { name: "Add as a new task" }).click();
    await form.getByLabel("Description").fill("Two days of work. And a night.");
    added.release();
    await expect(other.row("Chart of the bar")).toContainText("Two days of work.");
    await form.getByRole("button", { name: "Save", exact: true }).click();
    await expect(form).toBeHidden();
    await expect(tasks.row("Chart of the bar")).toContainText("And a night.");
    await expect(other.row("Chart of the bar")).toContainText("And a night.");
  });
  await test.step("a row that is being deleted stays away, whatever becomes of it elsewhere meanwhile", async () => {
    const answer = hold();
    await other.page.route("**/api/trpc/tasks.delete*", answer.handler);
    await other.button("Delete", "Soundings").click();
    await other.page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await expect(other.row("Soundings")).toHaveCount(0);
    for (const title of ["Soundings", "Printing"]) await tasks.row(title).getByRole("checkbox").check();
    await expect(other.row("Printing").getByRole("checkbox")).toBeChecked();
    await expect(other.row("Soundings")).toHaveCount(0);
    answer.release();
    await expect(tasks.row("Soundings")).toHaveCount(0);
    await expect(other.row("Soundings")).toHaveCount(0);
  });
});

test("bad input is told in its place, a save that fails can be repeated; what is typed outlives a closed panel, Back and a reload", async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allow(/500 \(Internal Server Error\)/);
  const { tasks, projectId, title } = await begin(page);
  await tasks.open(projectId);
  await tasks.edit("Chart");
  const form = tasks.form("Chart");
  await form.getByLabel("Description").fill("Kept");
  await form.getByLabel("Title").fill("   ");
  await form.getByLabel("Title").press("Enter");
  await expect(form.getByRole("alert")).toHaveText(MESSAGES.tasks.required);
  await expect(form.getByLabel("Title")).toBeFocused();
  await form.getByLabel("Title").fill("x".repeat(201));
  await expect(form.getByText("Title may have at most 200 characters.")).toBeVisible();
  await expect(form.getByLabel("Description")).toHaveValue("Kept");

  await test.step("Escape asks, and Keep editing comes back to the words", async () => {
    await form.getByLabel("Description").focus();
    await page.keyboard.press("Escape");
    const question = page.getByRole("alertdialog", { name: "Discard changes?" });
    await question.getByRole("button", { name: "Keep editing" }).click();
    await expect(form.getByLabel("Description")).toBeFocused();
    await expect(form.getByLabel("Description")).toHaveValue("Kept");
    await page.keyboard.press("Escape");
    await question.getByRole("button", { name: "Discard" }).click();
    await expect(form).toBeHidden();
    await expect(tasks.button("Edit", "Chart")).toBeFocused();
    await expect(tasks.row("Chart")).toContainText("What Chart takes.");
  });

  await test.step("Escape in an untouched form asks nothing and leaves the panel open", async () => {
    await tasks.edit("Chart");
    await expect(form.getByLabel("Title")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(form).toBeHidden();
    await expect(tasks.button("Edit", "Chart")).toBeFocused();
    await expect(tasks.panel).toBeVisible();
  });

  await test.step("a save that fails keeps every word and can be repeated", async () => {
    await tasks.edit("Printing");
    const printing = tasks.form("Printing");
    await printing.getByLabel("Title").fill("Printing and folding");
    await page.route("**/api/trpc/tasks.update*", (route) => route.fulfill({ status: 500, body: "down" }));
    await printing.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText(MESSAGES.tasks.updateFailed)).toBeVisible();
    await expect(printing.getByLabel("Title")).toHaveValue("Printing and folding");
    await page.unroute("**/api/trpc/tasks.update*");
    // What is typed while it is saved stays, and is saved by the next press.
    let release = (): void => undefined;
    const isTyped = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/trpc/tasks.update*", (route) => isTyped.then(() => route.continue()), { times: 1 });
    await printing.getByRole("button", { name: "Save" }).click();
    const folding = tasks.form("Printing and folding");
    await tasks.panel
      .getByRole("form", { name: /^Edit task/ })
      .getByLabel("Description")
      .fill("And stapling.");
    release();
    await folding.getByRole("button", { name: "Save", exact: true }).click();
    await expect(tasks.row("Printing and folding")).toContainText("And stapling.");
  });

  await tasks.edit("Chart");
  await tasks.form("Chart").getByLabel("Title").fill("Chart, second sheet");
  const add = tasks.panel.getByRole("form", { name: "Add a task" });
  await add.getByLabel("Title").fill("Lead line");
  await add.getByLabel("Description").fill("Twenty fathoms.");
  await add.getByRole("combobox", { name: /^Assignees/ }).fill("Asha");
  await page.getByRole("option", { name: /Asha Kulkarni/ }).click();

  for (const leave of [() => page.reload(), () => closeAndReopen()]) {
    await leave();
    await expect(tasks.form("Chart").getByLabel("Title")).toHaveValue("Chart, second sheet");
    await expect(add.getByLabel("Title")).toHaveValue("Lead line");
    await expect(add.getByLabel("Description")).toHaveValue("Twenty fathoms.");
    await expect(add.getByRole("button", { name: "Remove Asha Kulkarni" })).toBeVisible();
  }
  async function closeAndReopen(): Promise<void> {
    await tasks.panel.getByRole("button", { name: "Close", exact: true }).click();
    await expect(tasks.panel).toBeHidden();
    await new Board(page).tab("In Progress").click();
    await new Board(page).openPanel(title);
  }

  await test.step("the dialog over the panel holds the same words, and both follow each other", async () => {
    const card = new Board(page).card(title);
    await card.getByRole("button", { name: /More actions/ }).click();
    await page.getByRole("menuitem", { name: "View details" }).click();
    const dialog = page.getByRole("dialog", { name: title }).filter({ hasText: "Project Tasks" });
    const inDialog = dialog.getByRole("form", { name: "Edit task: Chart" }).getByLabel("Title");
    await expect(inDialog).toHaveValue("Chart, second sheet");
    await inDialog.fill("Chart, third sheet");
    const addTitle = dialog.getByRole("form", { name: "Add a task" }).getByLabel("Title");
    await expect(addTitle).toHaveValue("Lead line");
    await addTitle.fill("Long lead line");
    await page.goBack();
    await expect(dialog).toBeHidden();
    await expect(tasks.form("Chart").getByLabel("Title")).toHaveValue("Chart, third sheet");
    await expect(add.getByLabel("Title")).toHaveValue("Long lead line");
  });

  await test.step("once saved and added, nothing comes back", async () => {
    const [saved, added] = [watchCalls(page, "tasks.update"), watchCalls(page, "tasks.create")];
    await tasks.form("Chart").getByRole("button", { name: "Save" }).click();
    await expect(tasks.row("Chart, third sheet")).toBeVisible();
    // The answer comes while its author types elsewhere.
    let answer = (): void => undefined;
    const isElsewhere = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/api/trpc/tasks.create*", (route) => isElsewhere.then(() => route.continue()));
    await add.getByRole("button", { name: "Add", exact: true }).click();
    const search = page.getByRole("searchbox");
    await search.pressSequentially("Tide");
    answer();
    await expect(add.getByLabel("Title")).toHaveValue("");
    await page.keyboard.type(" gauge");
    await expect(search).toHaveValue("Tide gauge");
    await expect(tasks.row("Long lead line")).toContainText(/(Rohan Shah, Asha Kulkarni|Asha Kulkarni, Rohan Shah)/);
    await expect(add.getByRole("button", { name: "Remove Asha Kulkarni" })).toBeHidden();
    await Promise.all([saved(), added()]);
    await page.reload();
    await expect(tasks.row("Chart, third sheet")).toBeVisible();
    await expect(add.getByLabel("Title")).toHaveValue("");
  });
});

/** Signs in as Rohan, with a new project and three tasks. */
async function begin(page: Page) {
  await authenticate(page, "rohan@sangam.example");
  const title = `Tide gauge ${Math.random().toString(36).slice(2, 8)}`;
  const projectId = await addOwnProject(page, title, TASKS);
  return { tasks: new TasksPanel(page, title), projectId, title };
}

/** Opens the same project as an admin. */
async function open(page: Page, { projectId, title }: { projectId: string; title: string }): Promise<TasksPanel> {
  await authenticate(page, "asha@sangam.example");
  const tasks = new TasksPanel(page, title);
  await tasks.open(projectId);
  return tasks;
}
