import { expect, test } from "./fixtures";
import { authenticate, signIn } from "./pages/account";
import { Board } from "./pages/board";

test("an open board survives kill -9 of the server: it says so, catches up, and follows again without a reload", async ({
  page,
  openContext,
  server,
  consoleGuard,
}) => {
  consoleGuard.allow(/Failed to load resource|WebSocket connection/);
  const other = await (await openContext()).newPage();
  await signIn(page, "rohan@sangam.example");
  await authenticate(other, "mitali@sangam.example");
  await page.evaluate(() => {
    document.body.dataset.neverReloaded = "yes";
  });
  const title = "Kartavya geofence tuning";
  const panel = await new Board(page).openPanel(title);
  await expect(panel.getByRole("checkbox", { name: "Field test at two campuses" })).not.toBeChecked();

  await server.kill();
  await expect(page.getByRole("status").filter({ hasText: "Reconnecting" })).toBeVisible();
  await server.start();

  // The first browser may still be disconnected: it has to catch up on its own.
  await other.goto("/dashboard");
  const othersPanel = await new Board(other).openPanel(title);
  await othersPanel.getByRole("checkbox", { name: "Field test at two campuses" }).check();
  await expect(panel.getByRole("checkbox", { name: "Field test at two campuses" })).toBeChecked({ timeout: 45_000 });
  await expect(page.getByRole("status").filter({ hasText: "Reconnecting" })).toBeHidden();

  await othersPanel.getByRole("checkbox", { name: "Field test at two campuses" }).uncheck();
  await expect(panel.getByRole("checkbox", { name: "Field test at two campuses" })).not.toBeChecked();
  expect(await page.evaluate(() => document.body.dataset.neverReloaded)).toBe("yes");
});

test("a tab of a version that is gone says so when a piece of it is missing, and what was typed is there after a reload", async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allow(/Failed to load resource|dynamically imported module|error occurred|Error/);
  // From the beginning: an idle page fetches what may be opened next.
  await page.route("**/assets/palette-*.js", (route) => route.fulfill({ status: 404, body: "Not found" }));
  await signIn(page, "rohan@sangam.example");
  await new Board(page).openPanel("Kartavya geofence tuning");
  const title = () => page.getByRole("form", { name: "Add a task" }).getByRole("textbox", { name: "Title" });
  await title().fill("Half a thought");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("alert").getByText("a newer version of the app has just been installed")).toBeVisible();
  await page.unroute("**/assets/palette-*.js");
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(title()).toHaveValue("Half a thought");
});
