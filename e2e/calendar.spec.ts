import { MESSAGES } from "../server/contract/messages";
import { api } from "./api";
import { expect, expectAccessible, goInApp, test } from "./fixtures";
import { LONG_ONLY } from "./long-form";
import { authenticate } from "./pages/account";
import { DashboardPages } from "./pages/dashboard";
import { personId } from "./people";
import { createProject } from "./projects";

const ROHAN = "rohan@sangam.example";
const MITALI = "mitali@sangam.example";
/** Far from the demo's dates. */
const MONTH = "2031-07";

test("shows due dates, keeps its month over a reload, and a drag that another browser sees; the keyboard walks over days and months, opens a day, and moves what is due", async ({
  page,
  openContext,
  admin,
}) => {
  const pages = new DashboardPages(page);
  await authenticate(page, ROHAN);
  await createProject(api(page), {
    title: "Lighthouse paint",
    startDate: `${MONTH}-07`,
    dueDate: `${MONTH}-25`,
    assignedTo: [await personId(admin, "Mitali Deshpande")],
    tasks: [{ title: "Scrape the gallery", description: "What to do.", dueDate: `${MONTH}-15` }],
  });
  await pages.open("calendar", `?month=${MONTH}`);
  await expect(page.getByRole("heading", { name: "July 2031" })).toBeVisible();
  await expect(pages.cell(`${MONTH}-25`)).toContainText("Lighthouse paint");
  await page.getByRole("button", { name: "Next month" }).click();
  await expect(page.getByRole("heading", { name: "August 2031" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "August 2031" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "July 2031" })).toBeVisible();

  const other = await (await openContext()).newPage();
  const others = new DashboardPages(other);
  await authenticate(other, MITALI);
  await others.open("calendar", `?month=${MONTH}`);
  await expect(others.cell(`${MONTH}-15`)).toContainText("Scrape the gallery");

  await pages.drag("Scrape the gallery", `${MONTH}-17`);
  await expect(pages.cell(`${MONTH}-17`)).toContainText("Scrape the gallery");
  await expect(others.cell(`${MONTH}-17`)).toContainText("Scrape the gallery");
  await pages.drag("Lighthouse paint", `${MONTH}-23`);
  await expect(others.cell(`${MONTH}-23`)).toContainText("Lighthouse paint");
  await pages.drag("Lighthouse paint", `${MONTH}-24`);
  await expect(others.cell(`${MONTH}-24`)).toContainText("Lighthouse paint");

  await test.step("a refused drag goes back, and the server's words say why", async () => {
    await pages.drag("Lighthouse paint", `${MONTH}-02`);
    await expect(page.getByText(MESSAGES.projects.updateFailed)).toBeVisible();
    await expect(page.getByText(MESSAGES.projects.dueBeforeStart)).toBeVisible();
    await expect(pages.cell(`${MONTH}-24`)).toContainText("Lighthouse paint");
    await expect(pages.cell(`${MONTH}-02`)).not.toContainText("Lighthouse paint");
  });

  await test.step("by the keyboard", async () => {
    const titles = ["Count the reds", "Count the greens", "Chain list", "Paint order", "Mark the chart"];
    const register = await createProject(api(page), {
      title: "Buoy register",
      startDate: "2032-03-10",
      tasks: titles.map((title) => ({ title, description: "What to do.", dueDate: "2032-03-17" })),
    });
    await goInApp(page, "/dashboard/calendar?month=2032-03");
    await expect(pages.cell("2032-03-17")).toContainText("+2 more");
    await pages.cell("2032-03-01").focus();
    for (const [key, day] of [
      ["ArrowDown", "2032-03-08"],
      ["End", "2032-03-14"],
      ["Home", "2032-03-08"],
      ["PageDown", "2032-04-08"],
      ["PageDown", "2032-05-08"],
      ["PageUp", "2032-04-08"],
      ["Shift+PageUp", "2031-04-08"],
      ["Shift+PageDown", "2032-04-08"],
      ["PageUp", "2032-03-08"],
      ["ArrowDown", "2032-03-15"],
      ["ArrowRight", "2032-03-16"],
      ["ArrowRight", "2032-03-17"],
    ] as const) {
      await page.keyboard.press(key);
      await expect(pages.cell(day)).toBeFocused();
    }
    await page.keyboard.press("Enter");
    const list = page.getByRole("dialog", { name: "Wednesday, 17 March 2032" });
    await expect(list.getByRole("listitem")).toHaveCount(5);
    await expectAccessible(page, list);
    await list.getByRole("button", { name: "More actions for Chain list" }).press("Enter");
    await page.getByRole("menuitem", { name: "Move due date…" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Move due date" });
    await dialog.getByRole("textbox", { name: "Due date" }).fill("2032-03-18");
    await dialog.getByRole("textbox", { name: "Due date" }).press("Enter");
    await expect(dialog).toBeHidden();
    await expect(list.getByRole("listitem")).toHaveCount(4);
    await page.keyboard.press("Escape");
    await expect(pages.cell("2032-03-17")).toBeFocused();
    await expect(pages.cell("2032-03-18")).toContainText("Chain list");

    await test.step("a link of the day opens its task; closed, it gives the focus to the day", async () => {
      await page.keyboard.press("Enter");
      await list.getByRole("link", { name: /^Paint order/ }).press("Enter");
      const taskPage = page.getByRole("dialog", { name: /Paint order/ });
      await expect(taskPage.getByRole("button", { name: "Project Buoy register" })).toBeVisible();
      await expect(list).toBeHidden();
      await taskPage.getByRole("button", { name: "Close" }).press("Enter");
      await expect(pages.cell("2032-03-17")).toBeFocused();
    });

    await test.step("in the agenda a project cannot be due before it starts", async () => {
      await api(page).projects.update.mutate({
        projectId: register.id,
        version: register.version,
        patch: { dueDate: "2032-03-30" },
      });
      await page.getByRole("button", { name: "Agenda" }).click();
      await page.getByRole("button", { name: "More actions for Buoy register" }).click();
      await page.getByRole("menuitem", { name: "Move due date…" }).click();
      await dialog.getByRole("textbox", { name: "Due date" }).fill("2032-03-09");
      await dialog.getByRole("button", { name: "Move" }).click();
      await expect(dialog.getByText(MESSAGES.projects.dueBeforeStart)).toBeVisible();
      const { version } = await api(page).projects.byId.query({ projectId: register.id });
      const patch = { dueDate: "2032-03-28" };
      await api(page).projects.update.mutate({ projectId: register.id, version, patch });
      await expect(dialog.getByText("Someone has moved it to 28 Mar 2032.")).toBeVisible();
      await dialog.getByRole("textbox", { name: "Due date" }).fill("2032-03-29");
      await dialog.getByRole("button", { name: "Move" }).click();
      await expect(page.getByRole("region", { name: "Monday, 29 March 2032" })).toContainText("Buoy register");
      await expect(page.getByRole("button", { name: "More actions for Buoy register" })).toBeFocused();
    });
  });
});

for (const timezoneId of ["Pacific/Honolulu", "Pacific/Kiritimati"]) {
  // All other tests are east of Greenwich too.
  const tag = timezoneId === "Pacific/Kiritimati" ? LONG_ONLY : [];
  test.describe(`read in ${timezoneId}`, { tag }, () => {
    test.use({ timezoneId });

    test("a stored day is the same day in calendar, panel, card, dialog and form", async ({ page }) => {
      const pages = new DashboardPages(page);
      await authenticate(page, ROHAN);
      const title = `Tide gauge of ${timezoneId.replace("Pacific/", "")}`;
      const project = await createProject(api(page), {
        title,
        startDate: "2033-05-01",
        dueDate: "2033-05-31",
      });
      await api(page).tasks.create.mutate({
        projectId: project.id,
        description: "What to do.",
        title: "Read it twice",
        dueDate: "2033-06-01",
      });
      await pages.open("calendar", "?month=2033-05");
      await expect(pages.cell("2033-05-31")).toContainText(title);
      await expect(pages.cell("2033-06-01")).toContainText("Read it twice");
      await expect(pages.cell("2033-05-31")).toContainText("Tuesday, 31 May 2033");
      await pages.cell("2033-05-31").getByRole("link", { name: title }).click();
      await expect(page.getByRole("dialog", { name: title })).toContainText("1 Jun 2033");
      await goInApp(page, `/dashboard?modal=view&project=${project.id}`);
      // The panel of the same name closes meanwhile.
      const dialog = page.getByRole("dialog", { name: title }).filter({ hasText: "Project Tasks" });
      await expect(dialog).toContainText("31 May 2033");
      await expect(dialog).toContainText("1 May 2033");
      await dialog.getByRole("button", { name: "Edit Project" }).click();
      await expect(page.getByRole("textbox", { name: /^Due date/ }).first()).toHaveValue("2033-05-31");
      await expect(page.getByRole("textbox", { name: /^Start date/ })).toHaveValue("2033-05-01");
      await goInApp(page, "/dashboard");
      await expect(page.getByRole("article").filter({ hasText: title })).toContainText("31 May 2033");
    });
  });
}
