import { randomUUID } from "node:crypto";
import type { Locator, Page, Route } from "@playwright/test";
import { api } from "./api";
import { drawn, expect, goInApp, test } from "./fixtures";
import { authenticate, openAs } from "./pages/account";
import { addProject } from "./projects";

const ROHAN = "rohan@sangam.example";
const ASHA = "asha@sangam.example";

interface Form {
  name: string;
  open: (page: Page) => Promise<unknown>;
  /** Types something invalid; a press elsewhere then blurs the field and a message appears. */
  mistype: (page: Page) => Promise<unknown>;
  /** Sends it; the returned function lets the refusal arrive. */
  submit?: (page: Page) => Promise<() => Promise<unknown>>;
  /** Below the message; takes the focus. */
  target: (page: Page) => Locator;
  /** What a successful press does. */
  counts: (page: Page) => Promise<unknown>;
}

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const terms = (page: Page) => page.getByRole("checkbox", { name: /I agree/ });
const remember = (page: Page) => page.getByRole("checkbox", { name: "Remember me" });
const linkToLogin = (page: Page) => page.getByRole("main").getByRole("link", { name: "Log in", exact: true });

async function typeTwoPasswords(page: Page, label: string): Promise<void> {
  await field(page, label).fill("monsoon-24");
  await field(page, "Confirm password").fill("monsoon-25");
}

/** After this the form validates while typing. */
async function openContact(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByRole("textbox", { name: "Email" }).scrollIntoViewIfNeeded();
  await expect(page.locator("form[novalidate]")).toBeVisible();
}

