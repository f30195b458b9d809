import type { Page } from "@playwright/test";
import { MESSAGES } from "../server/contract/messages";
import { expect, expectAccessible, test } from "./fixtures";
import { hold } from "./traffic";

const INQUIRY = { name: "Leela Nair", email: "leela@harbour.example", message: "A booking portal, by March." };

/** Waits until the form has its code. */
async function openForm(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.locator("form")).toHaveAttribute("novalidate");
}

test("the contact form tells what is missing, keeps what is typed through everything, thanks, and sends the same words once", async ({
  page,
  consoleGuard,
  admin,
}) => {
  consoleGuard.allow(/Failed to load resource/);
  await openForm(page, "/#contact");
  const send = page.getByRole("button", { name: "Send message" });
  await page.getByLabel("Email").fill("leela");
  await page.getByLabel("Company").focus();
  await expect(page.getByText(MESSAGES.inquiries.emailInvalid)).toBeVisible();
  await send.click();
  await expect(page.getByLabel("Name")).toBeFocused();
  await expect(page.getByLabel("Name")).toHaveAccessibleDescription(MESSAGES.inquiries.nameRequired);
  await expectAccessible(page, page.locator("form"));
  await page.getByLabel("Email").fill(INQUIRY.email);
  await expect(page.getByText(MESSAGES.inquiries.emailInvalid)).toBeHidden();
  await page.getByLabel("Name").fill(INQUIRY.name);
  await page.getByLabel("Message").fill(INQUIRY.message);
  await page.getByLabel("Subject").selectOption("partnership");
  await page.reload();
  await expect(page.getByLabel("Message")).toHaveValue(INQUIRY.message);
  await expect(page.getByLabel("Subject")).toHaveValue("partnership");

  const sending = hold((route) => route.abort());
  await page.route("**/api/trpc/inquiries.submit", sending.handler);
  await send.click();
  await test.step("while it is being sent it takes no words that would not be sent with it", async () => {
    await expect(page.getByRole("button", { name: "Sending..." })).toBeVisible();
    await page.getByLabel("Message").focus();
    await page.keyboard.type(" Or April.");
    await expect(page.getByLabel("Message")).toHaveValue(INQUIRY.message);
    await expect(page.getByLabel("Message")).not.toBeEditable();
    sending.release();
  });
  await expect(page.getByRole("alert")).toHaveText(MESSAGES.inquiries.sendFailed);
  await expect(page.getByLabel("Message")).toHaveValue(INQUIRY.message);
  const shown = await page.getByRole("alert").elementHandle();
  await page.getByRole("button", { name: "Retry" }).click();
  // Screen readers announce a new alert only: the same text needs one.
  await expect.poll(() => shown?.evaluate((alert) => alert.isConnected)).toBe(false);
  await expect(page.getByRole("alert")).toHaveText(MESSAGES.inquiries.sendFailed);
  await page.getByLabel("Message").fill("");
  await page.getByLabel("Name").focus();
  await expect(page.getByText(MESSAGES.inquiries.messageRequired)).toBeVisible();
  await page.getByLabel("Message").fill(INQUIRY.message);
  await page.unroute("**/api/trpc/inquiries.submit");
  await page.getByRole("button", { name: "Retry" }).click();
  const thanks = page.getByRole("status");
  await expect(thanks).toContainText("within 24 hours");
  await expect(thanks).toBeFocused();
  await expect(page.locator("form")).toHaveCount(0);
  await page.reload();
  await expect(page.getByLabel("Message")).toHaveValue("");

  await test.step("a retry after an answer that was lost, also over a reload, is one inquiry; other words are another", async () => {
    await expect(page.locator("form")).toHaveAttribute("novalidate");
    const keys: string[] = [];
    await page.route("**/api/trpc/inquiries.submit", async (route) => {
      keys.push(/"inquiryKey":"([^"]+)"/.exec(route.request().postData() ?? "")?.[1] ?? "");
      if (keys.length < 4) await route.fetch();
      await (keys.length < 4 ? route.abort() : route.continue());
    });
    const send = page.getByRole("button", { name: /Send message|Retry/ });
    const lose = async (count: number) => {
      await send.click();
      await expect(page.getByRole("alert")).toHaveText(MESSAGES.inquiries.sendFailed);
      expect(keys).toHaveLength(count);
    };
    await page.getByLabel("Name").fill(INQUIRY.name);
    await page.getByLabel("Email").fill(INQUIRY.email);
    await page.getByLabel("Subject").selectOption("partnership");
    await page.getByLabel("Message").fill("Sent more than once.");
    await lose(1);
    await page.getByRole("button", { name: "Retry" }).click();
    await expect.poll(() => keys.length).toBe(2);
    await page.reload();
    await expect(page.locator("form")).toHaveAttribute("novalidate");
    await expect(page.getByLabel("Message")).toHaveValue("Sent more than once.");
    await lose(3);
    await page.getByLabel("Message").fill("Sent more than once, and changed.");
    await send.click();
    await expect(page.getByRole("status")).toContainText("within 24 hours");
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
    expect(keys[3]).toMatch(/^[0-9a-f-]{36}$/);

    const texts = (await admin.inquiries.list.query({})).items.map(({ message }) => message);
    expect(texts.filter((text) => text?.startsWith("Sent more than once")).sort()).toEqual([
      "Sent more than once, and changed.",
      "Sent more than once.",
    ]);
  });
});

test("what was typed before the form's code came is kept, too", async ({ page }) => {
  let arrive = () => {};
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(/\/assets\/public-/, (route) => held.then(() => route.continue()));
  await page.goto("/#contact", { waitUntil: "commit" });
  await page.getByLabel("Message").fill(INQUIRY.message);
  arrive();
  await expect(page.locator("form")).toHaveAttribute("novalidate");
  await page.reload();
  await expect(page.getByLabel("Message")).toHaveValue(INQUIRY.message);
});

