import { MESSAGES } from "../server/contract/messages";
import { api, askAgain } from "./api";
import { expect, expectAccessible, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { Settings } from "./pages/settings";
import { insertPerson } from "./people";

const data = { code: "FORBIDDEN", httpStatus: 403, kind: "domain", reason: "reauthentication-required" };
const PROOF_REQUIRED = {
  status: 403,
  json: [{ error: { json: { message: MESSAGES.twoFactor.proofRequired, code: -32_003, data } } }],
};

test("an API key is made, shown once, works, and ends when it is revoked", async ({ page, server, consoleGuard }) => {
  const person = await insertPerson(server, { name: "Tara Menon" });
  await authenticate(page, person.email, person.password);
  const settings = new Settings(page);
  await settings.open();
  const keys = settings.section("API keys");
  await expect(keys.getByText("You have no API keys.")).toBeVisible();
  await keys.getByRole("button", { name: "New API Key" }).click();
  await expect(keys.getByLabel("Name")).toBeFocused();
  await keys.getByRole("button", { name: "Cancel" }).click();
  await expect(keys.getByRole("button", { name: "New API Key" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(keys.getByLabel("Name")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(keys.getByRole("button", { name: "New API Key" })).toBeFocused();
  await page.keyboard.press("Enter");

  await test.step("what cannot be is told at its field, and a failure loses nothing", async () => {
    await keys.getByRole("button", { name: "Create Key" }).click();
    await expect(keys.getByText(MESSAGES.apiKeys.nameRequired)).toBeVisible();
    await expect(keys.getByLabel("Name")).toBeFocused();
    await keys.getByLabel("Name").fill("Nightly report");
    await keys.getByLabel("Expires after").selectOption("30 days");
  });

  await test.step("after 15 minutes the password is asked for again, and what was typed is sent", async () => {
    consoleGuard.allow(/Failed to load resource/);
    await page.route(/auth\.createApiKey/, (route) => route.fulfill(PROOF_REQUIRED), { times: 2 });
    await keys.getByRole("button", { name: "Create Key" }).click();
    const question = page.getByRole("dialog", { name: "Confirm that it's you" });
    await expect(question).toBeVisible();
    // With the focus lost, Escape is the browser's own request to close it.
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await page.keyboard.press("Escape");
    await expect(question).toHaveCount(0);
    await expect(keys.getByRole("alert")).toContainText(MESSAGES.twoFactor.proofRequired);
    await keys.getByRole("button", { name: "Create Key" }).click();
    await expect(question.getByLabel("Password", { exact: true })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(question.getByText(MESSAGES.auth.passwordRequired)).toBeVisible();
    await page.keyboard.type("a-guess");
    await page.keyboard.press("Enter");
    await expect(question.getByText(MESSAGES.twoFactor.wrongPassword)).toBeVisible();
    await expectAccessible(page, question);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(person.password);
    await page.keyboard.press("Enter");
    await expect(question).toHaveCount(0);
  });
  const field = keys.getByRole("textbox", { name: "API key Nightly report" });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue(/^sgm_[\w-]{43}$/);
  const authorization = `Bearer ${await field.inputValue()}`;
  await expectAccessible(page, keys);
  const ask = async () => (await fetch(`${server.url}/api/trpc/tasks.mine`, { headers: { authorization } })).status;
  expect(await ask()).toBe(200);

  await keys.getByRole("button", { name: "Done" }).click();
  await expect(field).toHaveCount(0);
  const row = keys.getByRole("listitem");
  // That it was used is noted after its answer.
  await expect.poll(async () => (await api(page).auth.apiKeys.query())[0]?.lastUsedAt ?? null).not.toBeNull();
  await askAgain(page, "auth.apiKeys");
  await expect(row).toContainText("last used");
  await expect(row).toContainText("Nightly report");
  await expect(row).toContainText("Read only");
  await expect(row).toContainText(`Ends in ${authorization.slice(-4)}`);

  const revoke = row.getByRole("button", { name: "Revoke Nightly report" });
  await revoke.click();
  await page.keyboard.press("Escape");
  await expect(revoke).toBeFocused();
  await revoke.click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText(MESSAGES.apiKeys.revoked)).toBeVisible();
  await expect(row).toHaveCount(0);
  await expect(keys.getByRole("button", { name: "New API Key" })).toBeFocused();
  expect(await ask()).toBe(401);
});
