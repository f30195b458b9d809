import type { Locator } from "@playwright/test";
import { MESSAGES } from "../server/contract/messages";
import { expect, expectAccessible, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { addProject } from "./projects";
import { hold } from "./traffic";

test("a project saved as a template begins another one on another day, and is duplicated", async ({
  page,
  admin,
  consoleGuard,
}) => {
  consoleGuard.allow(/net::ERR_FAILED/);
  const source = await addProject(admin, "Quay");
  await authenticate(page, "mitali@sangam.example");
  await page.goto("/dashboard?tab=inProgress");
  const more = page.getByRole("button", { name: `More actions for ${source.title}`, exact: true });
  await more.click();
  await page.getByRole("menuitem", { name: "Save as template" }).click();
  await expect(page.getByText("Template saved")).toBeVisible();

  await page.getByRole("button", { name: "+ New Project" }).click();
  const create = page.getByRole("dialog", { name: "Create New Project" });
  await create.getByRole("combobox", { name: /^Template/ }).selectOption(source.title);
  const title = create.getByRole("textbox", { name: "Title" });
  await expect(title).toHaveValue(source.title);
  await title.fill(`${source.title} again`);
  await expectKept(title);
  await create.getByLabel("Start date").fill("2091-02-01");
  const summary = create.getByRole("region", { name: `Template ${source.title}` });
  await expect(summary.getByText("14 Mar 2091")).toBeVisible();
  await expectAccessible(page, create);
  await create.getByRole("button", { name: "Create Project" }).click();
  await expect(page.getByRole("article").filter({ hasText: `${source.title} again` })).toContainText("No Client");
  const { items } = await admin.projects.list.query({ scope: "all", q: `${source.title} again` });
  const [made] = items;
  expect(made).toMatchObject({ startDate: "2091-02-01", dueDate: "2091-03-14", clientId: null });
  const days = async (projectId = "") =>
    (await admin.tasks.list.query({ projectId })).map((task) => [task.title, task.dueDate]);
  expect(await days(made?.id)).toEqual([
    ["Read the gauges", null],
    ["Print a day sheet", "2091-03-01"],
  ]);

  await page.getByRole("tab", { name: /^In Progress/ }).click();
  await more.click();
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  const duplicate = page.getByRole("dialog", { name: "Duplicate project" });
  await expect(duplicate).toContainText("Meera Rao sees the copy at once.");
  const copy = duplicate.getByRole("textbox", { name: "Title" });
  await test.step("untouched, Back closes it, but not while the copy is being made", async () => {
    await page.goBack();
    await expect(duplicate).toBeHidden();
    await page.goForward();
    const answer = hold((route) => route.abort());
    await page.route("**/api/trpc/projects.duplicate*", answer.handler, { times: 1 });
    await duplicate.getByRole("button", { name: "Duplicate" }).click();
    await expect(duplicate.getByRole("button", { name: "Creating..." })).toBeVisible();
    // Back, and forward again by the dialog, which refuses it.
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          let steps = 0;
          window.addEventListener("popstate", () => {
            steps += 1;
            if (steps === 2) resolve();
          });
          history.back();
        }),
    );
    answer.release();
    await expect(page.getByText(MESSAGES.templates.duplicateFailed)).toBeVisible();
    await expect(duplicate).toBeVisible();
  });
  await copy.fill(`Copy of ${source.title}, smaller`);
  await expectKept(copy);
  await duplicate.getByLabel("Start date").fill("2093-02-01");
  await duplicate.getByRole("button", { name: "Duplicate" }).click();
  await expect(page.getByRole("article").filter({ hasText: `Copy of ${source.title}` })).toContainText("Meera Rao");
  const copies = await admin.projects.list.query({ scope: "all", q: `Copy of ${source.title}` });
  expect(await days(copies.items[0]?.id)).toContainEqual(["Print a day sheet", "2093-03-01"]);

  await page.getByRole("button", { name: "+ New Project" }).click();
  await create.getByRole("combobox", { name: /^Template/ }).selectOption(source.title);
  await create.getByRole("button", { name: "Delete template" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(create.getByRole("option", { name: source.title })).toHaveCount(0);
  await expect(create.getByRole("combobox", { name: /^Template/ })).toBeFocused();
  for (const { id } of [...items, ...copies.items]) await admin.projects.delete.mutate({ projectId: id });
});

/** What was typed is dropped by no Escape. */
async function expectKept(field: Locator): Promise<void> {
  const typed = await field.inputValue();
  await field.press("Escape");
  const question = field.page().getByRole("alertdialog", { name: "Discard changes?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(field).toHaveValue(typed);
}
