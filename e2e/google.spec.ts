import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { type TOTP, URI } from "otpauth";
import { notifications, users } from "../db/schema";
import { MESSAGES } from "../server/contract/messages";
import { api } from "./api";
import { test } from "./equipped";
import { expect, goInApp } from "./fixtures";
import { linkIn, waitForMail } from "./mail";
import { addPerson } from "./people";
import { writeRows } from "./rows";

test.beforeEach(({ consoleGuard }) => {
  // The provider's own pages.
  consoleGuard.allow(/127\.0\.0\.1:\d+\/(interaction|auth)|fonts\.googleapis/);
});

test("a first sign-in makes a pending account without a session, and works once an admin approved it", async ({
  page,
  server,
  admin,
}) => {
  await throughGoogle(page, "priya");
  await expect(page).toHaveURL(/\/login\?notice=pending/);
  await expect(page.getByText(MESSAGES.auth.pending)).toBeVisible();
  expect((await page.context().cookies()).filter(({ name }) => name.endsWith("session_token"))).toEqual([]);

  const { items } = await admin.users.list.query({ status: "pending", q: "priya Google" });
  expect(items).toHaveLength(1);
  const userId = items[0]?.id ?? "";
  await test.step("one that a restart broke off is completed by the next: username, and word to the admins", async () => {
    await writeRows(server, async (db) => {
      await db.update(users).set({ username: "user123456789012" }).where(eq(users.id, userId));
      await db.delete(notifications).where(eq(notifications.personId, userId));
    });
    await throughGoogle(page, "priya");
    const found = await admin.users.list.query({ status: "pending", q: "priya Google" });
    expect(found.items[0]?.username).toMatch(/^priya\d*$/);
    const { items: unread } = await admin.notifications.list.query({ unreadOnly: true });
    expect(unread.filter(({ subject }) => subject.userId === userId)).toMatchObject([{ kind: "sign-up-waiting" }]);
  });
  await admin.users.approve.mutate({ userId, accountType: "user" });

  // What is no path of this site leads nowhere, as by password.
  await throughGoogle(page, "priya", "dashboard");
  await expect(page).toHaveURL(/\/dashboard/);
  await expect(page.getByRole("heading", { level: 1, name: "Projects Board" })).toBeVisible();
});

test("an account is not joined, and none is made, unless both sides have verified the e-mail", async ({
  page,
  admin,
}) => {
  await test.step("one that the provider has not checked is refused and makes no account, also from the sign-up form", async () => {
    await throughGoogle(page, "unverified-eve");
    await expect(page.getByText(MESSAGES.auth.googleSignInFailed)).toBeVisible();
    expect((await admin.users.list.query({ q: "unverified-eve" })).items).toEqual([]);
    await page.context().clearCookies();
    await goInApp(page, "/signup");
    await page.getByRole("button", { name: "Sign up with Google" }).click();
    await atProvider(page, "unverified-mallory");
    await expect(page.getByText(MESSAGES.auth.googleSignUpFailed)).toBeVisible();
  });
  await test.step("who registered another's address first gains nothing: the two are not joined", async () => {
    await addPerson(admin, { name: "Mallory Attacker", email: "victim@sangam.example", as: "pending" });
    await throughGoogleAgain(page, "victim");
    await expect(page.getByText(MESSAGES.auth.googleSignInFailed)).toBeVisible();
  });
  await test.step("an account whose own e-mail was never verified is not joined, also when it is active", async () => {
    await throughGoogleAgain(page, "rohan");
    await expect(page.getByText(MESSAGES.auth.googleSignInFailed)).toBeVisible();
  });
});

