import { MESSAGES } from "../server/contract/messages";
import { api } from "./api";
import { expect, goInApp, slowAnimations, test } from "./fixtures";
import { tabTo } from "./keyboard";
import { IS_LONG_FORM } from "./long-form";
import { signIn } from "./pages/account";
import { openPalette } from "./pages/palette";
import { Portal } from "./pages/portal";
import { insertPerson } from "./people";
import { addProject, removeProjects } from "./projects";
import { hold } from "./traffic";

// An open project is tested in admin-projects.spec.ts, Repository Activity in activity.spec.ts, messages in chat.spec.ts,
// settings in settings.spec.ts.

const CLIENT = "meera@sangam.example";

test.afterEach(({ admin }) => removeProjects(admin));

test("what cannot be read does not look like nothing; the numbers count the cards; which projects are open stands in the address; all of it by keys alone", async ({
  page,
  admin,
  consoleGuard,
}) => {
  consoleGuard.allow(/Failed to load resource/);
  await page.route(/projects\.list|signOffs\.list|sinceLastVisit/, (route) => route.abort());
  await signIn(page, CLIENT);
  const portal = new Portal(page);
  const failureOf = (text: string | RegExp) => page.getByRole("alert").filter({ hasText: text });
  const since = failureOf("What happened since your last visit could not be loaded.");
  const approvals = failureOf("What is waiting for approval could not be loaded.");
  const projects = failureOf(new RegExp(`^${MESSAGES.general.unreachable}`));
  const failures = [since, approvals, projects];
  for (const failure of failures) await expect(failure).toBeVisible();
  await expect(portal.stat("Total Projects")).toHaveText("–");
  await page.unrouteAll({ behavior: "wait" });
  await test.step("a retry moves nothing until it is answered, and then leaves the focus with the page", async () => {
    const held = hold();
    await page.route(/sinceLastVisit/, held.handler);
    const before = await approvals.boundingBox();
    await since.getByRole("button", { name: "Retry" }).press("Enter");
    await expect(since.getByRole("button", { name: "Loading..." })).toBeFocused();
    expect(await approvals.boundingBox()).toEqual(before);
    held.release();
    await expect(since).toHaveCount(0);
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  });
  for (const failure of [approvals, projects]) {
    await failure.getByRole("button", { name: "Retry" }).click();
    await expect(failure).toHaveCount(0);
  }
  await expect(portal.project("Harbour booking portal")).toBeVisible();
  await expect(portal.stat("Total Projects")).toHaveText("3");

  await test.step("the stat cards count the cards below them, while somebody else changes them", async () => {
    const agree = async () => {
      const chips = async (status: string) =>
        String(await portal.projects.getByRole("article").filter({ hasText: status }).count());
      await expect(portal.stat("Active Projects")).toHaveText(await chips("In Progress"));
      await expect(portal.stat("Completed Projects")).toHaveText(await chips("Completed"));
      await expect(portal.stat("On Hold")).toHaveText(await chips("On Hold"));
      await expect(portal.stat("Total Projects")).toHaveText(await chips(""));
    };
    await agree();
    const { id: projectId, title } = await addProject(admin, "Counted");
    await expect(portal.project(title)).toContainText("In Progress");
    await agree();
    for (const [at, [status, label]] of (
      [
        ["on-hold", "On Hold"],
        ["completed", "Completed"],
        ["todo", "To Do"],
      ] as const
    ).entries()) {
      await admin.projects.update.mutate({ projectId, version: at + 1, patch: { status } });
      await expect(portal.project(title)).toContainText(label);
      await agree();
    }
    await admin.projects.delete.mutate({ projectId });
    await expect(portal.project(title)).toHaveCount(0);
    await agree();
  });

  // From the top of the page, without a pointer.
  await tabTo(page, () => portal.details("Harbour booking portal"));
  for (const title of ["Harbour booking portal", "Quay lighting audit"]) {
    await expect(portal.details(title)).toHaveText("Show Details");
    await portal.details(title).press("Enter");
    await expect(portal.details(title)).toHaveText("Hide Details");
    await expect(portal.details(title)).toBeFocused();
  }
  await expect(page).toHaveURL(/\/client\?open=[0-9a-f-]{36},[0-9a-f-]{36}$/);
  await page.reload();
  await expect(portal.project("Quay lighting audit")).toContainText("Outage form");
  await expect(portal.project("Harbour booking portal")).toContainText("Receipt PDF");
  await portal.details("Quay lighting audit").press("Enter");
  await expect(portal.project("Quay lighting audit")).not.toContainText("Outage form");
  await expect(page).toHaveURL(/\/client\?open=[0-9a-f-]{36}$/);

  await test.step("of two that are opened in one moment both open", async () => {
    await goInApp(page, "/client");
    const buttons = portal.details("Harbour booking portal").or(portal.details("Quay lighting audit"));
    await expect(buttons).toHaveText(["Show Details", "Show Details"]);
    await buttons.evaluateAll((all) => {
      for (const button of all) if (button instanceof HTMLElement) button.click();
    });
    await expect(buttons).toHaveText(["Hide Details", "Hide Details"]);
  });

  await test.step("a project that the address opens is scrolled to where it is far down", async () => {
    const { items } = await api(page).projects.list.query({ scope: "mine" });
    const last = items.at(-1);
    if (!last) throw new Error("the client has no project");
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto(`/client?open=${last.id}`);
    await expect(portal.project(last.title).getByRole("heading", { name: last.title })).toBeInViewport();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.evaluate(() => window.scrollTo(0, 0));
  });

  const fog = await addProject(admin, "Fog horn");
  await admin.projects.update.mutate({ projectId: fog.id, version: 1, patch: { clientCollaboration: true } });
  await test.step("a task's page is read, commented and left where one was", async () => {
    await portal.details(fog.title).press("Enter");
    const link = portal.project(fog.title).getByRole("link", { name: "Read the gauges" });
    await expect(link).toBeVisible();
    await tabTo(page, () => link);
    await page.keyboard.press("Enter");
    const task = page.getByRole("dialog", { name: /Read the gauges/ });
    await expect(task.getByRole("heading", { level: 2 })).toBeFocused();
    const comment = task.getByRole("textbox", { name: "Comment", exact: true });
    await expect(comment).toBeVisible();
    await tabTo(page, () => comment);
    await page.keyboard.type("At high tide too?");
    await page.keyboard.press("Control+Enter");
    await expect(task.getByRole("list", { name: "Comments" })).toContainText("At high tide too?");
    await page.keyboard.press("Escape");
    await expect(link).toBeFocused();
  });

  const palette = await openPalette(page);
  await palette.getByRole("combobox").fill("water");
  await expect(palette.getByRole("option", { name: /Water tanker schedule/ })).toBeVisible();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("dialog", { name: "Water tanker schedule" });
  await expect(panel).toBeVisible();
  await test.step("a palette that opens while the panel closes keeps the focus", async () => {
    const endSlowness = IS_LONG_FORM ? await slowAnimations(page) : undefined;
    await page.keyboard.press("Escape");
    await openPalette(page);
    // The palette hides the panel from roles before it is gone.
    await expect(page.locator('[role="dialog"]')).toHaveCount(1);
    await expect(palette.getByRole("combobox")).toBeFocused();
    await endSlowness?.();
  });
  await palette.getByRole("combobox").fill("messages");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Messages" })).toBeFocused();
});

