import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Request } from "@playwright/test";
import { MESSAGES } from "../server/contract/messages";
import { api } from "./api";
import {
  expect,
  expectAccessible,
  expectAccessibleEverywhere,
  expectAccessibleInBothThemes,
  expectFits,
  goInApp,
  test,
} from "./fixtures";
import { tabTo } from "./keyboard";
import { linkIn, mailsTo, waitForMail } from "./mail";
import { authenticate, DEMO_PASSWORD, submitLogin } from "./pages/account";
import { AllProjects } from "./pages/admin";
import { UsersPage } from "./pages/users";
import { addPerson, insertPerson } from "./people";
import { createProject } from "./projects";
import { hold } from "./traffic";

const RESET_MAIL = "Choose a new password for Sangam";

test.describe("a forgotten password", () => {
  test("is replaced by the mail's link, which works once and leaves no trace in the address", async ({
    page,
    server,
    openContext,
  }) => {
    const email = "esha@firm.example";
    await insertPerson(server, { name: "Esha Limaye", email, as: "user" });
    await authenticate(page, email);
    const other = await (await openContext()).newPage();
    await other.goto("/login");
    await other.getByLabel("Email").fill(email);
    await other.getByRole("link", { name: "Forgot Password" }).click();
    await expect(other.getByRole("status").filter({ hasText: MESSAGES.auth.resetSent })).toBeVisible();
    await expect(other).toHaveURL(/\/login$/);
    await expect(other.getByLabel("Email")).toHaveValue(email);

    const { pathname, search } = new URL(linkIn(await waitForMail(server, { to: email, subject: RESET_MAIL })));
    const headers: Promise<Record<string, string>>[] = [];
    const note = (request: Request) => headers.push(request.allHeaders());
    other.on("request", note);
    await other.goto(`${pathname}${search}`);
    await expect(other.getByRole("heading", { level: 1, name: "Choose a new password" })).toBeVisible();
    expect(new URL(other.url()).search).toBe("");

    const password = other.getByLabel("New password");
    const confirm = other.getByLabel("Confirm password");
    await password.fill("five5");
    await confirm.fill("other");
    await confirm.blur();
    await expect(other.getByText(MESSAGES.auth.passwordsDiffer)).toBeVisible();
    await other.getByRole("button", { name: "Show password" }).click();
    await expect(password).toHaveAttribute("type", "text");
    await expect(confirm).toHaveAttribute("type", "text");
    await other.getByRole("button", { name: "Set new password" }).click();
    await expect(password).toHaveAttribute("aria-invalid", "true");
    await expect(password).toBeFocused();
    await password.fill("ज्वार-भाटा 24");
    await confirm.fill("ज्वार-भाटा 24");
    await other.getByRole("button", { name: "Set new password" }).click();
    await expect(other).toHaveURL(/\/login\?notice=reset$/);
    await expect(other.getByRole("status").filter({ hasText: MESSAGES.auth.resetDone })).toBeVisible();
    // Later requests may still be open when the page closes.
    other.off("request", note);
    const referers = (await Promise.all(headers)).map(({ referer = "" }) => referer);
    expect(referers.some((referer) => referer !== "")).toBe(true);
    expect(referers.filter((referer) => referer.includes("token"))).toEqual([]);

    // The earlier session has ended.
    expect(await api(page).auth.me.query()).toBeNull();
    await submitLogin(other, email, DEMO_PASSWORD);
    await expect(other.getByRole("alert")).toHaveText(MESSAGES.auth.signInFailed);
    await submitLogin(other, email, "ज्वार-भाटा 24");
    await expect(other).toHaveURL(/\/dashboard/);

    await test.step("the same link again is dead, keeps what is typed and leads to a new one", async () => {
      await page.goto(`${pathname}${search}`);
      await page.getByLabel("New password").fill("monsoon-25");
      await page.getByLabel("Confirm password").fill("monsoon-25");
      await page.getByRole("button", { name: "Set new password" }).click();
      await expect(page.getByRole("alert")).toContainText(MESSAGES.auth.resetLinkDead);
      await expect(page.getByLabel("New password")).toHaveValue("monsoon-25");
      await expectAccessible(page, page.getByRole("main"));
      await page.getByRole("button", { name: "Request a new link" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Reset password" })).toBeVisible();
      await expect(page.getByLabel("Email")).toBeFocused();
      await page.getByRole("button", { name: "Send link" }).click();
      await expect(page.getByText(MESSAGES.auth.emailRequired)).toBeVisible();
      const before = mailsTo(server, email).filter(({ subject }) => subject === RESET_MAIL).length;
      await page.getByLabel("Email").fill(email);
      await page.getByRole("button", { name: "Send link" }).click();
      await expect(page.getByRole("status").filter({ hasText: MESSAGES.auth.resetSent })).toBeVisible();
      await waitForMail(server, { to: email, subject: RESET_MAIL, after: before });
    });
  });
});

test("/login says its notices, what a forgotten password and what Google needs, in the literal words", async ({
  page,
  server,
  consoleGuard,
}) => {
  consoleGuard.allow(/Failed to load resource/);
  await page.goto("/login");
  for (const [notice, role, text] of [
    ["pending", "alert", MESSAGES.auth.pending],
    ["rejected", "alert", MESSAGES.auth.refused],
    ["profile", "alert", MESSAGES.auth.profileNotFound],
    ["google", "alert", MESSAGES.auth.googleSignInFailed],
    ["google-signup", "alert", MESSAGES.auth.googleSignUpFailed],
    ["signed-out", "status", MESSAGES.auth.signedOut],
    ["reset", "status", MESSAGES.auth.resetDone],
  ] as const) {
    await goInApp(page, `/login?notice=${notice}`);
    await expect(page.getByRole(role).filter({ hasText: text })).toHaveText(text);
  }
  await test.step("a forgotten password asks for an email, tells no address from another, and says when it fails", async () => {
    await goInApp(page, "/login");
    const forgot = page.getByRole("link", { name: "Forgot Password" });
    await forgot.click();
    await expect(page.getByText(MESSAGES.auth.emailRequired)).toBeVisible();
    await expect(page.getByLabel("Email")).toBeFocused();
    await page.getByLabel("Email").fill("nobody@nowhere.example");
    await forgot.click();
    await expect(page.getByRole("status").filter({ hasText: MESSAGES.auth.resetSent })).toBeVisible();
    await page.route("**/api/trpc/auth.requestPasswordReset*", (route) => route.abort());
    await forgot.click();
    await expect(page.getByRole("alert")).toHaveText(MESSAGES.auth.resetFailed);
    await expect(page.getByText(MESSAGES.auth.resetSent)).toHaveCount(0);
    await expect(page.getByLabel("Email")).toHaveValue("nobody@nowhere.example");
    expect(mailsTo(server, "nobody@nowhere.example")).toEqual([]);
  });
  await test.step("without Google keys both buttons say so", async () => {
    await page.getByRole("button", { name: "Sign in with Google" }).click();
    await expect(page.getByRole("alert")).toHaveText(MESSAGES.auth.googleSignInFailed);
    await goInApp(page, "/signup");
    await page.getByLabel("Full name").fill("Half Typed");
    await page.getByRole("button", { name: "Sign up with Google" }).click();
    await expect(page.getByRole("alert")).toHaveText(MESSAGES.auth.googleSignUpFailed);
    await expect(page.getByLabel("Full name")).toHaveValue("Half Typed");
  });
});

test.describe("Users Management", () => {
  test("follows a sign-up and another admin's decision without a reload; exports a person as JSON and erases one; nobody decides about oneself; it has the specification's subtabs, columns, choices and sentences", async ({
    page,
    openContext,
    consoleGuard,
    admin,
  }) => {
    consoleGuard.allow(/net::ERR_FAILED .*users\.(approve|reject)/);
    await authenticate(page, "asha@sangam.example");
    const second = await (await openContext()).newPage();
    await authenticate(second, "vikram@sangam.example");
    const users = new UsersPage(page);
    const theirs = new UsersPage(second);
    await users.open("pending");
    await theirs.open("pending");
    await addPerson(admin, { name: "Ira Sathe", as: "pending" });
    await expect(users.row("Ira Sathe")).toBeVisible();
    await expect(theirs.row("Ira Sathe")).toBeVisible();
    await second.getByRole("button", { name: "Reject Ira Sathe" }).focus();
    await tabTo(page, () => users.row("Ira Sathe").getByRole("button", { name: "Approve" }));
    await page.keyboard.press("Enter");
    await expect(page.getByText(MESSAGES.users.approved("user"))).toBeVisible();
    await expect(page.locator("[data-approve]:focus")).toHaveCount(1);
    await expect(theirs.row("Ira Sathe")).toHaveCount(0);
    // The focused row is gone: the focus moves to the next decision.
    await expect(second.locator("[data-approve]:focus")).toHaveCount(1);

    await test.step("two admins decide at once: the slower one is told who was faster", async () => {
      const { id: userId } = await addPerson(admin, { name: "Gauri Rane", as: "rejected" });
      await second.getByRole("tab", { name: /^Rejected\/Inactive/ }).click();
      const call = hold();
      await second.route("**/users.reactivate*", call.handler);
      await theirs.choose("Gauri Rane", "Reactivate");
      const pressed = second.waitForRequest("**/users.reactivate*");
      await second.getByRole("alertdialog").getByRole("button", { name: "Reactivate" }).click();
      await pressed;
      await admin.users.reactivate.mutate({ userId });
      call.release();
      const toast = second.locator("[data-sonner-toast]").filter({ hasText: MESSAGES.users.changeFailed });
      await expect(toast).toContainText(MESSAGES.users.alreadyDecided("Asha Kulkarni", "active"));
      await expect(theirs.row("Gauri Rane")).toHaveCount(0);
    });
    // Exports a person as JSON and erases one, by keyboard too.
    const hema = await addPerson(admin, { name: "Hema Joglekar", email: "hema@client.example", as: "client" });
    const { id: projectId } = await createProject(admin, { title: "Lock gate logs", clientId: hema.id });
    await goInApp(page, "/admin");
    const project = new AllProjects(page).row("Lock gate logs");
    await expect(project).toContainText("Hema Joglekar");
    await goInApp(page, "/admin/users");
    await page.getByRole("tab", { name: /^All Users/ }).click();
    await expect(users.row("Hema Joglekar")).toBeVisible();
    await expect(users.row("Asha Kulkarni").getByRole("button")).toHaveCount(0);
    await expect(users.row("Nikhil Patil").getByRole("button")).toHaveCount(0);

    const download = page.waitForEvent("download");
    await users.choose("Hema Joglekar", "Export data");
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^sangam-hema-\d{4}-\d\d-\d\d\.json$/);
    const exported: unknown = JSON.parse(readFileSync(await file.path(), "utf8"));
    expect(exported).toMatchObject({ profile: { email: "hema@client.example" } });

    const menuButton = users.row("Hema Joglekar").getByRole("button");
    await menuButton.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("menuitem", { name: "See as this client" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(menuButton).toBeFocused();
    await users.choose("Hema Joglekar", "Erase person");
    const question = page.getByRole("alertdialog", { name: "Erase person" });
    await expect(question).toContainText(MESSAGES.users.confirmErase);
    await expect(question).toContainText("Hema Joglekar");
    await page.keyboard.press("Escape");
    await expect(menuButton).toBeFocused();
    await expect(users.row("Hema Joglekar")).toBeVisible();
    await users.choose("Hema Joglekar", "Erase person");
    await users.confirm("Erase");
    await expect(page.getByText(MESSAGES.users.erased)).toBeVisible();
    await expect(page.getByText("hema@client.example")).toHaveCount(0);
    await test.step("no page that was open keeps the name", async () => {
      await goInApp(page, "/admin");
      await expect(project).toContainText(MESSAGES.projects.unknownClient);
      await expect(project).not.toContainText("Hema Joglekar");
      await admin.projects.delete.mutate({ projectId });
      await goInApp(page, "/admin/users");
    });

    await test.step("it has the specification's subtabs, columns, choices and sentences", async () => {
      const name = `Wren ${randomUUID().slice(0, 8)}`;
      await addPerson(admin, { name, as: "pending" });
      const heads = page.getByRole("columnheader");
      await expect(heads).toHaveText(["Name", "Email", "Account Type", "Account Status", "Created At"]);
      for (const text of ["All Users", "Pending Approval", "Active Users", "Rejected/Inactive"])
        await expect(page.getByRole("tab", { name: new RegExp(`^${text}`) })).toBeVisible();

      await users
        .row(name)
        .getByRole("link", { name: `pending, decide about ${name}` })
        .click();
      await expect(page.getByRole("tab", { name: /^Pending Approval/ })).toBeFocused();
      await expect(users.row(name).getByRole("link", { name: "+91 98200 12345" })).toBeVisible();
      await expect(users.row(name).getByText(/^\d{1,2} \w{3,4} \d{4}$/)).toBeVisible();
      await expect(heads).toHaveText(["Name", "Email", "Account Type", "Account Status", "Created At", "Actions"]);
      const type = page.getByLabel(`Account type for ${name}`);
      await expect(type.getByRole("option")).toHaveText(["User", "Client", "Admin"]);
      for (const [procedure, verb, sentence] of [
        ["users.approve", "Approve", MESSAGES.users.approveFailed],
        ["users.reject", "Reject", MESSAGES.users.rejectFailed],
      ] as const) {
        await page.route(`**/api/trpc/${procedure}*`, (route) => route.abort());
        await users.row(name).getByRole("button", { name: verb }).click();
        if (verb === "Reject") await users.confirm("Reject");
        await expect(page.getByText(sentence)).toBeVisible();
        await page.unroute(`**/api/trpc/${procedure}*`);
      }
      await users.reject(name);
      await expect(page.getByText(MESSAGES.users.rejected)).toBeVisible();
      await expect(users.row(name)).toHaveCount(0);
      await page.getByRole("tab", { name: /^All Users/ }).click();
    });

    await test.step("menu and question are accessible in both themes, also on a phone", async () => {
      await users.choose("Meera Rao", "Deactivate");
      await expectAccessibleEverywhere(page, { within: page.getByRole("alertdialog") });
      await page.keyboard.press("Escape");
      await page.setViewportSize({ width: 360, height: 780 });
      await page.getByRole("button", { name: "More actions for Meera Rao" }).click();
      const menu = page.getByRole("menu");
      await expect(menu).toBeVisible();
      await expectAccessibleInBothThemes(page, menu);
      await page.keyboard.press("Escape");
      await expect(menu).toBeHidden();
      await expectFits(page, 360);
    });
  });
});
