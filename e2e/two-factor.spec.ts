import type { Page } from "@playwright/test";
import { type TOTP, URI } from "otpauth";
import { MESSAGES } from "../server/contract/messages";
import { drawn, expect, expectAccessible, expectAccessibleEverywhere, goInApp, test } from "./fixtures";
import { authenticate, submitLogin } from "./pages/account";
import { Settings } from "./pages/settings";
import { insertPerson, type Person } from "./people";
import { hold, Traffic } from "./traffic";

const STEP_MS = 30_000;

test("two-factor sign-in: set up, asked for, forgotten by a remembered browser, a recovery code, turned off", async ({
  page,
  openContext,
  server,
}) => {
  const person = await insertPerson(server, { name: "Uma Nair" });
  await authenticate(page, person.email, person.password);
  const settings = new Settings(page);
  await settings.open();
  const section = settings.section("Two-factor sign-in");
  const code = page.getByLabel("Code", { exact: true });
  let app: TOTP;
  let recoveryCodes: string[] = [];

  await test.step("the password, the app and a first code turn it on", async () => {
    await section.getByRole("button", { name: "Set Up" }).click();
    await expect(section.getByLabel("Your password")).toBeFocused();
    await page.keyboard.type("a-guess");
    await page.keyboard.press("Enter");
    await expect(section.getByText(MESSAGES.twoFactor.wrongPassword)).toBeVisible();
    await section.getByLabel("Your password").fill(person.password);
    await page.keyboard.press("Enter");
    await expect(section.getByRole("heading", { name: "1. Add Sangam to your app" })).toBeFocused();
    await expect(section.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
    app = URI.parse(
      `otpauth://totp/Sangam?secret=${(await section.locator("code").innerText()).replaceAll(" ", "")}`,
    ) as TOTP;
    const codes = section.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
    recoveryCodes = await codes.allInnerTexts();
    expect(recoveryCodes).toHaveLength(10);
    const download = page.waitForEvent("download");
    await section.getByRole("button", { name: "Download codes" }).click();
    expect((await download).suggestedFilename()).toBe("sangam-recovery-codes.txt");
    await code.fill(wrongCode(app));
    await page.keyboard.press("Enter");
    await expect(section.getByText(MESSAGES.twoFactor.wrongCode)).toBeVisible();
    await expect(codes).toHaveText(recoveryCodes);
    await expectAccessibleEverywhere(page, { within: section });
    await code.fill(app.generate());
    await page.keyboard.press("Enter");
    await expect(section.getByText("10 of 10 recovery codes left.")).toBeVisible();
    await expect(section.getByRole("button", { name: "New Recovery Codes" })).toBeFocused();
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step("a wrong code says so and loses nothing; the right one logs in", async () => {
    await logOut(page);
    await logIn(page, person);
    await expect(code).toBeFocused();
    await code.fill(wrongCode(app));
    await page.getByLabel("Remember this browser for 30 days").check();
    await page.keyboard.press("Enter");
    await expect(page.getByText(MESSAGES.twoFactor.wrongCode)).toBeVisible();
    await expect(code).toBeFocused();
    await expect(page.getByLabel("Remember this browser for 30 days")).toBeChecked();
    await expectAccessibleEverywhere(page, { widths: [360], within: page.getByRole("main") });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("button", { name: "Back" }).click();
    await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
    await expect(page.getByLabel("Email")).toHaveValue(person.email);
    await page.keyboard.press("Enter");
    // A code is taken once: this is the one after that of the set-up.
    await code.fill(app.generate({ timestamp: Date.now() + STEP_MS }));
    await page.getByLabel("Remember this browser for 30 days").check();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/dashboard/);
  });

  await test.step("this browser is remembered; another one is asked, and takes each recovery code once", async () => {
    await logOut(page);
    await logIn(page, person);
    await expect(page).toHaveURL(/\/dashboard/);
    const other = await (await openContext()).newPage();
    const otherCode = other.getByLabel("Code", { exact: true });
    const traffic = new Traffic(other);
    await other.goto("/login");
    await logIn(other, person);
    await otherCode.fill(recoveryCodes[0] ?? "");
    await other.keyboard.press("Enter");
    await expect(other).toHaveURL(/\/dashboard/);
    // A session that ends while one types is taken up again by both steps, and what was typed is still there.
    await goInApp(other, "/dashboard?modal=create");
    const create = other.getByRole("dialog", { name: "Create New Project" });
    await create.getByLabel("Title").fill("Tide table");
    await create.getByLabel("Description").fill("Of the harbour.");
    await traffic.settled();
    await other.context().clearCookies();
    await create.getByRole("button", { name: "Create Project" }).click();
    const again = other.getByRole("dialog", { name: "Sign in again" });
    await again.getByLabel("Password", { exact: true }).fill(person.password);
    await other.keyboard.press("Enter");
    await expect(otherCode).toBeFocused();
    await otherCode.fill(recoveryCodes[0] ?? "");
    await other.keyboard.press("Enter");
    await expect(other.getByText(MESSAGES.twoFactor.wrongCode)).toBeVisible();
    await otherCode.fill(recoveryCodes[2] ?? "");
    await other.keyboard.press("Enter");
    await expect(again).toBeHidden();
    await expect(create.getByLabel("Title")).toHaveValue("Tide table");
  });

  await test.step("new recovery codes replace the others; it is turned off with the password and a code", async () => {
    await goInApp(page, "/dashboard/settings");
    await expect(section.getByText("8 of 10 recovery codes left.")).toBeVisible();
    await section.getByRole("button", { name: "New Recovery Codes" }).click();
    const codes = section.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
    await expect(codes).toHaveCount(10);
    const [renewed = ""] = await codes.allInnerTexts();
    await section.getByRole("button", { name: "Turn Off" }).click();
    await expect(section.getByLabel("Your password")).toBeFocused();
    await page.keyboard.type(person.password);
    await code.fill(recoveryCodes[1] ?? "");
    const call = hold();
    await page.route("**/auth.disableTwoFactor*", call.handler, { times: 1 });
    await page.keyboard.press("Enter");
    await expect(section.getByRole("button", { name: "Turning off..." })).toBeVisible();
    await section.getByRole("button", { name: "Cancel" }).press("Enter");
    await drawn(page);
    await expect(code).toBeVisible();
    call.release();
    await expect(section.getByText(MESSAGES.twoFactor.wrongCode)).toBeVisible();
    await expect(section.getByLabel("Your password")).toHaveValue(person.password);
    await expectAccessible(page, section);
    await code.fill(renewed);
    await page.keyboard.press("Enter");
    await expect(section.getByRole("button", { name: "Set Up" })).toBeFocused();
    await expect(codes).toHaveCount(0);
  });
});

async function logOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Uma Nair" }).click();
  await page.getByRole("menuitem", { name: "Logout" }).click();
  await expect(page).toHaveURL(/\/login/);
}

function logIn(page: Page, { email, password }: Person): Promise<void> {
  return submitLogin(page, email, password);
}

function wrongCode(app: TOTP): string {
  // Far from every code that is taken now.
  return app.generate({ timestamp: Date.now() - 100 * STEP_MS });
}
