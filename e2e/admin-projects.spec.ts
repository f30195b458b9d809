import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { projects } from "../db/schema";
import { MESSAGES } from "../server/contract/messages";
import { expect, expectAccessible, expectAccessibleEverywhere, expectFits, goInApp, test } from "./fixtures";
import { tabTo } from "./keyboard";
import { authenticate, openAs } from "./pages/account";
import { AllProjects } from "./pages/admin";
import { addProject, dayFromToday, removeProjects } from "./projects";
import { writeRows } from "./rows";
import { hold, Traffic } from "./traffic";

const ADMIN = "asha@sangam.example";

// Other tests on the same server count the projects of Meera Rao and Rohan Shah.
test.afterEach(({ admin }) => removeProjects(admin));

test("a list that cannot be read says so and offers Retry; a project that is made while it is read does not get lost; an admin reads everything of one, and its client the same without a control that writes", async ({
  page,
  openContext,
  admin,
  consoleGuard,
}) => {
  consoleGuard.allow(/Failed to load resource/);
  await authenticate(page, ADMIN);
  await page.route(/projects\.list/, (route) => route.abort());
  await page.goto("/admin");
  await expect(page.getByRole("alert")).toContainText(MESSAGES.general.unreachable);
  await page.unroute(/projects\.list/);
  let isRead = false;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/api/trpc/**projects.list**", async (route) => {
    const response = await route.fetch();
    isRead = true;
    await released;
    // The page may have cancelled the request for a newer one.
    await route.fulfill({ response }).catch(() => undefined);
  });
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.poll(() => isRead).toBe(true);
  const project = await addProject(admin, "In between");
  release();
  const all = new AllProjects(page);
  await expect(all.header(project.title)).toBeVisible();
  await page.unrouteAll({ behavior: "wait" });
  await test.step("tasks that cannot be read say so, and Retry brings them", async () => {
    await page.route(/tasks\.list/, (route) => route.abort());
    await all.header("Harbour booking portal").click();
    const row = all.row("Harbour booking portal");
    await expect(row.getByRole("alert")).toContainText(MESSAGES.general.unreachable);
    await page.unroute(/tasks\.list/);
    await row.getByRole("button", { name: "Retry" }).click();
    await expect(row.getByRole("alert")).toHaveCount(0);
  });
  await test.step("the open list", async () => {
    await all.header("Quay lighting audit").click();
    await expect(all.row("Harbour booking portal").getByRole("heading", { name: /^Tasks/ })).toBeVisible();
    await expect(all.row("Quay lighting audit").getByRole("heading", { name: /^Tasks/ })).toBeVisible();
    await expectAccessibleEverywhere(page, { widths: [360], within: all.row("Harbour booking portal") });
    await expectFits(page, 768, 360);
    const question = await all.askToDelete("Harbour booking portal");
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(all.deleteButton("Harbour booking portal")).toBeFocused();
  });
  await page.setViewportSize({ width: 1280, height: 800 });
  await goInApp(page, "/admin");
  await page.getByRole("heading", { level: 1 }).focus();
  await test.step("the admin opens it and ticks a task, by keys alone", async () => {
    const project = await addProject(admin, "Tide gauges");
    // It appears without a reload.
    await expect(all.header(project.title)).toHaveAttribute("aria-expanded", "false");
    await expect(all.row(project.title)).toContainText("In Progress");
    await expect(all.row(project.title)).toContainText("Meera Rao");
    await expect(all.row(project.title)).toContainText("14 Mar 2090");
    await expect(page.getByRole("link", { name: /^Projects, \d+ projects$/ }).first()).toHaveAttribute(
      "aria-current",
      "page",
    );

    const row = all.row(project.title);
    for (const heard of ["Client Meera Rao", "Due 14 Mar 2090"]) await expect(row).toContainText(heard);
    await tabTo(page, () => all.header(project.title));
    await page.keyboard.press("Enter");
    await expect(all.header(project.title)).toHaveAttribute("aria-expanded", "true");
    await expect(row).toContainText(project.description);
    await expect(fact(row, "Client")).toHaveText("Meera Rao");
    await expect(fact(row, "Start date")).toHaveText("1 Feb 2090");
    await expect(fact(row, "Due date")).toHaveText("14 Mar 2090");
    await expect(fact(row, "Assigned users")).toContainText("Rohan Shah");
    await expect(fact(row, "Managers")).toContainText("Mitali Deshpande");
    await expect(row.getByRole("listitem").filter({ hasText: "Read the gauges" })).toContainText("To Do");
    await expect(row.getByRole("listitem").filter({ hasText: "Print a day sheet" })).toContainText(
      /On one page\..*1 Mar 2090.*Asha Kulkarni/,
    );
    for (const [name, href] of [
      ["github.com/konkan/harbour", project.githubRepo],
      ["harbour.example/berths", project.liveLink],
    ] as const) {
      const link = row.getByRole("link", { name });
      await expect(link).toHaveAttribute("href", href);
      await expect(link).toHaveAttribute("rel", "noopener noreferrer");
    }
    const openTasks = row.getByRole("link", { name: "Open tasks" });
    await tabTo(page, () => openTasks);
    await page.keyboard.press("Enter");
    const panel = page.getByRole("dialog", { name: project.title });
    await expect(panel.getByRole("heading", { name: project.title })).toBeFocused();
    const gauges = panel.getByRole("checkbox", { name: "Read the gauges" });
    await tabTo(page, () => gauges);
    await page.keyboard.press("Space");
    await expect(gauges).toBeChecked();
    await page.keyboard.press("Escape");
    await expect(panel).toBeHidden();
    await expect(page.getByRole("article").getByRole("link", { name: project.title, exact: true })).toBeFocused();
    await page.goBack();
    await expect(row.getByRole("listitem").filter({ hasText: "Read the gauges" })).toContainText("Completed");
    await expect(all.header(project.title)).toHaveAttribute("aria-expanded", "true");
  });
  await test.step("what it lacks is told in words", async () => {
    await all.header("Attendance reports for hostels").click();
    await expect(fact(all.row("Attendance reports for hostels"), "Client")).toHaveText(MESSAGES.projects.noClient);
    const project = await addProject(admin, "Bare");
    const patch = { clientId: null, managers: [], assignedTo: [], dueDate: null };
    await admin.projects.update.mutate({ projectId: project.id, version: 1, patch });
    for (const { id: taskId } of await admin.tasks.list.query({ projectId: project.id }))
      await admin.tasks.delete.mutate({ taskId });
    await all.header(project.title).click();
    const row = all.row(project.title);
    await expect(fact(row, "Client")).toHaveText(MESSAGES.projects.noClient);
    await expect(fact(row, "Due date")).toHaveText("No due date");
    await expect(fact(row, "Assigned users")).toHaveText(MESSAGES.projects.noAssigned);
    await expect(fact(row, "Managers")).toHaveText(MESSAGES.projects.noManagers);
    await expect(row).toContainText(MESSAGES.projects.noTasks);
  });
  const client = await (await openContext()).newPage();
  await openAs(client, { email: "meera@sangam.example", path: "/client" });
  await test.step("the client opens it", async () => {
    const project = await addProject(admin, "Shared");
    const [first] = await admin.tasks.list.query({ projectId: project.id });
    await admin.tasks.update.mutate({ taskId: first?.id ?? "", patch: { dueDate: dayFromToday(-3) } });
    const card = client.getByRole("article", { name: project.title });
    await card.getByRole("button", { name: /^Show Details/ }).click();
    await expect(card).toContainText(project.description);
    await expect(fact(card, "Start date")).toHaveText("1 Feb 2090");
    await expect(fact(card, "Due date")).toHaveText("14 Mar 2090");
    await expect(fact(card, "Created")).toHaveText(/^\d{1,2} \w{3,4} \d{4}$/);
    await expect(fact(card, "Type")).toHaveText("Client project");
    await expect(fact(card, "Assigned Team")).toContainText("Rohan Shah");
    await expect(fact(card, "Managers")).toContainText("Mitali Deshpande");
    await expect(card.getByRole("listitem").filter({ hasText: "Read the gauges" })).toContainText(
      /All of them\..*Overdue since \d{1,2} \w{3,4}/,
    );
    await expect(card.getByRole("listitem").filter({ hasText: "Print a day sheet" })).toContainText(
      /On one page\..*1 Mar 2090.*Assigned to Asha Kulkarni/,
    );
    await expect(card.getByRole("button")).toHaveText(["Hide Details", "Following"]);
    await expect(client.getByRole("checkbox")).toHaveCount(0);
    await expect(client.getByRole("button", { name: /^(Delete|Edit|Add|New|\+)/ })).toHaveCount(0);
    await client.getByRole("link", { name: "Settings" }).first().click();
    await client.getByRole("link", { name: "Projects" }).first().click();
    await expect(card.getByRole("button", { name: /^Hide Details/ })).toBeVisible();
  });
});

test("deleting asks in the specification's words, can be left, fails without loss, and takes the row from every screen; the address carries what is open and the filters, and junk gives the default view", async ({
  page,
  openContext,
  consoleGuard,
  admin,
  server,
}) => {
  consoleGuard.allow(/Failed to load resource/);
  await authenticate(page, ADMIN);
  const all = new AllProjects(page);
  await test.step("what is open and the filters", async () => {
    const project = await addProject(admin, "Linked");
    // The next day where the reader is, but not where the server is.
    const createdAt = new Date("2026-11-02T20:30:00Z");
    await writeRows(server, async (db) => {
      await db.update(projects).set({ createdAt }).where(eq(projects.id, project.id));
    });
    await all.open(`?open=${project.id}`);
    await expect(all.header(project.title)).toHaveAttribute("aria-expanded", "true");
    await expect(all.row(project.title).getByText("3 Nov 2026")).toBeVisible();

    await page.getByLabel("Filter by status").selectOption({ label: "In Progress" });
    await page.getByLabel("Filter by title, client or key").fill(project.title.toUpperCase());
    await expect(all.titles).toHaveCount(1);
    await expect(page).toHaveURL(/status=inProgress/);
    await expect(page).toHaveURL(/q=LINKED/);
    await page
      .getByRole("link", { name: /^Users/ })
      .first()
      .click();
    await expect(page.getByRole("heading", { level: 1, name: "Users Management" })).toBeFocused();
    await page.getByRole("tab", { name: /^Active Users/ }).click();
    await expect(page).toHaveURL(/\/admin\/users\?/);
    const people = page.getByRole("searchbox", { name: "Filter by name or email" });
    await people.fill("vikram");
    await expect(page).toHaveURL(/find=vikram/);
    await page
      .getByRole("link", { name: /^Projects/ })
      .first()
      .click();
    for (const part of [
      /users=active/,
      /find=vikram/,
      /status=inProgress/,
      /q=LINKED/,
      new RegExp(`open=${project.id}`),
    ]) {
      await expect(page).toHaveURL(part);
    }
    await expect(page).toHaveURL(/\/admin\?/);
    await expect(all.header(project.title)).toHaveAttribute("aria-expanded", "true");
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1, name: "Users Management" })).toBeVisible();
    await expect(people).toHaveValue("vikram");
    await page.goForward();

    await page.getByLabel("Filter by title, client or key").fill("no such project");
    await expect(page.getByText(MESSAGES.projects.noneMatch)).toBeVisible();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(page.getByLabel("Filter by title, client or key")).toBeFocused();
    await expect(page).not.toHaveURL(/q=|status=/);
    await expect(all.row("Harbour booking portal")).toBeVisible();
  });
  await test.step("junk", async () => {
    await goInApp(page, "/admin?section=<script>&modal=edit&panel=x&status=7&open=,,nobody&users=[]");
    await expect(all.list.getByRole("button", { expanded: true })).toHaveCount(0);
    await expect(all.row("Harbour booking portal")).toBeVisible();
    await expect(all.list.getByRole("button", { expanded: true })).toHaveCount(0);
    await goInApp(page, "/admin/users?section=<script>&users=[]");
    await expect(page.getByRole("heading", { level: 1, name: "Users Management" })).toBeVisible();
  });
  await goInApp(page, "/admin");
  const client = await (await openContext()).newPage();
  const clientTraffic = new Traffic(client);
  await openAs(client, { email: "meera@sangam.example", path: "/client" });
  await clientTraffic.settled();
  await test.step("Cancel and Escape keep the project, and give the focus back", async () => {
    const project = await addProject(admin, "Kept");
    for (const way of ["Cancel", "Escape"] as const) {
      // On a phone too the button stands beside the title, without opening the project first.
      if (way === "Escape") await page.setViewportSize({ width: 360, height: 780 });
      await expect(all.header(project.title)).toHaveAttribute("aria-expanded", "false");
      const question = await all.askToDelete(project.title);
      if (way === "Cancel") await question.getByRole("button", { name: "Cancel" }).click();
      else await page.keyboard.press("Escape");
      await expect(question).toBeHidden();
      await expect(all.deleteButton(project.title)).toBeFocused();
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await admin.projects.byId.query({ projectId: project.id })).toMatchObject({ title: project.title });
  });
  await test.step("a failure says so, keeps the project and claims no success; a retry takes the failure away", async () => {
    const project = await addProject(admin, "Stubborn");
    await page.route("**/api/trpc/projects.delete*", (route) => route.abort());
    const question = await all.askToDelete(project.title);
    await question.getByRole("button", { name: "Delete", exact: true }).click();
    await expect(page.getByText("Failed to delete project. Please try again.")).toBeVisible();
    await expect(question).toBeHidden();
    await expect(all.deleteButton(project.title)).toBeFocused();
    await expect(all.row(project.title)).toBeVisible();
    await expect(page.getByText("Project deleted successfully")).toHaveCount(0);

    await page.unroute("**/api/trpc/projects.delete*");
    const again = await all.askToDelete(project.title);
    await again.getByRole("button", { name: "Delete", exact: true }).click();
    await expect(page.getByText("Project deleted successfully")).toBeVisible();
    await expect(page.getByText("Failed to delete project. Please try again.")).toHaveCount(0);
  });
  await test.step("it asks in the specification's words; the client's list and the focus follow", async () => {
    const project = await addProject(admin, "Short-lived");
    const clientsCard = client.getByRole("article", { name: project.title });
    await expect(clientsCard).toBeVisible();

    await all.header(project.title).click();
    await expect(page).toHaveURL(new RegExp(`open=${project.id}`));
    const next = await all.titles.nth((await positionOf(all, project.title)) + 1).getByRole("button");
    const nextTitle = (await next.textContent()) ?? "";
    const question = await all.askToDelete(project.title);
    await expect(question).toContainText("Are you sure you want to delete this project? This action cannot be undone.");
    await expect(question.getByText(project.title)).toHaveCSS("font-weight", "600");
    await expect(question.getByRole("button", { name: "Cancel" })).toBeFocused();
    await expectAccessible(page, question);

    const answer = hold();
    await page.route("**/api/trpc/projects.delete*", answer.handler);
    await question.getByRole("button", { name: "Delete", exact: true }).click();
    await expect(question.getByRole("button", { name: "Deleting..." })).toHaveAttribute("aria-disabled", "true");
    await expect(page.locator(`[data-project="${project.id}"]`)).toBeVisible();
    answer.release();
    // That of the deletion before may still be there.
    await expect(page.getByText("Project deleted successfully").last()).toBeVisible();
    await expect(question).toBeHidden();
    await expect(all.row(project.title)).toHaveCount(0);
    await expect(all.header(nextTitle)).toBeFocused();
    await expect(page).not.toHaveURL(/open=/);
    await expect(clientsCard).toHaveCount(0);
    await expect(admin.projects.byId.query({ projectId: project.id })).rejects.toMatchObject({
      data: { code: "NOT_FOUND" },
    });
    await page.unroute("**/api/trpc/projects.delete*");
  });
  await test.step("another admin's row goes, and the focus in it goes to the next", async () => {
    const project = await addProject(admin, "Contested");
    const second = client;
    const secondTraffic = new Traffic(second);
    await openAs(second, { email: "vikram@sangam.example", path: "/admin" });
    const theirs = new AllProjects(second);
    await theirs.header(project.title).focus();
    await secondTraffic.settled();
    const question = await all.askToDelete(project.title);
    await question.getByRole("button", { name: "Delete", exact: true }).click();
    await expect(theirs.row(project.title)).toHaveCount(0);
    await expect(theirs.titles.locator("button:focus")).toHaveCount(1);
  });
});

function fact(row: ReturnType<Page["locator"]>, label: string) {
  return row
    .locator("dl > div")
    .filter({ has: row.page().getByText(label, { exact: true }) })
    .getByRole("definition");
}

async function positionOf(all: AllProjects, title: string): Promise<number> {
  const titles = await all.titles.getByRole("button").allTextContents();
  return titles.indexOf(title);
}
