import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { tabTo } from "./keyboard";
import { openAs, signIn } from "./pages/account";
import { AllProjects } from "./pages/admin";
import { Chat } from "./pages/chat";
import { Portal } from "./pages/portal";
import { UsersPage } from "./pages/users";
import { addPerson, personId } from "./people";
import { addProject, createProject, dayFromToday, removeProjects } from "./projects";

/* Each number over a page is the length of the list that it speaks of, while somebody else changes things. */

const ADMIN = "asha@sangam.example";

test("a client's stat cards count the cards below them", async ({ page, admin }) => {
  await signIn(page, "meera@sangam.example");
  const portal = new Portal(page);
  const agree = async () => {
    const chips = async (status: string) =>
      String(await portal.projects.getByRole("article").filter({ hasText: status }).count());
    await expect(portal.stat("Active Projects")).toHaveText(await chips("In Progress"));
    await expect(portal.stat("Completed Projects")).toHaveText(await chips("Completed"));
    await expect(portal.stat("On Hold")).toHaveText(await chips("On Hold"));
    await expect(portal.stat("Total Projects")).toHaveText(await chips(""));
  };
  await expect(portal.project("Harbour booking portal")).toBeVisible();
  await agree();
  const { id: projectId, title } = await addProject(admin, "Counted");
  await expect(portal.project(title)).toContainText("In Progress");
  await agree();
  for (const [at, [status, label]] of (
    [
      ["on-hold", "On Hold"],
      ["completed", "Completed"],
      ["todo", "To Do"],
    ] as const
  ).entries()) {
    await admin.projects.update.mutate({ projectId, version: at + 1, patch: { status } });
    await expect(portal.project(title)).toContainText(label);
    await agree();
  }
  await admin.projects.delete.mutate({ projectId });
  await expect(portal.project(title)).toHaveCount(0);
  await agree();
});

test("an admin's menu counts what its sections list", async ({ page, admin }) => {
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

  const users = new UsersPage(page);
  await users.open("pending");
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
});

test("the numbers on Overview are those of the pages that they lead to", async ({ page, admin }) => {
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
  await admin.tasks.create.mutate({ ...task, title: "Calibrate it", dueDate: dayFromToday(-2) });
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