const FORMS: Form[] = [
  {
    name: "/signup, its terms",
    open: (page) => page.goto("/signup"),
    mistype: (page) => typeTwoPasswords(page, "Password"),
    target: terms,
    counts: async (page) => {
      await expect(terms(page)).toBeChecked();
      await expect(field(page, "Confirm password")).toHaveAccessibleDescription("Passwords do not match");
    },
  },
  {
    name: "/signup, the way to log in",
    open: (page) => openAnew(page, "/signup"),
    mistype: (page) => typeTwoPasswords(page, "Password"),
    target: linkToLogin,
    counts: (page) => expect(page).toHaveURL(/\/login$/),
  },
  {
    name: "/login, a refusal",
    // There the last one has led.
    open: (page) => expect(field(page, "Email")).toBeVisible(),
    mistype: async (page) => {
      await field(page, "Email").fill(ROHAN);
      await field(page, "Password").fill("wrong");
    },
    submit: async (page) => {
      const release = await holdBack(page, "**/api/trpc/auth.signIn*");
      await page.keyboard.press("Enter");
      return release;
    },
    target: remember,
    counts: async (page) => {
      await expect(remember(page)).toBeChecked();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  {
    name: "a new password",
    open: (page) => openAnew(page, `/reset-password?token=${"x".repeat(32)}`),
    mistype: (page) => typeTwoPasswords(page, "New password"),
    target: linkToLogin,
    counts: (page) => expect(page).toHaveURL(/\/login$/),
  },
  {
    name: "the contact form",
    open: openContact,
    mistype: (page) => page.getByRole("textbox", { name: "Email" }).fill("leela"),
    target: (page) => page.getByRole("textbox", { name: "Message" }),
    counts: (page) => expect(page.getByRole("textbox", { name: "Message" })).toBeFocused(),
  },
  {
    name: "the application",
    open: async (page) => {
      await page.goto("/careers");
      await page.getByRole("textbox", { name: "Email" }).scrollIntoViewIfNeeded();
      await expect(page.locator("form[novalidate]")).toBeVisible();
    },
    mistype: (page) => page.getByRole("textbox", { name: "Email" }).fill("farhan"),
    target: (page) => page.getByRole("textbox", { name: "Note" }),
    counts: (page) => expect(page.getByRole("textbox", { name: "Note" })).toBeFocused(),
  },
  {
    name: "Settings, the profile",
    open: (page) => openSettings(page, { email: ROHAN, path: "/dashboard/settings" }),
    mistype: (page) => field(page, "Age optional").fill("many"),
    target: (page) => button(page, "Discard"),
    counts: (page) => expect(field(page, "Age optional")).not.toHaveValue("many"),
  },
  // Each of them on the page of the one before.
  {
    name: "Settings, a refusal of the profile",
    open: (page) => expect(page.getByText("This browser", { exact: true })).toBeVisible(),
    mistype: (page) => field(page, "Display name").fill("Rohan S"),
    submit: async (page) => {
      const release = await holdBack(page, "**/api/trpc/users.updateProfile*", { status: 502, body: "no" });
      await page.keyboard.press("Enter");
      return release;
    },
    target: (page) => button(page, "New API Key"),
    counts: async (page) => {
      await expect(page.getByRole("form", { name: "New API key" })).toBeVisible();
      await expect(page.getByRole("alert")).toBeVisible();
    },
  },
  {
    name: "Settings, the password",
    open: (page) => expect(field(page, "New password")).toBeVisible(),
    mistype: (page) => typeTwoPasswords(page, "New password"),
    target: (page) => button(page, "Set Up"),
    counts: (page) => expect(field(page, "Your password")).toBeFocused(),
  },
  {
    name: "the repository token",
    open: (page) => openSettings(page, { email: ASHA, path: "/admin/settings" }),
    mistype: (page) => field(page, "Token").fill("two words"),
    target: (page) => page.getByRole("textbox", { name: "Accounts and organisations" }),
    counts: (page) => expect(page.getByRole("textbox", { name: "Accounts and organisations" })).toBeFocused(),
  },
  {
    name: "a new project",
    open: async (page) => {
      await openAs(page, { email: ROHAN });
      await page.getByRole("button", { name: "New Project" }).first().click();
    },
    mistype: (page) => page.getByRole("textbox", { name: "Live link" }).fill("nowhere"),
    target: (page) => page.getByRole("combobox", { name: "Managers" }),
    counts: (page) => expect(page.getByRole("combobox", { name: "Managers" })).toBeFocused(),
  },
];

test("a message or a refusal that comes while the mouse is pressed moves nothing, the press counts, and it shows afterwards", async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allow(/502/);
  for (const { name, open, mistype, submit, target, counts } of FORMS) {
    await test.step(name, async () => {
      await open(page);
      await mistype(page);
      const release = await submit?.(page);
      await press(page, target(page), release);
      await counts(page);
      // What this form keeps of what was typed would lie in the next one of its kind.
      await page.evaluate(() => sessionStorage.clear());
    });
  }
});

test.describe("a refusal that comes while the mouse is pressed moves nothing, and the press counts", () => {
  test("a project's comments, files and labels", async ({ page, consoleGuard, admin }) => {
    consoleGuard.allow(/502/);
    const refused = { status: 502, body: "no" };
    const { id: projectId, title } = await addProject(admin, "Steady quay");
    const [label] = await admin.labels.list.query();
    await authenticate(page, ROHAN);
    await api(page).comments.create.mutate({
      subject: { projectId },
      clientCommentId: randomUUID(),
      text: "Tides",
      visibility: "team",
    });
    await page.goto(`/dashboard?modal=view&project=${projectId}`);
    const details = page.getByRole("dialog", { name: title });
    const cancel = details.getByRole("button", { name: "Cancel", exact: true });
    const dialog = page.getByRole("alertdialog");

    await test.step("a changed comment", async () => {
      await details.getByRole("button", { name: "Comment actions" }).click();
      await page.getByRole("menuitem", { name: "Edit" }).click();
      await details.getByRole("textbox", { name: "Edit comment" }).fill("Tides, twice");
      const release = await holdBack(page, "**/api/trpc/comments.update*", refused);
      await page.keyboard.press("Control+Enter");
      await press(page, cancel, release);
      await dialog.getByRole("button", { name: "Discard" }).click();
      await expect(cancel).toBeHidden();
    });

    await test.step("files that are still on their way", async () => {
      const release = await holdBack(page, "**/api/files?*");
      const chosen = page.waitForEvent("filechooser");
      await details.getByRole("button", { name: "Attach files" }).first().click();
      await (await chosen).setFiles({ name: "tides.txt", mimeType: "text/plain", buffer: Buffer.from("Low") });
      const toAttach = details.getByRole("list", { name: "Files to attach" });
      await details.getByRole("button", { name: "Attach", exact: true }).click();
      await expect(details.getByText("Wait until the files are uploaded.")).toBeVisible();
      await press(page, cancel, release);
      await expect(toAttach).toBeHidden();
    });

    await test.step("a label that is to be deleted", async () => {
      const { key } = await admin.projects.byId.query({ projectId });
      await goInApp(page, `/dashboard?task=${key}-1`);
      await page.getByRole("button", { name: "Edit labels" }).click();
      await page.getByRole("button", { name: `Delete label: ${label?.name}` }).click();
      const release = await holdBack(page, "**/api/trpc/labels.delete*", refused);
      await expect(dialog).toContainText(/task/);
      await dialog.getByRole("button", { name: "Delete" }).click();
      await press(page, dialog.getByRole("button", { name: "Cancel" }), release);
      await expect(dialog.getByRole("alert")).toBeVisible();
    });
  });
});

test("with a finger the first tap counts, and the message shows after it; for the keyboard it is there at once, and goes at once", async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({
    ...(baseURL !== undefined && { baseURL }),
    hasTouch: true,
    isMobile: true,
    viewport: { width: 360, height: 800 },
  });
  const page = await context.newPage();
  await page.goto("/signup");
  await typeTwoPasswords(page, "Password");
  await terms(page).tap();
  await expect(terms(page)).toBeChecked();
  await expect(field(page, "Confirm password")).toHaveAccessibleDescription("Passwords do not match");

  await openAnew(page, "/signup");
  await typeTwoPasswords(page, "Password");
  await page.keyboard.press("Tab");
  const confirm = field(page, "Confirm password");
  await expect(confirm).toHaveAccessibleDescription("Passwords do not match");
  await confirm.fill("monsoon-24");
  await expect(confirm).not.toHaveAttribute("aria-invalid");
  await context.close();
});

