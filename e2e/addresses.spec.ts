import { expect, goInApp, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { startConversation } from "./pages/chat";
import { openPalette } from "./pages/palette";

const ASHA = "asha@sangam.example";
const ROHAN = "rohan@sangam.example";
const MEERA = "meera@sangam.example";

test("addresses of earlier releases lead to the pages of today, with the rest of the search, and Back passes them by", async ({
  page,
}) => {
  await authenticate(page, ROHAN);
  await page.goto("/dashboard?tab=completed");
  await expect(page.getByRole("heading", { level: 1, name: "Projects Board" })).toBeVisible();
  await page.goto("/dashboard?view=team&q=mit&tab=completed");
  await expect(page).toHaveURL(/\/dashboard\/team\?q=mit&tab=completed$/);
  await expect(page.getByRole("heading", { level: 1, name: "Team" })).toBeVisible();
  await expect(page.getByRole("searchbox")).toHaveValue("mit");
  await page.goBack();
  await expect(page).toHaveURL(/\/dashboard\?tab=completed$/);

  const conversationId = await startConversation(page, "Asha Kulkarni", "An old address leads here");
  await goInApp(page, `/dashboard?view=messages&c=${conversationId}`);
  await expect(page).toHaveURL(new RegExp(`/dashboard/messages/${conversationId}$`));
  await expect(page.getByRole("region", { name: /^Messages with / })).toContainText("An old address leads here");
  await goInApp(page, "/dashboard?view=messages&c=<script>");
  await expect(page).toHaveURL(/\/dashboard\/messages$/);
  await expect(page.getByRole("heading", { level: 1, name: "Messages" })).toBeVisible();
});

test("old addresses of /admin and /client, of another role's pages, and ids that are none, lead where their pages do", async ({
  page,
  openContext,
}) => {
  await authenticate(page, ASHA);
  await page.goto("/admin?section=users&users=pending");
  await expect(page).toHaveURL(/\/admin\/users\?users=pending$/);
  await expect(page.getByRole("tab", { name: /^Pending/, selected: true })).toBeVisible();
  await test.step("a tab chosen beside an open panel: Back does not open the panel again once it is closed", async () => {
    const panel = page.getByRole("dialog", { name: "Harbour booking portal" });
    const palette = await openPalette(page);
    await palette.getByRole("combobox").fill("Harbour");
    await page
      .getByRole("option", { name: /^Harbour booking portal/ })
      .first()
      .click();
    await expect(panel).toBeVisible();
    await page.getByRole("tab", { name: /^Active/ }).click();
    await expect(page).toHaveURL(/users=active/);
    await panel.getByRole("button", { name: "Close" }).click();
    await expect(page).toHaveURL(/\/admin\/users\?users=active$/);
    await page.goBack();
    await expect(page).not.toHaveURL(/panel=/);
    await expect(panel).toHaveCount(0);
  });
  // Back may have left the app.
  await page.goto("/admin?section=client-view");
  await expect(page).toHaveURL(/\/admin\/clients$/);
  await expect(page.getByRole("heading", { level: 1, name: "See as a client" })).toBeVisible();
  await goInApp(page, "/admin?section=settings#repository-token");
  await expect(page).toHaveURL(/\/admin\/settings#repository-token$/);
  await expect(page.getByRole("heading", { name: "Repository token" })).toBeFocused();

  await goInApp(page, `/admin/clients/${crypto.randomUUID()}`);
  await expect(page.getByRole("heading", { level: 1, name: "Client not found" })).toBeVisible();

  const client = await (await openContext()).newPage();
  await authenticate(client, MEERA);
  await client.goto("/client?section=settings");
  await expect(client).toHaveURL(/\/client\/settings$/);
  await goInApp(client, "/dashboard?view=team&tab=completed");
  await expect(client).toHaveURL(/\/dashboard\?tab=completed$/);
  await expect(client.getByRole("heading", { level: 1, name: "Projects Board" })).toBeVisible();
});

test("the panel opens over any page by its address, and moving between pages keeps the frame", async ({ page }) => {
  await authenticate(page, ROHAN);
  await page.goto("/dashboard");
  const card = page.getByRole("article").first();
  const title = (await card.getByRole("heading").textContent()) ?? "";
  await card.getByRole("link").first().click();
  await expect(page.getByRole("dialog", { name: title })).toBeVisible();
  const panel = new URL(page.url()).searchParams.get("panel");
  for (const path of ["/dashboard/team", "/dashboard/messages", "/dashboard/settings"]) {
    if (path === "/dashboard/team") await page.goto(`${path}?panel=${panel}`);
    else await goInApp(page, `${path}?panel=${panel}`);
    await expect(page.getByRole("dialog", { name: title })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page).toHaveURL(new RegExp(`${path}$`));
  }
  // The same element as before: neither the sidebar nor the streams begin anew with a page.
  const frame = await page.getByRole("navigation", { name: "Main" }).elementHandle();
  for (const name of ["Tasks", "Team", "Calendar", "Projects"]) {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(name === "Projects" ? "Projects Board" : name);
  }
  expect(await frame?.evaluate((element) => element.isConnected)).toBe(true);
});

test("paths that are no page answer 404", async ({ request }) => {
  const id = crypto.randomUUID();
  for (const [path, status] of [
    ["/dashboard/team", 200],
    [`/client/messages/${id}`, 200],
    ["/admin/clients/", 200],
    ["/dashboard/teams", 404],
    ["/dashboard/messages/<b>", 404],
    [`/admin/users/${id}`, 404],
    ["/client/team", 404],
  ] as const) {
    expect((await request.get(path)).status(), path).toBe(status);
  }
});
