import { inquiries as inquiriesTable } from "../db/schema";
import { rowsOf } from "../db/writes";
import { MESSAGES } from "../server/contract/messages";
import { replaceAnswer } from "./api";
import { expect, expectAccessible, goInApp, test } from "./fixtures";
import { authenticate, openAs, signIn } from "./pages/account";
import { InquiriesPage, submitInquiry } from "./pages/inquiries";
import { writeRows } from "./rows";

const ADMIN = "asha@sangam.example";
const OTHER_ADMIN = "vikram@sangam.example";
const LIST = /inquiries\.list/;

// A request may still be open.
test.afterEach(({ page }) => page.unrouteAll({ behavior: "ignoreErrors" }));

test("an admin sees who wrote, when and about what, answers by mail, and changes its status, which others see at once; a phone has it under More and fits absurd words", async ({
  page,
  openContext,
  admin,
  consoleGuard,
}) => {
  consoleGuard.allow(/Failed to load resource/);
  await signIn(page, ADMIN);
  const inquiries = new InquiriesPage(page);
  await expect(inquiries.menuEntry).toHaveAccessibleName("Inquiries, 3 new");
  await inquiries.menuEntry.click();
  await expect(inquiries.heading).toBeFocused();
  await expect(page).toHaveTitle("Inquiries · Sangam");
  await expect(page).toHaveURL(/inquiries=new/);
  await expect(inquiries.tab("New")).toHaveAccessibleName("New, 3 inquiries");

  const contact = inquiries.card("Ananya Bose");
  await expect(contact).toContainText("Contact: Project · ");
  await expect(contact).toContainText("ananya@teagarden.example · Dooars Tea Estates");
  await expect(contact.locator("time")).toHaveAttribute("datetime", /Z$/);
  for (const name of ["ananya@teagarden.example", "Reply by email to Ananya Bose"])
    await expect(contact.getByRole("link", { name })).toHaveAttribute(
      "href",
      "mailto:ananya@teagarden.example?subject=Re%3A%20Your%20inquiry%20(Project)",
    );
  await expect(contact).not.toContainText("previous manager");
  await contact.getByRole("button", { name: "Show full message, Ananya Bose" }).press("Enter");
  await expect(contact).toContainText("There is an old system of the previous manager too");
  await expect(contact.getByRole("button", { name: "Hide full message, Ananya Bose" })).toBeFocused();

  const application = inquiries.card("Harpreet Singh");
  await expect(application).toContainText("Application: Paid internship · ");
  await expect(application.getByRole("link", { name: "+91 98150 22334" })).toHaveAttribute("href", "tel:+919815022334");
  await expect(inquiries.card("زينب حداد").getByText("مرحبا")).toHaveCSS("direction", "rtl");

  await test.step("a change that fails says so, leaves the row as it was and the focus on the button", async () => {
    await submitInquiry(admin, { name: "Unlucky" });
    await inquiries.tab("New").click();
    await page.route("**/api/trpc/inquiries.setStatus*", (route) => route.abort());
    await inquiries.button("Unlucky", "Close").press("Enter");
    await expect(page.getByText(MESSAGES.inquiries.statusFailed)).toBeVisible();
    await expect(inquiries.button("Unlucky", "Close")).toBeFocused();
    await page.unrouteAll({ behavior: "wait" });
    await inquiries.button("Unlucky", "Close").press("Enter");
    await expect(inquiries.card("Unlucky")).toHaveCount(0);
  });
  await test.step("a status is changed by keyboard: the row leaves its tab, and the focus goes on", async () => {
    for (const name of ["Third", "Second", "First"]) await submitInquiry(admin, { name });
    await expect(inquiries.tab("New")).toHaveAccessibleName("New, 6 inquiries");
    await inquiries.button("Second", "Mark answered").press("Enter");
    await expect(page.getByText(MESSAGES.inquiries.statusChanged("answered"))).toBeVisible();
    await expect(inquiries.card("Second")).toHaveCount(0);
    await expect(inquiries.button("Third", "Mark answered")).toBeFocused();
    await expect(inquiries.tab("New")).toHaveAccessibleName("New, 5 inquiries");

    // In a list where the row stays, it keeps the focus.
    await inquiries.tab("All").click();
    await expect(inquiries.card("Second")).toContainText("Answered by Asha Kulkarni, ");
    await inquiries.button("Second", "Close").press("Enter");
    await expect(inquiries.card("Second")).toContainText("Closed by Asha Kulkarni, ");
    await expect(inquiries.button("Second", "Reopen")).toBeFocused();
    await inquiries.button("Second", "Reopen").press("Enter");
    await expect(inquiries.button("Second", "Mark answered")).toBeFocused();
    await expect(inquiries.card("Second")).not.toContainText(" by Asha Kulkarni");
  });
  await test.step("the list is filtered by the form that it came from, counts and all", async () => {
    await inquiries.tab("Answered").click();
    await expect(inquiries.card("Joseph D'Souza")).toBeVisible();
    await page.getByRole("combobox", { name: "Filter by kind" }).selectOption("Applications");
    await expect(page).toHaveURL(/about=application/);
    await expect(inquiries.card("Joseph D'Souza")).toHaveCount(0);
    await expect(inquiries.card("Sneha Pawar")).toBeVisible();
    await expect(inquiries.tab("Answered")).toHaveAccessibleName("Answered, 1 inquiry");
    await inquiries.button("Sneha Pawar", "Close").click();
    await expect(page.getByText("No answered inquiries", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(inquiries.card("Joseph D'Souza")).toBeVisible();
    await expect(inquiries.heading).toBeFocused();
  });
  await test.step("the address holds the tab: Back, reload and a shared link open it, and junk opens all", async () => {
    await inquiries.tab("All").click();
    await inquiries.tab("Closed").click();
    await expect(page).toHaveURL(/inquiries=closed/);
    await page.reload();
    await expect(inquiries.card("Thomas Kurian")).toBeVisible();
    await expect(inquiries.card("Ananya Bose")).toHaveCount(0);
    await page.goBack();
    await expect(inquiries.tab("All")).toHaveAttribute("aria-selected", "true");
    await inquiries.tab("Closed").click();
    await expect(inquiries.tab("Closed")).toHaveAttribute("aria-selected", "true");
    await goInApp(page, "/admin/inquiries?inquiries=lost");
    await expect(inquiries.tab("All")).toHaveAttribute("aria-selected", "true");
  });
  await test.step("the audit tells of it", async () => {
    await goInApp(page, "/admin/audit?kind=inquiry.status-changed");
    await expect(page.getByRole("listitem").filter({ hasText: "inquiry of Second" }).first()).toContainText(
      "Asha Kulkarni reopened the inquiry of Second",
    );
    await expect(page.getByText("Asha Kulkarni marked the inquiry of Second as answered")).toBeVisible();
  });
  await test.step("what comes in, and what another admin does, is there at once, with its count in the menu", async () => {
    await goInApp(page, "/admin/inquiries?inquiries=new");
    const other = await (await openContext()).newPage();
    await openAs(other, { email: OTHER_ADMIN, path: "/admin" });
    const theirs = new InquiriesPage(other);
    await expect(theirs.menuEntry).toHaveAccessibleName(/new$/);
    const before = Number(/\d+/.exec((await theirs.menuEntry.getAttribute("aria-label")) ?? "")?.[0]);
    await submitInquiry(admin, { name: "Live Visitor" });
    await expect(inquiries.card("Live Visitor")).toBeVisible();
    await expect(theirs.menuEntry).toHaveAccessibleName(`Inquiries, ${before + 1} new`);
    await theirs.menuEntry.click();
    await theirs.button("Live Visitor", "Close").click();
    await expect(inquiries.card("Live Visitor")).toHaveCount(0);
    await expect(inquiries.menuEntry).toHaveAccessibleName(`Inquiries, ${before} new`);
  });
  await test.step("a phone has it under More, with the count, and fits absurd words", async () => {
    await page.setViewportSize({ width: 360, height: 780 });
    const long = "Donaudampfschifffahrtsgesellschaftskapitän".repeat(2);
    await submitInquiry(admin, { name: long, message: `${long.repeat(9)}\n\n${"👩‍👩‍👧 ".repeat(200)}` });
    await goInApp(page, "/admin");
    await page.getByRole("button", { name: /^More, \d+ new$/ }).click();
    await page
      .getByRole("dialog", { name: "More" })
      .getByRole("link", { name: /^Inquiries, \d+ new$/ })
      .click();
    await expect(inquiries.heading).toBeVisible();
    await inquiries
      .card(long)
      .getByRole("button", { name: /^Show full message/ })
      .click();
    for (const width of [360, 320]) {
      await page.setViewportSize({ width, height: 780 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
    await expectAccessible(page, inquiries.card(long));
  });
});

test("loading, none and failed are three faces, each tab with a sentence of its own; a long list is read on", async ({
  page,
  consoleGuard,
  admin,
  server,
}) => {
  consoleGuard.allow(/Failed to load resource/);
  await authenticate(page, ADMIN);
  await writeRows(server, async (db) => {
    const contact = { kind: "contact" as const, subject: "project" as const, message: "We need a portal." };
    const startMs = Date.now() - 55;
    const rows = Array.from({ length: 55 }, (_, at) => ({
      ...contact,
      name: `Visitor ${at}`,
      email: "visitor@firm.example",
      createdAt: new Date(startMs + at),
    }));
    await db.insert(inquiriesTable).values(rowsOf(inquiriesTable, rows));
  });
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(LIST, async (route) => {
    await held;
    await route.abort();
  });
  const inquiries = new InquiriesPage(page);
  await inquiries.open();
  await expect(page.getByText("Loading inquiries")).toBeAttached();
  answer();
  await expect(page.getByRole("alert")).toContainText(MESSAGES.general.unreachable);
  await expect(page.getByText(MESSAGES.inquiries.empty)).toHaveCount(0);
  await page.unrouteAll({ behavior: "wait" });
  const none = { items: [], nextCursor: null, counts: { all: 0, new: 0, answered: 0, closed: 0 } };
  await replaceAnswer(page, "inquiries.list", () => none);
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText(MESSAGES.inquiries.empty, { exact: true })).toBeVisible();
  for (const name of ["New", "Answered", "Closed"] as const) {
    await inquiries.tab(name).click();
    await expect(page.getByText(`No ${name.toLowerCase()} inquiries`, { exact: true })).toBeVisible();
  }
  await page.unrouteAll({ behavior: "wait" });
  await inquiries.tab("All").click();
  // What comes in is read with all that is there.
  await submitInquiry(admin, { name: "Visitor at last" });
  await expect(page.getByRole("article")).toHaveCount(50);
  await page.getByRole("button", { name: "Show more" }).click();
  await expect(inquiries.card("Visitor 0")).toBeVisible();
  await expect(inquiries.card("Ananya Bose")).toBeVisible();
  await expect(page.getByRole("button", { name: "Show more" })).toHaveCount(0);
});