test("a client of whom nothing is known yet reads sentences instead of empty lists", async ({ page, server }) => {
  await insertPerson(server, { name: "Farida Irani", email: "farida@client.example", as: "client" });
  await signIn(page, "farida@client.example");
  await expect(page.getByText(MESSAGES.projects.emptyClient, { exact: true })).toBeVisible();
  await expect(page.getByText(MESSAGES.github.noRepositories, { exact: true })).toBeVisible();
  const portal = new Portal(page);
  for (const label of ["Active Projects", "Completed Projects", "On Hold", "Total Projects"]) {
    await expect(portal.stat(label)).toHaveText("0");
  }
  await test.step("the first step is a message: choosing an admin opens it, ready to type", async () => {
    await page.getByRole("button", { name: "Write to an admin" }).click();
    await page.getByRole("option", { name: "Asha Kulkarni" }).click();
    await expect(page).toHaveURL(/\/client\/messages\?to=[0-9a-f-]{36}$/);
    await expect(page.getByRole("textbox", { name: "Message Asha Kulkarni" })).toBeFocused();
  });
  await page.getByRole("button", { name: "New Message" }).click();
  await expect(page.getByRole("option")).toHaveText([/Asha Kulkarni/, /Vikram Menon/]);
  await expect(page.getByRole("dialog").getByText(/^(Users|Clients)$/)).toHaveCount(0);

  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 360, height: 780 });
  await goInApp(page, "/client");
  await expect(page.getByRole("navigation").getByRole("listitem")).toHaveText([
    "Projects",
    "Requests",
    "Messages",
    "Settings",
  ]);
  await page.getByRole("banner").getByRole("button", { name: "Farida Irani" }).click();
  await page.getByRole("menuitem", { name: "Logout" }).click();
  await expect(page).toHaveURL(/\/login/);
});
