import { api } from "./api";
import { expect, goInApp, test } from "./fixtures";
import { authenticate, openAs } from "./pages/account";
import { DashboardPages } from "./pages/dashboard";
import { addPerson } from "./people";
import { createProject, dayFromToday } from "./projects";

const ROHAN = "rohan@sangam.example";
const MITALI = "mitali@sangam.example";
const MEERA = "meera@sangam.example";

test("Tasks: groups in order, a tick goes to Recently completed, and the panel agrees", async ({
  page,
  consoleGuard,
}) => {
  const pages = new DashboardPages(page);
  await authenticate(page, ROHAN);
  const project = await createProject(api(page), { title: "Ferry timetable", startDate: dayFromToday(-30) });
  await api(page).tasks.create.mutate({
    projectId: project.id,
    description: "What to do.",
    title: "Harvest the old boards",
    dueDate: dayFromToday(-3),
  });
  await api(page).tasks.create.mutate({
    projectId: project.id,
    description: "What to do.",
    title: "Ask the skippers",
    dueDate: dayFromToday(0),
  });
  await api(page).tasks.create.mutate({
    projectId: project.id,
    description: "What to do.",
    title: "Print the sheet",
    dueDate: dayFromToday(60),
  });
  await api(page).tasks.create.mutate({ projectId: project.id, description: "What to do.", title: "Thank everybody" });
  await pages.open("tasks");
  await expect(pages.group("Overdue").getByRole("checkbox", { name: "Harvest the old boards" })).toBeVisible();
  await expect(pages.group("Today").getByRole("checkbox", { name: "Ask the skippers" })).toBeVisible();
  await expect(pages.group("Later").getByRole("checkbox", { name: "Print the sheet" })).toBeVisible();
  await expect(pages.group("No date").getByRole("checkbox", { name: "Thank everybody" })).toBeVisible();
  const headings = await page.getByRole("main").getByRole("heading", { level: 2 }).allTextContents();
  const order = ["Overdue", "Today", "Tomorrow", "Next 7 days", "Later", "No date", "Recently completed"];
  const found = headings.map((text) => order.findIndex((name) => text.startsWith(name)));
  expect(found).toEqual(found.toSorted((one, other) => one - other));

  await test.step("the keyboard ticks, and the focus stays with the task", async () => {
    const box = page.getByRole("checkbox", { name: "Ask the skippers" });
    await box.focus();
    await page.keyboard.press("Space");
    const done = pages.group("Recently completed").getByRole("checkbox", { name: "Ask the skippers" });
    await expect(done).toBeChecked();
    await expect(done).toBeFocused();
    await expect(pages.group("Today")).toBeHidden();
  });

  await test.step("its link opens its page over this one, and from there the panel, which agree", async () => {
    const link = page.getByRole("link", { name: new RegExp(`${project.key}-2`) });
    await link.click();
    const taskPage = page.getByRole("dialog", { name: /Ask the skippers/ });
    await expect(taskPage.getByRole("combobox", { name: "Status" })).toHaveValue("completed");
    await page.keyboard.press("Escape");
    await expect(link).toBeFocused();
    await page.keyboard.press("Enter");
    await taskPage.getByRole("button", { name: "Project Ferry timetable" }).click();
    const panel = page.getByRole("dialog", { name: "Ferry timetable" });
    await expect(panel.getByRole("checkbox", { name: "Ask the skippers" })).toBeChecked();
    await expect(page.getByRole("heading", { level: 1, name: "Tasks" })).toBeVisible();
    await panel.getByRole("checkbox", { name: "Print the sheet" }).check();
    await expect(pages.group("Recently completed").getByRole("checkbox", { name: "Print the sheet" })).toBeChecked();
    await panel.getByRole("button", { name: "Close" }).click();
    await expect(panel).toBeHidden();
  });

  await test.step("the chosen project is in the address: Back brings it", async () => {
    const filter = page.getByRole("combobox", { name: "Filter by project" });
    await filter.selectOption("Ferry timetable");
    await expect(page).toHaveURL(new RegExp(`tasks=${project.id}`));
    await page.getByRole("link", { name: "Calendar" }).first().click();
    await expect(page.getByRole("heading", { level: 1, name: "Calendar" })).toBeVisible();
    await page.goBack();
    await expect(filter).toHaveValue(project.id);
  });

  await test.step("a refused tick goes back and can be tried again", async () => {
    consoleGuard.allow(/status of 500/);
    await page.route("**/api/trpc/tasks.setCompleted*", (route) => route.fulfill({ status: 500, body: "{}" }));
    const box = page.getByRole("checkbox", { name: "Thank everybody" });
    await box.click();
    const row = page.getByRole("listitem").filter({ has: box });
    await expect(row.getByText("Not saved")).toBeVisible();
    await expect(pages.group("No date").getByRole("checkbox", { name: "Thank everybody" })).not.toBeChecked();
    await page.unroute("**/api/trpc/tasks.setCompleted*");
    await row.getByRole("button", { name: "Retry" }).click();
    await expect(pages.group("Recently completed").getByRole("checkbox", { name: "Thank everybody" })).toBeChecked();
    await expect(row.getByText("Not saved")).toBeHidden();
  });
});

