import type { APIRequestContext, Page } from "@playwright/test";
import { api } from "./api";
import { expect, expectAccessibleEverywhere, goInApp, setTheme, test } from "./fixtures";
import { IS_LONG_FORM } from "./long-form";
import { openAs } from "./pages/account";
import { countSheets, expectDocument, leavePaper } from "./paper";
import { Traffic } from "./traffic";

// What opens on a page (a dialog, a menu, a folded list) is checked by the test that opens it.

/**
 * Each is a document of its own, but for those with a heading: they are drawn in the document before them, each after another page.
 */
const OPEN_PAGES: { path: string; heading?: string }[] = [
  ...["/", "/careers", "/kartavya", "/blogs", "/privacy-policy-kartavya", "/terms", "/privacy"].map((path) => ({
    path,
  })),
  { path: "/login" },
  { path: "/signup", heading: "Create Account" },
  { path: "/login?notice=reset", heading: "Log In" },
  { path: "/reset-password", heading: "Reset password" },
  { path: "/confirm-email", heading: "Confirm your email" },
  { path: "/reset-password?token=dead", heading: "Choose a new password" },
  { path: "/invitation", heading: "Accept your invitation" },
  { path: "/confirm-email?token=dead", heading: "Confirm your email" },
  { path: "/invitation?token=dead", heading: "Accept your invitation" },
];
const DASHBOARDS = {
  "rohan@sangam.example": ["/dashboard", "/dashboard?tab=inProgress", "/dashboard/requests"],
  "mitali@sangam.example": [
    ...["/dashboard/tasks", "/dashboard/overview", "/dashboard/team"],
    ...["/dashboard/calendar", "/dashboard/calendar?calendar=agenda"],
  ],
  "asha@sangam.example": [
    ...["/admin", "/admin/users?users=pending", "/admin/inquiries", "/admin/audit", "/admin/system"],
    // Everybody's sections of settings, and those of the organisation.
    "/admin/settings",
  ],
  "meera@sangam.example": ["/client", "/client/requests"],
};

/** What other tests check on screens. */
const ONLY_PRINTED: Record<string, string[]> = {
  "rohan@sangam.example": ["/dashboard/messages", "/dashboard/inbox"],
  "asha@sangam.example": ["/admin/users", "/admin/activity", "/admin/clients"],
};

/** The same components as on a page above, for another role. */
const ONLY_IN_LONG_FORM: Record<string, { looked: string[]; printed: string[] }> = {
  "rohan@sangam.example": { looked: [], printed: ["/dashboard/settings"] },
  "asha@sangam.example": { looked: ["/admin/requests"], printed: ["/admin/messages", "/admin/inbox"] },
  "meera@sangam.example": {
    looked: ["/client/settings", "/dashboard/tasks"],
    printed: ["/client/messages", "/client/inbox"],
  },
};

/** A page above with another state or text: the short form looks at both themes at one width. */
const VARIANTS = new Set([
  ...[
    "/privacy-policy-kartavya",
    "/privacy",
    "/login?notice=reset",
    "/confirm-email?token=dead",
    "/invitation?token=dead",
  ],
  "/dashboard?tab=inProgress",
]);

const MAX_SHEETS: Record<string, number> = {
  ...{ "/": 9, "/terms": 9, "/client": 4, "/dashboard": 4, "/dashboard/tasks": 4, "/dashboard/messages": 4 },
  ...{ "/admin": 9, "/admin/users": 9, "/admin/activity": 9, "/admin/audit": 9 },
};

/** Of what only a screen needs, these have nothing on paper. */
const PRINTED_TEXTS: Record<string, string> = {
  "/privacy-policy-kartavya": "September 9, 2025",
  "/careers": "A certificate that names what you built",
};

test("every public page is accessible in both themes, on a desk and on a phone, and prints as a document of few sheets", async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allow(/Failed to load resource/);
  for (const { path, heading } of OPEN_PAGES) {
    if (heading) await goInApp(page, path);
    else await page.goto(path);
    if (path === "/") await expect(page.locator("html"), "without a stored theme").toHaveClass(/dark/);
    await expect(page.getByRole("heading", { level: 1, ...(heading && { name: heading, exact: true }) })).toBeVisible();
    await page.waitForLoadState("networkidle");
    await expectAccessibleEverywhere(page, { widths: widthsOf(path) });
    await expectPrinted(page, path);
  }
});

