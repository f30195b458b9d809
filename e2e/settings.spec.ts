import type { Page } from "@playwright/test";
import { MESSAGES } from "../server/contract/messages";
import { expect, expectAccessible, goInApp, test } from "./fixtures";
import { authenticate, signIn, submitLogin } from "./pages/account";
import { Settings } from "./pages/settings";
import { addPerson } from "./people";
import { watchCalls } from "./traffic";

// See task-editing.spec.ts.
test.describe.configure({ mode: "parallel" });

/** See session-end.spec.ts. */
const SESSION_END_MS = 10_000;
const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0";
/** One dark pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

const SETTINGS_PAGES = [
  ["asha@sangam.example", "/admin/settings"],
  ["rohan@sangam.example", "/dashboard/settings"],
  ["meera@sangam.example", "/client/settings"],
] as const;

test.describe("the profile", () => {
  test("is saved, and the header follows; what is refused is told on its field and loses nothing", async ({
    page,
    consoleGuard,
    admin,
  }) => {
    consoleGuard.allow(/Failed to load resource/);
    await authenticateAs(page, await addPerson(admin, { name: "Tara Menon" }));
    const settings = new Settings(page);
    await settings.open();
    await test.step("it is saved, and the header follows with name, initials and picture; what one is notified of too", async () => {
      const account = page.getByRole("banner").getByRole("button", { name: /Tara|Menon/ });
      await expect(account).toContainText("TM");
      const profile = settings.section("Profile");
      await expect(profile.getByText(/@firm\.example$/)).toBeVisible();
      await expect(settings.field("Address optional")).toHaveValue("");
      await expect(settings.field("Address optional")).toHaveAttribute("placeholder", "adress to be updated");
      await expect(profile.getByRole("button", { name: "Save Changes" })).toHaveAttribute("aria-disabled", "true");

      await settings.field("Full name").fill("Tara Menon Rao");
      await settings.field("Display name").fill("  Tara Rao ");
      await settings.field("Phone number optional").fill("");
      await settings.field("Age optional").fill("34");
      await settings.field("Address optional").fill("12 Ferry Wharf\nMumbai");
      await settings.saveProfile();
      await expect(page.getByText(MESSAGES.users.profileSaved)).toBeVisible();
      await expect(account).toContainText("Tara Rao");
      await expect(account).toContainText("TR");
      await expect(profile.getByText("Not saved yet")).toBeHidden();

      await page.setInputFiles("input[type=file]", {
        name: "me.txt",
        mimeType: "text/plain",
        buffer: Buffer.from("me"),
      });
      await expect(profile.getByText(MESSAGES.users.noPicture)).toBeVisible();
      await page.setInputFiles("input[type=file]", { name: "me.png", mimeType: "image/png", buffer: PIXEL });
      await expect(account.locator("img")).toHaveAttribute("src", /^\/api\/photos\/[0-9a-f-]{36}$/);
      await expect(account.locator("img")).toHaveJSProperty("naturalWidth", 1);
      await expect(profile.getByText(MESSAGES.users.noPicture)).toBeHidden();
      await profile.getByRole("button", { name: "Remove" }).click();
      await expect(account.locator("img")).toHaveCount(0);
      await expect(profile.getByRole("button", { name: "Upload Picture" })).toBeFocused();

      const kinds = settings.section("Notifications").getByRole("list", { name: "What you are notified of" });
      const [inInbox, mail] = [
        kinds.getByRole("checkbox", { name: "Mentions of me" }),
        kinds.getByRole("combobox", { name: "Email: Mentions of me" }),
      ];
      const saved = watchCalls(page, "notifications.setPreferences");
      await inInbox.uncheck();
      await mail.selectOption("Email once a day");
      await saved(2);

      await page.reload();
      await expect(inInbox).not.toBeChecked();
      await expect(mail.locator("option:checked")).toHaveText("Email once a day");
      await expect(settings.field("Full name")).toHaveValue("Tara Menon Rao");
      await expect(settings.field("Display name")).toHaveValue("Tara Rao");
      await expect(settings.field("Phone number optional")).toHaveValue("");
      await expect(settings.field("Age optional")).toHaveValue("34");
      await expect(settings.field("Address optional")).toHaveValue("12 Ferry Wharf\nMumbai");
    });
    await test.step("what is refused is told on its field, and nothing is lost", async () => {
      await settings.field("Full name").fill(" ");
      await settings.field("Age optional").fill("thirty");
      await settings.saveProfile();
      await expect(settings.field("Full name")).toBeFocused();
      for (const text of ["Please enter your full name.", "Enter your age in years."]) {
        await expect(settings.section("Profile").getByText(text)).toBeVisible();
      }
      await expectAccessible(page);
      await settings.field("Full name").fill("Tara Rao");
      await settings.field("Age optional").fill("34");

      await page.route("**/api/trpc/users.updateProfile*", (route) => route.abort());
      await settings.saveProfile();
      await expect(settings.section("Profile").getByRole("alert")).toContainText(MESSAGES.general.unreachable);
      await expect(settings.field("Full name")).toHaveValue("Tara Rao");
      await page.unroute("**/api/trpc/users.updateProfile*");

      const fieldErrors = { displayName: ["Somebody is called that already."] };
      const data = { code: "BAD_REQUEST", httpStatus: 400, kind: "validation", fieldErrors };
      const error = { json: { message: MESSAGES.general.invalid, code: -32_600, data } };
      await page.route("**/api/trpc/users.updateProfile*", (route) =>
        route.fulfill({ status: 400, json: [{ error }] }),
      );
      await settings.saveProfile();
      await expect(settings.section("Profile").getByText("Somebody is called that already.")).toBeVisible();
      await expect(settings.field("Display name")).toBeFocused();
      await expect(settings.field("Full name")).toHaveValue("Tara Rao");
      await page.unroute("**/api/trpc/users.updateProfile*");

      await settings.saveProfile();
      await expect(page.getByText(MESSAGES.users.profileSaved)).toBeVisible();
    });
  });

  test("asks before typed words are left, and not when something opens over them", async ({ page }) => {
    await authenticate(page, "rohan@sangam.example");
    await page.goto("/dashboard");
    const settings = new Settings(page);
    await page.getByRole("link", { name: "Settings" }).click();
    await settings.field("Full name").fill("Rohan Rao");
    const question = page.getByRole("alertdialog", { name: "Discard changes?" });
    for (const leave of [() => page.getByRole("link", { name: "Projects" }).click(), () => page.goBack()]) {
      await leave();
      await expect(question).toBeVisible();
      await question.getByRole("button", { name: "Keep editing" }).click();
      await expect(question).toBeHidden();
      await expect(settings.field("Full name")).toHaveValue("Rohan Rao");
      await expect(page).toHaveURL(/\/dashboard\/settings/);
    }
    await page.getByRole("banner").getByRole("button", { name: "Rohan Shah" }).click();
    await page.keyboard.press("Escape");
    await expect(question).toBeHidden();
    // A found file is saved beside the page: the browser has nothing to ask either.
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or jump to" }).fill("Week view");
    const saved = page.waitForEvent("download");
    await page.getByRole("option", { name: /^Week view\.webp/ }).click();
    expect((await saved).suggestedFilename()).toBe("Week view.webp");
    await expect(settings.field("Full name")).toHaveValue("Rohan Rao");
    await page.goBack();
    await question.getByRole("button", { name: "Discard" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Projects Board" })).toBeVisible();
    await page.goForward();
    await expect(settings.field("Full name")).toHaveValue("Rohan Shah");
  });

  test("outlives the end of the session: after signing in again in place it can be saved", async ({
    page,
    openContext,
    admin,
  }) => {
    const person = await addPerson(admin, { name: "Tara Menon" });
    await authenticateAs(page, person);
    const settings = new Settings(page);
    await settings.open();
    await settings.field("Full name").fill("Tara Menon Rao");
    const other = await (await openContext()).newPage();
    await authenticateAs(other, person);
    await new Settings(other).open();
    await new Settings(other)
      .section("Sessions")
      .getByRole("button", { name: /^End session/ })
      .click();

    const again = page.getByRole("dialog", { name: "Sign in again" });
    await again.getByLabel("Password", { exact: true }).fill(person.password);
    await again.getByRole("button", { name: "Log In" }).click();
    await expect(again).toBeHidden();
    await expect(settings.field("Full name")).toHaveValue("Tara Menon Rao");
    await settings.saveProfile();
    await expect(page.getByText(MESSAGES.users.profileSaved)).toBeVisible();
  });
});

