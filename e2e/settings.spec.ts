import type { Page, Route } from "@playwright/test";
import { MESSAGES } from "../server/contract/messages";
import { api, askAgain } from "./api";
import { drawn, expect, expectAccessible, goInApp, test } from "./fixtures";
import { authenticateAnew, openAs, signIn, submitLogin } from "./pages/account";
import { openPalette } from "./pages/palette";
import { Settings } from "./pages/settings";
import { insertPerson } from "./people";
import { hold, watchCalls } from "./traffic";

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

const HEADINGS: Record<string, string> = {
  "/admin": "All Projects",
  "/dashboard": "Projects Board",
  "/client": "Projects",
};

test.describe("the profile", () => {
  test("is saved, and the header follows; what is refused is told on its field and, like the session's end, loses nothing", async ({
    page,
    openContext,
    consoleGuard,
    server,
  }) => {
    consoleGuard.allow(/Failed to load resource/);
    const person = await insertPerson(server, { name: "Tara Menon" });
    await authenticateAs(page, person);
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
    await test.step("a saved name stays, though the mail switch is answered before it has been read again", async () => {
      const [mailAnswer, profileAnswer] = [hold(), hold()];
      await page.route("**/api/trpc/users.updateProfile*", (route) =>
        route.request().postData()?.includes("unreadMail") ? mailAnswer.handler(route) : route.continue(),
      );
      await page.route("**/api/trpc/*auth.me*", profileAnswer.handler);
      await page.getByRole("checkbox", { name: /^Email me about messages/ }).click();
      await settings.field("Display name").fill("Tara Quay");
      const readAgain = page.waitForRequest("**/api/trpc/*auth.me*");
      await settings.saveProfile();
      await readAgain;
      const answered = page.waitForResponse("**/api/trpc/users.updateProfile*");
      mailAnswer.release();
      await (await answered).finished();
      await drawn(page);
      profileAnswer.release();
      await expect(page.getByRole("banner").getByRole("button", { name: "Tara Quay" })).toBeVisible();
      await expect(settings.field("Display name")).toHaveValue("Tara Quay");
      await page.unroute("**/api/trpc/users.updateProfile*");
    });
    await test.step("what is refused is told on its field, and nothing is lost", async () => {
      await settings.field("Full name").fill(" ");
      await settings.field("Age optional").fill("thirty");
      await settings.saveProfile();
      await expect(settings.field("Full name")).toBeFocused();
      for (const text of ["Please enter your full name.", "Enter your age in years."]) {
        await expect(settings.section("Profile").getByText(text)).toBeVisible();
      }
      await expectAccessible(page, settings.section("Profile"));
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
    });
    await test.step("it outlives the end of the session: after signing in again in place it can be saved", async () => {
      const other = await (await openContext()).newPage();
      await authenticateAs(other, person);
      await api(other).auth.revokeOtherSessions.mutate();
      const again = page.getByRole("dialog", { name: "Sign in again" });
      await again.getByLabel("Password", { exact: true }).fill(person.password);
      await again.getByRole("button", { name: "Log In" }).click();
      await expect(again).toBeHidden();
      await expect(settings.field("Full name")).toHaveValue("Tara Rao");
      const saved = watchCalls(page, "users.updateProfile");
      await settings.saveProfile();
      await saved();
      // On a quick machine the toast of the save before is there too.
      await expect(page.getByText(MESSAGES.users.profileSaved).last()).toBeVisible();
      await expect(settings.section("Profile").getByText("Not saved yet")).toBeHidden();
    });
  });
});