for (const [email, paths] of Object.entries(DASHBOARDS)) {
  test(`every page of ${email} is accessible in both themes, on a desk and on a phone, and prints as a document of few sheets`, async ({
    page,
    request,
  }) => {
    const others = IS_LONG_FORM ? ONLY_IN_LONG_FORM[email] : undefined;
    const traffic = new Traffic(page);
    await openAs(page, { email });
    for (const path of [...paths, ...(others?.looked ?? [])]) {
      await open(path);
      await expectAccessibleEverywhere(page, {
        widths: widthsOf(path),
        onResize: async () => {
          // The calendar chooses between month and agenda when it is opened.
          if (!path.includes("calendar")) return;
          await open("/dashboard/team");
          await open(path);
        },
      });
      await expectPrinted(page, path);
    }
    for (const path of [...(ONLY_PRINTED[email] ?? []), ...(others?.printed ?? [])]) {
      await open(path);
      await expectPrinted(page, path);
    }
    if (email === "asha@sangam.example") await expectConversationPrinted(page);

    async function open(path: string): Promise<void> {
      await goInApp(page, path);
      await expect(page).toHaveTitle(await servedTitle(request, path));
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await traffic.settled();
    }
  });
}

function widthsOf(path: string): [number, ...number[]] {
  // On a phone the calendar begins as an agenda, and is looked at as such.
  if (path === "/dashboard/calendar?calendar=agenda" && !IS_LONG_FORM) return [1280];
  return VARIANTS.has(path) && !IS_LONG_FORM ? [360] : [1280, 360];
}

async function expectPrinted(page: Page, path: string): Promise<void> {
  await expectDocument(page);
  const text = PRINTED_TEXTS[path];
  if (text !== undefined) await expectNoControls(page, text);
  const maxSheets = MAX_SHEETS[path];
  if (maxSheets !== undefined) expect.soft(await countSheets(page), path).toBeLessThanOrEqual(maxSheets);
  await leavePaper(page);
}

async function expectConversationPrinted(page: Page): Promise<void> {
  await test.step("a conversation prints every message that is there, without the list of conversations and the field to write in", async () => {
    const [conversation] = await api(page).chat.conversations.query();
    await goInApp(page, `/admin/messages/${conversation?.id}`);
    await expect(page.getByRole("region", { name: /^Messages with / }).getByRole("listitem")).not.toHaveCount(0);
    await expectDocument(page);
    await expect(page.getByRole("navigation", { name: "Conversations" })).toBeHidden();
    await expect(page.getByRole("textbox")).toBeHidden();
    // Not those near a window.
    const bodies = await page
      .locator("ol > li")
      .evaluateAll((rows) => rows.map((row) => getComputedStyle(row).position));
    expect(new Set(bodies)).toEqual(new Set(["static"]));
    await leavePaper(page);
  });
}

async function expectNoControls(page: Page, text: string): Promise<void> {
  await test.step("policies and careers print without what only a screen needs", async () => {
    for (const role of ["navigation", "button"] as const) {
      for (const one of await page.getByRole(role).all()) await expect(one).toBeHidden();
    }
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByText(text)).toBeVisible();
  });
}

/** By address, read once. */
const served = new Map<string, Promise<string>>();

/**
 * What the document at this address is called before the page is there; later a number of messages may stand before it. It is the
 * same for everybody, and asked for without a session, which nothing has to be drawn for.
 */
async function servedTitle(request: APIRequestContext, path: string): Promise<RegExp> {
  const document = served.get(path) ?? request.get(path).then((answer) => answer.text());
  served.set(path, document);
  const [, title = ""] = /<title>(.*?)<\/title>/.exec(await document) ?? [];
  expect(title, path).not.toBe("");
  return new RegExp(`^(\\(\\d+\\) )?${title}$`);
}

test("the first painted frame has the stored theme, two tabs agree, and the first Tab is the skip link to the content", async ({
  page,
  context,
}) => {
  await page.goto("/login");
  await expect(page.locator("html"), "without a stored theme").toHaveClass(/dark/);
  await setTheme(page, "light");
  for (const path of ["/login", "/"]) {
    await page.goto(path, { waitUntil: "commit" });
    await expect(page.locator("html")).not.toHaveClass(/dark/);
  }
  await page.evaluate(() => localStorage.removeItem("darkMode"));
  await openAs(page, { email: "rohan@sangam.example" });
  await test.step("the skip link", async () => {
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("main")).toBeFocused();
  });
  await test.step("another tab", async () => {
    const other = await context.newPage();
    await other.goto("/dashboard");
    await other.getByRole("button", { name: "Dark mode" }).click();
    await expect(page.locator("html")).not.toHaveClass(/dark/);
  });
});