/** A busy browser reports all at once what came in and out of view since it last did. */
async function reportViewsLate(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.IntersectionObserver = class extends IntersectionObserver {
      constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        const seen: IntersectionObserverEntry[] = [];
        super((entries, observer) => {
          if (seen.length === 0) setTimeout(() => callback(seen.splice(0), observer), 1_000);
          seen.push(...entries);
          document.documentElement.dataset.views = String(seen.length);
        }, options);
      }
    };
  });
}

test("what the server finds wrong stands at its field, and too many calls are told in words", async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allow(/Failed to load resource/);
  await reportViewsLate(page);
  await page.goto("/careers");
  // The form is out of view and has been seen there, then the page scrolls.
  await expect(page.locator("html")).toHaveAttribute("data-views", "1");
  await page.locator("form").scrollIntoViewIfNeeded();
  await expect(page.locator("form")).toHaveAttribute("novalidate");
  await page.getByRole("link", { name: "Apply, Paid internship" }).click();
  await expect(page.getByLabel("Programme")).toHaveValue("paid-internship");
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.getByLabel("Name").fill("Farhan Ali");
  await page.getByLabel("Email").fill("farhan@college.example");
  await page.getByLabel("Phone").fill("call me");
  const send = page.getByRole("button", { name: "Send application" });
  await send.click();
  await expect(page.getByLabel("Phone")).toHaveAccessibleDescription(/7 to 20 digits/);
  await expect(page.getByLabel("Phone")).toBeFocused();
  await page.getByLabel("Phone").fill("+91 98200 12345");
  const message = `${MESSAGES.general.tooMany} Try again in 12 minutes.`;
  const refusal = { message, data: { code: "TOO_MANY_REQUESTS", retryAfterSeconds: 720 } };
  await page.route("**/api/trpc/inquiries.submit", (route) =>
    route.fulfill({ status: 429, json: { error: { json: refusal } } }),
  );
  await send.click();
  await expect(page.getByRole("alert")).toHaveText(message);
  await page.unroute("**/api/trpc/inquiries.submit");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("status")).toHaveText(new RegExp(MESSAGES.inquiries.applied));
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("both forms work: what is wrong comes back with every word, and what is right with thanks", async ({
    page,
    request,
    server,
    admin,
  }) => {
    await page.goto("/careers");
    await page.getByRole("link", { name: "Apply, Free internship" }).click();
    await expect(page.getByLabel("Programme")).toHaveValue("free-internship");
    await page.getByLabel("Name").fill('Farhan "Fari" <Ali>');
    await page.getByLabel("Email").fill("farhan@college.example");
    await page.getByLabel("Phone").fill("call me");
    await page.getByLabel("Note").fill("Evenings & weekends.");
    await page.getByRole("button", { name: "Send application" }).click();
    await expect(page).toHaveTitle(/^Not sent yet/);
    await expect(page.getByLabel("Phone")).toHaveAccessibleDescription(/7 to 20 digits/);
    await expect(page.getByLabel("Phone")).toBeFocused();
    await expect(page.getByRole("alert")).toHaveText(MESSAGES.general.invalid);
    await expect(page.getByLabel("Name")).toHaveValue('Farhan "Fari" <Ali>');
    await expect(page.getByLabel("Programme")).toHaveValue("free-internship");
    await expect(page.getByLabel("Note")).toHaveValue("Evenings & weekends.");
    await page.getByLabel("Phone").fill("+91 98200 12345");
    await page.getByRole("button", { name: "Send application" }).click();
    await expect(page).toHaveURL(`${server.url}/careers?sent=1#apply`);
    await expect(page.getByText(MESSAGES.inquiries.applied)).toBeVisible();

    await page.goto("/#contact");
    await page.getByLabel("Name").fill(INQUIRY.name);
    await page.getByLabel("Email").fill(INQUIRY.email);
    await page.getByLabel("Subject").selectOption("project");
    await page.getByLabel("Message").fill(INQUIRY.message);
    await page.getByRole("button", { name: "Send message" }).click();
    await expect(page).toHaveURL(`${server.url}/?sent=1#contact`);
    await expect(page.getByText(MESSAGES.inquiries.sent)).toBeVisible();

    await page.goto("/careers");
    await page.getByLabel("Name").fill("Farhan Ali");
    await page.getByLabel("Email").fill("farhan@college.example");
    await page.getByLabel("Phone").fill("+91 98200 12345");
    await page.getByLabel("Programme").selectOption("training");
    await page.getByLabel("Note").fill("x".repeat(300_000));
    await page.getByRole("button", { name: "Send application" }).click();
    await expect(page.getByRole("alert")).toContainText(MESSAGES.inquiries.tooLarge);
    await expect(page.getByLabel("Phone")).toBeVisible();
    await page.goBack();
    await expect(page.getByLabel("Name")).toHaveValue("Farhan Ali");
    const foreign = await request.post("/contact", { form: INQUIRY, headers: { origin: "https://evil.example" } });
    expect([foreign.status(), foreign.headers()["cache-control"]]).toEqual([403, "no-store"]);
    expect(await foreign.text()).toContain(`${MESSAGES.general.foreignOrigin} ${MESSAGES.inquiries.goBack}`);

    const texts = (await admin.inquiries.list.query({})).items.map(({ message }) => message);
    expect(texts).toContain("Evenings & weekends.");
    expect(texts).toContain(INQUIRY.message);
  });
});
