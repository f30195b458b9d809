import { expect, expectAccessible, test } from "./fixtures";
import { openAs, signIn } from "./pages/account";

const OPEN_PAGES = [
  ...["/", "/careers", "/kartavya", "/blogs", "/privacy-policy-kartavya", "/terms", "/privacy"],
  ...["/login", "/signup"],
];
const DASHBOARDS = [
  ["/dashboard", "rohan@sangam.example"],
  ["/dashboard?tab=inProgress", "rohan@sangam.example"],
  ["/admin", "asha@sangam.example"],
  ["/admin/users?users=pending", "asha@sangam.example"],
  ["/admin/inquiries", "asha@sangam.example"],
  ["/admin/audit", "asha@sangam.example"],
  ["/client", "meera@sangam.example"],
] as const;

for (const theme of ["dark", "light"] as const) {
  test.describe(`in the ${theme} theme`, () => {
    test.beforeEach(async ({ context }) => {
      await context.addInitScript((dark) => {
        // axe opens a blank page of its own, which has no storage.
        if (location.protocol.startsWith("http")) localStorage.setItem("darkMode", String(dark));
      }, theme === "dark");
    });

    test("every public page is accessible and its console is clean", async ({ page }) => {
      for (const path of OPEN_PAGES) {
        await page.goto(path);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await expect(page.locator("html")).toHaveClass(theme === "dark" ? /dark/ : /^(?!.*dark)/);
        await expectAccessible(page);
      }
    });

    for (const [path, email] of DASHBOARDS) {
      test(`${path} is accessible and its console is clean`, async ({ page }) => {
        await openAs(page, { email, path });
        await page.waitForLoadState("networkidle");
        await expectAccessible(page);
      });
    }
  });
}

test("nothing scrolls sideways at 360 and at 320 px, and every page is accessible there", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  for (const path of OPEN_PAGES) {
    await page.goto(path);
    await expectFits(360);
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 640 });
    await expectFits(320);
    await page.setViewportSize({ width: 360, height: 780 });
  }
  for (const [path, email] of DASHBOARDS) {
    await page.context().clearCookies();
    await page.setViewportSize({ width: 360, height: 780 });
    await openAs(page, { email, path });
    await page.waitForLoadState("networkidle");
    await expectFits(360);
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 640 });
    await expectFits(320);
  }

  async function expectFits(width: number): Promise<void> {
    const widest = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(widest, page.url()).toBeLessThanOrEqual(width);
  }
});

test("the first Tab is the skip link, which leads to the content", async ({ page }) => {
  await signIn(page, "rohan@sangam.example");
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

test("the first painted frame has the stored theme, dark by default, and two tabs agree", async ({ page, context }) => {
  await page.goto("/login");
  await expect(page.locator("html")).toHaveClass(/dark/);
  await page.evaluate(() => localStorage.setItem("darkMode", "false"));
  await page.goto("/login", { waitUntil: "commit" });
  await expect(page.locator("html")).not.toHaveClass(/dark/);
  await signIn(page, "rohan@sangam.example");
  const other = await context.newPage();
  await other.goto("/dashboard");
  await other.getByRole("button", { name: "Dark mode" }).click();
  await expect(page.locator("html")).toHaveClass(/dark/);
});
