import type { Page, Response, WebSocket } from "@playwright/test";
import { MESSAGES } from "../server/contract/messages";
import { api } from "./api";
import { drawn, expect, expectAccessible, goInApp, test } from "./fixtures";
import { authenticate, authenticateAnew, DEMO_PASSWORD, openAs, signIn, submitLogin } from "./pages/account";
import { Board } from "./pages/board";
import { UsersPage } from "./pages/users";
import { insertPerson } from "./people";
import { createProject } from "./projects";
import { Traffic } from "./traffic";

// See task-editing.spec.ts.
test.describe.configure({ mode: "parallel" });

/**
 * The server's notification ends an open page sooner; without it the page would notice after 15 s. That the notification is
 * sent within 2 s is tested without a browser (server/test/session-revocation.test.ts).
 */
const SESSION_END_MS = 10_000;

test.describe("cut off while a page is just open", () => {
  test("an account that is deactivated or gets another type is signed out wherever it is open, also while its person types", async ({
    page,
    openContext,
    server,
    admin,
  }) => {
    const email = "tara@firm.example";
    const { id } = await insertPerson(server, { name: "Tara Bhide", email, as: "client" });
    await authenticate(page, "asha@sangam.example");
    const users = new UsersPage(page);
    await users.open("active");
    const theirs = await (await openContext()).newPage();
    const traffic = new Traffic(theirs);
    await test.step("another type: the client page is left, and signing in leads to the dashboard of the new type", async () => {
      await signIn(theirs, email);
      await expect(theirs.getByRole("heading", { name: "Your Projects" })).toBeVisible();
      await traffic.settled();
      await users.choose("Tara Bhide", "User");
      await page.getByRole("alertdialog").getByRole("button", { name: "Change type" }).click();
      await expect(page.getByText(MESSAGES.users.typeChanged("user"))).toBeVisible();
      await expect(theirs).toHaveURL(/\/login\?notice=signed-out/, { timeout: SESSION_END_MS });
      await expect(theirs.getByText(MESSAGES.auth.signedOut)).toBeVisible();
      await expect(theirs.getByRole("heading", { name: "Your Projects" })).toHaveCount(0);
      await expect(page.getByRole("alertdialog")).toBeHidden();
      await submitLogin(theirs, email, DEMO_PASSWORD);
      await expect(theirs).toHaveURL(/\/dashboard/);
    });
    await test.step("another type while its person types: signing in again begins anew", async () => {
      await typeProject(theirs, "Not an admin's");
      await admin.users.setType.mutate({ userId: id, accountType: "admin" });
      const again = theirs.getByRole("dialog", { name: "Sign in again" });
      await again.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
      await again.getByRole("button", { name: "Log In" }).click();
      await expect(theirs).toHaveURL(/\/admin$/);
      await expect(theirs.getByRole("dialog")).toHaveCount(0);
      await expect(theirs.getByRole("heading", { level: 1, name: "All Projects" })).toBeVisible();
    });
    await test.step("no admin any more: the admin page is left, and nothing of it stays", async () => {
      await goInApp(theirs, "/admin/users");
      await expect(theirs.getByText("asha@sangam.example")).toBeVisible();
      await traffic.settled();
      await admin.users.setType.mutate({ userId: id, accountType: "user" });
      await expect(theirs).toHaveURL(/\/login\?notice=signed-out/, { timeout: SESSION_END_MS });
      await expect(theirs.getByText("asha@sangam.example")).toHaveCount(0);
      await submitLogin(theirs, email, DEMO_PASSWORD);
      await expect(theirs).toHaveURL(/\/dashboard/);
    });
    await test.step("deactivated: the board goes to /login with the literal sentence, and Back shows nothing", async () => {
      await goInApp(theirs, "/dashboard?tab=inProgress");
      await expect(theirs.getByRole("tab", { selected: true })).toHaveText(/In Progress/);
      await traffic.settled();
      await users.choose("Tara Bhide", "Deactivate");
      await expect(page.getByRole("button", { name: "Cancel" })).toBeFocused();
      await page.getByRole("alertdialog").getByRole("button", { name: "Deactivate" }).click();
      await expect(page.getByText(MESSAGES.users.deactivated)).toBeVisible();
      await expect(theirs).toHaveURL(/\/login\?notice=rejected$/, { timeout: SESSION_END_MS });
      await expect(theirs.getByRole("alert")).toHaveText(MESSAGES.auth.refused);
      await expect(users.row("Tara Bhide")).toHaveCount(0);
      await expect(page.getByRole("alertdialog")).toBeHidden();

      for (const step of ["goBack", "goForward"] as const) {
        await theirs[step]();
        await expect(theirs).toHaveURL(/\/login/);
        await expect(theirs.getByRole("heading", { name: "Projects Board" })).toHaveCount(0);
      }
      await goInApp(theirs, "/login");
      await expect(theirs.getByRole("alert")).toHaveCount(0);
      await submitLogin(theirs, email, DEMO_PASSWORD);
      await expect(theirs.getByRole("alert")).toHaveText(MESSAGES.auth.refused);

      await page.getByRole("tab", { name: /^Rejected\/Inactive/ }).click();
      await users.choose("Tara Bhide", "Reactivate");
      await users.confirm("Reactivate");
      await expect(page.getByText(MESSAGES.users.reactivated)).toBeVisible();
      await submitLogin(theirs, email, DEMO_PASSWORD);
      await expect(theirs).toHaveURL(/\/dashboard/);
    });
    await test.step("deactivated while its person types: what was typed is not kept", async () => {
      await typeProject(theirs, "Not for long");
      await admin.users.deactivate.mutate({ userId: id });
      await expect(theirs).toHaveURL(/\/login\?notice=rejected$/, { timeout: SESSION_END_MS });
      await expect(theirs.getByRole("alert")).toHaveText(MESSAGES.auth.refused);
      await expect(theirs.getByRole("dialog")).toHaveCount(0);
    });
  });

  test("a page brought back whole by the browser stays hidden until the server has said whose it is; Logout ends the other tabs too, without a notice or a way back", async ({
    page,
    context,
    consoleGuard,
  }) => {
    consoleGuard.allow(/net::ERR_FAILED/);
    const sockets: WebSocket[] = [];
    page.on("websocket", (socket) => sockets.push(socket));
    const traffic = new Traffic(page);
    await signIn(page, "meera@sangam.example");
    const isConnected = () => sockets.length > 0 && !sockets.at(-1)?.isClosed();
    // What the browser keeps is stopped. This page would go on, and might begin a stream that it has not come to yet.
    await traffic.settled();
    expect(isConnected()).toBe(true);
    const herProject = page.getByRole("heading", { name: "Harbour booking portal", exact: true });
    const isVeiled = () => page.evaluate(() => document.documentElement.style.visibility === "hidden");
    const transition = (type: string) =>
      page.evaluate((name) => window.dispatchEvent(new PageTransitionEvent(name, { persisted: true })), type);
    // Without an answer it is loaded anew, as if it had not been kept.
    await page.route("**/api/trpc/*auth.me*", (route) => route.abort());
    const loaded = page.waitForEvent("load");
    await transition("pagehide");
    await transition("pageshow");
    await loaded;
    await page.unroute("**/api/trpc/*auth.me*");
    await expect(herProject).toBeVisible();
    await traffic.settled();
    await transition("pagehide");
    expect(await isVeiled()).toBe(true);
    // A page with an open socket would not be kept.
    await expect.poll(isConnected).toBe(false);
    const lists: Response[] = [];
    page.on("response", (response) => void (response.url().includes("projects.list") && lists.push(response)));
    await transition("pageshow");
    await expect.poll(isVeiled).toBe(false);
    await expect.poll(isConnected).toBe(true);
    await expect(page).toHaveURL(/\/client/);
    // At once, and possibly again when the stream begins after its interruption, however soon that comes.
    await expect.poll(() => lists.length).toBeGreaterThan(0);
    // Only an answer that the page has read can be asked about by its tag.
    await traffic.settled();
    const read = lists.length;
    // What has not changed meanwhile is not sent again.
    await transition("pagehide");
    await expect.poll(isConnected).toBe(false);
    await transition("pageshow");
    await expect.poll(() => lists.length).toBeGreaterThan(read);
    expect(lists[read]?.status()).toBe(304);
    await expect.poll(isConnected).toBe(true);
    await expect(herProject).toBeVisible();
    await transition("pagehide");
    await context.clearCookies();
    await transition("pageshow");
    await expect(page).toHaveURL(/\/login\?notice=signed-out/);
    await expect.poll(isVeiled).toBe(false);
    await expect(page.getByRole("heading", { name: "Your Projects" })).toHaveCount(0);
    // Who signs in next asks for the same list, by no tag of hers.
    const count = lists.length;
    await submitLogin(page, "kabir@sangam.example", DEMO_PASSWORD);
    await expect(page.getByRole("heading", { name: "Your Projects" })).toBeVisible();
    await expect.poll(() => lists.length).toBeGreaterThan(count);
    expect(lists[count]?.status()).toBe(200);
    expect(lists[count]?.request().headers()).not.toHaveProperty("if-none-match");
    await expect(herProject).toHaveCount(0);

    await test.step("by one's own Logout, in the other tabs too, without a notice, and without a way back to here", async () => {
      const other = await context.newPage();
      const theirs = new Traffic(other);
      await other.goto("/client");
      await expect(other.getByRole("heading", { name: "Your Projects" })).toBeVisible();
      await theirs.settled();
      await traffic.settled();
      await page.getByRole("button", { name: "Logout" }).first().click();
      await expect(page.getByRole("heading", { level: 1, name: "Log In" })).toBeVisible();
      expect(new URL(page.url()).search).toBe("");
      await expect(other).toHaveURL(/\/login/);
      await page.goBack();
      await expect(page.getByRole("heading", { level: 1, name: "Log In" })).toBeVisible();
    });
  });
});

