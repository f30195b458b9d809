import { randomUUID } from "node:crypto";
import { MESSAGES } from "../server/contract/messages";
import { expect, test } from "./fixtures";
import { authenticate } from "./pages/account";
import { UsersPage } from "./pages/users";
import { addPerson } from "./people";

const ADMIN = "asha@sangam.example";

test("Users Management has the specification's subtabs, columns, choices and sentences", async ({
  page,
  consoleGuard,
  admin,
}) => {
  consoleGuard.allow(/Failed to load resource/);
  const name = `Wren ${randomUUID().slice(0, 8)}`;
  await addPerson(admin, { name, as: "pending" });
  await authenticate(page, ADMIN);
  const users = new UsersPage(page);
  await users.open();
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
});
