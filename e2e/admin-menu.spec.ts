import { MESSAGES } from "../server/contract/messages";
import { expect, expectAccessible, goInApp, test } from "./fixtures";
import { DEMO_PASSWORD, openAs } from "./pages/account";
import { AllProjects } from "./pages/admin";
import { InquiriesPage } from "./pages/inquiries";
import { openPalette } from "./pages/palette";
import { UsersPage } from "./pages/users";
import { addPerson, insertPerson } from "./people";
import { addProject } from "./projects";

const ADMIN = "asha@sangam.example";

test("on a phone More is a sheet with all the rest; the section one is in is marked in it and in the bar", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await openAs(page, { email: ADMIN, path: "/admin/audit" });
  const more = page.getByRole("navigation").getByRole("button", { name: /^More/ });
  await expect(more).toHaveAttribute("aria-current", "page");
  await expect(page.locator("nav [aria-current=page]:visible")).toHaveCount(1);
  await more.press("Enter");
  const sheet = page.getByRole("dialog", { name: "More" });
  await expect(sheet.getByRole("listitem")).toHaveText([
    /^Requests/,
    /^Activity/,
    /^Inquiries/,
    /^Audit/,
    /^System/,
    /^Switch to Tasks/,
    /^Logout/,
  ]);
  await expect(sheet.getByRole("link", { name: "Audit" })).toHaveAttribute("aria-current", "page");
  await expect(sheet.locator("[aria-current=page]")).toHaveCount(1);
  await expectAccessible(page, sheet);
  await page.keyboard.press("Escape");
  await expect(more).toBeFocused();
  await more.click();
  await sheet.getByRole("button", { name: "Dismiss" }).click();
  await expect(more).toBeFocused();

  await more.click();
  await sheet.getByRole("link", { name: "Activity" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Project Activity" })).toBeFocused();
  await expect(sheet).toHaveCount(0);
  await more.click();
  await sheet.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(/\/login/);
});

test("the badge of Inquiries leads to what it counts; the last row of a list, and a client who stops being one, leave the focus to a heading and say a way on", async ({
  page,
  server,
  admin,
}) => {
  await openAs(page, { email: ADMIN, path: "/admin/inquiries?about=application" });
  const inquiries = new InquiriesPage(page);
  await expect(inquiries.card("Harpreet Singh")).toBeVisible();
  await expect(inquiries.card("Ananya Bose")).toHaveCount(0);
  await page.getByRole("navigation").getByRole("link", { name: "Audit" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Audit" })).toBeFocused();
  await expect(inquiries.menuEntry).toHaveAccessibleName(/\d/);
  const counted = Number(/\d+/.exec((await inquiries.menuEntry.getAttribute("aria-label")) ?? "")?.[0]);
  await inquiries.menuEntry.click();
  await expect(inquiries.tab("New")).toHaveAccessibleName(`New, ${counted} inquiries`);
  await expect(page.getByRole("article")).toHaveCount(counted);

  const palette = await openPalette(page);
  await palette.getByRole("combobox").fill("library ledger");
  await palette.getByRole("option", { name: /Library ledger migration/ }).click();
  await expect(page.getByRole("dialog", { name: "Library ledger migration" })).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/inquiries\?/);
  await page.keyboard.press("Escape");

  const newcomer = await addPerson(admin, { name: "Lone Newcomer", as: "pending" });
  const pending = new UsersPage(page);
  await goInApp(page, "/admin/users?users=pending");
  await page.getByRole("searchbox").fill(newcomer.email);
  const reject = pending.row(newcomer.name).getByRole("button", { name: "Reject Lone Newcomer" });
  await reject.press("Enter");
  const question = page.getByRole("alertdialog", { name: "Reject sign-up" });
  await expect(question).toContainText("Reject this sign-up? The person is told by email.");
  await expect(question.getByRole("button", { name: "Cancel" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(reject).toBeFocused();
  await reject.press("Enter");
  await question.getByRole("button", { name: "Reject" }).press("Enter");
  await expect(page.getByText("Nobody matches this filter")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "Users Management" })).toBeFocused();

  const project = await addProject(admin, "Only one of its name");
  const projects = new AllProjects(page);
  await goInApp(page, `/admin?q=${encodeURIComponent(project.title)}`);
  await projects.header(project.title).focus();
  await admin.projects.delete.mutate({ projectId: project.id });
  await expect(page.getByText(MESSAGES.projects.noneMatch)).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "All Projects" })).toBeFocused();

  await test.step("a client who stops being one under the eyes of an admin", async () => {
    const client = await insertPerson(server, { name: "Passing Client", as: "client" });
    await goInApp(page, "/admin/clients");
    await page.getByRole("link", { name: "Passing Client" }).click();
    // Not that of a toast.
    await page.getByRole("region", { name: "Client view" }).getByRole("button", { name: "Close" }).focus();
    await admin.auth.confirmIdentity.mutate({ password: DEMO_PASSWORD });
    await admin.users.erasePerson.mutate({ userId: client.id });
    await expect(page.getByText(MESSAGES.users.clientNotFound)).toBeVisible();
    await expect(page.getByRole("heading", { level: 1, name: "Client not found" })).toBeFocused();
    await expect(page).toHaveTitle("Client not found · Sangam");
    await page.getByRole("link", { name: "Choose a client" }).press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "See as a client" })).toBeFocused();
    await expect(page.getByRole("link", { name: "Passing Client" })).toHaveCount(0);
  });
});