test.describe("a session that ends while somebody types", () => {
  const TITLE = "Tidal gauge dashboard";

  test("is taken up again in place, whoever notices it first: the form is as it was and can be sent, and live changes go on", async ({
    page,
    openContext,
  }) => {
    const traffic = new Traffic(page);
    await openAs(page, { email: "mitali@sangam.example" });
    const create = await typeProject(page, TITLE);
    await loseSession(page, traffic);
    await create.getByRole("button", { name: "Create Project" }).click();
    const again = page.getByRole("dialog", { name: "Sign in again" });
    await expect(again).toContainText(MESSAGES.auth.signInAgain);
    await expect(again.getByLabel("Email")).toHaveValue("mitali@sangam.example");
    await expect(again.getByLabel("Email")).not.toBeEditable();
    await expect(again.getByLabel("Password", { exact: true })).toBeFocused();
    await expectAccessible(page, again);
    await page.keyboard.press("Escape");
    await expect(again).toBeVisible();
    await again.getByRole("button", { name: "Log In" }).click();
    await expect(again.getByText(MESSAGES.auth.passwordRequired)).toBeVisible();
    await again.getByLabel("Password", { exact: true }).fill("wrong");
    await again.getByRole("button", { name: "Log In" }).click();
    await expect(again.getByRole("alert")).toHaveText(MESSAGES.auth.signInFailed);
    await again.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
    await again.getByRole("button", { name: "Log In" }).click();
    await expect(again).toBeHidden();
    await expect(create.getByLabel("Title")).toHaveValue(TITLE);
    await expect(create.getByLabel("Description")).toHaveValue("Readings every ten minutes.");
    await expect(page.getByText("Discard changes?")).toHaveCount(0);
    await expect(page.locator("[data-sonner-toast]")).toHaveCount(0);
    // The focus returns to where it was before the question.
    await expect(create.getByLabel("Description")).toBeFocused();
    await create.getByRole("button", { name: "Create Project" }).click();
    await expect(create).toBeHidden();
    await expect(page.getByRole("heading", { name: TITLE })).toBeVisible();

    await test.step("also when the open page notices it first; live changes go on afterwards", async () => {
      await typeProject(page, "Slipway ledger");
      const elsewhere = await (await openContext()).newPage();
      await authenticateAnew(elsewhere, "mitali@sangam.example");
      await api(elsewhere).auth.revokeOtherSessions.mutate();
      await expect(again).toBeVisible({ timeout: SESSION_END_MS });
      await again.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
      await page.keyboard.press("Enter");
      await expect(again).toBeHidden();
      await expect(create.getByLabel("Title")).toHaveValue("Slipway ledger");
      await create.getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Discard" }).click();
      await expect(create).toBeHidden();
      await createProject(api(elsewhere), { title: "Made in the other browser" });
      await expect(page.getByRole("heading", { name: "Made in the other browser" })).toBeVisible();
    });
  });

  test("is taken up again in place wherever its person types, and how they sign in again", async ({
    page,
    context,
    openContext,
  }) => {
    const traffic = new Traffic(page);
    await openAs(page, { email: "rohan@sangam.example", path: "/dashboard?tab=inProgress" });
    const board = new Board(page);
    const panel = await board.openPanel("Harbour booking portal");
    await test.step("over the tasks panel, which stays open beside the board", async () => {
      await panel.getByLabel("Title").fill("Check the tide table");
      await panel.getByLabel("Description").fill("Against last year's.");
      await loseSession(page, traffic);
      await panel.getByRole("button", { name: "Add", exact: true }).click();
      const again = page.getByRole("dialog", { name: "Sign in again" });
      await expect(again).toBeVisible();
      // With the focus lost, the second Escape without a click in between closes any native dialog.
      await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
      await page.keyboard.press("3");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await drawn(page);
      await expect(again).toBeVisible();
      await expect(page).toHaveURL(/tab=inProgress/);
      await again.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
      await again.getByRole("button", { name: "Log In" }).click();
      await expect(again).toBeHidden();
      await expect(panel.getByLabel("Title")).toHaveValue("Check the tide table");
      await panel.getByRole("button", { name: "Add", exact: true }).click();
      await expect(panel.getByRole("checkbox", { name: "Check the tide table" })).toBeVisible();
    });
    await test.step("a refused form is kept although another one has been saved meanwhile", async () => {
      const add = panel.getByRole("form", { name: "Add a task" });
      await board.addTask(panel, { title: "Print the chart", description: "In colour." });
      await panel.getByRole("button", { name: "Edit task: Print the chart" }).click();
      const edit = panel.getByRole("form", { name: "Edit task: Print the chart" });
      let release = (): void => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route("**/api/trpc/tasks.update*", async (route) => {
        await released;
        await route.continue();
      });
      await edit.getByLabel("Description").fill("In black and white.");
      await edit.getByRole("button", { name: "Save" }).click();
      await add.getByLabel("Title").fill("Frame the chart");
      await add.getByRole("button", { name: "Add", exact: true }).click();
      await expect(add.getByRole("alert")).toHaveText(MESSAGES.tasks.required);
      release();
      await expect(edit).toBeHidden();
      const elsewhere = await (await openContext()).newPage();
      await authenticateAnew(elsewhere, "rohan@sangam.example");
      await api(elsewhere).auth.revokeOtherSessions.mutate();
      const again = page.getByRole("dialog", { name: "Sign in again" });
      await expect(again).toBeVisible({ timeout: SESSION_END_MS });
      await again.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
      await again.getByRole("button", { name: "Log In" }).click();
      await expect(again).toBeHidden();
      await expect(add.getByLabel("Title")).toHaveValue("Frame the chart");
    });
    // Another document, as in the app the words in the panel would be asked about.
    await page.goto("/dashboard");
    const create = await typeProject(page, "Harbour map");
    await test.step("it goes on by itself when its person signs in in another tab", async () => {
      await loseSession(page, traffic);
      await create.getByRole("button", { name: "Create Project" }).click();
      const again = page.getByRole("dialog", { name: "Sign in again" });
      const opened = context.waitForEvent("page");
      await again.getByRole("link", { name: "a new tab" }).click();
      const tab = await opened;
      await submitLogin(tab, "rohan@sangam.example", DEMO_PASSWORD);
      await expect(tab).toHaveURL(/\/dashboard/);
      await expect(again).toBeHidden();
      await expect(create.getByLabel("Title")).toHaveValue("Harbour map");
      await tab.close();
    });
    await test.step("Cancel leads to /login, past every question, and back for the same person", async () => {
      await create.getByLabel("Title").fill("Pier survey");
      await loseSession(page, traffic);
      await create.getByRole("button", { name: "Create Project" }).click();
      await page.getByRole("dialog", { name: "Sign in again" }).getByRole("button", { name: "Cancel" }).click();
      await expect(page).toHaveURL(/\/login\?notice=signed-out/);
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await submitLogin(page, "rohan@sangam.example", DEMO_PASSWORD);
      await expect(page).toHaveURL(/modal=create/);
      await expect(page.getByRole("dialog").getByLabel("Title")).toHaveValue("Pier survey");
    });
  });
});

/** Fills the form of a new project, in an open page, and does not submit it. */
async function typeProject(page: Page, title: string) {
  await goInApp(page, "/dashboard?modal=create");
  const dialog = page.getByRole("dialog", { name: "Create New Project" });
  await dialog.getByLabel("Title").fill(title);
  await dialog.getByLabel("Description").fill("Readings every ten minutes.");
  return dialog;
}

/** The page has nothing left to ask, and so learns of it by the next press. */
async function loseSession(page: Page, traffic: Traffic): Promise<void> {
  await traffic.settled();
  await page.context().clearCookies();
}
