import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { MESSAGES } from "../server/contract/messages";
import { expect, expectAccessible, goInApp, test } from "./fixtures";
import { authenticate, submitLogin } from "./pages/account";
import { hold, Traffic } from "./traffic";

// See task-editing.spec.ts.
test.describe.configure({ mode: "parallel" });

const ROLES = [
  {
    email: "asha@sangam.example",
    home: "/admin",
    leadsTo: { "/admin": "/admin", "/client": "/admin", "/dashboard": "/dashboard" },
  },
  {
    email: "rohan@sangam.example",
    home: "/dashboard",
    // Another site. Other tricks: src/lib/landing.test.ts.
    wish: "//evil.example",
    leadsTo: { "/admin": "/dashboard", "/client": "/dashboard", "/dashboard": "/dashboard" },
  },
  {
    email: "meera@sangam.example",
    home: "/client",
    // Another role's page.
    wish: "/admin",
    leadsTo: { "/admin": "/dashboard", "/client": "/client", "/dashboard": "/dashboard" },
  },
];

test("signing in leads each role to its page, and elsewhere only where the specification says", async ({ page }) => {
  for (const { email, home, leadsTo, wish } of ROLES) {
    await test.step(email, async () => {
      await page.goto(wish === undefined ? "/login" : `/login?redirect=${encodeURIComponent(wish)}`);
      await submitLogin(page, email, "sangam-demo");
      await expect(page).toHaveURL(new RegExp(`^http://127\\.0\\.0\\.1:\\d+${home}(\\?|$)`));
      for (const [asked, shown] of Object.entries(leadsTo)) {
        // What is not theirs: below, with everything that is loaded on the way.
        if (asked !== shown || asked === home) continue;
        await goInApp(page, asked);
        await expect(page.getByRole("heading", { level: 1 })).toHaveText(HEADINGS[shown] ?? "");
        expect(new URL(page.url()).pathname, asked).toBe(shown);
      }
      if (home === "/dashboard") await page.goto("/login");
      else await goInApp(page, home === "/client" ? "/signup" : "/login");
      await expect(page).toHaveURL(new RegExp(`${home}(\\?|$)`));
      await page.context().clearCookies();
    });
  }
});

test.describe("opening a page that is not theirs", () => {
  // What is fetched counts.
  test.use({ isFirstVisit: true });

  test("whoever asks for a page that is not theirs sees, loads and asks for nothing but their own", async ({
    page,
  }) => {
    const visit = await watch(page);
    const traffic = new Traffic(page);
    for (const { email, leadsTo } of ROLES) {
      for (const [asked, shown] of Object.entries(leadsTo)) {
        if (asked === shown) continue;
        await test.step(`${email} at ${asked}: ${shown}`, async () => {
          await authenticate(page, email);
          visit.forget();
          await page.goto(`${asked}${asked === "/admin" ? "/users" : "/settings"}?open=x`);
          await expect(page).toHaveURL(new RegExp(`${shown}(\\?|$)`));
          await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
          await traffic.settled();
          expect(await visit.headings()).toEqual([HEADINGS[shown]]);
          // Later the page fetches in idle time what its dialogs need, which may share files with other pages.
          const files = await visit.filesUntilHeading();
          expect(files).not.toEqual([]);
          expect(files.filter((file) => ownFiles(asked, shown).has(file))).toEqual([]);
          for (const call of CALLS[asked] ?? []) {
            if (!CALLS[shown]?.includes(call)) expect(visit.calls).not.toContainEqual(expect.stringContaining(call));
          }
          // Later requests of this page must not count for the next one.
          await page.goto("about:blank");
        });
      }
    }
  });

  test("the signed-out load the form and ask nothing, and deep links survive signing in", async ({ page }) => {
    const visit = await watch(page);
    for (const { email, path } of [
      { email: "asha@sangam.example", path: "/admin/settings#repository-token" },
      { email: "meera@sangam.example", path: "/client/settings" },
      { email: "rohan@sangam.example", path: "/dashboard?tab=completed" },
    ]) {
      await page.goto(path);
      await expect(page).toHaveURL(/\/login/);
      await expect(page.getByRole("heading", { level: 1, name: "Log In" })).toBeVisible();
      await page.waitForLoadState("networkidle");
      const [, asked = ""] = /^(\/\w+)/.exec(path) ?? [];
      expect(visit.files.filter((file) => ownFiles(asked, "/").has(file))).toEqual([]);
      expect(visit.calls).toEqual([]);
      expect(await visit.headings()).toEqual(["Log In"]);
      await submitLogin(page, email, "sangam-demo");
      await expect(page).toHaveURL(new RegExp(`${path.replace("?", "\\?")}$`));
      // Later requests of this page must not count for the next one.
      await page.goto("about:blank");
      await page.context().clearCookies();
      visit.forget();
    }
  });
});