test("the sessions are listed and end one by one or all at once; the password changes, ends the others, and is refused without losing what is typed", async ({
  page,
  playwright,
  server,
  consoleGuard,
  openContext,
}) => {
  consoleGuard.allow(/Failed to load resource/);
  const person = await insertPerson(server, { name: "Tara Menon" });
  /** A session without a page. */
  const signInElsewhere = async () => {
    const request = await playwright.request.newContext({ baseURL: server.url, userAgent: FIREFOX });
    const { auth } = api({ request });
    await auth.signIn.mutate({ email: person.email, password: person.password, rememberMe: true });
    return auth;
  };
  await authenticateAs(page, person);
  const firefox = await signInElsewhere();
  const settings = new Settings(page);
  const section = settings.section("Sessions");
  const other = await (await openContext()).newPage();
  await test.step("listed by browser, place and time, and ended one by one or all at once", async () => {
    await settings.open();
    const mine = section.getByRole("listitem").filter({ hasText: "This browser" });
    await expect(mine).toContainText("Chrome on Linux");
    await expect(mine).toContainText(/127\.0\.0\.1, since \d{1,2} \w{3,4} \d{4}, \d\d:\d\d/);
    await expect(mine.getByRole("button")).toHaveCount(0);
    await section.getByRole("button", { name: "End session in Firefox on Windows" }).press("Enter");
    await expect(section.getByText("You are not logged in anywhere else.")).toBeVisible();
    await expect(section.getByRole("heading")).toBeFocused();
    expect(await firefox.me.query()).toBeNull();

    await signInElsewhere();
    await signInAs(other, person);
    await lookAgain(page);
    const endOthers = section.getByRole("button", { name: "End all other sessions" });
    await expect(section.getByRole("listitem")).toHaveCount(3);
    await endOthers.click();
    const question = page.getByRole("alertdialog", { name: "End all other sessions" });
    await expect(question.getByRole("button", { name: "Cancel" })).toBeFocused();
    await expectAccessible(page, question);
    await page.keyboard.press("Escape");
    await expect(endOthers).toBeFocused();
    await endOthers.click();
    await question.getByRole("button", { name: "End sessions" }).click();
    await expect(page.getByText("2 other sessions have ended.")).toBeVisible();
    await expect(other).toHaveURL(/\/login/, { timeout: SESSION_END_MS });
    await expect(section.getByRole("listitem")).toHaveCount(1);
    await expect(section.getByRole("heading", { name: "Sessions" })).toBeFocused();
  });
  await test.step("not readable at first, they are asked for again; one that has just ended is no error", async () => {
    await submitLogin(other, person.email, person.password);
    await expect(other).toHaveURL(/\/dashboard/);
    const third = await signInElsewhere();
    await page.route("**/api/trpc/*auth.sessions*", (route) => route.abort());
    await askAgain(page, "auth.sessions");
    await expect(section.getByRole("alert")).toContainText(MESSAGES.general.unreachable);
    await page.unroute("**/api/trpc/*auth.sessions*");
    await section.getByRole("button", { name: "Retry" }).click();
    await expect(section.getByRole("listitem")).toHaveCount(3);

    await third.signOut.mutate();
    await section.getByRole("button", { name: "End session in Firefox on Windows" }).click();
    await expect(section.getByRole("listitem")).toHaveCount(2);
  });
  await test.step("the password is refused in words, and nothing typed is lost", async () => {
    const password = settings.section("Password");
    await settings.changePassword({ current: "", next: "five5", confirm: "other" });
    await expect(password.getByText(MESSAGES.auth.passwordRequired)).toBeVisible();
    await expect(password.getByText(MESSAGES.auth.passwordTooShort)).toBeVisible();
    await expect(password.getByText(MESSAGES.auth.passwordsDiffer)).toBeVisible();
    await settings.changePassword({ current: "not-the-one", next: "harbour-25" });
    await expect(password.getByText(MESSAGES.auth.wrongCurrentPassword)).toBeVisible();
    await expect(settings.field("Current password")).toBeFocused();
    await expect(settings.field("New password")).toHaveValue("harbour-25");
    await expectAccessible(page, password);

    const fieldErrors = { currentPassword: ["Not that one."], newPassword: ["Not this one."] };
    const data = { code: "BAD_REQUEST", httpStatus: 400, kind: "validation", fieldErrors };
    const error = { json: { message: MESSAGES.general.invalid, code: -32_600, data } };
    const refuse = (route: Route) => route.fulfill({ status: 400, json: [{ error }] });
    await page.route("**/api/trpc/auth.changePassword*", refuse, { times: 1 });
    await settings.changePassword({ current: "not-the-one", next: "harbour-25" });
    await expect(password.getByText("Not this one.")).toBeVisible();
    await expect(settings.field("Current password")).toBeFocused();
  });
  await test.step("it changes, keeps this session and ends the others, API keys included; the old one no longer works", async () => {
    const keys = settings.section("API keys");
    await api(page).auth.createApiKey.mutate({ name: "Nightly report", scope: "read" });
    await askAgain(page, "auth.apiKeys");
    await expect(keys.getByRole("listitem")).toContainText("Nightly report");
    await settings.changePassword({ current: person.password, next: "harbour-25" });
    await expect(page.getByText(MESSAGES.auth.passwordChanged)).toBeVisible();
    await expect(page.getByText("All your other sessions have ended.")).toBeVisible();
    await expect(other).toHaveURL(/\/login/, { timeout: SESSION_END_MS });
    await expect(other.getByText(MESSAGES.auth.signedOut)).toBeVisible();
    await expect(settings.field("Current password")).toHaveValue("");
    await expect(section.getByText("You are not logged in anywhere else.")).toBeVisible();
    await expect(keys.getByText("You have no API keys.")).toBeVisible();
    expect(await api(page).auth.me.query()).toMatchObject({ email: person.email });

    await submitLogin(other, person.email, person.password);
    await expect(other.getByRole("alert")).toHaveText(MESSAGES.auth.signInFailed);
    await submitLogin(other, person.email, "harbour-25");
    await expect(other).toHaveURL(/\/dashboard/);
  });
});

