import { api } from "./api";
import { expect, goInApp, test } from "./fixtures";
import { authenticate, openAs } from "./pages/account";
import { DashboardPages } from "./pages/dashboard";
import { insertPerson } from "./people";
import { createProject, dayFromToday } from "./projects";

const ROHAN = "rohan@sangam.example";
const MEERA = "meera@sangam.example";

test("Tasks: groups in order, a tick goes to Recently completed, and the panel agrees; Team: people, no client's e-mail", async ({
  page,
  server,
  consoleGuard,
}) => {
  const pages = new DashboardPages(page);
  await authenticate(page, ROHAN);
  const description = "What to do.";
  const project = await createProject(api(page), {
    title: "Ferry timetable",
    startDate: dayFromToday(-30),
    tasks: [
      { title: "Harvest the old boards", description, dueDate: dayFromToday(-3) },
      { title: "Ask the skippers", description, dueDate: dayFromToday(0) },
      { title: "Print the sheet", description, dueDate: dayFromToday(60) },
      { title: "Thank everybody", description },
    ],
  });
  const { name: stranger } = await insertPerson(server, { name: "Nandini Without" });
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

  await test.step("Team: people with their projects, filter and search in the address", async () => {
    await goInApp(page, "/dashboard/team");
    const main = page.getByRole("main");
    const rowOf = (name: string) => main.getByRole("row", { name: new RegExp(name) });
    await expect(rowOf("Mitali Deshpande").getByRole("link", { name: "mitali@sangam.example" })).toHaveAttribute(
      "href",
      "mailto:mitali@sangam.example",
    );
    await expect(rowOf("Meera Rao")).toContainText("Client");
    await expect(rowOf("Meera Rao")).not.toContainText("@");
    expect(JSON.stringify(await api(page).users.team.query())).not.toContain(MEERA);

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
  });
});

test("Tasks: who has none is told what would bring them here", async ({ page, server }) => {
  const nobody = await insertPerson(server, { name: "Ila Newcomer" });
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