const HEADINGS: Record<string, string> = {
  "/admin": "All Projects",
  "/client": "Projects",
  "/dashboard": "Projects Board",
};
/** The calls that only this page makes when it opens. */
const CALLS: Record<string, string[]> = {
  "/admin": ["users.list", '"scope":"all"', '"users"'],
  "/client": ['"scope":"mine"', "github.commits"],
  "/dashboard": ['"scope":"mine"'],
};

/** Records every heading that was drawn, every file and every call. */
async function watch(page: Page) {
  const files: string[] = [];
  const calls: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/assets/")) files.push(pathname.slice(1));
    if (pathname.startsWith("/api/trpc/")) calls.push(decodeURIComponent(pathname.slice(10) + search));
  });
  page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => calls.push(String(payload))));
  await page.addInitScript(() => {
    const seen = new Set<string>();
    new MutationObserver(() => {
      for (const heading of document.querySelectorAll("h1")) seen.add(heading.textContent ?? "");
      document.documentElement.dataset.headings = [...seen].join("|");
      if (seen.size > 0) document.documentElement.dataset.headingAt ??= String(performance.now());
    }).observe(document, { subtree: true, childList: true });
  });
  return {
    files,
    calls,
    headings: () => page.evaluate(() => (document.documentElement.dataset.headings ?? "").split("|")),
    /** What was asked for until the first heading was drawn. */
    filesUntilHeading: () =>
      page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .filter(({ startTime }) => startTime <= Number(document.documentElement.dataset.headingAt))
          .map(({ name }) => new URL(name).pathname.slice(1)),
      ),
    forget() {
      files.length = 0;
      calls.length = 0;
    },
  };
}

/** The scripts that the page at this path needs and the other one does not. */
function ownFiles(path: string, other: string): Set<string> {
  const pages: Record<string, string[]> = JSON.parse(readFileSync("dist/.vite/pages.json", "utf8"));
  const own = new Set(pages[path]?.filter((file) => !pages[other]?.includes(file)));
  expect(own.size, `files of ${path}`).toBeGreaterThan(0);
  return own;
}

