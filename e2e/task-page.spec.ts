import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { addProject } from "./projects";

test("a task's page: each field is edited by itself and live, a conflict asks, and nothing typed is lost", async ({
  page,
  openContext,
  consoleGuard,
  admin,
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
    await sheet.getByRole("combobox", { name: "Status" }).selectOption("inProgress");
    await sheet.getByRole("combobox", { name: "Priority" }).selectOption("urgent");
    await sheet.getByLabel("Due date", { exact: true }).fill("2090-02-20");
    await expect(theirs.getByRole("combobox", { name: "Status" })).toHaveValue("inProgress");
    await expect(theirs.getByRole("combobox", { name: "Priority" })).toHaveValue("urgent");
    await expect(theirs.getByLabel("Due date", { exact: true })).toHaveValue("2090-02-20");
    await sheet.getByRole("button", { name: "Edit description" }).click();
    await sheet.getByRole("textbox", { name: "Description" }).fill("**Both** of them.");
    await sheet.getByRole("textbox", { name: "Description" }).press("Control+Enter");
    await expect(theirs.locator("strong", { hasText: "Both" })).toBeVisible();
  });

  await test.step("a checklist is written item by item, and quick ticks are all kept", async () => {
    const item = sheet.getByRole("textbox", { name: "Add an item" });
    for (const text of ["Upper gate", "Lower gate"]) {
      await item.fill(text);
      await item.press("Enter");
      await expect(sheet.getByRole("checkbox", { name: text, exact: true })).toBeVisible();
    }
    const upper = sheet.getByRole("checkbox", { name: "Upper gate", exact: true });
    await upper.click();
    await upper.click();
    await sheet.getByRole("checkbox", { name: "Lower gate", exact: true }).click();
    await expect(theirs.getByRole("checkbox", { name: "Lower gate", exact: true })).toBeChecked();
    await expect(theirs.getByRole("checkbox", { name: "Upper gate", exact: true })).not.toBeChecked();
    await expect
      .poll(async () => (await now()).checklist.map(({ text, done }) => `${text} ${done}`))
      .toEqual(["Upper gate false", "Lower gate true"]);
    await expectAccessible(page);
  });

  await test.step("a save that finds no server keeps the text and can be repeated", async () => {
    await page.route("**/api/trpc/tasks.update*", (route) => route.abort());
    await title.fill("Read three gauges");
    await title.press("Enter");
    await expect(sheet.getByText(/Not saved/)).toBeVisible();
    await expect(title).toHaveValue("Read three gauges");
    await page.unroute("**/api/trpc/tasks.update*");
    await sheet.getByRole("button", { name: /Retry/ }).click();
    await expect(theirs.getByRole("textbox", { name: "Title" })).toHaveValue("Read three gauges");
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
  });

  await test.step("closed, it leaves the page as it was; the client reads it without a field to change", async () => {
    await sheet.getByRole("button", { name: "Close" }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await authenticate(other, "meera@sangam.example");
    await other.setViewportSize({ width: 360, height: 780 });
    await other.goto(`/task/${key}-1`);
    await expect(other).toHaveURL(new RegExp(`/client\\?task=${key}-1$`));
    await expect(theirs).toContainText("Both of them.");
    await expect(theirs.getByRole("textbox").or(theirs.getByRole("combobox"))).toHaveCount(0);
    expect(await theirs.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    await expectAccessible(other);
  });
});

function sheetOf(page: Page) {
  return page.getByRole("dialog");
}