test.describe("the password", () => {
  test("is refused without losing what is typed; once changed, the other sessions end and the old one no longer works", async ({
    page,
    openContext,
    admin,
  }) => {
    const person = await addPerson(admin, { name: "Tara Menon" });
    await authenticateAs(page, person);
    const settings = new Settings(page);
    await settings.open();
    await test.step("it is refused in words, and nothing typed is lost", async () => {
      const section = settings.section("Password");
      await settings.changePassword({ current: "", next: "five5", confirm: "other" });
      await expect(section.getByText(MESSAGES.auth.passwordRequired)).toBeVisible();
      await expect(section.getByText(MESSAGES.auth.passwordTooShort)).toBeVisible();
      await expect(section.getByText(MESSAGES.auth.passwordsDiffer)).toBeVisible();
      await settings.changePassword({ current: "not-the-one", next: "harbour-25" });
      await expect(section.getByText(MESSAGES.auth.wrongCurrentPassword)).toBeVisible();
      await expect(settings.field("Current password")).toBeFocused();
      await expect(settings.field("New password")).toHaveValue("harbour-25");
      await expectAccessible(page);
    });
    await test.step("it changes, keeps this session and ends the others; the old one no longer works", async () => {
      const other = await (await openContext()).newPage();
      await signInAs(other, person);
      await settings.open();
      await expect(settings.section("Sessions").getByRole("listitem")).toHaveCount(2);

      await settings.changePassword({ current: person.password, next: "harbour-25" });
      await expect(page.getByText(MESSAGES.auth.passwordChanged)).toBeVisible();
      await expect(page.getByText("All your other sessions have ended.")).toBeVisible();
      await expect(other).toHaveURL(/\/login/, { timeout: SESSION_END_MS });
      await expect(other.getByText(MESSAGES.auth.signedOut)).toBeVisible();
      await expect(settings.field("Current password")).toHaveValue("");
      await expect(settings.section("Sessions").getByText("You are not logged in anywhere else.")).toBeVisible();
      await page.reload();
      await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();

      await submitLogin(other, person.email, person.password);
      await expect(other.getByRole("alert")).toHaveText(MESSAGES.auth.signInFailed);
      await submitLogin(other, person.email, "harbour-25");
      await expect(other).toHaveURL(/\/dashboard/);
    });
  });
});

