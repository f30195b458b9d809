import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { authenticate, openAs, signIn } from "./pages/account";
import { AllProjects } from "./pages/admin";
import { Chat } from "./pages/chat";
import { Portal } from "./pages/portal";
import { Rooms } from "./pages/rooms";
import { UsersPage } from "./pages/users";
import { addProject, removeProjects } from "./projects";

/* Each number over a page is the length of the list that it speaks of, while somebody else changes things. */

const ADMIN = "asha@sangam.example";

test("a client's stat cards count the cards below them", async ({ page, openContext }) => {
  const admin = await adminElsewhere(openContext);
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
  for (const [at, [status, words]] of [
    ["on-hold", "On Hold"],
    ["completed", "Completed"],
    ["todo", "To Do"],
  ].entries()) {
    await call(admin, "projects.update", { projectId, version: at + 1, patch: { status } });
    await expect(portal.project(title)).toContainText(words ?? "");
    await agree();
  }
  await call(admin, "projects.delete", { projectId });
  await expect(portal.project(title)).toHaveCount(0);
  await agree();
});

test("an admin's menu counts what its sections list", async ({ page, openContext }) => {
  const admin = await adminElsewhere(openContext);
  const all = new AllProjects(page);
  await signIn(page, ADMIN);
  const menu = page.getByRole("navigation", { name: "Main" });
  await expect(all.titles.first()).toBeVisible();
  const projects = await all.titles.count();
  await expect(menu.getByRole("link", { name: `Projects, ${projects} projects` })).toBeVisible();
  const { id: projectId } = await addProject(admin, "Listed");
  await expect(all.titles).toHaveCount(projects + 1);
  await expect(menu.getByRole("link", { name: `Projects, ${projects + 1} projects` })).toBeVisible();
  await call(admin, "projects.delete", { projectId });
  await expect(all.titles).toHaveCount(projects);
  await expect(menu.getByRole("link", { name: `Projects, ${projects} projects` })).toBeVisible();

  await new UsersPage(page).open("pending");
  const waiting = page.getByRole("button", { name: /^Approve/ });
  await expect(waiting.first()).toBeVisible();
  const pending = await waiting.count();
  const email = `${randomUUID().slice(0, 8)}@firm.example`;
  const passwords = { password: "monsoon-24", confirmPassword: "monsoon-24" };
  await call(admin, "auth.signUp", {
    name: "Waiting Person",
    email,
    mobile: "+91 98200 12345",
    ...passwords,
    agreeToTerms: true,
  });
  await expect(waiting).toHaveCount(pending + 1);
  await expect(menu.getByRole("link", { name: `Users, ${pending + 1} pending` })).toBeVisible();
  await expect(page.getByRole("tab", { name: `Pending Approval, ${pending + 1} people` })).toBeVisible();
  await page
    .getByRole("row", { name: new RegExp(email) })
    .getByRole("button", { name: "Reject" })
    .click();
  await expect(waiting).toHaveCount(pending);
  await expect(
    page.getByRole("tab", { name: new RegExp(`^Pending Approval, ${pending} (person|people)$`) }),
  ).toBeVisible();
});

test("the Dashboard room's numbers are those of its rooms", async ({ page, openContext }) => {
  const admin = await adminElsewhere(openContext);
  const rooms = new Rooms(page);
  await openAs(page, { email: "mitali@sangam.example", path: "/dashboard?view=overview" });
  const other = new Rooms(admin);
  const main = page.getByRole("main");
  const number = (label: string) => main.getByRole("link", { name: new RegExp(`^${label} ?\\d`) });
  await expect(number("Unread messages")).toBeVisible();
  const [open, active, unread] = [
    await numberIn(number("Open tasks")),
    await numberIn(number("Active projects")),
    await numberIn(number("Unread messages")),
  ];
  const assign = ["mitali@sangam.example"];
  const project = await other.createProject({
    title: "Tide gauge",
    status: "inProgress",
    dueDate: rooms.day(3),
    assign,
  });
  await expect(number("Active projects")).toHaveText(`Active projects${active + 1}`);
  const mitali = await idOf(admin, "Mitali Deshpande");
  const task = { projectId: project.id, description: "What to do.", assignedTo: [mitali] };
  await call(admin, "tasks.create", { ...task, title: "Calibrate it", dueDate: rooms.day(-2) });
  await call(admin, "tasks.create", { ...task, title: "Paint the scale", dueDate: rooms.day(2) });
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

  await call(admin, "chat.start", { recipientId: mitali, text: "The gauge is in.", clientMessageId: randomUUID() });
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
  await call(admin, "projects.delete", { projectId: project.id });
  await expect(page.getByRole("tabpanel").getByRole("article")).toHaveCount(active);
});

test.afterAll(async ({ browser, baseURL }) => {
  const page = await browser.newPage({ ...(baseURL !== undefined && { baseURL }) });
  await authenticate(page, ADMIN);
  await removeProjects(page);
  await page.close();
});

async function adminElsewhere(openContext: () => Promise<{ newPage: () => Promise<Page> }>): Promise<Page> {
  const page = await (await openContext()).newPage();
  await authenticate(page, ADMIN);
  return page;
}

async function numberIn(link: Locator): Promise<number> {
  return Number(/\d+$/.exec((await link.textContent()) ?? "")?.[0]);
}

async function idOf(page: Page, name: string): Promise<string> {
  const answer = await page.request.get("/api/trpc/users.assignable");
  const body: { result: { data: { json: { id: string; name: string }[] } } } = await answer.json();
  return body.result.data.json.find((person) => person.name === name)?.id ?? "";
}

async function call(page: Page, procedure: string, input: object): Promise<void> {
  const answer = await page.request.post(`/api/trpc/${procedure}`, { data: { json: input } });
  expect(answer.ok(), `${procedure}: ${await answer.text()}`).toBe(true);
}
