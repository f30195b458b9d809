import type { Page } from "@playwright/test";
import { expect, expectAccessibleEverywhere, goInApp, setTheme, test } from "./fixtures";
import { openAs, signIn } from "./pages/account";
import { expectDocument, leavePaper } from "./paper";
import { Traffic } from "./traffic";

// What opens on a page (a dialog, a menu, a folded list) is checked by the test that opens it.

const OPEN_PAGES = [
  ...["/", "/careers", "/kartavya", "/blogs", "/privacy-policy-kartavya", "/terms", "/privacy"],
  ...["/login", "/login?notice=reset", "/signup"],
  ...[
    "/reset-password",
    "/reset-password?token=dead",
    "/confirm-email",
    "/confirm-email?token=dead",
    "/invitation",
    "/invitation?token=dead",
  ],
];
const DASHBOARDS = {
  "rohan@sangam.example": ["/dashboard", "/dashboard?tab=inProgress", "/dashboard/requests"],
  "mitali@sangam.example": [
    ...["/dashboard/tasks", "/dashboard/overview", "/dashboard/team"],
    ...["/dashboard/calendar", "/dashboard/calendar?calendar=agenda"],
  ],
  "asha@sangam.example": [
    ...["/admin", "/admin/users?users=pending", "/admin/requests", "/admin/inquiries", "/admin/audit", "/admin/system"],
    // Everybody's sections of settings, and those of the organisation.
    "/admin/settings",
  ],
  "meera@sangam.example": ["/client", "/client/requests", "/client/settings", "/dashboard/tasks"],
};

/** What other tests check on screens. */
const ONLY_PRINTED: Record<string, string[]> = {
  "rohan@sangam.example": ["/dashboard/settings", "/dashboard/inbox"],
  "asha@sangam.example": ["/admin/messages", "/admin/clients", "/admin/inbox"],
  "meera@sangam.example": ["/client/messages", "/client/inbox"],
};

test("every public page is accessible in both themes, on a desk and on a phone, and prints as a document", async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allow(/Failed to load resource/);
  for (const path of OPEN_PAGES) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.waitForLoadState("networkidle");
    await expectAccessibleEverywhere(page);
    await expectDocument(page);
    await leavePaper(page);
  }
});

for (const [email, paths] of Object.entries(DASHBOARDS)) {
  test(`every page of ${email} is accessible in both themes, on a desk and on a phone, and prints as a document`, async ({
    page,
  }) => {
    const traffic = new Traffic(page);
    await openAs(page, { email });
    for (const path of paths) {
      await goInApp(page, path);
      await expect(page).toHaveTitle(await servedTitle(page, path));
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await traffic.settled();
      await expectAccessibleEverywhere(page, {
        onResize: async () => {
          // The calendar chooses between month and agenda when it is opened.
          if (!path.includes("calendar")) return;
          await page.reload();
          await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
          await traffic.settled();
        },
      });
      await expectDocument(page);
      await leavePaper(page);
    }
    for (const path of ONLY_PRINTED[email] ?? []) {
      await goInApp(page, path);
      await expect(page).toHaveTitle(await servedTitle(page, path));
      await traffic.settled();
      await expectDocument(page);
      await leavePaper(page);
    }
  });
}

/** What the document at this address is called before the page is there; later a number of messages may stand before it. */
async function servedTitle(page: Page, path: string): Promise<RegExp> {
  const document = await (await page.request.get(path)).text();
  const [, title = ""] = /<title>(.*?)<\/title>/.exec(document) ?? [];
  expect(title, path).not.toBe("");
  return new RegExp(`^(\\(\\d+\\) )?${title}$`);
}

test("the first Tab is the skip link, which leads to the content", async ({ page }) => {
  await signIn(page, "rohan@sangam.example");
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

test("the first painted frame has the stored theme, dark by default, and two tabs agree", async ({ page, context }) => {
  for (const path of ["/login", "/"]) {
    await page.goto(path);
    await expect(page.locator("html")).toHaveClass(/dark/);
    await setTheme(page, "light");
    await page.goto(path, { waitUntil: "commit" });
    await expect(page.locator("html")).not.toHaveClass(/dark/);
    await page.evaluate(() => localStorage.removeItem("darkMode"));
  }
  await signIn(page, "rohan@sangam.example");
  const other = await context.newPage();
  await other.goto("/dashboard");
  await other.getByRole("button", { name: "Dark mode" }).click();
  await expect(page.locator("html")).not.toHaveClass(/dark/);
});
