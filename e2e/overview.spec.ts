import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { expect, goInApp, test } from "./fixtures";
import { tabTo } from "./keyboard";
import { openAs, signIn } from "./pages/account";
import { AllProjects } from "./pages/admin";
import { Board } from "./pages/board";
import { Chat } from "./pages/chat";
import { UsersPage } from "./pages/users";
import { addPerson, personId } from "./people";
import { addProject, createProject, dayFromToday, removeProjects } from "./projects";

/* Each number over a page is the length of the list that it speaks of, while somebody else changes things. */

const ADMIN = "asha@sangam.example";

test("an admin's menu counts what its sections list; an admin edits and creates projects without leaving the list of all", async ({
  page,
  admin,
}) => {
  const all = new AllProjects(page);
  await signIn(page, ADMIN);
  const menu = page.getByRole("navigation", { name: "Main" });
  await expect(all.titles.first()).toBeVisible();
  const projects = await all.titles.count();
  await expect(menu.getByRole("link", { name: `Projects, ${projects} projects` })).toBeVisible();
  const { id: projectId } = await addProject(admin, "Listed");
  await expect(all.titles).toHaveCount(projects + 1);
  await expect(menu.getByRole("link", { name: `Projects, ${projects + 1} projects` })).toBeVisible();
  await admin.projects.delete.mutate({ projectId });
  await expect(all.titles).toHaveCount(projects);
  await expect(menu.getByRole("link", { name: `Projects, ${projects} projects` })).toBeVisible();

  const account = page.getByRole("banner").getByRole("button", { name: "Asha Kulkarni" });
  const entries = page.getByRole("menuitem");
  await test.step("a phone has the number in its bar; the header's menu is there in every width", async () => {
    // By the keyboard alone, as the rows of the list.
    await tabTo(page, () => account);
    await page.keyboard.press("Enter");
    await expect(entries).toHaveText(["Settings", "Keyboard shortcuts", "Logout"]);
    await page.keyboard.press("Escape");
    await expect(account).toBeFocused();
    const row = all.titles.first().getByRole("button");
    await tabTo(page, () => row);
    await page.keyboard.press("Enter");
    await expect(row).toHaveAttribute("aria-expanded", "true");
    await page.keyboard.press("Enter");
    await page.setViewportSize({ width: 360, height: 780 });
    const entry = page.getByRole("navigation").getByRole("link", { name: `Projects, ${projects} projects` });
    await expect(entry.locator("[data-count]")).toBeInViewport({ ratio: 1 });
    await expect(entry.locator("[data-count]")).toHaveAttribute("data-count", String(projects));
    await account.click();
    await expect(entries).toHaveText(["Settings", "Logout"]);
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step("each part of what has happened since leads to a list of that length", () =>
    expectSinceLists(page, ["tasks? done", "commits?"]));

  await goInApp(page, "/admin/users?users=pending");
  const users = new UsersPage(page);
  const waiting = page.getByRole("button", { name: /^Approve/ });
  await expect(waiting.first()).toBeVisible();
  const pending = await waiting.count();
  const { email } = await addPerson(admin, { name: "Waiting Person", as: "pending" });
  await expect(waiting).toHaveCount(pending + 1);
  await expect(
    menu.getByRole("link", { name: new RegExp(`^Users, \\d+ people, ${pending + 1} pending$`) }),
  ).toBeVisible();
  await expect(page.getByRole("tab", { name: `Pending Approval, ${pending + 1} people` })).toBeVisible();
  await users.reject(email);
  await expect(waiting).toHaveCount(pending);
  await expect(
    page.getByRole("tab", { name: new RegExp(`^Pending Approval, ${pending} (person|people)$`) }),
  ).toBeVisible();

  await test.step("an admin edits and creates projects without leaving the list of all", async () => {
    const project = await addProject(admin, "Edited here");
    await goInApp(page, `/admin?open=${project.id}`);
    await all.row(project.title).getByRole("button", { name: "Edit Project" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit Project" });
    await dialog.getByLabel("Title").fill(`${project.title} renamed`);
    await dialog.getByRole("button", { name: "Save Changes" }).click();
    await expect(dialog).toBeHidden();
    await expect(all.row(`${project.title} renamed`)).toBeVisible();
    expect(new URL(page.url()).pathname).toBe("/admin");
    const title = `From the list ${randomUUID().slice(0, 8)}`;
    await new Board(page).create({ title, description: "Made by an admin." });
    await expect(all.header(title)).toBeFocused();
  });
});

test("the numbers on Overview are those of the pages that they lead to, and what happens stands there", async ({
  page,
  admin,
}) => {
  const moved = await addProject(admin, "Moved");
  const [, sheet] = await admin.tasks.list.query({ projectId: moved.id });
  await admin.tasks.update.mutate({ taskId: sheet?.id ?? "", patch: { dueDate: "2090-03-08" } });
  await openAs(page, { email: "mitali@sangam.example", path: "/dashboard/overview" });
  const main = page.getByRole("main");
  const number = (label: string) => main.getByRole("link", { name: new RegExp(`^${label} ?\\d`) });
  await expect(number("Unread messages")).toBeVisible();
  const [open, active, unread] = [
    await numberIn(number("Open tasks")),
    await numberIn(number("Active projects")),
    await numberIn(number("Unread messages")),
  ];
  const mitali = await personId(admin, "Mitali Deshpande");
  const project = await createProject(admin, {
    title: "Tide gauge",
    status: "inProgress",
    dueDate: dayFromToday(3),
    assignedTo: [mitali],
  });
  await expect(number("Active projects")).toHaveText(`Active projects${active + 1}`);
  const task = { projectId: project.id, description: "What to do.", assignedTo: [mitali] };
  const { id: taskId } = await admin.tasks.create.mutate({
    ...task,
    title: "Calibrate it",
    dueDate: dayFromToday(-2),
  });
  const activity = main.getByRole("region", { name: "Recent activity" }).getByRole("listitem").first();
  await expect(activity).toContainText(`Asha Kulkarni added ${project.key}-1 “Calibrate it” in Tide gauge`);
  await admin.tasks.setCompleted.mutate({ taskId, completed: true });
  await expect(activity).toContainText("completed");
  await admin.tasks.setCompleted.mutate({ taskId, completed: false });
  await admin.tasks.create.mutate({ ...task, title: "Paint the scale", dueDate: dayFromToday(2) });
  await expect(number("Open tasks")).toHaveText(`Open tasks${open + 2}`);
  await expect(main.getByRole("region", { name: /^Overdue, / })).toContainText("Calibrate it");
  const soon = main.getByRole("region", { name: /^Due soon, / });
  await expect(soon).toContainText("Tide gauge");
  for (const region of [soon, main.getByRole("region", { name: /^Overdue, / })]) {
    const lines = await region.getByRole("listitem").count();
    await expect(region.getByRole("heading")).toHaveAccessibleName(new RegExp(`, ${lines}$`));
  }
  await expect(main.getByRole("region", { name: "Recently changed" }).getByRole("link").first()).toHaveText(
    "Tide gauge",
  );

  await admin.chat.start.mutate({ recipientId: mitali, text: "The gauge is in.", clientMessageId: randomUUID() });
  await expect(number("Unread messages")).toHaveText(`Unread messages${unread + 1}`);
  const menu = page.getByRole("navigation", { name: "Main" });
  await expect(menu.getByRole("link", { name: `Messages, ${unread + 1} unread` })).toBeVisible();
  await number("Unread messages").click();
  await new Chat(page).line(/Asha Kulkarni/).click();
  await expect(menu.getByRole("link", { name: "Messages", exact: true })).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(number("Unread messages")).toHaveText("Unread messages0");

  await test.step("tasks: as many as are open, and as many as are overdue", async () => {
    const overdue = await numberIn(number("Overdue tasks"));
    await number("Open tasks").click();
    await expect(page.getByRole("heading", { level: 1, name: "Tasks" })).toBeVisible();
    await expect(main.getByRole("checkbox", { checked: false })).toHaveCount(open + 2);
    await expect(main.getByRole("region", { name: /^Overdue/ }).getByRole("checkbox")).toHaveCount(overdue);
    await page.goBack();
  });
  await number("Active projects").click();
  const tab = page.getByRole("tab", { selected: true });
  await expect(tab).toHaveAccessibleName(`In Progress, ${active + 1} projects`);
  await expect(page.getByRole("tabpanel").getByRole("article")).toHaveCount(active + 1);
  await admin.projects.delete.mutate({ projectId: project.id });
  await expect(page.getByRole("tabpanel").getByRole("article")).toHaveCount(active);
  await expectSinceLists(page, ["tasks? done", "dates? moved", "messages?"]);
});

test.afterAll(({ admin }) => removeProjects(admin));

/** "Since Tuesday: 3 tasks done, 2 messages" on a start page: each of these parts opens a list with as many lines as it says. */
async function expectSinceLists(page: Page, parts: string[]): Promise<void> {
  const line = page.getByRole("paragraph").filter({ hasText: /^Since / });
  for (const part of parts) {
    const link = line.getByRole("link", { name: new RegExp(`^\\d+ ${part}$`) });
    const count = Number.parseInt((await link.textContent()) ?? "", 10);
    await link.press("Enter");
    const list = page.getByRole("dialog", { name: new RegExp(`^${count} ${part} since `) });
    await expect(list.getByRole("listitem")).toHaveCount(count);
    await page.keyboard.press("Escape");
    await expect(list).toBeHidden();
    await expect(link).toBeFocused();
  }
}

async function numberIn(link: Locator): Promise<number> {
  return Number(/\d+$/.exec((await link.textContent()) ?? "")?.[0]);
}
