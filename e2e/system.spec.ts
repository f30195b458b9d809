import { refuse, replaceAnswer } from "./api";
import { expect, test } from "./fixtures";
import { waitForMail } from "./mail";
import { openAs } from "./pages/account";

test("System shows how fast a page was when it is left, makes a backup and sends a test mail", async ({
  page,
  server,
}) => {
  const code = page.waitForResponse(/web-vitals/);
  await page.goto("/kartavya");
  // Wait until the measuring code has run; the page imports the same address.
  await page.evaluate(`import(${JSON.stringify((await code).url())}).then(() => undefined)`);
  await page.getByRole("button", { name: "Read More, Flexible Shifts" }).click();
  await replaceAnswer(page, "overview.replyTimes", () => []);
  await openAs(page, { email: "asha@sangam.example", path: "/admin/system" });
  const replyTime = page.getByRole("region", { name: "Reply time" });
  await expect(replyTime).toContainText("No client has been answered yet.");
  await page.unrouteAll({ behavior: "wait" });
  await refuse(page, "overview.replyTimes");
  const row = page.getByRole("table", { name: /Page speed/ }).getByRole("row", { name: /\/kartavya/ });
  // The beacon can reach the server after the next page has loaded.
  await expect(async () => {
    await page.reload();
    await expect(row).toContainText(/\d ms/, { timeout: 5_000 });
  }).toPass();
  // All columns are in view beside the open sidebar.
  const box = page.getByRole("region", { name: "Page speed, 75th percentiles" });
  expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);

  await test.step("reply times that cannot be read say so, and Retry brings the newest month's and the earlier ones", async () => {
    const failure = page.getByRole("alert").filter({ hasText: "Reply times could not be read." });
    await expect(failure).toBeVisible();
    await page.unrouteAll({ behavior: "wait" });
    const month = { answers: 3, medianMinutes: 95, medianDays: 0 };
    await replaceAnswer(page, "overview.replyTimes", () => [
      { month: "2026-11", ...month },
      { month: "2026-10", ...month, answers: 1 },
    ]);
    await failure.getByRole("button", { name: "Retry" }).click();
    await expect(replyTime).toContainText("median of Nov 2026, 3 answers");
    await expect(replyTime.getByRole("list", { name: "Reply time of earlier months" })).toHaveText(
      /Oct 2026.*1 answer$/,
    );
    await page.unrouteAll({ behavior: "wait" });
  });
  await test.step("a backup is made on demand, and says so by itself", async () => {
    const backups = page.getByRole("region", { name: "Backups" });
    await backups.getByRole("button", { name: "Back up now" }).press("Enter");
    await expect(backups.getByRole("status")).toHaveText(
      /^The last backup, today \d\d:\d\d, was read back and is complete/,
      { timeout: 90_000 },
    );
    await expect(backups.getByRole("button", { name: "Back up now" })).toBeFocused();
  });
  await test.step("the answer to a test mail is shown beside its form", async () => {
    const form = page.getByRole("form", { name: "Test email" });
    const to = form.getByLabel("Send a test email to");
    await expect(to).toHaveValue("asha@sangam.example");
    await to.fill("nobody");
    await to.press("Enter");
    await expect(to).toHaveAccessibleDescription(/Enter an email address/);
    await to.fill("operations@sangam.example");
    await to.press("Enter");
    await expect(form.getByRole("alert")).toContainText("the email is a file in the outbox folder");
    await waitForMail(server, { to: "operations@sangam.example", subject: "Sangam: a test email" });
  });
});