test.describe("the sessions", () => {
  test("are listed by browser, place and time, end one by one or all at once, and say so when they cannot be read", async ({
    page,
    browser,
    baseURL,
    consoleGuard,
    openContext,
    admin,
  }) => {
    consoleGuard.allow(/Failed to load resource/);
    const person = await addPerson(admin, { name: "Tara Menon" });
    await authenticateAs(page, person);
    await test.step("listed by browser, place and time, and ended one by one or all at once", async () => {
      const windows = await browser.newContext({ baseURL: baseURL ?? "", userAgent: FIREFOX });
      consoleGuard.watch(windows);
      const other = await windows.newPage();
      await signInAs(other, person);

      const settings = new Settings(page);
      await settings.open();
      const section = settings.section("Sessions");
      const mine = section.getByRole("listitem").filter({ hasText: "This browser" });
      await expect(mine).toContainText("Chrome on Linux");
      await expect(mine).toContainText(/127\.0\.0\.1, since \d{1,2} \w{3,4} \d{4}, \d\d:\d\d/);
      await expect(mine.getByRole("button")).toHaveCount(0);
      await section.getByRole("button", { name: "End session in Firefox on Windows" }).press("Enter");
      await expect(other).toHaveURL(/\/login/, { timeout: SESSION_END_MS });
      await expect(section.getByText("You are not logged in anywhere else.")).toBeVisible();
      await expect(section.getByRole("heading")).toBeFocused();

      const third = await (await openContext()).newPage();
      await signInAs(third, person);
      await signInAs(other, person);
      await page.reload();
      const endOthers = section.getByRole("button", { name: "End all other sessions" });
      await endOthers.click();
      const question = page.getByRole("alertdialog", { name: "End all other sessions" });
      await expect(question.getByRole("button", { name: "Cancel" })).toBeFocused();
      await expectAccessible(page);
      await page.keyboard.press("Escape");
      await expect(endOthers).toBeFocused();
      await endOthers.click();
      await question.getByRole("button", { name: "End sessions" }).click();
      await expect(page.getByText("2 other sessions have ended.")).toBeVisible();
      for (const cut of [other, third]) await expect(cut).toHaveURL(/\/login/, { timeout: SESSION_END_MS });
      await expect(section.getByRole("listitem")).toHaveCount(1);
      await expect(section.getByRole("heading", { name: "Sessions" })).toBeFocused();
      await windows.close();
    });
    await test.step("not readable at first, they are asked for again; one that has just ended is no error", async () => {
      const other = await (await openContext()).newPage();
      await signInAs(other, person);
      await page.route("**/api/trpc/*auth.sessions*", (route) => route.abort());
      await page.goto("/dashboard/settings");
      const section = new Settings(page).section("Sessions");
      await expect(section.getByRole("alert")).toContainText(MESSAGES.general.unreachable);
      await page.unroute("**/api/trpc/*auth.sessions*");
      await section.getByRole("button", { name: "Retry" }).click();
      await expect(section.getByRole("listitem")).toHaveCount(2);

      await other.getByRole("banner").getByRole("button", { name: "Tara Menon" }).click();
      await other.getByRole("menuitem", { name: "Logout" }).click();
      await expect(other).toHaveURL(/\/login/);
      await section.getByRole("button", { name: /^End session/ }).click();
      await expect(section.getByText("You are not logged in anywhere else.")).toBeVisible();
    });
  });
});

