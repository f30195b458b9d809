import { MESSAGES } from "../server/contract/messages";
import { expect, expectAccessible, goInApp, test } from "./fixtures";
import { linkIn, mailsTo, waitForMail } from "./mail";
import { authenticate, signUp } from "./pages/account";
import { UsersPage } from "./pages/users";
import { addPerson } from "./people";

const SUBJECT = "Confirm your email for Sangam";
const UNCONFIRMED = "Email not confirmed";
const { sent, sentAgain, confirmed, linkDead } = MESSAGES.emailConfirmation;

test("an address is confirmed by a press on the page of its link, once; an open list of people follows, and says who is approved unconfirmed", async ({
  page,
  openContext,
  server,
  admin,
}) => {
  const email = "ila@firm.example";
  const asha = await (await openContext()).newPage();
  await authenticate(asha, "asha@sangam.example");
  const users = new UsersPage(asha);
  await users.open("pending");

  await signUp(page, { name: "Ila Modak", email, mobile: "+91 98200 12345", password: "monsoon-24" });
  const dialog = page.getByRole("dialog", { name: "Check your email" });
  await expect(dialog).toContainText(MESSAGES.auth.signUpDone);
  await expect(dialog).toContainText(sent);
  const first = await waitForMail(server, { to: email, subject: SUBJECT });
  await dialog.getByRole("button", { name: "Send again" }).click();
  await expect(dialog.getByRole("status")).toHaveText(sentAgain);
  await expectAccessible(page, dialog);
  const second = await waitForMail(server, { to: email, subject: SUBJECT, after: 1 });
  await dialog.getByRole("button", { name: "Go to login" }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(users.row("Ila Modak")).toContainText(UNCONFIRMED);

  const { pathname, search } = new URL(linkIn(second));
  const opened = await page.goto(`${pathname}${search}`);
  expect(opened?.headers()["referrer-policy"]).toBe("no-referrer");
  const confirm = page.getByRole("button", { name: "Confirm email" });
  await expect(confirm).toBeVisible();
  await page.reload();
  await expect(confirm).toBeVisible();
  const { items } = await admin.users.list.query({ status: "pending", q: email });
  expect(items).toMatchObject([{ emailVerified: false }]);
  await confirm.click();
  await expect(page.getByRole("status").filter({ hasText: confirmed })).toBeVisible();
  await expect(page.getByRole("link", { name: "log in" })).toBeFocused();
  await expect(users.row("Ila Modak")).toBeVisible();
  await expect(users.row("Ila Modak")).not.toContainText(UNCONFIRMED);

  // That a used link is dead too, server/auth/email-confirmation.test.ts says.
  await test.step("the link that was sent before leads to a new one, and nobody learns more", async () => {
    const url = new URL(linkIn(first));
    await page.goto(`${url.pathname}${url.search}`);
    await confirm.click();
    await expect(page.getByRole("alert")).toContainText(linkDead);
    await expect(page.getByLabel("Email")).toBeFocused();
    await expectAccessible(page, page.getByRole("main"));
    for (const address of [email, "nobody@nowhere.example"]) {
      await page.getByLabel("Email").fill(address);
      await page.getByRole("button", { name: "Send link" }).click();
      await expect(page.getByRole("status").filter({ hasText: sentAgain })).toBeVisible();
    }
    await waitForMail(server, { to: await signUpAnother(), subject: SUBJECT });
    expect(mailsTo(server, email).filter(({ subject }) => subject === SUBJECT)).toHaveLength(2);
    expect(mailsTo(server, "nobody@nowhere.example")).toEqual([]);
  });

  await test.step("somebody unconfirmed may be approved, and row, button, toast and audit say so", async () => {
    await addPerson(admin, { name: "Kanta Bapat", as: "pending" });
    await expect(users.row("Nikhil Patil")).not.toContainText(UNCONFIRMED);
    const row = users.row("Kanta Bapat");
    await expect(row).toContainText(UNCONFIRMED);
    const approve = row.getByRole("button", { name: "Approve Kanta Bapat" });
    await expect(approve).toHaveAccessibleDescription(UNCONFIRMED);
    await expectAccessible(asha, row);
    await approve.click();
    const toast = asha.locator("[data-sonner-toast]").filter({ hasText: MESSAGES.users.approved("user") });
    await expect(toast).toContainText(MESSAGES.users.approvedUnconfirmed);
    await asha.getByRole("tab", { name: /^Active Users/ }).click();
    await expect(users.row("Kanta Bapat")).toContainText(UNCONFIRMED);
    await expect(users.row("Asha Kulkarni")).not.toContainText(UNCONFIRMED);
    await goInApp(asha, "/admin/audit");
    await expect(asha.getByText("Asha Kulkarni approved Kanta Bapat as user, email not confirmed")).toBeVisible();
  });

  /** Mails go out in order: once this person's is out, so are those that were asked for before. */
  async function signUpAnother(): Promise<string> {
    return (await addPerson(admin, { name: "Jui Modak" })).email;
  }
});
