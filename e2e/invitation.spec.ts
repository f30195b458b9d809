import { makeUser } from "../db/factories";
import { MESSAGES } from "../server/contract/messages";
import { expect, expectAccessible, expectFits, test } from "./fixtures";
import { linkIn, waitForMail } from "./mail";
import { authenticate } from "./pages/account";
import { UsersPage } from "./pages/users";
import { insertPerson } from "./people";
import { createProject } from "./projects";
import { writeRows } from "./rows";
import { hold } from "./traffic";

const SUBJECT = "Asha Kulkarni invites you to Sangam";
const PASSWORD = "monsoon-24";

test("a client is invited with a project, accepts once by a link that was opened before, and is in it; another admin watches", async ({
  page,
  openContext,
  server,
  admin,
}) => {
  const email = "tara@invited.example";
  await createProject(admin, { title: "Lantern festival" });
  await createProject(admin, { title: "Kite season" });
  const vikram = await (await openContext()).newPage();
  await authenticate(vikram, "vikram@sangam.example");
  const watched = new UsersPage(vikram);
  await watched.open("invited");
  await expect(vikram.getByText("No open invitations")).toBeVisible();

  await authenticate(page, "asha@sangam.example");
  const users = new UsersPage(page);
  await users.open("invited");
  const invite = page.getByRole("button", { name: "Invite people" }).first();
  await invite.click();
  const dialog = page.getByRole("dialog", { name: "Invite people" });
  const send = dialog.getByRole("button", { name: "Send invitation" });
  await expect(dialog.getByLabel("Full name")).toBeFocused();

  await test.step("what is wrong is said by its field, and nothing typed is lost", async () => {
    await send.click();
    await expect(dialog.getByText("Please enter your full name.")).toBeVisible();
    await dialog.getByLabel("Full name").fill("Tara Joshi");
    await dialog.getByLabel("Email").fill("meera@sangam.example");
    await send.click();
    await expect(dialog.getByRole("alert")).toContainText("There is already an account with this email.");
    await expect(dialog.getByLabel("Full name")).toHaveValue("Tara Joshi");
    await page.keyboard.press("Escape");
    await page
      .getByRole("alertdialog", { name: "Discard changes?" })
      .getByRole("button", { name: "Keep editing" })
      .click();
    await dialog.getByLabel("Email").fill(email);
    await dialog.getByLabel("Account type").selectOption("client");
    await dialog.getByLabel("Projects").fill("lantern");
    await page.getByRole("option", { name: "Lantern festival" }).click();
    await expectAccessible(page, dialog);
    await send.click();
  });
  await expect(dialog).toBeHidden();
  await expect(invite).toBeFocused();
  const card = vikram.getByRole("listitem").filter({ hasText: email });
  await expect(card).toContainText("Projects: Lantern festival");
  await expect(vikram.getByRole("tab", { name: "Invitations, 1 invitation" })).toBeVisible();
  await expectAccessible(vikram, vikram.getByRole("main"));
  await expectFits(vikram, 360, 1280);

  const mail = await waitForMail(server, { to: email, subject: SUBJECT });
  const visitor = await (await openContext()).newPage();
  const { pathname, search } = new URL(linkIn(mail));
  const scanned = await visitor.request.get(`${pathname}${search}`);
  expect(scanned.headers()["referrer-policy"]).toBe("no-referrer");
  await visitor.goto(`${pathname}${search}`);
  await expect(visitor).toHaveURL(/\/invitation$/);
  const accept = visitor.getByRole("button", { name: "Accept invitation" });
  await visitor.getByLabel("New password").fill(PASSWORD);
  await visitor.getByLabel("Confirm password").fill(PASSWORD);
  await accept.click();
  await expect(visitor.getByRole("checkbox")).toBeFocused();
  await expect(visitor.getByText(MESSAGES.auth.termsRequired)).toBeVisible();
  await expectAccessible(visitor);
  await visitor.getByRole("checkbox").check();
  await accept.click();
  await expect(visitor.getByText(MESSAGES.invitations.accepted)).toBeVisible();
  await expect(visitor.getByRole("link", { name: "Log in" })).toBeFocused();
  await visitor.keyboard.press("Enter");
  await expect(visitor.getByLabel("Email")).toHaveValue(email);
  await visitor.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await visitor.keyboard.press("Enter");
  await expect(visitor).toHaveURL(/\/client/);
  await expect(visitor.getByText("Lantern festival").first()).toBeVisible();
  await expect(vikram.getByText("No open invitations")).toBeVisible();

  await visitor.goto(`${pathname}${search}`);
  await visitor.getByLabel("New password").fill("another-24");
  await visitor.getByLabel("Confirm password").fill("another-24");
  await visitor.getByRole("checkbox").check();
  await accept.click();
  await expect(visitor.getByRole("alert")).toContainText(MESSAGES.invitations.linkDead);
  await expect(visitor.getByLabel("New password")).toHaveValue("another-24");
});

