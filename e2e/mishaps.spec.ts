import { randomUUID } from "node:crypto";
import { MESSAGES } from "../server/contract/messages";
import { api } from "./api";
import { expect, expectAccessible, goInApp, test } from "./fixtures";
import { signIn } from "./pages/account";
import { Board } from "./pages/board";
import { addProject, removeProjects } from "./projects";
import { watchCalls } from "./traffic";

/* What a hurried or unlucky person would lose, were nobody careful. */

test("a double click makes one project, and a double Enter one task; whoever is taken off a project still reads what they were typing; on a phone an address that names panel and form opens both", async ({
  page,
  admin,
}) => {
  await signIn(page, "rohan@sangam.example");
  await test.step("a double click makes one project, and a double Enter one task", async () => {
    const board = new Board(page);
    const title = `Twice ${randomUUID().slice(0, 8)}`;
    await page.getByRole("button", { name: "+ New Project" }).click();
    const dialog = page.getByRole("dialog", { name: "Create New Project" });
    await dialog.getByLabel("Title").fill(title);
    await dialog.getByLabel("Description").fill("Once.");
    const created = watchCalls(page, "projects.create");
    await dialog.getByRole("button", { name: "Create Project" }).dblclick();
    await expect(dialog).toBeHidden();
    await created();
    await expect(board.card(title)).toHaveCount(1);
    const { items } = await api(page).projects.list.query({ scope: "mine" });
    const [project, ...doubles] = items.filter((item) => item.title === title);
    expect(doubles).toEqual([]);

    const panel = await board.openPanel(title);
    await panel.getByLabel("Title").fill("Only one");
    await panel.getByLabel("Description").fill("Pressed twice.");
    const added = watchCalls(page, "tasks.create");
    await panel.getByLabel("Title").press("Enter");
    await panel.getByLabel("Title").press("Enter");
    await expect(panel.getByRole("checkbox", { name: "Only one" })).toBeVisible();
    await added();
    await expect(panel.getByRole("checkbox", { name: "Only one" })).toHaveCount(1);
    expect(await api(page).tasks.list.query({ projectId: project?.id ?? "" })).toHaveLength(1);
  });
  await test.step("whoever is taken off a project still reads what they were typing, and keeps the focus", async () => {
    const project = await addProject(admin, "Taken away");
    await goInApp(page, `/dashboard?panel=${project.id}`);
    const panel = page.getByRole("dialog");
    await panel.getByRole("button", { name: "Edit task: Read the gauges" }).click();
    await panel
      .getByRole("form", { name: /Read the gauges/ })
      .or(panel)
      .getByLabel("Description")
      .last()
      .fill("Half a thought");
    await admin.projects.update.mutate({ projectId: project.id, version: 1, patch: { assignedTo: [] } });
    await expect(panel.getByRole("heading", { name: "Project not available" })).toBeVisible();
    await expect(panel.getByLabel("What you typed is still here")).toHaveValue(/Half a thought/);
    await expect(panel.getByRole("button", { name: "Close" })).toBeFocused();
  });
  await test.step("on a phone an address that names panel and form opens the form on top, and the panel after it", async () => {
    const project = await addProject(admin, "Both at once");
    await page.setViewportSize({ width: 390, height: 780 });
    await page.goto(`/dashboard?panel=${project.id}&modal=edit&project=${project.id}`);
    const form = page.getByRole("dialog", { name: "Edit Project" });
    await expect(form.getByLabel("Title", { exact: true })).toHaveValue(/Both at once/);
    await expectAccessible(page, form);
    await page.keyboard.press("Escape");
    await expect(form).toBeHidden();
    await expect(page.getByRole("dialog").getByRole("heading", { name: /Both at once/ })).toBeVisible();
  });
  await removeProjects(admin);
});

test("a tick that was not saved comes back, says so and is tried again, and what the keyboard reaches under the panel is seen through it; a menu whose code does not come says so", async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allow(/Failed to load resource/);
  await page.route("**/assets/menu-*.js", (route) => route.fulfill({ status: 404 }));
  await signIn(page, "mitali@sangam.example");
  const panel = await new Board(page).openPanel("Clinic triage assistant");
  const title = `Unlucky ${randomUUID().slice(0, 8)}`;
  await new Board(page).addTask(panel, { title, description: "Ticked off line." });
  await page.route("**/tasks.setCompleted**", (route) => route.abort());
  const box = panel.getByRole("checkbox", { name: title });
  await box.click();
  await expect(panel.getByText("Not saved")).toBeVisible();
  await expect(box).not.toBeChecked();
  await panel.getByRole("button", { name: "Retry" }).focus();
  await page.unroute("**/tasks.setCompleted**");
  await page.keyboard.press("Enter");
  await expect(box).toBeChecked();
  await expect(box).toBeFocused();

  await test.step("a wider board makes room for the panel, this one lies under it", async () => {
    await page.setViewportSize({ width: 1100, height: 800 });
    await page.getByRole("combobox", { name: "Filter projects" }).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Shift+Tab");
    await expect(page.getByRole("combobox", { name: "Filter projects" })).toBeFocused();
    await expect(panel).toHaveAttribute("data-see-through", "");
    await panel.getByRole("button", { name: "Close" }).focus();
    await expect(panel).not.toHaveAttribute("data-see-through", "");
    await expect(page.getByRole("button", { name: "Dark mode" })).toBeInViewport();
    await page.getByRole("button", { name: "+ New Project" }).click({ trial: true });
  });

  await test.step("a menu whose code does not come says so, and opens once it comes", async () => {
    const menu = page.getByRole("button", { name: /^More actions for / }).first();
    await menu.press("Enter");
    const alert = page.locator("[data-sonner-toast]");
    await expect(alert).toContainText(MESSAGES.general.unreachable);
    await page.unroute("**/assets/menu-*.js");
    await menu.press("Enter");
    await expect(page.getByRole("menu")).toBeVisible();
  });
});
