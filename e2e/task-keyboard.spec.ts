import { expect, slowDown, test } from "./fixtures";
import { IS_LONG_FORM } from "./long-form";
import { authenticate } from "./pages/account";
import { openPalette } from "./pages/palette";
import { addProject } from "./projects";

test("a task's page by keyboard alone: nothing is a trap, and no text goes without a question", async ({
  page,
  admin,
}) => {
  const project = await addProject(admin, "Sluice gate");
  const { key } = await admin.projects.byId.query({ projectId: project.id });
  await authenticate(page, "rohan@sangam.example");
  await page.goto(`/dashboard/inbox?panel=${project.id}`);
  // The panel takes the focus once its code has come.
  await expect(page.getByRole("heading", { level: 2, name: "Sluice gate" })).toBeFocused();
  const link = page.getByRole("link", { name: `${key}-2` });
  await link.press("Enter");
  const day = page.getByRole("dialog", { name: `${key}-2` });
  const heading = day.getByRole("heading", { level: 2 });
  await expect(heading).toBeFocused();
  // The panel is covered: nothing in it can be reached until the sheet is closed.
  await expect(page.locator('[role="dialog"][inert]')).toContainText("Sluice gate");
  await day.getByRole("button", { name: "Edit description" }).press("Enter");
  const text = day.getByRole("textbox", { name: "Description" });
  await text.pressSequentially(" Both sides.");
  await text.press("Escape");
  const question = page.getByRole("alertdialog", { name: "Discard changes?" });
  await question.getByRole("button", { name: "Keep editing" }).press("Enter");
  await expect(text).toBeFocused();
  await expect(text).toHaveValue("On one page. Both sides.");
  await text.press("Escape");
  await question.getByRole("button", { name: "Discard" }).press("Enter");
  await expect(day.getByRole("button", { name: "Edit description" })).toBeFocused();
  await day.getByRole("radio", { name: "Team" }).press("Tab");
  await expect(day.getByRole("button", { name: "Send" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(day.locator(":focus")).toHaveCount(0);
  await day.getByRole("combobox", { name: "Priority" }).press("ArrowDown");
  await page.goBack();
  await expect(link).toBeFocused();
  await expect.poll(() => admin.tasks.byKey.query({ key: `${key}-2` })).toMatchObject({ priority: "low" });
  await page.getByRole("button", { name: "Dark mode" }).focus();
  const palette = await openPalette(page);
  await palette.getByRole("combobox").fill(`${key}-2`);
  await expect(page.getByRole("option", { name: new RegExp(`${key}-2`) })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(heading).toBeFocused();
  await heading.press("Escape");
  await expect(page.getByRole("button", { name: "Dark mode" })).toBeFocused();
  await admin.tasks.create.mutate({ projectId: project.id, title: "Grease", description: "Both gates." });
  // Slowly: layers cover the panel long before they take the focus, and uncover it long after.
  if (IS_LONG_FORM) await slowDown(page, 6);
  await page.getByRole("link", { name: `${key}-3` }).press("Enter");
  await page
    .getByRole("dialog", { name: `${key}-3` })
    .getByRole("button", { name: "More actions" })
    .press("Enter");
  await page.getByRole("menuitem", { name: "Delete task" }).press("Enter");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).press("Enter");
  await expect(page.getByRole("listitem").filter({ has: link }).locator(":focus")).toHaveCount(1);
  if (IS_LONG_FORM) await slowDown(page, 1);
  await link.press("Enter");
  const comment = day.getByRole("textbox", { name: "Comment", exact: true });
  await expect(day.getByRole("button", { name: "Follow", exact: true, pressed: false })).toBeVisible();
  await day.getByRole("radio", { name: "Team" }).press("ArrowRight");
  await comment.pressSequentially("At high water");
  await comment.press("Control+Enter");
  const shown = page.getByRole("alertdialog", { name: "Show this to the client?" });
  await shown.getByRole("button", { name: "Post comment" }).press("Enter");
  // Whoever has written something follows.
  await expect(day.getByRole("button", { name: "Following", exact: true, pressed: true })).toBeVisible();
  // For whom the last comment in the project was, the next one is too, also on another task of it.
  const first = page.getByRole("link", { name: `${key}-1` });
  await page.goBack();
  await expect(link).toBeFocused();
  await first.press("Enter");
  await expect(
    page.getByRole("dialog", { name: `${key}-1` }).getByRole("radio", { name: "Client can see" }),
  ).toBeChecked();
  await page.goBack();
  await expect(first).toBeFocused();
  await link.press("Enter");
  await comment.fill("Mind the tide");
  const { id: taskId } = await admin.tasks.byKey.query({ key: `${key}-2` });
  await admin.tasks.delete.mutate({ taskId });
  await expect(page.getByRole("textbox", { name: "What you typed is still here" })).toHaveValue("Mind the tide");
});