test("a refused login or sign-up says why, keeps what was typed and sets no cookie", async ({ page, consoleGuard }) => {
  consoleGuard.allow(/Failed to load resource/);
  await page.goto("/login");
  await test.step("with nothing typed it asks for both", async () => {
    await page.getByRole("button", { name: "Log In" }).click();
    await expect(page.getByText(MESSAGES.auth.emailRequired)).toBeVisible();
    await expect(page.getByText(MESSAGES.auth.passwordRequired)).toBeVisible();
    await expect(page.getByLabel("Email")).toBeFocused();
  });
  for (const [email, password, text] of [
    ["nikhil@sangam.example", "sangam-demo", MESSAGES.auth.pending],
    ["asha@sangam.example", "not-the-password", MESSAGES.auth.signInFailed],
    ["ravi@sangam.example", "sangam-demo", MESSAGES.auth.refused],
    ["nobody@sangam.example", "sangam-demo", MESSAGES.auth.signInFailed],
  ] as const) {
    await test.step(`${email}: "${text}"`, async () => {
      await submitLogin(page, email, password);
      await expect(page.getByRole("alert")).toHaveText(text);
      await expect(page.getByLabel("Email")).toHaveValue(email);
      await expect(page.getByLabel("Password", { exact: true })).toHaveValue(password);
      expect(await page.context().cookies()).toEqual([]);
    });
  }
  await expectAccessible(page);
  await test.step("sign-up that is pressed twice while its rules are still loading is sent once", async () => {
    await goInApp(page, "/signup");
    await expect(page.getByLabel("Full name")).toBeVisible();
    const rules = hold();
    await page.route("**/assets/*.js", rules.handler);
    const fieldErrors = { name: ["Not this name."], email: ["Not this address."] };
    const data = { code: "BAD_REQUEST", httpStatus: 400, kind: "validation", fieldErrors };
    const error = { json: { message: MESSAGES.general.invalid, code: -32_600, data } };
    const calls: string[] = [];
    await page.route("**/api/trpc/auth.signUp*", (route) => {
      calls.push(new URL(route.request().url()).pathname);
      return route.fulfill({ status: 400, json: [{ error }, { error }] });
    });
    await page.getByLabel("Full name").fill("Twice Pressed");
    await page.getByLabel("Email").fill("twice@firm.example");
    await page.getByLabel("Phone number").fill("+91 98200 12345");
    // Five characters, one of which is two in memory.
    const hint = page.getByText(MESSAGES.auth.passwordTooShort).locator("svg");
    await page.getByLabel("Password", { exact: true }).fill("quay🐟");
    await expect(hint).toHaveCount(0);
    await page.getByLabel("Password", { exact: true }).fill("quays🐟");
    await expect(hint).toHaveCount(1);
    await page.getByLabel("Confirm password").fill("quays🐟");
    await page.getByLabel(/I agree to the/).check();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Creating account..." })).toHaveAttribute("aria-disabled", "true");
    rules.release();
    await expect(page.getByLabel("Email")).toHaveAccessibleDescription("Not this address.");
    expect(calls).toEqual(["/api/trpc/auth.signUp"]);
    await expect(page.getByLabel("Full name")).toBeFocused();
    await page.unroute("**/api/trpc/auth.signUp*");
    await goInApp(page, "/login");
  });
  await test.step("sign-up tells every wrong field and loses nothing, also when the server cannot be reached", async () => {
    await goInApp(page, "/signup");
    await page.getByRole("button", { name: "Create Account" }).click();
    for (const text of ["Please enter your full name.", MESSAGES.auth.emailRequired, MESSAGES.auth.termsRequired]) {
      await expect(page.getByText(text)).toBeVisible();
    }
    await page.getByLabel("Full name").fill("Nobody Yet");
    await page.getByLabel("Email").fill("nobody@firm.example");
    await page.getByLabel("Phone number").fill("+91 98200 12345");
    await page.getByLabel("Password", { exact: true }).fill("five5");
    await page.getByLabel("Confirm password").fill("other");
    await page.getByLabel(/I agree to the/).check();
    await page.getByRole("button", { name: "Create Account" }).click();
    await expect(page.getByText(MESSAGES.auth.passwordTooShort).first()).toBeVisible();
    await page.getByLabel("Password", { exact: true }).fill("monsoon-24");
    await page.getByRole("button", { name: "Create Account" }).click();
    await expect(page.getByText(MESSAGES.auth.passwordsDiffer)).toBeVisible();
    // The sentence may stand there since the typing; the focus says that the press has been refused.
    await expect(page.getByLabel("Confirm password")).toBeFocused();
    await page.getByLabel("Confirm password").fill("monsoon-24");
    await page.route("**/api/trpc/auth.signUp*", (route) => route.abort());
    await page.getByRole("button", { name: "Create Account" }).click();
    await expect(page.getByRole("alert").first()).toContainText(MESSAGES.auth.signUpFailed.trim());
    await expect(page.getByLabel("Full name")).toHaveValue("Nobody Yet");
    await expect(page.getByLabel("Password", { exact: true })).toHaveValue("monsoon-24");
  });
});

test("addresses that do not exist answer 404, junk parameters the default view", async ({ page }) => {
  const missing = await page.goto("/no/such/page");
  expect(missing?.status()).toBe(404);
  await expectAccessible(page);
  await authenticate(page, "rohan@sangam.example");
  await page.goto("/dashboard?tab=xx&panel=<script>&filter=7&modal=[]&q=");
  await expect(page.getByRole("tab", { selected: true })).toHaveText(/To Do/);
});