test("imported people are invited from their menu; resending and withdrawing hand the focus on", async ({
  page,
  server,
}) => {
  const names = ["Imported One", "Imported Two"];
  // The newest stand first, however many people other tests have left.
  const loggedIn = await insertPerson(server, { name: "Usha Kale" });
  await writeRows(server, async (db) => {
    for (const name of names)
      await makeUser(db, { name, email: `${name.replace(" ", ".").toLowerCase()}@firm.example` });
  });
  await authenticate(page, "asha@sangam.example");
  const users = new UsersPage(page);
  await users.open();
  // Not the one that still fades out, whose entries are alike.
  const menu = page.locator('[role="menu"][data-open]');
  await test.step("what is under way says so, and cannot be chosen once more", async () => {
    const answer = hold();
    await page.route("**/users.sendInvitation*", answer.handler);
    await users.choose("Imported One", "Send invitation");
    await expect(page.getByText("Sending the invitation to Imported One")).toBeAttached();
    await users.row("Imported One").getByRole("button", { name: "More actions" }).click();
    await expect(menu.getByRole("menuitem", { name: "Sending invitation..." })).toBeDisabled();
    await page.keyboard.press("Escape");
    answer.release();
    await expect(page.getByText(MESSAGES.invitations.sent("Imported One"))).toBeVisible();
    await page.unroute("**/users.sendInvitation*");
  });
  for (const name of names.slice(1)) {
    await users.choose(name, "Send invitation");
    await expect(page.getByText(MESSAGES.invitations.sent(name))).toBeVisible();
  }
  await users.row(loggedIn.name).getByRole("button", { name: "More actions" }).click();
  await expect(menu.getByRole("menuitem", { name: "Deactivate" })).toBeVisible();
  await expect(menu.getByRole("menuitem", { name: "Send invitation" })).toHaveCount(0);
  await page.keyboard.press("Escape");
  const invitations = page.getByRole("tab", { name: /Invitations/ });
  await invitations.click();
  await test.step("closing the dialog leaves no entry behind: Back leads to what came before it", async () => {
    await page.getByRole("button", { name: "Invite people" }).first().click();
    await expect(page.getByLabel("Full name")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
    await page.goBack();
    await expect(page.getByRole("tab", { name: /All Users/, selected: true })).toBeVisible();
    await invitations.click();
  });
  const button = (verb: string, name: string) =>
    page.getByRole("button", { name: `${verb} the invitation to ${name}` });
  await button("Resend", "Imported One").click();
  await expect(page.getByText(MESSAGES.invitations.resent)).toBeVisible();
  await expect(button("Resend", "Imported One")).toBeFocused();
  for (const name of names) {
    await button("Withdraw", name).click();
    await users.confirm("Withdraw");
    await expect(button("Withdraw", name)).toHaveCount(0);
    if (name === "Imported One") await expect(button("Resend", "Imported Two")).toBeFocused();
  }
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
});