test("typed words are asked about before they are left; dark mode, sidebar and shortcuts are kept; a search leads to the board", async ({
  page,
}) => {
  await signIn(page, "rohan@sangam.example");
  const settings = new Settings(page);
  const question = page.getByRole("alertdialog", { name: "Discard changes?" });
  await test.step("a profile asks before typed words are left, and not when something opens over them", async () => {
    await page.getByRole("link", { name: "Settings" }).click();
    await settings.field("Full name").fill("Rohan Rao");
    for (const leave of [() => page.getByRole("link", { name: "Projects" }).click(), () => page.goBack()]) {
      await leave();
      await expect(question).toBeVisible();
      await question.getByRole("button", { name: "Keep editing" }).click();
      await expect(question).toBeHidden();
      await expect(settings.field("Full name")).toHaveValue("Rohan Rao");
      await expect(page).toHaveURL(/\/dashboard\/settings/);
    }
    await page.getByRole("banner").getByRole("button", { name: "Rohan Shah" }).click();
    await expect(page.getByRole("menuitem", { name: "Logout" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(question).toBeHidden();
    // A found file is saved beside the page: the browser has nothing to ask either.
    const palette = await openPalette(page);
    await palette.getByRole("combobox").fill("Week view");
    const saved = page.waitForEvent("download");
    await page.getByRole("option", { name: /^Week view\.webp/ }).click();
    expect((await saved).suggestedFilename()).toBe("Week view.webp");
    await expect(settings.field("Full name")).toHaveValue("Rohan Rao");
    await page.goBack();
    await question.getByRole("button", { name: "Discard" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Projects Board" })).toBeVisible();
    await page.goForward();
    await expect(settings.field("Full name")).toHaveValue("Rohan Shah");
    await settings.field("Full name").fill("Rohan Rao");
    await settings.section("Profile").getByRole("button", { name: "Discard" }).press("Enter");
    await expect(settings.field("Full name")).toHaveValue("Rohan Shah");
    await expect(page.getByRole("button", { name: "Save Changes" })).toBeFocused();
  });
  await test.step("so does the form for a new API key", async () => {
    const keys = settings.section("API keys");
    await keys.getByRole("button", { name: "New API Key" }).click();
    await keys.getByLabel("Name").fill("Nightly report");
    await page.getByRole("link", { name: "Projects" }).click();
    await expect(question).toContainText("What you typed for the new API key will be lost.");
    await question.getByRole("button", { name: "Keep editing" }).click();
    await expect(keys.getByLabel("Name")).toHaveValue("Nightly report");
    await keys.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("link", { name: "Projects" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Projects Board" })).toBeVisible();
    await page.goBack();
  });
  await test.step("what is chosen is kept, and without shortcuts no key acts", async () => {
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

test("settings are reached from every dashboard, and Back leads out of them", async ({ page }) => {
  for (const { email, home } of [
    { email: "asha@sangam.example", home: "/admin" },
    { email: "asha@sangam.example", home: "/dashboard" },
    { email: "meera@sangam.example", home: "/client" },
  ]) {
    if (home === "/dashboard") await goInApp(page, home);
    else await openAs(page, { email, path: home });
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(HEADINGS[home] ?? "");
    await page.getByRole("navigation").getByRole("link", { name: "Settings" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeFocused();
    await expect(page).toHaveTitle("Settings · Sangam");
    expect(new URL(page.url()).pathname).toBe(`${home}/settings`);
    await expect(page.getByRole("link", { name: "Settings", exact: true })).toHaveAttribute("aria-current", "page");
    await expect(page.locator('[aria-current="page"]:visible')).toHaveCount(1);
    if (home === "/dashboard") {
      await page.getByRole("link", { name: "settings of the Admin Dashboard" }).click();
      await expect(page.getByRole("heading", { level: 2, name: "Repository token" })).toBeFocused();
      await page.goBack();
      await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
    }
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(HEADINGS[home] ?? "");
  }
  await page.getByRole("banner").getByRole("button", { name: "Meera Rao" }).click();
  await page.getByRole("menuitem", { name: "Settings" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeFocused();
});

/** As when its person returns to the tab. */
function lookAgain(page: Page): Promise<void> {
  return page.evaluate(() => void window.dispatchEvent(new Event("visibilitychange")));
}

function signInAs(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  return signIn(page, email, password);
}

async function authenticateAs(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await authenticateAnew(page, email, password);
}
