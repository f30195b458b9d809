import { auditEvents } from "../db/schema";
import { MESSAGES } from "../server/contract/messages";
import { api, askAgain, replaceAnswer } from "./api";
import { expect, expectAccessibleInBothThemes, goInApp, test } from "./fixtures";
import { authenticate, signIn } from "./pages/account";
import { AuditPage } from "./pages/audit";
import { addPerson } from "./people";
import { addProject } from "./projects";
import { writeRows } from "./rows";
import { hold } from "./traffic";

const ADMIN = "asha@sangam.example";
const LIST = /audit\.list/;

// A request may still be open.
test.afterEach(({ page }) => page.unrouteAll({ behavior: "ignoreErrors" }));

test("loading, none and failed are three faces; tells in sentences who did what to whom, newest first, and is filtered by person and kind; an action shows without a reload, in another admin's window too; a long history is read on", async ({
  page,
  openContext,
  consoleGuard,
  server,
}) => {
  consoleGuard.allow(/net::ERR_FAILED .*audit\.list/);
  await signIn(page, ADMIN);
  const audit = new AuditPage(page);
  await test.step("loading and failed", async () => {
    const held = hold((route) => route.abort());
    await page.route(LIST, held.handler);
    await page.getByRole("navigation").getByRole("link", { name: "Audit" }).click();
    await expect(audit.heading).toBeFocused();
    await expect(page).toHaveTitle("Audit · Sangam");
    await expect(page.getByText("Loading the audit")).toBeAttached();
    held.release();
    await expect(page.getByRole("alert")).toContainText(MESSAGES.general.unreachable);
    await page.unrouteAll({ behavior: "wait" });
    await page.getByRole("button", { name: "Retry" }).press("Enter");
    await expect(audit.lines).not.toHaveCount(0);
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  });
  await expect(audit.line("Asha Kulkarni approved Meera Rao as client")).toBeVisible();
  await expect(audit.line("Vikram Menon rejected Ravi Bhatt")).toBeVisible();
  await expect(audit.line("The server made Asha Kulkarni an admin").locator("svg")).toBeVisible();
  const instants = await page
    .locator("main ol time")
    .evaluateAll((all) => all.map((one) => one.getAttribute("datetime")));
  expect(instants).toEqual(instants.toSorted().reverse());
  expect(await page.getByRole("main").getByRole("heading", { level: 2 }).count()).toBeGreaterThan(3);

  await test.step("filters stand in the address; clearing brings all of it back", async () => {
    await audit.person.click();
    await expect(page.getByRole("option", { name: "Ravi Bhatt" })).toBeVisible();
    const options = page.getByRole("listbox");
    await expectAccessibleInBothThemes(page, options);
    await page.keyboard.press("Escape");
    await expect(audit.person).toBeFocused();

    await audit.choosePerson("Ravi Bhatt");
    await expect(audit.lines).toHaveCount(1);
    await expect(audit.line("Vikram Menon rejected Ravi Bhatt")).toBeVisible();
    await expect(page).toHaveURL(/person=[0-9a-f-]{36}/);
    await expect(audit.person).toHaveAccessibleName("Filter by person: Ravi Bhatt");
    await expect(audit.person).toBeFocused();
    await page.reload();
    await expect(audit.person).toHaveAccessibleName("Filter by person: Ravi Bhatt");
    await expect(audit.lines).toHaveCount(1);

    await audit.kind.selectOption("Password reset");
    await expect(page).toHaveURL(/kind=password\.reset/);
    await expect(page.getByText("Nothing matches these filters")).toBeVisible();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(audit.line("Asha Kulkarni approved Meera Rao as client")).toBeVisible();
    await expect(page).not.toHaveURL(/person|kind/);
    await expect(audit.heading).toBeFocused();
    await expect(audit.kind).toHaveValue("");

    await audit.choosePerson("Vikram Menon");
    await expect(audit.line("The server made Vikram Menon an admin")).toBeVisible();
    await audit.choosePerson("Everyone");
    await expect(page).not.toHaveURL(/person/);
    await goInApp(page, "/admin/audit?person=nobody&kind=coffee.made");
    await expect(audit.line("Asha Kulkarni approved Meera Rao as client")).toBeVisible();
  });

  await test.step("an action shows without a reload, in another admin's window too", async () => {
    const other = await (await openContext()).newPage();
    await authenticate(other, "vikram@sangam.example");
    await goInApp(page, "/admin/audit");
    await addPerson(api(other), { name: "Live Person" });
    await expect(audit.line("Vikram Menon approved Live Person as user")).toBeVisible();
    const project = await addProject(api(other), "Short lived");
    const projectId = project.id;
    await api(other).projects.update.mutate({ projectId, version: 1, patch: { clientCollaboration: true } });
    await api(other).signOffs.ask.mutate({ projectId, all: true, note: "Before it goes." });
    await api(other).projects.delete.mutate({ projectId });
    await expect(audit.line(`Vikram Menon deleted the project ${project.title}`)).toBeVisible();
    await test.step("a sign-off outlives its project, and is found here", async () => {
      await audit.line("Vikram Menon asked for a sign-off of").getByRole("link", { name: project.title }).click();
      await expect(page.getByRole("heading", { level: 1, name: `Sign-off: ${project.title}` })).toBeVisible();
      await expect(page.getByText("Before it goes.")).toBeVisible();
    });
  });

  await test.step("what is older is read on by Show more, which leaves the focus where it was", async () => {
    const event = { kind: "project.deleted" as const, details: { title: "Gone" } };
    await writeRows(server, async (db) => void (await db.insert(auditEvents).values(Array(45).fill(event))));
    await goInApp(page, "/admin/audit");
    await expect(audit.heading).toBeVisible();
    await askAgain(page, "audit.list");
    await expect(audit.lines).toHaveCount(50);
    await page.getByRole("button", { name: "Show more" }).press("Enter");
    await expect(audit.line("The server made Asha Kulkarni an admin")).toBeVisible();
    await expect(page.getByRole("button", { name: "Show more" })).toHaveCount(0);
    await expect(page.locator(":focus")).toHaveCount(1);
  });

  await test.step("none", async () => {
    await replaceAnswer(page, "audit.list", () => ({ items: [], nextCursor: null }));
    await askAgain(page, "audit.list");
    await expect(page.getByText("Nothing has been recorded yet")).toBeVisible();
    await expect(page.getByRole("button", { name: "Clear filters" })).toHaveCount(0);
  });
});
