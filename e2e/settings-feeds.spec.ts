import { createServer } from "node:http";
import type { Page } from "@playwright/test";
import { MESSAGES } from "../server/contract/messages";
import { api } from "./api";
import { expect, expectAccessible, test } from "./fixtures";
import { authenticate, DEMO_PASSWORD } from "./pages/account";

/** A program that receives events: what came, and what it answers. */
async function startReceiver() {
  const received: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      received.push(JSON.parse(body).kind);
      response.writeHead(received.length > 1 ? 503 : 204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}/sangam`, received, close: () => server.close() };
}

test("an admin adds a webhook, sees its secret once, sends a test, reads what it answered, and deletes it", async ({
  page,
}) => {
  const receiver = await startReceiver();
  await authenticate(page, "asha@sangam.example", DEMO_PASSWORD);
  await page.goto("/admin/settings");
  const section = page.getByRole("region", { name: "Webhooks" });
  await expect(section.getByText(MESSAGES.webhooks.empty)).toBeVisible();
  await section.getByRole("button", { name: "New Webhook" }).click();
  const address = section.getByRole("textbox", { name: "Address" });
  await expect(address).toBeFocused();
  await address.fill("ftp://hooks.example");
  await section.getByRole("button", { name: "Add Webhook" }).click();
  await expect(section.getByText("Enter a full URL, such as https://example.com")).toBeVisible();
  await expect(section.getByText("Choose at least one event.")).toBeVisible();
  await page.getByRole("navigation").getByRole("link", { name: "Users" }).click();
  const question = page.getByRole("alertdialog", { name: "Discard changes?" });
  await expect(question).toContainText("What you typed for the new webhook will be lost.");
  await question.getByRole("button", { name: "Keep editing" }).click();
  await address.fill(receiver.url);
  await section.getByRole("checkbox", { name: "New comment" }).check();
  await toTheEnd(page);
  await expectAccessible(page, section);
  await section.getByRole("button", { name: "Add Webhook" }).click();
  const secret = section.getByRole("textbox", { name: "Signing secret" });
  await expect(secret).toHaveValue(/^whsec_/);
  await section.getByRole("button", { name: "Done" }).click();
  await expect(section.getByRole("button", { name: "New Webhook" })).toBeFocused();
  await page.reload();
  const row = section.getByRole("list", { name: "Webhooks" }).getByRole("listitem").first();
  await expect(row).toContainText("New comment. Added by Asha Kulkarni");
  await expect(secret).toHaveCount(0);

  await row.getByRole("button", { name: "Send test" }).click();
  const deliveries = row.getByRole("region", { name: /^Deliveries to / });
  await expect(deliveries.getByRole("listitem")).toContainText("answered 204");
  await expect(deliveries.getByRole("listitem")).toContainText("Delivered");
  await row.getByRole("button", { name: "Send test" }).click();
  await expect(deliveries.getByRole("listitem").first()).toContainText(
    "answered 503 · The answer is not 2xx · next try",
  );
  expect(receiver.received).toEqual(["test", "test"]);
  await toTheEnd(page);
  await expectAccessible(page, section);
  await row.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(section.getByText(MESSAGES.webhooks.empty)).toBeVisible();
  await expect(section.getByRole("button", { name: "New Webhook" })).toBeFocused();
  receiver.close();
});

test("a calendar address is shown once, gives one's due dates, and ends when it is replaced or revoked", async ({
  page,
  request,
}) => {
  await authenticate(page, "rohan@sangam.example", DEMO_PASSWORD);
  await page.goto("/dashboard/settings");
  const section = page.getByRole("region", { name: "Calendar" });
  await section.getByRole("button", { name: "Create Address" }).click();
  const field = section.getByRole("textbox", { name: "Calendar address" });
  await expect(field).toBeFocused();
  await expectAccessible(page, section);
  const statusOf = async (url: string) => (await request.get(url)).status();
  const first = await field.inputValue();
  expect(await (await request.get(first)).text()).toContain("SUMMARY:KGT-3 Field test at two campuses");

  await section.getByRole("button", { name: "Create New Address" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(field).toHaveValue(first);
  await section.getByRole("button", { name: "Create New Address" }).click();
  await question.getByRole("button", { name: "Create" }).click();
  await expect(field).not.toHaveValue(first);
  const second = await field.inputValue();
  expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200]);

  // On another device: what stands here to be copied is dead.
  await api(page).feeds.createCalendar.mutate();
  await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
  await expect(field).toHaveCount(0);
  expect(await statusOf(second)).toBe(404);

  await page.reload();
  await expect(section.getByText("Address created on")).toBeVisible();
  await expect(field).toHaveCount(0);
  await section.getByRole("button", { name: "Revoke" }).click();
  await question.getByRole("button", { name: "Revoke" }).click();
  await expect(section.getByText("You have no calendar address yet.")).toBeVisible();
  await expect(section.getByRole("button", { name: "Create Address" })).toBeFocused();
});

/** Where the section stands. A control far above, half covered by the header, would count as too small. */
async function toTheEnd(page: Page): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
}