test("Tasks: who has none is told what would bring them here", async ({ page, admin }) => {
  const nobody = await addPerson(admin, { name: "Ila Newcomer" });
  await openAs(page, nobody);
  for (const [view, text] of [
    ["tasks", "Nothing to do right now"],
    ["overview", "No projects yet"],
    ["inbox", "You're all caught up"],
    ["calendar?calendar=agenda", /^Nothing is due in /],
  ] as const) {
    await goInApp(page, `/dashboard/${view}`);
    await expect(page.getByText(text)).toBeVisible();
  }
  await goInApp(page, "/dashboard");
  const main = page.getByRole("main");
  const [hint, button] = await Promise.all(
    [main.getByText(/^Create a project/), main.getByRole("button", { name: "+ New Project" })].map((one) =>
      one.boundingBox(),
    ),
  );
  expect((hint?.y ?? 0) + (hint?.height ?? 0)).toBeLessThan(button?.y ?? 0);
  await main.getByRole("link", { name: "Write to an admin" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Messages" })).toBeVisible();
});

test("Dashboard: each number is a link to a list of that length, and what happens stands there", async ({ page }) => {
  const pages = new DashboardPages(page);
  await authenticate(page, MITALI);
  const project = await createProject(api(page), { title: "Sluice gate logbook", status: "inProgress" });
  const task = await api(page).tasks.create.mutate({
    projectId: project.id,
    description: "What to do.",
    title: "Read the gauge",
    dueDate: dayFromToday(-1),
  });
  await pages.open("overview");
  const main = page.getByRole("main");
  await expect(main.getByRole("region", { name: /^Overdue/ })).toContainText("Read the gauge");
  await expect(main.getByRole("region", { name: "Recently changed" })).toContainText("Sluice gate logbook");
  const activity = main.getByRole("region", { name: "Recent activity" });
  await expect(activity.getByRole("listitem").first()).toContainText(
    `Mitali Deshpande added ${project.key}-1 “Read the gauge” in Sluice gate logbook`,
  );
  await api(page).tasks.setCompleted.mutate({ taskId: task.id, completed: true });
  await expect(activity.getByRole("listitem").first()).toContainText("completed");
  await api(page).tasks.setCompleted.mutate({ taskId: task.id, completed: false });
  await expect(main.getByRole("region", { name: /^Overdue/ })).toContainText("Read the gauge");

  const numberOf = async (label: string) =>
    Number((await main.getByRole("link", { name: new RegExp(`^${label}`) }).textContent())?.replace(label, ""));
  const [open, overdue, active] = [
    await numberOf("Open tasks"),
    await numberOf("Overdue tasks"),
    await numberOf("Active projects"),
  ];
  await main.getByRole("link", { name: /^Active projects/ }).click();
  await expect(page.getByRole("tab", { name: `In Progress, ${active} projects`, selected: true })).toBeVisible();
  await page.goBack();
  await main.getByRole("link", { name: /^Open tasks/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Tasks" })).toBeVisible();
  await expect(page.getByRole("main").getByRole("checkbox", { checked: false })).toHaveCount(open);
  await expect(pages.group("Overdue").getByRole("checkbox")).toHaveCount(overdue);
});

test("Team: people with their projects; no client's e-mail, and for clients tasks to read but no Team", async ({
  page,
  openContext,
  admin,
}) => {
  const pages = new DashboardPages(page);
  await authenticate(page, ROHAN);
  await pages.open("team");
  const main = page.getByRole("main");
  const rowOf = (name: string) => main.getByRole("row", { name: new RegExp(name) });
  await expect(rowOf("Mitali Deshpande").getByRole("link", { name: "mitali@sangam.example" })).toHaveAttribute(
    "href",
    "mailto:mitali@sangam.example",
  );
  await expect(rowOf("Meera Rao")).toContainText("Client");
  await expect(rowOf("Meera Rao")).not.toContainText("@");
  expect(JSON.stringify(await api(page).users.team.query())).not.toContain(MEERA);

  const { name: stranger } = await addPerson(admin, { name: "Nandini Without" });
  await page.reload();
  await expect(rowOf(stranger)).toContainText("None shared with you");
  const mine = rowOf("Rohan Shah");
  await mine.getByRole("button", { name: /more projects of Rohan Shah/ }).click();
  await expect(mine.getByRole("link", { name: "Seed catalogue" })).toBeVisible();
  await expect(mine.getByRole("button", { name: "Fewer projects of Rohan Shah" })).toBeVisible();
  await main.getByRole("tab", { name: /^Clients/ }).click();
  await expect(main.getByRole("row", { name: /Rohan Shah/ })).toBeHidden();
  await expect(page).toHaveURL(/team=clients/);
  await page.goBack();
  await expect(main.getByRole("tab", { name: /^All/, selected: true })).toBeVisible();
  await page.getByRole("searchbox").fill("DEVI");
  await expect(page).toHaveURL(/q=DEVI/);
  await expect(main.getByRole("row")).toHaveCount(2);
  await page.reload();
  await expect(main.getByRole("row", { name: /Devika Joshi/ })).toBeVisible();
  await page.getByRole("searchbox").fill("nobody of that name");
  await main.getByRole("button", { name: "Clear search" }).click();
  await expect(main.getByRole("heading", { level: 1, name: "Team" })).toBeFocused();
  await expect(rowOf("Asha Kulkarni")).toBeVisible();

  const client = await (await openContext()).newPage();
  await authenticate(client, MEERA);
  await client.goto("/dashboard/team");
  await expect(client.getByRole("heading", { level: 1, name: "Projects Board" })).toBeVisible();
  await expect(client).toHaveURL(/\/dashboard$/);
  await client.goto("/dashboard?tab=completed&modal=create");
  await expect(client).toHaveURL(/\/dashboard\?tab=completed$/);
  await expect(client.getByRole("link", { name: "Team" })).toHaveCount(0);
  await client.getByRole("link", { name: "Tasks", exact: true }).click();
  await expect(client.getByRole("main").getByRole("link", { name: /^HBP-1/ })).toBeVisible();
  await expect(client.getByRole("main").getByRole("checkbox")).toHaveCount(0);
  await client.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Client Dashboard" }).click();
  await expect(client).toHaveURL(/\/client$/);
  await client.goBack();
  await expect(client).toHaveURL(/\/dashboard/);
  await client.keyboard.press("Control+k");
  await client.getByRole("combobox", { name: "Search or jump to..." }).fill("client dash");
  await client.keyboard.press("Enter");
  await expect(client).toHaveURL(/\/client$/);
  await expect(api(client).users.team.query()).rejects.toMatchObject({ data: { code: "FORBIDDEN" } });
});
