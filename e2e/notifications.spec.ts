import { api } from "./api";
import { expect, expectAccessibleEverywhere, expectAccessibleInBothThemes, goInApp, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { personId } from "./people";
import { createProject } from "./projects";

const ROHAN = "rohan@sangam.example";
const MITALI = "mitali@sangam.example";

test("the bell counts what comes in, on every open page; the inbox opens it, and what is read is read everywhere", async ({
  page,
  openContext,
  admin,
}) => {
  const rohan = await (await openContext()).newPage();
  await authenticate(rohan, ROHAN);
  await authenticate(page, MITALI);
  await api(page).notifications.markRead.mutate({ all: true });
  const mitaliId = await personId(admin, "Mitali Deshpande");
  const project = await createProject(api(rohan), { title: "Lantern room", assignedTo: [mitaliId] });
  await page.goto("/dashboard/inbox");
  const inbox = page.getByRole("list", { name: "Notifications" });
  await expect(inbox.getByRole("link", { name: /^Unread: Lantern room/ })).toBeVisible();
  const bell = page.getByRole("button", { name: "Notifications, 1 unread" });
  await expect(bell).toBeVisible();
  await expectAccessibleEverywhere(page, { within: page.getByRole("main") });

  const other = await page.context().newPage();
  await other.goto("/dashboard/tasks");
  await expect(other.getByRole("button", { name: "Notifications, 1 unread" })).toBeVisible();
  await api(rohan).tasks.create.mutate({
    projectId: project.id,
    title: "Polish the lens",
    description: "What to do.",
    assignedTo: [mitaliId],
  });
  await expect(other.getByRole("button", { name: "Notifications, 2 unread" })).toBeVisible();
  await expect(inbox.getByRole("listitem").first()).toContainText("Polish the lens");
  await expect(inbox.getByRole("listitem").first()).toContainText("Rohan Shah assigned this to you");

  await page.getByRole("button", { name: "Notifications, 2 unread" }).press("Enter");
  await expect(page.getByRole("menuitem", { name: /^Unread: Lantern room Rohan/ })).toBeVisible();
  await expectAccessibleInBothThemes(page, page.getByRole("menu"));
  await page.getByRole("menuitem", { name: /^Unread: Lantern room Rohan/ }).click();
  await expect(page).toHaveURL(new RegExp(`panel=${project.id}`));
  await expect(other.getByRole("button", { name: "Notifications, 1 unread" })).toBeVisible();
  await goInApp(page, "/dashboard/inbox");
  await page.getByRole("button", { name: "Mark all as read" }).click();
  await expect(inbox.getByRole("link", { name: /^Unread/ })).toHaveCount(0);
  await expect(other.getByRole("button", { name: "Notifications", exact: true })).toBeVisible();

  // What shows pushes is a file of the site's own root: from there it may show notifications of all pages.
  const scope = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.register("/push-worker.js");
    await registration.unregister();
    return new URL(registration.scope).pathname;
  });
  expect(scope).toBe("/");
});