test("dark mode, the sidebar and the shortcuts are kept; a search typed in settings leads to the board with its text", async ({
  page,
}) => {
  await test.step("what is chosen is kept, and without shortcuts no key acts", async () => {
    await authenticate(page, "rohan@sangam.example");
    const settings = new Settings(page);
    await settings.open();
    const choice = (name: string) => settings.section("Appearance").getByRole("checkbox", { name });
    const main = page.getByRole("navigation", { name: "Main" });
    await choice("Dark mode").uncheck();
    await expect(page.locator("html")).not.toHaveClass(/dark/);
    await choice("Collapsed sidebar").check();
    await expect(main.getByRole("button", { name: "Expand sidebar" })).toBeVisible();
    await page.getByRole("heading", { level: 1 }).focus();
    await page.keyboard.press("[");
    await expect(choice("Collapsed sidebar")).not.toBeChecked();
    await choice("Keyboard shortcuts").uncheck();
    await page.reload();
    await expect(page.locator("html")).not.toHaveClass(/dark/);
    await expect(choice("Dark mode")).not.toBeChecked();
    await expect(choice("Keyboard shortcuts")).not.toBeChecked();
    await expect(main.getByRole("button", { name: "Collapse sidebar" })).not.toHaveAttribute("aria-keyshortcuts");
    await page.getByRole("heading", { level: 1 }).focus();
    await page.keyboard.press("[");
    await page.keyboard.press("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
    await expect(main.getByRole("button", { name: "Collapse sidebar" })).toBeVisible();
    await choice("Keyboard shortcuts").check();
    await page.getByRole("heading", { level: 1 }).focus();
    await page.keyboard.press("/");
    await expect(page.getByRole("searchbox", { name: "Search" })).toBeFocused();
  });
  await test.step("a search leads to the board with Enter, and keeps its text and the focus", async () => {
    await page.getByRole("heading", { level: 1 }).focus();
    await page.keyboard.press("/");
    await page.keyboard.type("har");
    await expect(page.getByPlaceholder("Search projects")).toHaveValue("har");
    await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "Projects Board" })).toBeVisible();
    await expect(page).toHaveURL(/\/dashboard\?q=har$/);
    await page.keyboard.type("bour");
    await expect(page.getByRole("searchbox", { name: "Search" })).toHaveValue("harbour");
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
  });
});

test("settings are reached from every dashboard, and Back leads out of them", async ({ page, openContext }) => {
  for (const [email, path] of SETTINGS_PAGES) {
    const visitor = email === "rohan@sangam.example" ? page : await (await openContext()).newPage();
    await signIn(visitor, email);
    const home = new URL(visitor.url()).pathname;
    const before = await visitor.getByRole("heading", { level: 1 }).textContent();
    await visitor.getByRole("navigation").getByRole("link", { name: "Settings" }).click();
    await expect(visitor.getByRole("heading", { level: 1, name: "Settings" })).toBeFocused();
    await expect(visitor).toHaveTitle("Settings · Sangam");
    expect(visitor.url()).toMatch(new RegExp(`${path.replace("?", "\\?")}$`));
    await expect(visitor.getByRole("link", { name: "Settings" })).toHaveAttribute("aria-current", "page");
    await expect(visitor.locator('[aria-current="page"]:visible')).toHaveCount(1);
    await visitor.goBack();
    await expect(visitor.getByRole("heading", { level: 1, name: before ?? "" })).toBeVisible();
    if (email === "asha@sangam.example") {
      await goInApp(visitor, "/dashboard/settings");
      await visitor.getByRole("link", { name: "settings of the Admin Dashboard" }).click();
      await expect(visitor.getByRole("heading", { level: 2, name: "Repository token" })).toBeFocused();
    }
    await visitor.goto(`${home}?${home === "/dashboard" ? "view" : "section"}=<nothing>`);
    await expect(visitor).toHaveURL(new RegExp(`${home}$`));
  }
  await page.getByRole("banner").getByRole("button", { name: "Rohan Shah" }).click();
  await page.getByRole("menuitem", { name: "Settings" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeFocused();
});

function signInAs(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  return signIn(page, email, password);
}

async function authenticateAs(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await authenticate(page, email, password);
}
