import type { Page } from "@playwright/test";
import { expect, expectAccessibleInBothThemes, pressWhile, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { expectSheetAccessible, sheetOf } from "./pages/task-sheet";
import { addProject } from "./projects";
import { hold } from "./traffic";

test("a task's checklist is written item by item and live: quick ticks, long texts and items that go meanwhile are all kept", async ({
  page,
  openContext,
  admin,
}) => {
  const project = await addProject(admin, "Lock gate");
  const { key } = await admin.projects.byId.query({ projectId: project.id });
  const now = () => admin.tasks.byKey.query({ key: `${key}-1` });
  const other = await openContext().then((context) => context.newPage());
  await authenticate(page, "rohan@sangam.example");
  await authenticate(other, "mitali@sangam.example");
  await page.goto(`/dashboard/inbox?task=${key}-1`);
  await other.goto(`/dashboard/inbox?task=${key}-1`);
  const [sheet, theirs] = [sheetOf(page), sheetOf(other)];

  await test.step("a checklist is written item by item, and quick ticks are all kept", async () => {
    const item = sheet.getByRole("textbox", { name: "Add an item" });
    const complaint = sheet.getByText("Item may have at most 200 characters.");
    // An emoji counts once.
    const longest = "🌊".repeat(200);
    await item.focus();
    await page.keyboard.insertText(`${longest}!`);
    await item.press("Enter");
    await expect(complaint).toBeVisible();
    await expect(item).toHaveValue(`${longest}!`);
    await item.dispatchEvent("keydown", { key: "Escape", isComposing: true });
    await expect(item).toHaveValue(`${longest}!`);
    await expectAccessibleInBothThemes(page, sheet.getByRole("region", { name: "Checklist" }));
    await item.press("Backspace");
    await expect(complaint).toHaveCount(0);
    // The page learns of the answer only after the save has ended, and draws the item as before in between.
    const held = hold();
    await page.route("**/api/trpc/tasks.update*", held.handler, { times: 1 });
    const showInTime = await showAnswersLate(page);
    const saved = page.waitForResponse("**/api/trpc/tasks.update*");
    await item.press("Enter");
    const long = sheet.getByRole("textbox", { name: `Text of ${longest}` });
    await long.press("Control+End");
    await page.keyboard.insertText("!");
    held.release();
    await (await saved).finished();
    await showInTime();
    await long.press("Enter");
    await expect(complaint).toBeVisible();
    await expect(long).toHaveValue(`${longest}!`);
    await sheet.getByRole("button", { name: `Remove item: ${longest}` }).click();
    await expect(long).toHaveCount(0);
    await expect(item).toHaveValue("");
    for (const text of ["Upper gate", "Lower gate"]) {
      await item.fill(text);
      // The last key of an input method in Safari, where the composition has ended before it.
      await item.dispatchEvent("keydown", { key: "Enter", keyCode: 229 });
      await expect(item).toHaveValue(text);
      await item.press("Enter");
      await expect(sheet.getByRole("checkbox", { name: text, exact: true })).toBeVisible();
    }
    const upper = sheet.getByRole("checkbox", { name: "Upper gate", exact: true });
    // The second press comes before anything else has run.
    await upper.evaluate((box: HTMLInputElement) => {
      box.click();
      box.click();
    });
    await sheet.getByRole("checkbox", { name: "Lower gate", exact: true }).click();
    await expect(theirs.getByRole("checkbox", { name: "Lower gate", exact: true })).toBeChecked();
    await expect(theirs.getByRole("checkbox", { name: "Upper gate", exact: true })).not.toBeChecked();
    await expect
      .poll(async () => (await now()).checklist.map(({ text, done }) => `${text} ${done}`))
      .toEqual(["Upper gate false", "Lower gate true"]);
    await expectSheetAccessible(page);
  });

  await test.step("a press that leaves a typed item saves it, and nothing moves away from under the press", async () => {
    await sheet.getByRole("textbox", { name: "Add an item" }).fill("Spare key");
    const chooser = page.waitForEvent("filechooser");
    await pressWhile(sheet.getByRole("button", { name: "Attach files" }).first(), () =>
      expect.poll(async () => (await now()).checklist.length).toBe(3),
    );
    await chooser;
    await expect(sheet.getByRole("checkbox", { name: "Spare key", exact: true })).toBeVisible();
    // One press that also ticks what was typed in, and one that also removes what was emptied.
    await sheet.getByRole("textbox", { name: "Text of Spare key" }).fill("Spare key, oiled");
    await sheet.getByRole("checkbox", { name: "Spare key", exact: true }).click();
    await expect
      .poll(async () => (await now()).checklist.at(-1))
      .toMatchObject({ text: "Spare key, oiled", done: true });
    await sheet.getByRole("textbox", { name: "Text of Spare key, oiled" }).fill("");
    await sheet.getByRole("button", { name: /^Remove item: Spare key/ }).click();
    await expect.poll(async () => (await now()).checklist.length).toBe(2);
    await expect(sheet.getByRole("checkbox", { name: /Spare key/ })).toHaveCount(0);
  });

  await test.step("words typed into an item that somebody else removes go on in the line for a new one", async () => {
    await sheet.getByRole("textbox", { name: "Text of Upper gate" }).fill("Upper gate, painted");
    await theirs.getByRole("button", { name: "Remove item: Upper gate" }).click();
    const line = sheet.getByRole("textbox", { name: "Add an item" });
    await expect(line).toHaveValue("Upper gate, painted");
    await expect(line).toBeFocused();
    await line.press("Enter");
    await expect(theirs.getByRole("checkbox", { name: "Upper gate, painted" })).toBeVisible();
  });
});

/** As on a busy machine: the page learns half a second late what the query cache holds, until the returned function has waited for that. */
async function showAnswersLate(page: Page): Promise<() => Promise<unknown>> {
  const inTime = await page.evaluateHandle(() => {
    const { setTimeout } = window;
    Object.assign(window, { setTimeout: (run: () => void, ms?: number) => setTimeout(run, ms || 500) });
    return setTimeout;
  });
  return () =>
    inTime.evaluate(async (setTimeout) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      Object.assign(window, { setTimeout });
    });
}