test("both e-mails verified: the Google account joins the one that is there, and opens it", async ({
  page,
  server,
  admin,
}) => {
  const email = "linked@sangam.example";
  await addPerson(admin, { name: "Lina Linked", email, as: "user" });
  // A reset link proves that the address is theirs.
  await api(page).auth.requestPasswordReset.mutate({ email });
  const link = linkIn(await waitForMail(server, { to: email, subject: "Choose a new password for Sangam" }));
  const token = new URL(link).searchParams.get("token") ?? "";
  await api(page).auth.resetPassword.mutate({ token, password: "monsoon-24", confirmPassword: "monsoon-24" });

  await throughGoogle(page, "linked", "/dashboard?tab=completed");
  await expect(page).toHaveURL(/\/dashboard\?tab=completed/);
  await expect(page.getByText("Lina Linked")).toBeVisible();

  await test.step("two-factor sign-in asks whoever comes through Google for a code, too, and then leads on", async () => {
    const { uri } = await api(page).auth.enableTwoFactor.mutate({ password: "monsoon-24" });
    const app = URI.parse(uri) as TOTP;
    await api(page).auth.confirmTwoFactor.mutate({ code: app.generate() });
    await page.context().clearCookies({ name: "sangam.session_token" });
    await throughGoogle(page, "linked", "/dashboard?tab=completed");
    await expect(page.getByLabel("Code", { exact: true })).toBeFocused();
    expect((await page.context().cookies()).filter(({ name }) => name.endsWith("session_token"))).toEqual([]);
    await page.getByLabel("Code", { exact: true }).fill(app.generate({ timestamp: Date.now() + 30_000 }));
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/dashboard\?tab=completed/);
  });
  await test.step("an address that anybody can write begins nobody's second step", async () => {
    const me = await api(page).auth.me.query();
    await page.context().clearCookies();
    for (const description of [me?.id ?? "", "x"]) {
      const { url } = await api(page).auth.signInWithGoogle.mutate({
        intent: "signIn",
        redirect: "/dashboard?tab=completed",
      });
      const state = new URL(url).searchParams.get("state") ?? "";
      const query = new URLSearchParams({ state, error: "TWO_FACTOR_REQUIRED", error_description: description });
      await page.goto(`/api/auth/callback/google?${query}`);
      await expect(page).toHaveURL(/\/login\?notice=google[^#]*$/);
      expect(new URL(page.url()).searchParams.get("redirect"), "where they were going").toBe(
        "/dashboard?tab=completed",
      );
    }
  });
});

test("a rejected account returns to /login with its sentence, also through Google", async ({ page, admin }) => {
  await throughGoogle(page, "refused");
  await expect(page.getByText(MESSAGES.auth.pending)).toBeVisible();
  const { items } = await admin.users.list.query({ status: "pending", q: "refused Google" });
  expect(items).toHaveLength(1);
  await admin.users.reject.mutate({ userId: items[0]?.id ?? "" });
  await throughGoogle(page, "refused");
  await expect(page).toHaveURL(/notice=rejected/);
  await expect(page.getByText(MESSAGES.auth.refused)).toBeVisible();
});

async function throughGoogle(page: Page, name: string, wish?: string): Promise<void> {
  await page.goto(wish === undefined ? "/login" : `/login?redirect=${encodeURIComponent(wish)}`);
  await page.getByRole("button", { name: "Sign in with Google" }).click();
  await atProvider(page, name);
}

/** As somebody else, from the page on which the one before was refused. */
async function throughGoogleAgain(page: Page, name: string): Promise<void> {
  await page.context().clearCookies();
  await goInApp(page, "/login");
  await expect(page.getByText(MESSAGES.auth.googleSignInFailed)).toBeHidden();
  await page.getByRole("button", { name: "Sign in with Google" }).click();
  await atProvider(page, name);
}

/** Fills the provider's login and consent pages, which it skips on a second visit; until a page or the question for a code stands. */
async function atProvider(page: Page, name: string): Promise<void> {
  const back = Promise.race([
    page.waitForURL(/notice=|\/(dashboard|admin|client)/),
    page.getByLabel("Code", { exact: true }).waitFor(),
  ]);
  await Promise.race([page.waitForURL(/\/interaction\//), back]);
  const login = page.locator('input[name="login"]');
  const consent = page.locator('form button[type="submit"]', { hasText: "Continue" });
  await Promise.race([back, login.waitFor()]);
  if (await login.isVisible()) {
    await login.fill(name);
    await page.locator('input[name="password"]').fill("any");
    await page.locator('button[type="submit"]').click();
    await Promise.race([back, consent.waitFor()]);
    if (await consent.isVisible()) await consent.click();
  }
  await back;
}