/** The form as nobody has touched it, without another document. */
async function openAnew(page: Page, path: string): Promise<void> {
  await goInApp(page, "/login");
  await expect(page.getByRole("heading", { level: 1, name: "Log In" })).toBeVisible();
  await page.evaluate(() => sessionStorage.clear());
  await goInApp(page, path);
  await expect(page.getByRole("textbox", { name: "Confirm password" })).toBeVisible();
}

/** The sections above a form grow until their lists are there. */
async function openSettings(page: Page, visit: { email: string; path: string }): Promise<void> {
  await openAs(page, visit);
  await expect(page.getByText("This browser", { exact: true })).toBeVisible();
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
}

/** Presses the middle of the target, runs `meanwhile`, and releases at the same point: the target must still be there. */
async function press(page: Page, target: Locator, meanwhile?: () => Promise<unknown>): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const before = await target.boundingBox();
  if (!before) throw new Error("it is not on the screen");
  await page.mouse.move(before.x + before.width / 2, before.y + before.height / 2);
  await page.mouse.down();
  await meanwhile?.();
  await drawn(page);
  expect(await target.boundingBox()).toEqual(before);
  await page.mouse.up();
}

/** Holds a response until the returned function is called, which resolves when the page has received it. */
async function holdBack(
  page: Page,
  address: string,
  answer?: { status: number; body: string },
): Promise<() => Promise<void>> {
  let arrive: (route: Route) => void;
  const arrived = new Promise<Route>((resolve) => {
    arrive = resolve;
  });
  await page.route(address, (route) => arrive(route), { times: 1 });
  return async () => {
    const route = await arrived;
    const answered = page.waitForResponse(address);
    await (answer ? route.fulfill(answer) : route.continue());
    await (await answered).finished();
  };
}
