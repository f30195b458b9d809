import { api } from "./api";
import { expect, goInApp, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { Board } from "./pages/board";
import { openPalette } from "./pages/palette";

test("a client's board, tasks and calendar show no control that writes, and no key does; no address leads to Team", async ({
  page,
}) => {
  await authenticate(page, "meera@sangam.example");
  await page.goto("/dashboard?tab=inProgress");
  const board = new Board(page);
  await expect(board.card("Harbour booking portal")).toBeVisible();
  const links = page.getByRole("navigation", { name: "Main" }).getByRole("list").first();
  await expect(links.getByRole("link")).toHaveText([/^Tasks/, /^Projects/, /^Calendar/, /^Settings/]);
  await expect(page.getByRole("button", { name: /New|Edit|Add|Delete/ })).toHaveCount(0);
  await page.keyboard.press("n");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await board.card("Harbour booking portal").hover();
  await expect(page.locator('[draggable="true"]')).toHaveCount(0);
  await board
    .card("Harbour booking portal")
    .getByRole("button", { name: /More actions/ })
    .click();
  await expect(page.getByRole("menuitem")).toHaveText(["Open tasks", "View details", "Copy link"]);
  await page.getByRole("menuitem", { name: "Open tasks" }).click();
  const panel = page.getByRole("dialog", { name: "Harbour booking portal" });
  await expect(panel.getByText("Payment retries")).toBeVisible();
  await expect(panel.getByRole("checkbox")).toHaveCount(0);
  // The other buttons open the commits of a task.
  await expect(panel.getByRole("button").filter({ hasNotText: /^\d+ commits?$/ })).toHaveText([
    "",
    "View details",
    "Close",
  ]);
  const palette = await openPalette(page);
  await expect(palette.getByRole("option", { name: "New project" })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await test.step("no Team, and nothing to create, whatever the address says; tasks to read", async () => {
    await goInApp(page, "/dashboard/team");
    await expect(page.getByRole("heading", { level: 1, name: "Projects Board" })).toBeVisible();
    await expect(page).toHaveURL(/\/dashboard$/);
    await goInApp(page, "/dashboard?tab=completed&modal=create");
    await expect(page).toHaveURL(/\/dashboard\?tab=completed$/);
    const [shared] = (await api(page).projects.list.query({ scope: "mine" })).items;
    await goInApp(page, `/dashboard?modal=edit&project=${shared?.id}`);
    await expect(page).toHaveURL(/modal=view/);
    await expect(page.getByRole("dialog", { name: shared?.title ?? "" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Team" })).toHaveCount(0);
    await expect(api(page).users.team.query()).rejects.toMatchObject({ data: { code: "FORBIDDEN" } });
    await page.getByRole("link", { name: "Tasks", exact: true }).click();
    await expect(page.getByRole("main").getByRole("link", { name: /^HBP-1/ })).toBeVisible();
    await expect(page.getByRole("main").getByRole("checkbox")).toHaveCount(0);
  });
  await test.step("the calendar shows it and moves nothing; a phone starts with the agenda", async () => {
    await goInApp(page, "/dashboard/calendar");
    await expect(page.getByRole("grid")).toBeVisible();
    await page.setViewportSize({ width: 360, height: 780 });
    await expect(page.getByRole("grid")).toBeHidden();
    await expect(page.getByRole("button", { name: /^More actions/ })).toHaveCount(0);
    // Of sidebar and bottom bar the document has the one that is seen.
    const navigation = page.locator('nav[aria-label="Main"]');
    await expect(navigation.getByText("More", { exact: true })).toBeVisible();
    await expect(navigation).toHaveCount(1);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(navigation.getByText("Collapse")).toBeVisible();
    await expect(navigation).toHaveCount(1);
  });
  await test.step("a link and the palette lead back to the portal", async () => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Client Dashboard" }).click();
    await expect(page).toHaveURL(/\/client$/);
    await expect(page.getByRole("list", { name: "Your Projects" })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/\/dashboard/);
    await expect(page.getByRole("list", { name: "Your Projects" })).toHaveCount(0);
    await openPalette(page);
    await page.keyboard.type("client dash");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/client$/);
  });
});
