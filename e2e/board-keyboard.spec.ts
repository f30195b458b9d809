import { expect, slowAnimations, test } from "./fixtures";
import { chooseByKeys, tabTo } from "./keyboard";
import { IS_LONG_FORM } from "./long-form";
import { submitLogin } from "./pages/account";
import { Board } from "./pages/board";
import { openPalette } from "./pages/palette";

const ROHAN = "rohan@sangam.example";

test("the keyboard alone: from the login to a project created, worked on, moved and left", async ({ page }) => {
  const title = "Lighthouse lamp rota";
  const keys = page.keyboard;
  await page.goto("/login");
  await submitLogin(page, ROHAN, "sangam-demo");
  const board = new Board(page);
  await expect(board.tab("To Do")).toBeVisible();

  await keys.press("n");
  const form = page.getByRole("dialog", { name: "Create New Project" });
  await expect(form.getByLabel("Title")).toBeFocused();
  await keys.type(title);
  await keys.press("Tab");
  await keys.type("Who lights which lamp.");
  await tabTo(page, () => form.getByRole("combobox", { name: "Assigned users" }));
  for (const name of ["Mitali", "Farhan"]) {
    await keys.type(name);
    await expect(page.getByRole("option", { name: new RegExp(name) })).toBeVisible();
    await keys.press("Enter");
    await expect(form.getByRole("button", { name: new RegExp(`Remove ${name}`) })).toBeVisible();
  }
  await tabTo(page, () => form.getByRole("button", { name: "Create Project" }));
  const link = board.card(title).getByRole("link", { name: title });
  await test.step("the card takes the focus, however long the dialog takes to close", async () => {
    const endSlowness = IS_LONG_FORM ? await slowAnimations(page) : undefined;
    await keys.press("Enter");
    await expect(link).toBeFocused();
    await endSlowness?.();
  });

  await keys.press("Enter");
  const panel = page.getByRole("dialog", { name: title });
  await expect(panel.getByRole("heading", { name: title })).toBeFocused();
  await tabTo(page, () => panel.getByRole("button", { name: "+ Add Task" }));
  await keys.press("Enter");
  await expect(panel.getByLabel("Title")).toBeFocused();
  await keys.type("Oil the hinges");
  await keys.press("Tab");
  await keys.type("Twice a month.");
  await tabTo(page, () => panel.getByRole("button", { name: "Add", exact: true }));
  await keys.press("Enter");
  const box = panel.getByRole("checkbox", { name: "Oil the hinges" });
  await expect(box).toBeVisible();
  await expect(panel.getByLabel("Title")).toBeFocused();
  await tabTo(page, () => box);
  await keys.press("Space");
  await expect(box).toBeChecked();
  await tabTo(page, () => panel.getByRole("button", { name: "Delete task: Oil the hinges" }));
  await keys.press("Enter");
  await expect(page.getByRole("alertdialog").getByRole("button", { name: "Cancel" })).toBeFocused();
  await keys.press("Tab");
  await keys.press("Enter");
  await expect(box).toBeHidden();
  await keys.press("Escape");
  await expect(panel).toBeHidden();
  await expect(link).toBeFocused();

  await tabTo(page, () => board.card(title).getByRole("button", { name: /More actions/ }));
  await chooseByKeys(page, "Edit Project");
  const edit = page.getByRole("dialog", { name: "Edit Project" });
  await expect(edit.getByLabel("Title")).toBeFocused();
  await keys.press("End");
  await keys.type(" 2027");
  await tabTo(page, () => edit.getByRole("button", { name: "Save Changes" }));
  await keys.press("Enter");
  await expect(board.card(`${title} 2027`)).toBeVisible();
  await expect(edit).toBeHidden();

  await board
    .card(`${title} 2027`)
    .getByRole("button", { name: /More actions/ })
    .focus();
  await chooseByKeys(page, "Completed");
  await expect(board.card(`${title} 2027`)).toBeHidden();
  await keys.press("3");
  await expect(board.card(`${title} 2027`)).toBeVisible();

  await openPalette(page);
  await keys.type("logout");
  await keys.press("Enter");
  await expect(page).toHaveURL(/\/login/);
});
